/** A labelled pair of requirement and text, and short ways to write many of them. */
import type { Level } from "../../../src/evaluations/Score.ts"

/** What a pair is there to show. */
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

/** `group` tells the pairs of one requirement; `language` is that of the interview. */
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

/** The pairs of one requirement; the level is what a careful reader would say who sees nothing but the text. */
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
