/** Members change their own name, password and emails. */
import { Context, Effect, Layer, type Redacted } from "effect"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Database } from "../../platform/database/Database.ts"
import { Invalid, invalid } from "../../values/Problem.ts"
import { AuditLog, changesOf } from "../AuditLog.ts"
import { OrganizationRepository } from "../OrganizationRepository.ts"
import { Passwords } from "../sign-in/Passwords.ts"
import type { SignInMethod } from "../sign-in/SessionRepository.ts"
import { Sessions } from "../sign-in/Sessions.ts"
import { SignInAttemptRepository } from "../sign-in/SignInAttemptRepository.ts"
import { period, TooManyAttempts } from "../sign-in/TooManyAttempts.ts"
import { type Member, nameErrors } from "./Member.ts"
import { makeNotifyPasswordChanged } from "./MemberEmail.ts"
import { MemberRepository } from "./MemberRepository.ts"
import type { NotificationChoices } from "./Notification.ts"
import { Notifications } from "./Notifications.ts"

const maxAttempts = 10

export interface PasswordChange {
  readonly current: Redacted.Redacted
  readonly password: Redacted.Redacted
  readonly userAgent: string | undefined
  /** How the member signed in. */
  readonly method: SignInMethod
}

export class OwnAccount extends Context.Service<OwnAccount>()("interview-invitations/accounts/members/OwnAccount", {
  make: Effect.gen(function* () {
    const notifyPasswordChanged = yield* makeNotifyPasswordChanged
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const memberRepository = yield* MemberRepository
    const notifications = yield* Notifications
    const organizationRepository = yield* OrganizationRepository
    const passwords = yield* Passwords
    const { sign } = yield* SecretBox
    const sessions = yield* Sessions
    const signInAttemptRepository = yield* SignInAttemptRepository

    const set = Effect.fnUntraced(function* (member: Member, hash: string) {
      const { email, id, organizationId } = member
      yield* organizationRepository.setPassword(organizationId, email, hash)
      yield* auditLog.note(member, "member", "set_password", id, { by: "password" })
      yield* notifyPasswordChanged(organizationId, email, "password")
    }, transaction)

    const rename = Effect.fn("OwnAccount.rename")(function* (member: Member, typed: string) {
      const name = typed.trim()
      const errors = nameErrors("name", name, false)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const changes = changesOf({ name: member.name }, { name: name || null }, ["name"])
      if (changes === undefined) return
      yield* memberRepository.rename(member.organizationId, member.id, name || null)
      yield* auditLog.note(member, "member", "update", member.id, changes)
    }, transaction)

    const setNotifications = Effect.fn("OwnAccount.setNotifications")(function* (
      member: Member,
      after: NotificationChoices,
    ) {
      const before = yield* memberRepository.find(member.organizationId, member.id)
      if (before !== undefined) yield* notifications.choose(member, before, after)
    }, transaction)

    /** Ends all sessions and password links of the member. */
    const changePassword = Effect.fn("OwnAccount.changePassword")(function* (
      member: Member,
      { current, method, password, userAgent }: PasswordChange,
    ) {
      const key = sign(Buffer.from(JSON.stringify(["own-password", member.id])))
      const wait = yield* signInAttemptRepository.count([{ key, max: maxAttempts }], period)
      if (wait !== undefined) return yield* TooManyAttempts.of(wait)
      const stored = (yield* organizationRepository.findMember(member.email))?.password_hash ?? null
      if (!(yield* passwords.matches(stored, current))) {
        return yield* invalid("#/current", "wrong_password", "is wrong")
      }
      yield* signInAttemptRepository.reset(key)
      yield* set(member, yield* passwords.hash(password, [member.email, member.name, member.organizationName]))
      return yield* sessions.start(member, userAgent, method)
    }, passwords.admit)

    return { rename, setNotifications, changePassword }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
