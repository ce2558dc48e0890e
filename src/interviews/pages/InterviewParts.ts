/** What several of the candidate's pages show: names of questions and options, an answer as it is saved, whom to ask. */

import type { Question } from "../../interview-sets/InterviewSet.ts"
import { chosenOptions, optionText } from "../../interview-sets/OptionText.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { languageAttribute, written } from "../../platform/http/PageParts.ts"
import { durationText } from "../../texts/Formats.ts"
import { textsOf } from "../../texts/Texts.ts"
import { isEmailAddress, mailtoOf } from "../../values/EmailAddress.ts"
import { fieldType } from "../AnswerForm.ts"
import type { SavedAnswer } from "../AnswerRepository.ts"
import type { InterviewView } from "../InterviewView.ts"

/** What the pages of an interview say. */
export const saying = ({ spoken }: Pick<InterviewView, "spoken">): ReturnType<typeof textsOf<"page">> =>
  textsOf(spoken, "page")

/** "30 minutes"; null: there is no limit. */
export const timeOf = ({ minutes, spoken }: InterviewView): string | null =>
  minutes === null ? null : durationText(spoken, minutes)

/** How often the answers can be improved after they are submitted. */
export const improvable = (view: InterviewView): string => {
  const { say } = saying(view)
  return view.retakesLeft === 1 ? say("improveOnce") : say("improveOften", { count: String(view.retakesLeft) })
}

/** The organization's name, to stand in a sentence. */
export const organizationOf = (view: Pick<InterviewView, "organizationName">): Html =>
  html`<bdi>${view.organizationName}</bdi>`

/** The words a question is known by; a question without a title shows its content in its place. */
export const questionTitle = (view: InterviewView, question: Question, number: number): string =>
  question.title?.trim() || question.content?.trim() || saying(view).say("questionNumber", { number: String(number) })

/** "820 KB" */
export const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** The link to a file that the candidate has uploaded. */
export const fileLink = (question: Question, answer: SavedAnswer | undefined, token: string): Html | null =>
  answer?.file == null
    ? null
    : html`<a href="/i/${token}/files/${question.id}" download><bdi>${answer.file.name}</bdi></a> (${sizeText(answer.file.size)})`

/** What is saved of an answer; nothing to fill in. */
export const savedAnswer = (view: InterviewView, question: Question, token: string): Html => {
  const answer = view.answers.get(question.id)
  const type = fieldType(question)
  const chosen = chosenOptions(question.options, answer?.option_ids ?? [])
  const content =
    type === "checkbox" || type === "radio"
      ? chosen.map((option) => optionText(option, view.languages).title).join("\n")
      : answer?.content?.trim()
  const file = fileLink(question, answer, token)
  if (file !== null) return html`<p>${file}</p>`
  return content ? written(content) : html`<p class="quiet">${saying(view).say("notAnswered")}</p>`
}

/** The title of a question in a list of answers. */
export const answerHeading = (view: InterviewView, question: Question, number: number): Html =>
  html`<h3 dir="auto"${languageAttribute(view.language)}>${questionTitle(view, question, number)}</h3>`

/** Where the script says that there is no connection. */
export const offlineNotice = (view: InterviewView, token: string): Html =>
  html`<p class="offline" role="alert" data-offline="/i/${token}/state" data-words="${textsOf(view.spoken, "device").say("offline")}"></p>`

/** An address that an organization has given, as a link when it is one. */
export const contactLink = (contact: string): Html => {
  if (/^https:\/\//i.test(contact) && URL.canParse(contact)) {
    return html`<a href="${contact}" rel="noreferrer">${contact}</a>`
  }
  return isEmailAddress(contact) ? html`<a href="${mailtoOf(contact)}">${contact}</a>` : html`<bdi>${contact}</bdi>`
}

/** Whom to ask, to stand in a sentence: the organization's contact, else whoever sent the invitation. */
export const whomToAsk = (view: InterviewView): Html =>
  view.contact === null
    ? html`${saying(view).pieces("whoInvited", { organization: organizationOf(view) })}`
    : html`${organizationOf(view)} (${contactLink(view.contact)})`
