import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as ChildCvReader from "../../src/cv/ChildCvReader.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import { cvReaderSuite } from "../port/CvReaderSuite.ts"
import { doc } from "../port/cvFiles/doc.ts"
import { docx, odt, paragraph, run } from "../port/cvFiles/office.ts"
import { japanesePage, pdf } from "../port/cvFiles/pdf.ts"

const limits = { ...ChildCvReader.childLimits, cpuSeconds: 3 }

cvReaderSuite("ChildCvReader", ChildCvReader.layer(limits))

const read = (file: Uint8Array) => Effect.flatMap(CvReader, (reader) => reader.read(file))
const readPdf = (...of: Parameters<typeof pdf>) =>
  Effect.flatMap(
    Effect.promise(() => pdf(...of)),
    read,
  )
const html = (body: string) => read(new TextEncoder().encode(`<!doctype html>${body}`))

/** Without empty lines. */
const tight = (text: string) => text.replaceAll(/\n+/g, "\n")

const prose =
  "Built a billing system for three hundred shops with PostgreSQL and TypeScript, designed its schema, tuned the slow queries and ran the migrations every Tuesday for four years without an outage."

layer(ChildCvReader.layer(), { excludeTestServices: true })("The order of a PDF", (it) => {
  it.effect("keeps two columns with lines side by side apart", () =>
    Effect.gen(function* () {
      const left = `Left ${prose} ${prose}`
      const right = `Right ${prose} ${prose}`
      const { text } = yield* readPdf((page) => {
        page.fontSize(18).text("Grace Hopper", 50, 50)
        page.fontSize(10).text(left, 50, 100, { width: 220 }).text(right, 310, 100, { width: 220 })
      })
      assert.strictEqual(tight(text), ["Grace Hopper", left, right].join("\n"))
    }),
  )

  it.effect("keeps a table's rows together", () =>
    Effect.gen(function* () {
      const skills = [
        ["Skill", "Years"],
        ["Python", "5"],
        ["Rust", "2"],
        ["SQL", "9"],
      ]
      const { text } = yield* readPdf((page) => {
        page.fontSize(10)
        skills.forEach(([skill = "", years = ""], i) => {
          page.text(skill, 50, 60 + i * 14).text(years, 200, 60 + i * 14)
        })
        for (const period of ["2019 to 2023", "2015 to 2019", "2011 to 2015", "2009 to 2011"]) {
          const y = page.y + 12
          page.text(period, 50, y).text(prose, 150, y, { width: 350 })
        }
      })
      for (const row of skills) assert.include(text, row.join("\t"))
      assert.include(text, `2015 to 2019\t${prose}`)
    }),
  )

  it.effect("joins hyphenated words and keeps list items apart", () =>
    Effect.gen(function* () {
      const { text } = yield* readPdf((page) => {
        page.text("• I am responsible for the whole of the data ware-", 50, 60).text("house and more", 50, 74)
        page.text("• I ran it", 50, 88)
      })
      assert.include(text, "the data warehouse and more\n• I ran it")
    }),
  )
})

