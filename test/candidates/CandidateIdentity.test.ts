/** Which candidate an entry is, and what is merged. */
import { assert, describe, it } from "@effect/vitest"
import type { CandidateEntry } from "../../src/candidates/Candidate.ts"
import { assignCandidates, entryOf, personsOf } from "../../src/candidates/CandidateIdentity.ts"
import { AtsCandidateId, CandidateId } from "../../src/values/Ids.ts"

const [ats, otherAts] = ["0190b5a2-7c1e-7def-8abc-000000000001", "0190b5a2-7c1e-7def-8abc-000000000002"]
const cv = "https://files.example.com/ada.pdf"
const id = (n: number) => CandidateId.make(`0190b5a2-7c1e-7def-8abc-00000000010${n}`)

const persons = (entries: ReadonlyArray<CandidateEntry>, cvOnly = false) =>
  personsOf(
    entries.map((entry) => entryOf(entry, [])),
    cvOnly,
  )

describe("personsOf", () => {
  it.each<readonly [string, ReadonlyArray<CandidateEntry>, ReadonlyArray<number | undefined>]>([
    [
      "an ats_candidate_id in any case",
      [
        { ats_candidate_id: ats, email: "a@b.example" },
        { ats_candidate_id: ats.toUpperCase(), email: "c@d.example" },
      ],
      [0, 0],
    ],
    ["an address with what is copied along", [{ email: "mailto:a@b.example" }, { email: "a@b.example" }], [0, 0]],
    ["an address in any case", [{ email: "Ada@b.example" }, { email: " ada@B.example" }], [0, 0]],
    [
      "an address of an entry with an id, in any order",
      [{ email: "a@b.example" }, { ats_candidate_id: ats, email: "a@b.example" }],
      [0, 0],
    ],
    ["a CV link alone", [{ cv_link: cv }, { cv_link: cv }, { cv_link: cv, email: "a@b.example" }], [0, 0, 1]],
    [
      "two ids with one address",
      [
        { ats_candidate_id: ats, email: "a@b.example" },
        { ats_candidate_id: otherAts, email: "a@b.example" },
      ],
      [0, 1],
    ],
    ["nothing to do", [{ ats_candidate_id: ats }, { cv_link: "http://files.example.com/x" }], [undefined, undefined]],
  ])("identifies a person by %s", (_, entries, expected) => {
    assert.deepStrictEqual(persons(entries).indexOf, [...expected])
  })

  it("lets the later entry's values win, in the order of the request, and keeps what it lacks", () => {
    const [person] = persons([
      { email: "a@b.example", name: "Ada", firstname: "Ada", external_id: "1", metadata: { a: "1" } },
      { email: "A@b.example", name: "Other", lastname: "Lovelace", cv_link: cv, metadata: { b: "2" } },
      { ats_candidate_id: ats, email: "a@b.example", external_id: "3" },
      { email: "a@b.example", name: "Last" },
    ]).persons
    assert.deepInclude(person, { cv_link: cv, reference: { external_id: "3", metadata: { b: "2" } } })
    assert.deepStrictEqual(person?.fields, {
      ats_candidate_id: AtsCandidateId.make(ats),
      email: "a@b.example",
      name: "Last",
      firstname: "Ada",
      lastname: "Lovelace",
    })
  })

  it("keeps the first address of an id, and takes the first one that an entry of it has", () => {
    const emails = [undefined, "first@b.example", "second@b.example", undefined]
    const { persons: found } = persons(
      emails.map((email) => ({ ats_candidate_id: ats, cv_link: cv, ...(email && { email }) })),
    )
    assert.deepStrictEqual(
      found.map(({ fields }) => fields.email),
      ["first@b.example"],
    )
  })

  it("leaves out entries without a CV for a CV set", () => {
    assert.deepStrictEqual(persons([{ email: "a@b.example" }, { email: "c@d.example", cv_link: cv }], true).indexOf, [
      undefined,
      0,
    ])
  })
})

describe("assignCandidates", () => {
  it("gives a candidate to one entry only, first to matches by ats_candidate_id", () => {
    const assigned = assignCandidates([
      { entry_id: id(1), id: id(9), exact: false },
      { entry_id: id(2), id: id(9), exact: true },
      { entry_id: id(3), id: null, exact: null },
    ])
    assert.deepStrictEqual([...assigned], [[id(2), id(9)]])
  })

  it("lets an entry with the candidate's own id share it", () => {
    const assigned = assignCandidates([
      { entry_id: id(9), id: id(9), exact: false },
      { entry_id: id(1), id: id(9), exact: false },
    ])
    assert.sameDeepMembers(
      [...assigned],
      [
        [id(9), id(9)],
        [id(1), id(9)],
      ],
    )
  })
})
