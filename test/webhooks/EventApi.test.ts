/** The start parameters of the events API: cursor, since and from. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Api from "../support/Api.ts"
import { Caller, invitedOne, newSet, problem, layer as specification } from "../support/Specification.ts"

const read = Effect.fnUntraced(function* (query: string) {
  const { key } = yield* Caller
  return yield* Api.call("GET", `/company/integration/events/v1?${query}`, { key })
})

const page = (query: string) =>
  Effect.map(read(query), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as { readonly results: ReadonlyArray<Api.Row>; readonly next_cursor: string }
  })

/** Publishes an event and waits until it is listed: open transactions of other tests delay it. */
const publish = Effect.gen(function* () {
  const { submission } = yield* invitedOne({ com_interview_set_id: yield* newSet() }, { email: "invalid" })
  const query = `submission_id=${submission?.id}`
  yield* Effect.repeat(page(query), { until: ({ results }) => results.length > 0 })
  return submission?.id
})

const submissionsOf = (results: ReadonlyArray<Api.Row>) => results.map(({ data }) => (data as Api.Row)["submission_id"])

layer(specification(), { excludeTestServices: true })("reading events over HTTP", (it) => {
  it.effect("starts at the end with from=now", () =>
    Effect.gen(function* () {
      yield* publish
      const { next_cursor, results } = yield* page("from=now")
      assert.deepStrictEqual(results, [])
      const later = yield* publish
      const next = yield* page(`cursor=${next_cursor}`)
      assert.deepStrictEqual(submissionsOf(next.results), [later])
    }),
  )

  it.effect("starts at a time with since, in any time zone", () =>
    Effect.gen(function* () {
      const submission = yield* publish
      const [event] = (yield* page(`submission_id=${submission}`)).results
      const at = new Date(String(event?.["timestamp"])).getTime()
      const since = (millis: number) => page(`since=${encodeURIComponent(new Date(millis).toISOString())}`)
      assert.include(submissionsOf((yield* since(at)).results), submission)
      assert.deepStrictEqual((yield* since(at + 86_400_000)).results, [])
      const local = new Date(at + 7_200_000).toISOString().replace("Z", "+02:00")
      assert.deepStrictEqual(yield* page(`since=${encodeURIComponent(local)}`), yield* since(at))
    }),
  )

  it.effect.each(["since=2026-01-01", "since=yesterday", "since=1767225600", "from=then"])("refuses %s", (query) =>
    Effect.gen(function* () {
      const [error] = problem(yield* read(query), 422, "validation_failed")
      assert.strictEqual(error?.pointer, `#/${query.split("=")[0]}`)
    }),
  )

  it.effect("refuses two start parameters", () =>
    Effect.gen(function* () {
      const { next_cursor } = yield* page("from=now")
      const errors = problem(yield* read(`cursor=${next_cursor}&since=2026-01-01T00:00:00Z`), 422, "validation_failed")
      assert.deepStrictEqual(
        errors.map(({ code, pointer }) => [pointer, code]),
        [
          ["#/cursor", "invalid"],
          ["#/since", "invalid"],
        ],
      )
    }),
  )
})
