/** What members do with their own account: their name, their password, their sessions. */
import { Context, Duration, Effect, Layer, type Redacted } from "effect"
import type { Member } from "../domain/Member.ts"
import { Invalid, invalid, type Overloaded } from "../domain/Problem.ts"
import type { SignInRefused } from "../port/SignIn.ts"
import { AuditLogRepository } from "../repository/AuditLogRepository.ts"
import { Database } from "../repository/Database.ts"
import { MemberRepository } from "../repository/MemberRepository.ts"
import { OrganizationRepository } from "../repository/OrganizationRepository.ts"
import { SignInAttemptRepository } from "../repository/SignInAttemptRepository.ts"
import { changesOf, notes } from "./Audit.ts"
import { nameFaults } from "./Names.ts"
import { passwordNotices } from "./PasswordNotices.ts"
import { Passwords } from "./Passwords.ts"
import { SecretBox } from "./SecretBox.ts"
import { Sessions, type Started } from "./Sessions.ts"
import { TooManyAttempts } from "./SignIns.ts"

/** Passwords that may be wrong before the next is not compared any more. */
const most = 10
const period = Duration.minutes(15)

export interface PasswordChange {
  readonly current: Redacted.Redacted
  readonly password: Redacted.Redacted
  readonly userAgent: string | undefined
}

export class Accounts extends Context.Service<
  Accounts,
  {
    readonly rename: (member: Member, name: string) => Effect.Effect<void, Invalid>
    /** Ends every session of the member and every link, and begins a session for this browser. */
    readonly changePassword: (
      member: Member,
      change: PasswordChange,
    ) => Effect.Effect<Started, Invalid | Overloaded | TooManyAttempts | SignInRefused>
  }
>()("interview-invitations/service/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const attempts = yield* SignInAttemptRepository
      const { transaction } = yield* Database
      const members = yield* MemberRepository
      const note = notes(yield* AuditLogRepository, "member")
      const organizations = yield* OrganizationRepository
      const notify = yield* passwordNotices
      const passwords = yield* Passwords
      const sessions = yield* Sessions
      const vault = yield* SecretBox

      const set = Effect.fnUntraced(function* ({ email, id, organizationId }: Member, hash: string) {
        yield* organizations.setPassword(organizationId, email, hash)
        yield* note(organizationId, id, "set_password", id, { by: "password" })
        yield* notify(organizationId, email, "password")
      }, transaction)

      return Accounts.of({
        rename: Effect.fn("Accounts.rename")(function* (member, typed) {
          const name = typed.trim()
          const errors = nameFaults("name", name, false)
          if (errors.length > 0) return yield* new Invalid({ errors })
          const changes = changesOf({ name: member.name }, { name: name || null }, ["name"])
          if (changes === undefined) return
          yield* members.rename(member.organizationId, member.id, name || null)
          yield* note(member.organizationId, member.id, "update", member.id, changes)
        }, transaction),
        changePassword: Effect.fn("Accounts.changePassword")(
          function* (member, { current, password, userAgent }) {
            const key = vault.sign(Buffer.from(JSON.stringify(["own-password", member.id])))
            const wait = yield* attempts.count([{ key, most }], period)
            if (wait !== undefined) return yield* new TooManyAttempts({ seconds: Math.max(1, Math.ceil(wait / 1000)) })
            const wrong = invalid("#/current", "wrong_password", "is wrong")
            const stored = (yield* organizations.findMember(member.email))?.password_hash ?? null
            if (!(yield* passwords.matches(stored, current))) return yield* wrong
            yield* attempts.takeBack(key, [])
            yield* set(member, yield* passwords.hash(password))
            return yield* sessions.start(member, userAgent)
          },
          (effect) => passwords.admit(effect),
        ),
      })
    }),
  )
}
