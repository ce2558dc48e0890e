/** external_id and metadata of candidates and sets, over the API. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import {
  Caller,
  created,
  createSet,
  detail,
  faults,
  invite,
  invited,
  invitedOne,
  newSet,
  post,
  layer as specification,
} from "../support/Specification.ts"

const base = "/company/integration"
const email = "ada@example.com"
const reference = { external_id: "application-4711", metadata: { source: "job fair", "x.y-z_1": "" } }
const none = { external_id: null, metadata: {} }

const referenceIn = ({ external_id, metadata }: Api.Row) => ({ external_id, metadata })

/** The reference of the candidate in an invite's result. */
const resultOf = (result: unknown) => referenceIn((result as { readonly candidate: Api.Row }).candidate)

const list = Effect.fnUntraced(function* (path: string) {
  const { key } = yield* Caller
  const { body, status } = yield* Api.call("GET", `${base}${path}`, { key })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return (body as { readonly results: ReadonlyArray<Api.Row> }).results
})

const ofDetail = Effect.fnUntraced(function* (submission: string | undefined) {
  const { key } = yield* Caller
  const found = yield* Api.results(200, "GET", detail(String(submission)), { key })
  return referenceIn(found["candidate"] as Api.Row)
})

const eventsOf = Effect.fnUntraced(function* (submission: string | undefined) {
  const { sql } = yield* Database
  const rows = yield* sql<{ body: string }>`
    select body from webhook_event where submission_id = ${submission ?? null}::uuid order by xid, seq`
  return rows.map(({ body }) => (JSON.parse(body) as { readonly data: Api.Row }).data)
}, Effect.orDie)

