/** Interview sets with their questions, requirements and access lists (docs/api.md). */
import { Schema, SchemaGetter, SchemaIssue, Struct } from "effect"
import { type FileKind, fileKinds } from "../files/UploadedFile.ts"
import { cleanAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { extensibleEnum } from "../values/ExtensibleEnum.ts"
import { setReference, setReferenceInput } from "../values/ExternalReference.ts"
import { AnyJson, Attributes, anyText, integer, list, optional, rule, text, uuid } from "../values/Fields.ts"
import { AccessId, InterviewSetId, ProjectId, QuestionId, RequirementId } from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { importanceOf } from "./Importance.ts"
import { JobLocation, maxJobLocations, StoredLocation } from "./JobLocation.ts"
import { answerKinds, maxMinutes, spokenIssues, spokenLimits } from "./QuestionRules.ts"

/** Sets created before these limits can exceed them. */
export const setLimits = {
  questions: 500,
  requirements: 200,
  accesses: 200,
  options: 200,
  skills: 1000,
  languages: 200,
} as const
export type SetLimits = Readonly<Record<keyof typeof setLimits, number>>

/** The position, if it is not the title again. */
export const positionBeside = (title: string, position: string | null): string | null =>
  position?.trim() === title.trim() ? null : position

export const SetType = Schema.Literals([1, 2]).annotate({ description: "1 interview, 2 CV set" })
export type SetType = typeof SetType.Type

export const questionModeIds = { pre_screening: 247, interview: 248 } as const

export const questionTypeIds = { text: 250, checkbox: 251, radio: 252, file: 253 } as const
export type QuestionType = keyof typeof questionTypeIds

export const questionTypeOf = (id: number): QuestionType =>
  (Object.keys(questionTypeIds) as ReadonlyArray<QuestionType>).find((type) => questionTypeIds[type] === id) ?? "text"

const isPlain = (line: string): boolean => !/\p{Cc}/u.test(line)

/** Answers store ids as text, so 5 and "5" are duplicates. */
const repeatedIds = (options: ReadonlyArray<QuestionOption>): ReadonlyArray<Schema.FilterIssue> => {
  const seen = new Set<string>()
  return options.flatMap(({ id }, i) => {
    const digits = id == null ? "" : String(id)
    const isRepeated = digits.trim() !== "" && seen.has(digits)
    seen.add(digits)
    const why = { code: "duplicate", message: "must be unique within the question" }
    return isRepeated ? [{ path: [i, "id"], issue: new SchemaIssue.InvalidValue(why) }] : []
  })
}

/** Numbers of a double without loss. */
const optionNumber = Schema.Number.check(
  Schema.isInt({ code: "wrong_type", message: "must be text or a whole number" }),
)

export const QuestionOption = Schema.Struct({
  id: optional(
    Schema.Union([anyText.check(rule(isPlain, "invalid", "must not contain control characters")), optionNumber]),
    "Kept as it is, unique within the question; an option without one, or with a blank one, gets the next free number",
  ),
  title: optional(anyText),
  titles: optional(AnyJson, 'Titles by BCP 47 language, as {"de": "Ja"}; any JSON is kept and given back as it came'),
  content: optional(anyText),
  contents: optional(AnyJson, "The same for content"),
  priority: optional(integer()),
}).annotate({ identifier: "CreateOption" })
export type QuestionOption = typeof QuestionOption.Type

const priority = optional(integer(), "Sorts ascending, null last; the order of the request breaks ties")
const attributes = optional(Attributes, "Your own metadata, kept and given back as it came")
const { max_seconds, preparation_seconds, takes } = spokenLimits
const questionAttributes = `Your own metadata, kept and given back as it came. The service reads these names: required (true: the candidate cannot submit without an answer while there is time), suggested_minutes (1 to ${maxMinutes}, shown to the candidate; not a limit), knock_out (ids of options that mark a submission in which one was chosen); other values of them have no effect. For spoken answers to a question of type text: answer_with (any of ${answerKinds.join(", ")}; default ["text"]), speaking_only (true: typing is not offered, unless it is granted to a candidate who asks; needs an answer_with without text), max_seconds (${max_seconds.least} to ${max_seconds.most}, default ${max_seconds.usual}), takes (1 to ${takes.most} recordings, of which the last counts; default ${takes.usual}: any number) and preparation_seconds (${preparation_seconds.least} to ${preparation_seconds.most} before a recording begins, default ${preparation_seconds.usual}); other values of these are refused`

const repeatedKinds = (kinds: ReadonlyArray<string>): ReadonlyArray<Schema.FilterIssue> => {
  const why = { code: "duplicate", message: "must be unique within the question" }
  return kinds.flatMap((kind, i) =>
    kinds.indexOf(kind) < i ? [{ path: [i], issue: new SchemaIssue.InvalidValue(why) }] : [],
  )
}

const isFileKind = Schema.is(Schema.Literals(fileKinds))

/** Of a stored question; null: all types. */
export const allowedKinds = (stored: ReadonlyArray<string> | null): ReadonlyArray<FileKind> | null =>
  stored?.filter(isFileKind) ?? null

const AllowedFileTypes = list(Schema.Literals(fileKinds), fileKinds.length)
  .check(rule((kinds) => kinds.length > 0, "too_few", "must have at least one item"))
  .check(Schema.makeFilter(repeatedKinds))

const questionFields = (maxOptions: number) =>
  ({
    title: optional(text(5000), "Short form of the question, shown in answers and evaluations").annotateKey({
      title: "Question",
      subject: "The title",
    }),
    content: optional(text(5000), "The question's prompt").annotateKey({ title: "Details", subject: "The text" }),
    hint: optional(text(2000), "Help for the candidate").annotateKey({ title: "Hint" }),
    details: optional(text(10000), "Long context or instructions").annotateKey({
      title: "Background",
      subject: "The text",
    }),
    question_mode: Schema.Literals(["pre_screening", "interview"])
      .annotate({
        description: "Stored as cfg_question_mode_id: pre_screening 247, interview 248",
      })
      .annotateKey({ title: "Stage" }),
    question_type: Schema.Literals(["text", "checkbox", "radio", "file"])
      .annotate({
        description:
          "Stored as cfg_question_type_id: text 250, checkbox (several options) 251, radio (one option) 252, file 253",
      })
      .annotateKey({ title: "Answer type" }),
    priority,
    options: optional(
      list(QuestionOption, maxOptions).check(Schema.makeFilter(repeatedIds)),
      "Choices; a choice question without any is shown as text",
    ).annotateKey({ title: "Options", subject: "An option" }),
    allowed_file_types: optional(
      AllowedFileTypes,
      "Files that candidates may upload, for questions of type file: pdf; word (.docx, .odt, .doc, .rtf); spreadsheet (.xlsx, .ods, .xls, .csv); presentation (.pptx, .odp, .ppt); image (.png, .jpg, .jpeg, .jfif, .webp, .gif, .heic, .heif); text (.txt, .md, .csv). null: all of them",
    ).annotateKey({ title: "Accepted files", subject: "A type of file" }),
    attributes: optional(Attributes, questionAttributes),
  }) satisfies Schema.Struct.Fields

const spokenRules = Schema.makeFilter(
  ({
    attributes: given,
    question_type,
  }: {
    readonly attributes?: typeof Attributes.Type | null
    readonly question_type: QuestionType
  }) => spokenIssues(question_type, given),
)

const createQuestion = (maxOptions: number) =>
  Schema.Struct(questionFields(maxOptions)).annotate({ identifier: "CreateQuestion" }).check(spokenRules)

const Importance = Schema.Unknown.pipe(
  Schema.decodeTo(Schema.Int, {
    decode: SchemaGetter.transform((value) => importanceOf(value).id),
    encode: SchemaGetter.transform((id: number): unknown => id),
  }),
)

const requirementFields = (maxSkills: number) =>
  ({
    title: optional(text(5000), "Short form of the requirement, shown in evaluations").annotateKey({
      title: "Requirement",
      subject: "The title",
    }),
    content: optional(text(5000), "What is required").annotateKey({ title: "Details", subject: "The text" }),
    hint: optional(text(2000), "Help for evaluators").annotateKey({
      title: "Note for the evaluation",
      subject: "The hint",
    }),
    cfg_importance_id: optional(
      Importance,
      "Weight in the score: 244 Good To Have 1x, 245 Important 2x, 272 Very Important 3x, 273 Must Have 4x. Anything else is stored as 244",
    ).annotateKey({ title: "Weight" }),
    tal_skill_ids: optional(list(integer(), maxSkills), "Skills linked to the requirement").annotateKey({
      title: "Skills",
      subject: "A skill",
    }),
    priority,
    attributes,
  }) satisfies Schema.Struct.Fields

const createRequirement = (maxSkills: number) =>
  Schema.Struct(requirementFields(maxSkills)).annotate({ identifier: "CreateRequirement" })

export const CreateAccess = Schema.Struct({
  email: text(250)
    .annotate({
      description: "Identifies the recruiter; a second access with the same address is left out",
      format: "email",
    })
    .check(
      rule((email: string) => isEmailAddress(cleanAddress(email)), "invalid_email", "must be a valid email address"),
    )
    .annotateKey({ title: "Email address", subject: "The address" }),
  fullname: optional(text(500)).annotateKey({ title: "Name" }),
  firstname: optional(text(250)).annotateKey({ title: "First name" }),
  lastname: optional(text(250)).annotateKey({ title: "Last name" }),
  priority,
  attributes,
}).annotate({ identifier: "CreateAccess" })

export const createInterviewSet = (limits: SetLimits) =>
  Schema.Struct({
    title: text(1024)
      .annotate({ description: "What candidates see as the interview's name; not blank" })
      .check(rule((title: string) => title.trim() !== "", "blank", "must not be blank"))
      .annotateKey({ title: "Title" }),
    position: optional(text(1024), "The role hired for").annotateKey({
      title: "Role that you hire for",
      subject: "The role",
    }),
    set_type: optional(SetType, "1 interview (default), 2 CV set").annotateKey({ title: "Kind" }),
    description: optional(anyText, "Shown to candidates before they start").annotateKey({ title: "Description" }),
    interview_duration: optional(integer(1), "Minutes that a candidate has; null: no limit").annotateKey({
      title: "Minutes to answer",
      subject: "The time",
    }),
    cfg_lingual_ids: optional(
      list(integer(), limits.languages),
      "Languages the interview is conducted in, the page's language first; an unknown id is kept and has no effect",
    ).annotateKey({ title: "Languages", subject: "The language" }),
    number_of_retakes: optional(integer(0), "How often a completed interview may be submitted again").annotateKey({
      title: "Retakes",
      subject: "The number of retakes",
    }),
    priority: optional(integer(), "Weight when sets are sorted").annotateKey({ title: "Priority" }),
    job_locations: optional(
      list(JobLocation, maxJobLocations),
      "Where the job is; decides which notices about the rating by software its candidates get",
    ).annotateKey({ title: "Job locations", subject: "A location" }),
    project_id: optional(uuid, "Attaches the set to this project of yours").annotateKey({ title: "Project" }),
    ...setReferenceInput,
    iai_questions: optional(
      list(createQuestion(limits.options), limits.questions),
      "What candidates are asked",
    ).annotateKey({ title: "Questions" }),
    iai_requirements: optional(
      list(createRequirement(limits.skills), limits.requirements),
      "What answers and CVs are rated against",
    ).annotateKey({ title: "Requirements" }),
    com_accesses: optional(list(CreateAccess, limits.accesses), "Recruiters who see the set").annotateKey({
      title: "Recruiters",
    }),
  }).annotate({ identifier: "CreateInterviewSet" })
export const CreateInterviewSet = createInterviewSet(setLimits)
export type CreateInterviewSet = typeof CreateInterviewSet.Type

const {
  cfg_lingual_ids: _languages,
  com_accesses: _accesses,
  iai_questions: _questions,
  iai_requirements: _requirements,
  job_locations: _locations,
  set_type: _type,
  title: setTitle,
  ...plainFields
} = CreateInterviewSet.fields

const keptId = (of: string) =>
  optional(uuid, `The id of a stored ${of}, which keeps its id; without one, the ${of} is new. Each id at most once`)

/** A field that is absent stays as it is; null removes a value. A list replaces the stored one. */
export const UpdateInterviewSet = Schema.Struct({
  version: text(100).annotate({
    description:
      "The `version` of the set that the change is based on; 409 when the set has changed since: read it again",
  }),
  title: Schema.optionalKey(setTitle),
  set_type: Schema.optionalKey(SetType).annotateKey({
    description: "1 interview, 2 CV set; fixed once a candidate is invited",
  }),
  ...plainFields,
  cfg_lingual_ids: Schema.optionalKey(list(integer(), setLimits.languages)),
  job_locations: Schema.optionalKey(list(JobLocation, maxJobLocations)),
  iai_questions: Schema.optionalKey(
    list(
      Schema.Struct({ id: keptId("question"), ...questionFields(setLimits.options) })
        .annotate({ identifier: "UpdateQuestion" })
        .check(spokenRules),
      setLimits.questions,
    ),
  ).annotateKey({ description: "All questions; those that the list omits are removed" }),
  iai_requirements: Schema.optionalKey(
    list(
      Schema.Struct({ id: keptId("requirement"), ...requirementFields(setLimits.skills) }).annotate({
        identifier: "UpdateRequirement",
      }),
      setLimits.requirements,
    ),
  ).annotateKey({ description: "All requirements; those that the list omits are removed" }),
  com_accesses: Schema.optionalKey(list(CreateAccess, setLimits.accesses)).annotateKey({
    description: "All recruiters who see the set",
  }),
}).annotate({ identifier: "UpdateInterviewSet" })
export type UpdateInterviewSet = typeof UpdateInterviewSet.Type

export const StoredOption = Schema.Struct({
  id: Schema.Union([Schema.String, optionNumber]),
  title: Schema.NullOr(Schema.String),
  titles: Schema.NullOr(Schema.Json).annotate({ description: "Any JSON, as it came" }),
  content: Schema.NullOr(Schema.String),
  contents: Schema.NullOr(Schema.Json).annotate({ description: "Any JSON, as it came" }),
  priority: Schema.NullOr(integer()),
}).annotate({ identifier: "Option" })
export type StoredOption = typeof StoredOption.Type

export const Question = Schema.Struct({
  id: QuestionId,
  title: Schema.NullOr(Schema.String),
  content: Schema.NullOr(Schema.String),
  hint: Schema.NullOr(Schema.String),
  details: Schema.NullOr(Schema.String),
  cfg_question_mode_id: integer(0).annotate({ description: "247 pre_screening, 248 interview" }),
  cfg_question_type_id: integer(0).annotate({ description: "250 text, 251 checkbox, 252 radio, 253 file" }),
  priority: Schema.NullOr(integer()),
  options: Schema.Array(StoredOption),
  allowed_file_types: Schema.NullOr(Schema.Array(extensibleEnum(fileKinds))).annotate({
    description: "Files that candidates may upload; null: all types",
  }),
  attributes: Schema.NullOr(Attributes),
}).annotate({ identifier: "Question" })
export type Question = typeof Question.Type

export const Requirement = Schema.Struct({
  id: RequirementId,
  title: Schema.NullOr(Schema.String),
  content: Schema.NullOr(Schema.String),
  hint: Schema.NullOr(Schema.String),
  cfg_importance_id: integer(0).annotate({
    description: "244 Good To Have, 245 Important, 272 Very Important, 273 Must Have",
  }),
  tal_skill_ids: Schema.Array(integer()),
  priority: Schema.NullOr(integer()),
  attributes: Schema.NullOr(Attributes),
}).annotate({ identifier: "Requirement" })
export type Requirement = typeof Requirement.Type

export const Access = Schema.Struct({
  id: AccessId,
  email: Schema.String,
  fullname: Schema.NullOr(Schema.String),
  firstname: Schema.NullOr(Schema.String),
  lastname: Schema.NullOr(Schema.String),
  priority: Schema.NullOr(integer()),
  attributes: Schema.NullOr(Attributes),
}).annotate({ identifier: "Access" })
export type Access = typeof Access.Type

/** Arrays are in the order of the request. */
const contentFields = {
  id: InterviewSetId,
  title: Schema.String,
  position: Schema.NullOr(Schema.String).annotate({ description: "The role hired for" }),
  set_type: SetType,
  description: Schema.NullOr(Schema.String),
  interview_duration: Schema.NullOr(integer(1)).annotate({ description: "Minutes; null: no limit" }),
  cfg_lingual_ids: Schema.Array(integer()),
  number_of_retakes: Schema.NullOr(integer(0)),
  priority: Schema.NullOr(integer()),
  job_locations: Schema.Array(StoredLocation).annotate({ description: "Where the job is" }),
  com_project_id: Schema.NullOr(ProjectId).annotate({ description: "The request's project_id" }),
  ...setReference,
  iai_questions: Schema.Array(Question),
  iai_requirements: Schema.Array(Requirement),
  com_accesses: Schema.Array(Access),
}

/** What a request determines. */
export type InterviewSet = Schema.Struct.Type<typeof contentFields>

/** The set as each operation on one set returns it. */
export const InterviewSetDetail = Schema.Struct({
  ...contentFields,
  version: Schema.String.annotate({
    description: "Changes with the set; a change names the version that it is based on",
  }),
  is_fixed: Schema.Boolean.annotate({
    description:
      "A candidate has started, or a CV was sent: questions, requirements, languages, interview_duration and number_of_retakes can no longer change",
  }),
  archived_at: Schema.NullOr(Timestamp).annotate({ description: "null: in use" }),
  created_at: Timestamp,
  updated_at: Timestamp,
}).annotate({ identifier: "InterviewSet" })
export type InterviewSetDetail = typeof InterviewSetDetail.Type

/** The set as lists return it: without what its questions and candidates would have to be read for. */
export const InterviewSetSummary = InterviewSetDetail.mapFields(
  Struct.omit(["iai_questions", "iai_requirements", "com_accesses", "is_fixed"]),
).annotate({ identifier: "InterviewSetSummary" })
export type InterviewSetSummary = typeof InterviewSetSummary.Type

export const InterviewSetRef = Schema.Struct({
  id: InterviewSetId,
  title: Schema.String,
  external_id: setReference.external_id,
}).annotate({ identifier: "InterviewSetRef" })

/** Null last; ties keep their order. */
export const byPriority = <A extends { readonly priority: number | null }>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items.toSorted((a, b) => (a.priority ?? Number.POSITIVE_INFINITY) - (b.priority ?? Number.POSITIVE_INFINITY) || 0)

/** Pre-screening first, then by priority. */
export const askedOrder = <A extends Pick<Question, "priority" | "cfg_question_mode_id">>(
  questions: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  const part = ({ cfg_question_mode_id: mode }: A) => (mode === questionModeIds.interview ? 1 : 0)
  return byPriority(questions).toSorted((a, b) => part(a) - part(b))
}
