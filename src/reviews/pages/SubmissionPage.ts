/** The page of one submission, at the submission_url of events and the API. */

import { type Member, maySetUp } from "../../accounts/Member.ts"
import { cut, workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import { hiringSystemFields } from "../../candidates/Candidate.ts"
import { type Criterion, EvaluationType, type Evidence, isByKeywords } from "../../evaluations/Evaluation.ts"
import { reasonLength } from "../../evaluations/Override.ts"
import { countOutcomes, levelOf, outcomeOf, outcomes } from "../../evaluations/Score.ts"
import { tooFewWords } from "../../evaluations/ShortText.ts"
import { importanceOf, importances } from "../../interview-sets/Importance.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import { invitationHref } from "../../invitations/pages/InvitationLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { describedBy, errorSummary, errorText, noticeBox } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import {
  evaluationNames,
  failureText,
  isUnreached,
  nameOf,
  scoreText,
  statusName,
} from "../../submissions/pages/SubmissionLabels.ts"
import { type EvaluationDetail, leadingTypes, type SubmissionDetail } from "../../submissions/SubmissionDetail.ts"
import type { CvFacts, EvaluationFacts } from "../../submissions/SubmissionRepository.ts"
import type { SubmissionRecord } from "../../submissions/Submissions.ts"
import { numberText, sizeText } from "../../texts/Formats.ts"
import { highlights, type Quote } from "../Highlights.ts"

export interface OverrideForm {
  readonly score: string
  readonly reason: string
  readonly errors: { readonly score?: string; readonly reason?: string }
}

export interface SubmissionView extends SubmissionRecord {
  readonly shown: EvaluationDetail | undefined
  readonly shownFacts: EvaluationFacts | undefined
  readonly now: Date
  readonly notice?: { readonly text: string; readonly isError: boolean } | undefined
  readonly form?: OverrideForm | undefined
}

/** The content of a question or requirement; null if it is empty or equals the title. */
const inFull = ({ facts }: SubmissionRecord, id: string, title: string | null): Html | null => {
  const content = facts.contents[id]?.trim() ?? ""
  return content === "" || content === title?.trim() ? null : html`<p class="quiet written" dir="auto">${content}</p>`
}

const waitingCv = ({ error }: CvFacts): string =>
  error === null ? "The CV is being fetched and read." : `${error} It is retried for about 40 minutes.`

const evaluationsOf = ({ detail }: SubmissionRecord): ReadonlyArray<EvaluationDetail> =>
  leadingTypes.flatMap((type) => detail.evaluations.filter(({ evaluation_type }) => evaluation_type === type))

const rankOf = ({ score }: Criterion): number => outcomes.indexOf(outcomeOf(score))

/** Most important first; within equal importance, worst outcome first. */
const byImportance = (criteria: ReadonlyArray<Criterion>): ReadonlyArray<Criterion> =>
  criteria.toSorted((one, other) => other.weight - one.weight || rankOf(other) - rankOf(one))

export const viewOf = (
  record: SubmissionRecord,
  type: string | undefined,
  rest: Pick<SubmissionView, "now" | "notice" | "form">,
): SubmissionView => {
  const all = evaluationsOf(record)
  const found = all.find(({ evaluation_type }) => evaluation_type === type) ?? all[0]
  const shown = found === undefined ? undefined : { ...found, criteria: byImportance(found.criteria) }
  const shownFacts = record.facts.evaluations.find((one) => one.evaluation_type === shown?.evaluation_type)
  return { ...record, shown, shownFacts, ...rest }
}

export const isEvaluationType = (text: string | undefined): text is EvaluationType =>
  EvaluationType.literals.some((type) => type === text)

/** True if the candidate can still improve the answers. */
const isPreliminary = ({ now, shown }: SubmissionView): boolean =>
  shown !== undefined && shown.held_until !== null && new Date(shown.held_until) > now

const canBeEvaluated = ({ detail, facts }: SubmissionView): boolean =>
  facts.queued.length === 0 &&
  facts.requirements > 0 &&
  (facts.cv?.state === "read" ||
    (facts.flow === "interview" && (detail.status_text === "completed" || detail.status_text === "evaluated")))

const evaluationSwitch = (view: SubmissionView): Html | null => {
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

/** The reason why no requirement was rated; null if some were rated or the reasons differ. */
const commonReason = ({ criteria }: EvaluationDetail): string | null => {
  const [first] = criteria
  const isCommon = criteria.every(({ rationale, score }) => score === null && rationale === first?.rationale)
  return isCommon ? (first?.rationale ?? null) : null
}

const withoutScore = (view: SubmissionView): { readonly title: string; readonly text: string } => {
  const { detail, facts, shownFacts, shown } = view
  if (shown?.score_status === "cannot_evaluate") {
    const text = commonReason(shown) ?? "The evaluator could not rate any requirement."
    return { title: "Cannot be evaluated", text: `${text} This is not a score of zero.` }
  }
  if (facts.queued.length > 0) {
    const text = facts.is_evaluator_unavailable
      ? "The evaluator is unavailable. The evaluation is retried for about two hours."
      : "Reload the page to see the score."
    return { title: "Being evaluated", text }
  }
  if (facts.requirements === 0) {
    return { title: "Not scored", text: "The interview set has no requirements to score against." }
  }
  if (shownFacts?.error) {
    return {
      title: "Not scored",
      text: "The evaluator was unavailable. You can evaluate again. If it is unavailable again, ask the service's operator to check its settings.",
    }
  }
  if (shown !== undefined) return { title: "Not scored", text: "There is no score yet." }
  if (facts.cv?.state === "queued") return { title: "No score yet", text: waitingCv(facts.cv) }
  if (facts.flow === "cv") return { title: "No score", text: "There is no readable CV." }
  const isOver = detail.status_text === "withdrawn" || detail.status_text === "expired"
  return { title: "No score", text: isOver ? "The interview is closed." : "Nothing was submitted yet." }
}

const figureOf = (score: number): Html =>
  html`<p class="score"><span class="total">${scoreText(score)}</span> <span class="of">out of 10</span></p>`

const override = ({ override }: EvaluationDetail): Html | null =>
  override === null
    ? null
    : html`<div class="override"><p class="label">Score of <bdi>${override.member.name}</bdi></p>
${figureOf(override.score)}
<blockquote class="written" dir="auto">${override.reason}</blockquote>
<p class="note">${moment(new Date(override.at), "short")}</p></div>`

/** The evaluations that the shown one combines; the shown one itself if it is not holistic. */
const partsOf = ({ detail, shown }: SubmissionView): ReadonlyArray<EvaluationDetail> =>
  detail.evaluations.filter(({ evaluation_type }) =>
    shown?.evaluation_type === "holistic" ? evaluation_type !== "holistic" : evaluation_type === shown?.evaluation_type,
  )

/** True if the keyword evaluator made the score or a part of it. */
const isKeywordMatch = (view: SubmissionView): boolean =>
  view.shown?.score_status === "scored" && partsOf(view).some(({ evaluator }) => isByKeywords(evaluator))

const numberName = (view: SubmissionView): string => (isKeywordMatch(view) ? "keyword match" : "score")

const toRead = (view: SubmissionView): Html => {
  const types = partsOf(view).map(({ evaluation_type }) => evaluation_type)
  if (!types.includes("interview")) return html`<a href="#cv">read the CV</a>`
  const answers = html`<a href="#answers">read the answers</a>`
  return types.includes("cv") ? html`${answers} and <a href="#cv">the CV</a>` : answers
}

const attemptOf = ({ facts, shownFacts }: SubmissionView): number => shownFacts?.attempt ?? facts.attempt

const shortTexts = (view: SubmissionView): ReadonlyArray<string> =>
  partsOf(view).flatMap(({ evaluation_type }) => {
    const written = view.detail.answers.filter(
      ({ attempt, file, options }) => attempt === attemptOf(view) && options.length === 0 && file === null,
    )
    const texts = evaluation_type === "cv" ? [view.facts.cv?.text ?? ""] : written.map(({ content }) => content ?? "")
    const count = texts.length === 0 ? null : tooFewWords(texts)
    if (count === null) return []
    const what = evaluation_type === "cv" ? "The CV has" : "The written answers have"
    return [`${what} ${count === 1 ? "one word" : `${count} words`} in total, too few for a reliable rating.`]
  })

/** True if summary, strengths and gaps were derived from the criteria, so they only repeat them. */
const isRestatement = ({ evaluation_type, evaluator, score_status }: EvaluationDetail): boolean =>
  isByKeywords(evaluator) || evaluation_type === "holistic" || score_status !== "scored"

const remarksOf = (view: SubmissionView): ReadonlyArray<string> => {
  const all = view.shown === undefined ? [] : [view.shown, ...partsOf(view)]
  const lines = all.filter(isRestatement).flatMap(({ summary }) => summary.split("\n").slice(1))
  return [...new Set(lines)]
}

const weightOf = (criteria: ReadonlyArray<Criterion>): number => criteria.reduce((sum, { weight }) => sum + weight, 0)

const fewRated = ({ criteria }: EvaluationDetail): ReadonlyArray<string> => {
  const rated = criteria.filter(({ score }) => score !== null)
  if (2 * weightOf(rated) >= weightOf(criteria)) return []
  return [
    `Only ${rated.length} of ${criteria.length} requirements could be rated. The score says nothing about the others.`,
  ]
}

const reading = (view: SubmissionView): Html | null => {
  if (view.shown?.score_status !== "scored") return null
  const remarks = [...fewRated(view.shown), ...shortTexts(view), ...remarksOf(view)]
  if (remarks.length === 0) return null
  return html`<div class="alert warm"><p><strong>The rating may be unreliable:</strong> ${toRead(view)}.</p>
<ul class="plain">${remarks.map((remark) => html`<li>${remark}</li>`)}</ul></div>`
}

/** Allows line breaks only after commas. */
const counted = (criteria: ReadonlyArray<Criterion>): string => countOutcomes(criteria).replaceAll(/(?<!,) /g, "\u00a0")

const figures = (view: SubmissionView): Html => {
  const { shown } = view
  if (shown === undefined || shown.score_status !== "scored" || shown.score === null) {
    const { text, title } = withoutScore(view)
    const link = shown?.score_status === "cannot_evaluate" ? html` Please ${toRead(view)}.` : null
    return html`<div><p class="verdict">${title}</p><p class="quiet">${text}${link}</p></div>`
  }
  const most = importances.at(-1)
  const important = shown.criteria.filter(({ cfg_importance_id }) => cfg_importance_id === most?.id)
  const isApart = important.length > 0 && important.length < shown.criteria.length
  return html`<div class="outcome"><p class="verdict">${counted(shown.criteria)}</p>
${isApart ? html`<p class="note">${most?.name}: ${counted(important)}</p>` : null}</div>
<div><p class="label">${evaluationNames[shown.evaluation_type]} ${numberName(view)}</p>
${figureOf(shown.score)}
${shown.override === null ? null : html`<p class="note">The evaluator's score</p>`}</div>`
}

const findings = (view: SubmissionView): Html => {
  const { facts, shownFacts, shown } = view
  const criteria = shown?.criteria ?? []
  const isOlder = shownFacts !== undefined && shownFacts.attempt < facts.attempt && shown?.evaluation_type !== "cv"
  return html`<section class="card figures" aria-labelledby="requirements">
<h2 id="requirements">${criteria.length === 0 ? "Evaluation" : "Requirements"}</h2>
<div class="beside">
${figures(view)}
${shown === undefined ? null : override(shown)}
</div>
${isKeywordMatch(view) ? html`<p class="note">A keyword match compares words and does not judge their meaning. Read the quotes before you decide.</p>` : null}
${
  isPreliminary(view) && shown?.held_until
    ? html`<p class="info"><strong>Preliminary.</strong> The candidate can improve the answers until ${moment(new Date(shown.held_until), "short")}. Your hiring system receives the score then.</p>`
    : null
}
${
  isOlder
    ? html`<p class="info"><strong>About attempt ${shownFacts.attempt}.</strong> The candidate has opened the interview again.</p>`
    : null
}
${
  shown === undefined || criteria.length === 0
    ? null
    : html`<ol class="criteria">
${criteria.map((one, index) => criterion(view, one, index + 1))}
</ol>
${calculation(shown, numberName(view))}`
}
</section>`
}

const placeOf = (view: SubmissionView, { question_id, source }: Evidence): Html => {
  if (source === "cv" || question_id === null) return html`<a href="#cv">CV</a>`
  const title = view.detail.answers.find((one) => one.question_id === question_id)?.title ?? "Answer"
  return html`<a href="#answer-${attemptOf(view)}-${question_id}"><bdi>${title}</bdi></a>`
}

const quote = (view: SubmissionView, evidence: Evidence): Html =>
  html`<blockquote dir="auto">${evidence.quote}</blockquote><p class="note">from ${placeOf(view, evidence)}</p>`

/** The details of a requirement, without its best quote, which is always visible. */
const more = (view: SubmissionView, { evidence, rationale, requirement_id, score, title }: Criterion): Html | null => {
  const content = inFull(view, requirement_id, title)
  const isKnown = view.shown !== undefined && commonReason(view.shown) === rationale
  const others = evidence.slice(1)
  if (content === null && isKnown) return null
  const figure = score === null || levelOf(score) === "none" ? null : `: ${scoreText(score)} out of 10`
  return html`<details><summary>Details${figure}</summary>
${content}
${isKnown ? null : html`<p dir="auto">${rationale}</p>`}
${
  others.length === 0
    ? null
    : html`<ul class="quotes" aria-label="More quotes">${others.map((one) => html`<li>${quote(view, one)}</li>`)}</ul>`
}
</details>`
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const criterion = (view: SubmissionView, one: Criterion, number: number): Html => {
  const outcome = outcomeOf(one.score)
  const isToRead = view.shown?.score_status === "scored" && (outcome === "no match found" || outcome === "not rated")
  const [best] = one.evidence
  return html`<li id="requirement-${number}" class="criterion">
<h3 dir="auto"><span class="ordinal">${number}</span> ${one.title}</h3>
<p class="rating"><strong class="tag ${outcome.replaceAll(" ", "-")}">${capitalized(outcome)}${isToRead ? ":" : null}</strong>${
    isToRead ? html` <span>${toRead(view)}</span>` : null
  } <span class="note">${importanceOf(one.cfg_importance_id).name}</span></p>
${best === undefined ? null : html`<div class="quotes">${quote(view, best)}</div>`}
${more(view, one)}
</li>`
}

/** Scores have one decimal and are exact in tenths, unlike 3 × 4.1. */
const tenths = (value: number): number => Math.round(value * 10)

const calculation = ({ criteria, score }: EvaluationDetail, name: string): Html | null => {
  if (score === null) return null
  const rated = criteria.flatMap((one) => (one.score === null ? [] : [{ ...one, score: one.score }]))
  const weights = rated.reduce((sum, { weight }) => sum + weight, 0)
  const sum = rated.reduce((sum, one) => sum + tenths(one.weight * one.score), 0) / 10
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
<tfoot><tr><th scope="row">Sum</th><td>${weights}</td><td></td><td>${sum}</td></tr></tfoot>
</table>
<p>${sum} ÷ ${weights} = <strong>${scoreText(score)}</strong>, rounded to one decimal.${
    left === 0
      ? null
      : ` ${left === 1 ? "One requirement that could not be rated does" : `${left} requirements that could not be rated do`} not count.`
  }</p>
</details>`
}

const texts = (lines: ReadonlyArray<string>): Html =>
  html`<ul>${lines.map((line) => html`<li dir="auto">${line}</li>`)}</ul>`

const narrative = ({ shown }: SubmissionView): Html | null => {
  if (shown === undefined) return null
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

const overrideForm = ({ detail, form, shown }: SubmissionView): Html | null => {
  if (shown === undefined) return null
  const { errors, reason, score } = form ?? {
    errors: {},
    score: shown.override === null ? "" : String(shown.override.score),
    reason: shown.override?.reason ?? "",
  }
  const type = html`<input type="hidden" name="evaluation_type" value="${shown.evaluation_type}">`
  return html`<details class="own" id="own"${form === undefined ? null : html` open`}><summary>${shown.override === null ? "Override score" : "Change the override"}</summary>
<form method="post" action="/submissions/${detail.id}/override" class="fields" novalidate>
${type}
<p><label for="own-score">Score, 0 to 10</label>
<input id="own-score" name="score" type="text" inputmode="decimal" autocomplete="off" required value="${score}"${describedBy("score", errors, null)}>${errorText("score", errors)}</p>
<p><label for="own-reason">Reason</label>
<textarea id="own-reason" name="reason" required minlength="${reasonLength.least}" maxlength="${reasonLength.most}" dir="auto"${describedBy("reason", errors, null)}>
${reason}</textarea>${errorText("reason", errors)}</p>
<p class="note">Your score is shown beside the evaluator's, with your name and reason.</p>
<p><button class="primary">Save your score</button></p>
</form>
${
  shown.override === null
    ? null
    : html`<form method="post" action="/submissions/${detail.id}/override/withdraw">${type}<button class="link">Remove the override</button></form>`
}
</details>`
}

const evaluateAgain = (view: SubmissionView): Html | null =>
  (view.shown === undefined || view.shown.score_status === "not_scored") && canBeEvaluated(view)
    ? html`<form method="post" action="/submissions/${view.detail.id}/evaluate" class="again"><button class="secondary">Evaluate again</button></form>`
    : null

type Answer = SubmissionDetail["answers"][number]

const quotesOf = ({ shown }: SubmissionView, isOfSource: (evidence: Evidence) => boolean): ReadonlyArray<Quote> =>
  (shown?.criteria ?? []).flatMap(({ evidence }, index) =>
    evidence.filter(isOfSource).map(({ quote }) => ({ text: quote, mark: index + 1 })),
  )

const marked = (text: string, quotes: ReadonlyArray<Quote>): Html => {
  const pieces = highlights(text, quotes)
  const parts = pieces.map(({ marks, text: part }, index) => {
    if (marks.length === 0) return html`${part}`
    const next = pieces[index + 1]?.marks ?? []
    const ended = marks.filter((mark) => !next.includes(mark))
    const refs = ended.map(
      (mark) =>
        html`<a class="ref" href="#requirement-${mark}" aria-label="evidence for requirement ${mark}">${mark}</a>`,
    )
    return html`<mark>${part}${refs}</mark>`
  })
  return html`<div class="written source" dir="auto">${parts}</div>`
}

const answer = (view: SubmissionView, one: Answer, isEvaluated: boolean): Html => {
  const { attempt, content, file, options, question_id, title } = one
  const quotes = isEvaluated ? quotesOf(view, (evidence) => evidence.question_id === question_id) : []
  const isEmpty = !content?.trim() && options.length === 0 && file === null
  return html`<li id="answer-${attempt}-${question_id}" class="answer"><h3 dir="auto">${title?.trim() || "Question without a title"}</h3>
${inFull(view, question_id, title)}
${content?.trim() ? marked(content, quotes) : null}
${
  options.length === 0
    ? null
    : html`<ul class="chosen">${options.map((option) => html`<li>${marked(option.title ?? String(option.id), quotes)}</li>`)}</ul>`
}
${
  file === null
    ? null
    : html`<p><a href="/submissions/${view.detail.id}/files/${attempt}/${question_id}" download><bdi>${file.name ?? "File"}</bdi></a> <span class="note">${sizeText(file.size)}</span></p>`
}
${isEmpty ? html`<p class="quiet">No answer.</p>` : null}
</li>`
}

/** Answers in the order of the set, empty ones for questions without an answer. */
const withUnanswered = (
  { facts }: SubmissionView,
  attempt: number,
  all: ReadonlyArray<Answer>,
): ReadonlyArray<Answer> =>
  facts.questions.map(
    (one) =>
      all.find(({ question_id }) => question_id === one.question_id) ?? {
        ...one,
        attempt,
        content: null,
        options: [],
        file: null,
      },
  )

const answers = (view: SubmissionView): Html | null => {
  const { detail, facts } = view
  const attempts = [...Map.groupBy(detail.answers, ({ attempt }) => attempt)].toSorted(([a], [b]) => b - a)
  const [newest] = attempts
  if (newest === undefined) return null
  const list = ([attempt, all]: readonly [number, ReadonlyArray<Answer>]) =>
    html`<ol class="answers">${withUnanswered(view, attempt, all).map((one) => answer(view, one, attempt === attemptOf(view)))}</ol>`
  const submitted = (attempt: number) => {
    const at = facts.attempts.find((one) => one.attempt === attempt)?.completed_at
    return at ? html` <span class="note">submitted ${moment(new Date(at), "short")}</span>` : null
  }
  return html`<section aria-labelledby="answers"><h2 id="answers">Answers${attempts.length > 1 ? ` of attempt ${newest[0]}` : null}</h2>
${list(newest)}
${attempts.slice(1).map(
  (one) => html`<details class="earlier"><summary>Answers of attempt ${one[0]}</summary>${submitted(one[0])}
${list(one)}</details>`,
)}
</section>`
}

const fileName = (link: string): string | null => {
  const last = URL.canParse(link) ? new URL(link).pathname.split("/").at(-1) : undefined
  if (last === undefined || !/[^.]\.[a-z0-9]{1,5}$/i.test(last)) return null
  try {
    return decodeURIComponent(last).toWellFormed()
  } catch {
    return last
  }
}

const cv = (view: SubmissionView): Html | null => {
  const { detail, facts } = view
  if (facts.cv === null) return null
  const { has_file, link, notes, read_at, text } = facts.cv
  const quotes = quotesOf(view, ({ source }) => source === "cv")
  const name = fileName(link)
  const isLink = /^https?:\/\//i.test(link)
  return html`<section aria-labelledby="cv"><h2 id="cv">CV</h2>
<p class="note files">${has_file ? html`<a href="/submissions/${detail.id}/cv" download>Download the file</a>${name === null ? null : html` <bdi>${cut(name, 100)}</bdi>`} · ` : null}${
    isLink ? html`<a href="${link}" rel="noreferrer noopener">Source link</a>` : null
  }${
    read_at === null || text === null
      ? null
      : html` · read ${moment(new Date(read_at), "short")}, ${numberText("en", [...text].length)} characters`
  }</p>
${notes.map((note) => html`<p class="info note" dir="auto">${note}</p>`)}
${text?.trim() ? marked(text, quotes) : null}
</section>`
}

const missingInformation = ({ detail, facts, shown }: SubmissionView): ReadonlyArray<HtmlValue> => {
  const found: Array<HtmlValue> = []
  if (facts.cv === null) found.push("No CV was sent.")
  else if (facts.cv.state === "queued") found.push(waitingCv(facts.cv))
  else if (facts.cv.state === "failed") {
    found.push(facts.cv.error === null ? "The CV could not be read." : html`<bdi>${facts.cv.error}</bdi>`)
  } else if (!facts.cv.text?.trim()) found.push("The CV has no text.")
  const { status_text } = detail
  if (facts.flow === "cv") found.push("Only the CV is evaluated; there is no interview.")
  else if (detail.declined_at !== null) found.push("The candidate declined the interview.")
  else if (status_text === "expired") found.push("The interview was not started before the deadline.")
  else if (status_text === "withdrawn") found.push("The invitation was cancelled.")
  else if (detail.invitation !== null && isUnreached(status_text, detail.invitation.status_text)) {
    const why = failureText(facts.invitation?.failure_reason ?? null)
    found.push(
      html`The candidate was not reached${why === "" ? "" : `: ${why}`}. <a href="/invitations/${detail.invitation.id}">See the invitation</a>`,
    )
  } else if (status_text !== "completed" && status_text !== "evaluated") {
    found.push(
      status_text === "started" && facts.attempt > 1
        ? "The candidate is answering again. Answers are shown after they are submitted."
        : "The interview is not submitted yet.",
    )
  }
  if (shown !== undefined && facts.queued.length > 0) {
    found.push("It is being evaluated again. Reload the page to see the result.")
  }
  return found
}

const missing = (view: SubmissionView): Html | null => {
  const found = missingInformation(view)
  if (found.length === 0) return null
  return html`<section class="card" aria-labelledby="missing"><h2 id="missing">Missing information</h2>
<ul class="plain">${found.map((one) => html`<li>${one}</li>`)}</ul></section>`
}

interface Step {
  readonly at: Date
  readonly text: HtmlValue
}

/** The address is empty after an erasure. */
const invitedText = (email: string): HtmlValue => (email === "" ? "Invited" : html`Invited as <bdi>${email}</bdi>`)

const steps = (view: SubmissionView): ReadonlyArray<Step> => {
  const { detail, facts } = view
  const { cv, invitation } = facts
  const all: ReadonlyArray<readonly [string | null | undefined, HtmlValue]> = [
    [facts.created_at, invitation === null ? "Created" : invitedText(invitation.email)],
    [invitation?.sent_at, "Invitation sent"],
    [invitation?.delivered_at, "Invitation delivered"],
    [invitation?.opened_at, "Invitation opened"],
    [invitation?.clicked_at, "Link followed"],
    [invitation?.failed_at, `Invitation failed: ${failureText(invitation?.failure_reason ?? null)}`],
    [invitation?.cancelled_at, "Invitation cancelled"],
    [cv?.read_at, cv?.state === "failed" ? "CV could not be read" : "CV read"],
    [detail.initiated_at, "Interview opened"],
    ...facts.attempts.flatMap(({ attempt, completed_at, started_at }) => [
      [started_at, attempt === 1 ? "Started" : `Started attempt ${attempt}`] as const,
      [completed_at, attempt === 1 ? "Submitted" : `Submitted attempt ${attempt}`] as const,
    ]),
    [detail.started_at, facts.attempt === 1 ? "Started" : `Started attempt ${facts.attempt}`],
    [detail.completed_at, facts.attempt === 1 ? "Submitted" : `Submitted attempt ${facts.attempt}`],
    [detail.declined_at, "Candidate declined"],
    ...evaluationsOf(view)
      .toReversed()
      .flatMap(({ evaluated_at, evaluation_type, override }) => [
        [evaluated_at, `${evaluationNames[evaluation_type]} evaluated`] as const,
        [override?.at, html`Score overridden by <bdi>${override?.member.name}</bdi>`] as const,
      ]),
    [
      detail.status_text === "need_interview" || detail.status_text === "initiated" ? facts.expires_at : null,
      "Last day to start",
    ],
    [detail.status_text === "started" ? facts.answer_until : null, "Time ends"],
    [
      detail.completed_at === null ? null : facts.improvement_until,
      facts.improvement_until !== null && new Date(facts.improvement_until) > view.now
        ? "Answers can be improved until"
        : "Answers are final",
    ],
  ]
  return all
    .flatMap(([at, text]) => (at == null ? [] : [{ at: new Date(at), text }]))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

const timeline = (view: SubmissionView): Html =>
  html`<section class="card" aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<ol class="timeline">${steps(view).map(
    ({ at, text }) =>
      html`<li${at > view.now ? html` class="ahead"` : null}><span>${text}</span> ${moment(at, "short")}</li>\n`,
  )}</ol></section>`

const parts = (view: SubmissionView): HtmlValue =>
  view.shown?.evaluation_type === "holistic"
    ? evaluationsOf(view)
        .filter(({ evaluation_type }) => evaluation_type !== "holistic")
        .map(
          ({ evaluation_type, evaluator }) =>
            html`<span class="part"><a href="/submissions/${view.detail.id}?evaluation=${evaluation_type}">${evaluationNames[evaluation_type]}</a> by ${evaluator ?? "no evaluator"}</span> `,
        )
    : null

const provenance = (view: SubmissionView): Html | null => {
  const { shownFacts, now, shown } = view
  if (shown === undefined) return null
  const fact = (name: string, value: HtmlValue) =>
    value === null || value === undefined ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
  const held = shown.held_until === null ? null : new Date(shown.held_until)
  const hash = shownFacts?.input_hash ?? null
  return html`<section class="card" aria-labelledby="made"><h2 id="made">Evaluation details</h2>
<dl class="made">
${fact("Evaluation", evaluationNames[shown.evaluation_type])}
${fact("Combines", parts(view))}
${fact("Evaluator", shown.evaluator)}
${fact("Model", shownFacts?.model)}
${fact("Evaluated", shown.evaluated_at === null ? null : moment(new Date(shown.evaluated_at), "short"))}
${fact("Attempt", shownFacts === undefined || shown.evaluation_type === "cv" ? null : shownFacts.attempt)}
${fact("Final from", held === null ? null : html`${moment(held, "short")}${held > now ? " (preliminary)" : null}`)}
${fact("Input hash", hash === null ? null : html`<span class="hash" title="SHA-256 of the evaluator's input">${hash}</span>`)}
</dl>
<p class="note">${shown.evaluator === null ? null : "Names, email addresses, phone numbers and links were hidden from the evaluator where they were found. "}Scores are suggestions; people decide.</p></section>`
}

const ofHiringSystem = ({ detail }: SubmissionView): Html | null => {
  const given = hiringSystemFields.flatMap(({ label, of }) => {
    const value = of(detail.candidate)
    return value === null ? [] : [html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>\n`]
  })
  return given.length === 0
    ? null
    : html`<section class="card" aria-labelledby="foreign"><h2 id="foreign">From the hiring system</h2>
<dl class="made">
${given}</dl></section>`
}

