/**
 * Every setting: its name in the environment, its default, one line of what it does. Wrong values stop the start, with
 * one line for each that names the setting. Durations are written as in Effect ("2 minutes", "500 millis").
 */
import { createPublicKey, type KeyObject } from "node:crypto"
import {
  ByteSize,
  Context,
  Duration,
  Effect,
  Layer,
  LogLevel,
  Option,
  Redacted,
  Result,
  Schema,
  Config as Setting,
} from "effect"
import { type Mailbox, parseMailbox } from "./domain/EmailAddress.ts"
import { AllowedNetworks } from "./domain/OutboundAddress.ts"
import * as RetryPolicy from "./domain/RetryPolicy.ts"

/** Settings are missing or wrong: each in one line that begins with its name. */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", { message: Schema.String }) {}

/**
 * EMAIL_FROM, `jobs@acme.example` or `Acme <jobs@acme.example>` · SMTP_URL, smtp:// or smtps:// with user and password ·
 * SENDGRID_API_KEY: what each way of sending needs.
 */
export type EmailSettings =
  | { readonly _tag: "mailbox" }
  | { readonly _tag: "smtp"; readonly url: Redacted.Redacted; readonly from: Mailbox }
  | { readonly _tag: "sendgrid"; readonly apiKey: Redacted.Redacted; readonly from: Mailbox }

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
  /** EVALUATOR, keyword: who rates answers. */
  readonly evaluator: "keyword"
  /** LOG_LEVEL, Info */
  readonly logLevel: LogLevel.LogLevel
  /** LOG_FORMAT, json under `serve`, pretty otherwise */
  readonly logFormat: "json" | "pretty"
}

const wrong = (name: string, why: string) => new ConfigInvalid({ message: `${name}: ${why}` })

/** Reads settings that do not need each other; its error names all that are missing or wrong. */
const together = Effect.fnUntraced(function* <A extends object>(
  settings: {
    readonly [Name in keyof A]: Effect.Effect<A[Name], ConfigInvalid>
  },
) {
  const found: Partial<A> = {}
  const faults: Array<string> = []
  for (const name in settings) {
    const result = yield* Effect.result(settings[name])
    if (Result.isSuccess(result)) found[name] = result.success
    else faults.push(result.failure.message)
  }
  if (faults.length > 0) return yield* new ConfigInvalid({ message: faults.join("\n") })
  // what is not there is a fault
  return found as A
})

/** Reads one setting; its error is one line that names it. Without a default it is required; empty is as good as absent. */
const setting = <A>(name: string, config: Setting.Config<A>, expected: string, fallback?: A) =>
  Effect.gen(function* () {
    return yield* Setting.option(config)
  }).pipe(
    Effect.mapError(() => wrong(name, `must be ${expected}`)),
    Effect.flatMap((found) => {
      if (Option.isSome(found)) return Effect.succeed(found.value)
      return fallback === undefined ? Effect.fail(wrong(name, `is required: ${expected}`)) : Effect.succeed(fallback)
    }),
  )

const count = (name: string, fallback: number, least = 1, most = 2 ** 31 - 1) => {
  const whole = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: least, maximum: most }))
  return setting(name, Setting.schema(whole, name), `a whole number from ${least} to ${most}`, fallback)
}

const oneOf = <const L extends string>(name: string, literals: ReadonlyArray<L>, fallback?: L) =>
  setting(name, Setting.Literals(literals, name), literals.join(" or "), fallback)

/** Within bounds: above zero unless zero means something, and no longer than the clocks it is used with can count. */
const duration = (
  name: string,
  fallback: Duration.Input,
  bounds: { readonly least?: Duration.Input; readonly most?: Duration.Input } = {},
  otherwise = "",
) => {
  const least = Duration.fromInputUnsafe(bounds.least ?? "1 millis")
  const most = Duration.fromInputUnsafe(bounds.most ?? "3650 days")
  const expected = 'a duration like "2 minutes"'
  return setting(name, Setting.Duration(name), expected + otherwise, Duration.fromInputUnsafe(fallback)).pipe(
    Effect.filterOrFail(
      (found) => Duration.between(found, { minimum: least, maximum: most }),
      () => wrong(name, `must be ${expected}, from ${Duration.format(least)} to ${Duration.format(most)}${otherwise}`),
    ),
  )
}

/** A duration, or `none`. */
const durationOrNone = (name: string, fallback: Duration.Input, bounds: Parameters<typeof duration>[2]) =>
  Effect.flatMap(setting(name, Setting.String(name), "a duration, or none", ""), (given) =>
    given.trim() === "none" ? Effect.undefined : duration(name, fallback, bounds, ", or none"),
  )

