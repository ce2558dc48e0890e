/** EMAIL, EVALUATOR, BLOB_STORE and the settings of the adapters that they choose. */
import { createPublicKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { Context, Effect, Redacted, Result, Config as Setting } from "effect"
import { type Mailbox, parseMailbox } from "../values/EmailAddress.ts"
import { ConfigInvalid, httpUrl, isSet, needed, oneOf, setting, together, wrong } from "./SettingReaders.ts"
import type { Name } from "./SettingsTable.ts"

export const smtpTls = ["required", "opportunistic", "none"] as const
export type SmtpTls = (typeof smtpTls)[number]

export type EmailSettings =
  | { readonly _tag: "mailbox" }
  | {
      readonly _tag: "smtp"
      readonly url: Redacted.Redacted
      readonly from: Mailbox
      readonly tls: SmtpTls
      /** PEM; null: only the usual authorities. */
      readonly authorities: string | null
    }
  | { readonly _tag: "sendgrid"; readonly apiKey: Redacted.Redacted; readonly from: Mailbox }
  /** The program has its own sender (Adapters.ts); EMAIL is not read. */
  | { readonly _tag: "own" }

export const OwnEmailSender = Context.Reference<boolean>("interview-invitations/config/OwnEmailSender", {
  defaultValue: () => false,
})

const fromForm = "an address like Acme <jobs@acme.example>"
const smtpForm = "an address like smtps://user:password@host or smtp://user:password@host:587"
const smtpRules =
  "nothing may follow the port; in user and password, write %40 for @, %3A for :, %2F for /, %23 for #, %3F for ?, %25 for %"
const eventsKeyForm = "the verification key of SendGrid's signed Event Webhook, base64"

const emailNeeds = {
  mailbox: [],
  smtp: ["SMTP_URL", "EMAIL_FROM"],
  sendgrid: ["SENDGRID_API_KEY", "SENDGRID_EVENTS_KEY", "EMAIL_FROM"],
} as const

const emailFrom = Effect.gen(function* () {
  const from = parseMailbox(yield* setting("EMAIL_FROM", Setting.String("EMAIL_FROM"), fromForm))
  return from ?? (yield* wrong("EMAIL_FROM", `must be ${fromForm}`))
})

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
  // nodemailer reads options from the part after the port
  const isSmtp = URL.canParse(text) && /^smtps?:\/\/[^/?#]*[^/?#@]\/?$/.test(text) && isDecodable(new URL(text))
  return isSmtp ? url : yield* wrong("SMTP_URL", `must be ${smtpForm}: ${smtpRules}`)
})

/** Wrong combinations are refused, not corrected: a password is never sent without TLS. */
const smtpSecurity = Effect.gen(function* () {
  const given = yield* setting("SMTP_TLS", Setting.String("SMTP_TLS"), smtpTls.join(" or "), "")
  const chosen = smtpTls.find((one) => one === given)
  if (given !== "" && chosen === undefined) return yield* wrong("SMTP_TLS", `must be ${smtpTls.join(" or ")}`)
  const text = Redacted.value(yield* setting("SMTP_URL", Setting.Redacted("SMTP_URL"), smtpForm, Redacted.make("")))
  const { password, protocol, username } = URL.parse(text) ?? { password: "", protocol: "", username: "" }
  const needsTls = protocol === "smtps:" || username + password !== ""
  if (needsTls && chosen !== undefined && chosen !== "required") {
    return yield* wrong("SMTP_TLS", "must be required when SMTP_URL begins with smtps:// or has a password")
  }
  return chosen ?? (needsTls ? "required" : "opportunistic")
})

