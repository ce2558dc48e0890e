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

/** The element at the index, counting on from the first element after the last one. Throws when there is none. */
export const nth = <A>(all: ReadonlyArray<A>, index: number): A => {
  const found = all[index % all.length]
  if (found === undefined) throw new Error("nothing to take in turn")
  return found
}

export const say = (line: string) => Console.error(line)

export const checkOf = ({ count, expected, what }: Finding): Check => ({
  what: `${what}: ${count} of ${expected}`,
  holds: count === expected,
})

export const stopCheck = (codes: ReadonlyArray<number | null>): Check => ({
  what: `pods that exited with 0 when they were stopped: ${codes.filter((code) => code === 0).length} of ${codes.length}`,
  holds: codes.every((code) => code === 0),
})

/** `lines`: those of the pods' logs at the level FATAL. A pod writes one when an error ends it. */
export const fatalCheck = (lines: ReadonlyArray<string>): Check => ({
  what: `lines with FATAL in the pods' logs: ${lines.length}`,
  holds: lines.length === 0,
})

/** Prints the facts and the checks; sets the exit code 1 when a check does not hold. */
export const print = Effect.fnUntraced(function* (facts: ReadonlyArray<string>, checks: ReadonlyArray<Check>) {
  yield* Console.log(
    [...facts, "", ...checks.map(({ holds, what }) => `${holds ? "ok     " : "FAILED "}  ${what}`)].join("\n"),
  )
  if (checks.some(({ holds }) => !holds)) process.exitCode = 1
})
