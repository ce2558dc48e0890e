import { assert, describe, it } from "@effect/vitest"
import { contactsOf } from "../../../src/cv/reader/Contacts.ts"

const referee = "Tom Baker, foreman, tom.baker@yard.example, +44 20 7946 0958"

describe("Contacts of others", () => {
  it.each([
    ["of a referee under a heading", `Anna Kowalska\nWelder\n\nReferences\n${referee}`],
    ["of a referee beside a label", `Anna Kowalska\nWelder\nReferee: ${referee}`],
    ["of a referee far down", `Anna Kowalska\n${"I weld pipes. ".repeat(400)}\nREFERENCES:\n${referee}`],
    ["of a referee in German", `Anna Schmidt\nReferenzen: Herr Müller, mueller@stahl.example, +49 30 901820`],
    ["of a referee in French", `Marie Curie\nRéférences : Pierre Dupont, p.dupont@labo.example, +33 1 42 68 53 00`],
    ["of a recruiter", "Recruiter: Sam Hill, sam.hill@best.example, +44 20 7946 0000\nCandidate: Anna Kowalska"],
    ["of an employer", "Welder\n2015-2020 Yard, Harbour Street 1, +44 20 7946 0958\ninfo@yard.example"],
  ])("%s are not the candidate's", (_, text) => {
    assert.deepInclude(contactsOf(text, []), { email: null, phone: null })
  })

  it.each([
    ["an emergency contact", "Emergency contact: Piotr +48 601 234 567", "Mobile: +48 602 111 222", "+48602111222"],
    ["an employer", "Arbeitgeber: Stahl GmbH, Tel. +49 30 901820", "Tel. +49 171 2345678", "+491712345678"],
    ["an offer of references", "References available on request.", "+48 601 234 567", "+48601234567"],
    ["an API reference", "Wrote the API reference for customers.", "+48 601 234 567", "+48601234567"],
  ])("%s does not hide the candidate's own", (_, before, own, phone) => {
    const found = contactsOf(`Anna Kowalska\n${before}\n${own}\nanna.kowalska@mail.example`, [])
    assert.deepStrictEqual(found, { email: "anna.kowalska@mail.example", phone, name: "Anna Kowalska" })
  })
})

describe("The contacts in a CV", () => {
  const contacts = (text: string) => contactsOf(text, [])

  it.each([
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
  ] as const)("%j is %j", (text, name) => {
    assert.strictEqual(contacts(text).name, name)
  })

  it("the address at the top, not a later one", () => {
    const far = "experience ".repeat(400)
    assert.strictEqual(contacts(`a@b.example\nc@d.example`).email, "a@b.example")
    assert.strictEqual(contacts(`CV ${far} a@b.example`).email, "a@b.example")
    assert.isNull(contacts(`CV ${far} References: a@b.example`).email)
    assert.isNull(contacts(`CV ${far} a@b.example, c@d.example`).email)
    assert.isNull(contacts("not..good@b.example or x@y").email)
  })

  it("a number with a country code only", () => {
    assert.strictEqual(contacts("Tel. +44 (0)20 7946 0958").phone, "+442079460958")
    assert.isNull(contacts("Tel. 020 7946 0958, from 2019-2023, IBAN 12 3456 7890").phone)
  })
})