const smtpAuthorities = Effect.gen(function* () {
  const path = yield* setting("SMTP_CA_FILE", Setting.String("SMTP_CA_FILE"), "a file with certificates (PEM)", "")
  if (path === "") return null
  const pem = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (error) =>
      wrong("SMTP_CA_FILE", `cannot be read: ${error instanceof Error ? error.message : String(error)}`),
  })
  const isCertificate = yield* Effect.orElseSucceed(
    Effect.try(() => new X509Certificate(pem).ca !== undefined),
    () => false,
  )
  return isCertificate ? pem : yield* wrong("SMTP_CA_FILE", "must be a file with certificates (PEM)")
})

export const email = Effect.gen(function* (): Effect.fn.Return<EmailSettings, ConfigInvalid> {
  if (yield* OwnEmailSender) return { _tag: "own" }
  const _tag = yield* oneOf("EMAIL", ["mailbox", "smtp", "sendgrid"])
  // wrong settings are reported together with missing ones
  const missing = yield* Effect.result(needed(emailNeeds[_tag], `EMAIL=${_tag}`))
  if (Result.isFailure(missing)) {
    const given = { SMTP_URL: smtpUrl, EMAIL_FROM: emailFrom, SMTP_TLS: smtpSecurity, SMTP_CA_FILE: smtpAuthorities }
    const ofSender: ReadonlyArray<readonly [string, Effect.Effect<unknown, ConfigInvalid>]> =
      _tag === "smtp" ? Object.entries(given) : [["EMAIL_FROM", emailFrom]]
    const messages = [missing.failure.message]
    for (const [name, read] of ofSender) {
      const found = (yield* isSet(name as Name)) ? yield* Effect.result(read) : undefined
      if (found !== undefined && Result.isFailure(found)) messages.push(found.failure.message)
    }
    return yield* new ConfigInvalid({ message: messages.join("\n") })
  }
  switch (_tag) {
    case "mailbox":
      return { _tag }
    case "smtp":
      return {
        _tag,
        ...(yield* together({ url: smtpUrl, from: emailFrom, tls: smtpSecurity, authorities: smtpAuthorities })),
      }
    case "sendgrid": {
      const apiKey = setting("SENDGRID_API_KEY", Setting.Redacted("SENDGRID_API_KEY"), "an API key")
      return { _tag, ...(yield* together({ apiKey, from: emailFrom })) }
    }
  }
})

export const sendgridEventsKey = Effect.gen(function* () {
  const text = yield* setting("SENDGRID_EVENTS_KEY", Setting.String("SENDGRID_EVENTS_KEY"), eventsKeyForm, "")
  if (text === "") return undefined
  const invalid = wrong("SENDGRID_EVENTS_KEY", `must be ${eventsKeyForm}`)
  const key = yield* Effect.try({
    try: () => createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" }),
    catch: () => invalid,
  })
  return key.asymmetricKeyType === "ec" ? key : yield* invalid
})

/** `url` is the base of /chat/completions, /embeddings or /audio/transcriptions, without a trailing slash. */
export interface ModelSettings {
  readonly url: string
  readonly name: string
  readonly key: Redacted.Redacted | undefined
}

export type EvaluatorSettings = { readonly _tag: "keyword" } | ({ readonly _tag: "model" } & ModelSettings)

const modelKey = Effect.fnUntraced(function* (name: Name) {
  const key = yield* setting(name, Setting.Redacted(name), "a key", Redacted.make(""))
  const text = Redacted.value(key).trim()
  if (!/^[\x21-\x7e]*$/.test(text)) return yield* wrong(name, "must be a key without blanks")
  return text === "" ? undefined : Redacted.make(text)
})

const modelSettings = (prefix: "MODEL" | "EMBEDDINGS" | "TRANSCRIBE"): Effect.Effect<ModelSettings, ConfigInvalid> => {
  const name = `${prefix}_NAME` as const
  return together({
    url: Effect.map(httpUrl(`${prefix}_URL`), (address) =>
      address.replace(/\/(?:chat\/completions|embeddings|audio\/transcriptions)$/, ""),
    ),
    name: Effect.map(setting(name, Setting.String(name), "the name of a model"), (given) => given.trim()),
    key: modelKey(`${prefix}_KEY`),
  })
}

