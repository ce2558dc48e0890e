/** The score of a submission: the number, what it is made of, and what rests on what. */
import type { Criterion, Evidence } from "../../evaluations/Evaluation.ts"
import { importanceOf } from "../../interview-sets/Importance.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { evaluationNames, levelName, scoreText } from "../../submissions/pages/SubmissionLabels.ts"
import type { EvaluationDetail } from "../../submissions/SubmissionDetail.ts"
import { evaluationsOf, inFull, isPreliminary, type SubmissionView, waitingCv } from "./SubmissionView.ts"

/** Links between the evaluations of a submission; with one there is nothing to choose. */
export const evaluationSwitch = (view: SubmissionView): Html | null => {
  const all = evaluationsOf(view)
  if (all.length < 2) return null
  return html`<nav class="switch" aria-label="Evaluations">
${all.map(({ evaluation_type, score }) => {
  const current = evaluation_type === view.shown?.evaluation_type ? html` aria-current="true"` : null
  const figure = score === null ? null : html` <span class="figure">${scoreText(score)}</span>`
  return html`<a href="/submissions/${view.detail.id}?evaluation=${evaluation_type}"${current}>${evaluationNames[evaluation_type]}${figure}</a>\n`
})}
</nav>`
}

/** Why there is no number, in a heading and a sentence. */
const withoutScore = (view: SubmissionView): { readonly title: string; readonly text: string } => {
  const { detail, facts, shownFacts, shown } = view
  if (shown?.score_status === "cannot_evaluate") {
    const text =
      shown.evaluator === null ? "There was nothing to read" : "The evaluator found nothing that it could rate"
    return { title: "Cannot be evaluated", text: `${text}: this is not a zero.` }
  }
  if (facts.queued.length > 0) {
    const text = facts.is_evaluator_unavailable
      ? "The evaluator is not available at the moment. It is asked again, for about two hours in all."
      : "The score appears here as soon as it is there. Load the page again."
    return { title: "Being evaluated", text }
  }
  if (facts.requirements === 0) {
    return { title: "Not scored", text: "The interview set has no requirements: there is nothing to score against." }
  }
  if (shownFacts?.error) {
    return { title: "Not scored", text: "The evaluator was not available. You can have it evaluated again." }
  }
  if (shown !== undefined) return { title: "Not scored", text: "There is no score yet." }
  if (facts.cv?.state === "queued") return { title: "No score yet", text: waitingCv(facts.cv) }
  if (facts.flow === "cv") return { title: "No score", text: "There is no CV that could be read." }
  const isOver = detail.status_text === "withdrawn" || detail.status_text === "expired"
  return { title: "No score", text: isOver ? "There will be none." : "Nothing was submitted yet." }
}

const figureOf = (score: number): Html =>
  html`<p class="score"><span class="total">${scoreText(score)}</span> <span class="of">out of 10</span></p>`

/** A person's own score beside the evaluator's. */
const override = ({ override }: EvaluationDetail): Html | null =>
  override === null
    ? null
    : html`<div class="override"><p class="label">Score of <bdi>${override.member.name}</bdi></p>
${figureOf(override.score)}
<blockquote class="written" dir="auto">${override.reason}</blockquote>
<p class="note">${moment(new Date(override.at), "short")}</p></div>`

/** Whether a number is shown that words alone have made. */
const isByWords = ({ detail, shown }: SubmissionView): boolean =>
  shown?.score_status === "scored" && detail.evaluations.some(({ evaluator }) => evaluator?.startsWith("keyword/"))

