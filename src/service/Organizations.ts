/** Organizations and their members: what an operator sets up before anything else. */
import { Context, Effect, Layer, type Redacted } from "effect"
import { isEmailAddress } from "../domain/EmailAddress.ts"
import { MemberId, type OrganizationId } from "../domain/Ids.ts"
import type { Role } from "../domain/Member.ts"
import { type Fault, Invalid, invalid, NotFound, type Overloaded } from "../domain/Problem.ts"
import { AuditLogRepository } from "../repository/AuditLogRepository.ts"
import { Database } from "../repository/Database.ts"
import { type MemberRow, OrganizationRepository, type OrganizationRow } from "../repository/OrganizationRepository.ts"
import { changesOf, notes } from "./Audit.ts"
import { ids } from "./Ids.ts"
import { nameFaults } from "./Names.ts"
import { passwordNotices } from "./PasswordNotices.ts"
import { Passwords } from "./Passwords.ts"

/** What can be changed of an organization, as it was typed. */
export interface OrganizationChange {
  readonly name?: string
  readonly contact?: string
  readonly privacy_contact?: string
}

export class Organizations extends Context.Service<
  Organizations,
  {
    readonly create: (name: string) => Effect.Effect<OrganizationId, Invalid>
    /**
     * Its name, and whom candidates may ask, as their pages and mails name them. What is left out stays; a contact that is
     * empty is named no more. Noted in the audit log; `by` undefined: a command.
     */
    readonly update: (
      organization: OrganizationId,
      change: OrganizationChange,
      by?: MemberId,
    ) => Effect.Effect<OrganizationRow, Invalid | NotFound>
    readonly findByName: (name: string) => Effect.Effect<OrganizationId | undefined>
    /** For commands; noted in the audit log, as `setPassword` is. */
    readonly addMember: (
      organization: OrganizationId,
      member: { readonly email: string; readonly password: Redacted.Redacted; readonly role: Role },
    ) => Effect.Effect<MemberId, Invalid | NotFound | Overloaded>
    /** Sets a member's password, and ends the sessions that the one before began. */
    readonly setPassword: (
      organization: OrganizationId,
      email: string,
      password: Redacted.Redacted,
    ) => Effect.Effect<void, Invalid | NotFound | Overloaded>
    readonly hasMember: (email: string) => Effect.Effect<boolean>
    readonly find: (organization: OrganizationId) => Effect.Effect<OrganizationRow, NotFound>
    /** Fails when there is no such organization. */
    readonly require: (organization: OrganizationId) => Effect.Effect<void, NotFound>
  }
>()("interview-invitations/service/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const newId = yield* ids
      const log = yield* AuditLogRepository
      const note = notes(log, "organization")
      const noteMember = notes(log, "member")
      const notify = yield* passwordNotices
      const passwords = yield* Passwords
      const repository = yield* OrganizationRepository
      const find = Effect.fn("Organizations.find")(function* (id: OrganizationId) {
        return (yield* repository.find(id)) ?? (yield* new NotFound({ record: "organization" }))
      })
      const require = (id: OrganizationId) => Effect.asVoid(find(id))
      const insert = Effect.fnUntraced(function* (member: MemberRow) {
        const { email, id, organization_id, role } = member
        yield* repository
          .addMember(member)
          .pipe(Effect.catchTag("MemberExists", () => invalid("#/email", "taken", "belongs to a member already")))
        yield* noteMember(organization_id, undefined, "create", id, { email, role })
      }, transaction)
      const set = Effect.fnUntraced(function* (organization: OrganizationId, email: string, hash: string) {
        const member = yield* repository.findMember(email)
        const isSet = yield* repository.setPassword(organization, email, hash)
        if (member === undefined || !isSet) return yield* new NotFound({ record: "member" })
        yield* noteMember(organization, undefined, "set_password", member.id, { by: "command" })
        if (member.password_hash !== null) yield* notify(organization, member.email, "command")
      }, transaction)
      return Organizations.of({
        create: Effect.fn("Organizations.create")(function* (typed) {
          const name = yield* named("name", typed)
          const id = yield* repository.create(name)
          yield* note(id, undefined, "create", String(id), { name })
          return id
        }, transaction),
        find,
        update: Effect.fn("Organizations.update")(function* (organization, given, by) {
          const before = yield* find(organization)
          const errors: Array<Fault> = []
          const change: { -readonly [K in keyof OrganizationChange]: string | null } = {}
          const name = given.name?.trim()
          if (name !== undefined) {
            errors.push(...nameFaults("name", name, true))
            change.name = name
          }
          for (const field of ["contact", "privacy_contact"] as const) {
            const value = given[field]?.trim()
            if (value === undefined) continue
            if (value !== "" && !isContact(value)) {
              const message = "must be an e-mail address or an https address"
              errors.push({ pointer: `#/${field}`, code: "invalid_contact", message })
            }
            change[field] = value || null
          }
          if (errors.length > 0) return yield* new Invalid({ errors })
          const { name: newName, ...contacts } = change
          const after = yield* repository.update(organization, { ...contacts, ...(newName ? { name: newName } : {}) })
          if (after === undefined) return yield* new NotFound({ record: "organization" })
          const changes = changesOf(before, after, ["name", "contact", "privacy_contact"])
          if (changes !== undefined) yield* note(organization, by, "update", String(organization), changes)
          return after
        }, transaction),
        findByName: repository.findByName,
        addMember: Effect.fn("Organizations.addMember")(function* (organization, { email, password, role }) {
          yield* require(organization)
          if (!isEmailAddress(email))
            return yield* invalid("#/email", "invalid_email", "must be a valid e-mail address")
          const password_hash = yield* passwords.hash(password)
          const id = yield* newId(MemberId)
          yield* insert({ id, organization_id: organization, email, role, password_hash })
          return id
        }),
        setPassword: Effect.fn("Organizations.setPassword")(function* (organization, email, password) {
          yield* set(organization, email, yield* passwords.hash(password))
        }),
        hasMember: (email) => Effect.map(repository.findMember(email), (member) => member !== undefined),
        require,
      })
    }),
  )
}

const isContact = (value: string): boolean =>
  isEmailAddress(value) || (value.length <= 2_000 && /^https:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value))

/** A name without the blanks around it; a blank one is refused. */
export const named = (field: string, value: string): Effect.Effect<string, Invalid> =>
  value.trim() === ""
    ? Effect.fail(invalid(`#/${field}`, "required", "must not be blank"))
    : Effect.succeed(value.trim())
