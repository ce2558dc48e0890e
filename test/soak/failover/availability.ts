/** How long the service accepted no write around a fault. */
import type { Answer } from "../load.ts"

/** Milliseconds since 1970. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** The longest time without an accepted write that begins or ends in the window, in seconds. */
export const longestRefusal = (answers: ReadonlyArray<Answer>, { from, to }: Window): number => {
  const accepted = answers.filter(({ status }) => status === "200").map(({ at }) => at)
  const before = accepted.findLast((at) => at <= from) ?? from
  const after = accepted.find((at) => at >= to) ?? to
  const within = [before, ...accepted.filter((at) => at > from && at < to), after]
  return Math.max(...within.slice(1).map((at, index) => at - (within[index] ?? at))) / 1_000
}

/** Requests in the window that were not accepted: another status, or no answer. Each is repeated until it is accepted. */
export const refusedIn = (answers: ReadonlyArray<Answer>, { from, to }: Window): number =>
  answers.filter(({ at, status }) => status !== "200" && at >= from && at <= to).length
