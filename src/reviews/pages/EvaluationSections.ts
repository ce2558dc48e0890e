/** The score of a submission, its computation and origin, the override and the evaluator's remarks. */

import { isByKeywords } from "../../evaluations/Evaluation.ts"
import { reasonLength } from "../../evaluations/Override.ts"
import { personReviewsHref } from "../../person-reviews/pages/PersonReviewListPage.ts"
import { describedBy, errorText } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { evaluationNames, scoreText } from "../../submissions/pages/SubmissionLabels.ts"
import { isSubmitted } from "../../submissions/Submission.ts"
import type { EvaluationDetail } from "../../submissions/SubmissionDetail.ts"
import { foldedPart } from "./FoldedPart.ts"
import { hiddenScores } from "./HiddenScores.ts"
import {
  commonReason,
  cvFailure,
  evaluationsOf,
  evaluatorName,
  formHref,
  isKeywordMatch,
  isOnlyCvUnreadable,
  isPreliminary,
  isUnanswered,
  numberName,
  pageHref,
  type SubmissionView,
  toRead,
} from "./SubmissionView.ts"

const canBeEvaluated = ({ detail, facts }: SubmissionView): boolean =>
  !facts.score_unused &&
  facts.queued.length === 0 &&
  facts.requirements.length > 0 &&
  (facts.cv?.state === "read" || (facts.flow === "interview" && isSubmitted(detail.status_text)))

const withoutScore = (view: SubmissionView): { readonly title: string; readonly text: HtmlValue } => {
  const { detail, facts, shownFacts, shown } = view
  if (facts.score_unused) {
    const text = "The candidate asked for a review by a person, so the evaluator's score is not used."
    return { title: "Score not used", text }
  }
  if (shown?.score_status === "cannot_evaluate") {
    const reason = commonReason(shown) ?? "The evaluator could not rate any requirement."
    // cvFailureBox already shows the reason
    const text = cvFailure(view)?.includes(reason) ? "The CV could not be read." : reason
    return { title: "Cannot be evaluated", text: `${text} This is not a score of zero.` }
  }
  if (facts.waits_for_notice_until !== null) {
    const until = moment(new Date(facts.waits_for_notice_until), "short")
    return { title: "Not evaluated yet", text: html`The days of the candidate's notice are over ${until}.` }
  }
  if (facts.queued.length > 0) {
    const text = facts.is_evaluator_unavailable
      ? "The evaluator is unavailable. The evaluation is retried for about two hours."
      : "Reload the page to see the score."
    return { title: "Being evaluated", text }
  }
  if (facts.requirements.length === 0) {
    return { title: "Not scored", text: "The interview set has no requirements to score against." }
  }
  if (shownFacts?.error) {
    return {
      title: "Not scored",
      text: "The evaluator was unavailable. You can evaluate again. If it is unavailable again, ask the service's operator to check its settings.",
    }
  }
  if (shown !== undefined) return { title: "Not scored", text: "There is no score yet." }
  if (facts.cv?.state === "queued") return { title: "No score yet", text: "The CV is being fetched and read." }
  if (facts.flow === "cv") return { title: "No score", text: "There is no readable CV." }
  const isOver = detail.status_text === "withdrawn" || detail.status_text === "expired"
  return { title: "No score", text: isOver ? "The interview is closed." : "Nothing was submitted yet." }
}

const figureOf = (score: number, marks: HtmlValue = null): Html =>
  html`<p class="score"><span class="total">${scoreText(score)}</span> <span class="of">out of 10</span>${marks}</p>`

const overrideNote = ({ override }: EvaluationDetail): Html | null =>
  override === null
    ? null
    : html`<div class="override"><p class="label">Override by <bdi>${override.member.name}</bdi></p>
${figureOf(override.score, html` <span class="tag">overridden</span>`)}
<blockquote class="written" dir="auto">${override.reason}</blockquote>
<p class="note">${moment(new Date(override.at), "short")}</p></div>`

/** True if summary, strengths and gaps were derived from the criteria, so they only repeat them. */
const isRestatement = ({ evaluation_type, evaluator, score_status }: EvaluationDetail): boolean =>
  isByKeywords(evaluator) || evaluation_type === "holistic" || score_status !== "scored"

/** Says that the rating may be unreliable, and why. */
export const reliability = (view: SubmissionView): Html | null => {
  if (view.isScoreHidden || view.shown?.score_status !== "scored") return null
  const { warnings = [] } = view.shown
  if (warnings.length === 0) return null
  return html`<div class="alert warm"><p><strong>The rating may be unreliable:</strong> ${toRead(view)}.</p>
<ul class="plain">${warnings.map(({ message }) => html`<li>${message}</li>`)}</ul></div>`
}

