/** What several of the candidate's pages show: names of questions and options, an answer as it is saved, whom to ask. */
import type { Question, StoredOption } from "../../domain/InterviewSet.ts"
import type { SavedAnswer } from "../../repository/Answers.ts"
import { type Html, html } from "../../service/Html.ts"
import type { InterviewView } from "../../service/interviews/View.ts"
import { fieldType } from "../AnswerForm.ts"
import { languageAttribute, written } from "./Parts.ts"

const texts = {
  question: (number: number) => `Question ${number}`,
  notAnswered: "Not answered",
  whoInvited: "whoever invited you",
  at: "at",
}

/** The words a question is known by; a question without a title shows its content in its place. */
export const questionTitle = (question: Question, number: number): string =>
  question.title?.trim() || question.content?.trim() || texts.question(number)

/** The words an option is known by. */
export const optionTitle = (option: StoredOption): string =>
  option.title?.trim() || option.content?.trim() || String(option.id)

/** "820 KB" */
export const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** The link to a file that the candidate has uploaded. */
export const fileLink = (question: Question, answer: SavedAnswer | undefined, token: string): Html | null =>
  answer?.file == null
    ? null
    : html`<a href="/i/${token}/files/${question.id}" download><bdi>${answer.file.name}</bdi></a> (${sizeText(answer.file.size)})`

/** What is saved of an answer; nothing to fill in. */
export const savedAnswer = (question: Question, answer: SavedAnswer | undefined, token: string): Html => {
  const type = fieldType(question)
  const chosen = question.options.filter(({ id }) => answer?.option_ids.includes(String(id)))
  const content = type === "checkbox" || type === "radio" ? chosen.map(optionTitle).join("\n") : answer?.content?.trim()
  const file = fileLink(question, answer, token)
  if (file !== null) return html`<p>${file}</p>`
  return content ? written(content) : html`<p class="quiet">${texts.notAnswered}</p>`
}

/** The title of a question in a list of answers. */
export const answerHeading = (question: Question, number: number, language: string | null): Html =>
  html`<h3 dir="auto"${languageAttribute(language)}>${questionTitle(question, number)}</h3>`

/** An address that an organization has given, as a link when it is one. */
export const contactLink = (contact: string): Html => {
  if (/^https:\/\//i.test(contact) && URL.canParse(contact)) {
    return html`<a href="${contact}" rel="noreferrer">${contact}</a>`
  }
  return contact.includes("@")
    ? html`<a href="mailto:${encodeURI(contact)}">${contact}</a>`
    : html`<bdi>${contact}</bdi>`
}

/** Whom to ask, to stand in a sentence: the organization's contact, else whoever sent the invitation. */
export const whomToAsk = (view: Pick<InterviewView, "contact" | "organizationName">): Html =>
  view.contact === null
    ? html`${texts.whoInvited} ${texts.at} <bdi>${view.organizationName}</bdi>`
    : html`<bdi>${view.organizationName}</bdi> (${contactLink(view.contact)})`
