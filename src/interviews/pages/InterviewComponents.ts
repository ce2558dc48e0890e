import { logoOf } from "../../accounts/Appearance.ts"
import type { Question } from "../../interview-sets/InterviewSet.ts"
import { chosenOptions, optionText } from "../../interview-sets/OptionText.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { brand, contactLink, languageAttribute, written } from "../../platform/http/PageParts.ts"
import { durationText, sizeText } from "../../texts/Formats.ts"
import { directionOf, languageNames, textsOf } from "../../texts/Texts.ts"
import { definedOnly } from "../../values/definedOnly.ts"
import { fieldType, isAnswered } from "../AnswerForm.ts"
import type { SavedAnswer } from "../AnswerRepository.ts"
import type { InterviewView } from "../InterviewView.ts"
import { savedRecording } from "./SpokenAnswer.ts"

/** The language, times, header and colour of all pages of an interview. */
export const pageFrame = (view: InterviewView): Pick<Document, "language" | "zone" | "masthead" | "colour"> => ({
  language: view.spoken,
  zone: view.timeZone,
  masthead: brand(view.organizationName, logoOf(view.appearance)),
  ...definedOnly({ colour: view.appearance.colour ?? undefined }),
})

export const pageTexts = ({ spoken }: Pick<InterviewView, "spoken">): ReturnType<typeof textsOf<"page">> =>
  textsOf(spoken, "page")

export const timeLimit = ({ minutes, spoken }: InterviewView): string | null =>
  minutes === null ? null : durationText(spoken, minutes)

export const retakesText = (view: InterviewView): string => pageTexts(view).counted("improve", view.retakesLeft)

export const organizationName = (view: Pick<InterviewView, "organizationName">): Html =>
  html`<bdi>${view.organizationName}</bdi>`

export const questionTitle = (view: InterviewView, question: Question, number: number): string =>
  question.title?.trim() ||
  question.content?.trim() ||
  pageTexts(view).say("questionNumber", { number: String(number) })

export const fileLink = (question: Question, answer: SavedAnswer | undefined, token: string): Html | null =>
  answer?.file == null
    ? null
    : html`<a href="/i/${token}/files/${question.id}" download><bdi>${answer.file.name}</bdi></a> (${sizeText(answer.file.size)})`

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
  if (answer?.recording)
    return html`${savedRecording(view, answer.recording, token)}${content ? written(content) : null}`
  return content ? written(content) : html`<p class="quiet">${pageTexts(view).say("notAnswered")}</p>`
}

export const answerHeading = (view: InterviewView, question: Question, number: number): Html =>
  html`<h3 dir="auto"${languageAttribute(view.language)}>${questionTitle(view, question, number)}</h3>`

/** Buttons of the set's languages, with their own names; null: there is one only. */
export const languageChoice = (view: InterviewView, token: string): Html | null =>
  view.offered.length < 2
    ? null
    : html`<form method="post" action="/i/${token}/language" class="languages" aria-label="${pageTexts(view).say("language")}">
${languageNames.flatMap(([language, name]) =>
  view.offered.includes(language)
    ? [
        html`<button class="link" name="language" value="${language}" lang="${language}" dir="${directionOf(language)}"${language === view.spoken ? html` aria-current="true"` : null}>${name}</button>\n`,
      ]
    : [],
)}</form>`

/** Filled by the script while there is no connection. */
export const offlineNotice = (view: InterviewView, token: string): Html =>
  html`<p class="offline" role="alert" data-offline="/i/${token}/state" data-words="${textsOf(view.spoken, "device").say("offline")}"></p>`

export const contactText = (view: InterviewView): Html =>
  view.contact === null
    ? html`${pageTexts(view).pieces("whoInvited", { organization: organizationName(view) })}`
    : html`${organizationName(view)} (${contactLink(view.contact)})`

export const answeredOf = ({ answers, questions }: InterviewView): number =>
  questions.filter(({ id }) => isAnswered(answers.get(id))).length
