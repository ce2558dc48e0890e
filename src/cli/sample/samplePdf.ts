/** A PDF file of one page (ISO 32000-1) with a title, headings and paragraphs. */

const size = { width: 595, height: 842, margin: 64 } as const
const maxLineLength = 84

const fonts = { text: "F1", bold: "F2" } as const

interface Line {
  readonly text: string
  readonly font: (typeof fonts)[keyof typeof fonts]
  readonly size: number
  /** Points between this line and the one above. */
  readonly leading: number
}

const wrapped = (paragraph: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of paragraph.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= maxLineLength) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** The first paragraph is the title; others of one word are headings. */
const linesOf = (paragraphs: ReadonlyArray<string>): ReadonlyArray<Line> =>
  paragraphs.flatMap((paragraph, index): ReadonlyArray<Line> => {
    if (index === 0) return [{ text: paragraph, font: fonts.bold, size: 20, leading: 20 }]
    if (!paragraph.includes(" ")) return [{ text: paragraph, font: fonts.bold, size: 13, leading: 30 }]
    return wrapped(paragraph).map((text, i) => ({ text, font: fonts.text, size: 11, leading: i === 0 ? 20 : 14 }))
  })

/** Of letters that the standard fonts have; others are named by their code point. */
const glyphNames: Readonly<Record<string, string>> = { č: "ccaron", ć: "cacute", ó: "oacute", "’": "quoteright" }

const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, "0")

/** Bytes of a simple font: ASCII, and one byte above it for each other character. */
const encodingOf = (lines: ReadonlyArray<Line>) => {
  const others = [...new Set(lines.flatMap(({ text }) => [...text]))].filter((character) => character > "~")
  const codeOf = (character: string) => {
    const index = others.indexOf(character)
    return index < 0 ? character.charCodeAt(0) : 128 + index
  }
  const points = others.map((character) => hex(character.codePointAt(0) ?? 0, 4))
  const ranges = points.map((point, i) => `<${hex(128 + i, 2)}> <${point}>`)
  return {
    show: (text: string) => `<${[...text].map((character) => hex(codeOf(character), 2)).join("")}> Tj`,
    differences:
      points.length === 0
        ? ""
        : `/Differences [128 ${others.map((character, i) => `/${glyphNames[character] ?? `uni${points[i]}`}`).join(" ")}]`,
    toUnicode: `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Sample def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <20> <7E> <0020> endbfrange
${ranges.length === 0 ? "" : `${ranges.length} beginbfchar ${ranges.join(" ")} endbfchar`}
endcmap CMapName currentdict /CMap defineresource pop end end`,
  }
}

const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`

export const samplePdf = (paragraphs: ReadonlyArray<string>): Uint8Array => {
  const lines = linesOf(paragraphs)
  const { differences, show, toUnicode } = encodingOf(lines)
  const page = [
    `BT ${size.margin} ${size.height - size.margin} Td`,
    ...lines.map((line) => `/${line.font} ${line.size} Tf 0 -${line.leading} Td ${show(line.text)}`),
    "ET",
  ].join("\n")
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding ${differences} >> /ToUnicode 7 0 R >>`
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.width} ${size.height}] /Contents 4 0 R /Resources << /Font << /${fonts.text} 5 0 R /${fonts.bold} 6 0 R >> >> >>`,
    stream(page),
    font("Helvetica"),
    font("Helvetica-Bold"),
    stream(toUnicode),
  ]
  let file = "%PDF-1.7\n"
  const offsets = objects.map((object, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return new TextEncoder().encode(file)
}
