/**
 * Measures what hostile requests cost other clients: how long each blocks the event loop of a pod, how much memory slow
 * connections take, and whether requests wait for a locked table that they do not read.
 */
import { Console, Effect } from "effect"
import { measure } from "./hostile/measure.ts"
import { measureMemory } from "./hostile/memory.ts"
import { measurePool } from "./hostile/pool.ts"
import { targetsOf, toText } from "./hostile/report.ts"
import { filter } from "./hostile/settings.ts"
import { insiders, type Shape, strangers } from "./hostile/shapes.ts"
import * as Stage from "./hostile/stage.ts"
import { measureWork } from "./hostile/work.ts"
import * as Postgres from "./support/postgres.ts"
import { digits, machineOf } from "./support/report.ts"

export const description = "how long hostile requests block a pod, and how much memory slow connections take"

/** Takes about five minutes. `BENCH_SHAPES` restricts it to matching shapes, or to `work`, `pool` or `memory`. */
export const run = Effect.gen(function* () {
  const postgres = yield* Postgres.server
  const machine = yield* machineOf(postgres)
  const stage = yield* Stage.open(postgres)
  const all = (shapes: ReadonlyArray<Shape>) =>
    Effect.forEach(
      shapes.filter(({ name }) => name.includes(filter ?? "")),
      (shape) => Effect.tap(measure(stage, shape), ({ block, name }) => Console.error(`${name}: ${digits(block)} ms`)),
    )
  const stranger = yield* all(strangers(stage))
  const insider = yield* all(insiders(stage))
  const isWhole = filter === undefined
  const work = isWhole || filter === "work" ? yield* measureWork(stage) : []
  const pool = isWhole || filter === "pool" ? yield* measurePool(stage) : undefined
  const memory = isWhole || filter === "memory" ? yield* measureMemory(stage) : undefined
  const figures = { strangers: stranger, insiders: [...insider, ...work], pool, memory }
  return { json: { machine, ...figures, targets: targetsOf(figures) }, text: toText(machine, figures) }
}).pipe(Effect.scoped)
