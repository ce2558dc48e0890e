import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { ApiError, ConnectionError, TimeoutError } from "../../src/sdk/Errors.ts"
import {
  abortableSleep,
  delayOf,
  isTransient,
  maxRetryAfter,
  maxTimer,
  parseRetryAfter,
  retrying,
} from "../../src/sdk/Retry.ts"

const problem = (status: number, retryAfter?: number) =>
  new ApiError({ status, code: "x", detail: "", errors: [], requestId: undefined, retryAfter })

const between = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

describe("delayOf", () => {
  it("is 250, 500, 1000 … up to 30,000 ms, 20 % more or less", () => {
    const delays = [0, 0.5, 1].map((random) => [0, 1, 2, 6, 7, 100].map((retry) => delayOf(retry, undefined, random)))
    const expected = [
      [200, 400, 800, 12_800, 24_000, 24_000],
      [250, 500, 1000, 16_000, 30_000, 30_000],
      [300, 600, 1200, 19_200, 36_000, 36_000],
    ]
    assert.deepStrictEqual(delays, expected)
  })

  it.effect.prop(
    "is at least Retry-After, and undefined when that exceeds a minute",
    [between(0, 40), between(0, 200), between(0, 100)],
    ([retry, seconds, percent]) =>
      Effect.sync(() => {
        const delay = delayOf(retry, problem(429, seconds), percent / 100)
        if (seconds * 1000 > maxRetryAfter) assert.isUndefined(delay)
        else assert.isTrue(delay !== undefined && delay >= seconds * 1000 && delay <= Math.max(seconds * 1000, 36_000))
      }),
  )
})

describe("isTransient", () => {
  it.each([400, 401, 403, 404, 409, 413, 415, 422, 302, 200])("is false for %s", (status) =>
    assert.isFalse(isTransient(problem(status))),
  )

  it.each([408, 425, 429, 500, 502, 503, 504])("is true for %s", (status) =>
    assert.isTrue(isTransient(problem(status))),
  )

  it("is true for failed connections, timeouts and 409 with Retry-After, and false for other errors", () => {
    assert.isTrue([new ConnectionError(), new TimeoutError(), problem(409, 1)].every(isTransient))
    assert.isFalse([new Error(), new TypeError(), undefined].some(isTransient))
  })
})

describe("parseRetryAfter", () => {
  const now = Date.parse("2030-01-31T18:00:00Z")
  it.each([
    [null, undefined],
    ["", undefined],
    ["soon", undefined],
    ["0", 0],
    ["17", 17],
    ["Thu, 31 Jan 2030 18:00:17 GMT", 17],
    ["Thu, 31 Jan 2030 17:00:00 GMT", 0],
  ])("reads %s as %s", (header, seconds) => assert.strictEqual(parseRetryAfter(header, now), seconds))
})

describe("abortableSleep", () => {
  afterEach(() => void vi.useRealTimers())

  it.each([maxTimer + 1, Number.POSITIVE_INFINITY])("waits %s ms as long as a timer can", async (ms) => {
    vi.useFakeTimers()
    let isOver = false
    const waiting = abortableSleep(ms, undefined).then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(86_400_000)
    assert.isFalse(isOver)
    await vi.advanceTimersByTimeAsync(maxTimer)
    await waiting
  })
})

describe("retrying", () => {
  /** Fails with the errors in order, then succeeds; returns the number of attempts, the delays and the outcome. */
  const run = async (errors: ReadonlyArray<unknown>, retries = 3) => {
    const delays: Array<number> = []
    let attempts = 0
    const attempt = async () => {
      const error = errors[attempts]
      attempts += 1
      if (error !== undefined) throw error
      return "done"
    }
    const sleep = async (ms: number) => void delays.push(ms)
    const outcome = await retrying(attempt, { retries, signal: undefined, sleep, random: () => 0.5 }).catch(
      (error: unknown) => error,
    )
    return { attempts, delays, outcome }
  }

  it("repeats the attempt after transient errors, with growing delays", async () => {
    const errors = [new ConnectionError(), problem(503), problem(429, 17)]
    assert.deepStrictEqual(await run(errors), { attempts: 4, delays: [250, 500, 17_000], outcome: "done" })
  })

  it("throws other errors, the last error after all retries, and an error with a long Retry-After", async () => {
    const [refused, last, long] = [problem(422), problem(503), problem(429, 61)]
    assert.deepStrictEqual(await run([refused]), { attempts: 1, delays: [], outcome: refused })
    assert.deepStrictEqual(await run([problem(500), last], 1), { attempts: 2, delays: [250], outcome: last })
    assert.deepStrictEqual(await run([long]), { attempts: 1, delays: [], outcome: long })
  })
})
