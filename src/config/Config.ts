/**
 * All settings, read from the environment and described in SettingsTable.ts. Wrong settings stop the start, with one
 * line each.
 */
import { type ByteSize, Context, type Duration, Effect, Layer, LogLevel, Redacted, Config as Setting } from "effect"
import type { AllowedNetworks } from "../values/OutboundAddress.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import type * as RetryPolicy from "../values/RetryPolicy.ts"
import {
  cvOcr,
  type EvaluatorSettings,
  embeddings,
  evaluator,
  type FileSettings,
  files,
  type ModelSettings,
  outboundProxy,
  transcriber,
} from "./AdapterSettings.ts"
import { readDatabaseUrl } from "./DatabaseUrl.ts"
import {
  type BounceMailboxSettings,
  bounceMailbox,
  type EmailEventSettings,
  type EmailSettings,
  email,
  emailEvents,
} from "./EmailSettings.ts"
import { type OpenIdSettings, openId } from "./OpenIdSettings.ts"
import {
  bindAddress,
  type ConfigInvalid,
  count,
  duration,
  durationOrNone,
  hosts,
  httpUrl,
  isSet,
  networks,
  oneOf,
  rootUrl,
  secretObjects,
  setting,
  size,
  someOf,
  together,
  wrong,
} from "./SettingReaders.ts"
import type { Name } from "./SettingsTable.ts"
import { metricsToken, type TelemetrySettings, telemetry } from "./TelemetrySettings.ts"

export { version } from "./Version.ts"

const roleNames = ["api", "worker"] as const
export type Role = (typeof roleNames)[number]

export interface Settings {
  readonly port: number
  /** Undefined: all addresses of the machine. */
  readonly host: string | undefined
  /** Without a trailing slash, like `appUrl`. */
  readonly apiUrl: string
  readonly appUrl: string
  readonly databasePool: number
  /** The first encrypts and signs; all are accepted. */
  readonly secretKeys: ReadonlyArray<Redacted.Redacted<Uint8Array>>
  readonly maxBody: ByteSize.ByteSize
  readonly rateLimit: number
  readonly requestLogDays: number
  readonly inviteMaxCandidates: number
  readonly invitationExpires: Duration.Duration
  /** Undefined: no reminders. */
  readonly invitationReminder: Duration.Duration | undefined
  readonly improvementWindow: Duration.Duration
  readonly heldEventsInterval: Duration.Duration
  readonly webhookRetry: RetryPolicy.RetryOptions
  readonly webhookTimeout: Duration.Duration
  readonly webhookDeactivateAfter: number
  readonly webhookProbeFirst: Duration.Duration
  readonly webhookProbeFor: Duration.Duration
  readonly webhookConcurrency: number
  readonly webhookEndpointConcurrency: number
  readonly webhookSecretOverlap: Duration.Duration
  readonly webhookRetention: Duration.Duration
  readonly outboundAllow: AllowedNetworks
  readonly outboundProxy: OutboundProxy | undefined
  /** Like url.host. */
  readonly hiringSystemHosts: ReadonlySet<string>
  /** The operator's credentials at vendors of hiring systems: by system, then by the connector's field. */
  readonly hiringSystemPartners: Redacted.Redacted<Readonly<Record<string, Readonly<Record<string, string>>>>>
  readonly email: EmailSettings
  readonly emailEvents: EmailEventSettings
  /** Undefined: none is read. */
  readonly bounceMailbox: BounceMailboxSettings | undefined
  readonly trustedProxies: AllowedNetworks
  readonly metricsToken: Redacted.Redacted | undefined
  /** Undefined: no export. */
  readonly telemetry: TelemetrySettings | undefined
  /** Undefined: sign-in by password only. */
  readonly openId: OpenIdSettings | undefined
  readonly evaluator: EvaluatorSettings
  /** Undefined: evaluations use no embeddings. */
  readonly embeddings: ModelSettings | undefined
  /** Undefined: recordings are not transcribed. */
  readonly transcriber: ModelSettings | undefined
  /** Bytes of one recording. */
  readonly recordingMaxSize: ByteSize.ByteSize
  /** Of all recordings in Postgres. */
  readonly recordingsWarnSize: ByteSize.ByteSize
  readonly cvOcr: boolean
  readonly files: FileSettings
  readonly roles: ReadonlySet<Role>
  readonly drainWait: Duration.Duration
  readonly keepAlive: Duration.Duration
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: "json" | "pretty"
}

