import { Context, Data, Effect, Equal, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import { readerOf, type Viewer } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { wordsOf } from "../platform/database/WordSearch.ts"
import { Ids } from "../platform/NewIds.ts"
import { type PageRequest, pageOf } from "../values/Cursor.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import { InterviewSetId, type OrganizationId, parseId, QuestionId, RequirementId } from "../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import { EvaluatedLanguages } from "./EvaluatedLanguages.ts"
import {
  askedOrder,
  byPriority,
  type CreateInterviewSet,
  type InterviewSet,
  type InterviewSetDetail,
  type Requirement,
  type UpdateInterviewSet,
} from "./InterviewSet.ts"
import {
  type InterviewSetFilter,
  InterviewSetRepository,
  type OfferedLanguage,
  type SetStanding,
} from "./InterviewSetRepository.ts"
import { accessesOf, buildSet, requestOf, type StoredIds } from "./InterviewSetRequest.ts"
import { placeText } from "./JobLocation.ts"
import { ProjectRepository } from "./ProjectRepository.ts"

export interface SetRecord {
  readonly set: InterviewSet
  readonly standing: SetStanding
}

export interface SetSearch {
  readonly text: string
  readonly archived: boolean
}

export interface SetChange {
  readonly request: CreateInterviewSet
  readonly questions: ReadonlyArray<QuestionId | undefined>
  readonly requirements: ReadonlyArray<RequirementId | undefined>
}

/** The set has changed since its form was opened. */
export class SetOutdated extends Data.TaggedError("SetOutdated")<{
  readonly saved: SetRecord
  /** What would have been saved. */
  readonly own: InterviewSet
}> {}

const maxChoices = 100

const maxTitle = 1024

const unknown = new NotFound({ record: "interview set" })

const shown = ({ iai_questions, iai_requirements }: InterviewSet) => ({
  questions: askedOrder(iai_questions),
  requirements: byPriority(iai_requirements),
})

const fixed = (set: InterviewSet) => ({
  ...shown(set),
  interview_duration: set.interview_duration,
  number_of_retakes: set.number_of_retakes,
  cfg_lingual_ids: set.cfg_lingual_ids,
})

/** Without the ids of accesses, which each save renews. */
const comparable = (set: InterviewSet) => ({
  ...set,
  iai_questions: askedOrder(set.iai_questions),
  iai_requirements: byPriority(set.iai_requirements),
  com_accesses: byPriority(set.com_accesses).map(({ id: _id, ...access }) => access),
})

const withoutIds = (set: InterviewSet) => {
  const { iai_questions, iai_requirements, ...rest } = comparable(set)
  return {
    ...rest,
    iai_questions: iai_questions.map(({ id: _, ...question }) => question),
    iai_requirements: iai_requirements.map(({ id: _, ...requirement }) => requirement),
  }
}

const outdated = new Conflict({
  reason: "the set has changed since the version of your request: read the set, and send your change with its version",
})

/** Of the given ids, those that the stored records do not have, and repeated ones. */
const unknownIds = (
  field: string,
  given: ReadonlyArray<{ readonly id?: string | null }>,
  stored: ReadonlyArray<{ readonly id: string }>,
): ReadonlyArray<FieldError> => {
  const known = new Set(stored.map(({ id }) => id))
  const seen = new Set<string>()
  return given.flatMap(({ id }, i) => {
    if (id == null) return []
    const own = id.toLowerCase()
    const pointer = `#/${field}/${i}/id`
    if (!known.has(own)) return [fieldError(pointer, "not_found", "is not in the set: leave it out for a new one")]
    if (seen.has(own)) return [fieldError(pointer, "duplicate", "must be unique within the request")]
    seen.add(own)
    return []
  })
}

/** With lists as text, which can be compared. */
const audited = (set: InterviewSet) => ({
  title: set.title,
  position: set.position,
  set_type: set.set_type,
  description: set.description,
  interview_duration: set.interview_duration,
  number_of_retakes: set.number_of_retakes,
  cfg_lingual_ids: set.cfg_lingual_ids.join(", "),
  priority: set.priority,
  job_locations: set.job_locations.map((place) => placeText(place)).join("; "),
  project: set.com_project_id,
  access: set.com_accesses.map(({ email }) => email).join(", "),
  external_id: set.external_id,
  metadata: Object.entries(set.metadata)
    .map(([name, text]) => `${name}: ${text}`)
    .toSorted()
    .join("; "),
})
const auditedFields = [
  "title",
  "position",
  "set_type",
  "description",
  "interview_duration",
  "number_of_retakes",
  "cfg_lingual_ids",
  "priority",
  "job_locations",
  "project",
  "access",
  "external_id",
  "metadata",
] as const

/** Recruiters keep access to sets that they create or change. */
const withOwnAccess = (viewer: Viewer, request: CreateInterviewSet): CreateInterviewSet => {
  const reader = readerOf(viewer)
  const accesses = request.com_accesses ?? []
  if (reader?._tag !== "Recruiter") return request
  if (accesses.some(({ email }) => foldAddress(email) === foldAddress(reader.email))) return request
  const fullname = viewer._tag === "Member" ? viewer.name : null
  return { ...request, com_accesses: [...accesses, { email: reader.email, fullname }] }
}

export class InterviewSets extends Context.Service<InterviewSets>()(
  "interview-invitations/interview-sets/InterviewSets",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const evaluated = yield* EvaluatedLanguages
      const { transaction } = yield* Database
      const ids = yield* Ids
      const interviewSetRepository = yield* InterviewSetRepository
      const projectRepository = yield* ProjectRepository

      const setFor = Effect.fnUntraced(function* (
        organization: OrganizationId,
        request: CreateInterviewSet,
        stored?: StoredIds,
      ) {
        const set = yield* buildSet(ids, request, stored)
        const project = set.com_project_id
        if (project !== null && !(yield* projectRepository.exists(organization, project))) {
          return yield* invalid("#/project_id", "not_found", "is not a project of this organization")
        }
        return set
      })

      const create = Effect.fn("InterviewSets.create")(function* (viewer: Viewer, request: CreateInterviewSet) {
        const set = yield* setFor(viewer.organizationId, request)
        const moments = yield* interviewSetRepository.insert(viewer.organizationId, set)
        // the service itself makes those of its sample
        if (viewer._tag !== "Operator") {
          yield* auditLog.note(viewer, "interview_set", "create", set.id, { title: set.title })
        }
        return { ...set, is_fixed: false, ...moments } satisfies InterviewSetDetail
      }, transaction)

      /** NotAllowed: the viewer is not on the access list. */
      const read = Effect.fn("InterviewSets.read")(function* (viewer: Viewer, text: string) {
        const id = parseId(InterviewSetId, text)
        if (id === undefined) return yield* unknown
        const standing = yield* interviewSetRepository.standing(viewer.organizationId, id, readerOf(viewer))
        if (standing === undefined) return yield* unknown
        if (!standing.readable) return yield* new NotAllowed({ record: "interview set" })
        const set = (yield* interviewSetRepository.find(viewer.organizationId, id)) ?? (yield* unknown)
        return { set, standing } satisfies SetRecord
      })

      /** A form sent twice creates one set. SetOutdated: there is one already. */
      const createOnce = Effect.fn("InterviewSets.createOnce")(function* (
        viewer: Viewer,
        id: InterviewSetId,
        request: CreateInterviewSet,
      ) {
        const { organizationId } = viewer
        yield* interviewSetRepository.lock(organizationId, id)
        if ((yield* interviewSetRepository.find(organizationId, id)) !== undefined) {
          const own = yield* setFor(organizationId, withOwnAccess(viewer, request), { id })
          return yield* new SetOutdated({ saved: yield* read(viewer, id), own })
        }
        if (yield* interviewSetRepository.isTaken(id)) {
          return yield* new Conflict({ reason: "the form belongs to a set that no longer exists: start again" })
        }
        const set = yield* setFor(organizationId, withOwnAccess(viewer, request), { id })
        yield* interviewSetRepository.insert(organizationId, set)
        yield* auditLog.note(viewer, "interview_set", "create", id, { title: set.title })
        return id
      }, transaction)

      const list = Effect.fn("InterviewSets.list")(function* (
        { organizationId }: Viewer,
        filter: InterviewSetFilter,
        page: PageRequest,
      ) {
        const rows = yield* interviewSetRepository.list(organizationId, filter, page)
        return pageOf("interview-sets", rows, page, ({ position: _, role, ...set }) => ({ ...set, position: role }))
      }, mayReadReplica)

      const search = Effect.fn("InterviewSets.search")(function* (
        viewer: Viewer,
        { archived, text }: SetSearch,
        page: PageRequest,
      ) {
        const words = wordsOf(text)
        const filter = { archived, reader: readerOf(viewer) }
        const rows =
          words === undefined
            ? []
            : yield* interviewSetRepository.search(viewer.organizationId, { ...filter, words }, page)
        return pageOf("interview-sets", rows, page, ({ position: _, ...line }) => line)
      }, mayReadReplica)

      const choices = Effect.fn("InterviewSets.choices")(function* (viewer: Viewer) {
        return yield* interviewSetRepository.choices(viewer.organizationId, readerOf(viewer), maxChoices)
      }, mayReadReplica)

      /** All sets with an interview that are not archived, newest first, for hiring systems. Ignores the access list. */
      const offered = Effect.fn("InterviewSets.offered")(function* ({ organizationId }: Viewer) {
        return yield* interviewSetRepository.offered(organizationId)
      }, mayReadReplica)

      /** Ignores the access list. */
      const find = Effect.fn("InterviewSets.find")(function* ({ organizationId }: Viewer, id: InterviewSetId) {
        return (yield* interviewSetRepository.find(organizationId, id)) ?? (yield* unknown)
      })

      /**
       * Questions and requirements are fixed once a candidate has started or a CV is queued: all candidates are rated alike.
       * The type is fixed once a candidate is invited. `version`: of the set that was edited. Forms do not give the hiring
       * system's `external_id` and `metadata`, which then stay.
       */
      const change = Effect.fn("InterviewSets.change")(function* (
        viewer: Viewer,
        text: string,
        version: string,
        { questions, request, requirements }: SetChange,
      ) {
        const { organizationId } = viewer
        const { set: found } = yield* read(viewer, text)
        yield* interviewSetRepository.lock(organizationId, found.id)
        const saved = yield* read(viewer, text)
        const { set: before, standing } = saved
        const own = new Set<string>([...before.iai_questions, ...before.iai_requirements].map(({ id }) => id))
        const kept = <A extends string>(given: ReadonlyArray<A | undefined>) =>
          given.map((id) => (id !== undefined && own.delete(id) ? id : undefined))
        const { external_id, metadata } = before
        const after = yield* setFor(organizationId, withOwnAccess(viewer, { external_id, metadata, ...request }), {
          id: before.id,
          questions: kept(questions),
          requirements: kept(requirements),
        })
        if (standing.version !== version) return yield* new SetOutdated({ saved, own: after })
        if (standing.used && after.set_type !== before.set_type) {
          return yield* invalid("#/set_type", "fixed", "can no longer change: candidates were invited")
        }
        if (standing.is_fixed && !Equal.equals(fixed(before), fixed(after))) {
          return yield* new Conflict({
            reason:
              "a candidate has started or sent a CV, so questions, requirements, languages, minutes and retakes can no longer change: duplicate the set to change them",
          })
        }
        if (Equal.equals(comparable(before), comparable(after))) return
        yield* interviewSetRepository.replace(organizationId, after, standing.is_fixed)
        const [was, is] = [shown(before), shown(after)]
        const detail = {
          ...changesOf(audited(before), audited(after), auditedFields),
          ...(Equal.equals(was.questions, is.questions) ? {} : { questions: after.iai_questions.length }),
          ...(Equal.equals(was.requirements, is.requirements) ? {} : { requirements: after.iai_requirements.length }),
        }
        if (Object.keys(detail).length > 0) yield* auditLog.note(viewer, "interview_set", "update", before.id, detail)
      }, transaction)

      /** Ignores the access list. */
      const detail = Effect.fn("InterviewSets.detail")(function* (viewer: Viewer, text: string) {
        const { set, standing } = yield* Effect.catchTag(read(viewer, text), "NotAllowed", () => Effect.fail(unknown))
        const { archived_at, created_at, is_fixed, updated_at, version } = standing
        return { ...set, version, is_fixed, archived_at, created_at, updated_at } satisfies InterviewSetDetail
      })

      /**
       * Changes the given fields, by the rules of `change`. Conflict: the set has changed since `version`; the same request
       * again succeeds. Invalid: an id of a question or a requirement that the set does not have, or twice.
       */
      const update = Effect.fn("InterviewSets.update")(function* (
        viewer: Viewer,
        text: string,
        { version, ...given }: UpdateInterviewSet,
      ) {
        const { set, standing } = yield* read(viewer, text)
        const errors = [
          ...unknownIds("iai_questions", given.iai_questions ?? [], set.iai_questions),
          ...unknownIds("iai_requirements", given.iai_requirements ?? [], set.iai_requirements),
        ]
        // ids of an earlier version are no error of the request
        if (errors.length > 0) return yield* standing.version === version ? new Invalid({ errors }) : outdated
        yield* change(viewer, set.id, version, {
          request: { ...requestOf(set), com_accesses: accessesOf(set), ...given },
          questions: (given.iai_questions ?? set.iai_questions).map(({ id }) => parseId(QuestionId, id?.toLowerCase())),
          requirements: (given.iai_requirements ?? set.iai_requirements).map(({ id }) =>
            parseId(RequirementId, id?.toLowerCase()),
          ),
        }).pipe(
          Effect.catchTag("SetOutdated", ({ own, saved }) =>
            Equal.equals(withoutIds(saved.set), withoutIds(own)) ? Effect.void : Effect.fail(outdated),
          ),
        )
        return yield* detail(viewer, set.id)
      }, transaction)

      /**
       * `id`: of the copy, so that a form sent twice creates one. The copy is open to the member only, besides owners and
       * admins. `requirements` replace those of the set.
       */
      const duplicate = Effect.fn("InterviewSets.duplicate")(function* (
        viewer: Viewer,
        text: string,
        id: InterviewSetId,
        requirements?: ReadonlyArray<Requirement>,
      ) {
        const { set } = yield* read(viewer, text)
        const request: CreateInterviewSet = {
          ...requestOf(requirements === undefined ? set : { ...set, iai_requirements: requirements }),
          title: [...`Copy of ${set.title}`].slice(0, maxTitle).join(""),
          com_accesses: [],
        }
        return yield* createOnce(viewer, id, request).pipe(Effect.catchTag("SetOutdated", () => Effect.succeed(id)))
      })

      const archive = Effect.fn("InterviewSets.archive")(function* (viewer: Viewer, text: string, archived: boolean) {
        const { set } = yield* read(viewer, text)
        if (yield* interviewSetRepository.archive(viewer.organizationId, set.id, archived)) {
          yield* auditLog.note(viewer, "interview_set", archived ? "archive" : "unarchive", set.id, {
            title: set.title,
          })
        }
      }, transaction)

      /** All that a set can have. */
      const languages = Effect.map(interviewSetRepository.languages, (all) =>
        all.map(
          (one): OfferedLanguage => ({
            ...one,
            isRead: evaluated === null || evaluated.includes(one.tag.split("-")[0]?.toLowerCase() ?? ""),
          }),
        ),
      )

      return {
        create,
        createOnce,
        duplicate,
        list,
        search,
        choices,
        offered,
        find,
        read,
        detail,
        change,
        update,
        archive,
        languages,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
