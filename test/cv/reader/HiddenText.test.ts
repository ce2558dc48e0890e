/** Text that a reader of the document does not see is left out and counted. */
import { assert, describe, it } from "@effect/vitest"
import { maxCvTextLength } from "../../../src/cv/Cv.ts"
import { contactsOf } from "../../../src/cv/reader/Contacts.ts"
import { readDoc } from "../../../src/cv/reader/Doc.ts"
import { readDocx } from "../../../src/cv/reader/Docx.ts"
import { readWebPage } from "../../../src/cv/reader/Html.ts"
import { readOdt } from "../../../src/cv/reader/Odt.ts"
import { readPdf } from "../../../src/cv/reader/Pdf.ts"
import { finish } from "../../../src/cv/reader/PlainText.ts"
import type { Reading } from "../../../src/cv/reader/Reading.ts"
import { readRtf } from "../../../src/cv/reader/Rtf.ts"
import { doc } from "../../port/cvFiles/doc.ts"
import { docx, odt, paragraph, run } from "../../port/cvFiles/office.ts"
import { pdf } from "../../port/cvFiles/pdf.ts"

const finished = ({ hidden, text }: Reading) => finish(text, hidden, maxCvTextLength)
const html = (body: string) => finished(readWebPage(`<!doctype html>${body}`))

/** Without empty lines. */
const tight = (text: string) => text.replaceAll(/\n+/g, "\n")