const keyForm = "base64 of 32 bytes, for example from: openssl rand -base64 32"

export const secretKeys = Effect.gen(function* () {
  const list = yield* setting("SECRET_KEY", Setting.Redacted("SECRET_KEY"), keyForm)
  const keys = Redacted.value(list)
    .split(",")
    .map((key) => new Uint8Array(Buffer.from(key.trim(), "base64")))
  return keys.every((key) => key.byteLength === 32)
    ? keys.map((key) => Redacted.make(key))
    : yield* wrong("SECRET_KEY", `must be ${keyForm}`)
})

const port = count("PORT", 0, 65535)
const host = bindAddress("HOST")

export const listener = together({ port, host })

const here = Effect.map(
  Effect.orElseSucceed(port, () => 8080),
  (found) => `http://localhost:${found}`,
)
const apiUrl = Effect.flatMap(here, (fallback) => httpUrl("API_URL", fallback))
const appUrl = Effect.flatMap(here, (fallback) => rootUrl("APP_URL", fallback))

export const settings: Effect.Effect<Settings, ConfigInvalid> = together({
  port,
  host,
  apiUrl,
  appUrl,
  databasePool: count("DATABASE_POOL", 2),
  secretKeys,
  maxBody: size("MAX_BODY"),
  recordingMaxSize: size("RECORDING_MAX_SIZE"),
  recordingsWarnSize: size("RECORDINGS_WARN_SIZE"),
  rateLimit: count("RATE_LIMIT", 0),
  requestLogDays: count("REQUEST_LOG_DAYS", 1, 90),
  // a candidate has up to 7 of the 20,000 values of a request (values/Json.ts)
  inviteMaxCandidates: count("INVITE_MAX_CANDIDATES", 1, 2_500),
  invitationExpires: duration("INVITATION_EXPIRES"),
  invitationReminder: durationOrNone("INVITATION_REMINDER", { min: "1 minute", max: "365 days" }),
  improvementWindow: duration("IMPROVEMENT_WINDOW", { min: 0 }),
  heldEventsInterval: duration("HELD_EVENTS_INTERVAL", { max: "1 day" }),
  webhookRetry: together({
    first: duration("WEBHOOK_RETRY_FIRST"),
    cap: duration("WEBHOOK_RETRY_CAP"),
    times: count("WEBHOOK_RETRY_TIMES", 0),
  }),
  webhookTimeout: duration("WEBHOOK_TIMEOUT", { max: "10 minutes" }),
  webhookDeactivateAfter: count("WEBHOOK_DEACTIVATE_AFTER"),
  webhookProbeFirst: duration("WEBHOOK_PROBE_FIRST", { min: 0, max: "1 day" }),
  webhookProbeFor: duration("WEBHOOK_PROBE_FOR", { max: "30 days" }),
  webhookConcurrency: count("WEBHOOK_CONCURRENCY"),
  webhookEndpointConcurrency: count("WEBHOOK_ENDPOINT_CONCURRENCY"),
  webhookSecretOverlap: duration("WEBHOOK_SECRET_OVERLAP", { min: 0 }),
  webhookRetention: duration("WEBHOOK_RETENTION", { min: "1 day" }),
  outboundAllow: networks("OUTBOUND_ALLOW"),
  outboundProxy,
  hiringSystemHosts: hosts("HIRING_SYSTEM_HOSTS"),
  hiringSystemPartners: secretObjects("HIRING_SYSTEM_PARTNERS"),
  trustedProxies: networks("TRUSTED_PROXIES"),
  openId,
  email,
  emailEvents,
  bounceMailbox,
  metricsToken,
  telemetry,
  evaluator,
  embeddings,
  transcriber,
  cvOcr,
  files,
  roles: someOf("ROLES", roleNames),
  drainWait: duration("DRAIN_WAIT", { min: 0, max: "10 minutes" }),
  keepAlive: duration("KEEP_ALIVE", { min: "1 second", max: "1 hour" }),
  logLevel: oneOf("LOG_LEVEL", LogLevel.values),
  logFormat: oneOf("LOG_FORMAT", ["json", "pretty"]),
})