layer(ChildCvReader.layer(), { excludeTestServices: true })("Hidden text", (it) => {
  const isLeftOut = (
    { notes, text }: { readonly notes: ReadonlyArray<string>; readonly text: string },
    words: number,
  ) => {
    assert.notInclude(text, "unseen")
    assert.deepStrictEqual(notes, [`Hidden text was left out: ${words} ${words === 1 ? "word" : "words"}.`])
  }

  it.effect("is left out of a PDF and noted: white, tiny, transparent, covered, off the page, invisible mode", () =>
    Effect.gen(function* () {
      const cv = yield* readPdf((page) => {
        page.text("Seen")
        page.fillColor("white").text("unseen white").fillColor("#fafafa").text("unseen pale").fillColor("black")
        page.fontSize(1).text("unseen tiny").fontSize(12)
        page.opacity(0).text("unseen clear").opacity(1)
        page.text("unseen beneath", 50, 300).rect(40, 290, 300, 40).fill("white").fillColor("black")
        page.text("unseen outside", -400, 350, { lineBreak: false })
        page.addContent("BT 3 Tr ET").text("unseen mode", 50, 400).addContent("BT 0 Tr ET")
        page.rect(40, 490, 300, 40).fill("#203040").fillColor("white").text("white on dark", 50, 500)
        page.fillColor("#777777").text("grey", 50, 600)
      })
      assert.strictEqual(cv.text.replaceAll(/\s+/g, " "), "Seen white on dark grey")
      isLeftOut(cv, 14)
    }),
  )

  it.effect("is left out of a DOCX: vanished, white, tiny, by a style; fallbacks are not read twice", () =>
    Effect.gen(function* () {
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
      const cv = yield* read(
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
      assert.strictEqual(tight(cv.text), expected.join("\n"))
      assert.strictEqual(cv.contacts.name, "Grace Hopper")
      isLeftOut(cv, 5)
    }),
  )

  it.effect("is left out of a DOC: hidden, tiny", () =>
    Effect.gen(function* () {
      const cv = yield* read(
        doc([
          ["Seen", "plain"],
          [" unseen", "hidden"],
          [" unseen", "tiny"],
          [" Łódź", "plain"],
        ]),
      )
      assert.strictEqual(cv.text, "Seen Łódź")
      isLeftOut(cv, 2)
    }),
  )

  it.effect("does not count deleted text of a DOC, which is left out too; its text boxes are read", () =>
    Effect.gen(function* () {
      const { notes, text } = yield* read(
        doc(
          [
            ["Seen", "plain"],
            [" gone", "deleted"],
            [" Łódź", "plain"],
          ],
          { textBox: "I ran PostgreSQL." },
        ),
      )
      assert.strictEqual(text, "Seen Łódź\nI ran PostgreSQL.")
      assert.deepStrictEqual(notes, [])
    }),
  )

  it.effect("is left out of an ODT", () =>
    Effect.gen(function* () {
      const style = (name: string, properties: string) =>
        `<style:style style:name="${name}"><style:text-properties ${properties}/></style:style>`
      const cv = yield* read(
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
      )
      assert.strictEqual(tight(cv.text), ["Grace Hopper", "Seen", "Python\t5 years", "Page"].join("\n"))
      isLeftOut(cv, 1)
    }),
  )

  it.effect("is left out of HTML", () =>
    Effect.gen(function* () {
      const cv = yield* html(`<head><style>.gone, #away { display: none } /* .seen { display: none } */
          @media print { .seen { display: none } }</style></head>
        <p class="seen">Seen</p><p class="gone">unseen <b>unseen</b></p><p id="away">unseen</p><p hidden>unseen</p>
        <p style="color:#fff">unseen</p><p style="font-size:1px">unseen</p><p style="position:absolute;left:-9999px">unseen</p>
        <p style="visibility: hidden">unseen</p><p style="opacity:0">unseen</p><script>unseen()</script>
        <div style="background:navy"><span style="color:white">white on dark</span></div>
        <table><tr><td>Python<td>5 years</table>`)
      assert.strictEqual(cv.text, ["Seen", "white on dark", "Python\t5 years"].join("\n"))
      isLeftOut(cv, 9)
    }),
  )

  it.effect("is left out of RTF", () =>
    Effect.gen(function* () {
      const cv = yield* read(
        new TextEncoder().encode(
          `{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\colortbl;\\red255\\green255\\blue255;}{\\info{\\author Somebody}}
{\\header Grace Hopper\\par}Seen {\\v unseen }{\\cf1 unseen }{\\fs2 unseen }\\par
\\trowd Python\\cell 5 years\\cell\\row{\\*\\generator Word}{\\pict 0011}\\u8364?100\\par}`,
        ),
      )
      assert.strictEqual(cv.text, ["Grace Hopper", "Seen", "Python\t5 years", "€100"].join("\n"))
      isLeftOut(cv, 3)
    }),
  )

  it.effect("without width is removed from words and noted", () =>
    Effect.gen(function* () {
      const { notes, text } = yield* html("<p>Post\u200bgre\u200bSQL e\ufb03cient \u{e0041}\u{e0042} na\u0308ive")
      assert.strictEqual(text, "PostgreSQL efficient näive")
      assert.deepStrictEqual(notes, ["Invisible characters were left out: 4."])
    }),
  )
})

layer(ChildCvReader.layer(), { excludeTestServices: true })("Hidden text, unusual ways", (it) => {
  it.effect("a theme's white and letters without width are left out of a DOCX", () =>
    Effect.gen(function* () {
      const { notes, text } = yield* read(
        docx(
          paragraph(
            run("Seen"),
            run(" theme", '<w:color w:val="auto" w:themeColor="background1"/>'),
            run(" narrow", '<w:w w:val="1"/>'),
            run(" dark", '<w:color w:val="333333" w:themeColor="text1"/>'),
          ),
        ),
      )
      assert.strictEqual(text, "Seen dark")
      assert.deepStrictEqual(notes, ["Hidden text was left out: 2 words."])
    }),
  )

  it.effect(
    "is left out of HTML with nested, weighted, important and conditional rules, strings and other notations",
    () =>
      Effect.gen(function* () {
        const padding = ".pad p { margin: 0 }".repeat(300)
        const cv = yield* html(`<head><style>:root { --paper: #fff } ${padding}
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
      }),
  )

  it.effect("light on dark in HTML is visible", () =>
    Effect.gen(function* () {
      const { notes, text } = yield* html(
        `<style>p { color: #eee }</style><body bgcolor="black" text="white">Grace<p>Hopper</p>`,
      )
      assert.strictEqual(tight(text), "Grace\nHopper")
      assert.deepStrictEqual(notes, [])
    }),
  )

  it.effect("deleted text is left out of RTF, and unknown control words are ignored", () =>
    Effect.gen(function* () {
      const { text } = yield* read(new TextEncoder().encode("{\\rtf1 Seen {\\deleted gone }\\constructor here}"))
      assert.strictEqual(text, "Seen here")
    }),
  )
})

layer(ChildCvReader.layer(), { excludeTestServices: true })("The contacts in a CV", (it) => {
  const contacts = (text: string) => Effect.map(read(new TextEncoder().encode(text)), (cv) => cv.contacts)

  it.effect.each([
    ["Curriculum Vitae\nGRACE O'HOPPER\nhopper@navy.example", "Grace O'Hopper"],
    ["Jean-Luc van der Berg\nBerlin\nlinkedin.com/in/jean-luc-van-der-berg", "Jean-Luc van der Berg"],
    ["José Núñez\njose.nunez@mail.example", "José Núñez"],
    ["Personal data\nName: Ada Lovelace\nBorn in London", "Ada Lovelace"],
    ["Lebenslauf\nName: Jürgen Groß", "Jürgen Groß"],
    ["氏名：山田太郎", "山田太郎"],
    [`${"Skill\n".repeat(20)}GRACE HOPPER\ng.hopper@navy.example`, "Grace Hopper"],
    // no label says that these are names
    ["Grace Hopper\nBerlin", null],
    ["Senior Engineer\nengineer@mail.example", null],
    ["Berlin Germany\ngrace@navy.example", null],
    [`${"Skill\n".repeat(20)}Grace Cathedral\ngrace@navy.example`, null],
    ["Name: of the game, experience in 12 trades", null],
  ] as const)("%j is %j", ([text, name]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* contacts(text)).name, name)
    }),
  )

  it.effect("the address at the top, not a later one", () =>
    Effect.gen(function* () {
      const far = "experience ".repeat(400)
      assert.strictEqual((yield* contacts(`a@b.example\nc@d.example`)).email, "a@b.example")
      assert.strictEqual((yield* contacts(`CV ${far} a@b.example`)).email, "a@b.example")
      assert.isNull((yield* contacts(`CV ${far} References: a@b.example`)).email)
      assert.isNull((yield* contacts(`CV ${far} a@b.example, c@d.example`)).email)
      assert.isNull((yield* contacts("not..good@b.example or x@y")).email)
    }),
  )

  it.effect("a number with a country code only", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* contacts("Tel. +44 (0)20 7946 0958")).phone, "+442079460958")
      assert.isNull((yield* contacts("Tel. 020 7946 0958, from 2019-2023, IBAN 12 3456 7890")).phone)
    }),
  )
})

layer(ChildCvReader.layer(), { excludeTestServices: true })("A PDF with predefined character maps", (it) => {
  it.effect.each([
    ["90ms-RKSJ-H", Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])],
    ["UniJIS-UCS2-H", Buffer.from("テスト", "utf16le").swap16()],
  ] as const)("%s is read", ([map, text]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read(japanesePage(map, text))).text, "テスト")
    }),
  )
})

describe("A child process", () => {
  it.live("dies with Overloaded when it does not start", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(read(new Uint8Array([65])))
      assert.isTrue(Exit.hasDies(exit))
    }).pipe(Effect.provide(ChildCvReader.layer({ ...limits, dataMegabytes: 50 }))),
  )

  it.live("is killed on interruption", () =>
    Effect.gen(function* () {
      const reader = yield* CvReader
      const done = yield* Effect.timeoutOption(reader.read(new Uint8Array([65])), "5 millis")
      assert.strictEqual(done._tag, "None")
      // its slot is free again
      assert.strictEqual((yield* reader.read(new TextEncoder().encode("Hello"))).text, "Hello")
    }).pipe(Effect.provide(ChildCvReader.layer({ ...limits, children: 1 }))),
  )
})
