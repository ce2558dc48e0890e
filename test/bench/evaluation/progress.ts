/**
 * Rates with the configured evaluator, shows on stderr how many texts are rated, and counts the texts that it could not
 * rate. A model sends three requests a text, so a run may take hours.
 */
import { Console, Effect } from "effect"
import { narrate } from "../../../src/evaluations/Evaluation.ts"
import { Evaluator, EvaluatorUnavailable } from "../../../src/evaluations/Evaluator.ts"
import { monotonicMillis } from "../../../src/platform/Monotonic.ts"

const count = (number: number): string => number.toLocaleString("en")

const unratedOutput = { ...narrate([]), evaluator: "", model: null, ratings: [], raw: null }

/** The number of texts that a measurement rates. */
export const countTexts = Effect.fnUntraced(function* <A, E>(measurement: Effect.Effect<A, E, Evaluator>) {
  let texts = 0
  const evaluate = () =>
    Effect.sync(() => {
      texts += 1
      return unratedOutput
    })
  yield* Effect.provideService(measurement, Evaluator, Evaluator.of({ evaluate }))
  return texts
})

/** A run stops when its first texts cannot be rated, or so many in succession later. */
const maxFirstFailures = 8
const maxFailures = 60

const interval = "15 seconds"

export interface Unrated {
  readonly texts: number
  /** By reason, the number of texts. */
  readonly reasons: ReadonlyMap<string, number>
}

/** Texts that could not be rated have no score, which counts as 0. Fails if the evaluator does not work at all. */
export const withProgress = Effect.fnUntraced(function* <A, E>(
  measurement: Effect.Effect<A, E, Evaluator>,
  texts: number,
) {
  const { evaluate } = yield* Evaluator
  const start = yield* monotonicMillis
  const reasons = new Map<string, number>()
  let rated = 0
  let unrated = 0
  let inSuccession = 0
  const fail = (reason: string) => {
    unrated += 1
    inSuccession += 1
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    const most = rated === 0 ? maxFirstFailures : maxFailures
    return inSuccession < most
      ? Effect.succeed(unratedOutput)
      : Effect.fail(
          new EvaluatorUnavailable({
            reason: `stopped after ${count(rated)} of ${count(texts)} texts, because the last ${inSuccession} could not be rated: ${reason}`,
            retryable: false,
          }),
        )
  }
  const counted = Evaluator.of({
    evaluate: (input) =>
      evaluate(input).pipe(
        Effect.tap(() =>
          Effect.sync(() => {
            rated += 1
            inSuccession = 0
          }),
        ),
        Effect.catchTag("EvaluatorUnavailable", ({ reason }) => Effect.suspend(() => fail(reason))),
      ),
  })
  const show = Effect.gen(function* () {
    yield* Effect.sleep(interval)
    const done = rated + unrated
    const minutes = (((yield* monotonicMillis) - start) / Math.max(1, done)) * ((texts - done) / 60_000)
    const failures = unrated === 0 ? "" : `, ${count(unrated)} not rated`
    yield* Console.error(
      `${count(done)} of ${count(texts)} texts${failures}, about ${Math.max(1, Math.round(minutes))} min left`,
    )
  })
  const measured = yield* Effect.raceFirst(Effect.provideService(measurement, Evaluator, counted), Effect.forever(show))
  return { measured, unrated: { texts: unrated, reasons } satisfies Unrated }
})