const addressForm = "an address like postgres://user:password@host:5432/database"

const isAddress = (url: Redacted.Redacted) => /^postgres(ql)?:\/\/./.test(Redacted.value(url))

/** Of target_session_attrs: connections always go to a server that accepts writes, those of the replica to standbys. */
const targets = {
  primary: ["any", "read-write", "primary"],
  standby: ["any", "read-only", "standby", "prefer-standby"],
} as const

const readable = Effect.fnUntraced(function* (name: Name, url: Redacted.Redacted) {
  if (!isAddress(url)) return yield* wrong(name, `must be ${addressForm}`)
  const address = yield* Effect.mapError(Effect.fromResult(readDatabaseUrl(url)), (why) => wrong(name, why))
  const target = address.parameters.get("target_session_attrs") ?? "any"
  const allowed = name === "DATABASE_REPLICA_URL" ? targets.standby : targets.primary
  return allowed.some((one) => one === target)
    ? url
    : yield* wrong(name, `target_session_attrs must be ${allowed.join(" or ")}`)
})

// at most 30: with it, the names of the channel and the application stay below the 63 bytes that Postgres keeps
const schemaForm = /^(?!pg_)[a-z_][a-z0-9_]{0,29}$/

const schemaOf = Effect.gen(function* () {
  const schema = yield* setting("DATABASE_SCHEMA", Setting.NonEmptyString("DATABASE_SCHEMA"), "a name")
  return schemaForm.test(schema)
    ? schema
    : yield* wrong(
        "DATABASE_SCHEMA",
        "must be at most 30 of a-z, 0-9 and _, and begin with a letter or _, but not with pg_",
      )
})

/** Undefined if the setting is absent. */
const optionalAddress = Effect.fnUntraced(function* (name: Name) {
  const url = yield* setting(name, Setting.Redacted(name), addressForm, Redacted.make(""))
  if (Redacted.value(url) === "") return undefined
  return yield* readable(name, url)
})

/** Only pods read it. */
export const replicaUrl = optionalAddress("DATABASE_REPLICA_URL")

/** Read separately: `migrate` needs nothing else, `npm start` does not need it. */
export const databaseUrls = Effect.gen(function* () {
  const url = yield* setting("DATABASE_URL", Setting.Redacted("DATABASE_URL"), addressForm)
  yield* readable("DATABASE_URL", url)
  return { url, directUrl: yield* optionalAddress("DATABASE_DIRECT_URL"), schema: yield* schemaOf }
})

/** Only `organization move` reads them. */
export const moveUrls = Effect.gen(function* () {
  const { directUrl, schema, url } = yield* databaseUrls
  const target = yield* setting("MOVE_TARGET_URL", Setting.Redacted("MOVE_TARGET_URL"), addressForm)
  yield* readable("MOVE_TARGET_URL", target)
  const own = directUrl ?? url
  const source = yield* setting("MOVE_SOURCE_URL", Setting.Redacted("MOVE_SOURCE_URL"), addressForm, own)
  // its parameters are libpq's, of the target's server
  if (!isAddress(source)) return yield* wrong("MOVE_SOURCE_URL", `must be ${addressForm}`)
  return { own, source, target, schema }
})

export const dataDir = setting("DATA_DIR", Setting.NonEmptyString("DATA_DIR"), "text")

/** Candidates cannot open links to the default, http://localhost. A wrong EMAIL is reported by `settings`. */
const linksWork = Effect.gen(function* () {
  const sent = yield* Effect.orElseSucceed(email, () => undefined)
  if (sent === undefined || sent._tag === "mailbox" || sent._tag === "own") return
  if (yield* isSet("APP_URL")) return
  return yield* wrong("APP_URL", `is required with EMAIL=${sent._tag}: links in emails begin with it`)
})

/** `email test` needs nothing else. */
export const emailTest = together({ appUrl, email, outboundProxy })

export class Config extends Context.Service<Config, Settings>()("interview-invitations/config/Config") {
  static readonly layer = Layer.effect(Config, settings)
  /** Also reports a wrong DATABASE_URL, DATABASE_DIRECT_URL or DATABASE_REPLICA_URL. */
  static readonly layerOfServer = Layer.effect(
    Config,
    Effect.map(together({ databaseUrls, replicaUrl, linksWork, settings }), (read) => read.settings),
  )
}