export const evaluator = Effect.gen(function* (): Effect.fn.Return<EvaluatorSettings, ConfigInvalid> {
  const _tag = yield* oneOf("EVALUATOR", ["keyword", "model"])
  if (_tag === "keyword") return { _tag }
  yield* needed(["MODEL_URL", "MODEL_NAME"], "EVALUATOR=model")
  return { _tag, ...(yield* modelSettings("MODEL")) }
})

/** Undefined: without its address. */
const optionalModel = (prefix: "EMBEDDINGS" | "TRANSCRIBE") =>
  Effect.gen(function* (): Effect.fn.Return<ModelSettings | undefined, ConfigInvalid> {
    if (yield* isSet(`${prefix}_URL`)) {
      yield* needed([`${prefix}_NAME`], `${prefix}_URL`)
      return yield* modelSettings(prefix)
    }
    const alone = yield* Effect.filter([`${prefix}_NAME`, `${prefix}_KEY`] as const, isSet)
    if (alone.length > 0) yield* needed([`${prefix}_URL`], alone.join(", "))
    return undefined
  })

/** Undefined: evaluations use no embeddings. */
export const embeddings = optionalModel("EMBEDDINGS")

/** Undefined: recordings are not transcribed. */
export const transcriber = optionalModel("TRANSCRIBE")

/** The AWS SDK finds the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role. */
export interface S3Settings {
  readonly bucket: string
  readonly region: string
  readonly endpoint: string | undefined
  /** Empty, or with a trailing slash. */
  readonly prefix: string
}

export interface FileSettings {
  readonly store: "postgres" | "s3"
  /** For existing files, even when `store` is postgres. */
  readonly s3: S3Settings | undefined
}

const text = (name: Name, form: RegExp, expected: string, fallback?: string) =>
  setting(name, Setting.String(name), expected, fallback).pipe(
    Effect.map((found) => found.trim()),
    Effect.filterOrFail(
      (found) => found === fallback || form.test(found),
      () => wrong(name, `must be ${expected}`),
    ),
  )

const endpointForm = "an http or https address without user, path and query"

const endpoint = Effect.gen(function* () {
  const found = (yield* setting("S3_ENDPOINT", Setting.String("S3_ENDPOINT"), endpointForm, "")).trim()
  if (found === "") return undefined
  const url = URL.parse(found)
  const isServer = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isServer ? url.origin : yield* wrong("S3_ENDPOINT", `must be ${endpointForm}`)
})

const s3 = Effect.suspend(() =>
  together({
    bucket: text("S3_BUCKET", /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "the name of a bucket"),
    region: text("S3_REGION", /^[a-z0-9-]{1,50}$/, "a region like eu-central-1"),
    endpoint,
    prefix: Effect.map(
      text("S3_PREFIX", /^[\w.-]+(\/[\w.-]+)*\/?$/, "letters, digits, and / between them, like interviews/", ""),
      (prefix) => (prefix === "" ? "" : prefix.replace(/\/?$/, "/")),
    ),
  }),
)

/** Whether text of scans and pictures is read. */
export const cvOcr = Effect.map(oneOf("CV_OCR", ["on", "off"]), (chosen) => chosen === "on")

export const files = Effect.gen(function* (): Effect.fn.Return<FileSettings, ConfigInvalid> {
  const store = yield* oneOf("BLOB_STORE", ["postgres", "s3"])
  const bucket = yield* setting("S3_BUCKET", Setting.String("S3_BUCKET"), "the name of a bucket", "")
  if (store === "postgres" && bucket.trim() === "") return { store, s3: undefined }
  yield* needed(["S3_BUCKET", "S3_REGION"], store === "s3" ? "BLOB_STORE=s3" : "S3_BUCKET")
  return { store, s3: yield* s3 }
})
