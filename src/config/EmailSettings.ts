/** EMAIL, the settings of the sender that it chooses, and those of providers' reports. */
import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { Context, Effect, Redacted, Result, Config as Setting } from "effect"
import { type Mailbox, parseMailbox } from "../values/EmailAddress.ts"
import { ConfigInvalid, isSet, needed, oneOf, setting, together, wrong } from "./SettingReaders.ts"
import type { Name } from "./SettingsTable.ts"

export const smtpTls = ["required", "opportunistic", "none"] as const
export type SmtpTls = (typeof smtpTls)[number]

/** OAuth 2.0, client credentials. */
export interface SmtpOAuthSettings {
  /** The token endpoint. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly scope: string
}

export type EmailSettings =
  | { readonly _tag: "mailbox" }
  | {
      readonly _tag: "smtp"
      readonly url: Redacted.Redacted
      readonly from: Mailbox
      readonly tls: SmtpTls
      /** PEM; null: only the usual authorities. */
      readonly authorities: string | null
      /** Undefined: the user signs in with a password. */
      readonly oauth: SmtpOAuthSettings | undefined
    }
  | { readonly _tag: "sendgrid"; readonly apiKey: Redacted.Redacted; readonly from: Mailbox }
  | {
      readonly _tag: "postmark"
      readonly token: Redacted.Redacted
      readonly stream: string
      readonly from: Mailbox
    }
  | {
      readonly _tag: "mailgun"
      readonly apiKey: Redacted.Redacted
      readonly domain: string
      readonly region: "us" | "eu"
      readonly from: Mailbox
    }
  /** The AWS SDK finds the credentials, as for files in S3. */
  | {
      readonly _tag: "ses"
      readonly region: string
      readonly configurationSet: string
      readonly from: Mailbox
    }
  /** The program has its own sender (Adapters.ts); EMAIL is not read. */
  | { readonly _tag: "own" }

/** Of a sender that hands emails to a provider. */
export type ProviderSettings = Exclude<EmailSettings, { readonly _tag: "mailbox" | "own" }>

/** Of an SNS topic. */
export interface TopicArn {
  readonly arn: string
  readonly partition: string
  readonly region: string
}

/** What proves that a report is the provider's. Undefined: its reports are refused. Read with any EMAIL. */
export interface EmailEventSettings {
  readonly sendgrid: KeyObject | undefined
  readonly postmark: Redacted.Redacted | undefined
  readonly mailgun: Redacted.Redacted | undefined
  readonly ses: TopicArn | undefined
}

/** A mailbox with bounces. */
export interface BounceMailboxSettings {
  readonly host: string
  readonly port: number
  readonly tls: "implicit" | "starttls"
  readonly user: string
  /** Empty with access tokens. */
  readonly password: Redacted.Redacted
  readonly oauth: SmtpOAuthSettings | undefined
  readonly folder: string
  /** Undefined: reports are marked as read. */
  readonly doneFolder: string | undefined
  /** PEM; null: only the usual authorities. */
  readonly authorities: string | null
}

export const OwnEmailSender = Context.Reference<boolean>("interview-invitations/config/OwnEmailSender", {
  defaultValue: () => false,
})

const fromForm = "an address like Acme <jobs@acme.example>"
const smtpForm = "an address like smtps://user:password@host or smtp://user:password@host:587"
const smtpRules =
  "nothing may follow the port; in user and password, write %40 for @, %3A for :, %2F for /, %23 for #, %3F for ?, %25 for %"
const eventsKeyForm = "the verification key of SendGrid's signed Event Webhook, base64"

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

const tenantForm = "the id of an Entra tenant, or a domain of it"
const oauthNeeds = ["SMTP_OAUTH_CLIENT_ID", "SMTP_OAUTH_CLIENT_SECRET"] as const