const figures = (view: SubmissionView): Html => {
  const { shown } = view
  if (shown === undefined || shown.score_status !== "scored" || shown.score === null) {
    if (isOnlyCvUnreadable(view)) return html`<p class="quiet">No score without a readable CV.</p>`
    const { text, title } = withoutScore(view)
    const requests =
      view.facts.score_unused && view.audience === "recruiting"
        ? html` <a href="${personReviewsHref}">Requests for a person</a>`
        : null
    const link = shown?.score_status === "cannot_evaluate" ? html` Please ${toRead(view)}.` : requests
    return html`<div><p class="verdict">${title}</p><p class="quiet">${text}${link}</p></div>`
  }
  return html`<div><p class="label">${evaluationNames[shown.evaluation_type]} ${numberName(view)}</p>
${figureOf(shown.score, isPreliminary(view) ? html` <span class="tag">preliminary</span>` : null)}
${shown.override === null ? null : html`<p class="note">The evaluator's score</p>`}</div>`
}

/** Sums integers: floating-point products such as 3 × 4.1 are inexact. */
const tenths = (value: number): number => Math.round(value * 10)

const calculation = ({ criteria, score }: EvaluationDetail, name: string): Html | null => {
  if (score === null) return null
  const rated = criteria.flatMap((one) => (one.score === null ? [] : [{ ...one, score: one.score }]))
  const weights = rated.reduce((sum, { weight }) => sum + weight, 0)
  const weighted = rated.reduce((sum, one) => sum + tenths(one.weight * one.score), 0) / 10
  const left = criteria.length - rated.length
  return html`<details class="makings"><summary>How the ${name} is computed</summary>
<table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Weight</th><th scope="col">Score</th><th scope="col">Weight × score</th></tr></thead>
<tbody>
${rated.map(
  (one) =>
    html`<tr><th scope="row" dir="auto">${one.title}</th><td>${one.weight}</td><td>${one.score}</td><td>${tenths(one.weight * one.score) / 10}</td></tr>\n`,
)}
</tbody>
<tfoot><tr><th scope="row">Sum</th><td>${weights}</td><td></td><td>${weighted}</td></tr></tfoot>
</table>
<p>${weighted} ÷ ${weights} = <strong>${scoreText(score)}</strong>, rounded to one decimal.${
    left === 0
      ? null
      : ` ${left === 1 ? "One requirement that could not be rated does" : `${left} requirements that could not be rated do`} not count.`
  }</p>
</details>`
}

const overrideForm = (view: SubmissionView): Html | null => {
  const { override: typed, shown } = view
  if (shown === undefined || view.facts.is_erased) return null
  const { errors, reason, score } = typed ?? {
    errors: {},
    score: shown.override === null ? "" : String(shown.override.score),
    reason: shown.override?.reason ?? "",
  }
  const type = html`<input type="hidden" name="evaluation_type" value="${shown.evaluation_type}">`
  return html`<details class="override-form" id="override"${typed === undefined ? null : html` open`}><summary>${shown.override === null ? "Override score" : "Change override"}</summary>
<form method="post" action="${formHref(view, "override")}" class="fields" novalidate>
${type}
<p><label for="override-score">Score (0 to 10)</label>
<input id="override-score" name="score" type="text" inputmode="decimal" autocomplete="off" required value="${score}"${describedBy("score", errors, null)}>${errorText("score", errors)}</p>
<p><label for="override-reason">Reason</label>
<textarea id="override-reason" name="reason" required minlength="${reasonLength.least}" maxlength="${reasonLength.most}" dir="auto"${describedBy("reason", errors, null)}>
${reason}</textarea>${errorText("reason", errors)}</p>
<p class="note">The override is shown beside the evaluator's score, with your name and reason.</p>
<p><button class="primary">Save override</button></p>
</form>
${
  shown.override === null
    ? null
    : html`<form method="post" action="${formHref(view, "override/withdraw")}">${type}<button class="link">Remove override</button></form>`
}
</details>`
}

const evaluateAgain = (view: SubmissionView): Html | null =>
  !view.facts.is_erased &&
  (view.shown === undefined || view.shown.score_status === "not_scored") &&
  canBeEvaluated(view)
    ? html`<form method="post" action="${formHref(view, "evaluate")}" class="again"><button class="secondary">Evaluate again</button></form>`
    : null

/** In place of the score of a CV that could not be read: a member may still give one. */
export const overrideFold = (view: SubmissionView): Html | null => {
  const form = isScorelessCv(view) && view.override === undefined ? overrideForm(view) : null
  return form === null ? null : foldedPart({ id: "score", title: "Score", note: "none without a readable CV" }, form)
}

const isScorelessCv = (view: SubmissionView): boolean =>
  view.audience === "recruiting" && isOnlyCvUnreadable(view) && (view.shown?.override ?? null) === null