export const submissionPage = (member: Member, view: SubmissionView): Document => {
  const { detail, facts, form, notice } = view
  const name = nameOf(detail.candidate)
  const errorCount = Object.keys(form?.errors ?? {}).length
  const about = [facts.position?.trim() || null, detail.candidate.email, facts.phone].filter((one) => one !== null)
  return workspacePage(member, {
    title: `${errorCount > 0 ? "Not saved – " : ""}${name} – ${detail.interview_set.title}`,
    place: "Submissions",
    wide: true,
    main: html`<nav aria-label="Submissions"><a class="back" href="/submissions"><span aria-hidden="true">← </span>All submissions</a></nav>
<header class="lead"><p class="eyebrow" dir="auto"><a href="${setHref(detail.interview_set.id)}">${detail.interview_set.title}</a></p>
<h1 dir="auto">${name}</h1>
<p class="about"><span class="tag">${statusName(detail.status_text, detail.declined_at, detail.invitation?.status_text ?? null)}</span>${about.map(
      (one) => html` <bdi class="quiet">${one}</bdi>`,
    )}${detail.invitation === null ? null : html` <a href="${invitationHref(detail.invitation.id)}">Invitation</a>`}</p></header>
${noticeBox(notice)}
${errorSummary(Object.fromEntries(Object.entries(form?.errors ?? {}).map(([field, text]) => [`own-${field}`, text])), "Your score was not saved.")}
<div class="dossier">
<div class="findings">
${evaluationSwitch(view)}
${reading(view)}
${findings(view)}
${evaluateAgain(view)}
${overrideForm(view)}
${narrative(view)}
${answers(view)}
${cv(view)}
</div>
<div class="beside-findings">
${missing(view)}
${timeline(view)}
${ofHiringSystem(view)}
${provenance(view)}
${maySetUp(member) ? html`<p class="note"><a href="/settings/people/${detail.candidate.id}">Personal data of this candidate</a></p>` : null}
</div>
</div>`,
  })
}
