/** A provider's report on an email, in the form in which it is stored and applied (EmailEventProcessor.ts). */
import { createHash } from "node:crypto"
import { Option, Schema } from "effect"
import { EmailId } from "../values/Ids.ts"
import type { MailReport } from "./EmailEventRepository.ts"
import { withoutLinkTokens } from "./EmailLinks.ts"

/** What EmailEventProcessor.ts reads of a stored report. The names are those of SendGrid's Event Webhook. */
export interface ReportFacts {
  /** What the recipient's mail server replied. */
  readonly reason?: string
  /** RFC 3463, for example 5.1.1. */
  readonly status?: string
  /** The provider's own judgement, which decides when `reason` and `status` do not say whom the refusal is about. */
  readonly about?: "recipient" | "other"
  /** The link of a click. */
  readonly url?: string
  /** An open or click by a program before a person sees the email. */
  readonly machine?: boolean
}

export interface ProviderReport {
  /** The provider's id of the report; otherwise the hash of the report. */
  readonly id?: unknown
  /** See EmailEvent.ts. */
  readonly kind: string
  readonly emailId?: unknown
  readonly providerMessageId?: unknown
  /** Undefined: the provider's own fields are those of ReportFacts, and are stored as they are. */
  readonly facts?: ReportFacts
}

/** Characters; usual reports have some hundred. */
const maxReportLength = 20_000
const maxFactLength = 2_000

const token = (maxLength: number) =>
  Schema.decodeUnknownOption(Schema.String.check(Schema.isPattern(new RegExp(`^[\\x21-\\x7e]{1,${maxLength}}$`))))

const decodeKind = token(50)
const decodeReportId = token(200)
const decodeMessageId = token(500)
const decodeEmailId = Schema.decodeUnknownOption(EmailId)
const decodeAddress = Schema.decodeUnknownOption(
  Schema.Struct({ url: Schema.String.check(Schema.isMaxLength(maxFactLength)) }),
)

const shortFacts = (facts: ReportFacts) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === "string" ? fact.slice(0, maxFactLength).toWellFormed() : fact,
    ]),
  )

/** A long report keeps its beginning, its facts and the link of a click. */
const bodyOf = (entry: unknown, text: string, facts: ReportFacts | undefined): string => {
  const kept = facts === undefined ? Option.getOrUndefined(decodeAddress(entry)) : shortFacts(facts)
  if (text.length > maxReportLength) {
    return JSON.stringify({ ...kept, cut: text.slice(0, maxReportLength).toWellFormed() })
  }
  return facts === undefined ? text : JSON.stringify({ ...kept, report: entry })
}

/** Undefined: `entry` is no report. */
export const mailReportOf = (entry: unknown, report: ProviderReport | undefined): MailReport | undefined => {
  if (report === undefined || Option.isNone(decodeKind(report.kind))) return undefined
  const text = JSON.stringify(entry)
  return {
    provider_event_id: Option.getOrElse(decodeReportId(report.id), () =>
      createHash("sha256").update(text).digest("base64url"),
    ),
    kind: report.kind,
    email_id: Option.getOrNull(decodeEmailId(report.emailId)),
    provider_message_id: Option.getOrNull(decodeMessageId(report.providerMessageId)),
    body: withoutLinkTokens(bodyOf(entry, text, report.facts)),
  }
}

/** Fields of untrusted JSON; undefined for what is absent or has another type. */
export const fieldOf = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name) ? Reflect.get(inner, name) : undefined,
    value,
  )

export const textOf = (value: unknown, ...path: ReadonlyArray<string>): string | undefined => {
  const found = fieldOf(value, ...path)
  return typeof found === "string" ? found : undefined
}
