/** Organizations, and their members as commands manage them. */
import { Context, Data, Effect, Layer, type Redacted } from "effect"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { findLanguage } from "../texts/Texts.ts"
import { addressMessage, cleanAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { HiringStageId, MemberId, type OrganizationId } from "../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, invalid, NotFound } from "../values/Problem.ts"
import { likelyTimeZones, readTimeZone } from "../values/TimeZone.ts"
import { AuditLog, changesOf } from "./AuditLog.ts"
import { nameErrors, type Role } from "./members/Member.ts"
import { makeNotifyPasswordChanged, makeNotifySecondFactor } from "./members/MemberEmail.ts"
import { type MemberRow, OrganizationRepository, type OrganizationRow } from "./OrganizationRepository.ts"
import { type Reasons, reasonErrors } from "./Reasons.ts"
import { Passwords } from "./sign-in/Passwords.ts"
import { SecondFactorRepository } from "./sign-in/SecondFactorRepository.ts"
import { operator, type Viewer } from "./Viewer.ts"

/** Of a new organization, after the interview; its owners and admins change them under Settings → Hiring stages. */
const firstStages = ["Phone call", "On site", "Offer"] as const

/** Undefined: unchanged. */
export interface OrganizationChange {
  readonly name?: string
  readonly contact?: string
  readonly privacy_contact?: string
  readonly hides_reviews?: boolean
  readonly hides_scores?: boolean
  readonly requires_second_factor?: boolean
  readonly time_zone?: string
  readonly confirms_receipt?: boolean
  readonly language?: string
  /** The version that the member saw; undefined: any. */
  readonly version?: number
}

/** The organization has changed since its form was opened. */
export class OrganizationOutdated extends Data.TaggedError("OrganizationOutdated")<{
  readonly saved: OrganizationRow
}> {}

export class Organizations extends Context.Service<Organizations>()("interview-invitations/accounts/Organizations", {
  make: Effect.gen(function* () {
    const notifyPasswordChanged = yield* makeNotifyPasswordChanged
    const notifySecondFactor = yield* makeNotifySecondFactor
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* OrganizationRepository
    const passwords = yield* Passwords
    const secondFactorRepository = yield* SecondFactorRepository

    const find = Effect.fn("Organizations.find")(function* (id: OrganizationId) {
      return (yield* repository.find(id)) ?? (yield* new NotFound({ record: "organization" }))
    })

    const require = (id: OrganizationId) => Effect.asVoid(find(id))

    const insertMember = Effect.fnUntraced(function* (member: MemberRow) {
      const { email, id, organization_id, role } = member
      yield* repository
        .addMember(member)
        .pipe(Effect.catchTag("MemberExists", () => invalid("#/email", "taken", "belongs to a member already")))
      yield* auditLog.note(operator(organization_id), "member", "create", id, { email, role })
    }, transaction)

    const savePassword = Effect.fnUntraced(function* (organization: OrganizationId, email: string, hash: string) {
      const member = yield* repository.findMember(email)
      const isSet = yield* repository.setPassword(organization, email, hash)
      if (member === undefined || !isSet) return yield* new NotFound({ record: "member" })
      yield* auditLog.note(operator(organization), "member", "set_password", member.id, { by: "command" })
      if (member.password_hash !== null) yield* notifyPasswordChanged(organization, member.email, "command")
    }, transaction)

    /** For a member who has lost the second factor and the recovery codes. Ends the member's sessions. */
    const resetSecondFactor = Effect.fn("Organizations.resetSecondFactor")(function* (
      organization: OrganizationId,
      email: string,
    ) {
      const member = yield* repository.findMember(email)
      if (member === undefined || member.organization_id !== organization)
        return yield* new NotFound({ record: "member" })
      if (!(yield* secondFactorRepository.remove(organization, member.id))) return false
      yield* auditLog.note(operator(organization), "member", "reset_second_factor", member.id, { email: member.email })
      yield* notifySecondFactor(organization, member.email, "reset by the operator of this service")
      return true
    }, transaction)

    const newStages = Effect.forEach(firstStages, (stage) =>
      Effect.map(ids.make(HiringStageId), (id) => ({ id, name: stage })),
    )

    const create = Effect.fn("Organizations.create")(function* (typed: string) {
      const name = yield* named("name", typed)
      const id = yield* repository.create(name, yield* newStages)
      yield* auditLog.note(operator(id), "organization", "create", String(id), { name })
      return id
    }, transaction)

    const timeZoneMessage = (typed: string): string => {
      const [last, ...others] = likelyTimeZones(typed).toReversed()
      if (last !== undefined) {
        const names = others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`
        return `must be the name of a time zone: did you mean ${names}?`
      }
      const isOffset = /^(?:utc|gmt)?\s*[+-]\d/i.test(typed.trim())
      const hint = isOffset ? "; an offset such as UTC+1 is none, because it has no summer time" : ""
      return `must be the name of a time zone, such as Europe/Berlin${hint}`
    }

    /** An empty contact is removed. With a `version`, fails with OrganizationOutdated when it is not the stored one. */
    const update = Effect.fn("Organizations.update")(function* (viewer: Viewer, given: OrganizationChange) {
      const { organizationId } = viewer
      const before = yield* find(organizationId)
      const errors: Array<FieldError> = []
      const change: { name?: string; contact?: string | null; privacy_contact?: string | null } = {}
      const name = given.name?.trim()
      if (name !== undefined) {
        errors.push(...nameErrors("name", name, true))
        change.name = name
      }
      for (const field of ["contact", "privacy_contact"] as const) {
        const value = given[field]?.trim()
        if (value === undefined) continue
        if (value !== "" && !isContact(value)) {
          const message = "must be an email address or an https address"
          errors.push({ pointer: `#/${field}`, code: "invalid_contact", message })
        }
        change[field] = value || null
      }
      const zone = given.time_zone === undefined ? undefined : readTimeZone(given.time_zone.trim())
      if (given.time_zone !== undefined && zone === undefined) {
        errors.push(fieldError("#/time_zone", "not_one_of", timeZoneMessage(given.time_zone)))
      }
      const language = given.language === undefined ? undefined : findLanguage(given.language)
      if (given.language !== undefined && language === undefined) {
        errors.push(fieldError("#/language", "not_one_of", "must be one of the list"))
      }
      if (errors.length > 0) return yield* new Invalid({ errors })
      const { name: newName, ...contacts } = change
      const after = yield* repository.update(organizationId, {
        ...contacts,
        ...(newName ? { name: newName } : {}),
        ...(zone === undefined ? {} : { time_zone: zone }),
        ...(language === undefined ? {} : { language }),
        ...(given.confirms_receipt === undefined ? {} : { confirms_receipt: given.confirms_receipt }),
        seen: given.version,
        ...(given.hides_reviews === undefined ? {} : { hides_reviews: given.hides_reviews }),
        ...(given.hides_scores === undefined ? {} : { hides_scores: given.hides_scores }),
        ...(given.requires_second_factor === undefined ? {} : { requires_second_factor: given.requires_second_factor }),
      })
      if (after === undefined) return yield* new OrganizationOutdated({ saved: yield* find(organizationId) })
      const fields = [
        "name",
        "contact",
        "privacy_contact",
        "time_zone",
        "language",
        "confirms_receipt",
        "hides_reviews",
        "hides_scores",
        "requires_second_factor",
      ] as const
      const changes = changesOf(before, after, fields)
      if (changes !== undefined) yield* auditLog.note(viewer, "organization", "update", String(organizationId), changes)
      return after
    }, transaction)

    const reasons = Effect.fn("Organizations.reasons")(function* ({ organizationId }: Viewer) {
      return yield* repository.reasons(organizationId)
    })

    /** `seen`: what the form showed. Conflict: the lists have changed since. */
    const setReasons = Effect.fn("Organizations.setReasons")(function* (viewer: Viewer, seen: Reasons, next: Reasons) {
      const errors = (["reject_reasons", "decline_reasons"] as const).flatMap((field) =>
        reasonErrors(field, next[field]),
      )
      if (errors.length > 0) return yield* new Invalid({ errors })
      const before = yield* repository.reasons(viewer.organizationId)
      const isSaved = yield* repository.setReasons(viewer.organizationId, seen, next)
      if (!isSaved)
        return yield* new Conflict({ reason: "another member has saved the reasons since you opened the page" })
      const text = ({ decline_reasons, reject_reasons }: Reasons) => ({
        reject_reasons: reject_reasons.join("; "),
        decline_reasons: decline_reasons.join("; "),
      })
      const changes = changesOf(text(before), text(next), ["reject_reasons", "decline_reasons"])
      if (changes !== undefined)
        yield* auditLog.note(viewer, "organization", "update", String(viewer.organizationId), changes)
    }, transaction)

    /**
     * The organization's test space (docs/test-mode.md); makes it if there is none, with a copy of each member. Fails with Conflict
     * for a test space.
     */
    const openTestSpace = Effect.fn("Organizations.openTestSpace")(function* (viewer: Viewer) {
      const live = viewer.organizationId
      if ((yield* repository.liveOf(live)) !== undefined)
        return yield* new Conflict({ reason: `organization ${live} is a test space already` })
      const made = yield* repository.createTestSpace(live, yield* newStages)
      if (made !== undefined) {
        yield* auditLog.note(viewer, "organization", "create_test_space", String(live), { test_space: made })
        yield* auditLog.note(operator(made), "organization", "create", String(made), { test_of: live })
      }
      const space = made ?? (yield* repository.testSpace(live)) ?? (yield* new NotFound({ record: "organization" }))
      yield* repository.copyMembers(live, space)
      return space
    }, transaction)

    const testSpace = ({ organizationId }: Viewer) => repository.testSpace(organizationId)

    const findByName = (name: string) => repository.findByName(name)

    const addMember = Effect.fn("Organizations.addMember")(function* (
      organization: OrganizationId,
      typed: { readonly email: string; readonly password: Redacted.Redacted; readonly role: Role },
    ) {
      const { password, role } = typed
      const email = cleanAddress(typed.email)
      const { name } = yield* find(organization)
      if ((yield* repository.liveOf(organization)) !== undefined)
        return yield* invalid(
          "#/organization",
          "invalid",
          "is a test space, whose members are those of its organization",
        )
      if (!isEmailAddress(email)) return yield* invalid("#/email", "invalid_email", addressMessage(email))
      const password_hash = yield* passwords.hash(password, [email, name])
      const id = yield* ids.make(MemberId)
      yield* insertMember({ id, organization_id: organization, email, role, password_hash })
      return id
    })

    const setPassword = Effect.fn("Organizations.setPassword")(function* (
      organization: OrganizationId,
      email: string,
      password: Redacted.Redacted,
    ) {
      yield* savePassword(organization, email, yield* passwords.hash(password))
    })

    const hasMember = (email: string) => Effect.map(repository.findMember(email), (member) => member !== undefined)

    return {
      create,
      find,
      update,
      reasons,
      setReasons,
      findByName,
      addMember,
      setPassword,
      openTestSpace,
      testSpace,
      resetSecondFactor,
      hasMember,
      require,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

const isContact = (value: string): boolean =>
  isEmailAddress(value) || (value.length <= 2_000 && /^https:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value))

export const named = (field: string, value: string): Effect.Effect<string, Invalid> =>
  value.trim() === ""
    ? Effect.fail(invalid(`#/${field}`, "required", "must not be blank"))
    : Effect.succeed(value.trim())
