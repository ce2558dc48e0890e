/** The working hours of the sample's members. */
import { assert, it } from "@effect/vitest"
import { atWork, day, hour, later } from "../../src/cli/sample/sampleTime.ts"

it("moves moments into working hours, and keeps their order", () => {
  const begin = new Date("2026-11-02T00:00:00Z")
  let before = 0
  for (let millis = 0; millis < 3 * day; millis += hour / 12) {
    const moved = atWork(later(begin, millis))
    assert.isAtLeast(moved.getTime(), before, later(begin, millis).toISOString())
    assert.isAtLeast(moved.getTime(), begin.getTime() + millis)
    assert.isAtLeast(moved.getUTCHours(), 8)
    assert.isAtMost(moved.getUTCHours() * 60 + moved.getUTCMinutes(), 17 * 60)
    before = moved.getTime()
  }
})