describe("Hidden text", () => {
  const isLeftOut = (
    { notes, text }: { readonly notes: ReadonlyArray<string>; readonly text: string },
    words: number,
  ) => {
    assert.notInclude(text, "unseen")
    assert.deepStrictEqual(notes, [`Hidden text was left out: ${words} ${words === 1 ? "word" : "words"}.`])
  }

  it("is left out of a PDF and noted: white, tiny, transparent, covered, off the page, invisible mode", async () => {
    const cv = finished(
      await readPdf(
        await pdf((page) => {
          page.text("Seen")
          page.fillColor("white").text("unseen white").fillColor("#fafafa").text("unseen pale").fillColor("black")
          page.fontSize(1).text("unseen tiny").fontSize(12)
          page.opacity(0).text("unseen clear").opacity(1)
          page.text("unseen beneath", 50, 300).rect(40, 290, 300, 40).fill("white").fillColor("black")
          page.text("unseen outside", -400, 350, { lineBreak: false })
          page.addContent("BT 3 Tr ET").text("unseen mode", 50, 400).addContent("BT 0 Tr ET")
          page.rect(40, 490, 300, 40).fill("#203040").fillColor("white").text("white on dark", 50, 500)
          page.fillColor("#777777").text("grey", 50, 600)
        }),
        { maxPages: 1 },
      ),
    )
    assert.strictEqual(cv.text.replaceAll(/\s+/g, " "), "Seen white on dark grey")
    isLeftOut(cv, 14)
  })

  it("is left out of a DOCX: vanished, white, tiny, by a style; fallbacks are not read twice", () => {
    const box = paragraph(run("In a box"))
    const shape = `<mc:AlternateContent><mc:Choice><wps:wsp><wps:spPr><a:solidFill><a:srgbClr w:val="203040" val="203040"/></a:solidFill></wps:spPr><wps:txbx><w:txbxContent>${box}${paragraph(run("white on dark", '<w:color w:val="FFFFFF"/>'))}</w:txbxContent></wps:txbx></wps:wsp></mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`
    const cell = (text: string, fill = "") =>
      `<w:tc><w:tcPr>${fill}</w:tcPr>${paragraph(run(text, fill === "" ? "" : '<w:color w:val="FFFFFF"/>'))}</w:tc>`
    const body = [
      paragraph(run("Seen "), run("unseen", "<w:vanish/>"), run("and whole", '<w:vanish w:val="0"/>')),
      paragraph(run("unseen", '<w:color w:val="FFFFFF"/>'), run(" unseen", '<w:sz w:val="2"/>')),
      paragraph('<w:pPr><w:pStyle w:val="Ghost"/></w:pPr>', run("unseen style")),
      paragraph(`<w:r>${shape}</w:r>`),
      `<w:tbl><w:tr>${cell("Python")}${cell("5 years", '<w:shd w:val="clear" w:fill="000000"/>')}</w:tr></w:tbl>`,
      `<w:del><w:r><w:delText>unseen</w:delText></w:r></w:del>`,
      paragraph(run("2019"), "<w:r><w:tab/></w:r>", run("Engineer")),
    ].join("")
    const reading = readDocx(
      docx(
        body,
        {
          header1: ["hdr", paragraph(run("Grace Hopper"))],
          header2: ["hdr", paragraph(run("Grace Hopper"))],
          footer1: ["ftr", paragraph(run("Page"))],
          footnotes: ["footnotes", `<w:footnote>${paragraph(run("A note"))}</w:footnote>`],
          styles: [
            "styles",
            '<w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Ghost"><w:basedOn w:val="Base"/></w:style>',
          ],
        },
        "Grace Hopper",
      ),
    )
    const expected = [
      "Grace Hopper",
      "Seen and whole",
      "In a box",
      "white on dark",
      "Python\t5 years",
      "2019\tEngineer",
      "A note",
      "Page",
    ]
    const cv = finished(reading)
    assert.strictEqual(tight(cv.text), expected.join("\n"))
    assert.strictEqual(contactsOf(cv.text, reading.names).name, "Grace Hopper")
    isLeftOut(cv, 5)
  })

  it("is left out of a DOC: hidden, tiny", async () => {
    const cv = finished(
      await readDoc(
        doc([
          ["Seen", "plain"],
          [" unseen", "hidden"],
          [" unseen", "tiny"],
          [" Łódź", "plain"],
        ]),
      ),
    )
    assert.strictEqual(cv.text, "Seen Łódź")
    isLeftOut(cv, 2)
  })

  it("does not count deleted text of a DOC, which is left out too; its text boxes are read", async () => {
    const { notes, text } = finished(
      await readDoc(
        doc(
          [
            ["Seen", "plain"],
            [" gone", "deleted"],
            [" Łódź", "plain"],
          ],
          { textBox: "I ran PostgreSQL." },
        ),
      ),
    )
    assert.strictEqual(text, "Seen Łódź\nI ran PostgreSQL.")
    assert.deepStrictEqual(notes, [])
  })

  it("is left out of an ODT", () => {
    const style = (name: string, properties: string) =>
      `<style:style style:name="${name}"><style:text-properties ${properties}/></style:style>`
    const cv = finished(
      readOdt(
        odt(
          `<text:p>Seen<text:s/><text:span text:style-name="W">unseen</text:span><text:span text:style-name="N">unseen</text:span></text:p>
         <text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
         <table:table><table:table-row><table:table-cell><text:p>Python</text:p></table:table-cell><table:table-cell><text:p>5 years</text:p></table:table-cell></table:table-row></table:table>`,
          {
            header: "<text:p>Grace Hopper</text:p>",
            footer: "<text:p>Page</text:p>",
            styles: style("W", 'fo:color="#ffffff"') + style("N", 'text:display="none"'),
          },
        ),
      ),
    )
    assert.strictEqual(tight(cv.text), ["Grace Hopper", "Seen", "Python\t5 years", "Page"].join("\n"))
    isLeftOut(cv, 1)
  })

  it("is left out of HTML", () => {
    const cv = html(`<head><style>.gone, #away { display: none } /* .seen { display: none } */
        @media print { .seen { display: none } }</style></head>
      <p class="seen">Seen</p><p class="gone">unseen <b>unseen</b></p><p id="away">unseen</p><p hidden>unseen</p>
      <p style="color:#fff">unseen</p><p style="font-size:1px">unseen</p><p style="position:absolute;left:-9999px">unseen</p>
      <p style="visibility: hidden">unseen</p><p style="opacity:0">unseen</p><script>unseen()</script>
      <div style="background:navy"><span style="color:white">white on dark</span></div>
      <table><tr><td>Python<td>5 years</table>`)
    assert.strictEqual(cv.text, ["Seen", "white on dark", "Python\t5 years"].join("\n"))
    isLeftOut(cv, 9)
  })

  it("is left out of RTF", () => {
    const cv = finished(
      readRtf(
        new TextEncoder().encode(
          `{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\colortbl;\\red255\\green255\\blue255;}{\\info{\\author Somebody}}
{\\header Grace Hopper\\par}Seen {\\v unseen }{\\cf1 unseen }{\\fs2 unseen }\\par
\\trowd Python\\cell 5 years\\cell\\row{\\*\\generator Word}{\\pict 0011}\\u8364?100\\par}`,
        ),
      ),
    )
    assert.strictEqual(cv.text, ["Grace Hopper", "Seen", "Python\t5 years", "€100"].join("\n"))
    isLeftOut(cv, 3)
  })

  it("without width is removed from words and noted", () => {
    const { notes, text } = html("<p>Post\u200bgre\u200bSQL e\ufb03cient \u{e0041}\u{e0042} na\u0308ive")
    assert.strictEqual(text, "PostgreSQL efficient näive")
    assert.deepStrictEqual(notes, ["Invisible characters were left out: 4."])
  })
  it("a theme's white and letters without width are left out of a DOCX", () => {
    const { notes, text } = finished(
      readDocx(
        docx(
          paragraph(
            run("Seen"),
            run(" theme", '<w:color w:val="auto" w:themeColor="background1"/>'),
            run(" narrow", '<w:w w:val="1"/>'),
            run(" dark", '<w:color w:val="333333" w:themeColor="text1"/>'),
          ),
        ),
      ),
    )
    assert.strictEqual(text, "Seen dark")
    assert.deepStrictEqual(notes, ["Hidden text was left out: 2 words."])
  })

  it("is left out of HTML with nested, weighted, important and conditional rules, strings and other notations", () => {
    const padding = ".pad p { margin: 0 }".repeat(300)
    const cv = html(`<head><style>:root { --paper: #fff } ${padding}
      body .a { display: none } p.b.c { color: #fff } div > p.d { font-size: 0 } .e { color: var(--paper) }
      @media screen { .f { display: none } } @supports (display: block) { .g { color: white } }
      .h { display: none !important } .h { display: block } #i { display: none } .i { display: block }
      nav .seen { display: none } @media (max-width: 400px) { .seen { display: none } } .seen { display: block }
      p::before { content: "/*" } .s { background: url("data:a;b}c"); display: none }</style></head>
    <p class="seen">Seen</p><p class="a">unseen</p><p class="b c">unseen</p><div><p class="d">unseen</p></div>
    <p class="e">unseen</p><p class="f">unseen</p><p class="g">unseen</p><p class="h">unseen</p><p class="i" id="i">unseen</p>
    <font color="white">unseen</font><p style="color: hsl(0, 0%, 100%)">unseen</p><p style="transform: scale(0)">unseen</p>
    <p style="font: 0/0 a">unseen</p><p style="opacity: 0%">unseen</p><p style="color: \\77hite">unseen</p>
    <p style="/* */ color: white">unseen</p><p style="position: relative; left: -9999px">unseen</p><dialog>unseen</dialog>
    <p class="s">unseen</p>`)
    assert.strictEqual(cv.text, "Seen")
    assert.deepStrictEqual(cv.notes, ["Hidden text was left out: 18 words."])
  })

  it("light on dark in HTML is visible", () => {
    const { notes, text } = html(
      `<style>p { color: #eee }</style><body bgcolor="black" text="white">Grace<p>Hopper</p>`,
    )
    assert.strictEqual(tight(text), "Grace\nHopper")
    assert.deepStrictEqual(notes, [])
  })

  it("deleted text is left out of RTF, and unknown control words are ignored", () => {
    const { text } = finished(readRtf(new TextEncoder().encode("{\\rtf1 Seen {\\deleted gone }\\constructor here}")))
    assert.strictEqual(text, "Seen here")
  })
})
