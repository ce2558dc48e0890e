/**
 * Runs many plans. A failing plan is shrunk and printed with a command that repeats it.
 *
 * SIMULATION_RUNS: number of plans; some hundred thousand take an hour.
 * SIMULATION_REPLAY: the token of a plan that failed.
 */
import { assert } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"

const { SIMULATION_REPLAY: replay, SIMULATION_RUNS: wanted } = process.env

/** `file` is the test's path, for the printed command. */
export const check = Effect.fnUntraced(function* <A, R>(
  file: string,
  arbitrary: Arbitrary.Arbitrary<A>,
  property: (value: A) => Effect.Effect<void, string, R>,
  options: Pick<Arbitrary.CheckOptions, "runs" | "size" | "maxShrinks">,
) {
  const result = yield* Arbitrary.checkEffect(arbitrary, (value) => Effect.as(property(value), true), {
    ...options,
    ...(wanted === undefined ? {} : { runs: Number(wanted) }),
    replay,
  })
  if (result._tag === "Passed") return
  const again = result._tag === "Falsified" ? `\nSIMULATION_REPLAY='${result.replay}' npm test -- ${file}` : ""
  assert.fail(`${Arbitrary.formatCheckFailure(result)}${again}`)
})
