/** The fields of a set's form, from the schema of its request: labels of inputs and subjects of errors. */
import { formFields } from "../platform/http/RequestForm.ts"
import { CreateInterviewSet } from "./InterviewSet.ts"

/** Request field → form field. */
const names: Readonly<Record<string, string>> = {
  iai_questions: "q",
  iai_requirements: "r",
  com_accesses: "a",
  question_mode: "mode",
  question_type: "type",
  cfg_importance_id: "importance",
  tal_skill_ids: "skills",
  allowed_file_types: "files",
  cfg_lingual_ids: "language",
}

export const formName = (name: string): string => names[name] ?? name

type FormField = ReturnType<typeof formFields>[number]

const named = (fields: ReadonlyArray<FormField>, prefix: string): ReadonlyArray<readonly [string, FormField]> =>
  fields.flatMap((field) => {
    const name = prefix + formName(field.name)
    return [[name, field] as const, ...named(field.fields, `${name}.`)]
  })

/** Of the rules in a question's attributes (QuestionRules.ts). */
const rules = [
  { name: "required", label: "Must be answered", subject: "The question" },
  { name: "minutes", label: "Suggested minutes", subject: "The suggested time" },
  { name: "knockOut", label: "Knock-out answers", subject: "A knock-out answer" },
  { name: "answerWith", label: "Answer with", subject: "How it is answered" },
  { name: "speakingOnly", label: "Speaking only", subject: "Speaking only" },
  { name: "maxSeconds", label: "Longest answer in seconds", subject: "The longest answer" },
  { name: "takes", label: "Recordings", subject: "The number of recordings" },
  { name: "preparation", label: "Seconds to prepare", subject: "The time to prepare" },
].map((rule) => [`q.${rule.name}`, { ...rule, isRequired: false, isNumber: false, isList: false, fields: [] }] as const)

/** By form name; `q.hint` is a field of each question. */
export const setFields: ReadonlyMap<string, FormField> = new Map([
  ...named(formFields(CreateInterviewSet), ""),
  ...rules,
])

export const labelOf = (name: string): string => setFields.get(name)?.label ?? name
