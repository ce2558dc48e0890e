/** The requirements of a submission: outcomes, average of reviews, own ratings, quotes. */
import type { Criterion, Evidence } from "../../evaluations/Evaluation.ts"
import { levelOf, outcomeOf } from "../../evaluations/Score.ts"
import { importanceOf, importances } from "../../interview-sets/Importance.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { evaluationNames, scoreText } from "../../submissions/pages/SubmissionLabels.ts"
import { ratingNames } from "../Review.ts"
import {
  answerId,
  attemptOf,
  commonReason,
  counted,
  evaluationsOf,
  inFull,
  isPlaced,
  quoteId,
  type RequirementRow,
  type SubmissionView,
  submissionHref,
  toRead,
} from "./SubmissionView.ts"

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const evaluationSwitch = (view: SubmissionView): Html | null => {
  const all = evaluationsOf(view)
  if (all.length < 2) return null
  return html`<nav class="switch" aria-label="Evaluations">
${all.map(({ evaluation_type, score }) => {
  const current = evaluation_type === view.shown?.evaluation_type ? html` aria-current="true"` : null
  const figure = score === null ? null : html` <span class="figure">${scoreText(score)}</span>`
  return html`<a href="${submissionHref(view.detail.id, { evaluation: evaluation_type, list: view.around?.list })}"${current}>${evaluationNames[evaluation_type]}${figure}</a>\n`
})}
</nav>`
}

const verdict = ({ shown }: SubmissionView): Html | null => {
  if (shown?.score_status !== "scored") return null
  const most = importances.at(-1)
  const important = shown.criteria.filter(({ cfg_importance_id }) => cfg_importance_id === most?.id)
  const isApart = important.length > 0 && important.length < shown.criteria.length
  return html`<p class="verdict">${counted(shown.criteria)}</p>${isApart ? html`\n<p class="note">${most?.name}: ${counted(important)}</p>` : null}`
}

const sourceOf = (view: SubmissionView, { question_id, source }: Evidence) => {
  if (source === "cv" || question_id === null) return { href: "#cv", name: "CV" }
  const title = view.detail.answers.find((one) => one.question_id === question_id)?.title ?? "Answer"
  return { href: `#${answerId(attemptOf(view), question_id)}`, name: title }
}

/** `number`: of the requirement; `place`: of the quote in its evidence. */
const quote = (view: SubmissionView, evidence: Evidence, number: number, place: number): Html => {
  const { href, name } = sourceOf(view, evidence)
  const target = isPlaced(view, evidence) ? `#${quoteId(number, place)}` : href
  return html`<blockquote dir="auto">${evidence.quote}</blockquote><p class="note">from <a class="place" href="${target}"><bdi>${name}</bdi></a></p>`
}

/** The details of a requirement, without its best quote. */
const more = (view: SubmissionView, { evidence, rationale, requirement_id, title }: Criterion, number: number) => {
  const content = inFull(view, requirement_id, title)
  const isKnown = view.shown !== undefined && commonReason(view.shown) === rationale
  const others = evidence.slice(1)
  if (content === null && isKnown) return null
  return html`<details><summary>Details</summary>
${content}
${isKnown ? null : html`<p dir="auto">${rationale}</p>`}
${
  others.length === 0
    ? null
    : html`<ul class="quotes" aria-label="More quotes">${others.map((one, index) => html`<li>${quote(view, one, number, index + 2)}</li>`)}</ul>`
}
</details>`
}

const reviewed = ({ average, own }: RequirementRow, isDraft: boolean): Html | null =>
  average === undefined && own === undefined
    ? null
    : html`<span class="reviewed">${average === undefined ? null : html`<span>Reviews: <b>${scoreText(average.score)}</b> (average of ${average.count})</span> `}${
        own === undefined ? null : html`<span>You: <b>${ratingNames[own]}</b>${isDraft ? " (draft)" : null}</span>`
      }</span>`

const requirement = (view: SubmissionView, row: RequirementRow, number: number): Html => {
  const { cfg_importance_id, criterion, title } = row
  const outcome = outcomeOf(criterion?.score ?? null)
  const isToRead = view.shown?.score_status === "scored" && (outcome === "no match found" || outcome === "not rated")
  const score = criterion?.score ?? null
  const level = score === null || levelOf(score) === "none" ? null : levelOf(score)
  const [best] = criterion?.evidence ?? []
  return html`<li id="requirement-${number}" class="criterion">
<h3 dir="auto"><span class="ordinal">${number}</span> ${title}</h3>
<p class="rating">${
    criterion === undefined
      ? null
      : html`<strong class="tag ${outcome.replaceAll(" ", "-")}">${capitalized(outcome)}${isToRead ? ":" : null}</strong>`
  }${isToRead ? html` <span class="to-read">${toRead(view)}</span>` : null}${
    level === null || score === null
      ? null
      : html` <span class="level">${capitalized(level)}, ${scoreText(score)}</span>`
  } <span class="note">${importanceOf(cfg_importance_id).name}</span> ${reviewed(row, view.reviews.own?.sent_at === null)}</p>
${best === undefined ? null : html`<div class="quotes">${quote(view, best, number, 1)}</div>`}
${criterion === undefined ? null : more(view, criterion, number)}
</li>`
}

export const requirementMatrix = (view: SubmissionView): Html | null =>
  view.requirements.length === 0
    ? null
    : html`<section class="matrix" aria-labelledby="requirements">
<h2 id="requirements">Requirements</h2>
${evaluationSwitch(view)}
${verdict(view)}
<ol class="criteria">
${view.requirements.map((one, index) => requirement(view, one, index + 1))}
</ol></section>`
