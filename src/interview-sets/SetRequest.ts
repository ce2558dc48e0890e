/** What a set's form asks for: the request that a hiring system would send, and where its faults stand in the form. */
import { Result, Schema } from "effect"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { QuestionId, RequirementId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import {
  byPriority,
  CreateInterviewSet,
  createInterviewSet,
  type InterviewSet,
  questionModeIds,
  questionTypeOf,
  type SetLimits,
  setLimits,
} from "./InterviewSet.ts"
import type { SetChange } from "./InterviewSets.ts"
import { type AccessDraft, isChoice, type QuestionDraft, type RequirementDraft, type SetDraft } from "./SetDraft.ts"
import { optionsOf } from "./SetOptions.ts"

const decode = Schema.decodeUnknownResult(CreateInterviewSet, { errors: "all" })

/** The limits, raised to the lengths of a set that was stored before the limits existed. */
const limitsOf = ({ cfg_lingual_ids, com_accesses, iai_questions, iai_requirements }: InterviewSet): SetLimits => {
  const longest = (limit: number, ...lists: ReadonlyArray<ReadonlyArray<unknown>>) =>
    lists.reduce((most, { length }) => Math.max(most, length), limit)
  return {
    questions: longest(setLimits.questions, iai_questions),
    requirements: longest(setLimits.requirements, iai_requirements),
    accesses: longest(setLimits.accesses, com_accesses),
    options: longest(setLimits.options, ...iai_questions.map(({ options }) => options)),
    skills: longest(setLimits.skills, ...iai_requirements.map(({ tal_skill_ids }) => tal_skill_ids)),
    languages: longest(setLimits.languages, cfg_lingual_ids),
  }
}

/** Decodes a change of the set. Lists that exceed the limits already may keep their length. */
const decodeFor = (known: InterviewSet | undefined) => {
  const limits = known === undefined ? setLimits : limitsOf(known)
  const isUsual = Object.values(limits).every((limit, i) => limit === Object.values(setLimits)[i])
  return isUsual ? decode : Schema.decodeUnknownResult(createInterviewSet(limits), { errors: "all" })
}
const readQuestion = Schema.is(QuestionId)
const readRequirement = Schema.is(RequirementId)

const textOf = (text: string): string | null => (text.trim() === "" ? null : text)

/** A number that is none stays text, for the schema to refuse. */
const numberOf = (text: string): number | string | null => {
  const trimmed = text.trim()
  if (trimmed === "") return null
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed
}

const isBlank = ({ id: _, importance: _i, mode: _m, type: _t, ...texts }: Readonly<Record<string, string>>): boolean =>
  Object.values(texts).every((text) => text.trim() === "")

/** Rows with something in them, each with where it stands in the form. */
const filled = <A extends QuestionDraft | RequirementDraft | AccessDraft>(rows: ReadonlyArray<A>) =>
  rows.flatMap((row, at) => (isBlank({ ...row }) ? [] : [{ row, at }]))

/** Priorities that say the same order stay; others are numbered anew. */
const inOrder = <A extends { readonly priority?: number | null | undefined }>(
  rows: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  const of = ({ priority }: A) => priority ?? Number.POSITIVE_INFINITY
  const isSorted = rows.every((row, i) => {
    const before = rows[i - 1]
    return before === undefined || of(before) <= of(row)
  })
  return isSorted ? rows : rows.map((row, i) => ({ ...row, priority: i + 1 }))
}

/** Names of the request's fields and what the form calls them. */
const names: Readonly<Record<string, string>> = {
  iai_questions: "q",
  iai_requirements: "r",
  com_accesses: "a",
  question_mode: "mode",
  question_type: "type",
  cfg_importance_id: "importance",
  tal_skill_ids: "skills",
  cfg_lingual_ids: "language",
}

const labels: Readonly<Record<string, string>> = {
  title: "The title",
  position: "The role",
  set_type: "The kind",
  description: "The description",
  interview_duration: "The time",
  number_of_retakes: "The number",
  priority: "The priority",
  project_id: "The project",
  language: "The language",
  content: "The text",
  hint: "The hint",
  details: "The text",
  mode: "The part",
  type: "The way to answer",
  options: "An option",
  importance: "The weight",
  skills: "A skill",
  email: "The address",
  fullname: "The name",
  firstname: "The first name",
  lastname: "The last name",
}

/** Names of lists, for faults of a whole list. */
const lists: Readonly<Record<string, string>> = {
  q: "The list of questions",
  r: "The list of requirements",
  a: "The list of recruiters",
  language: "The list of languages",
  options: "The list of options",
  skills: "The list of skills",
}

/** Faults by the name of their field in the form. `rows`: where the request's rows stand in the form. */
export const formErrors = (
  errors: ReadonlyArray<FieldError>,
  rows: Readonly<Record<string, ReadonlyArray<number>>> = {},
): FieldErrors => {
  const told = errors.map(({ message, pointer }): readonly [string, string] => {
    const [, first = "", index, field, item] = pointer.split("/")
    const list = names[first] ?? first
    if (index === undefined && lists[list] !== undefined) return ["", `${lists[list]} ${message}.`]
    if (index === undefined || rows[list] === undefined) {
      return labels[list] === undefined ? ["", `It ${message}.`] : [list, `${labels[list]} ${message}.`]
    }
    const name = names[field ?? ""] ?? field ?? ""
    const label = (item === undefined ? lists[name] : undefined) ?? labels[name] ?? "It"
    return [`${list}.${rows[list][Number(index)] ?? 0}.${name}`, `${label} ${message}.`]
  })
  // of several faults of one field the first is told
  return Object.fromEntries(told.toReversed())
}

const noOptions = "A choice needs its options, one a line."

/**
 * The change that a form asks for, or what is wrong with it. `known`: the set that the form was made of. Hiring systems
 * may make a choice without options, which is answered in writing; in a form it is one that was forgotten. A stored one
 * stays.
 */
export const changeOf = (
  draft: SetDraft,
  known: InterviewSet | undefined,
  rated: boolean,
): Result.Result<SetChange & { readonly rows: Readonly<Record<string, ReadonlyArray<number>>> }, FieldErrors> => {
  const knownQuestions = new Map<string, InterviewSet["iai_questions"][number]>(
    known?.iai_questions.map((question) => [question.id, question]),
  )
  const knownRequirements = new Map<string, InterviewSet["iai_requirements"][number]>(
    known?.iai_requirements.map((requirement) => [requirement.id, requirement]),
  )
  const knownPeople = new Map(known?.com_accesses.map((access) => [access.email.toLowerCase(), access]))
  const questions = filled(draft.questions)
  const requirements = filled(draft.requirements)
  const people = filled(draft.people)
  const rows = { q: questions.map(({ at }) => at), r: requirements.map(({ at }) => at), a: people.map(({ at }) => at) }
  const asked = {
    interview_duration: numberOf(draft.interview_duration),
    number_of_retakes: numberOf(draft.number_of_retakes),
    cfg_lingual_ids: [...new Set([draft.language, ...draft.languages])].flatMap((id) => numberOf(id) ?? []),
    iai_questions: inOrder(
      questions.map(({ row }) => {
        const before = knownQuestions.get(row.id)
        return {
          title: textOf(row.title),
          content: textOf(row.content),
          hint: textOf(row.hint),
          details: textOf(row.details),
          question_mode: row.mode,
          question_type: row.type,
          priority: before?.priority ?? null,
          options: inOrder(optionsOf(row.options, byPriority(before?.options ?? []))),
          attributes: before?.attributes ?? null,
        }
      }),
    ),
    iai_requirements: inOrder(
      requirements.map(({ row }) => {
        const before = knownRequirements.get(row.id)
        return {
          title: textOf(row.title),
          content: textOf(row.content),
          hint: textOf(row.hint),
          cfg_importance_id: Number(row.importance),
          tal_skill_ids: row.skills.split(/[\s,;]+/).flatMap((skill) => numberOf(skill) ?? []),
          priority: before?.priority ?? null,
          attributes: before?.attributes ?? null,
        }
      }),
    ),
  }
  const request: unknown = {
    title: draft.title.trim(),
    position: textOf(draft.position),
    set_type: Number(draft.set_type),
    description: textOf(draft.description),
    priority: numberOf(draft.priority),
    project_id: textOf(draft.project_id),
    ...asked,
    com_accesses: people.map(({ row }) => {
      const before = knownPeople.get(row.email.trim().toLowerCase())
      return {
        email: row.email.trim(),
        fullname: textOf(row.fullname),
        firstname: textOf(row.firstname),
        lastname: textOf(row.lastname),
        priority: before?.priority ?? null,
        attributes: before?.attributes ?? null,
      }
    }),
  }
  const decoded = decodeFor(known)(request)
  const unanswerable = rated
    ? []
    : questions.flatMap(({ at, row }) => {
        const before = knownQuestions.get(row.id)
        const isKnown = before?.options.length === 0 && questionTypeOf(before.cfg_question_type_id) === row.type
        return isChoice(row) && row.options.trim() === "" && !isKnown ? [[`q.${at}.options`, noOptions] as const] : []
      })
  if (Result.isFailure(decoded) || unanswerable.length > 0) {
    const faults = Result.isFailure(decoded) ? formErrors(fieldErrorsOf(decoded.failure.issue), rows) : {}
    return Result.fail({ ...Object.fromEntries(unanswerable), ...faults })
  }
  // what is fixed is taken as it is stored, not as a form tells it
  const change =
    rated && known !== undefined
      ? {
          request: { ...decoded.success, ...fixedOf(known) },
          questions: known.iai_questions.map(({ id }) => id),
          requirements: known.iai_requirements.map(({ id }) => id),
        }
      : {
          request: decoded.success,
          questions: questions.map(({ row: { id } }) => (readQuestion(id) ? id : undefined)),
          requirements: requirements.map(({ row: { id } }) => (readRequirement(id) ? id : undefined)),
        }
  return Result.succeed({ ...change, rows })
}

/** What does not change any more, as a request says it. */
const fixedOf = (set: InterviewSet): Partial<CreateInterviewSet> => ({
  interview_duration: set.interview_duration,
  number_of_retakes: set.number_of_retakes,
  cfg_lingual_ids: set.cfg_lingual_ids,
  iai_questions: set.iai_questions.map(({ cfg_question_mode_id, cfg_question_type_id, id: _, ...question }) => ({
    ...question,
    question_mode: cfg_question_mode_id === questionModeIds.pre_screening ? "pre_screening" : "interview",
    question_type: questionTypeOf(cfg_question_type_id),
  })),
  iai_requirements: set.iai_requirements.map(({ id: _, ...requirement }) => requirement),
})
