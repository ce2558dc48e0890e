/**
 * Logs: lines of JSON with trace and span ids for machines, plain text for people; and to a collector, where one is named.
 *
 * Spans: HTTP gives each request one, sql each statement and transaction, services their operations (Effect.fn), and a
 * worker each attempt of a job whose request is followed. Handlers, repositories and the steps inside an operation have
 * none of their own (Effect.fnUntraced): they would repeat those, and a call that has one costs some 10 µs more. They are
 * made where a collector receives them and nowhere else: they are a fifth of what an invite of one candidate costs.
 *
 * Neither logs nor spans hold secrets or personal data (platform/telemetry/LogText.ts).
 */
import { Cause, Context, Effect, Exit, Layer, Logger, Option, Redacted, References, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpSerialization, OtlpTracer } from "effect/observability"
import { Config, type Settings } from "../../config/Config.ts"
import { loggable, sayable } from "./LogText.ts"

/** A logger that is told nothing that may not leave the service. */
const guarded = <Output>(logger: Logger.Logger<unknown, Output>) =>
  Logger.make((options) =>
    logger.log({ ...options, message: loggable(options.message), cause: sayable(options.cause) }),
  )

/** effect's structured JSON with the ids of the span that the line was written in. */
export const jsonLine = guarded(
  Logger.make((options) => {
    const span = Context.getOrUndefined(options.fiber.context, Tracer.ParentSpan)
    // where nobody receives traces, spans are there and have no ids
    const ids = span === undefined || span.traceId === "noop" ? {} : { traceId: span.traceId, spanId: span.spanId }
    return JSON.stringify({ ...Logger.formatStructured.log(options), ...ids })
  }),
)

/**
 * What a span may say. Not among it: addresses of requests, which hold candidates' links; those of clients; and what
 * outbound requests ask for.
 */
const shown = new Set([
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

/** The traces that begin here and are kept: an even share, told by the id, which is random. */
const isKept = (traceId: string, share: number): boolean =>
  share >= 1 || Number.parseInt(traceId.slice(-13), 16) < share * 16 ** 13

/** Spans that say what they may, of the traces that are kept. A trace that began elsewhere was decided on there. */
export const guardedTracer = (tracer: Tracer.Tracer, share: number): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const made = tracer.span(options)
      const isDropped = made.sampled && Option.isNone(made.parent) && !isKept(made.traceId, share)
      const span = isDropped ? tracer.span({ ...options, sampled: false }) : made
      if (!span.sampled) return span
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      span.attribute = (key, value) => (shown.has(key) ? attribute(key, value) : undefined)
      span.end = (at, exit) => end(at, Exit.isFailure(exit) ? Exit.failCause(sayable(exit.cause)) : exit)
      return span
    },
  })

/** Nobody follows what probes and Prometheus ask, every few seconds. */
const untraced = Layer.succeed(
  HttpMiddleware.TracerDisabledWhen,
  ({ url }) => url.startsWith("/health/") || url.startsWith("/metrics") || url.startsWith("/assets/"),
)

const console = ({ logFormat }: Settings) =>
  logFormat === "json" ? Logger.withConsoleLog(jsonLine) : guarded(Logger.consolePretty())

/** A collector that does not answer is given up, with what was on its way: none of it may fill the memory. */
const patience = "10 seconds"

/**
 * Says when a collector does not take what it is sent, and when it does again; the exporter drops it and tries no more for a
 * minute, without a word.
 */
export const watched = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
  const failing = new Set<string>()
  const told = (url: string, fault: string | undefined) => {
    if (failing.has(url) === (fault !== undefined)) return Effect.void
    if (fault === undefined) {
      failing.delete(url)
      return Effect.logInfo(`${url} takes what it is sent again`)
    }
    failing.add(url)
    return Effect.logWarning(`${url} does not take what it is sent, which is lost: ${fault}`)
  }
  return HttpClient.transform(client, (answer, { url }) =>
    answer.pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.die(new Error(`no answer in ${patience}`)) }),
      Effect.onExit((exit) => {
        if (Exit.isSuccess(exit)) return told(url, exit.value.status < 300 ? undefined : `status ${exit.value.status}`)
        return Exit.hasInterrupts(exit) ? Effect.void : told(url, Cause.prettyErrors(exit.cause)[0]?.message ?? "")
      }),
    ),
  )
}

const toCollector = (config: Settings, telemetry: NonNullable<Settings["telemetry"]>) => {
  const { attributes, endpoint, headers, logs, protocol, serviceName, share, traces } = telemetry
  const exported = (signal: "logs" | "traces") => ({
    url: `${endpoint}/v1/${signal}`,
    headers: Redacted.value(headers),
    resource: { serviceName, attributes },
  })
  const otlpLogger = Effect.map(OtlpLogger.make(exported("logs")), guarded)
  const tracer = Effect.map(OtlpTracer.make(exported("traces")), (made) => guardedTracer(made, share))
  return Layer.mergeAll(
    Logger.layer(logs === "otlp" ? [console(config), otlpLogger] : [console(config)]),
    traces === "otlp" ? Layer.merge(Layer.effect(Tracer.Tracer, tracer), untraced) : Layer.empty,
    Layer.succeed(References.TracerEnabled, traces === "otlp"),
  ).pipe(
    Layer.provide([
      Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, watched)).pipe(
        Layer.provide(FetchHttpClient.layer),
      ),
      OtlpExporter.layerFlusher,
      protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
      // what the exporters themselves say stays here
      Logger.layer([console(config)]),
    ]),
  )
}

/** LOG_LEVEL, LOG_FORMAT, and what OTEL_EXPORTER_OTLP_ENDPOINT and its kin ask for. */
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
