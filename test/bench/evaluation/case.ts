/** Labelled pairs of requirement and text. */
import type { Level } from "../../../src/evaluations/Score.ts"

/** The property of the evaluator that a pair tests. */
export type Category =
  | "match"
  | "paraphrase"
  | "same words, no match"
  | "negated"
  | "unrelated"
  | "threshold met"
  | "threshold missed"
  | "boast"
  | "pasted"

export interface LabelledRequirement {
  readonly title: string
  readonly content: string | null
}

/** `group` is equal in all pairs of one requirement; `language` is that of the interview. */
export interface LabelledPair {
  readonly group: string
  readonly trade: string
  readonly language: string
  readonly requirement: LabelledRequirement
  readonly category: Category
  readonly expected: Level
  readonly source: "cv" | "answer"
  readonly text: string
}

type Line = readonly [Category, Level, "cv" | "answer", string]

/** Creates the pairs of one requirement. The expected level is a careful reader's rating of the text alone. */
export const group = (
  trade: string,
  title: string,
  content: string | null,
  lines: ReadonlyArray<Line>,
  language = "en",
): ReadonlyArray<LabelledPair> =>
  lines.map(([category, expected, source, text]) => ({
    group: `${trade}: ${title}`,
    trade,
    language,
    requirement: { title, content },
    category,
    expected,
    source,
    text,
  }))
