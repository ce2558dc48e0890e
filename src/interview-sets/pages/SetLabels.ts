/** Addresses and labels of interview sets. */
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import type { FileKind } from "../../files/UploadedFile.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import { importances } from "../Importance.ts"
import {
  allowedKinds,
  byPriority,
  type InterviewSet,
  type Question,
  type QuestionType,
  questionTypeOf,
} from "../InterviewSet.ts"
import type { OfferedLanguage } from "../InterviewSetRepository.ts"
import { chosenOptions, optionText } from "../OptionText.ts"
import { type AnswerKind, rulesOf, spokenKinds, spokenLimits } from "../QuestionRules.ts"

export const setsHref = "/interview-sets"
export const setHref = (id: string): string => `${setsHref}/${encodeURIComponent(id)}`
/** The member's draft of the set: GET opens it in the form. */
export const draftHref = (set: string): string => `${setHref(set)}/draft`
/** Saves a draft; its form names the set. */
export const draftsHref = `${setsHref}/drafts`
/** The list of sets, whose rows open the invite. */
export const chooseForInviteHref = `${setsHref}?for=invite`

/** Says that candidates have nothing to answer, or their CVs nothing to be rated against. */
export const nothingToAsk = ({ id, iai_questions, iai_requirements, set_type }: InterviewSet): Html | null => {
  if (set_type === 2) {
    return iai_requirements.length > 0
      ? null
      : html`<p class="alert warm">Nothing to rate yet: this set has no requirements, so CVs get no score. <a href="${setHref(id)}/edit#r0">Add requirements</a></p>`
  }
  return iai_questions.length > 0
    ? null
    : html`<p class="alert warm">Nothing to ask yet: this set has no questions, so candidates who are invited cannot take part. <a href="${setHref(id)}/edit#q0">Add questions</a></p>`
}

const either = new Intl.ListFormat("en", { type: "disjunction" })
const english = new Intl.DisplayNames("en", { type: "language" })

/** Says which of the chosen languages the evaluator does not read. */
export const unreadLanguages = (
  chosen: ReadonlyArray<number>,
  languages: ReadonlyArray<Pick<OfferedLanguage, "id" | "tag" | "isRead">>,
): Html | null => {
  const names = languages
    .filter(({ id, isRead }) => !isRead && chosen.includes(id))
    .map(({ tag }) => english.of(tag) ?? tag)
  return names.length === 0
    ? null
    : html`<p class="alert warm">The evaluator does not read ${either.format(names)}: texts in ${names.length === 1 ? "this language" : "these languages"} get no score. Members can still read and review them.</p>`
}

/** The board of the set's candidates. */
export const boardHref = (set: string): string => `${setHref(set)}/board`

/** What scores would be with other requirements: the form, and the trials of the set. */
export const trialsHref = (set: string): string => `${setHref(set)}/trials`

/** The subjects of the emails to the set's candidates. */
export const emailSubjectsHref = <Id extends string>(set: Id) => `/interview-sets/${set}/email-subjects` as const

/** The form that moves a candidate on the board. */
export const moveHref = (set: string, submission: string): string => `${boardHref(set)}/${submission}`
/** The list of the set's submissions. */
export const submissionsHref = (set: string): string => `/submissions?set=${encodeURIComponent(set)}`

export const kindNames: ReadonlyArray<readonly [string, string]> = [
  ["1", "Interview: candidates answer questions"],
  ["2", "CV set: only CVs are rated"],
]

export const modeNames: ReadonlyArray<readonly [string, string]> = [
  ["interview", "Interview"],
  ["pre_screening", "Pre-screening (asked first)"],
]

export const typeNames: ReadonlyArray<readonly [QuestionType, string]> = [
  ["text", "Text"],
  ["radio", "Choice of one"],
  ["checkbox", "Choice of several"],
  ["file", "File upload"],
]

/** Where a type is chosen. Text behind a comma is not in the line of a closed card. */
export const typeChoices = typeNames.map(
  ([type, name]) => [type, type === "text" ? `${name}, written or spoken` : name] as const,
)

export const answerNames: Readonly<Record<AnswerKind, string>> = { text: "Text", audio: "Audio", video: "Video" }

