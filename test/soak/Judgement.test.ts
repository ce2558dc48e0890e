/** The calculations and comparisons of the soak. */
import { assert, describe, it } from "@effect/vitest"
import { compare } from "./events.ts"
import { longestRefusal, refusedIn } from "./failover/availability.ts"

describe("longestRefusal", () => {
  const at = (seconds: number, status = "200") => ({ at: seconds * 1_000, status })

  it.each([
    ["within the window", [at(9), at(12), at(19), at(21)], 7],
    ["from before the window", [at(4), at(11), at(13), at(19), at(21)], 7],
    ["until after the window", [at(9), at(11), at(13), at(24)], 11],
    ["with refused requests only", [at(9), at(12, "503"), at(18, "connection lost"), at(21)], 12],
    ["before the last answer so far", [at(9), at(12)], 8],
    ["without any answer", [], 10],
  ])("finds the longest time without an accepted write %s", (_, answers, seconds) => {
    assert.strictEqual(longestRefusal(answers, { from: 10_000, to: 20_000 }), seconds)
  })

  it("counts requests of the window that were not accepted", () => {
    const answers = [at(9, "503"), at(12), at(13, "503"), at(14, "connection lost"), at(21, "503")]
    assert.strictEqual(refusedIn(answers, { from: 10_000, to: 20_000 }), 2)
  })
})

describe("compare", () => {
  const failures = (followed: ReadonlyArray<string>) =>
    compare(followed, ["a", "b", "c"])
      .filter(({ count, expected }) => count !== expected)
      .map(({ what }) => what)

  it.each([
    ["nothing about the same events", ["a", "b", "c"], []],
    ["an event that was missed", ["a", "c"], ["events that the follower read once"]],
    ["an event that was read twice", ["a", "b", "b", "c"], ["events that the follower read once"]],
    [
      "an event that the database lost",
      ["a", "x", "b", "c"],
      ["events that the follower read once", "events that the follower read and the database lost"],
    ],
    ["another order", ["b", "a", "c"], ["events that the follower read in another order"]],
  ])("reports %s", (_, followed, expected) => {
    assert.deepStrictEqual(failures(followed), expected)
  })
})
