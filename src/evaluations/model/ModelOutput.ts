/** The answer that the model is asked for. */
import { Schema } from "effect"
import { storable } from "../Evaluation.ts"
import { Level } from "../Score.ts"

/** Quotes and rationale come first, so that the model derives the level from them. */
export const Answer = Schema.Struct({
  ratings: Schema.Array(
    Schema.Struct({
      requirement: Schema.String.annotate({ description: "The requirement's code, such as r1" }),
      quotes: Schema.Array(Schema.String).annotate({ description: "Copied from the candidate's text, at most 5" }),
      rationale: Schema.String.annotate({ description: "Why this level, in one or two sentences" }),
      level: Level,
    }),
  ).annotate({ description: "One for each requirement" }),
  summary: Schema.String.annotate({ description: "Two or three sentences" }),
  strengths: Schema.Array(Schema.String),
  gaps: Schema.Array(Schema.String),
  recommendations: Schema.Array(Schema.String).annotate({ description: "What to ask next" }),
})
export type Answer = typeof Answer.Type

/** Finds JSON bare, in a markdown fence, or after the model's thinking. */
export const jsonIn = (written: string): string => {
  const text = written.slice(written.lastIndexOf("</think>") + 1)
  const start = text.indexOf("{")
  const end = text.lastIndexOf("}")
  return start === -1 || end < start ? "" : text.slice(start, end + 1)
}

const short = (text: string, length: number): string => storable(text).trim().slice(0, length).toWellFormed()
const few = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.slice(0, 8).flatMap((text) => (text.trim() === "" ? [] : [short(text, 400)]))

/** Limits the number and length of texts, and removes what Postgres does not store. */
export const bounded = ({ gaps, ratings, recommendations, strengths, summary }: Answer): Answer => ({
  ratings: ratings.slice(0, 500).map(({ level, quotes, rationale, requirement }) => ({
    requirement: short(requirement, 20),
    quotes: quotes.slice(0, 5).map((quote) => short(quote, 2000)),
    rationale: short(rationale, 1000),
    level,
  })),
  summary: short(summary, 1500),
  strengths: few(strengths),
  gaps: few(gaps),
  recommendations: few(recommendations),
})
