/** Converts a set's form to the API's request, and the request's errors back. */
import { Result, Schema } from "effect"
import { fileKinds } from "../files/UploadedFile.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { type InterviewSetId, QuestionId, RequirementId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import {
  byPriority,
  CreateInterviewSet,
  createInterviewSet,
  type InterviewSet,
  type Question,
  type QuestionType,
  questionModeIds,
  questionTypeIds,
  questionTypeOf,
  type SetLimits,
  type StoredOption,
  setLimits,
} from "./InterviewSet.ts"
import { requestOf, storeOptions } from "./InterviewSetRequest.ts"
import type { SetChange } from "./InterviewSets.ts"
import { readLocations, unreadLocation } from "./JobLocation.ts"
import { linesOf, optionLines, optionsOf, repeatedOption } from "./OptionLines.ts"
import { answerKinds, maxMinutes, type QuestionRules, rulesOf, spokenLimits, withRules } from "./QuestionRules.ts"
import {
  type AccessDraft,
  isChoice,
  isSpoken,
  type QuestionDraft,
  type RequirementDraft,
  type SetDraft,
} from "./SetDraft.ts"
import { formName, setFields } from "./SetFields.ts"

const decode = Schema.decodeUnknownResult(CreateInterviewSet, { errors: "all" })

/** At least the stored set's lengths. */
const limitsOf = ({ cfg_lingual_ids, com_accesses, iai_questions, iai_requirements }: InterviewSet): SetLimits => {
  const raised = (limit: number, ...lists: ReadonlyArray<ReadonlyArray<unknown>>) =>
    lists.reduce((max, { length }) => Math.max(max, length), limit)
  return {
    questions: raised(setLimits.questions, iai_questions),
    requirements: raised(setLimits.requirements, iai_requirements),
    accesses: raised(setLimits.accesses, com_accesses),
    options: raised(setLimits.options, ...iai_questions.map(({ options }) => options)),
    skills: raised(setLimits.skills, ...iai_requirements.map(({ tal_skill_ids }) => tal_skill_ids)),
    languages: raised(setLimits.languages, cfg_lingual_ids),
  }
}

const decodeFor = (stored: InterviewSet | undefined) => {
  const limits = stored === undefined ? setLimits : limitsOf(stored)
  const isUsual = Object.values(limits).every((limit, i) => limit === Object.values(setLimits)[i])
  return isUsual ? decode : Schema.decodeUnknownResult(createInterviewSet(limits), { errors: "all" })
}
const readQuestion = Schema.is(QuestionId)
const readRequirement = Schema.is(RequirementId)

const isType = (type: string): type is QuestionType => Object.hasOwn(questionTypeIds, type)

const textOf = (text: string): string | null => (text.trim() === "" ? null : text)

/** Other text stays; the schema refuses it. */
const numberOf = (text: string): number | string | null => {
  const trimmed = text.trim()
  if (trimmed === "") return null
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed
}

const chosen = new Set([
  "id",
  "source",
  "importance",
  "mode",
  "type",
  "files",
  "required",
  "minutes",
  "knockOut",
  "answerWith",
  "speakingOnly",
  "maxSeconds",
  "takes",
  "preparation",
])

export const isBlank = (row: QuestionDraft | RequirementDraft | AccessDraft): boolean =>
  Object.entries(row).every(([name, text]) => chosen.has(name) || text.trim() === "")

const filled = <A extends QuestionDraft | RequirementDraft | AccessDraft>(rows: ReadonlyArray<A>) =>
  rows.flatMap((row, at) => (isBlank(row) ? [] : [{ row, at }]))

/** Keeps ascending priorities; else numbers the rows. */
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

