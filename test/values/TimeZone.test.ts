import { assert, describe, it } from "@effect/vitest"
import { likelyTimeZones, momentOf, readTimeZone, timeZones, wallTime } from "../../src/values/TimeZone.ts"

describe("time zones", () => {
  it.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["utc", "UTC"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["Asia/Calcutta", "Asia/Calcutta"],
    ["Europe/Kyiv", "Europe/Kyiv"],
    ["Berlin", undefined],
    ["+02:00", undefined],
    ["", undefined],
    ["Europe/Berlin; drop", undefined],
    ["a".repeat(100_000), undefined],
  ])("read %s as %s", (typed, name) => {
    assert.strictEqual(readTimeZone(typed), name)
  })

  it.each([
    ["Berlin", ["Europe/Berlin"]],
    [" new york", ["America/New_York"]],
    ["Europe/Berln", ["Europe/Berlin"]],
    ["Kolkata", ["Asia/Kolkata"]],
    ["Asia/Kyiv", ["Europe/Kyiv"]],
    ["UTC+1", []],
    ["+02:00", []],
    ["", []],
    ["x".repeat(100_000), []],
  ])("suggest for %s", (typed, names) => {
    assert.deepStrictEqual(likelyTimeZones(typed), names)
  })

  it("offers names that can be read, UTC first", () => {
    assert.strictEqual(timeZones[0], "UTC")
    assert.deepStrictEqual(timeZones.map(readTimeZone), [...timeZones])
  })

  it.each([
    ["UTC", "2026-12-21T14:05", "2026-12-21T14:05:00.000Z"],
    ["Europe/Berlin", "2026-12-21T14:05", "2026-12-21T13:05:00.000Z"],
    ["Europe/Berlin", "2026-06-21T00:05", "2026-06-20T22:05:00.000Z"],
    ["America/St_Johns", "2026-12-20T23:59", "2026-12-21T03:29:00.000Z"],
    ["Pacific/Kiritimati", "2027-01-01T00:00", "2026-12-31T10:00:00.000Z"],
    // the first hour of summer time, and the last hour of winter time
    ["Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59:00.000Z"],
    ["Europe/Berlin", "2026-10-25T03:30", "2026-10-25T02:30:00.000Z"],
  ])("of %s: clocks show %s at %s", (zone, clock, at) => {
    assert.strictEqual(momentOf(clock, zone)?.toISOString(), at)
    assert.strictEqual(wallTime(new Date(at), zone), clock)
  })

  it.each(["", "0000-01-01T00:00", "2026-12-21", "2026-13-21T14:05", "2026-12-21T14:05Z", "tomorrow"])(
    "refuses %j as a time",
    (text) => {
      assert.isUndefined(momentOf(text, "Europe/Berlin"))
    },
  )
})
