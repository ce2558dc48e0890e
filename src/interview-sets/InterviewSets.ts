/** Interview sets: created by hiring systems and members, listed, searched, changed and archived. */
import { Context, Effect, Equal, Layer, Option, Schema } from "effect"
import { audit, changesOf } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import { readerOf, type Viewer } from "../accounts/Viewer.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { wordsOf } from "../platform/database/WordSearch.ts"
import { Ids } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import { InterviewSetId, type QuestionId, type RequirementId } from "../values/Ids.ts"
import { type PageRequest, pageOf } from "../values/Page.ts"
import { Conflict, invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import { buildInterviewSet } from "./BuildInterviewSet.ts"
import { askedOrder, byPriority, type CreateInterviewSet, type InterviewSet } from "./InterviewSet.ts"
import { type InterviewSetFilter, InterviewSetRepository, type SetStanding } from "./InterviewSetRepository.ts"
import { ProjectRepository } from "./ProjectRepository.ts"

/** A set with how far it is used. */
export interface SetRecord {
  readonly set: InterviewSet
  readonly standing: SetStanding
}

/** What a member searches for: sets in use or archived ones, by the words of a text. */
export interface SetSearch {
  readonly text: string
  readonly archived: boolean
}

/** A changed set, with the existing ids of its questions and requirements. */
export interface SetChange {
  readonly request: CreateInterviewSet
  readonly questions: ReadonlyArray<QuestionId | undefined>
  readonly requirements: ReadonlyArray<RequirementId | undefined>
}

/** The maximum number of sets in a select field. Other sets have their own pages. */
const maxChoices = 100

const unknown = new NotFound({ record: "interview set" })
const parseId = Schema.decodeUnknownOption(InterviewSetId)

/** Questions and requirements in the order that people see; the stored order does not matter. */
const shown = ({ iai_questions, iai_requirements }: InterviewSet) => ({
  questions: askedOrder(iai_questions),
  requirements: byPriority(iai_requirements),
})

/** The part of a set that cannot change once a candidate is rated by it. */
const fixed = (set: InterviewSet) => ({
  ...shown(set),
  interview_duration: set.interview_duration,
  number_of_retakes: set.number_of_retakes,
  cfg_lingual_ids: set.cfg_lingual_ids,
})

/** The fields that the audit log compares; lists as text, so that equal lists are equal. */
const audited = (set: InterviewSet) => ({
  title: set.title,
  position: set.position,
  set_type: set.set_type,
  description: set.description,
  interview_duration: set.interview_duration,
  number_of_retakes: set.number_of_retakes,
  cfg_lingual_ids: set.cfg_lingual_ids.join(", "),
  priority: set.priority,
  project: set.com_project_id,
  access: set.com_accesses.map(({ email }) => email).join(", "),
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
  "project",
  "access",
] as const

/** Adds a recruiter to the access list of a set that the recruiter creates or changes, so that it stays visible. */
const withOwnAccess = (viewer: Viewer, request: CreateInterviewSet): CreateInterviewSet => {
  const reader = readerOf(viewer)
  const accesses = request.com_accesses ?? []
  if (reader === undefined || accesses.some(({ email }) => foldAddress(email) === foldAddress(reader))) return request
  const fullname = viewer._tag === "Member" ? viewer.name : null
  return { ...request, com_accesses: [...accesses, { email: reader, fullname }] }
}

/** Creates a set (docs/api.md). */
const create = Effect.fn("InterviewSets.create")(function* (viewer: Viewer, request: CreateInterviewSet) {
  const set = yield* buildInterviewSet(viewer.organizationId, request)
  yield* (yield* InterviewSetRepository).insert(viewer.organizationId, set)
  return set
})

/** Creates a set with the id of a form and returns the id. A form that is sent twice creates one set. */
const createOnce = Effect.fn("InterviewSets.createOnce")(function* (
  viewer: Viewer,
  id: InterviewSetId,
  request: CreateInterviewSet,
) {
  const { organizationId } = viewer
  const sets = yield* InterviewSetRepository
  yield* sets.lock(organizationId, id)
  if ((yield* sets.find(organizationId, id)) !== undefined) return id
  if (yield* sets.isTaken(id)) {
    return yield* new Conflict({ reason: "the form was made for a set that is gone: begin again" })
  }
  const set = yield* buildInterviewSet(organizationId, withOwnAccess(viewer, request), { id })
  yield* sets.insert(organizationId, set)
  yield* audit(viewer, "interview_set", "create", id, { title: set.title })
  return id
}, inTransaction)

/** Lists sets, archived ones too, newest first. */
const list = Effect.fn("InterviewSets.list")(function* (
  { organizationId }: Viewer,
  filter: InterviewSetFilter,
  page: PageRequest,
) {
  const rows = yield* (yield* InterviewSetRepository).list(organizationId, filter, page)
  return pageOf("interview-sets", rows, page.limit, ({ position: _, role, ...set }) => ({ ...set, position: role }))
})

/** Lists the sets that the viewer may see and that have all words of a text, newest first. */
const search = Effect.fn("InterviewSets.search")(function* (
  viewer: Viewer,
  { archived, text }: SetSearch,
  page: PageRequest,
) {
  const filter = { archived, words: wordsOf(text), reader: readerOf(viewer) }
  const rows = yield* (yield* InterviewSetRepository).search(viewer.organizationId, filter, page)
  return pageOf("interview-sets", rows, page.limit, ({ position: _, ...line }) => line)
})

/** The newest sets in use that the viewer may see. */
const choices = Effect.fn("InterviewSets.choices")(function* (viewer: Viewer) {
  return yield* (yield* InterviewSetRepository).choices(viewer.organizationId, readerOf(viewer), maxChoices)
})

/** Finds a set by its id, whoever is on its access list. */
const find = Effect.fn("InterviewSets.find")(function* ({ organizationId }: Viewer, id: InterviewSetId) {
  return (yield* (yield* InterviewSetRepository).find(organizationId, id)) ?? (yield* unknown)
})

/** Reads a set that the viewer may see. The id may be any text, as it stands in an address. */
const read = Effect.fn("InterviewSets.read")(function* (viewer: Viewer, text: string) {
  const sets = yield* InterviewSetRepository
  const id = Option.getOrUndefined(parseId(text))
  if (id === undefined) return yield* unknown
  const standing = yield* sets.standing(viewer.organizationId, id, readerOf(viewer))
  if (standing === undefined) return yield* unknown
  if (!standing.readable) return yield* new NotAllowed({ record: "interview set" })
  const set = (yield* sets.find(viewer.organizationId, id)) ?? (yield* unknown)
  return { set, standing } satisfies SetRecord
})

/**
 * Changes a set. Questions and requirements can change until a candidate has started or a CV is queued for evaluation:
 * candidates are rated by what stood when their evaluation was queued. The type can change until a candidate is invited.
 */
const change = Effect.fn("InterviewSets.change")(function* (
  viewer: Viewer,
  text: string,
  { questions, request, requirements }: SetChange,
) {
  const { organizationId } = viewer
  const sets = yield* InterviewSetRepository
  const { set: known } = yield* read(viewer, text)
  yield* sets.lock(organizationId, known.id)
  const { set: before, standing } = yield* read(viewer, text)
  const own = new Set<string>([...before.iai_questions, ...before.iai_requirements].map(({ id }) => id))
  const kept = <A extends string>(ids: ReadonlyArray<A | undefined>) =>
    ids.map((id) => (id !== undefined && own.delete(id) ? id : undefined))
  const after = yield* buildInterviewSet(organizationId, withOwnAccess(viewer, request), {
    id: before.id,
    questions: kept(questions),
    requirements: kept(requirements),
  })
  if (standing.used && after.set_type !== before.set_type) {
    return yield* invalid("#/set_type", "fixed", "can not change any more: candidates were invited to it")
  }
  if (standing.rated && !Equal.equals(fixed(before), fixed(after))) {
    return yield* new Conflict({
      reason:
        "a candidate has begun or sent a CV in the meantime, so what is asked and required stays as it is: duplicate the set to change it",
    })
  }
  yield* sets.replace(organizationId, after, standing.rated)
  const [was, is] = [shown(before), shown(after)]
  const detail = {
    ...changesOf(audited(before), audited(after), auditedFields),
    ...(Equal.equals(was.questions, is.questions) ? {} : { questions: after.iai_questions.length }),
    ...(Equal.equals(was.requirements, is.requirements) ? {} : { requirements: after.iai_requirements.length }),
  }
  if (Object.keys(detail).length > 0) yield* audit(viewer, "interview_set", "update", before.id, detail)
}, inTransaction)

/** Archives a set, or takes it back into use. */
const archive = Effect.fn("InterviewSets.archive")(function* (viewer: Viewer, text: string, archived: boolean) {
  const { set } = yield* read(viewer, text)
  if (yield* (yield* InterviewSetRepository).archive(viewer.organizationId, set.id, archived)) {
    yield* audit(viewer, "interview_set", archived ? "archive" : "unarchive", set.id, { title: set.title })
  }
}, inTransaction)

/** The languages of interviews. */
const languages = Effect.flatMap(InterviewSetRepository, (sets) => sets.languages)

const useCases = { create, createOnce, list, search, choices, find, read, change, archive, languages }

export class InterviewSets extends Context.Service<InterviewSets, Methods<typeof useCases>>()(
  "interview-invitations/interview-sets/InterviewSets",
) {
  static readonly layer = Layer.effect(
    InterviewSets,
    methods([AuditLogRepository, Database, Ids, InterviewSetRepository, ProjectRepository], useCases),
  ).pipe(Layer.provide(Ids.layer))
}
