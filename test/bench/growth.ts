/**
 * Measures the webhook delivery rate with a million finished and a million future deliveries in the database. Measures
 * the size of the queue's table while deliveries pass through it.
 */
import { Console, Effect } from "effect"
import { fill } from "./deliveries/growth.ts"
import { measure, pass } from "./deliveries/measure.ts"
import { growth } from "./deliveries/settings.ts"
import * as Stage from "./deliveries/stage.ts"
import * as Postgres from "./support/postgres.ts"
import { atLeast, atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"

export const description = "webhook deliveries with two million others stored, and the size of the queue"

const columns = ["POSTs/s", "CPU µs each"]
const sizeColumns = ["table MB", "with indexes MB"]

/** Takes about three minutes. */
export const run = Effect.gen(function* () {
  const stage = yield* Stage.open
  const machine = yield* machineOf(stage.postgres)
  const { amount, bloat } = growth
  const small = yield* Stage.service(stage, "empty", "empty", () => Effect.void)
  const large = yield* Stage.service(
    stage,
    `${digits(growth.finished)} finished, ${digits(growth.future)} future`,
    "grown",
    fill,
  )
  const figures = yield* measure([small, large], stage.receiver, amount)

  const sizes: Array<{ deliveries: number; table: number; withIndexes: number }> = []
  yield* Console.error("measuring the queue's size ...")
  for (let deliveries = bloat.step; deliveries <= bloat.deliveries; deliveries += bloat.step) {
    // no explicit vacuum: only autovacuum runs
    yield* pass(small, stage.receiver, bloat.step)
    const size = yield* Postgres.query<{ table: number; withIndexes: number }>(
      small.url,
      `select (pg_table_size('webhook_delivery') / 1e6)::float8 as "table",
         (pg_total_relation_size('webhook_delivery') / 1e6)::float8 as "withIndexes"`,
    )
    sizes.push({ deliveries, ...size })
  }

  const slower = figures.at(1)?.ratio ?? Number.NaN
  const half = sizes.at(sizes.length / 2 - 1)?.withIndexes ?? Number.NaN
  const targets = [
    atLeast("rate with the others stored at least 0.9 × the rate without", 1 / slower, 0.9),
    atMost(
      "queue size after the second half at most 1.1 × the size after the first",
      (sizes.at(-1)?.withIndexes ?? Number.NaN) / half,
      1.1,
    ),
  ]
  const text = [
    lineOf(columns, `${digits(amount.posts)} signed POSTs, median of ${amount.rounds} rounds`, columns),
    ...figures.map(({ contestant, cpuMicros, perSecond }) =>
      lineOf(columns, `  ${contestant}`, [digits(perSecond), digits(cpuMicros)]),
    ),
    "",
    lineOf(sizeColumns, `size of the queue, ${digits(bloat.step)} deliveries at a time`, sizeColumns),
    ...sizes.map(({ deliveries, table, withIndexes }) =>
      lineOf(sizeColumns, `  after ${digits(deliveries)}`, [digits(table), digits(withIndexes)]),
    ),
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, figures, sizes, targets }, text }
}).pipe(Effect.scoped)
