/** Manages members. Rules about owners: MemberRepository. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Database } from "../../platform/database/Database.ts"
import { type PageRequest, pageOf } from "../../values/Cursor.ts"
import { addressMessage, cleanAddress, isEmailAddress } from "../../values/EmailAddress.ts"
import type { MemberId } from "../../values/Ids.ts"
import { Conflict, type FieldError, Invalid, NotAllowed, NotFound } from "../../values/Problem.ts"
import { AuditLog } from "../AuditLog.ts"
import { mayAssign } from "../Permissions.ts"
import { PasswordLinks } from "../sign-in/PasswordLinks.ts"
import { SecondFactorRepository } from "../sign-in/SecondFactorRepository.ts"
import { SignIn } from "../sign-in/SignIn.ts"
import type { Viewer } from "../Viewer.ts"
import { type Member, memberName, nameErrors, type Role, roles } from "./Member.ts"
import { makeNotifySecondFactor, renderMemberInvitation, renderPasswordReset } from "./MemberEmail.ts"
import { type MemberEntry, MemberRepository, type Verdict } from "./MemberRepository.ts"

export interface Invitee {
  readonly email: string
  readonly name: string
  readonly role: string
}

const readRole = Schema.decodeUnknownOption(Schema.Literals(roles))
const roleError: FieldError = { pointer: "#/role", code: "required", message: "is not chosen yet" }

const unknown = new NotFound({ record: "member" })
const notAllowed = new NotAllowed({ record: "member" })
const lastOwner = new Conflict({
  reason: "This is the last owner who can sign in. Make another member an owner first.",
})

const requireDone = (result: Verdict | undefined): Effect.Effect<Verdict, NotFound | NotAllowed | Conflict> => {
  if (result === undefined) return Effect.fail(unknown)
  if (result.verdict === "not_allowed") return Effect.fail(notAllowed)
  return result.verdict === "last_owner" ? Effect.fail(lastOwner) : Effect.succeed(result)
}

export class Members extends Context.Service<Members>()("interview-invitations/accounts/members/Members", {
  make: Effect.gen(function* () {
    const notifySecondFactor = yield* makeNotifySecondFactor
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const repository = yield* MemberRepository
    const passwordLinks = yield* PasswordLinks
    const secondFactorRepository = yield* SecondFactorRepository
    const signIn = yield* SignIn

    const list = Effect.fn("Members.list")(function* ({ organizationId }: Member) {
      return yield* repository.list(organizationId)
    })

    const page = Effect.fn("Members.page")(function* ({ organizationId }: Viewer, request: PageRequest) {
      const rows = yield* repository.page(organizationId, request)
      return pageOf("members", rows, request, ({ position: _, ...row }) => row)
    })

    const find = Effect.fnUntraced(function* ({ organizationId }: Viewer, id: MemberId) {
      return (yield* repository.find(organizationId, id)) ?? (yield* unknown)
    })

    const show = Effect.fn("Members.show")(find)

    const sendMail = Effect.fnUntraced(function* (
      viewer: Member,
      member: Pick<MemberEntry, "email" | "joined" | "role">,
    ) {
      const { email, joined, role } = member
      if (joined) return yield* passwordLinks.send(email, "password_reset", renderPasswordReset)
      return yield* passwordLinks.send(email, "member_invitation", (url, until) =>
        renderMemberInvitation({
          url,
          until,
          email,
          role,
          organization: viewer.organizationName,
          timeZone: viewer.timeZone,
          inviter: memberName(viewer),
        }),
      )
    })

    /** Does nothing when `id` is already a member. */
    const invite = Effect.fn("Members.invite")(function* (viewer: Member, id: MemberId, typed: Invitee) {
      const [email, name] = [cleanAddress(typed.email), typed.name.trim()]
      const role = Option.getOrUndefined(readRole(typed.role))
      const errors: Array<FieldError> = [...(role === undefined ? [roleError] : []), ...nameErrors("name", name, false)]
      if (!isEmailAddress(email)) {
        errors.push({ pointer: "#/email", code: "invalid_email", message: addressMessage(email) })
      }
      if (errors.length > 0 || role === undefined) return yield* new Invalid({ errors })
      if (!mayAssign(viewer, role)) return yield* notAllowed
      if (
        !(yield* repository.insert(viewer.organizationId, { id, email, name: name || null, role, password_hash: null }))
      ) {
        if ((yield* repository.find(viewer.organizationId, id)) !== undefined) return
        const message = "belongs to a member already"
        return yield* new Invalid({ errors: [{ pointer: "#/email", code: "taken", message }] })
      }
      yield* auditLog.note(viewer, "member", "invite", id, { email, role })
      yield* sendMail(viewer, { email, role, joined: false })
    }, transaction)

    const sendLink = Effect.fn("Members.sendLink")(function* (viewer: Member, id: MemberId) {
      const member = yield* find(viewer, id)
      if (!mayAssign(viewer, member.role)) return yield* notAllowed
      yield* sendMail(viewer, member)
      yield* auditLog.note(viewer, "member", "send_link", id, { email: member.email })
    }, transaction)

    const changeOf = ({ id: by, organizationId: organization }: Member, id: MemberId) =>
      Effect.succeed({
        organization,
        by,
        id,
        methods: { passwords: signIn.form !== undefined, issuer: signIn.provider?.issuer ?? null },
      })

    /** As `remove` and `unlink`, fails with Conflict for the last owner who can sign in. */
    const setRole = Effect.fn("Members.setRole")(function* (viewer: Member, id: MemberId, typed: string) {
      const after: Role | undefined = Option.getOrUndefined(readRole(typed))
      if (after === undefined) return yield* new Invalid({ errors: [roleError] })
      const { before, email } = yield* requireDone(yield* repository.setRole(yield* changeOf(viewer, id), after))
      if (before === after) return
      yield* auditLog.note(viewer, "member", "update", id, { email, before: { role: before }, after: { role: after } })
    }, transaction)

    const remove = Effect.fn("Members.remove")(function* (viewer: Member, id: MemberId) {
      const { before, email } = yield* requireDone(yield* repository.remove(yield* changeOf(viewer, id)))
      yield* auditLog.note(viewer, "member", "remove", id, { email, role: before })
    }, transaction)

    /** The next sign-in at the provider links an account again. */
    const unlink = Effect.fn("Members.unlink")(function* (viewer: Member, id: MemberId) {
      const { linked_at } = yield* find(viewer, id)
      if (linked_at === null) return
      const { email } = yield* requireDone(yield* repository.unlink(yield* changeOf(viewer, id)))
      yield* auditLog.note(viewer, "member", "unlink_identity", id, { email })
    }, transaction)

    /** For a member who has lost the second factor. Ends the member's sessions. */
    const resetSecondFactor = Effect.fn("Members.resetSecondFactor")(function* (viewer: Member, id: MemberId) {
      const { email, role } = yield* find(viewer, id)
      if (!mayAssign(viewer, role) || id === viewer.id) return yield* notAllowed
      if (!(yield* secondFactorRepository.remove(viewer.organizationId, id))) return
      yield* auditLog.note(viewer, "member", "reset_second_factor", id, { email })
      yield* notifySecondFactor(viewer.organizationId, email, `removed by ${memberName(viewer)}, an ${viewer.role}`)
    }, transaction)

    return { list, page, show, resetSecondFactor, invite, sendLink, setRole, remove, unlink }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
