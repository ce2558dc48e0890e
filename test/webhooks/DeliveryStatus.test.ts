import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { checkUrl } from "../../src/values/OutboundAddress.ts"
import { errorNote } from "../../src/webhooks/deliveries/pages/DeliveryStatus.ts"

describe("the note on a failed attempt", () => {
  it.each(["https://localhost/hook", "https://receiver.internal/hook", "https://metadata.google.internal/hook"])(
    "advises to check the host name when %s is refused",
    (url) => {
      const { reason } = Result.getOrThrow(Result.flip(checkUrl(url, [])))
      const note = String(
        errorNote({ at: "2026-11-02T09:42:00Z", status: null, duration_ms: 1, error: reason, answer: null }),
      )
      assert.include(note, "Check that the host name is right and public.")
    },
  )
})
