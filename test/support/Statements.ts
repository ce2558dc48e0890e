/** Records the statements that tests send, as the service sends them: with now() for the time (Database.ts). */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { Clock, Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { Now } from "../../src/platform/database/Database.ts"

const sent = new Set<string>()
const times = new WeakSet<object>()

/** Statements take the time from effect's Clock, which TestClock controls. */
const layerNow = Layer.succeed(
  Now,
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const time = new Date(millis)
    times.add(time)
    return time
  }),
)

const isTime = (segment: Statement.Segment): boolean =>
  segment._tag === "Parameter" && segment.value instanceof Date && times.has(segment.value)

const layerRecorder = Layer.succeed(Statement.CurrentTransformer, (statement, sql) =>
  Effect.sync(() => {
    const segments = statement.segments.map((segment) => (isTime(segment) ? Statement.literal("now()") : segment))
    const [text] = sql`${Statement.fragment(segments)}`.compile()
    if (!sent.has(text)) {
      sent.add(text)
      const directory = process.env["STATEMENTS"]
      if (directory !== undefined)
        appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify([text, statement.compile()[0]])}\n`)
    }
    return statement
  }),
)

export const layer = Layer.merge(layerNow, layerRecorder)
