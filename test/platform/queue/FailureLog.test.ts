/** When failures that repeat are logged, and when their end is. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import * as FailureLog from "../../../src/platform/queue/FailureLog.ts"

interface Line {
  readonly level: string
  readonly message: ReadonlyArray<unknown>
  readonly hasStack: boolean
  readonly annotations: object
}

/** Runs a test with the lines that it logs. */
const logging = <A, E, R>(test: (lines: ReadonlyArray<Line>) => Effect.Effect<A, E, R>) => {
  const lines: Array<Line> = []
  const logger = Logger.make<unknown, void>(({ cause, fiber, logLevel, message }) => {
    lines.push({
      level: logLevel,
      message: Array.isArray(message) ? message : [message],
      hasStack: cause.reasons.length > 0,
      annotations: fiber.getRef(References.CurrentLogAnnotations),
    })
  })
  return test(lines).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
}

const messagesOf = (lines: ReadonlyArray<Line>) => lines.map(({ message }) => message)

describe("a loop whose end a success shows", () => {
  it.effect(
    "that fails and works in turns logs a failure at most once a minute, and an end only after a logged failure",
    () =>
      logging((lines) =>
        Effect.gen(function* () {
          const { warn, worked } = FailureLog.make("claiming")
          yield* worked
          for (let second = 0; second < 120; second++) {
            yield* warn("outage", "failed", {})
            yield* worked
            yield* TestClock.adjust("1 second")
          }
          assert.deepStrictEqual(messagesOf(lines), [
            ["failed", { failures: 1 }],
            ["claiming works again", { failures: 1 }],
            ["failed", { failures: 60 }],
            ["claiming works again", { failures: 60 }],
          ])
        }),
      ),
  )

  it.effect("logs a failure of another kind at once", () =>
    logging((lines) =>
      Effect.gen(function* () {
        const { warn } = FailureLog.make("claiming")
        for (const kind of ["outage", "outage", "defect", "outage", "defect"]) yield* warn(kind, kind, {})
        yield* TestClock.adjust("1 minute")
        yield* warn("outage", "outage", {})
        assert.deepStrictEqual(messagesOf(lines), [
          ["outage", { failures: 1 }],
          ["defect", { failures: 1 }],
          ["outage", { failures: 3 }],
        ])
      }),
    ),
  )

  it.effect("logs the stack of a defect at most once a minute for each text", () =>
    logging((lines) =>
      Effect.gen(function* () {
        const { report } = FailureLog.make("claiming")
        const fail = (text: string) => report(Cause.die(new Error(text)))
        for (let second = 0; second < 61; second++) {
          yield* fail("broken")
          yield* TestClock.adjust("1 second")
        }
        yield* fail("another")
        assert.deepStrictEqual(messagesOf(lines), [
          ["claiming failed", { failures: 1 }],
          ["claiming failed", { failures: 60 }],
          ["claiming failed", { failures: 1 }],
        ])
        assert.isTrue(lines.every(({ hasStack, level }) => hasStack && level === "Error"))
      }),
    ),
  )
})

describe("an activity without a success that shows the end", () => {
  const refuse = ({ warn }: Pick<FailureLog.FailureLog, "warn">) => warn("outage", "refused", {})

  it.effect("logs the end once, a minute after the last failure, without the fields of the request that failed", () =>
    logging((lines) =>
      Effect.gen(function* () {
        const failures = yield* FailureLog.makeUntilQuiet("answering")
        yield* Effect.annotateLogs(refuse(failures), "request_id", "first")
        yield* TestClock.adjust("50 seconds")
        yield* Effect.annotateLogs(refuse(failures), "request_id", "second")
        yield* TestClock.adjust("59 seconds")
        assert.deepStrictEqual(messagesOf(lines), [["refused", { failures: 1 }]])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(messagesOf(lines).slice(1), [["answering works again", { failures: 2 }]])
        assert.deepStrictEqual(
          lines.map(({ annotations, level }) => [level, annotations]),
          [
            ["Warn", { request_id: "first" }],
            ["Info", {}],
          ],
        )
        yield* TestClock.adjust("1 hour")
        assert.lengthOf(lines, 2)
      }),
    ),
  )

  it.effect("logs a later outage and its end again", () =>
    logging((lines) =>
      Effect.gen(function* () {
        const failures = yield* FailureLog.makeUntilQuiet("answering")
        for (const _ of ["first outage", "second outage"]) {
          yield* refuse(failures)
          yield* TestClock.adjust("2 minutes")
        }
        const once = [
          ["refused", { failures: 1 }],
          ["answering works again", { failures: 1 }],
        ]
        assert.deepStrictEqual(messagesOf(lines), [...once, ...once])
      }),
    ),
  )
})