/** Of Exchange Online: app-only access, whose scope names the resource. */
const oauthClient = Effect.gen(function* (): Effect.fn.Return<SmtpOAuthSettings | undefined, ConfigInvalid> {
  if (!(yield* isSet("SMTP_OAUTH_TENANT"))) {
    const alone = yield* Effect.filter(oauthNeeds, isSet)
    if (alone.length > 0) yield* needed(["SMTP_OAUTH_TENANT"], alone.join(", "))
    return undefined
  }
  yield* needed(oauthNeeds, "SMTP_OAUTH_TENANT")
  const tenant = (yield* setting("SMTP_OAUTH_TENANT", Setting.String("SMTP_OAUTH_TENANT"), tenantForm)).trim()
  if (!/^[a-z0-9][a-z0-9.-]{1,253}$/i.test(tenant)) return yield* wrong("SMTP_OAUTH_TENANT", `must be ${tenantForm}`)
  return {
    url: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
    scope: "https://outlook.office365.com/.default",
    ...(yield* together({
      clientId: Effect.map(secret("SMTP_OAUTH_CLIENT_ID", "the id of an application"), Redacted.value),
      clientSecret: secret("SMTP_OAUTH_CLIENT_SECRET", "the value of a client secret"),
    })),
  }
})

const smtpOAuth = Effect.gen(function* (): Effect.fn.Return<SmtpOAuthSettings | undefined, ConfigInvalid> {
  const oauth = yield* oauthClient
  const server = yield* Effect.result(smtpUrl)
  // a wrong address is reported by its own reader
  if (oauth === undefined || Result.isFailure(server)) return oauth
  const { password, username } = new URL(Redacted.value(server.success))
  if (username !== "" && password === "") return oauth
  return yield* wrong(
    "SMTP_URL",
    "must be an address with a user, the mailbox, and without a password, with SMTP_OAUTH_TENANT",
  )
})

/** A secret that the provider issues: one line without blanks. */
const secret = Effect.fnUntraced(function* (name: Name, expected: string, min = 1) {
  const given = yield* setting(name, Setting.Redacted(name), expected)
  const text = Redacted.value(given).trim()
  const isSecret = /^[\x21-\x7e]*$/.test(text) && text.length >= min
  return isSecret ? Redacted.make(text) : yield* wrong(name, `must be ${expected}, without blanks`)
})

const optional = <A>(name: Name, read: Effect.Effect<A, ConfigInvalid>) =>
  Effect.gen(function* () {
    return (yield* isSet(name)) ? yield* read : undefined
  })

const postmarkStream = Effect.gen(function* () {
  const expected = "the id of a message stream, such as outbound"
  const stream = yield* setting("POSTMARK_STREAM", Setting.String("POSTMARK_STREAM"), expected)
  return /^[\w-]{1,100}$/.test(stream) ? stream : yield* wrong("POSTMARK_STREAM", `must be ${expected}`)
})

const mailgunRegion = oneOf("MAILGUN_REGION", ["us", "eu"])

const mailgunDomain = Effect.gen(function* () {
  const expected = "a domain like mg.acme.example"
  const domain = (yield* setting("MAILGUN_DOMAIN", Setting.String("MAILGUN_DOMAIN"), expected)).trim().toLowerCase()
  // it is a part of the path of requests
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)
  return isDomain ? domain : yield* wrong("MAILGUN_DOMAIN", `must be ${expected}`)
})

const sesRegion = Effect.gen(function* () {
  const expected = "a region like eu-central-1"
  const region = (yield* setting("SES_REGION", Setting.String("SES_REGION"), expected)).trim()
  return /^[a-z0-9-]{1,50}$/.test(region) ? region : yield* wrong("SES_REGION", `must be ${expected}`)
})

const sesConfigurationSet = Effect.gen(function* () {
  const expected = "the name of a configuration set: letters, digits, _ and -"
  const given = yield* setting("SES_CONFIGURATION_SET", Setting.String("SES_CONFIGURATION_SET"), expected)
  return /^[\w-]{1,64}$/.test(given) ? given : yield* wrong("SES_CONFIGURATION_SET", `must be ${expected}`)
})

