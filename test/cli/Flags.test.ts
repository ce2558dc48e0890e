import { assert, describe, it } from "@effect/vitest"
import { sinceOf } from "../../src/cli/Flags.ts"

const now = Date.UTC(2026, 0, 31, 12)

describe("sinceOf", () => {
  it.each([
    ["2h", "2026-01-31T10:00:00.000Z"],
    ["2 hours", "2026-01-31T10:00:00.000Z"],
    ["1 hour ago", "2026-01-31T11:00:00.000Z"],
    ["30m", "2026-01-31T11:30:00.000Z"],
    ["1 day", "2026-01-30T12:00:00.000Z"],
    ["2w", "2026-01-17T12:00:00.000Z"],
    ["999999999w", "1970-01-01T00:00:00.000Z"],
    ["2026-01-30", "2026-01-30T00:00:00.000Z"],
    ["2026-01-30T10:00:00+02:00", "2026-01-30T08:00:00.000Z"],
    ["0000-01-01", "1970-01-01T00:00:00.000Z"],
  ])("reads %s", (text, moment) => {
    assert.strictEqual(sinceOf(text, now)?.toISOString(), moment)
  })

  it.each(["", "yesterday", "2", "2 months", "-2h", "2026-01-30T10:00", "2026-02-30"])("does not read %s", (text) => {
    assert.isUndefined(sinceOf(text, now))
  })
})
