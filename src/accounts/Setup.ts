/**
 * The first organization and its owner. A page on the internet that makes an owner belongs to whoever finds it first, so it
 * asks for a code that only who runs the service has: a command prints it, and nothing logs it. The code is signed with
 * SECRET_KEY: nothing is stored, every pod knows it, and it opens nothing once there is an organization.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { MemberId, type OrganizationId } from "../values/Ids.ts"
import { Conflict, type FieldError, Invalid, type Overloaded } from "../values/Problem.ts"
import { notes } from "./Audit.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { nameErrors } from "./Names.ts"
import { Passwords } from "./Passwords.ts"

/** As it was typed. */
export interface Founding {
  readonly code: Redacted.Redacted
  readonly organization: string
  readonly name: string
  readonly email: string
  /** undefined: the owner signs in at a provider. */
  readonly password: Redacted.Redacted | undefined
}

const done = new Conflict({ reason: "there is an organization already: its owners invite everybody else" })

/** What is signed. */
const purpose = Buffer.from(JSON.stringify(["setup"]))

export class Setup extends Context.Service<
  Setup,
  {
    /** Whether there is no organization yet. */
    readonly isOpen: Effect.Effect<boolean>
    /** What the page asks for. */
    readonly code: Effect.Effect<Redacted.Redacted, Conflict>
    /** Of two at once, one makes the organization and the other one meets a Conflict. */
    readonly found: (
      founding: Founding,
    ) => Effect.Effect<
      { readonly organization: OrganizationId; readonly email: string },
      Invalid | Conflict | Overloaded
    >
  }
>()("interview-invitations/accounts/Setup") {
  static readonly layer = Layer.effect(
    Setup,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const log = yield* AuditLogRepository
      const members = yield* MemberRepository
      const newId = yield* ids
      const passwords = yield* Passwords
      const vault = yield* SecretBox
      // organizations are never taken away: once there is one, nobody has to ask again
      let isDone = false
      const isOpen = Effect.suspend(() =>
        isDone
          ? Effect.succeed(false)
          : Effect.map(members.hasOrganization, (has) => {
              isDone = has
              return !has
            }),
      )
      const noteMember = notes(log, "member")
      const noteOrganization = notes(log, "organization")
      const make = Effect.fnUntraced(function* (name: string, owner: Parameters<typeof members.found>[1]) {
        const organization = yield* members.found(name, owner)
        if (organization === undefined) return yield* done
        yield* noteOrganization(organization, owner.id, "create", String(organization), { name })
        yield* noteMember(organization, owner.id, "create", owner.id, { email: owner.email, role: owner.role })
        return organization
      }, transaction)
      return Setup.of({
        isOpen,
        code: Effect.flatMap(isOpen, (open) =>
          open
            ? Effect.succeed(Redacted.make(Buffer.from(vault.sign(purpose)).toString("base64url")))
            : Effect.fail(done),
        ),
        found: Effect.fn("Setup.found")(function* ({ code, password, ...typed }) {
          if (!(yield* isOpen)) return yield* done
          const isProven = vault.verify(Buffer.from(Redacted.value(code).trim(), "base64url"), purpose)
          if (!isProven) {
            const message = "is not the one that the command prints"
            return yield* new Invalid({ errors: [{ pointer: "#/code", code: "wrong_code", message }] })
          }
          const [name, email] = [typed.organization.trim(), typed.email.trim()]
          const own = typed.name.trim()
          const errors: Array<FieldError> = [
            ...nameErrors("organization", name, true),
            ...nameErrors("name", own, false),
            ...(isEmailAddress(email)
              ? []
              : [{ pointer: "#/email", code: "invalid_email", message: "must be a valid e-mail address" }]),
          ]
          const hash =
            password === undefined
              ? null
              : yield* passwords.hash(password).pipe(
                  Effect.catchTag("Invalid", (fault) =>
                    Effect.sync(() => {
                      errors.push(...fault.errors)
                      return null
                    }),
                  ),
                )
          if (errors.length > 0) return yield* new Invalid({ errors })
          const id = yield* newId(MemberId)
          const owner = { id, email, name: own || null, role: "owner", password_hash: hash } as const
          return { organization: yield* make(name, owner), email }
        }),
      })
    }),
  )
}
