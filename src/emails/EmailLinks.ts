/** Makes and reads signed links of mails. They are not stored: reminders repeat the link, and the database alone makes none. */
import { Context, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { EmailId, InvitationId, SubmissionId } from "../values/Ids.ts"

/** A link's token names an invitation, or the submission itself where nobody was invited. */
export type InterviewKey =
  | { readonly _tag: "Invitation"; readonly id: InvitationId }
  | { readonly _tag: "Submission"; readonly id: SubmissionId }

const kinds = { Invitation: 1, Submission: 2, Opened: 3, Clicked: 4, Unsubscribe: 5, Password: 6 } as const

/** What a link in a mail does beside leading to the interview; each has tokens of its own, which open nothing else. */
const mailPaths = { Opened: "o", Clicked: "c", Unsubscribe: "unsubscribe" } as const
export type MailLink = keyof typeof mailPaths
/** 1 byte kind, 16 bytes id, 16 bytes tag: 44 characters base64url. */
const length = 33

const toBytes = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex")
const toUuid = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

export class EmailLinks extends Context.Service<
  EmailLinks,
  {
    /** `{app_url}/i/<token>`, where the candidate answers. */
    readonly interview: (key: InterviewKey) => string
    /** What a token names, or undefined when this service did not sign it. */
    readonly open: (token: string) => InterviewKey | undefined
    /** `{app_url}/o/<token>`, `/c/<token>` or `/unsubscribe/<token>` in a mail of the invitation. */
    readonly mail: (link: MailLink, id: InvitationId) => string
    /** The invitation that a token of such a link names. */
    readonly openMail: (link: MailLink, token: string) => InvitationId | undefined
    /** `{app_url}/password/<token>` in this mail, where a member sets a password. */
    readonly password: (id: EmailId) => string
    /** The mail that such a link was in, or undefined when this service did not sign it. */
    readonly openPassword: (token: string) => EmailId | undefined
    /** `{app_url}/submissions/<id>`, where recruiters read about a submission. */
    readonly submission: (id: SubmissionId) => string
  }
>()("interview-invitations/emails/EmailLinks") {
  static readonly layer = Layer.effect(
    EmailLinks,
    Effect.gen(function* () {
      const { appUrl } = yield* Config
      const vault = yield* SecretBox
      const seal = (kind: keyof typeof kinds, id: string) => {
        const data = Buffer.concat([Buffer.of(kinds[kind]), toBytes(id)])
        return Buffer.concat([data, vault.sign(data)]).toString("base64url")
      }
      /** The kind and the id that a token of ours names. */
      const unseal = (token: string) => {
        const bytes = Buffer.from(token, "base64url")
        if (bytes.length !== length || bytes.toString("base64url") !== token) return undefined
        const data = bytes.subarray(0, 17)
        return vault.verify(bytes.subarray(17), data) ? { kind: data[0], id: toUuid(data.subarray(1)) } : undefined
      }
      return EmailLinks.of({
        interview: (key) => `${appUrl}/i/${seal(key._tag, key.id)}`,
        open: (token) => {
          const named = unseal(token)
          switch (named?.kind) {
            case kinds.Invitation:
              return { _tag: "Invitation", id: InvitationId.make(named.id) }
            case kinds.Submission:
              return { _tag: "Submission", id: SubmissionId.make(named.id) }
            default:
              return undefined
          }
        },
        mail: (link, id) => `${appUrl}/${mailPaths[link]}/${seal(link, id)}`,
        openMail: (link, token) => {
          const named = unseal(token)
          return named?.kind === kinds[link] ? InvitationId.make(named.id) : undefined
        },
        password: (id) => `${appUrl}/password/${seal("Password", id)}`,
        openPassword: (token) => {
          const named = unseal(token)
          return named?.kind === kinds.Password ? EmailId.make(named.id) : undefined
        },
        submission: (id) => `${appUrl}/submissions/${id}`,
      })
    }),
  )
}
