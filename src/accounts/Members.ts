/** The members of an organization: invited by mail, given roles, removed (spec, roles; the rules stand with the statements). */
import { Context, Effect, Layer, Schema } from "effect"
import { Database } from "../platform/database/Database.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import type { MemberId } from "../values/Ids.ts"
import { Conflict, type FieldError, Invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import { notes } from "./Audit.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { type Member, mayMake, type Role } from "./Member.ts"
import { renderMemberInvitation, renderPasswordReset } from "./MemberEmail.ts"
import { type MemberEntry, MemberRepository, type Verdict } from "./MemberRepository.ts"
import { nameErrors } from "./Names.ts"
import { PasswordLinks } from "./PasswordLinks.ts"
import { SignIn } from "./SignIn.ts"

/** As it was typed. */
export interface Invitee {
  readonly email: string
  readonly name: string
  readonly role: string
}

const readRole = Schema.decodeUnknownOption(Schema.Literals(["owner", "admin", "recruiter"]))
const unknown = new NotFound({ record: "member" })
const lastOwner = new Conflict({
  reason: "This is the last owner who can sign in. Make somebody else an owner first.",
})
const notAllowed = new NotAllowed({ record: "member" })

export class Members extends Context.Service<
  Members,
  {
    readonly list: (by: Member) => Effect.Effect<ReadonlyArray<MemberEntry>>
    readonly show: (by: Member, id: MemberId) => Effect.Effect<MemberEntry, NotFound>
    /** Makes a member without a password and mails a link to set one. `id`: a form that is sent twice invites once. */
    readonly invite: (by: Member, id: MemberId, invitee: Invitee) => Effect.Effect<void, Invalid | NotAllowed>
    /** Mails a link once more. */
    readonly sendLink: (by: Member, id: MemberId) => Effect.Effect<void, NotFound | NotAllowed>
    readonly setRole: (
      by: Member,
      id: MemberId,
      role: string,
    ) => Effect.Effect<void, Invalid | NotFound | NotAllowed | Conflict>
    readonly remove: (by: Member, id: MemberId) => Effect.Effect<void, NotFound | NotAllowed | Conflict>
    /** Forgets who they are at the provider: whoever has their address there, verified, may sign in as them and is it then. */
    readonly unlink: (by: Member, id: MemberId) => Effect.Effect<void, NotFound | NotAllowed | Conflict>
  }
>()("interview-invitations/accounts/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const links = yield* PasswordLinks
      const note = notes(yield* AuditLogRepository, "member")
      const repository = yield* MemberRepository
      const { form, provider } = yield* SignIn
      const means = { passwords: form !== undefined, issuer: provider?.issuer ?? null }
      const actOf = ({ id: by, organizationId: organization }: Member, id: MemberId) => ({
        organization,
        by,
        id,
        means,
      })

      const show = Effect.fnUntraced(function* ({ organizationId }: Member, id: MemberId) {
        return (yield* repository.find(organizationId, id)) ?? (yield* unknown)
      })
      const mail = (by: Member, { email, joined, role }: Pick<MemberEntry, "email" | "joined" | "role">) =>
        joined
          ? links.send(email, "password_reset", (url, until) => renderPasswordReset({ url, until }))
          : links.send(email, "member_invitation", (url, until) =>
              renderMemberInvitation({
                url,
                until,
                email,
                role,
                organization: by.organizationName,
                inviter: by.name?.trim() || by.email,
              }),
            )
      /** The role that a form names. */
      const roleOf = (text: string): ReadonlyArray<FieldError> =>
        readRole(text)._tag === "Some" ? [] : [{ pointer: "#/role", code: "required", message: "is not chosen yet" }]
      const judge = (verdict: Verdict | undefined): Effect.Effect<Verdict, NotFound | NotAllowed | Conflict> => {
        switch (verdict?.verdict) {
          case undefined:
            return Effect.fail(unknown)
          case "not_allowed":
            return Effect.fail(notAllowed)
          case "last_owner":
            return Effect.fail(lastOwner)
          case "done":
            return verdict === undefined ? Effect.fail(unknown) : Effect.succeed(verdict)
        }
      }

      return Members.of({
        list: Effect.fn("Members.list")(({ organizationId }) => repository.list(organizationId)),
        show: Effect.fn("Members.show")(show),
        invite: Effect.fn("Members.invite")(function* (by, id, typed) {
          const [email, name] = [typed.email.trim(), typed.name.trim()]
          const role = readRole(typed.role)
          const errors: Array<FieldError> = [...roleOf(typed.role), ...nameErrors("name", name, false)]
          if (!isEmailAddress(email)) {
            errors.push({ pointer: "#/email", code: "invalid_email", message: "must be a valid e-mail address" })
          }
          if (errors.length > 0 || role._tag === "None") return yield* new Invalid({ errors })
          if (!mayMake(by, role.value)) return yield* notAllowed
          const member = { id, email, name: name || null, role: role.value, password_hash: null }
          if (!(yield* repository.insert(by.organizationId, member))) {
            if ((yield* repository.find(by.organizationId, id)) !== undefined) return
            const message = "belongs to a member already"
            return yield* new Invalid({ errors: [{ pointer: "#/email", code: "taken", message }] })
          }
          yield* note(by.organizationId, by.id, "invite", id, { email, role: role.value })
          yield* mail(by, { email, role: role.value, joined: false })
        }, transaction),
        sendLink: Effect.fn("Members.sendLink")(function* (by, id) {
          const member = yield* show(by, id)
          if (!mayMake(by, member.role)) return yield* notAllowed
          yield* mail(by, member)
          yield* note(by.organizationId, by.id, "send_link", id, { email: member.email })
        }, transaction),
        setRole: Effect.fn("Members.setRole")(function* (by, id, typed) {
          const role = readRole(typed)
          if (role._tag === "None") return yield* new Invalid({ errors: roleOf(typed) })
          const after: Role = role.value
          const { before, email } = yield* judge(yield* repository.setRole(actOf(by, id), after))
          if (before === after) return
          const detail = { email, before: { role: before }, after: { role: after } }
          yield* note(by.organizationId, by.id, "update", id, detail)
        }, transaction),
        remove: Effect.fn("Members.remove")(function* (by, id) {
          const { before, email } = yield* judge(yield* repository.remove(actOf(by, id)))
          yield* note(by.organizationId, by.id, "remove", id, { email, role: before })
        }, transaction),
        unlink: Effect.fn("Members.unlink")(function* (by, id) {
          const { linked_at } = yield* show(by, id)
          if (linked_at === null) return
          const { email } = yield* judge(yield* repository.unlink(actOf(by, id)))
          yield* note(by.organizationId, by.id, "unlink_identity", id, { email })
        }, transaction),
      })
    }),
  )
}