const sesTopic = Effect.gen(function* () {
  const expected = "the ARN of an SNS topic, like arn:aws:sns:eu-central-1:123456789012:interviews"
  const arn = (yield* setting("SES_TOPIC_ARN", Setting.String("SES_TOPIC_ARN"), expected)).trim()
  // the region becomes a part of the address of SNS
  const [, partition, region] =
    /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z0-9-]{1,50}):\d{12}:[\w-]{1,256}$/.exec(arn) ?? []
  if (partition === undefined || region === undefined) return yield* wrong("SES_TOPIC_ARN", `must be ${expected}`)
  return { arn, partition, region }
})

interface Provider {
  readonly needs: ReadonlyArray<Name>
  /** Readers of the settings: wrong ones are reported together with missing ones. */
  readonly readers: Partial<Record<Name, Effect.Effect<unknown, ConfigInvalid>>>
  readonly read: Effect.Effect<ProviderSettings, ConfigInvalid>
}

const providers: Readonly<Record<ProviderSettings["_tag"], Provider>> = {
  smtp: {
    needs: ["SMTP_URL", "EMAIL_FROM"],
    readers: { SMTP_URL: smtpUrl, EMAIL_FROM: emailFrom, SMTP_TLS: smtpSecurity, SMTP_CA_FILE: smtpAuthorities },
    read: Effect.map(
      together({ url: smtpUrl, from: emailFrom, tls: smtpSecurity, authorities: smtpAuthorities, oauth: smtpOAuth }),
      (read) => ({ _tag: "smtp", ...read }),
    ),
  },
  sendgrid: {
    needs: ["SENDGRID_API_KEY", "SENDGRID_EVENTS_KEY", "EMAIL_FROM"],
    readers: { EMAIL_FROM: emailFrom },
    read: Effect.map(
      together({
        apiKey: setting("SENDGRID_API_KEY", Setting.Redacted("SENDGRID_API_KEY"), "an API key"),
        from: emailFrom,
      }),
      (read) => ({ _tag: "sendgrid", ...read }),
    ),
  },
  postmark: {
    needs: ["POSTMARK_TOKEN", "POSTMARK_EVENTS_SECRET", "EMAIL_FROM"],
    readers: { EMAIL_FROM: emailFrom, POSTMARK_STREAM: postmarkStream },
    read: Effect.map(
      together({ token: secret("POSTMARK_TOKEN", "a server's API token"), stream: postmarkStream, from: emailFrom }),
      (read) => ({ _tag: "postmark", ...read }),
    ),
  },
  mailgun: {
    needs: ["MAILGUN_API_KEY", "MAILGUN_DOMAIN", "MAILGUN_EVENTS_KEY", "EMAIL_FROM"],
    readers: { EMAIL_FROM: emailFrom, MAILGUN_DOMAIN: mailgunDomain, MAILGUN_REGION: mailgunRegion },
    read: Effect.map(
      together({
        apiKey: secret("MAILGUN_API_KEY", "an API key"),
        domain: mailgunDomain,
        region: mailgunRegion,
        from: emailFrom,
      }),
      (read) => ({ _tag: "mailgun", ...read }),
    ),
  },
  ses: {
    needs: ["SES_REGION", "SES_CONFIGURATION_SET", "SES_TOPIC_ARN", "EMAIL_FROM"],
    readers: { EMAIL_FROM: emailFrom, SES_REGION: sesRegion, SES_CONFIGURATION_SET: sesConfigurationSet },
    read: Effect.map(
      together({ region: sesRegion, configurationSet: sesConfigurationSet, from: emailFrom }),
      (read) => ({ _tag: "ses", ...read }),
    ),
  },
}

export const email = Effect.gen(function* (): Effect.fn.Return<EmailSettings, ConfigInvalid> {
  if (yield* OwnEmailSender) return { _tag: "own" }
  const _tag = yield* oneOf("EMAIL", ["mailbox", "smtp", "sendgrid", "postmark", "mailgun", "ses"])
  if (_tag === "mailbox") return { _tag }
  const { needs, read, readers } = providers[_tag]
  const missing = yield* Effect.result(needed(needs, `EMAIL=${_tag}`))
  if (Result.isSuccess(missing)) return yield* read
  const messages = [missing.failure.message]
  for (const [name, reader] of Object.entries(readers)) {
    const found = (yield* isSet(name as Name)) ? yield* Effect.result(reader) : undefined
    if (found !== undefined && Result.isFailure(found)) messages.push(found.failure.message)
  }
  return yield* new ConfigInvalid({ message: messages.join("\n") })
})

