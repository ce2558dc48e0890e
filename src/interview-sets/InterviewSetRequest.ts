/** Makes the set of a request, and the request of a set. */
import { Effect } from "effect"
import type { Ids } from "../platform/NewIds.ts"
import { cleanAddress, foldAddress } from "../values/EmailAddress.ts"
import { readSetReference } from "../values/ExternalReference.ts"
import { AccessId, InterviewSetId, ProjectId, QuestionId, RequirementId } from "../values/Ids.ts"
import { importanceOf } from "./Importance.ts"
import {
  allowedKinds,
  type CreateInterviewSet,
  type InterviewSet,
  type QuestionOption,
  questionModeIds,
  questionTypeIds,
  questionTypeOf,
  type StoredOption,
} from "./InterviewSet.ts"
import { storedLocations } from "./JobLocation.ts"

/** In the order of the request; undefined: a new id. */
export interface StoredIds {
  readonly id?: InterviewSetId
  readonly questions?: ReadonlyArray<QuestionId | undefined>
  readonly requirements?: ReadonlyArray<RequirementId | undefined>
}

const idOr = <A>(id: A | undefined, fresh: Effect.Effect<A>): Effect.Effect<A> =>
  id === undefined ? fresh : Effect.succeed(id)

/** Options without an id get the lowest unused number. */
export const storeOptions = (options: ReadonlyArray<QuestionOption>): ReadonlyArray<StoredOption> => {
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

const mergeAccesses = <A extends { readonly email: string }>(accesses: ReadonlyArray<A>): ReadonlyArray<A> => {
  const byEmail = new Map<string, A>()
  for (const access of accesses) {
    const email = cleanAddress(access.email)
    const key = foldAddress(email)
    if (!byEmail.has(key)) byEmail.set(key, { ...access, email })
  }
  return [...byEmail.values()]
}

export const buildSet = Effect.fnUntraced(function* (
  ids: Ids["Service"],
  request: CreateInterviewSet,
  stored: StoredIds = {},
) {
  return {
    id: stored.id ?? (yield* ids.make(InterviewSetId)),
    title: request.title,
    position: request.position ?? null,
    set_type: request.set_type ?? 1,
    description: request.description ?? null,
    interview_duration: request.interview_duration ?? null,
    cfg_lingual_ids: request.cfg_lingual_ids ?? [],
    number_of_retakes: request.number_of_retakes ?? null,
    priority: request.priority ?? null,
    job_locations: storedLocations(request.job_locations ?? []),
    com_project_id: request.project_id == null ? null : ProjectId.make(request.project_id.toLowerCase()),
    ...readSetReference(request),
    iai_questions: yield* Effect.forEach(request.iai_questions ?? [], (question, i) =>
      Effect.map(idOr(stored.questions?.[i], ids.make(QuestionId)), (id) => ({
        id,
        title: question.title ?? null,
        content: question.content ?? null,
        hint: question.hint ?? null,
        details: question.details ?? null,
        cfg_question_mode_id: questionModeIds[question.question_mode],
        cfg_question_type_id: questionTypeIds[question.question_type],
        priority: question.priority ?? null,
        options: storeOptions(question.options ?? []),
        allowed_file_types: question.allowed_file_types ?? null,
        attributes: question.attributes ?? null,
      })),
    ),
    iai_requirements: yield* Effect.forEach(request.iai_requirements ?? [], (requirement, i) =>
      Effect.map(idOr(stored.requirements?.[i], ids.make(RequirementId)), (id) => ({
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
      Effect.map(ids.make(AccessId), (id) => ({
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
})

/** A stored set's questions as a request, without ids. */
const questionsOf = ({ iai_questions }: InterviewSet): NonNullable<CreateInterviewSet["iai_questions"]> =>
  iai_questions.map(({ allowed_file_types, cfg_question_mode_id, cfg_question_type_id, id: _, ...question }) => ({
    ...question,
    question_mode: cfg_question_mode_id === questionModeIds.pre_screening ? "pre_screening" : "interview",
    question_type: questionTypeOf(cfg_question_type_id),
    allowed_file_types: allowedKinds(allowed_file_types),
  }))

/** Without ids, the access list and the hiring system's data. */
export const requestOf = (set: InterviewSet) =>
  ({
    title: set.title,
    position: set.position,
    set_type: set.set_type,
    description: set.description,
    interview_duration: set.interview_duration,
    cfg_lingual_ids: set.cfg_lingual_ids,
    number_of_retakes: set.number_of_retakes,
    priority: set.priority,
    job_locations: set.job_locations,
    project_id: set.com_project_id,
    iai_questions: questionsOf(set),
    iai_requirements: set.iai_requirements.map(({ id: _, ...requirement }) => requirement),
  }) satisfies CreateInterviewSet

/** A stored set's recruiters as a request, without ids. */
export const accessesOf = ({ com_accesses }: InterviewSet) => com_accesses.map(({ id: _, ...access }) => access)