layer(specification(), { excludeTestServices: true })("a reference of the hiring system", (it) => {
  it.effect("of a candidate is in results, detail, lists and events", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const result = yield* invitedOne({ com_interview_set_id: set }, { email: "invalid", ...reference })
      assert.deepStrictEqual(resultOf(result), reference)
      const submission = result.submission?.id
      assert.deepStrictEqual(yield* ofDetail(submission), reference)
      for (const path of ["/hiring/submissions/v1", "/hiring/invitations/v1"]) {
        const [one, ...more] = yield* list(`${path}?external_id=application-4711&interview_set_id=${set}`)
        assert.isEmpty(more)
        assert.deepStrictEqual(referenceIn(one?.["candidate"] as Api.Row), reference)
        assert.isEmpty(yield* list(`${path}?external_id=application-4712&interview_set_id=${set}`))
      }
      const [event, ...others] = yield* eventsOf(submission)
      assert.isEmpty(others)
      assert.deepInclude(event, reference)
    }),
  )

  it.effect("is null and {} if it is not given", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      for (const given of [{}, { external_id: null, metadata: null }]) {
        const result = yield* invitedOne({ com_interview_set_id: set }, { email: "invalid", ...given })
        assert.deepStrictEqual(resultOf(result), none)
        assert.deepInclude((yield* eventsOf(result.submission?.id))[0], none)
      }
    }),
  )

  it.effect("of a candidate stays until a later invite replaces it, field by field", () =>
    Effect.gen(function* () {
      const set = { com_interview_set_id: yield* newSet() }
      const { submission } = yield* invitedOne(set, { email, ...reference })
      const again = (given: object) => Effect.map(invitedOne(set, { email, ...given }), resultOf)
      assert.deepStrictEqual(yield* again({}), reference)
      assert.deepStrictEqual(yield* again({ external_id: "other" }), { ...reference, external_id: "other" })
      assert.deepStrictEqual(yield* again({ metadata: {} }), { external_id: "other", metadata: {} })
      assert.deepStrictEqual(yield* ofDetail(submission?.id), { external_id: "other", metadata: {} })
    }),
  )

  it.effect("belongs to the submission: one candidate can have different ones in two sets", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* newSet(), yield* newSet()]
      const first = yield* invitedOne({ com_interview_set_id: one }, { email, ...reference })
      const second = yield* invitedOne({ com_interview_set_id: other }, { email, external_id: "application-5" })
      assert.deepStrictEqual(yield* ofDetail(first.submission?.id), reference)
      assert.deepStrictEqual(yield* ofDetail(second.submission?.id), { external_id: "application-5", metadata: {} })
    }),
  )

  it.effect("does not identify a person: two candidates can have the same one", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const candidates = ["a@example.com", "b@example.com"].map((address) => ({ email: address, ...reference }))
      const results = yield* invited({ com_interview_set_id: set, candidates })
      assert.lengthOf(new Set(results.map(({ submission }) => submission?.id)), 2)
    }),
  )

  it.effect("of two entries for one person is the last given value of each field", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const candidates = [
        { email, external_id: "first" },
        { email, external_id: "second", metadata: { a: "b" } },
      ]
      const results = yield* invited({ com_interview_set_id: set, candidates })
      for (const result of results)
        assert.deepStrictEqual(resultOf(result), { external_id: "second", metadata: { a: "b" } })
    }),
  )

  it.effect("of a CV without an address is stored with its submission", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const cv_link = "https://files.example.com/cv/reference.pdf"
      const result = yield* invitedOne({ com_interview_set_id: set }, { cv_link, ...reference })
      assert.deepStrictEqual(yield* ofDetail(result.submission?.id), reference)
    }),
  )

  it.effect("of a set is in its response, in lists, and in interview_set of submissions and invitations", () =>
    Effect.gen(function* () {
      const external_id = "job-182"
      const set = yield* created({ title: "Backend Engineer", external_id, metadata: { department: "Payments" } })
      assert.deepStrictEqual(referenceIn(set), { external_id, metadata: { department: "Payments" } })
      const [listed, ...others] = yield* list(`/hiring/interview-sets/v1?external_id=${external_id}`)
      assert.isEmpty(others)
      assert.deepStrictEqual(referenceIn(listed ?? {}), referenceIn(set))
      yield* invitedOne({ com_interview_set_id: set["id"] }, { email })
      for (const path of ["/hiring/submissions/v1", "/hiring/invitations/v1"]) {
        const [one] = yield* list(`${path}?interview_set_id=${set["id"]}`)
        assert.deepStrictEqual(one?.["interview_set"], { id: set["id"], title: "Backend Engineer", external_id })
      }
      const plain = yield* created({ title: "Backend Engineer" })
      assert.deepStrictEqual(referenceIn(plain), none)
    }),
  )

  const entriesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, "v"]))
  it.effect.each<readonly [what: string, given: object]>([
    ["an id of 250 characters", { external_id: "\u{1F600}".repeat(250) }],
    ["20 entries", { metadata: entriesOf(20) }],
    ["a key of 40 characters", { metadata: { ["k".repeat(40)]: "c" } }],
    ["a value of 250 characters", { metadata: { a: "\u{1F600}".repeat(250) } }],
  ])("is accepted: %s", ([, given]) =>
    Effect.gen(function* () {
      const set = yield* created({ title: "A set", ...given })
      assert.deepInclude(set, given)
      const result = yield* invitedOne({ com_interview_set_id: set["id"] }, { email, ...given })
      assert.deepInclude(yield* ofDetail(result.submission?.id), given)
    }),
  )

  it.effect.each<readonly [what: string, given: object, error: string]>([
    ["a blank id", { external_id: " " }, "external_id blank"],
    ["an id of 251 characters", { external_id: "x".repeat(251) }, "external_id too_long"],
    ["an id that is a number", { external_id: 4711 }, "external_id wrong_type"],
    ["metadata that is a list", { metadata: [] }, "metadata wrong_type"],
    ["21 entries", { metadata: entriesOf(21) }, "metadata too_many"],
    ["a key with a space", { metadata: { "a b": "c" } }, "metadata/a%20b invalid_key"],
    ["a key of 41 characters", { metadata: { ["k".repeat(41)]: "c" } }, `metadata/${"k".repeat(41)} invalid_key`],
    ["an empty key", { metadata: { "": "c" } }, "metadata/ invalid_key"],
    ["a key with a slash", { metadata: { "a/~b": "c" } }, "metadata/a~1~0b invalid_key"],
    ["a value that is a number", { metadata: { a: 1 } }, "metadata/a wrong_type"],
    ["a nested value", { metadata: { a: { b: "c" } } }, "metadata/a wrong_type"],
    ["a value of 251 characters", { metadata: { a: "x".repeat(251) } }, "metadata/a too_long"],
    ["a value that cannot be stored", { metadata: { a: "\u0000" } }, "metadata/a unstorable_text"],
  ])("is refused: %s", ([, given, error]) =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const request = { com_interview_set_id: set, candidates: [{ email, ...given }] }
      assert.deepStrictEqual(yield* faults(invite, request), [`#/candidates/0/${error}`])
      assert.deepStrictEqual(yield* faults(createSet, { title: "A set", ...given }), [`#/${error}`])
    }),
  )

  it.effect("has an error for each wrong name and text at once", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const metadata = { "bad key": "x", job: 4711, stage: "applied", note: null }
      const request = { com_interview_set_id: set, candidates: [{ email, metadata }] }
      const errors = ["bad%20key invalid_key", "job wrong_type", "note wrong_type"].map((error) => `metadata/${error}`)
      assert.deepStrictEqual(
        yield* faults(invite, request),
        errors.map((error) => `#/candidates/0/${error}`),
      )
      assert.deepStrictEqual(
        yield* faults(createSet, { title: "A set", metadata }),
        errors.map((error) => `#/${error}`),
      )
    }),
  )

  it.effect("is suggested when an ats_candidate_id is not a UUID", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const candidates = [{ email, ats_candidate_id: "cand_123" }]
      const { body } = yield* post(invite, { com_interview_set_id: set, candidates })
      const { errors } = body as { readonly errors: ReadonlyArray<Api.Row> }
      assert.deepStrictEqual(errors, [
        {
          pointer: "#/candidates/0/ats_candidate_id",
          code: "invalid_uuid",
          message: "must be a UUID: send any other id as external_id",
        },
      ])
    }),
  )
})
