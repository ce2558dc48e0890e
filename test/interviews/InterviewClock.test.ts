import { assert, describe, it } from "@effect/vitest"
import {
  canImprove,
  type InterviewClock,
  isTimeOver,
  ranOut,
  retakesLeft,
} from "../../src/interviews/InterviewClock.ts"

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)

const clock = (rest: Partial<InterviewClock> = {}): InterviewClock => ({
  status: "completed",
  attempt: 1,
  number_of_retakes: 2,
  minutes: 30,
  started_at: at(0),
  answer_until: at(1800),
  seconds_left: 0,
  completed_at: at(1000),
  improvement_until: at(90_000),
  improvement_open: true,
  ...rest,
})

describe("InterviewClock", () => {
  it.each([
    [null, false],
    [1, false],
    [0, true],
    [-1, true],
  ])("with %s seconds left, the time is over: %s", (seconds_left, isOver) => {
    assert.strictEqual(isTimeOver(clock({ seconds_left })), isOver)
  })

  it.each<[string, Partial<InterviewClock>, boolean]>([
    ["at the deadline", { completed_at: at(1800) }, true],
    ["less than a second before it, when 0 whole seconds are left", { completed_at: at(1799.5) }, true],
    ["a second before it", { completed_at: at(1799) }, false],
    ["without a limit", { answer_until: null }, false],
    ["not yet", { completed_at: null }, false],
  ])("tells whether the time ran out: submitted %s", (_, fields, expected) => {
    assert.strictEqual(ranOut(clock(fields)), expected)
  })

  it.each<[attempt: number, retakes: number | null, left: number]>([
    [1, null, 0],
    [1, 2, 2],
    [3, 2, 0],
    [4, 2, 0],
  ])("in attempt %s of an interview with %s retakes, %s are left", (attempt, number_of_retakes, left) => {
    assert.strictEqual(retakesLeft(clock({ attempt, number_of_retakes })), left)
  })

  it.each<[string, Partial<InterviewClock>, boolean]>([
    ["while the window is open", {}, true],
    ["after the evaluation", { status: "evaluated" }, true],
    ["not while an attempt is running", { status: "started" }, false],
    ["not after the window", { improvement_open: false }, false],
    ["not without a retake", { attempt: 3 }, false],
  ])("allows a retake: %s", (_, fields, expected) => {
    assert.strictEqual(canImprove(clock(fields)), expected)
  })
})