const sendgridEventsKey = Effect.gen(function* () {
  const text = yield* setting("SENDGRID_EVENTS_KEY", Setting.String("SENDGRID_EVENTS_KEY"), eventsKeyForm)
  const invalid = wrong("SENDGRID_EVENTS_KEY", `must be ${eventsKeyForm}`)
  const key = yield* Effect.try({
    try: () => createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" }),
    catch: () => invalid,
  })
  return key.asymmetricKeyType === "ec" ? key : yield* invalid
})

const imapForm = "an address like imaps://user:password@host/INBOX, or imap://…:143 with STARTTLS"
const folderForm = "the name of a folder"

const isFolder = (name: string): boolean => /^[^\p{Cc}"\\*%]{1,200}$/u.test(name)

const mailboxOf = Effect.fnUntraced(function* (text: string) {
  const url = URL.parse(text)
  const isImap = url !== null && /^imaps?:$/.test(url.protocol) && isDecodable(url) && !/[?#]/.test(text)
  if (!isImap || url.hostname === "" || url.username === "") return undefined
  const folder = yield* Effect.orElseSucceed(
    Effect.try(() => decodeURIComponent(url.pathname.slice(1))),
    () => "",
  )
  const isPlain = url.protocol === "imap:"
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isPlain ? 143 : 993) : Number(url.port),
    tls: isPlain ? ("starttls" as const) : ("implicit" as const),
    user: decodeURIComponent(url.username),
    password: Redacted.make(decodeURIComponent(url.password)),
    folder: folder === "" ? "INBOX" : folder,
  }
})

/** Undefined: bounces come to `email bounce`, or from a provider. */
export const bounceMailbox = Effect.gen(function* (): Effect.fn.Return<
  BounceMailboxSettings | undefined,
  ConfigInvalid
> {
  const doneFolder = (yield* setting("BOUNCE_IMAP_DONE", Setting.String("BOUNCE_IMAP_DONE"), folderForm, "")).trim()
  if (!(yield* isSet("BOUNCE_IMAP_URL"))) {
    if (doneFolder !== "") yield* needed(["BOUNCE_IMAP_URL"], "BOUNCE_IMAP_DONE")
    return undefined
  }
  if (doneFolder !== "" && !isFolder(doneFolder)) return yield* wrong("BOUNCE_IMAP_DONE", `must be ${folderForm}`)
  const mailbox = yield* mailboxOf(
    Redacted.value(yield* setting("BOUNCE_IMAP_URL", Setting.Redacted("BOUNCE_IMAP_URL"), imapForm)),
  )
  if (mailbox === undefined || !isFolder(mailbox.folder)) return yield* wrong("BOUNCE_IMAP_URL", `must be ${imapForm}`)
  const oauth = Redacted.value(mailbox.password) === "" ? yield* oauthClient : undefined
  if (Redacted.value(mailbox.password) === "" && oauth === undefined) {
    return yield* wrong("BOUNCE_IMAP_URL", `must be ${imapForm}; without a password only with SMTP_OAUTH_TENANT`)
  }
  return {
    ...mailbox,
    oauth,
    doneFolder: doneFolder === "" ? undefined : doneFolder,
    authorities: yield* smtpAuthorities,
  }
})

const minEventsSecret = 16
const eventsSecretForm = `a secret of ${minEventsSecret} characters or more`

export const emailEvents: Effect.Effect<EmailEventSettings, ConfigInvalid> = together({
  sendgrid: optional("SENDGRID_EVENTS_KEY", sendgridEventsKey),
  postmark: optional("POSTMARK_EVENTS_SECRET", secret("POSTMARK_EVENTS_SECRET", eventsSecretForm, minEventsSecret)),
  ses: optional("SES_TOPIC_ARN", sesTopic),
  mailgun: optional("MAILGUN_EVENTS_KEY", secret("MAILGUN_EVENTS_KEY", "the HTTP webhook signing key of the account")),
})
