/** Signed links in emails, and links to share. They are not stored: a leaked database opens nothing. */
import { Context, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { html } from "../platform/http/Html.ts"
import { EmailId, GuestLinkId, InvitationId, MemberId, SubmissionId } from "../values/Ids.ts"
import { type EmailKind, type RenderedEmail, subscriptionOf } from "./EmailRepository.ts"

export type InterviewKey =
  | { readonly _tag: "Invitation"; readonly id: InvitationId }
  | { readonly _tag: "Submission"; readonly id: SubmissionId }

/** A token of one kind is invalid in other links. */
const kinds = {
  Invitation: 1,
  Submission: 2,
  Opened: 3,
  Clicked: 4,
  Unsubscribe: 5,
  Password: 6,
  Shared: 7,
  Notifications: 8,
} as const

const mailPaths = { Opened: "o", Clicked: "c", Unsubscribe: "unsubscribe" } as const
export type MailLink = keyof typeof mailPaths

/** Bytes: 1 kind, 16 id, 16 tag. */
const tokenLength = 33

const toBytes = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex")
const toUuid = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

const signToken = (secretBox: SecretBox["Service"], kind: keyof typeof kinds, id: string): string => {
  const data = Buffer.concat([Buffer.of(kinds[kind]), toBytes(id)])
  return Buffer.concat([data, secretBox.sign(data)]).toString("base64url")
}

const readToken = (secretBox: SecretBox["Service"], token: string) => {
  const bytes = Buffer.from(token, "base64url")
  if (bytes.length !== tokenLength || bytes.toString("base64url") !== token) return undefined
  const data = bytes.subarray(0, 17)
  return secretBox.verify(bytes.subarray(17), data) ? { kind: data[0], id: toUuid(data.subarray(1)) } : undefined
}

export class EmailLinks extends Context.Service<EmailLinks>()("interview-invitations/emails/EmailLinks", {
  make: Effect.gen(function* () {
    const { appUrl } = yield* Config
    const secretBox = yield* SecretBox
    return {
      interview: (key: InterviewKey) => `${appUrl}/i/${signToken(secretBox, key._tag, key.id)}`,
      /** Undefined: not signed by this service. */
      open: (token: string): InterviewKey | undefined => {
        const parsed = readToken(secretBox, token)
        switch (parsed?.kind) {
          case kinds.Invitation:
            return { _tag: "Invitation", id: InvitationId.make(parsed.id) }
          case kinds.Submission:
            return { _tag: "Submission", id: SubmissionId.make(parsed.id) }
          default:
            return undefined
        }
      },
      mail: (link: MailLink, id: InvitationId) => `${appUrl}/${mailPaths[link]}/${signToken(secretBox, link, id)}`,
      openMail: (link: MailLink, token: string) => {
        const parsed = readToken(secretBox, token)
        return parsed?.kind === kinds[link] ? InvitationId.make(parsed.id) : undefined
      },
      password: (id: EmailId) => `${appUrl}/password/${signToken(secretBox, "Password", id)}`,
      openPassword: (token: string) => {
        const parsed = readToken(secretBox, token)
        return parsed?.kind === kinds.Password ? EmailId.make(parsed.id) : undefined
      },
      /** Of a public path, such as a logo's. */
      absolute: (path: string) => `${appUrl}${path}`,
      /** For people without an account. */
      shared: (id: GuestLinkId) => `${appUrl}/shared/${signToken(secretBox, "Shared", id)}`,
      openShared: (token: string) => {
        const parsed = readToken(secretBox, token)
        return parsed?.kind === kinds.Shared ? GuestLinkId.make(parsed.id) : undefined
      },
      /** Ends emails to a member: of one kind, or the daily email. */
      notifications: (id: MemberId, subscribed: string) =>
        `${appUrl}/notifications/${signToken(secretBox, "Notifications", id)}/${subscribed}`,
      openNotifications: (token: string) => {
        const parsed = readToken(secretBox, token)
        return parsed?.kind === kinds.Notifications ? MemberId.make(parsed.id) : undefined
      },
      /** For recruiters; not signed. */
      submission: (id: SubmissionId) => `${appUrl}/submissions/${id}`,
      /** What the member who opens it is asked to review. */
      assigned: `${appUrl}/submissions/assigned`,
      account: `${appUrl}/account`,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

type LinkName = "interview" | "opened" | "password" | "unsubscribe"

/**
 * Placeholder of a link in a stored email, replaced when the email is sent or shown. It never resolves (RFC 2606). Text
 * written before the email cannot contain it, because it has the email's id.
 */
export const linkSlot = (id: EmailId, name: LinkName): string => `https://link.invalid/${id}/${name}`

interface LinkedEmail {
  readonly id: EmailId
  readonly invitation_id: InvitationId | null
  /** Of a follow-up to a candidate; null: another email. */
  readonly submission_id: SubmissionId | null
  readonly kind: EmailKind
  /** Whose notification it is; null: another email. */
  readonly member_id: MemberId | null
}

/** Ends such emails to the member. Null: it is no notification. */
export const notificationUrl = (
  links: EmailLinks["Service"],
  { kind, member_id }: Pick<LinkedEmail, "kind" | "member_id">,
): string | null => {
  const subscribed = subscriptionOf[kind]
  return member_id === null || subscribed === undefined ? null : links.notifications(member_id, subscribed)
}

export const fillLinks = (
  links: EmailLinks["Service"],
  email: LinkedEmail,
  { html: page, subject, text }: RenderedEmail,
): RenderedEmail => {
  const { id, invitation_id, submission_id } = email
  const unsubscribeUrl = notificationUrl(links, email)
  const all: ReadonlyArray<readonly [LinkName, string]> =
    invitation_id !== null
      ? [
          ["interview", links.interview({ _tag: "Invitation", id: invitation_id })],
          ["opened", links.mail("Opened", invitation_id)],
          ["unsubscribe", links.mail("Unsubscribe", invitation_id)],
        ]
      : submission_id !== null
        ? [["interview", links.interview({ _tag: "Submission", id: submission_id })]]
        : [
            ["password", links.password(id)],
            ...(unsubscribeUrl === null ? [] : [["unsubscribe", unsubscribeUrl] as const]),
          ]
  const filled = (template: string, escape: (url: string) => string) =>
    all.reduce((before, [name, url]) => before.replaceAll(linkSlot(id, name), () => escape(url)), template)
  return { subject, html: filled(page, (url) => html`${url}`.toString()), text: filled(text, (url) => url) }
}

/** Also matches tokens cut short. */
const linkToken = /(\/(?:i|o|c|unsubscribe|password|shared|notifications)\/)[\w-]{20,}/g

export const withoutLinkTokens = (text: string): string => text.replaceAll(linkToken, "$1…")
