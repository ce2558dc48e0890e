/**
 * Every setting: its name in the environment, its default, one line of what it does. Wrong values stop the start, with
 * one line for each that names the setting. Durations are written as in Effect ("2 minutes", "500 millis").
 */
import type { KeyObject } from "node:crypto"
import { ByteSize, Context, type Duration, Effect, Layer, LogLevel, Redacted, Config as Setting } from "effect"
import { type EmailSettings, email, sendgridEventsKey } from "./config/Email.ts"
import { type EvaluatorSettings, evaluator } from "./config/Evaluator.ts"
import { type FileSettings, files } from "./config/Files.ts"
import { type OpenIdSettings, openId } from "./config/OpenId.ts"
import {
  type ConfigInvalid,
  count,
  duration,
  durationOrNone,
  networks,
  oneOf,
  setting,
  size,
  someOf,
  together,
  url,
  wrong,
} from "./config/Readers.ts"
import { metricsToken, type TelemetrySettings, telemetry } from "./config/Telemetry.ts"
import type { AllowedNetworks } from "./domain/OutboundAddress.ts"
import * as RetryPolicy from "./domain/RetryPolicy.ts"

const roleNames = ["api", "worker"] as const
export type Role = (typeof roleNames)[number]

export interface Settings {
  /** PORT, 8080: the HTTP port; 0 takes a free one. */
  readonly port: number
  /** API_URL, http://localhost:PORT: where hiring systems reach the API. */
  readonly apiUrl: string
  /** APP_URL, http://localhost:PORT: where people reach the pages; links in mails and events begin with it. */
  readonly appUrl: string
  /** DATABASE_POOL, 10: most connections to Postgres of one process. */
  readonly databasePool: number
  /** SECRET_KEY: base64 of 32 bytes; several, separated by commas: the first encrypts and signs, all are accepted. */
  readonly secretKeys: ReadonlyArray<Redacted.Redacted<Uint8Array>>
  /** MAX_BODY, 2 MiB: the largest request body. */
  readonly maxBody: ByteSize.ByteSize
  /** RATE_LIMIT, 600: most requests of one API key in a minute, counted by each process for itself; 0: no limit. */
  readonly rateLimit: number
  /** INVITE_MAX_CANDIDATES, 1000: most candidates in one invite request. */
  readonly inviteMaxCandidates: number
  /** INVITATION_EXPIRES, 30 days: how long a candidate can start the interview. */
  readonly invitationExpires: Duration.Duration
  /**
   * INVITATION_REMINDER, 3 days: how long before it expires an invitation that nobody started is followed by a reminder:
   * long enough that a weekend in between leaves a working day. none: no reminders, here undefined.
   */
  readonly invitationReminder: Duration.Duration | undefined
  /** IMPROVEMENT_WINDOW, 24 hours: how long a completed interview with retakes left can be submitted again; 0: not. */
  readonly improvementWindow: Duration.Duration
  /** HELD_EVENTS_INTERVAL, 10 minutes: how often evaluation events that waited for that window are sent. */
  readonly heldEventsInterval: Duration.Duration
  /** WEBHOOK_RETRY_FIRST, 2 minutes · WEBHOOK_RETRY_CAP, 2 hours · WEBHOOK_RETRY_TIMES, 5: the delivery Schedule. */
  readonly webhookRetry: RetryPolicy.RetryOptions
  /** WEBHOOK_TIMEOUT, 10 seconds: for one attempt, DNS to the last byte. */
  readonly webhookTimeout: Duration.Duration
  /** WEBHOOK_DEACTIVATE_AFTER, 15: failed attempts in a row that deactivate an endpoint. */
  readonly webhookDeactivateAfter: number
  /** WEBHOOK_CONCURRENCY, 400: most webhook requests of one process that are open at once. */
  readonly webhookConcurrency: number
  /** WEBHOOK_ENDPOINT_CONCURRENCY, 10: most of them to one endpoint. */
  readonly webhookEndpointConcurrency: number
  /** WEBHOOK_SECRET_OVERLAP, 24 hours: how long a replaced secret goes on signing beside the new one. */
  readonly webhookSecretOverlap: Duration.Duration
  /** WEBHOOK_RETENTION, 30 days: how long events and finished deliveries are kept. */
  readonly webhookRetention: Duration.Duration
  /** OUTBOUND_ALLOW, none: networks (CIDRs) that webhooks and CV links may reach although not public (OutboundAddress). */
  readonly outboundAllow: AllowedNetworks
  /** EMAIL: how mails leave, and what that way needs. mailbox keeps them in the database. */
  readonly email: EmailSettings
  /** SENDGRID_EVENTS_KEY: the verification key of SendGrid's signed Event Webhook, base64; required with sendgrid. */
  readonly sendgridEventsKey: KeyObject | undefined
  /**
   * TRUSTED_PROXIES, none: networks (CIDRs) of the proxies in front of this service. The client's address is taken from
   * their X-Forwarded-For, and only from theirs; attempts to sign in are counted by it.
   */
  readonly trustedProxies: AllowedNetworks
  /** METRICS_TOKEN, none: what Prometheus sends as a bearer to read /metrics; without it there is no such page. */
  readonly metricsToken: Redacted.Redacted | undefined
  /** OTEL_EXPORTER_OTLP_ENDPOINT and its kin: where traces and logs go beside stdout; nowhere unless told. */
  readonly telemetry: TelemetrySettings | undefined
  /** OIDC_ISSUER, none: where members sign in beside or instead of their password, and what that way needs. */
  readonly openId: OpenIdSettings | undefined
  /** EVALUATOR, keyword: who rates answers, and what that way needs. */
  readonly evaluator: EvaluatorSettings
  /** BLOB_STORE, postgres: where the content of files is kept, and the bucket that s3 needs. */
  readonly files: FileSettings
  /** ROLES, api,worker: what this process does: answer requests, perform what waits in the queues, or both. */
  readonly roles: ReadonlySet<Role>
  /**
   * DRAIN_WAIT, 5 seconds: how long a process under `serve` goes on answering after it was asked to stop, for whoever
   * routes traffic to learn of it.
   */
  readonly drainWait: Duration.Duration
  /** LOG_LEVEL, Info */
  readonly logLevel: LogLevel.LogLevel
  /** LOG_FORMAT, json under `serve`, pretty otherwise */
  readonly logFormat: "json" | "pretty"
}

