/** Addresses and labels of interview sets. */

import { importances } from "../Importance.ts"
import type { QuestionType } from "../InterviewSet.ts"

export const setsHref = "/interview-sets"
export const setHref = (id: string): string => `${setsHref}/${encodeURIComponent(id)}`

export const kindNames: ReadonlyArray<readonly [string, string]> = [
  ["1", "Interview: candidates answer questions"],
  ["2", "CV set: only CVs are rated"],
]

export const modeNames: ReadonlyArray<readonly [string, string]> = [
  ["interview", "Interview"],
  ["pre_screening", "Pre-screening (asked first)"],
]

export const typeNames: ReadonlyArray<readonly [QuestionType, string]> = [
  ["text", "Text"],
  ["radio", "Choice of one"],
  ["checkbox", "Choice of several"],
  ["file", "File upload"],
]

/** "Must Have, counts 4×" by id, heaviest first. */
export const weightNames: ReadonlyArray<readonly [string, string]> = importances
  .toReversed()
  .map(({ id, name, weight }) => [String(id), `${name}, counts ${weight}×`])