const size = (name: string, fallback: ByteSize.ByteSize) => {
  const expected = 'a size like "2 MiB"'
  return setting(name, Setting.ByteSize(name), expected, fallback).pipe(
    Effect.filterOrFail(
      (found) => found > 0n,
      () => wrong(name, `must be ${expected}`),
    ),
  )
}

const url = (name: string, fallback: string) =>
  setting(name, Setting.URL(name), "an http or https address", new URL(fallback)).pipe(
    Effect.flatMap((found) =>
      found.protocol === "http:" || found.protocol === "https:"
        ? Effect.succeed(found.href.replace(/\/$/, ""))
        : Effect.fail(wrong(name, "must be an http or https address")),
    ),
  )

const networks = (name: string) =>
  setting(name, Setting.schema(AllowedNetworks, name), "networks like 127.0.0.0/8 or ::1/128, separated by commas", [])

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

const fromForm = "an address like Acme <jobs@acme.example>"
const smtpForm = "an address like smtps://user:password@host or smtp://user:password@host:587"
const smtpRules =
  "nothing may stand behind the port, and in user and password %40 stands for @, %3A for :, %2F for /, %23 for #, %3F for ?, %25 for %"
const eventsKeyForm = "the verification key of SendGrid's signed Event Webhook, base64"

const emailNeeds = {
  mailbox: [],
  smtp: ["SMTP_URL", "EMAIL_FROM"],
  sendgrid: ["SENDGRID_API_KEY", "SENDGRID_EVENTS_KEY", "EMAIL_FROM"],
} as const

const present = (name: string) =>
  Effect.map(Effect.option(Setting.NonEmptyString(name)), (found) => Option.isSome(found) && found.value.trim() !== "")

const emailFrom = Effect.gen(function* () {
  const from = parseMailbox(yield* setting("EMAIL_FROM", Setting.String("EMAIL_FROM"), fromForm))
  return from ?? (yield* wrong("EMAIL_FROM", `must be ${fromForm}`))
})

/** True of user and password whose percent signs all stand for a character. */
const isDecodable = ({ password, username }: URL): boolean => {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

const smtpUrl = Effect.gen(function* () {
  const url = yield* setting("SMTP_URL", Setting.Redacted("SMTP_URL"), smtpForm)
  const text = Redacted.value(url)
  // nothing behind the port: what it could ask for here is not for an address to say
  const isSmtp = URL.canParse(text) && /^smtps?:\/\/[^/?#]*[^/?#@]\/?$/.test(text) && isDecodable(new URL(text))
  return isSmtp ? url : yield* wrong("SMTP_URL", `must be ${smtpForm}: ${smtpRules}`)
})

/** What EMAIL chooses. What that way lacks is told in one line, all of it. */
const email = Effect.gen(function* (): Effect.fn.Return<EmailSettings, ConfigInvalid> {
  const _tag = yield* oneOf("EMAIL", ["mailbox", "smtp", "sendgrid"])
  const missing = yield* Effect.filter(emailNeeds[_tag], (name) => Effect.map(present(name), (is) => !is))
  if (missing.length > 0) {
    return yield* wrong(missing.join(", "), `${missing.length === 1 ? "is" : "are"} required with EMAIL=${_tag}`)
  }
  switch (_tag) {
    case "mailbox":
      return { _tag }
    case "smtp":
      return { _tag, ...(yield* together({ url: smtpUrl, from: emailFrom })) }
    case "sendgrid": {
      const apiKey = setting("SENDGRID_API_KEY", Setting.Redacted("SENDGRID_API_KEY"), "an API key")
      return { _tag, ...(yield* together({ apiKey, from: emailFrom })) }
    }
  }
})

const sendgridEventsKey = Effect.gen(function* () {
  const text = yield* setting("SENDGRID_EVENTS_KEY", Setting.String("SENDGRID_EVENTS_KEY"), eventsKeyForm, "")
  if (text === "") return undefined
  const invalid = wrong("SENDGRID_EVENTS_KEY", `must be ${eventsKeyForm}`)
  const key = yield* Effect.try({
    try: () => createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" }),
    catch: () => invalid,
  })
  return key.asymmetricKeyType === "ec" ? key : yield* invalid
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
    email,
    sendgridEventsKey,
    evaluator: oneOf("EVALUATOR", ["keyword"], "keyword"),
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