/** "Any number", "1", … */
export const takeNames: ReadonlyArray<readonly [string, string]> = [
  ["", "Any number"],
  ...Array.from({ length: spokenLimits.takes.most }, (_, i) => {
    const count = String(i + 1)
    return [count, i === 0 ? "1" : `${count}, of which the last counts`] as const
  }),
]

export const fileNames: Readonly<Record<FileKind, string>> = {
  pdf: "PDF",
  word: "Word and OpenDocument text",
  spreadsheet: "Excel",
  presentation: "PowerPoint",
  image: "Images",
  text: "Plain text",
}

const maxOptions = 5
const maxOption = 40

const optionList = (options: Question["options"], languages: ReadonlyArray<string>): Html => {
  const shown = byPriority(options).slice(0, maxOptions)
  const more = options.length - shown.length
  const titles = shown.map((one, i) => {
    const { title } = optionText(one, languages)
    return html`${i === 0 ? null : " / "}<bdi>${cut(title.replaceAll(/\s+/gu, " ").trim(), maxOption)}</bdi>`
  })
  return html`, ${options.length} option${options.length === 1 ? "" : "s"}: ${titles}${more === 0 ? null : ` and ${more} more`}`
}

/** "Text, audio or video" */
const answerWithText = (kinds: ReadonlyArray<AnswerKind>): string => {
  const names = kinds.map((kind, i) => (i === 0 ? answerNames[kind] : answerNames[kind].toLowerCase()))
  return names.length === 1 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
}

/** "Choice of one, 2 options: Yes / No". `languages`: BCP 47, in the set's order. */
export const answerKind = (question: Question, languages: ReadonlyArray<string> = []): Html => {
  const { allowed_file_types, cfg_question_type_id, options } = question
  const rules = rulesOf(question)
  if (spokenKinds(rules).length > 0) return html`${answerWithText(rules.answerWith)}`
  const type = questionTypeOf(cfg_question_type_id)
  const isChoice = type === "radio" || type === "checkbox"
  const kinds = allowedKinds(allowed_file_types)
  const files = kinds === null ? "all types" : kinds.map((kind) => fileNames[kind]).join(", ")
  return html`${wordIn(typeNames, type)}${isChoice && options.length > 0 ? optionList(options, languages) : null}${type === "file" && files !== "" ? `: ${files}` : null}`
}

/** "3 minutes", "90 seconds" */
const lengthText = (seconds: number): string =>
  seconds % 60 === 0 ? `${seconds / 60} ${seconds === 60 ? "minute" : "minutes"}` : `${seconds} seconds`

/** ", at most 3 minutes, 2 recordings, 30 seconds to prepare", after the kinds of answer; empty without recordings. */
const spokenText = (question: Question): string => {
  const rules = rulesOf(question)
  if (spokenKinds(rules).length === 0) return ""
  const { maxSeconds, preparationSeconds, takes } = rules
  return [
    ...(rules.isSpeakingOnly ? [", no typing"] : []),
    `, at most ${lengthText(maxSeconds)}`,
    ...(takes === 0 ? [] : [takes === 1 ? ", one recording" : `, ${takes} recordings`]),
    ...(preparationSeconds === 0 ? [] : [`, ${lengthText(preparationSeconds)} to prepare`]),
  ].join("")
}

/** "Required · suggested: 5 minutes · knock-out: No", after the kind of answer. */
export const ruleTexts = (question: Question, languages: ReadonlyArray<string> = []): Html => {
  const { isRequired, knockOut, minutes } = rulesOf(question)
  const options = chosenOptions(question.options, knockOut).map(
    (option, i) => html`${i === 0 ? null : " / "}<bdi>${cut(optionText(option, languages).title, maxOption)}</bdi>`,
  )
  return html`${spokenText(question)}${isRequired ? " · Required" : null}${minutes === null ? null : ` · Suggested: ${minutes} minute${minutes === 1 ? "" : "s"}`}${options.length === 0 ? null : html` · Knock-out: ${options}`}`
}

/** "Must Have, counts 4×" by id, heaviest first. */
export const weightNames: ReadonlyArray<readonly [string, string]> = importances
  .toReversed()
  .map(({ id, name, weight }) => [String(id), `${name}, counts ${weight}×`])
