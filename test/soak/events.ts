/** Reads events through the API with a cursor, as a receiver does to prove that it missed none. */
import { Effect, Schema } from "effect"
import type { Finding } from "./report.ts"

const Page = Schema.fromJsonString(
  Schema.Struct({
    results: Schema.Array(Schema.Struct({ event_id: Schema.String })),
    next_cursor: Schema.String,
  }),
)

const page = Effect.fnUntraced(function* (pod: string, apiKey: string, cursor: string | undefined) {
  const after = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`
  const text = yield* Effect.tryPromise(async () => {
    const answer = await fetch(`${pod}/company/integration/events/v1?limit=100${after}`, {
      headers: { "x-api-key": apiKey },
      signal: AbortSignal.timeout(30_000),
    })
    return answer.text()
  })
  const { next_cursor, results } = yield* Schema.decodeUnknownEffect(Page)(text)
  return { ids: results.map(({ event_id }) => event_id), cursor: next_cursor }
})

/** The ids of all events, in order. */
export const readAll = Effect.fnUntraced(function* (pod: string, apiKey: string) {
  const all: Array<string> = []
  let cursor: string | undefined
  for (;;) {
    const next = yield* Effect.orDie(page(pod, apiKey, cursor))
    if (next.ids.length === 0) return all
    all.push(...next.ids)
    cursor = next.cursor
  }
})

/** Reads events as they are published, from the pods in turn; repeats failed requests. Returns their ids in the order read. */
export const follow = Effect.fnUntraced(function* (
  pods: () => ReadonlyArray<string>,
  apiKey: string,
  isOver: () => boolean,
) {
  const all: Array<string> = []
  let cursor: string | undefined
  for (let turn = 0; ; turn++) {
    const wasOver = isOver()
    const urls = pods()
    const next = yield* Effect.option(page(urls[turn % urls.length] ?? "", apiKey, cursor))
    if (next._tag === "Some") {
      all.push(...next.value.ids)
      cursor = next.value.cursor
      if (next.value.ids.length > 0) continue
      if (wasOver) return all
    }
    yield* Effect.sleep("200 millis")
  }
})

/** Compares what a follower read with all events, read afterwards. */
export const compare = (followed: ReadonlyArray<string>, all: ReadonlyArray<string>): ReadonlyArray<Finding> => {
  const seen = new Set(followed)
  const stored = new Set(all)
  const common = [...seen].filter((id) => stored.has(id))
  const expected = all.filter((id) => seen.has(id))
  return [
    {
      what: "events that the follower read once",
      count: seen.size - (followed.length - seen.size),
      expected: all.length,
    },
    { what: "events that the follower read and the database lost", count: seen.size - common.length, expected: 0 },
    {
      what: "events that the follower read in another order",
      count: common.filter((id, index) => id !== expected[index]).length,
      expected: 0,
    },
  ]
}
