/** Performs and settles a job in the sampled trace of the request that queued it. */
import { Effect, References } from "effect"
import { parseTraceparent } from "../telemetry/Traceparent.ts"
import type { Claimed, QueueTable } from "./QueueSql.ts"

export type InTrace = (
  queue: QueueTable,
  step: "attempt" | "settle",
  job: Claimed,
) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const inTrace: InTrace = (queue, step, job) => (effect) => {
  const parent = job.traceparent == null ? undefined : parseTraceparent(job.traceparent)
  if (parent === undefined) return effect
  const attributes = step === "attempt" ? { "interview.job": job.id, "interview.attempt": job.attempts + 1 } : {}
  const followed = Effect.useSpan(`${queue} ${step}`, { parent, kind: "consumer", attributes }, (span) =>
    Effect.withParentSpan(effect, span, { captureStackTrace: false }),
  )
  return Effect.withTracerEnabled(followed, true)
}

/** undefined when traces are not exported. */
export const make = Effect.map(References.TracerEnabled, (isEnabled) => (isEnabled ? inTrace : undefined))

export const byTrace = <Row extends { readonly job: Claimed }>(rows: ReadonlyArray<Row>): ReadonlyArray<Array<Row>> => {
  const groups = new Map<string, Array<Row>>()
  for (const row of rows) {
    const trace = row.job.traceparent ?? ""
    const group = groups.get(trace)
    if (group === undefined) groups.set(trace, [row])
    else group.push(row)
  }
  return [...groups.values()]
}
