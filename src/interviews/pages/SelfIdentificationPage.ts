/** The candidate's form for an organization's voluntary questions, after the interview. */
import {
  categoriesOf,
  ethnicityCategories,
  type SelfIdentificationList,
  selfIdentificationLists,
  sexCategories,
} from "../../impact/SelfIdentification.ts"
import type { Document } from "../../platform/http/Document.ts"
import { choice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { written } from "../../platform/http/PageParts.ts"
import { textsOf } from "../../texts/Texts.ts"
import type { InterviewView } from "../InterviewView.ts"
import type { VoluntaryAnswers } from "../SelfIdentifications.ts"
import { offlineNotice, organizationName, pageFrame, pageTexts } from "./InterviewComponents.ts"

export const selfIdentificationHref = (token: string): string => `/i/${token}/voluntary-questions`

const identificationTexts = ({ spoken }: Pick<InterviewView, "spoken">) => textsOf(spoken, "selfIdentification")

/** On the page of a submitted interview. Null: the organization asks nothing. */
export const selfIdentificationInvitation = (view: InterviewView, token: string): Html | null => {
  if (!view.hasVoluntaryPage) return null
  const { pieces, say } = identificationTexts(view)
  return html`<h2>${say("title")}</h2>
<p>${pieces("invite", { organization: organizationName(view) })}</p>
<p><a href="${selfIdentificationHref(token)}">${say("link")}</a></p>`
}

/** A category in the candidate's language; one of the organization's own is in the organization's words. */
const categoryText = (view: InterviewView, list: SelfIdentificationList, category: string): Html => {
  const { say } = identificationTexts(view)
  const known = [...sexCategories, ...ethnicityCategories].find((one) => one === category)
  return list === "own" || known === undefined ? html`<bdi>${category}</bdi>` : html`${say(known)}`
}

const question = (
  view: InterviewView,
  { answer, form }: VoluntaryAnswers,
  list: SelfIdentificationList,
): Html | null => {
  const { say } = identificationTexts(view)
  const categories = categoriesOf(form, list)
  if (categories.length === 0) return null
  const legend = list === "own" ? html`<bdi>${form.own_question}</bdi>` : html`${say(list)}`
  const saved = answer?.[list] ?? null
  const chosen = saved !== null && categories.includes(saved) ? saved : null
  return html`<fieldset class="picks"><legend>${legend}</legend>
${categories.map((category) =>
  choice({ name: list, value: category, isChosen: category === chosen }, categoryText(view, list, category)),
)}${choice({ name: list, value: "", isChosen: chosen === null }, say("notSaid"))}</fieldset>`
}

/** `done`: what the last form did. */
export const selfIdentificationPage = (
  view: InterviewView,
  token: string,
  answers: VoluntaryAnswers,
  done: "saved" | "withdrawn" | undefined,
): Document => {
  const { pieces, say } = identificationTexts(view)
  const organization = organizationName(view)
  const { answer, canAnswer, form } = answers
  const title = say("title")
  return {
    ...pageFrame(view),
    title: `${title} – ${view.organizationName}`,
    scripts: ["interview.js"],
    main: html`<div class="notice voluntary">
<h1>${title}</h1>
${done === undefined ? null : html`<p class="info" role="status">${say(done)}</p>`}
${
  canAnswer
    ? html`<p>${pieces("text", { organization })}</p>
<ul>
<li>${say("voluntary")}</li>
<li>${say("unseen")}</li>
<li>${say("changeable")}</li></ul>
${form.text === "" ? null : written(form.text)}
<form method="post" action="${selfIdentificationHref(token)}" class="declining">
${selfIdentificationLists.map((list) => question(view, answers, list))}
<p class="actions"><button class="primary" name="do" value="save">${say("save")}</button></p>
</form>`
    : answer === undefined
      ? null
      : html`<p>${pieces("off", { organization })}</p>`
}
${
  answer === undefined
    ? null
    : html`<form method="post" action="${selfIdentificationHref(token)}"><p class="actions"><button class="secondary" name="do" value="withdraw">${say("withdraw")}</button></p></form>`
}
<p class="actions"><a class="button secondary" href="/i/${token}">${pageTexts(view).say("goBack")}</a></p>
</div>
${offlineNotice(view, token)}`,
  }
}
