import { assert, describe, it } from "@effect/vitest"
import { strToU8, zipSync } from "fflate"
import { readDocx } from "../../../src/cv/reader/Docx.ts"
import { Unreadable } from "../../../src/cv/reader/Reading.ts"
import { docx, paragraph, run } from "../../port/cvFiles/office.ts"

const w =
  'xmlns:w="urn:w" xmlns:r="urn:r" xmlns:mc="urn:mc" xmlns:a="urn:a" xmlns:c="urn:c" xmlns:dgm="urn:dgm" xmlns:v="urn:v"'
const document = (body: string) => `<?xml version="1.0"?><w:document ${w}><w:body>${body}</w:body></w:document>`
const relations = (...all: ReadonlyArray<readonly [id: string, type: string, target: string]>) =>
  `<Relationships>${all
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`

const zip = (parts: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]),
    ),
  )

/** A document whose body refers to one other part. */
const withPart = (body: string, type: string, target: string, part: string | Uint8Array) =>
  zip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations(["rId1", "officeDocument", "word/document.xml"]),
    "word/document.xml": document(`${paragraph(run("Before"))}${body}${paragraph(run("After"))}`),
    "word/_rels/document.xml.rels": relations(["rId9", type, target]),
    [`word/${target}`]: part,
  })
const chunk = '<w:altChunk r:id="rId9"/>'
const withChunk = (name: string, part: string | Uint8Array) => withPart(chunk, "aFChunk", name, part)

const mht = [
  "MIME-Version: 1.0",
  'Content-Type: multipart/related; boundary="b1"',
  "",
  "--b1",
  "Content-Type: text/html;",
  '\tcharset="utf-8"',
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<html><body><p>Four years of =C5=81=C3=B3d=C5=\r\n=BA.</p></body></html>",
  "--b1",
  "Content-Type: image/png",
  "Content-Transfer-Encoding: base64",
  "",
  "iVBORw0KGgo=",
  "--b1--",
].join("\r\n")

const values = (axis: string, cache: string, ...all: ReadonlyArray<string>) =>
  `<c:${axis}><c:ref><c:${cache}>${all.map((one) => `<c:pt><c:v>${one}</c:v></c:pt>`).join("")}</c:${cache}></c:ref></c:${axis}>`
const chart = `<c:chartSpace ${w}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Skills</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:ser>${values("tx", "strCache", "Years")}${values("cat", "strCache", "Python", "Rust")}${values("val", "numCache", "5", "2")}</c:ser></c:plotArea></c:chart></c:chartSpace>`
const smartArt = `<dgm:dataModel ${w}><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Analyst</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Engin</a:t></a:r><a:r><a:t>eer</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`
const drawing = (inside: string) => paragraph(`<w:r><w:drawing><a:graphic>${inside}</a:graphic></w:drawing></w:r>`)

const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`
const alternatives = (...branches: ReadonlyArray<string>) =>
  paragraph(`<w:r><mc:AlternateContent>${branches.join("")}</mc:AlternateContent></w:r>`)
const choice = (content: string) => `<mc:Choice>${content}</mc:Choice>`
const fallback = (content: string) => `<mc:Fallback><w:pict>${content}</w:pict></mc:Fallback>`

/** Lines of the text, without empty ones. */
const cases: ReadonlyArray<readonly [what: string, file: Uint8Array, lines: ReadonlyArray<string>]> = [
  [
    "a chunk of HTML",
    withChunk("afchunk.htm", "<html><p>Four <b>years</b></p></html>"),
    ["Before", "Four years", "After"],
  ],
  [
    "a chunk of HTML without tags around it",
    withChunk("a.html", "<span>Four</span> years"),
    ["Before", "Four years", "After"],
  ],
  ["a chunk of MHT", withChunk("afchunk.mht", mht), ["Before", "Four years of Łódź.", "After"]],
  ["a chunk of RTF", withChunk("a.rtf", "{\\rtf1\\ansi Four years}"), ["Before", "Four years", "After"]],
  ["a chunk of text", withChunk("a.txt", "Four years"), ["Before", "Four years", "After"]],
  [
    "a document in a document",
    withChunk("a.docx", docx(paragraph(run("Four years")))),
    ["Before", "Four years", "After"],
  ],
  ["a missing chunk", withPart('<w:altChunk r:id="rId7"/>', "other", "a.xml", "<a/>"), ["Before", "After"]],
  [
    "a chart",
    withPart(drawing('<c:chart r:id="rId9"/>'), "chart", "charts/chart1.xml", chart),
    ["Before", "Skills", "Years", "Python\t5", "Rust\t2", "After"],
  ],
  [
    "SmartArt",
    withPart(drawing('<dgm:relIds r:dm="rId9" r:lo="rId8"/>'), "diagramData", "diagrams/data1.xml", smartArt),
    ["Before", "Analyst", "Engineer", "After"],
  ],
  [
    "WordArt",
    docx(
      paragraph('<w:r><w:pict><v:shape><v:textpath string="Ada Lovelace"/></v:shape></w:pict></w:r>').replace(
        "<w:p>",
        `<w:p ${w}>`,
      ),
    ),
    ["Ada Lovelace"],
  ],
  [
    "a main part with another name",
    zip({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": relations(["a", "officeDocument", "/cv/main part.xml"]),
      "cv/main part.xml": document(paragraph(run("Body"))),
      "cv/_rels/main part.xml.rels": relations(["h", "header", "top.xml"]),
      "cv/top.xml": `<w:hdr ${w}>${paragraph(run("Top"))}</w:hdr>`,
    }),
    ["Top", "Body"],
  ],
  [
    "capital letters and backslashes",
    zip({
      "[content_types].xml": "<Types/>",
      "_RELS\\.rels": relations(["a", "officeDocument", "Word\\Document.XML"]),
      "word\\document.xml": document(paragraph(run("Body"))),
    }),
    ["Body"],
  ],
  ["a text box with a fallback", docx(alternatives(choice(box("Box")), fallback(box("Box")))), ["Box"]],
  [
    "a text box with two choices",
    docx(alternatives(choice(box("Box")), choice(box("Box")), fallback(box("Box")))),
    ["Box"],
  ],
  ["a text box in the fallback alone", docx(alternatives(choice("<w:drawing/>"), fallback(box("Box")))), ["Box"]],
  [
    "a text box in a text box",
    docx(
      alternatives(
        choice(`${box("Outer")}${alternatives(choice(box("Inner")), fallback(box("Inner")))}`),
        fallback(box("Outer")),
      ),
    ),
    ["Outer", "Inner"],
  ],
]

describe("a DOCX", () => {
  it.each(cases)("with %s", (_, file, lines) => {
    const { text } = readDocx(file)
    assert.deepStrictEqual(
      text.split("\n").filter((line) => line.trim() !== ""),
      lines,
    )
  })

  it("of documents in documents ends", () => {
    let file = docx(paragraph(run("Innermost")))
    for (let i = 0; i < 10; i++) file = withChunk("a.docx", file)
    assert.notInclude(readDocx(file).text, "Innermost")
  })

  it("whose main part is not a text is not supported", () => {
    const drawing = zip({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": relations(["a", "officeDocument", "visio/document.xml"]),
      "visio/document.xml": "<VisioDocument/>",
    })
    assert.throws(() => readDocx(drawing), new Unreadable("unsupported").message)
  })
})
