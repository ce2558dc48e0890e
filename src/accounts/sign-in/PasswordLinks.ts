/**
 * Links that set a password: the signed id of an email, valid once. No response reveals whether a member has an
 * address.
 */
import { Context, Duration, Effect, Layer, type Redacted } from "effect"
import { Digest } from "effect/crypto"
import { EmailLinks, linkSlot } from "../../emails/EmailLinks.ts"
import type { RenderedEmail } from "../../emails/EmailRepository.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { addressMessage, cleanAddress, foldAddress, isEmailAddress } from "../../values/EmailAddress.ts"
import { EmailId } from "../../values/Ids.ts"
import { Invalid, invalid, NotFound } from "../../values/Problem.ts"
import { AuditLog } from "../AuditLog.ts"
import { nameErrors } from "../members/Member.ts"
import { makeNotifyPasswordChanged, renderPasswordReset } from "../members/MemberEmail.ts"
import { memberAuthor } from "../Viewer.ts"
import { type LinkOwner, type NewLink, PasswordLinkRepository } from "./PasswordLinkRepository.ts"
import { Passwords } from "./Passwords.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"
import { TooManyAttempts } from "./TooManyAttempts.ts"

export const lifetime = { member_invitation: Duration.days(7), password_reset: Duration.hours(1) }

/** Requests per period. */
const maxRequests = { address: 3, client: 20 }
const period = Duration.hours(1)

const unknown = new NotFound({ record: "link" })

export class PasswordLinks extends Context.Service<PasswordLinks>()(
  "interview-invitations/accounts/sign-in/PasswordLinks",
  {
    make: Effect.gen(function* () {
      const notifyPasswordChanged = yield* makeNotifyPasswordChanged
      const auditLog = yield* AuditLog
      const { time, transaction } = yield* Database
      const digests = yield* Digest.Digest
      const { openPassword } = yield* EmailLinks
      const ids = yield* Ids
      const passwordLinkRepository = yield* PasswordLinkRepository
      const passwords = yield* Passwords
      const secretBox = yield* SecretBox
      const signInAttemptRepository = yield* SignInAttemptRepository

      const hashOf = (mail: EmailId) =>
        Effect.orDie(Effect.map(digests.digest(Digest.sha256, Buffer.from(mail)), (bytes) => new Uint8Array(bytes)))

      const limitOf = (kind: keyof typeof maxRequests, part: string) =>
        Effect.succeed({
          key: secretBox.sign(Buffer.from(JSON.stringify(["password-link", kind, part]))),
          max: maxRequests[kind],
        })

      /** `write` gets the link's slot (emails/EmailLinks.ts). False: no member has the address. */
      const send = Effect.fn("PasswordLinks.send")(function* (
        email: string,
        kind: NewLink["mail"]["kind"],
        write: (url: string, until: Date) => RenderedEmail,
      ) {
        const id = yield* ids.make(EmailId)
        const until = new Date((yield* time).getTime() + Duration.toMillis(lifetime[kind]))
        const mail = write(linkSlot(id, "password"), until)
        return yield* passwordLinkRepository.send(email, {
          hash: yield* hashOf(id),
          lifetime: lifetime[kind],
          mail: { id, kind, ...mail },
        })
      })

      const find = Effect.fnUntraced(function* (token: string) {
        const hash = yield* hashOf(openPassword(token) ?? (yield* unknown))
        return { hash, owner: (yield* passwordLinkRepository.find(hash)) ?? (yield* unknown) }
      })

      const setPassword = Effect.fnUntraced(function* (
        { hash, owner }: { readonly hash: Uint8Array; readonly owner: LinkOwner },
        password_hash: string,
        name: string | null,
      ) {
        const used = yield* passwordLinkRepository.use(hash, { password_hash, name })
        if (used === undefined) return yield* unknown
        const author = memberAuthor(used.organization_id, used.member_id)
        yield* auditLog.note(author, "member", "set_password", used.member_id, {
          by: "link",
          ...(used.passkeys === 0 ? {} : { "removed passkeys": used.passkeys }),
        })
        if (owner.joined) yield* notifyPasswordChanged(used.organization_id, used.email, "link")
        return used.email
      }, transaction)

      const request = Effect.fn("PasswordLinks.request")(function* (typed: string, client: string) {
        const email = cleanAddress(typed)
        if (!isEmailAddress(email)) return yield* invalid("#/email", "invalid_email", addressMessage(email))
        const wait = yield* signInAttemptRepository.count(
          [yield* limitOf("client", client), yield* limitOf("address", foldAddress(email))],
          period,
        )
        if (wait !== undefined) return yield* TooManyAttempts.of(wait)
        yield* send(email, "password_reset", renderPasswordReset)
      })

      const open = Effect.fn("PasswordLinks.open")((token: string) => Effect.map(find(token), ({ owner }) => owner))

      const use = Effect.fn("PasswordLinks.use")(function* (
        token: string,
        { name: typed, password }: { readonly password: Redacted.Redacted; readonly name: string },
      ) {
        const link = yield* find(token)
        const name = typed.trim()
        const errors = nameErrors("name", name, false)
        if (errors.length > 0) return yield* new Invalid({ errors })
        const { email, name: earlier, organization_name } = link.owner
        const hash = yield* passwords.hash(password, [email, earlier, name, organization_name])
        return yield* setPassword(link, hash, name || null)
      })

      const forget = passwordLinkRepository.forget

      return { send, request, open, use, forget }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
