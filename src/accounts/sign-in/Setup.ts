/** Creates the first organization and its owner. The command `setup` prints the code, signed with SECRET_KEY. */
import { Context, Effect, Layer, Redacted } from "effect"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { addressMessage, cleanAddress, isEmailAddress } from "../../values/EmailAddress.ts"
import { MemberId } from "../../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, invalid } from "../../values/Problem.ts"
import { readTimeZone, utc } from "../../values/TimeZone.ts"
import { AuditLog } from "../AuditLog.ts"
import { nameErrors } from "../members/Member.ts"
import { MemberRepository, type NewMember } from "../members/MemberRepository.ts"
import { memberAuthor } from "../Viewer.ts"
import { Passwords } from "./Passwords.ts"

export interface SetupRequest {
  readonly code: Redacted.Redacted
  readonly organization: string
  readonly name: string
  readonly email: string
  /** The browser's; one that is unknown here gives UTC. */
  readonly timeZone: string
  /** Undefined: the owner signs in at a provider. */
  readonly password: Redacted.Redacted | undefined
}

const alreadyDone = new Conflict({
  reason: "an organization exists already: ask one of its owners or admins to invite you",
})

const signedText = Buffer.from(JSON.stringify(["setup"]))

export class Setup extends Context.Service<Setup>()("interview-invitations/accounts/sign-in/Setup", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* MemberRepository
    const passwords = yield* Passwords
    const { sign, verify } = yield* SecretBox

    const isOpen = Effect.map(repository.hasOrganization, (has) => !has)

    const makeCode = Effect.gen(function* () {
      if (!(yield* isOpen)) return yield* alreadyDone
      return Redacted.make(Buffer.from(sign(signedText)).toString("base64url"))
    })

    const insert = Effect.fnUntraced(function* (name: string, timeZone: string, owner: NewMember) {
      const organization = yield* repository.found({ name, time_zone: timeZone }, owner)
      if (organization === undefined) return yield* alreadyDone
      const author = memberAuthor(organization, owner.id)
      yield* auditLog.note(author, "organization", "create", String(organization), { name, time_zone: timeZone })
      yield* auditLog.note(author, "member", "create", owner.id, { email: owner.email, role: owner.role })
      return organization
    }, transaction)

    /** Fails with Conflict when an organization exists; of concurrent calls, one succeeds. */
    const found = Effect.fn("Setup.found")(function* ({ code, password, ...typed }: SetupRequest) {
      if (!(yield* isOpen)) return yield* alreadyDone
      if (!verify(Buffer.from(Redacted.value(code).trim(), "base64url"), signedText)) {
        return yield* invalid("#/code", "wrong_code", "is not the one that the command prints")
      }
      const [organization, name, email] = [typed.organization.trim(), typed.name.trim(), cleanAddress(typed.email)]
      const errors: Array<FieldError> = [
        ...nameErrors("organization", organization, true),
        ...nameErrors("name", name, false),
        ...(isEmailAddress(email) ? [] : [fieldError("#/email", "invalid_email", addressMessage(email))]),
      ]
      const password_hash =
        password === undefined
          ? null
          : yield* passwords.hash(password, [email, name, organization]).pipe(
              Effect.catchTag("Invalid", (refused) => {
                errors.push(...refused.errors)
                return Effect.succeed(null)
              }),
            )
      if (errors.length > 0) return yield* new Invalid({ errors })
      const owner = { id: yield* ids.make(MemberId), email, name: name || null, role: "owner", password_hash } as const
      return { organization: yield* insert(organization, readTimeZone(typed.timeZone) ?? utc, owner), email }
    })

    return { isOpen, code: makeCode, found }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
