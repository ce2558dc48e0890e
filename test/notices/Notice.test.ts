import { assert, describe, it } from "@effect/vitest"
import { applies, defaultDays, firstDateOfUse, readNotice, type TypedNotice } from "../../src/notices/Notice.ts"
import { contentHash, contentOf, ratedRequirements } from "../../src/notices/NoticeContent.ts"
import { firstDateAfter, isDate } from "../../src/notices/NoticePeriod.ts"
import { InterviewSetId } from "../../src/values/Ids.ts"

const newYork = { country: "US", region: "NY", city: "New York" }

const typed: TypedNotice = {
  set: "",
  country: "US",
  region: "NY",
  city: "New York",
  words: "We use software.",
  contact: "people@acme.example",
  alternative: "",
  days: "",
  meanwhile: "wait",
  posted_on: "",
}

describe("days of notice", () => {
  it("are business days after the first one", () => {
    // 2026-12-07 is a Monday
    assert.strictEqual(firstDateAfter("2026-12-07", 10), "2026-12-22")
    assert.strictEqual(firstDateAfter("2026-12-04", 1), "2026-12-08", "a Friday, then the Monday")
    assert.strictEqual(firstDateAfter("2026-12-05", 1), "2026-12-08", "a Saturday")
    assert.strictEqual(firstDateAfter("2026-12-31", 1), "2027-01-02", "a holiday counts")
    assert.strictEqual(firstDateAfter("2026-12-07", 0), "2026-12-07")
  })

  it("count from the publication, else from the invitation; none are over at once", () => {
    assert.strictEqual(firstDateOfUse({ days: 10, posted_on: "2026-12-07" }, "2027-06-01"), "2026-12-22")
    assert.strictEqual(firstDateOfUse({ days: 10, posted_on: null }, "2026-12-07"), "2026-12-22")
    assert.isUndefined(firstDateOfUse({ days: 0, posted_on: null }, "2026-12-07"))
  })

  it("are ten in New York City, unless the administrator says another number", () => {
    assert.strictEqual(defaultDays(newYork), 10)
    assert.strictEqual(defaultDays({ ...newYork, city: null }), 0)
    assert.strictEqual(defaultDays(null), 0)
    assert.strictEqual(readNotice(typed, undefined, "2026-12-01").terms.days, 10)
    assert.strictEqual(readNotice({ ...typed, days: "3" }, undefined, "2026-12-01").terms.days, 3)
  })

  it("have a date that exists", () => {
    assert.isTrue(isDate("2028-02-29"))
    for (const text of ["2026-02-29", "2026-13-01", "1.2.2026", "2026-2-1", ""]) assert.isFalse(isDate(text), text)
  })
})

describe("a notice", () => {
  const set = InterviewSetId.make("01890a5d-ac96-774b-bcce-b302099a8057")
  const other = InterviewSetId.make("01890a5d-ac96-774b-bcce-b302099a8058")

  it("is for the sets whose jobs are in its place", () => {
    const inNewYork = { id: set, job_locations: [{ country: "DE", region: null, city: null }, newYork] }
    const terms = { interview_set_id: null, place: { country: "US", region: "NY", city: null } }
    assert.isTrue(applies(terms, inNewYork))
    assert.isFalse(applies(terms, { id: set, job_locations: [] }))
    assert.isTrue(applies({ ...terms, place: null }, { id: set, job_locations: [] }))
    assert.isFalse(applies({ ...terms, interview_set_id: other }, inNewYork))
  })

  it("is refused with what must be mended", () => {
    const codes = (changes: Partial<TypedNotice>) =>
      readNotice({ ...typed, ...changes }, undefined, "2026-12-01").errors.map(
        ({ code, pointer }) => `${pointer} ${code}`,
      )
    assert.deepStrictEqual(codes({}), [])
    assert.deepStrictEqual(codes({ country: "" }), ["#/country required"])
    assert.deepStrictEqual(codes({ country: "XX" }), ["#/country invalid"])
    assert.deepStrictEqual(codes({ region: "N.Y." }), ["#/region invalid"])
    assert.deepStrictEqual(codes({ contact: "" }), ["#/contact required"])
    assert.deepStrictEqual(codes({ words: "x".repeat(5001) }), ["#/words too_long"])
    assert.deepStrictEqual(codes({ days: "61" }), ["#/days out_of_range"])
    assert.deepStrictEqual(codes({ days: "two" }), ["#/days out_of_range"])
    for (const posted_on of ["2026-02-30", "0000-05-01", "1999-12-31", "2027-12-03", "9999-12-31"])
      assert.deepStrictEqual(codes({ posted_on }), ["#/posted_on invalid"], posted_on)
    assert.deepStrictEqual(codes({ posted_on: "2027-12-02" }), [])
    assert.deepStrictEqual(codes({ set: "gone" }), ["#/set not_found"])
  })

  it("has another hash when a word or a fact is another", () => {
    const facts = {
      interview: "Engineer",
      is_cv_only: false,
      is_spoken: false,
      requirements: ratedRequirements([{ title: "SQL", content: null, cfg_importance_id: 244 }]),
      kept: { cvs: null, answers: 30, recordings: 180, candidates: null, from: "end" as const },
    }
    const { terms } = readNotice(typed, undefined, "2026-12-01")
    const evaluator = { evaluator: "keyword/9", model: null, host: null }
    const hashOf = (...changes: Parameters<typeof contentOf>) => contentHash(contentOf(...changes)).toString("hex")
    const same = hashOf(terms, facts, evaluator)
    assert.strictEqual(hashOf({ ...terms }, { ...facts }, { host: null, model: null, evaluator: "keyword/9" }), same)
    const others = [
      hashOf({ ...terms, words: "Other" }, facts, evaluator),
      hashOf(terms, { ...facts, kept: { ...facts.kept, answers: 31 } }, evaluator),
      hashOf(terms, { ...facts, requirements: [] }, evaluator),
      hashOf(terms, facts, { ...evaluator, evaluator: "keyword/10" }),
      hashOf(terms, facts, null),
    ]
    assert.lengthOf(new Set([same, ...others]), others.length + 1)
  })

  it("lists requirements by their importance, without empty ones", () => {
    const requirement = (title: string | null, content: string | null, cfg_importance_id: number) => ({
      title,
      content,
      cfg_importance_id,
    })
    assert.deepStrictEqual(
      ratedRequirements([
        requirement("a", "x", 244),
        requirement(null, "b", 273),
        requirement(" ", null, 245),
        requirement("c".repeat(501), null, 245),
      ]),
      [
        { title: "b", importance: 273 },
        { title: "c".repeat(500), importance: 245 },
        { title: "a", importance: 244 },
      ],
    )
  })
})
