/** The reasons that an organization offers: to members who reject a candidate, and to candidates who decline an interview. */
import { lineErrors } from "../values/Fields.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"

export interface Reasons {
  readonly reject_reasons: ReadonlyArray<string>
  readonly decline_reasons: ReadonlyArray<string>
}

/** `count`: of each list; `length`: in code points. */
export const reasonLimits = { count: 20, length: 100 } as const

/** One reason a line, each once, without empty lines. */
export const readReasons = (text: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
]

export const reasonErrors = (field: keyof Reasons, reasons: ReadonlyArray<string>): ReadonlyArray<FieldError> =>
  reasons.length > reasonLimits.count
    ? [fieldError(`#/${field}`, "too_many", `must have at most ${reasonLimits.count} lines`)]
    : reasons
        .flatMap((reason) => lineErrors(`#/${field}`, reason, { isRequired: true, most: reasonLimits.length }))
        .slice(0, 1)

/** The chosen reason and what was written beside it. */
export const joinReasons = (chosen: string, written: string): string =>
  [chosen.trim(), written.trim()].filter((part) => part !== "").join(" – ")
