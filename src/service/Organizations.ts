/** Organizations and their members: what an operator sets up before anything else. */
import { Context, Effect, Layer, Redacted } from "effect"
import { isEmailAddress } from "../domain/EmailAddress.ts"
import { MemberId, type OrganizationId } from "../domain/Ids.ts"
import type { Role } from "../domain/Member.ts"
import { type Invalid, invalid, NotFound } from "../domain/Problem.ts"
import { type Contacts, Organizations as Repository } from "../repository/Organizations.ts"
import { ids } from "./Ids.ts"
import { hashed, passwordLength } from "./Passwords.ts"

export class Organizations extends Context.Service<
  Organizations,
  {
    readonly create: (name: string) => Effect.Effect<OrganizationId, Invalid>
    /** Whom candidates may ask, as their pages and mails name them. What is left out stays; what is empty is named no more. */
    readonly setContacts: (
      organization: OrganizationId,
      contacts: Partial<Record<keyof Contacts, string>>,
    ) => Effect.Effect<Contacts, Invalid | NotFound>
    readonly findByName: (name: string) => Effect.Effect<OrganizationId | undefined>
    readonly addMember: (
      organization: OrganizationId,
      member: { readonly email: string; readonly password: Redacted.Redacted; readonly role: Role },
    ) => Effect.Effect<MemberId, Invalid | NotFound>
    /** Sets a member's password, and ends the sessions that the one before began. */
    readonly setPassword: (
      organization: OrganizationId,
      email: string,
      password: Redacted.Redacted,
    ) => Effect.Effect<void, Invalid | NotFound>
    readonly hasMember: (email: string) => Effect.Effect<boolean>
    readonly find: (
      organization: OrganizationId,
    ) => Effect.Effect<{ readonly id: OrganizationId; readonly name: string }, NotFound>
    /** Fails when there is no such organization. */
    readonly require: (organization: OrganizationId) => Effect.Effect<void, NotFound>
  }
>()("interview-invitations/service/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const newId = yield* ids
      const repository = yield* Repository
      const find = Effect.fn("Organizations.find")(function* (id: OrganizationId) {
        return (yield* repository.find(id)) ?? (yield* new NotFound({ record: "organization" }))
      })
      const require = (id: OrganizationId) => Effect.asVoid(find(id))
      return Organizations.of({
        create: Effect.fn("Organizations.create")((name) => Effect.flatMap(named("name", name), repository.create)),
        find,
        setContacts: Effect.fn("Organizations.setContacts")(function* (organization, given) {
          const contacts: { -readonly [K in keyof Contacts]?: string | null } = {}
          for (const field of ["contact", "privacy_contact"] as const) {
            const value = given[field]?.trim()
            if (value === undefined) continue
            if (value !== "" && !isContact(value)) {
              return yield* invalid(`#/${field}`, "invalid_contact", "must be an e-mail address or an https address")
            }
            contacts[field] = value || null
          }
          const set = yield* repository.setContacts(organization, contacts)
          return set ?? (yield* new NotFound({ record: "organization" }))
        }),
        findByName: repository.findByName,
        addMember: Effect.fn("Organizations.addMember")(function* (organization, { email, password, role }) {
          yield* require(organization)
          if (!isEmailAddress(email))
            return yield* invalid("#/email", "invalid_email", "must be a valid e-mail address")
          const password_hash = yield* newHash(password)
          const id = yield* newId(MemberId)
          yield* repository
            .addMember({ id, organization_id: organization, email, role, password_hash })
            .pipe(
              Effect.catchTag("MemberExists", () =>
                Effect.fail(invalid("#/email", "taken", "belongs to a member already")),
              ),
            )
          return id
        }),
        setPassword: Effect.fn("Organizations.setPassword")(function* (organization, email, password) {
          const set = yield* repository.setPassword(organization, email, yield* newHash(password))
          if (!set) return yield* new NotFound({ record: "member" })
        }),
        hasMember: (email) => Effect.map(repository.findMember(email), (member) => member !== undefined),
        require,
      })
    }),
  )
}

/** The hash of a password that is long enough, and not too long to be typed. */
const newHash = (password: Redacted.Redacted): Effect.Effect<string, Invalid> => {
  const { least, most } = passwordLength
  const length = [...Redacted.value(password)].length
  if (length < least) {
    return Effect.fail(invalid("#/password", "too_short", `must have at least ${least} characters`))
  }
  return length > most
    ? Effect.fail(invalid("#/password", "too_long", `must have at most ${most} characters`))
    : hashed(password)
}

const isContact = (value: string): boolean =>
  isEmailAddress(value) || (value.length <= 2_000 && /^https:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value))

/** A name without the blanks around it; a blank one is refused. */
export const named = (field: string, value: string): Effect.Effect<string, Invalid> =>
  value.trim() === ""
    ? Effect.fail(invalid(`#/${field}`, "required", "must not be blank"))
    : Effect.succeed(value.trim())
