/** Timestamps in requests and responses. */
import { Schema, SchemaTransformation } from "effect"
import { rule } from "./Fields.ts"

export const Timestamp = Schema.String.annotate({
  description: "ISO 8601, UTC, with milliseconds",
  format: "date-time",
})

const iso8601 = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

const isMoment = (value: string): boolean => {
  const day = iso8601.exec(value)?.[1]
  // Date reads the 30th of February as the 2nd of March
  return day !== undefined && !Number.isNaN(Date.parse(value)) && new Date(day).toISOString().startsWith(day)
}

/** A date is its first instant in UTC. */
export const Moment = Schema.String.check(
  rule(isMoment, "invalid_date", "must be an ISO 8601 date, such as 2030-01-31 or 2030-01-31T18:00:00Z"),
).pipe(Schema.decodeTo(Schema.Date, SchemaTransformation.dateFromString))

/** Repositories send it as text: Postgres reads no year 0, no offset beyond 15:59 and no long fraction of a second. */
const instant = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):\d{2})$/

/** A date alone is ambiguous. */
export const Instant = Timestamp.check(
  rule(
    (value) => instant.test(value) && isMoment(value),
    "invalid_date",
    "must be an ISO 8601 time with its zone, such as 2030-01-31T18:00:00Z",
  ),
)