/** The first error of each field. `rows`: form indexes of the request's rows. */
export const formErrors = (
  errors: ReadonlyArray<FieldError>,
  rows: Readonly<Record<string, ReadonlyArray<number>>> = {},
): FieldErrors => {
  const reported = errors.map(({ message, pointer }): readonly [string, string] => {
    const [, first = "", index, part = "", item] = pointer.split("/")
    const list = formName(first)
    const places = index === undefined ? undefined : rows[list]
    const field = setFields.get(places === undefined ? list : `${list}.${formName(part)}`)
    const isWhole = field?.isList === true && (places === undefined ? index : item) === undefined
    const subject = isWhole ? `The list of ${field.label.toLowerCase()}` : (field?.subject ?? "It")
    const sentence = `${subject} ${message}.`
    if (places !== undefined) return [`${list}.${places[Number(index)] ?? 0}.${formName(part)}`, sentence]
    return [isWhole || field === undefined ? "" : list, sentence]
  })
  return Object.fromEntries(reported.toReversed())
}

/** Null when all are chosen. */
const filesOf = ({ files }: QuestionDraft): ReadonlyArray<string> | null => {
  const kinds = files.split(" ").filter(Boolean)
  return kinds.length === fileKinds.length ? null : kinds
}

const noOptions = "A choice needs options, one per line."
const maxNamed = 40
const shortened = (line: string): string => {
  const characters = [...line]
  return characters.length > maxNamed ? `${characters.slice(0, maxNamed).join("")}…` : line
}
const equalOptions = (line: string): string => `Two options are equal: "${shortened(line)}". Change or remove one.`
const noFiles = "Choose at least one type of file."
const noMinutes = `The suggested time must be a whole number of minutes, from 1 to ${maxMinutes}.`
const noOption = (line: string): string =>
  `“${shortened(line)}” is a knock-out answer and no longer an option. Mark the option that you mean.`

const noLocation = (line: string): string =>
  `“${shortened(line)}” is not a location. Write the city, the code of the region and the country, such as: New York, NY, US.`

const noKind = "Choose at least one way to answer."
const alsoTyped = "Choose either text or speaking only, not both."

/** Form field, limits in the API, subject of the error. */
const spokenFields = [
  ["maxSeconds", spokenLimits.max_seconds, "The longest answer"],
  ["takes", spokenLimits.takes, "The number of recordings"],
  ["preparation", spokenLimits.preparation_seconds, "The time to prepare"],
] as const

/** Undefined: no number, or one beyond the limits. */
const spokenNumber = (text: string, { least, most, usual }: (typeof spokenFields)[number][1]): number | undefined => {
  const value = text.trim() === "" ? usual : numberOf(text)
  return typeof value === "number" && value >= least && value <= most ? value : undefined
}

/** Those of the attributes stay in a question that is answered in writing. */
const spokenRules = (row: QuestionDraft): Partial<QuestionRules> => {
  if (!isSpoken(row)) return { answerWith: ["text"], isSpeakingOnly: false }
  const { max_seconds, preparation_seconds, takes } = spokenLimits
  const kinds = row.answerWith.split(" ")
  return {
    answerWith: answerKinds.filter((kind) => kinds.includes(kind)),
    isSpeakingOnly: row.speakingOnly !== "" && !kinds.includes("text"),
    maxSeconds: spokenNumber(row.maxSeconds, max_seconds) ?? max_seconds.usual,
    takes: spokenNumber(row.takes, takes) ?? takes.usual,
    preparationSeconds: spokenNumber(row.preparation, preparation_seconds) ?? preparation_seconds.usual,
  }
}

/** The errors of how a question is answered. */
const spokenErrors = (row: QuestionDraft, at: number): ReadonlyArray<readonly [string, string]> => {
  if (row.type === "text" && row.answerWith === "") return [[`q.${at}.answerWith`, noKind]]
  if (!isSpoken(row)) return []
  if (row.speakingOnly !== "" && row.answerWith.split(" ").includes("text"))
    return [[`q.${at}.speakingOnly`, alsoTyped]]
  return spokenFields.flatMap(
    ([name, limits, subject]): ReadonlyArray<readonly [string, string]> =>
      spokenNumber(row[name], limits) !== undefined
        ? []
        : [[`q.${at}.${name}`, `${subject} must be a whole number from ${limits.least} to ${limits.most}.`]],
  )
}

