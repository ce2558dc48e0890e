/** The requirements of a submission: outcomes, average of reviews, own ratings, quotes. */
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import type { Criterion, Evidence } from "../../evaluations/Evaluation.ts"
import { levelOf, outcomeOf } from "../../evaluations/Score.ts"
import { importanceOf, importances } from "../../interview-sets/Importance.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { capitalized, evaluationNames, scoreText } from "../../submissions/pages/SubmissionLabels.ts"
import { ratingNames } from "../Review.ts"
import {
  answerId,
  attemptOf,
  commonReason,
  counted,
  evaluationsOf,
  inFull,
  isPlaced,
  pageHref,
  quoteId,
  type RequirementRow,
  type SubmissionView,
  toRead,
} from "./SubmissionView.ts"

const evaluationSwitch = (view: SubmissionView): Html | null => {
  const all = evaluationsOf(view)
  if (all.length < 2) return null
  return html`<nav class="switch" aria-label="Evaluations">
${all.map(({ evaluation_type, score }) => {
  const current = evaluation_type === view.shown?.evaluation_type ? html` aria-current="true"` : null
  const figure = score === null || view.isScoreHidden ? null : html` <span class="figure">${scoreText(score)}</span>`
  return html`<a href="${pageHref(view, { evaluation: evaluation_type })}"${current}>${evaluationNames[evaluation_type]}${figure}</a>\n`
})}
</nav>`
}

/** The evaluator could not rate any requirement: the page says so once, not at each. */
const isUnrated = ({ shown }: SubmissionView): boolean => shown?.score_status === "cannot_evaluate"

const verdict = (view: SubmissionView): Html | null => {
  const { isScoreHidden, shown } = view
  if (isUnrated(view))
    return html`<p class="note">No automatic rating${view.audience === "guest" ? null : html`. <a href="#score">Why</a>`}</p>`
  if (isScoreHidden || shown?.score_status !== "scored") return null
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

/** The quotes of a requirement, the way to their places, its full text and the reason of its rating; null: there are none. */
const more = (view: SubmissionView, criterion: Criterion, number: number): Html | null => {
  const { evidence, rationale, requirement_id, title } = criterion
  const content = inFull(view, requirement_id, title)
  const isKnown = view.isScoreHidden || (view.shown !== undefined && commonReason(view.shown) === rationale)
  if (content === null && isKnown && evidence.length === 0) return null
  const name = evidence.length === 0 ? "Details" : evidence.length === 1 ? "1 quote" : `${evidence.length} quotes`
  return html`<details${view.requirement === number ? html` open` : null}><summary>${name}<span class="unseen"> for requirement ${number}</span></summary>
${placesLink(view, criterion, number)}
${content}
${isKnown ? null : html`<p dir="auto">${rationale}</p>`}
${evidence.length === 0 ? null : html`<ul class="quotes">${evidence.map((one, index) => html`<li>${quote(view, one, number, index + 1)}</li>\n`)}</ul>`}
</details>`
}

const reviewed = ({ average }: RequirementRow): Html | null =>
  average === undefined
    ? null
    : html`<span title="Average of the reviews">${countText(average.count, "review", "reviews")}: <b>${scoreText(average.score)}</b></span>`

/** Marks the places of the requirement in the answers, and goes to the first; a script does the same on this page. */
const placesLink = (view: SubmissionView, { evidence }: Criterion, number: number): Html | null => {
  const place = evidence.findIndex((one) => isPlaced(view, one))
  if (place === -1) return null
  const { requirement, shown } = view
  const href = pageHref(view, {
    requirement: String(number),
    ...(shown?.evaluation_type === evaluationsOf(view)[0]?.evaluation_type
      ? {}
      : { evaluation: shown?.evaluation_type }),
  })
  return html`<p class="note"><a class="places-of" href="${href}#${quoteId(number, place + 1)}"${requirement === number ? html` aria-current="true"` : null}>Show them in the answers<span class="unseen">: requirement ${number}</span></a></p>`
}

const outcome = (score: number | null): Html => {
  const name = outcomeOf(score)
  return html`<strong class="tag ${name.replaceAll(" ", "-")}">${capitalized(name)}</strong>`
}

/** One line below the title: the score, the importance, the average of reviews; what to read where the evaluator found nothing. */
const facts = (view: SubmissionView, row: RequirementRow): Html => {
  const { cfg_importance_id, criterion } = row
  const isRated = criterion !== undefined && !view.isScoreHidden
  const found = isRated ? outcomeOf(criterion.score) : undefined
  const isToRead = view.shown?.score_status === "scored" && (found === "no match found" || found === "not rated")
  const parts = [
    isRated && criterion.score !== null && levelOf(criterion.score) !== "none"
      ? html`<b class="score-value">${scoreText(criterion.score)}</b>`
      : null,
    isToRead ? html`<span class="to-read">please ${toRead(view)}</span>` : null,
    html`<span>${importanceOf(cfg_importance_id).name}</span>`,
    reviewed(row),
  ]
  return html`<p class="rating">${parts.filter((part) => part !== null)}</p>`
}

const choices: ReadonlyArray<readonly [value: string, name: Html]> = [
  ...ratingNames.map((name, rating) => [String(rating), html`<span>${name}</span>`] as const),
  ["", html`<span aria-hidden="true">–</span><span class="unseen">Not rated</span>`],
]

/** One line: the five ratings, and a dash that takes the rating back. */
const ratings = ({ id, title }: RequirementRow, chosen: string): Html =>
  html`<fieldset class="rate"><legend class="unseen">${title}</legend>
${choices.map(
  ([value, name]) =>
    html`<label${value === "" ? html` title="Not rated"` : null}><input type="radio" name="rating.${id}" value="${value}"${value === chosen ? html` checked` : null}>${name}</label>\n`,
)}</fieldset>`

const requirement = (
  view: SubmissionView,
  row: RequirementRow,
  number: number,
  rated: ReadonlyMap<string, string> | undefined,
): Html => {
  const { criterion, id, title } = row
  return html`<li id="requirement-${number}" class="criterion" data-number="${number}">
<h3 dir="auto"><span class="ordinal">${number}</span> ${title}</h3>
${criterion === undefined || view.isScoreHidden || isUnrated(view) ? null : outcome(criterion.score)}
${facts(view, row)}
${criterion === undefined ? null : more(view, criterion, number)}
${rated === undefined ? null : ratings(row, rated.get(id) ?? "")}
</li>\n`
}

/** `rated`: the ratings of the form, by requirement id; undefined: there is no form. */
export const requirementMatrix = (view: SubmissionView, rated: ReadonlyMap<string, string> | undefined): Html | null =>
  view.requirements.length === 0
    ? null
    : html`<div class="matrix">${evaluationSwitch(view)}
<div class="panel-head"><h3 id="requirements">Requirements</h3>
${verdict(view)}</div>
<ol class="criteria">
${view.requirements.map((one, index) => requirement(view, one, index + 1, rated))}</ol></div>`
