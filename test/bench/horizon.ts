/**
 * Measures webhook deliveries with and without a transaction that holds the oldest snapshot of the database. Meanwhile
 * Postgres cannot remove the rows that the queue deletes, so claims may have to read past a growing number of them.
 */
import { Effect } from "effect"
import { execute } from "../support/databases.ts"
import { pass } from "./deliveries/measure.ts"
import * as settings from "./deliveries/settings.ts"
import * as Stage from "./deliveries/stage.ts"
import { measure, type Side, summaryOf, type Window } from "./horizon/measure.ts"
import * as Snapshot from "./horizon/snapshot.ts"
import { start } from "./support/child.ts"
import { atLeast, atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"
import { median } from "./support/statistics.ts"

export const description = "webhook deliveries while a transaction holds the oldest snapshot"

const names = ["without", "held snapshot"]
const columns = ["POSTs/s", "Postgres CPU µs", "p50 ms", "p99 ms", "dead rows", "with indexes MB", "pages each"]

const lineOfWindow = (first: string, { dead, p50, p99, pages, perSecond, postgresMicros, size }: Window) =>
  lineOf(columns, first, [perSecond, postgresMicros, p50, p99, dead, size, pages].map(digits))

const side = Effect.fnUntraced(function* (stage: Stage.Stage, name: string, database: string) {
  const contestant = yield* Stage.service(stage, name, database, () => Effect.void)
  const publisher = yield* start(new URL("./servers/publisher.ts", import.meta.url), {
    ...settings.settings,
    DATABASE_URL: contestant.url,
    RECEIVER: stage.receiver.origin,
  })
  // events and emails of the publisher's candidates
  yield* execute(contestant.url, "truncate webhook_event, webhook_delivery, email cascade")
  return { contestant, publisher } satisfies Side
})

/** Takes about four minutes. */
export const run = Effect.gen(function* () {
  const stage = yield* Stage.open
  const machine = yield* machineOf(stage.postgres)
  const { latency, posts } = settings.horizon
  const sides = [yield* side(stage, "without", "free"), yield* side(stage, "held snapshot", "held")]
  for (const { contestant } of sides) yield* pass(contestant, stage.receiver, posts)
  // one server, two databases: a snapshot keeps the dead rows of its own database only
  yield* Effect.forEach(sides.slice(1), ({ contestant }) => Snapshot.hold(contestant.url))
  const windows = yield* measure(sides, stage.receiver)

  const [free = [], held = []] = windows
  const half = Math.floor(free.length / 2)
  const ratio = (figure: keyof Window, from: number) =>
    median(held.flatMap((window, i) => free.slice(i, i + 1).map((other) => window[figure] / other[figure])).slice(from))
  const targets = [
    atLeast("rate of the second half at least 0.95 × the rate without", ratio("perSecond", half), 0.95),
    atMost("p99 of the second half at most 1.5 × the p99 without", ratio("p99", half), 1.5),
  ]
  const text = [
    lineOf(columns, `${digits(posts)} signed POSTs, then ${digits(latency.perSecond)} events/s`, columns),
    ...held.flatMap((window, i) => [
      ...free.slice(i, i + 1).map((other) => lineOfWindow(`  ${i + 1}. ${names[0]}`, other)),
      lineOfWindow(`  ${i + 1}. ${names[1]}`, window),
    ]),
    "",
    ...windows.map((of, i) => lineOfWindow(`  median ${names[i]}`, summaryOf(of))),
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, free, held, targets }, text }
}).pipe(Effect.scoped)
