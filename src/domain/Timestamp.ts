/** When something happened, as answers tell it. */
import { Schema } from "effect"

export const Timestamp = Schema.String.annotate({
  description: "ISO 8601, UTC, with milliseconds",
  format: "date-time",
})
