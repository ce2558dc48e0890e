/** Builds interview sets from requests: fills in every field, gives options ids, and keeps one access per address. */
import { Effect } from "effect"
import { Ids } from "../platform/NewIds.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import { AccessId, InterviewSetId, type OrganizationId, ProjectId, QuestionId, RequirementId } from "../values/Ids.ts"
import { invalid } from "../values/Problem.ts"
import { importanceOf } from "./Importance.ts"
import {
  type CreateInterviewSet,
  type InterviewSet,
  type QuestionOption,
  questionModeIds,
  questionTypeIds,
  type StoredOption,
} from "./InterviewSet.ts"
import { ProjectRepository } from "./ProjectRepository.ts"

/** Existing ids, in the order of the request. Items without one get a new id. */
export interface KnownIds {
  readonly id?: InterviewSetId
  readonly questions?: ReadonlyArray<QuestionId | undefined>
  readonly requirements?: ReadonlyArray<RequirementId | undefined>
}

/** Builds the interview set of a request. Fails when its project is not one of the organization. */
export const buildInterviewSet = Effect.fnUntraced(function* (
  organization: OrganizationId,
  request: CreateInterviewSet,
  known: KnownIds = {},
) {
  const { make: newId } = yield* Ids
  const projects = yield* ProjectRepository
  const project = request.project_id == null ? null : ProjectId.make(request.project_id.toLowerCase())
  if (project !== null && !(yield* projects.exists(organization, project))) {
    return yield* invalid("#/project_id", "not_found", "is not a project of this organization")
  }
  const set: InterviewSet = {
    id: known.id ?? (yield* newId(InterviewSetId)),
    title: request.title,
    position: request.position ?? null,
    set_type: request.set_type ?? 1,
    description: request.description ?? null,
    interview_duration: request.interview_duration ?? null,
    cfg_lingual_ids: request.cfg_lingual_ids ?? [],
    number_of_retakes: request.number_of_retakes ?? null,
    priority: request.priority ?? null,
    com_project_id: project,
    iai_questions: yield* Effect.forEach(request.iai_questions ?? [], (question, i) =>
      Effect.map(kept(known.questions?.[i], newId(QuestionId)), (id) => ({
        id,
        title: question.title ?? null,
        content: question.content ?? null,
        hint: question.hint ?? null,
        details: question.details ?? null,
        cfg_question_mode_id: questionModeIds[question.question_mode],
        cfg_question_type_id: questionTypeIds[question.question_type],
        priority: question.priority ?? null,
        options: storeOptions(question.options ?? []),
        attributes: question.attributes ?? null,
      })),
    ),
    iai_requirements: yield* Effect.forEach(request.iai_requirements ?? [], (requirement, i) =>
      Effect.map(kept(known.requirements?.[i], newId(RequirementId)), (id) => ({
        id,
        title: requirement.title ?? null,
        content: requirement.content ?? null,
        hint: requirement.hint ?? null,
        cfg_importance_id: importanceOf(requirement.cfg_importance_id).id,
        tal_skill_ids: requirement.tal_skill_ids ?? [],
        priority: requirement.priority ?? null,
        attributes: requirement.attributes ?? null,
      })),
    ),
    com_accesses: yield* Effect.forEach(mergeAccesses(request.com_accesses ?? []), (access) =>
      Effect.map(newId(AccessId), (id) => ({
        id,
        email: access.email,
        fullname: access.fullname ?? null,
        firstname: access.firstname ?? null,
        lastname: access.lastname ?? null,
        priority: access.priority ?? null,
        attributes: access.attributes ?? null,
      })),
    ),
  }
  return set
})

const kept = <A>(id: A | undefined, fresh: Effect.Effect<A>): Effect.Effect<A> =>
  id === undefined ? fresh : Effect.succeed(id)

/** An option without an id gets the lowest number that no other option of the question has. */
const storeOptions = (options: ReadonlyArray<QuestionOption>): ReadonlyArray<StoredOption> => {
  const given = ({ id }: QuestionOption) => (id == null || String(id).trim() === "" ? undefined : id)
  const taken = new Set(options.flatMap((option) => given(option) ?? []).map(String))
  let next = 1
  const fresh = () => {
    while (taken.has(String(next))) next++
    taken.add(String(next))
    return String(next)
  }
  return options.map((option) => ({
    id: given(option) ?? fresh(),
    title: option.title ?? null,
    titles: option.titles ?? null,
    content: option.content ?? null,
    contents: option.contents ?? null,
    priority: option.priority ?? null,
  }))
}

/** One access for each address, whatever its case: the first wins. */
const mergeAccesses = <A extends { readonly email: string }>(accesses: ReadonlyArray<A>): ReadonlyArray<A> => {
  const byEmail = new Map<string, A>()
  for (const access of accesses) {
    const key = foldAddress(access.email)
    if (!byEmail.has(key)) byEmail.set(key, access)
  }
  return [...byEmail.values()]
}