/** The number at the top. */
export const scoreCard = (view: SubmissionView): Html => {
  const { facts, shownFacts, shown } = view
  const label = shown === undefined ? "Score" : `${evaluationNames[shown.evaluation_type]} score`
  const { text, title } = withoutScore(view)
  const isOlder = shownFacts !== undefined && shownFacts.attempt < facts.attempt && shown?.evaluation_type !== "cv"
  return html`<section class="card figures" aria-labelledby="score">
<h2 id="score" class="label">${label}</h2>
<div class="beside"><div>
${shown?.score_status === "scored" && shown.score !== null ? figureOf(shown.score) : html`<p class="verdict">${title}</p><p class="quiet">${text}</p>`}
${isByWords(view) ? html`<p class="quiet">Keyword evidence, not judgement: read the quotes.</p>` : null}
${shown === undefined || shown.override === null ? null : html`<p class="note">the evaluator's score</p>`}
</div>${shown === undefined ? null : override(shown)}</div>
${
  isPreliminary(view) && shown?.held_until
    ? html`<p class="info"><strong>Preliminary.</strong> The candidate can improve the answers until ${moment(new Date(shown.held_until), "short")}. Your hiring system is told the score then.</p>`
    : null
}
${
  isOlder
    ? html`<p class="info"><strong>About attempt ${shownFacts.attempt}.</strong> The candidate has opened the interview again.</p>`
    : null
}
</section>`
}

/** Where a quote stands on this page. `attempt` is the one that was evaluated. */
const placeOf = (view: SubmissionView, { question_id, source }: Evidence): Html => {
  if (source === "cv" || question_id === null) return html`<a href="#cv">CV</a>`
  const attempt = view.shownFacts?.attempt ?? view.facts.attempt
  const title = view.detail.answers.find((one) => one.question_id === question_id)?.title ?? "Answer"
  return html`<a href="#answer-${attempt}-${question_id}"><bdi>${title}</bdi></a>`
}

const rating = ({ score, score_status }: Criterion): Html => {
  if (score === null) {
    return html`<p class="rating"><strong>${score_status === "cannot_evaluate" ? "Could not be rated" : "Not rated"}</strong></p>`
  }
  const level = levelName(score)
  return html`<p class="rating"><strong>${level ?? "Rated"}</strong> <span class="figure">${scoreText(score)}</span>
<progress max="10" value="${score}" aria-hidden="true"></progress></p>`
}

const criterion = (view: SubmissionView, one: Criterion, number: number): Html => {
  const { name } = importanceOf(one.cfg_importance_id)
  return html`<li id="requirement-${number}" class="criterion">
<h3 dir="auto"><span class="ordinal">${number}</span> ${one.title}</h3>
${inFull(view, one.requirement_id, one.title)}
<p class="note">${name}, counts ${one.weight}×</p>
${rating(one)}
<p dir="auto">${one.rationale}</p>
${
  one.evidence.length === 0
    ? null
    : html`<ul class="quotes" aria-label="Quotes">${one.evidence.map(
        (evidence) =>
          html`<li><blockquote dir="auto">${evidence.quote}</blockquote><p class="note">from ${placeOf(view, evidence)}</p></li>`,
      )}</ul>`
}
</li>`
}

/** Every requirement with its score, and why. */
export const criteria = (view: SubmissionView): Html | null => {
  if (view.shown === undefined || view.shown.criteria.length === 0) return null
  return html`<section aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<ol class="criteria">
${view.shown.criteria.map((one, index) => criterion(view, one, index + 1))}
</ol>
${calculation(view.shown)}
</section>`
}

/** How the total comes from the weights, to be checked by hand. */
const calculation = ({ criteria, score }: EvaluationDetail): Html | null => {
  if (score === null) return null
  const rated = criteria.flatMap((one) => (one.score === null ? [] : [{ ...one, score: one.score }]))
  const weights = rated.reduce((sum, { weight }) => sum + weight, 0)
  const sum = rated.reduce((sum, one) => sum + one.weight * one.score, 0)
  const left = criteria.length - rated.length
  return html`<details class="makings"><summary>How the score is computed</summary>
<table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Weight</th><th scope="col">Score</th><th scope="col">Weight × score</th></tr></thead>
<tbody>
${rated.map(
  (one) =>
    html`<tr><th scope="row" dir="auto">${one.title}</th><td>${one.weight}</td><td>${one.score}</td><td>${one.weight * one.score}</td></tr>\n`,
)}
</tbody>
<tfoot><tr><th scope="row">Sum</th><td>${weights}</td><td></td><td>${sum}</td></tr></tfoot>
</table>
<p>${sum} ÷ ${weights} = <strong>${scoreText(score)}</strong>, rounded to one decimal.${
    left === 0
      ? null
      : ` ${left === 1 ? "One requirement that could not be rated does" : `${left} requirements that could not be rated do`} not count.`
  }</p>
</details>`
}

/** What the evaluator says in words. */
export const narrative = ({ shown }: SubmissionView): Html | null => {
  if (shown === undefined) return null
  const list = (title: string, texts: ReadonlyArray<string>, className: string) =>
    texts.length === 0
      ? null
      : html`<div class="remarks ${className}"><h3>${title}</h3><ul>${texts.map((text) => html`<li dir="auto">${text}</li>`)}</ul></div>`
  const lists = [
    list("Strengths", shown.strengths, "strengths"),
    list("Gaps", shown.gaps, "gaps"),
    list("What to ask next", shown.recommendations, "next"),
  ]
  if (shown.summary.trim() === "" && lists.every((one) => one === null)) return null
  return html`<section aria-labelledby="summary"><h2 id="summary">Summary</h2>
${shown.summary.trim() === "" ? null : html`<p class="written" dir="auto">${shown.summary}</p>`}
${lists}
</section>`
}
