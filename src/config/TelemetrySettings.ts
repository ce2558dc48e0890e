/** METRICS_TOKEN and OpenTelemetry's standard settings. */
import { Effect, Redacted, Config as Setting } from "effect"
import { type ConfigInvalid, httpUrl, oneOf, setting, together, wrong } from "./SettingReaders.ts"
import type { Name } from "./SettingsTable.ts"
import { version } from "./Version.ts"

const shareForm = "a number from 0 to 1"

/** `endpoint` is the base of /v1/traces and /v1/logs. */
export interface TelemetrySettings {
  readonly endpoint: string
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly protocol: "http/protobuf" | "http/json"
  readonly traces: "otlp" | "none"
  readonly logs: "otlp" | "none"
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
  /** Sampled share of the traces that begin here. */
  readonly share: number
}

const tokenForm = "16 to 256 letters, digits and signs without blanks, for example from: openssl rand -hex 32"

export const metricsToken = Effect.gen(function* () {
  const token = yield* setting("METRICS_TOKEN", Setting.Redacted("METRICS_TOKEN"), tokenForm, Redacted.make(""))
  const text = Redacted.value(token).trim()
  if (text === "") return undefined
  return /^[\x21-\x7e]{16,256}$/.test(text)
    ? Redacted.make(text)
    : yield* wrong("METRICS_TOKEN", `must be ${tokenForm}`)
})

/** W3C Baggage, percent-encoded, as OpenTelemetry uses it. */
const pairs = (name: Name) =>
  Effect.gen(function* () {
    const form = "a list like name=value,other=value"
    const text = Redacted.value(yield* setting(name, Setting.Redacted(name), form, Redacted.make("")))
    const entries = text
      .split(",")
      .filter((part) => part.trim() !== "")
      .map((part) => /^\s*([^=\s]+)\s*=(.*)$/s.exec(part))
    return yield* Effect.try({
      try: () =>
        Object.fromEntries(
          entries.map((entry) => {
            if (entry === null) throw new Error(form)
            const [, key = "", value = ""] = entry
            return [decodeURIComponent(key), decodeURIComponent(value.trim())]
          }),
        ),
      catch: () => wrong(name, `must be ${form}`),
    })
  })

const share = Effect.gen(function* () {
  const sampler = yield* oneOf("OTEL_TRACES_SAMPLER", ["parentbased_always_on", "parentbased_traceidratio"])
  const name = "OTEL_TRACES_SAMPLER_ARG"
  const given = yield* setting(name, Setting.Number(name), shareForm)
  if (!(given >= 0 && given <= 1)) return yield* wrong(name, `must be ${shareForm}`)
  return sampler === "parentbased_always_on" ? 1 : given
})

const exporter = (signal: "LOGS" | "TRACES") => oneOf(`OTEL_${signal}_EXPORTER`, ["otlp", "none"])

export const telemetry = Effect.gen(function* (): Effect.fn.Return<TelemetrySettings | undefined, ConfigInvalid> {
  const name = "OTEL_EXPORTER_OTLP_ENDPOINT"
  const given = yield* setting(name, Setting.String(name), "an http or https address", "")
  const isDisabled = yield* setting("OTEL_SDK_DISABLED", Setting.Boolean("OTEL_SDK_DISABLED"), "true or false")
  if (given.trim() === "" || isDisabled) return undefined
  const serviceName = "OTEL_SERVICE_NAME"
  const found = yield* together({
    endpoint: httpUrl(name, "http://localhost:4318"),
    headers: Effect.map(pairs("OTEL_EXPORTER_OTLP_HEADERS"), (headers) => Redacted.make(headers)),
    protocol: oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", ["http/protobuf", "http/json"]),
    traces: exporter("TRACES"),
    logs: exporter("LOGS"),
    serviceName: setting(serviceName, Setting.NonEmptyString(serviceName), "a name", ""),
    attributes: pairs("OTEL_RESOURCE_ATTRIBUTES"),
    share,
  })
  const named = found.serviceName || (found.attributes["service.name"] ?? "interview-invitations")
  return { ...found, serviceName: named, attributes: { "service.version": version, ...found.attributes } }
})
