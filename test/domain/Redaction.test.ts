import { assert, describe, it } from "@effect/vitest"
import { marks, type Person, redactor, withoutMarks } from "../../src/domain/Redaction.ts"

const nobody: Person = { name: null, firstname: null, lastname: null, phone: null }
const ada: Person = { name: "Ada Lovelace", firstname: "Ada", lastname: "Lovelace", phone: "+44 20 7946 0958" }

const shown = (person: Partial<Person>, text: string, said: ReadonlyArray<string> = []) =>
  redactor({ ...nobody, ...person }, said)(text)

describe("a name", () => {
  it.each([
    ["Ada Lovelace", "[name]"],
    ["ADA LOVELACE\nLondon", "[name]\nLondon"],
    ["Lovelace, Ada: notes", "[name]: notes"],
    ["my name is ada lovelace and I code", "my name is [name] and I code"],
    ["by A. Lovelace; A. K. Lovelace", "by [name]; A. K. [name]"],
    ["as for ada. Lovelace said", "as for [name]. [name] said"],
    ["I'm Ada. I ran it.", "I'm [name]. I ran it."],
    ["Ada’s and Ada's engine", "[name]’s and [name]'s engine"],
    ["file ada_lovelace-cv", "file [name]-cv"],
    ["ada said", "[name] said"],
    ["Adam and Canada, Lovelaces", "Adam and Canada, Lovelaces"],
  ])("is found in %j", (text, expected) => assert.strictEqual(shown(ada, text), expected))

  it.each([
    ["Nguyễn Văn Đức", "Nguyen Van Duc built it, Đức tested", "[name] built it, [name] tested"],
    ["José da Silva", "Jose, or da Silva, or JOSÉ; os da equipe", "[name], or [name], or [name]; os da equipe"],
    ["Ludwig van Beethoven", "a van for Ludwig van Beethoven", "a van for [name]"],
    ["Sinéad O'Connor", "I am Sinead O’Connor", "I am [name]"],
    ["Anna-Maria Weiß", "Anna-Maria Weiss, Anna", "[name]"],
    ["Li Bo", "Li Bo, or Bo, uses BO reports", "[name], or [name], uses BO reports"],
    ["山田 太郎", "私は山田太郎です。太郎", "私は[name]です。太郎"],
    ["김철수", "김철수는 개발자입니다", "[name]는 개발자입니다"],
    ["Dr. Mary Major", "Dr. Major saw a major fault", "Dr. [name] saw a major fault"],
    ["ada@example.com", "An example from ada@example.com", "An example from [email]"],
  ])("%s is found as people write it", (name, text, expected) => assert.strictEqual(shown({ name }, text), expected))

  it("that is an everyday word is taken for the word in lower case", () =>
    assert.strictEqual(
      shown({ firstname: "Will", lastname: "Baker" }, "I will ask the baker. Will Baker, or Will, will baker."),
      "I will ask the baker. [name], or [name].",
    ))

  it("that the requirements use as a word stays where it stands alone", () =>
    assert.strictEqual(
      shown({ name: "Ruby Turner" }, "Ruby Turner writes Ruby on Rails. Turner.", ["Knows Ruby well"]),
      "[name] writes Ruby on Rails. [name].",
    ))

  it("may be that of a mark", () =>
    assert.strictEqual(shown({ name: "Name Link" }, "Link: https://a.example, Name"), "[name]: [link], [name]"))

  it.each([nobody, { ...nobody, name: "" }, { ...nobody, name: " . " }])("that is not known takes nothing", (person) =>
    assert.strictEqual(shown(person, "Ada wrote this. A. B."), "Ada wrote this. A. B."),
  )
})

describe("contacts", () => {
  it.each([
    ["write to ada.l+x@mail.example.co.uk.", "write to [email]."],
    ["<müller@bücher.example>", "<[email]>"],
    ["ada (at) example (dot) com", "[email]"],
    ["ada[at]example[dot]com", "[email]"],
    ["see https://ada.example/cv?x=1, or www.ada.example.", "see [link], or [link]."],
    ["linkedin.com/in/ada-l · GitHub.com/ada · de.linkedin.com/in/a", "[link] · [link] · [link]"],
    ["ada.github.io and Telegram: @ada_l", "[link] and Telegram: [link]"],
    ["+44 20 7946 0958", "[phone]"],
    ["+49 (0) 170/123 45 67", "[phone]"],
    ["0049 170 1234567.", "[phone]."],
    ["Tel: 555 0199", "Tel: [phone]"],
    ["điện thoại: 090 123 4567", "điện thoại: [phone]"],
    ["06 12 34 56 78", "[phone]"],
    ["(0171) 2345678", "[phone]"],
    ["(555) 123-4567 or 555.123.4567", "[phone] or [phone]"],
  ])("%j", (text, expected) => assert.strictEqual(shown({}, text), expected))

  it.each(["020 7946 0958", "2079460958", "(020) 79-46-09-58"])("the known number as %s", (text) =>
    assert.strictEqual(shown(ada, `call ${text}!`), "call [phone]!"),
  )

  it.each([
    "from 01/2015 - 03/2018 and 01.02.2015-03.04.2016, 2015-03-01",
    "2015 - 2019, 1998–2003",
    "grew by +5 000 000 users to 12 000 000, or 1.000.000.000",
    "0.5 0.75 0.875, 10.0.0.1, 192.168.100.200, v1.2.3",
    "ISO 27001 and RFC 9457, port 5432, 100 200 300",
    "@Transactional and @effect/sql with Node.js and ASP.NET on x.y",
    "reads user@host from a@b",
    "netflix.com/jobs is an example.com/path",
  ])("leaves %j", (text) => assert.strictEqual(shown(ada, text), text))
})

describe("redactor", () => {
  it("takes a time that grows with the text's length only, whatever the text", () => {
    const hostile = ["a@", "0 1", "+1 ", "1.", "Ada ", "A. ", "www.", "x.com/", "(at)", "[name]", "é\u0301"]
    for (const piece of hostile) {
      const text = piece.repeat(200_000 / piece.length)
      assert.isAtMost(shown(ada, text).length, text.length * 4)
    }
  })

  it("changes nothing that it has changed", () => {
    const once = shown(ada, "Ada Lovelace, ada@example.com, +44 20 7946 0958, https://ada.example")
    assert.strictEqual(once, `${marks.name}, ${marks.email}, ${marks.phone}, ${marks.link}`)
    assert.strictEqual(shown(ada, once), once)
    assert.strictEqual(withoutMarks(once), ", , , ")
  })
})
