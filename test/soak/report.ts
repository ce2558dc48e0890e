/** The end of a soak: what was checked, and the exit code. */
import { Console, Effect } from "effect"

export interface Finding {
  readonly what: string
  readonly count: number
  /** What `count` must be. */
  readonly expected: number
}

export interface Check {
  readonly what: string
  readonly holds: boolean
}

export const say = (line: string) => Console.error(line)

export const checkOf = ({ count, expected, what }: Finding): Check => ({
  what: `${what}: ${count} of ${expected}`,
  holds: count === expected,
})

/** Prints the facts and the checks; sets the exit code 1 when a check does not hold. */
export const print = Effect.fnUntraced(function* (facts: ReadonlyArray<string>, checks: ReadonlyArray<Check>) {
  yield* Console.log(
    [...facts, "", ...checks.map(({ holds, what }) => `${holds ? "ok     " : "MISSING"}  ${what}`)].join("\n"),
  )
  if (checks.some(({ holds }) => !holds)) process.exitCode = 1
})
