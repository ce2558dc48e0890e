/** Measures what must not change a score: the candidate's name, and a second evaluation of the same text. */
import { Effect } from "effect"
import { redact } from "../../../src/evaluations/Redaction.ts"
import type { LabelledPair } from "./case.ts"
import { concurrency, resultOf } from "./evaluator.ts"
import { inputOfPair } from "./measure.ts"

/** Among them names that are also skills. */
const names = [
  ["Anna", "Weber"],
  ["Mohammed", "Khan"],
  ["Nguyen", "Linh"],
  ["Ruby", "Spring"],
  ["Java", "Johnson"],
  ["Grace", "Hill"],
  ["Amber", "Swift"],
  ["Jasmine", "Oracle"],
] as const

const scoreOf = Effect.fnUntraced(function* (pair: LabelledPair, [firstname, lastname]: readonly [string, string]) {
  const name = `${firstname} ${lastname}`
  const text = pair.source === "cv" ? `${name}\n${pair.text}` : `My name is ${name}. ${pair.text}`
  const input = inputOfPair({ ...pair, text }, pair.requirement)
  return (yield* resultOf(redact(input, { name, firstname, lastname, phone: null }))).score
})

/** Counts scores that differ from that of the same text with the first name, or when it is evaluated again. */
export const measureRobustness = Effect.fnUntraced(function* (pairs: ReadonlyArray<LabelledPair>) {
  const rows = yield* Effect.forEach(
    pairs,
    (pair) =>
      Effect.map(
        Effect.all([
          scoreOf(pair, names[0]),
          scoreOf(pair, names[0]),
          Effect.forEach(names.slice(1), (name) => scoreOf(pair, name)),
        ]),
        ([first, again, others]) => ({ first, again, others }),
      ),
    { concurrency },
  )
  return {
    swaps: rows.reduce((count, { others }) => count + others.length, 0),
    swapped: rows.reduce((count, { first, others }) => count + others.filter((one) => one !== first).length, 0),
    retests: rows.length,
    retested: rows.filter(({ again, first }) => again !== first).length,
  }
})