/** The stored options, and the rules in the form, which name options by their lines. */
const choiceOf = (row: QuestionDraft, known: ReadonlyArray<StoredOption>, attributes: Question["attributes"]) => {
  const options = storeOptions(inOrder(optionsOf(row.options, byPriority(known))))
  const lines = linesOf(row.options)
  const marked = new Set(linesOf(row.knockOut))
  const rules: QuestionRules = {
    ...rulesOf({ attributes: row.type === "text" ? attributes : null }),
    ...spokenRules(row),
    isRequired: row.required !== "",
    minutes: /^\d{1,4}$/.test(row.minutes.trim()) ? Number(row.minutes) : null,
    knockOut: isChoice(row) ? options.flatMap(({ id }, i) => (marked.has(lines[i] ?? "") ? [String(id)] : [])) : [],
  }
  return { options, rules }
}

/** The errors of a question's rules. */
const ruleErrors = (row: QuestionDraft, at: number): ReadonlyArray<readonly [string, string]> => {
  const minutes = row.minutes.trim()
  const isMinutes =
    minutes === "" || (/^\d{1,4}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= maxMinutes)
  const lines = linesOf(row.options)
  const lost = isChoice(row) ? linesOf(row.knockOut).find((line) => !lines.includes(line)) : undefined
  return [
    ...spokenErrors(row, at),
    ...(isMinutes ? [] : [[`q.${at}.minutes`, noMinutes] as const]),
    ...(lost === undefined ? [] : [[`q.${at}.knockOut`, noOption(lost)] as const]),
  ]
}

interface FormContext {
  /** The stored set. */
  readonly set: InterviewSet | undefined
  /** Questions of other sets that new ones copy, for translations of their options. */
  readonly sources: ReadonlyArray<Question>
  readonly isFixed: boolean
}

