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
