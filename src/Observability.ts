/**
 * Logs: lines of JSON with trace and span ids for machines, plain text for people.
 *
 * Spans: HTTP gives each request one, sql each statement and transaction, and services their operations (Effect.fn).
 * Handlers, repositories and the steps inside an operation have none of their own (Effect.fnUntraced): they would repeat
 * those, and a call that has one costs some 10 µs more, with nobody receiving them. Without them an invite of one
 * candidate takes a quarter less of this process.
 */
import { Context, Effect, Layer, Logger, References, Tracer } from "effect"
import { Config } from "./Config.ts"

/** effect's structured JSON with the ids of the span that the line was written in. */
const json = Logger.withConsoleLog(
  Logger.make((options) => {
    const span = Context.getOrUndefined(options.fiber.context, Tracer.ParentSpan)
    const ids = span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId }
    return JSON.stringify({ ...Logger.formatStructured.log(options), ...ids })
  }),
)

/** LOG_LEVEL and LOG_FORMAT. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { logFormat, logLevel } = yield* Config
    return Layer.mergeAll(
      Logger.layer([logFormat === "json" ? json : Logger.consolePretty(), Logger.tracerLogger]),
      Layer.succeed(References.MinimumLogLevel, logLevel),
      // nobody receives spans yet, and making them is a fifth of what an invite of one candidate costs this process
      Layer.succeed(References.TracerEnabled, false),
    )
  }),
)
