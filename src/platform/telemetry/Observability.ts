/**
 * Logs and spans, without secrets and personal data (LogText.ts), also sent to a collector when one is set.
 *
 * Spans: requests, statements, transactions, functions of services (Effect.fn), attempts of sampled jobs. Other functions use
 * Effect.fnUntraced: a span costs about 10 µs. Without a collector there are no spans: they take a fifth of an invite
 * of one candidate.
 */
import { Cause, Context, Effect, Exit, Layer, Logger, Option, Predicate, Redacted, References, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpSerialization, OtlpTracer } from "effect/observability"
import { Config, type Settings } from "../../config/Config.ts"
import { version } from "../../config/Version.ts"
import { sqlStateOf } from "../database/Connections.ts"
import { operatorClient } from "../outbound/OperatorClient.ts"
import { loggable, sayable } from "./LogText.ts"

const guarded = <Output>(logger: Logger.Logger<unknown, Output>) =>
  Logger.make((options) =>
    logger.log({ ...options, message: loggable(options.message), cause: sayable(options.cause) }),
  )

/** The text of a line, and its fields: an object, or another value as `value`. Messages have the form `log(text, fields)`. */
const textAndFields = (message: unknown): { readonly text: string; readonly fields: object } => {
  const [first, ...others] = Array.isArray(message) ? message : [message]
  const text = typeof first === "string" ? first : JSON.stringify(first)
  const fields = others.map((one) => (Predicate.isObject(one) ? one : { value: one }))
  return { text, fields: Object.assign({}, ...fields) }
}

/** One shape for all lines: `message` is a text, and its fields are beside it. */
export const jsonLine = guarded(
  Logger.make((options) => {
    const { fields, text } = textAndFields(options.message)
    const { annotations, cause, level, message, spans, timestamp } = Logger.formatStructured.log({
      ...options,
      message: text,
    })
    const span = Context.getOrUndefined(options.fiber.context, Tracer.ParentSpan)
    // without a collector, spans have no ids
    const ids = span === undefined || span.traceId === "noop" ? {} : { trace_id: span.traceId, span_id: span.spanId }
    return JSON.stringify({ ...fields, ...annotations, ...spans, timestamp, level, message, cause, ...ids })
  }),
)

/** Not kept: request URLs, which contain candidates' links, client addresses, outbound URLs. */
const keptAttributes = new Set([
  "db.operation.name",
  "db.query.text",
  "db.system.name",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "interview.attempt",
  "interview.job",
  "url.scheme",
])

const isKept = (traceId: string, share: number): boolean =>
  share >= 1 || Number.parseInt(traceId.slice(-13), 16) < share * 16 ** 13

/** `error.type` and `db.response.status_code`: what failed, without a value. A client that left is no error. */
const errorAttributes = (
  status: unknown,
  exit: Exit.Exit<unknown, unknown>,
): ReadonlyArray<readonly [string, string]> => {
  if (typeof status === "number") return status >= 500 ? [["error.type", String(status)]] : []
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return []
  const error = Cause.squash(exit.cause)
  const state = sqlStateOf(error)
  const type = Predicate.hasProperty(error, "_tag")
    ? String(error._tag)
    : error instanceof Error
      ? error.name
      : "_OTHER"
  return state === undefined
    ? [["error.type", type]]
    : [
        ["error.type", state],
        ["db.response.status_code", state],
      ]
}

/**
 * Samples traces that begin here; others keep their caller's decision. Names and attributes are those of OpenTelemetry's semantic
 * conventions for HTTP and databases, without `url.path`: it can contain a candidate's link.
 */
export const guardedTracer = (tracer: Tracer.Tracer, share: number): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const original = tracer.span(options)
      const isDropped = original.sampled && Option.isNone(original.parent) && !isKept(original.traceId, share)
      const span = isDropped ? tracer.span({ ...options, sampled: false }) : original
      if (!span.sampled) return span
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      span.attribute = (key, value) => {
        if (!keptAttributes.has(key)) return
        attribute(key, value)
        // the exporter reads the name when the span ends
        if (key === "http.route") Object.assign(span, { name: `${options.name} ${String(value)}` })
      }
      span.end = (at, exit) => {
        for (const [key, value] of errorAttributes(span.attributes.get("http.response.status_code"), exit))
          attribute(key, value)
        end(at, Exit.isFailure(exit) ? Exit.failCause(sayable(exit.cause)) : exit)
      }
      return span
    },
  })

const untraced = Layer.succeed(
  HttpMiddleware.TracerDisabledWhen,
  ({ url }) => url.startsWith("/health/") || url.startsWith("/metrics") || url.startsWith("/assets/"),
)

const console = ({ logFormat }: Settings) =>
  logFormat === "json" ? Logger.withConsoleLog(jsonLine) : guarded(Logger.consolePretty())

/** After this time an export is dropped, so that waiting exports cannot fill the memory. */
const patience = "10 seconds"

/** Logs when a collector starts to fail and when it recovers; effect's exporter logs at debug level only. */
export const watched = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
  const failing = new Set<string>()
  const report = (url: string, error: string | undefined) => {
    if (failing.has(url) === (error !== undefined)) return Effect.void
    if (error === undefined) {
      failing.delete(url)
      return Effect.logInfo(`${url} accepts exports again`)
    }
    failing.add(url)
    return Effect.logWarning(`${url} rejects exports, which are dropped: ${error}`)
  }
  return HttpClient.transform(client, (answer, { url }) =>
    answer.pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.die(new Error(`no answer in ${patience}`)) }),
      Effect.onExit((exit) => {
        if (Exit.isSuccess(exit))
          return report(url, exit.value.status < 300 ? undefined : `status ${exit.value.status}`)
        return Exit.hasInterrupts(exit) ? Effect.void : report(url, Cause.prettyErrors(exit.cause)[0]?.message ?? "")
      }),
    ),
  )
}

const toCollector = (config: Settings, telemetry: NonNullable<Settings["telemetry"]>) => {
  const { attributes, endpoint, headers, logs, protocol, serviceName, share, traces } = telemetry
  const exported = (signal: "logs" | "traces") => ({
    url: `${endpoint}/v1/${signal}`,
    headers: Redacted.value(headers),
    // attributes of the settings come last: they may name another version
    resource: { serviceName, attributes: { "service.version": version, ...attributes } },
  })
  const otlpLogger = Effect.map(OtlpLogger.make(exported("logs")), guarded)
  const tracer = Effect.map(OtlpTracer.make(exported("traces")), (otlp) => guardedTracer(otlp, share))
  return Layer.mergeAll(
    Logger.layer(logs === "otlp" ? [console(config), otlpLogger] : [console(config)]),
    traces === "otlp" ? Layer.merge(Layer.effect(Tracer.Tracer, tracer), untraced) : Layer.empty,
    Layer.succeed(References.TracerEnabled, traces === "otlp"),
  ).pipe(
    Layer.provide([
      Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, watched)).pipe(
        Layer.provide(
          config.outboundProxy === undefined ? FetchHttpClient.layer : operatorClient(config.outboundProxy),
        ),
      ),
      OtlpExporter.layerFlusher,
      protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
      // the exporters' own logs are not exported
      Logger.layer([console(config)]),
    ]),
  )
}

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* Config
    const { logLevel, telemetry } = config
    return Layer.merge(
      telemetry === undefined
        ? Layer.merge(Logger.layer([console(config)]), Layer.succeed(References.TracerEnabled, false))
        : toCollector(config, telemetry),
      Layer.succeed(References.MinimumLogLevel, logLevel),
    )
  }),
)
