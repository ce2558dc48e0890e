/**
 * Reports that mail servers send back: on delivery (RFC 3464, also in UTF-8 by RFC 6533) and on complaints (RFC 5965),
 * both a multipart/report (RFC 6522) with one part for machines and one with the mail, or its headers, that it is about.
 *
 * Only a report that names a mail of ours counts: by its envelope id (RFC 3461), its X-Mail-Id or its Message-ID. Those
 * hold 74 random bits that nobody knows but who handled the mail, so that a made-up report names none.
 */
import { Result } from "effect"
import { Base64 } from "effect/encoding"

export interface BounceReport {
  /** The id of our mail. */
  readonly emailId: string
  /** As emails/MailReport.ts calls it. */
  readonly kind: "bounce" | "delivered" | "deferred" | "spamreport"
  /** RFC 3463, for example 5.1.1; null where none is given. */
  readonly status: string | null
  /** What the receiving server said. */
  readonly diagnostic: string | null
}

type Headers = ReadonlyMap<string, string>

interface Part {
  readonly type: string
  readonly headers: Headers
  readonly body: string
}

/** A report has three parts; one that is forwarded stands a little deeper. */
const deepest = 4
const mostParts = 50

/** Fields up to the first blank line, unfolded; of a field that is repeated the first. */
const fieldsOf = (text: string): Headers => {
  const fields = new Map<string, string>()
  for (const line of text.replaceAll(/\n[ \t]+/g, " ").split("\n")) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

const split = (message: string): { readonly headers: Headers; readonly body: string } => {
  const end = message.startsWith("\n") ? 0 : message.indexOf("\n\n")
  return end < 0
    ? { headers: fieldsOf(message), body: "" }
    : { headers: fieldsOf(message.slice(0, end)), body: message.slice(end === 0 ? 1 : end + 2) }
}

const decoded = (body: string, encoding: string | undefined): string => {
  switch (encoding?.toLowerCase()) {
    case "base64":
      return Result.getOrElse(Base64.decodeString(body.replaceAll(/\s/g, "")), () => "").replaceAll("\r\n", "\n")
    case "quoted-printable":
      return body
        .replaceAll(/=[ \t]*\n/g, "")
        .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    default:
      return body
  }
}

const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  return quoted ?? plain
}

/** The parts of a message that are no multipart themselves, in their order. */
const partsOf = (message: string, depth = 0): ReadonlyArray<Part> => {
  const { body, headers } = split(message)
  const contentType = headers.get("content-type") ?? "text/plain"
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? ""
  const boundary = boundaryOf(contentType)
  if (!type.startsWith("multipart/") || boundary === undefined || depth > deepest) {
    return [{ type, headers, body: decoded(body, headers.get("content-transfer-encoding")) }]
  }
  const [, ...inside] = `\n${body}`.split(`\n--${boundary}`)
  return inside
    .slice(0, mostParts)
    .filter((part) => !part.startsWith("--"))
    .flatMap((part) => partsOf(part.slice(part.indexOf("\n") + 1), depth + 1))
}

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const wholeUuid = new RegExp(`^\\s*(${uuid})\\s*$`, "i")
const messageId = new RegExp(`^<?(${uuid})@`, "i")

/** The id of our mail in the headers that came back. */
const mailOf = (parts: ReadonlyArray<Part>): string | undefined => {
  for (const { body, type } of parts) {
    if (!/^(message\/(rfc822|global|rfc822-headers|global-headers)|text\/rfc822-headers)$/.test(type)) continue
    const { headers } = split(body)
    const id =
      wholeUuid.exec(headers.get("x-mail-id") ?? "")?.[1] ?? messageId.exec(headers.get("message-id") ?? "")?.[1]
    if (id !== undefined) return id.toLowerCase()
  }
  return undefined
}

/** What stands behind `rfc822;`, `smtp;` and the like. */
const typed = (field: string | undefined): string | null => field?.replace(/^[^;]*;\s*/, "") ?? null

const kinds: Record<string, BounceReport["kind"]> = {
  failed: "bounce",
  delivered: "delivered",
  // handed on to where no report comes from, or still being tried
  relayed: "deferred",
  expanded: "deferred",
  delayed: "deferred",
}

/**
 * Reads a message as it came, headers and all; undefined: it is no report, or none on a mail of ours. Our mails have one
 * recipient: where several are reported, the mail was handed on, and one that failed is what counts.
 */
export const readBounceReport = (message: string): BounceReport | undefined => {
  const parts = partsOf(message.replaceAll("\r\n", "\n"))
  const complaint = parts.find(({ type }) => type === "message/feedback-report")
  const delivery = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type))
  if (complaint !== undefined) {
    const emailId = mailOf(parts)
    const isAbuse = fieldsOf(complaint.body).get("feedback-type")?.toLowerCase() === "abuse"
    return emailId !== undefined && isAbuse
      ? { emailId, kind: "spamreport", status: null, diagnostic: null }
      : undefined
  }
  if (delivery === undefined) return undefined
  const [ofMessage, ...groups] = delivery.body
    .trim()
    .split(/\n[ \t]*\n/)
    .map(fieldsOf)
  // some servers leave out the group about the message as a whole
  const recipients = ofMessage?.has("action") ? [ofMessage, ...groups] : groups
  const reported = recipients.map((fields) => ({ fields, kind: kinds[fields.get("action")?.toLowerCase() ?? ""] }))
  const first = reported.find(({ kind }) => kind === "bounce") ?? reported.find(({ kind }) => kind !== undefined)
  const emailId = wholeUuid.exec(ofMessage?.get("original-envelope-id") ?? "")?.[1]?.toLowerCase() ?? mailOf(parts)
  if (first?.kind === undefined || emailId === undefined) return undefined
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(first.fields.get("status") ?? "")?.[0] ?? null
  return { emailId, kind: first.kind, status, diagnostic: typed(first.fields.get("diagnostic-code")) }
}