/** Refuses a new choice without options or with equal ones, which the API accepts. */
export const changeOf = (
  draft: SetDraft,
  { isFixed, set: stored, sources }: FormContext,
): Result.Result<SetChange & { readonly rows: Readonly<Record<string, ReadonlyArray<number>>> }, FieldErrors> => {
  const knownQuestions = new Map<string, InterviewSet["iai_questions"][number]>(
    stored?.iai_questions.map((question) => [question.id, question]),
  )
  const copied = new Map<string, Question>([...sources, ...(stored?.iai_questions ?? [])].map((one) => [one.id, one]))
  const knownRequirements = new Map<string, InterviewSet["iai_requirements"][number]>(
    stored?.iai_requirements.map((requirement) => [requirement.id, requirement]),
  )
  const storedPeople = new Map(stored?.com_accesses.map((access) => [access.email.toLowerCase(), access]))
  const questions = filled(draft.questions)
  const requirements = filled(draft.requirements)
  const people = filled(draft.people)
  const rows = { q: questions.map(({ at }) => at), r: requirements.map(({ at }) => at), a: people.map(({ at }) => at) }
  const content = {
    interview_duration: numberOf(draft.interview_duration),
    number_of_retakes: numberOf(draft.number_of_retakes),
    cfg_lingual_ids: [...new Set([draft.language, ...draft.languages])].flatMap((id) => numberOf(id) ?? []),
    iai_questions: inOrder(
      questions.map(({ row }) => {
        const before = knownQuestions.get(row.id)
        const { options, rules } = choiceOf(
          row,
          before?.options ?? copied.get(row.source)?.options ?? [],
          before?.attributes ?? null,
        )
        return {
          title: textOf(row.title),
          content: textOf(row.content),
          hint: textOf(row.hint),
          details: textOf(row.details),
          question_mode: row.mode,
          question_type: row.type,
          priority: before?.priority ?? null,
          options,
          allowed_file_types: row.type === "file" ? filesOf(row) : (before?.allowed_file_types ?? null),
          attributes: withRules(before?.attributes ?? null, rules),
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
  const locations = readLocations(draft.job_locations)
  const unread = unreadLocation(locations)
  const request: unknown = {
    title: draft.title.trim(),
    position: textOf(draft.position),
    set_type: Number(draft.set_type),
    description: textOf(draft.description),
    priority: numberOf(draft.priority),
    job_locations: locations.map(({ city, country, region }) => ({ country, region, city })),
    project_id: textOf(draft.project_id),
    ...content,
    com_accesses: people.map(({ row }) => {
      const before = storedPeople.get(row.email.trim().toLowerCase())
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
  const decoded = decodeFor(stored)(request)
  const unanswerable = isFixed
    ? []
    : questions.flatMap(({ at, row }): ReadonlyArray<readonly [string, string]> => {
        const faults = ruleErrors(row, at)
        if (faults.length > 0) return faults
        if (row.type === "file" && row.files === "") return [[`q.${at}.files`, noFiles] as const]
        const before = knownQuestions.get(row.id)
        if (!isChoice(row)) return []
        const isSameType = before !== undefined && questionTypeOf(before.cfg_question_type_id) === row.type
        if (isSameType && optionLines(byPriority(before.options)).join("\n") === row.options.trim()) return []
        if (row.options.trim() === "") return [[`q.${at}.options`, noOptions] as const]
        const repeated = repeatedOption(row.options)
        return repeated === undefined ? [] : [[`q.${at}.options`, equalOptions(repeated)] as const]
      })
  if (Result.isFailure(decoded) || unanswerable.length > 0) {
    const errors = Result.isFailure(decoded) ? formErrors(fieldErrorsOf(decoded.failure.issue), rows) : {}
    const misplaced = unread === undefined ? {} : { job_locations: noLocation(unread) }
    return Result.fail({ ...errors, ...misplaced, ...Object.fromEntries(unanswerable) })
  }
  const change =
    isFixed && stored !== undefined
      ? {
          request: { ...decoded.success, ...fixedOf(stored) },
          questions: stored.iai_questions.map(({ id }) => id),
          requirements: stored.iai_requirements.map(({ id }) => id),
        }
      : {
          request: decoded.success,
          questions: questions.map(({ row: { id } }) => (readQuestion(id) ? id : undefined)),
          requirements: requirements.map(({ row: { id } }) => (readRequirement(id) ? id : undefined)),
        }
  return Result.succeed({ ...change, rows })
}

const fixedOf = (set: InterviewSet) => {
  const { cfg_lingual_ids, iai_questions, iai_requirements, interview_duration, number_of_retakes } = requestOf(set)
  return { cfg_lingual_ids, iai_questions, iai_requirements, interview_duration, number_of_retakes }
}

/** The set that a draft would make, however incomplete, for its preview. */
export const previewedSet = (draft: SetDraft, id: InterviewSetId): InterviewSet => {
  const number = (text: string) => {
    const value = numberOf(text)
    return typeof value === "number" ? value : null
  }
  return {
    id,
    title: draft.title.trim() || "Untitled interview",
    position: textOf(draft.position),
    set_type: 1,
    description: textOf(draft.description),
    interview_duration: number(draft.interview_duration),
    cfg_lingual_ids: [draft.language, ...draft.languages].flatMap((language) => number(language) ?? []),
    number_of_retakes: number(draft.number_of_retakes),
    priority: null,
    job_locations: [],
    com_project_id: null,
    external_id: null,
    metadata: {},
    iai_questions: draft.questions.map((row, i) => {
      const { options, rules } = choiceOf(row, [], null)
      return {
        id: QuestionId.make(`00000000-0000-0000-0000-${String(i).padStart(12, "0")}`),
        title: textOf(row.title),
        content: textOf(row.content),
        hint: textOf(row.hint),
        details: textOf(row.details),
        cfg_question_mode_id: row.mode === "pre_screening" ? questionModeIds.pre_screening : questionModeIds.interview,
        cfg_question_type_id: questionTypeIds[isType(row.type) ? row.type : "text"],
        priority: null,
        options,
        allowed_file_types: row.type === "file" ? filesOf(row) : null,
        attributes: withRules(null, rules),
      }
    }),
    iai_requirements: [],
    com_accesses: [],
  }
}
