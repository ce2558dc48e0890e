/** Interview sets with their questions, requirements and accesses (spec, Resources and their fields). */
import { Schema } from "effect"
import { isEmailAddress } from "./EmailAddress.ts"
import { Attributes, integer, optional, text, uuid } from "./Fields.ts"
import { AccessId, InterviewSetId, ProjectId, QuestionId, RequirementId } from "./Ids.ts"

/** 1 = interview, 2 = CV set. */
export const SetType = Schema.Literals([1, 2])
export type SetType = typeof SetType.Type

/** Configured ids of the question modes. */
export const questionModeIds = { pre_screening: 247, interview: 248 } as const

/** Configured ids of the question types. */
export const questionTypeIds = { text: 250, checkbox: 251, radio: 252, file: 253 } as const
export type QuestionType = keyof typeof questionTypeIds

/** The type of a stored id. The database holds no other id. */
export const questionTypeOf = (id: number): QuestionType =>
  (Object.keys(questionTypeIds) as ReadonlyArray<QuestionType>).find((type) => questionTypeIds[type] === id) ?? "text"

export const QuestionOption = Schema.Struct({
  id: optional(Schema.Union([Schema.String, Schema.Int])),
  title: optional(Schema.String),
  titles: optional(Schema.Json),
  content: optional(Schema.String),
  contents: optional(Schema.Json),
  priority: optional(integer),
})
export type QuestionOption = typeof QuestionOption.Type

/** iai_questions[] of the create operation. */
export const CreateQuestion = Schema.Struct({
  title: optional(text(5000)),
  content: optional(text(5000)),
  hint: optional(text(2000)),
  details: optional(text(10000)),
  question_mode: Schema.Literals(["pre_screening", "interview"]),
  question_type: Schema.Literals(["text", "checkbox", "radio", "file"]),
  priority: optional(integer),
  options: optional(Schema.Array(QuestionOption)),
  attributes: optional(Attributes),
})

/** iai_requirements[] of the create operation. An unknown importance is stored as Good To Have, not refused. */
export const CreateRequirement = Schema.Struct({
  title: optional(text(5000)),
  content: optional(text(5000)),
  hint: optional(text(2000)),
  cfg_importance_id: optional(Schema.Union([Schema.Int, Schema.Unknown])),
  tal_skill_ids: optional(Schema.Array(integer)),
  priority: optional(integer),
  attributes: optional(Attributes),
})

/** com_accesses[] of the create operation. */
export const CreateAccess = Schema.Struct({
  email: text(250).check(Schema.makeFilter((email) => isEmailAddress(email) || "must be a valid e-mail address")),
  fullname: optional(text(500)),
  firstname: optional(text(250)),
  lastname: optional(text(250)),
  priority: optional(integer),
  attributes: optional(Attributes),
})

/** The create operation's request. */
export const CreateInterviewSet = Schema.Struct({
  title: text(1024).check(Schema.makeFilter((title) => title.trim() !== "" || "must not be blank")),
  position: optional(text(1024)),
  set_type: optional(SetType),
  description: optional(Schema.String),
  interview_duration: optional(integer.check(Schema.isGreaterThanOrEqualTo(1))),
  cfg_lingual_ids: optional(Schema.Array(integer)),
  number_of_retakes: optional(integer.check(Schema.isGreaterThanOrEqualTo(0))),
  priority: optional(integer),
  project_id: optional(uuid),
  iai_questions: optional(Schema.Array(CreateQuestion)),
  iai_requirements: optional(Schema.Array(CreateRequirement)),
  com_accesses: optional(Schema.Array(CreateAccess)),
})
export type CreateInterviewSet = typeof CreateInterviewSet.Type

/** A stored option always has an id: the one that came, or its position. */
export const StoredOption = Schema.Struct({
  id: Schema.Union([Schema.String, Schema.Int]),
  title: Schema.NullOr(Schema.String),
  titles: Schema.NullOr(Schema.Json),
  content: Schema.NullOr(Schema.String),
  contents: Schema.NullOr(Schema.Json),
  priority: Schema.NullOr(Schema.Int),
})
export type StoredOption = typeof StoredOption.Type

export const Question = Schema.Struct({
  id: QuestionId,
  title: Schema.NullOr(Schema.String),
  content: Schema.NullOr(Schema.String),
  hint: Schema.NullOr(Schema.String),
  details: Schema.NullOr(Schema.String),
  cfg_question_mode_id: Schema.Int,
  cfg_question_type_id: Schema.Int,
  priority: Schema.NullOr(Schema.Int),
  options: Schema.Array(StoredOption),
  attributes: Schema.NullOr(Attributes),
})
export type Question = typeof Question.Type

export const Requirement = Schema.Struct({
  id: RequirementId,
  title: Schema.NullOr(Schema.String),
  content: Schema.NullOr(Schema.String),
  hint: Schema.NullOr(Schema.String),
  cfg_importance_id: Schema.Int,
  tal_skill_ids: Schema.Array(Schema.Int),
  priority: Schema.NullOr(Schema.Int),
  attributes: Schema.NullOr(Attributes),
})
export type Requirement = typeof Requirement.Type

export const Access = Schema.Struct({
  id: AccessId,
  email: Schema.String,
  fullname: Schema.NullOr(Schema.String),
  firstname: Schema.NullOr(Schema.String),
  lastname: Schema.NullOr(Schema.String),
  priority: Schema.NullOr(Schema.Int),
  attributes: Schema.NullOr(Attributes),
})
export type Access = typeof Access.Type

/** A stored set: every field, arrays in request order. */
export const InterviewSet = Schema.Struct({
  id: InterviewSetId,
  title: Schema.String,
  position: Schema.NullOr(Schema.String),
  set_type: SetType,
  description: Schema.NullOr(Schema.String),
  interview_duration: Schema.NullOr(Schema.Int),
  cfg_lingual_ids: Schema.Array(Schema.Int),
  number_of_retakes: Schema.NullOr(Schema.Int),
  priority: Schema.NullOr(Schema.Int),
  com_project_id: Schema.NullOr(ProjectId),
  iai_questions: Schema.Array(Question),
  iai_requirements: Schema.Array(Requirement),
  com_accesses: Schema.Array(Access),
})
export type InterviewSet = typeof InterviewSet.Type

/** What people see, in the order they see it: priority ascending, none last, then request order. */
export const byPriority = <A extends { readonly priority: number | null }>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items.toSorted((a, b) => (a.priority ?? Number.POSITIVE_INFINITY) - (b.priority ?? Number.POSITIVE_INFINITY) || 0)
