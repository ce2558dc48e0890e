/** After how many days an organization deletes which data, and from when the days count (docs/retention.md). */
import { type FieldError, fieldError } from "../values/Problem.ts"

export const retainedKinds = ["recordings", "cvs", "answers", "candidates", "events", "audit"] as const
export type RetainedKind = (typeof retainedKinds)[number]

/** Days; null: kept until it is erased, events as long as those of all organizations. Recordings always have a period. */
export type RetentionPeriods = { readonly [K in RetainedKind]: number | null } & {
  readonly recordings: number
  /** Of interviews that were submitted: their end, or the decision, without which they are kept. */
  readonly from: "end" | "decision"
}

/** Ten years. */
export const maxDays = 3650

/** EU AI Act, articles 19 and 26 (6): deployers keep the logs of a high-risk system for at least six months. */
export const minAuditDays = 184

const minDays = (kind: RetainedKind): number => (kind === "audit" ? minAuditDays : 1)

export type TypedPeriods = { readonly [K in RetainedKind | "from"]: string }

/** Errors have pointers such as "#/cvs"; a blank period is none. `eventDays`: after which the events of all organizations go. */
export const readPeriods = (
  typed: TypedPeriods,
  eventDays: number,
): { readonly periods: RetentionPeriods; readonly errors: ReadonlyArray<FieldError> } => {
  const errors: Array<FieldError> = []
  const days = (kind: RetainedKind): number | null => {
    const text = typed[kind].trim()
    if (text === "" && kind !== "recordings") return null
    const read = /^\d{1,4}$/.test(text) ? Number(text) : 0
    const most = kind === "events" ? Math.min(eventDays, maxDays) : maxDays
    if (read >= minDays(kind) && read <= most) return read
    const message = `must be a whole number of days, from ${minDays(kind)} to ${most}`
    errors.push(fieldError(`#/${kind}`, "out_of_range", message))
    return null
  }
  const from = typed.from === "decision" ? "decision" : "end"
  const periods = {
    recordings: days("recordings") ?? maxDays,
    cvs: days("cvs"),
    answers: days("answers"),
    candidates: days("candidates"),
    events: days("events"),
    audit: days("audit"),
    from,
  } as const
  return { periods, errors }
}

export const typedPeriods = ({ from, ...periods }: RetentionPeriods): TypedPeriods => {
  const text = (kind: RetainedKind) => String(periods[kind] ?? "")
  return {
    recordings: text("recordings"),
    cvs: text("cvs"),
    answers: text("answers"),
    candidates: text("candidates"),
    events: text("events"),
    audit: text("audit"),
    from,
  }
}