const keyForm = "base64 of 32 bytes, for example from: openssl rand -base64 32"

const secretKeys = Effect.gen(function* () {
  const list = yield* setting("SECRET_KEY", Setting.Redacted("SECRET_KEY"), keyForm)
  const keys = Redacted.value(list)
    .split(",")
    .map((key) => new Uint8Array(Buffer.from(key.trim(), "base64")))
  return keys.every((key) => key.byteLength === 32)
    ? keys.map((key) => Redacted.make(key))
    : yield* wrong("SECRET_KEY", `must be ${keyForm}`)
})

/** Reads every setting from the ConfigProvider at hand. */
export const settings = Effect.gen(function* (): Effect.fn.Return<Settings, ConfigInvalid> {
  const port = count("PORT", 8080, 0, 65535)
  const here = `http://localhost:${yield* Effect.orElseSucceed(port, () => 8080)}`
  return yield* together({
    port,
    apiUrl: url("API_URL", here),
    appUrl: url("APP_URL", here),
    databasePool: count("DATABASE_POOL", 10, 2),
    secretKeys,
    maxBody: size("MAX_BODY", ByteSize.mebibytes(2)),
    rateLimit: count("RATE_LIMIT", 600, 0),
    inviteMaxCandidates: count("INVITE_MAX_CANDIDATES", 1000),
    invitationExpires: duration("INVITATION_EXPIRES", "30 days"),
    invitationReminder: durationOrNone("INVITATION_REMINDER", "3 days", { least: "1 minute", most: "365 days" }),
    improvementWindow: duration("IMPROVEMENT_WINDOW", "24 hours", { least: 0 }),
    heldEventsInterval: duration("HELD_EVENTS_INTERVAL", "10 minutes", { most: "1 day" }),
    webhookRetry: together({
      first: duration("WEBHOOK_RETRY_FIRST", RetryPolicy.webhook.first),
      cap: duration("WEBHOOK_RETRY_CAP", RetryPolicy.webhook.cap),
      times: count("WEBHOOK_RETRY_TIMES", RetryPolicy.webhook.times, 0),
    }),
    webhookTimeout: duration("WEBHOOK_TIMEOUT", "10 seconds", { most: "10 minutes" }),
    webhookDeactivateAfter: count("WEBHOOK_DEACTIVATE_AFTER", 15),
    webhookConcurrency: count("WEBHOOK_CONCURRENCY", 400),
    webhookEndpointConcurrency: count("WEBHOOK_ENDPOINT_CONCURRENCY", 10),
    webhookSecretOverlap: duration("WEBHOOK_SECRET_OVERLAP", "24 hours", { least: 0 }),
    webhookRetention: duration("WEBHOOK_RETENTION", "30 days", { least: "1 day" }),
    outboundAllow: networks("OUTBOUND_ALLOW"),
    trustedProxies: networks("TRUSTED_PROXIES"),
    openId,
    email,
    sendgridEventsKey,
    metricsToken,
    telemetry,
    evaluator,
    files,
    roles: someOf("ROLES", roleNames),
    drainWait: duration("DRAIN_WAIT", "5 seconds", { least: 0, most: "10 minutes" }),
    logLevel: oneOf("LOG_LEVEL", LogLevel.values, "Info"),
    logFormat: oneOf("LOG_FORMAT", ["json", "pretty"], "pretty"),
  })
})

const addressForm = "an address like postgres://user:password@host:5432/database"

/** DATABASE_URL, apart from the rest: `migrate` needs nothing else, and `npm start` can do without. */
export const databaseUrl = Effect.gen(function* () {
  const url = yield* setting("DATABASE_URL", Setting.Redacted("DATABASE_URL"), addressForm)
  if (/^postgres(ql)?:\/\/./.test(Redacted.value(url))) return url
  return yield* wrong("DATABASE_URL", `must be ${addressForm}`)
})

/** DATA_DIR, .data: what `npm start` keeps on this machine: its Postgres, its secret key, its demo data. */
export const dataDir = setting("DATA_DIR", Setting.NonEmptyString("DATA_DIR"), "text", ".data")

/** The settings as a service, for whoever needs them below App. */
export class Config extends Context.Service<Config, Settings>()("interview-invitations/Config") {
  static readonly layer = Layer.effect(Config, settings)
  /** For who needs DATABASE_URL too: what is wrong with it is told with the rest. */
  static readonly layerOfServer = Layer.effect(
    Config,
    Effect.map(together({ databaseUrl, settings }), ({ settings }) => settings),
  )
}