/** Null if there is nothing to score yet: the page says why there are no answers. */
export const scoreSection = (view: SubmissionView): Html | null => {
  if (isScorelessCv(view) && view.override === undefined) return null
  const isUnsubmitted = isUnanswered(view) && !isSubmitted(view.detail.status_text)
  if (view.shown === undefined && view.facts.queued.length === 0 && isUnsubmitted) return null
  if (view.isScoreHidden)
    return html`<section class="card one-line-card" aria-labelledby="score"><h2 id="score">Score</h2>
${view.audience === "recruiting" ? hiddenScores(pageHref(view)) : html`<p class="note">You see the score after you send your review.</p>`}</section>`
  const { facts, shownFacts, shown } = view
  const isOlder = shownFacts !== undefined && shownFacts.attempt < facts.attempt && shown?.evaluation_type !== "cv"
  return html`<section class="card figures" aria-labelledby="score">
<h2 id="score">Score</h2>
<div class="beside">
${figures(view)}
${shown === undefined ? null : overrideNote(shown)}
</div>
${isKeywordMatch(view) ? html`<p class="note">A keyword match compares words and does not judge their meaning. Read the quotes before you decide.</p>` : null}
${
  isPreliminary(view) && shown?.held_until
    ? html`<p class="info"><strong>Preliminary.</strong> The candidate can improve the answers until ${moment(new Date(shown.held_until), "short")}. Your hiring system receives the score after that.</p>`
    : null
}
${
  isOlder
    ? html`<p class="info"><strong>This score is for attempt ${shownFacts.attempt}.</strong> The candidate has opened the interview again.</p>`
    : null
}
${shown === undefined || shown.criteria.length === 0 ? null : calculation(shown, numberName(view))}
${view.audience === "recruiting" ? html`${evaluateAgain(view)}\n${overrideForm(view)}` : null}
</section>`
}

const texts = (lines: ReadonlyArray<string>): Html =>
  html`<ul>${lines.map((line) => html`<li dir="auto">${line}</li>`)}</ul>`

export const narrative = ({ isScoreHidden, shown }: SubmissionView): Html | null => {
  if (shown === undefined || isScoreHidden) return null
  if (isRestatement(shown)) {
    return shown.recommendations.length === 0
      ? null
      : html`<section class="remarks" aria-labelledby="next"><h2 id="next">Suggested questions</h2>${texts(shown.recommendations)}</section>`
  }
  const list = (title: string, lines: ReadonlyArray<string>, className: string) =>
    lines.length === 0 ? null : html`<div class="remarks ${className}"><h3>${title}</h3>${texts(lines)}</div>`
  const lists = [
    list("Strengths", shown.strengths, "strengths"),
    list("Gaps", shown.gaps, "gaps"),
    list("Suggested questions", shown.recommendations, "next"),
  ]
  if (shown.summary.trim() === "" && lists.every((one) => one === null)) return null
  return html`<section aria-labelledby="summary"><h2 id="summary">Summary</h2>
${shown.summary.trim() === "" ? null : html`<p class="written" dir="auto">${shown.summary}</p>`}
${lists}
</section>`
}

const parts = (view: SubmissionView): HtmlValue =>
  view.shown?.evaluation_type === "holistic"
    ? evaluationsOf(view)
        .filter(({ evaluation_type }) => evaluation_type !== "holistic")
        .map(
          ({ evaluation_type, evaluator }) =>
            html`<span class="part"><a href="${pageHref(view, { evaluation: evaluation_type })}">${evaluationNames[evaluation_type]}</a> by ${evaluatorName(evaluator)}</span> `,
        )
    : null

/** How the shown evaluation was made. */
export const provenance = (view: SubmissionView): Html | null => {
  const { shownFacts, now, shown } = view
  if (shown === undefined) return null
  const fact = (name: string, value: HtmlValue) =>
    value === null || value === undefined ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
  const held = shown.held_until === null ? null : new Date(shown.held_until)
  return foldedPart(
    { id: "provenance", title: "Evaluation details" },
    html`<dl class="made">
${fact("Evaluation", evaluationNames[shown.evaluation_type])}
${fact("Combines", parts(view))}
${fact("Evaluator", shown.evaluator === null ? null : evaluatorName(shown.evaluator))}
${fact("Evaluated", shown.evaluated_at === null ? null : moment(new Date(shown.evaluated_at), "short"))}
${fact("Attempt", shownFacts === undefined || shown.evaluation_type === "cv" ? null : shownFacts.attempt)}
${fact("Final from", held === null ? null : html`${moment(held, "short")}${held > now ? " (preliminary)" : null}`)}
</dl>
<p class="note">${shown.evaluator === null ? null : "Names, email addresses, phone numbers and links were hidden from the evaluator where they were found. "}Scores are suggestions; people decide. <a href="/docs/model-card">What scores are good for, and where they fail</a></p>`,
  )
}
