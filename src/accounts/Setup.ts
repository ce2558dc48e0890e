/** Creates the first organization and its owner. The command `setup` prints the code, signed with SECRET_KEY. */
import { Context, Effect, Layer, Redacted } from "effect"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { addressMessage, cleanAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { MemberId } from "../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, invalid } from "../values/Problem.ts"
import { readTimeZone, utc } from "../values/TimeZone.ts"
import { noting } from "./AuditLog.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { nameErrors } from "./Member.ts"
import { MemberRepository, type NewMember } from "./MemberRepository.ts"
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

const noteMember = noting("member")
const noteOrganization = noting("organization")

const isOpen = Effect.flatMap(MemberRepository, ({ hasOrganization }) => Effect.map(hasOrganization, (has) => !has))

const code = Effect.gen(function* () {
  if (!(yield* isOpen)) return yield* alreadyDone
  const { sign } = yield* SecretBox
  return Redacted.make(Buffer.from(sign(signedText)).toString("base64url"))
})

const insert = Effect.fnUntraced(function* (name: string, timeZone: string, owner: NewMember) {
  const organization = yield* (yield* MemberRepository).found({ name, time_zone: timeZone }, owner)
  if (organization === undefined) return yield* alreadyDone
  yield* noteOrganization(organization, owner.id, "create", String(organization), { name, time_zone: timeZone })
  yield* noteMember(organization, owner.id, "create", owner.id, { email: owner.email, role: owner.role })
  return organization
}, inTransaction)

/** Fails with Conflict when an organization exists; of concurrent calls, one succeeds. */
const found = Effect.fn("Setup.found")(function* ({ code, password, ...typed }: SetupRequest) {
  const passwords = yield* Passwords
  const { verify } = yield* SecretBox
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
      : yield* passwords.hash(password).pipe(
          Effect.catchTag("Invalid", (refused) => {
            errors.push(...refused.errors)
            return Effect.succeed(null)
          }),
        )
  if (errors.length > 0) return yield* new Invalid({ errors })
  const owner = { id: yield* newId(MemberId), email, name: name || null, role: "owner", password_hash } as const
  return { organization: yield* insert(organization, readTimeZone(typed.timeZone) ?? utc, owner), email }
})

const useCases = { isOpen, code, found }

export class Setup extends Context.Service<Setup, Methods<typeof useCases>>()("interview-invitations/accounts/Setup") {
  static readonly layer = Layer.effect(
    Setup,
    methods([AuditLogRepository, Database, Ids, MemberRepository, Passwords, SecretBox], useCases),
  ).pipe(Layer.provide(Ids.layer))
}
