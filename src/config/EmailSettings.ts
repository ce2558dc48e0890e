/** How mails leave, and who reports on them: EMAIL and what that way needs. */
import { createPublicKey } from "node:crypto"
import { Context, Effect, Redacted, Config as Setting } from "effect"
import { type Mailbox, parseMailbox } from "../values/EmailAddress.ts"
import { type ConfigInvalid, needed, oneOf, setting, together, wrong } from "./SettingReaders.ts"

/** What each way of sending needs: EMAIL_FROM, and SMTP_URL or SENDGRID_API_KEY. */
export type EmailSettings =
  | { readonly _tag: "mailbox" }
  | { readonly _tag: "smtp"; readonly url: Redacted.Redacted; readonly from: Mailbox }
  | { readonly _tag: "sendgrid"; readonly apiKey: Redacted.Redacted; readonly from: Mailbox }
  /** The program has a sender of its own (Adapters.ts), and EMAIL is not read. */
  | { readonly _tag: "own" }

/** Whether the program has a sender of its own. */
export const OwnEmailSender = Context.Reference<boolean>("interview-invitations/config/OwnEmailSender", {
  defaultValue: () => false,
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
export const email = Effect.gen(function* (): Effect.fn.Return<EmailSettings, ConfigInvalid> {
  if (yield* OwnEmailSender) return { _tag: "own" }
  const _tag = yield* oneOf("EMAIL", ["mailbox", "smtp", "sendgrid"])
  yield* needed(emailNeeds[_tag], `EMAIL=${_tag}`)
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

/** SENDGRID_EVENTS_KEY, or undefined. */
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
