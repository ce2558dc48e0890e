/**
 * Reads the Markdown that docs/*.md and the descriptions of OpenAPI use: headings, paragraphs, lists, tables, code blocks and
 * `<details>`; code, bold and links within a line. Other HTML is text, and comments are left out.
 */

export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "bold"; readonly content: Line }
  | { readonly kind: "link"; readonly content: Line; readonly href: string }

export type Line = ReadonlyArray<Inline>

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly id: string; readonly text: string }
  | { readonly kind: "paragraph"; readonly content: Line }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: ReadonlyArray<Line> }
  | { readonly kind: "table"; readonly head: ReadonlyArray<Line>; readonly rows: ReadonlyArray<ReadonlyArray<Line>> }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "details"; readonly summary: string; readonly blocks: ReadonlyArray<Block> }

/** The anchor that GitHub derives from a heading, so that links between guides work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const span = /`([^`]+)`|\*\*(.+?)\*\*|\[((?:`[^`]*`|[^\]])+)\]\(([^)]+)\)/g

export const inlineOf = (text: string): Line => {
  const parts: Array<Inline> = []
  let end = 0
  const addText = (until: number) => {
    if (until > end) parts.push({ kind: "text", text: text.slice(end, until) })
  }
  for (const match of text.matchAll(span)) {
    addText(match.index)
    const [whole, code, bold, name = "", href] = match
    if (code !== undefined) parts.push({ kind: "code", text: code })
    else if (bold !== undefined) parts.push({ kind: "bold", content: inlineOf(bold) })
    else if (href !== undefined) parts.push({ kind: "link", content: inlineOf(name), href })
    end = match.index + whole.length
  }
  addText(text.length)
  return parts
}

export const plainText = (line: Line): string =>
  line.map((part) => ("content" in part ? plainText(part.content) : part.text)).join("")

const item = /^(?:-|\d+\.) +/

const cellsOf = (row: string): ReadonlyArray<Line> =>
  row
    .replaceAll(/^\||\|$/g, "")
    .split("|")
    .map((cell) => inlineOf(cell.trim()))

/** One block of the lines between empty lines. */
const blockOf = (lines: ReadonlyArray<string>): Block => {
  const [first = ""] = lines
  const [, marks, text = ""] = /^(#+) (.*)/.exec(first) ?? []
  if (marks !== undefined) return { kind: "heading", level: marks.length, id: anchorOf(text), text }
  if (first.startsWith("|")) {
    const [head = "", , ...rows] = lines
    return { kind: "table", head: cellsOf(head), rows: rows.map(cellsOf) }
  }
  if (!item.test(first)) return { kind: "paragraph", content: inlineOf(lines.join(" ")) }
  const items: Array<string> = []
  for (const line of lines) {
    if (item.test(line)) items.push(line.replace(item, ""))
    else items.push(`${items.pop() ?? ""} ${line.trimStart()}`)
  }
  return { kind: "list", isOrdered: !first.startsWith("-"), items: items.map(inlineOf) }
}

export const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  // with a group, split alternates between other blocks, and blocks of code and details
  markdown.split(/^(```[\s\S]*?^```|<details>[\s\S]*?^<\/details>)$/m).flatMap((part, index): ReadonlyArray<Block> => {
    if (index % 2 === 0) {
      return part
        .replaceAll(/^<!--.*-->$/gm, "")
        .split(/\n{2,}/)
        .map((block) => block.split("\n").filter((line) => line !== ""))
        .filter(({ length }) => length > 0)
        .map(blockOf)
    }
    const [first = "", ...lines] = part.split("\n")
    const text = lines.slice(0, -1).join("\n")
    if (first.startsWith("```")) return [{ kind: "code", language: first.slice(3), text }]
    return [{ kind: "details", summary: first.replaceAll(/<\/?\w+>/g, ""), blocks: blocksOf(text) }]
  })
