/** Manages members. Rules about owners: MemberRepository. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { addressMessage, cleanAddress, isEmailAddress } from "../values/EmailAddress.ts"
import type { MemberId } from "../values/Ids.ts"
import { Conflict, type FieldError, Invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import { noting } from "./AuditLog.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { type Member, mayAssign, memberName, nameErrors, type Role } from "./Member.ts"
import { renderMemberInvitation, renderPasswordReset } from "./MemberEmail.ts"
import { type MemberEntry, MemberRepository, type Verdict } from "./MemberRepository.ts"
import { PasswordLinks } from "./PasswordLinks.ts"
import { SignIn } from "./SignIn.ts"

export interface Invitee {
  readonly email: string
  readonly name: string
  readonly role: string
}

const readRole = Schema.decodeUnknownOption(Schema.Literals(["owner", "admin", "recruiter"]))
const roleError: FieldError = { pointer: "#/role", code: "required", message: "is not chosen yet" }

const unknown = new NotFound({ record: "member" })
const notAllowed = new NotAllowed({ record: "member" })
const lastOwner = new Conflict({
  reason: "This is the last owner who can sign in. Make another member an owner first.",
})

const note = noting("member")

const list = Effect.fn("Members.list")(function* ({ organizationId }: Member) {
  return yield* (yield* MemberRepository).list(organizationId)
})

const find = Effect.fnUntraced(function* ({ organizationId }: Member, id: MemberId) {
  return (yield* (yield* MemberRepository).find(organizationId, id)) ?? (yield* unknown)
})

const show = Effect.fn("Members.show")(find)

const sendMail = Effect.fnUntraced(function* (by: Member, member: Pick<MemberEntry, "email" | "joined" | "role">) {
  const { email, joined, role } = member
  const links = yield* PasswordLinks
  if (joined) return yield* links.send(email, "password_reset", renderPasswordReset)
  return yield* links.send(email, "member_invitation", (url, until) =>
    renderMemberInvitation({
      url,
      until,
      email,
      role,
      organization: by.organizationName,
      timeZone: by.timeZone,
      inviter: memberName(by),
    }),
  )
})

/** Does nothing when `id` is already a member. */
const invite = Effect.fn("Members.invite")(function* (by: Member, id: MemberId, typed: Invitee) {
  const members = yield* MemberRepository
  const [email, name] = [cleanAddress(typed.email), typed.name.trim()]
  const role = Option.getOrUndefined(readRole(typed.role))
  const errors: Array<FieldError> = [...(role === undefined ? [roleError] : []), ...nameErrors("name", name, false)]
  if (!isEmailAddress(email)) {
    errors.push({ pointer: "#/email", code: "invalid_email", message: addressMessage(email) })
  }
  if (errors.length > 0 || role === undefined) return yield* new Invalid({ errors })
  if (!mayAssign(by, role)) return yield* notAllowed
  if (!(yield* members.insert(by.organizationId, { id, email, name: name || null, role, password_hash: null }))) {
    if ((yield* members.find(by.organizationId, id)) !== undefined) return
    const message = "belongs to a member already"
    return yield* new Invalid({ errors: [{ pointer: "#/email", code: "taken", message }] })
  }
  yield* note(by.organizationId, by.id, "invite", id, { email, role })
  yield* sendMail(by, { email, role, joined: false })
}, inTransaction)

const sendLink = Effect.fn("Members.sendLink")(function* (by: Member, id: MemberId) {
  const member = yield* find(by, id)
  if (!mayAssign(by, member.role)) return yield* notAllowed
  yield* sendMail(by, member)
  yield* note(by.organizationId, by.id, "send_link", id, { email: member.email })
}, inTransaction)

const changeOf = ({ id: by, organizationId: organization }: Member, id: MemberId) =>
  Effect.map(SignIn, ({ form, provider }) => ({
    organization,
    by,
    id,
    methods: { passwords: form !== undefined, issuer: provider?.issuer ?? null },
  }))

const requireDone = (result: Verdict | undefined): Effect.Effect<Verdict, NotFound | NotAllowed | Conflict> => {
  if (result === undefined) return Effect.fail(unknown)
  if (result.verdict === "not_allowed") return Effect.fail(notAllowed)
  return result.verdict === "last_owner" ? Effect.fail(lastOwner) : Effect.succeed(result)
}

/** As `remove` and `unlink`, fails with Conflict for the last owner who can sign in. */
const setRole = Effect.fn("Members.setRole")(function* (by: Member, id: MemberId, typed: string) {
  const members = yield* MemberRepository
  const after: Role | undefined = Option.getOrUndefined(readRole(typed))
  if (after === undefined) return yield* new Invalid({ errors: [roleError] })
  const { before, email } = yield* requireDone(yield* members.setRole(yield* changeOf(by, id), after))
  if (before === after) return
  yield* note(by.organizationId, by.id, "update", id, { email, before: { role: before }, after: { role: after } })
}, inTransaction)

const remove = Effect.fn("Members.remove")(function* (by: Member, id: MemberId) {
  const members = yield* MemberRepository
  const { before, email } = yield* requireDone(yield* members.remove(yield* changeOf(by, id)))
  yield* note(by.organizationId, by.id, "remove", id, { email, role: before })
}, inTransaction)

/** The next sign-in at the provider links an account again. */
const unlink = Effect.fn("Members.unlink")(function* (by: Member, id: MemberId) {
  const members = yield* MemberRepository
  const { linked_at } = yield* find(by, id)
  if (linked_at === null) return
  const { email } = yield* requireDone(yield* members.unlink(yield* changeOf(by, id)))
  yield* note(by.organizationId, by.id, "unlink_identity", id, { email })
}, inTransaction)

const useCases = { list, show, invite, sendLink, setRole, remove, unlink }

export class Members extends Context.Service<Members, Methods<typeof useCases>>()(
  "interview-invitations/accounts/Members",
) {
  static readonly layer = Layer.effect(
    Members,
    methods([AuditLogRepository, Database, MemberRepository, PasswordLinks, SignIn], useCases),
  )
}
