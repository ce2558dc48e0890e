/** A trial: how scores would move, whose, and why. */
import { type Member, scoresShownFor } from "../../accounts/members/Member.ts"
import { type Difference, differenceList } from "../../accounts/pages/OutdatedForm.ts"
import { countText, cut } from "../../accounts/pages/WorkspacePage.ts"
import type { Evidence } from "../../evaluations/Evaluation.ts"
import { outcomeOf } from "../../evaluations/Score.ts"
import type { InterviewSet, Requirement } from "../../interview-sets/InterviewSet.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref, trialsHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { capitalized, nameOf, scoreText } from "../../submissions/pages/SubmissionLabels.ts"
import type { SubmissionId } from "../../values/Ids.ts"
import type { Trial } from "../Trial.ts"
import { type CriterionChange, type Direction, directions, type EvaluationChange } from "../TrialEvaluation.ts"
import type { RankedOutcome, TrialFigures } from "../TrialRepository.ts"
import { stateNames, trialHref } from "./TrialFormPage.ts"

export const directionNames: Readonly<Record<Direction, string>> = {
  up: "Up",
  down: "Down",
  unchanged: "Unchanged",
  not_comparable: "Not comparable",
}

export interface TrialView {
  readonly set: InterviewSet
  readonly trial: Trial
  readonly figures: TrialFigures
  readonly differences: ReadonlyArray<Difference>
  readonly direction: Direction | undefined
  readonly criterion: string | undefined
  readonly page: number
  readonly outcomes: ReadonlyArray<RankedOutcome>
  readonly hasNext: boolean
  readonly reasons: ReadonlyMap<SubmissionId, EvaluationChange>
  /** The member sees a score only after a review. */
  readonly isHidden: boolean
  /** Id of the copy that "Adopt" makes. */
  readonly copyId: string
  readonly notice: Notice | undefined
}

const score = (value: number | null): string => (value === null ? "no score" : scoreText(value))

const movement = (before: string, after: string): Html =>
  html`<span class="movement">${before} <span aria-hidden="true">→</span><span class="unseen">, then</span> <b>${after}</b></span>`

const filterHref = (
  { set, trial }: Pick<TrialView, "set" | "trial">,
  { criterion, direction, page }: { direction?: Direction | undefined; criterion?: string | undefined; page?: number },
): string => {
  const query = new URLSearchParams({
    ...(direction === undefined ? {} : { direction }),
    ...(criterion === undefined ? {} : { requirement: criterion }),
    ...(page === undefined || page === 1 ? {} : { page: String(page) }),
  }).toString()
  return `${trialHref(set.id, trial.id)}${query === "" ? "" : `?${query}`}#candidates`
}

const countOf = (figures: TrialFigures, direction: Direction): number =>
  figures.counts.find((one) => one.direction === direction)?.count ?? 0

const counts = (view: TrialView): Html => {
  const { criterion, direction, figures, trial } = view
  const one = (name: string, count: number, filter: Direction | undefined) =>
    html`<li><a href="${filterHref(view, { direction: filter, criterion })}"${direction === filter ? html` aria-current="true"` : null}><b>${count}</b> <span>${name}</span></a></li>\n`
  return html`<ul class="trial-counts">${one("All", trial.evaluated, undefined)}${directions.map((each) => one(directionNames[each], countOf(figures, each), each))}</ul>`
}

const titleOf = (requirement: Requirement | undefined): string =>
  cut(requirement?.title?.trim() || requirement?.content?.trim() || "Requirement without a title", 120)

/** Also those of the set that the trial removed. */
const requirementsOf = ({ set, trial }: TrialView): ReadonlyMap<string, Requirement> =>
  new Map([...set.iai_requirements, ...trial.requirements].map((one) => [one.id, one]))

const requirementTable = (view: TrialView): Html | null => {
  const known = requirementsOf(view)
  const { criteria } = view.figures
  if (criteria.length === 0) return null
  const order = [...known.keys()]
  const sorted = criteria.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
  return html`<section class="impact" aria-labelledby="by-requirement"><h2 id="by-requirement">By requirement</h2>
<table class="ratios"><thead><tr><th scope="col">Requirement</th><th scope="col">Rated higher</th><th scope="col">Rated lower</th><th scope="col">Met only now</th><th scope="col">No longer met</th></tr></thead>
<tbody>${sorted.map(
    (one) =>
      html`<tr><th scope="row"><a href="${filterHref(view, { direction: view.direction, criterion: one.id })}"${view.criterion === one.id ? html` aria-current="true"` : null}><bdi>${titleOf(known.get(one.id))}</bdi></a></th>
<td data-name="Rated higher">${one.up}</td><td data-name="Rated lower">${one.down}</td><td data-name="Met only now">${one.won}</td><td data-name="No longer met">${one.lost}</td></tr>\n`,
  )}</tbody></table></section>`
}

const quotes = (label: string, evidence: ReadonlyArray<Evidence>): Html | null =>
  evidence.length === 0
    ? null
    : html`<p class="quiet">${label}</p>${evidence.map(({ quote, source }) => html`<blockquote dir="auto">${cut(quote, 300)}${source === "cv" ? html` <span class="quiet" dir="ltr">(CV)</span>` : null}</blockquote>\n`)}`

const importanceText = ({ weight_after, weight_before }: CriterionChange): string | null => {
  if (weight_before === null) return "New requirement"
  if (weight_after === null) return "Removed requirement"
  return weight_before === weight_after ? null : `Counts ${weight_after}× instead of ${weight_before}×`
}

const sideOf = (value: number | null, weight: number | null): string =>
  weight === null ? "–" : value === null ? "not rated" : `${scoreText(value)} (${outcomeOf(value)})`

const criterionLine = (one: CriterionChange): Html => {
  const importance = importanceText(one)
  const isSame = one.before === one.after && one.weight_before !== null && one.weight_after !== null
  return html`<li><p><b dir="auto">${cut(one.title, 120)}</b>: ${isSame ? sideOf(one.after, one.weight_after) : movement(sideOf(one.before, one.weight_before), sideOf(one.after, one.weight_after))}${importance === null ? null : html` <span class="quiet">${importance}</span>`}</p>
${quotes("Found now:", one.found)}${quotes("No longer counted:", one.lost)}</li>\n`
}

const storedLines = (view: TrialView, { criteria }: RankedOutcome): Html => {
  const known = requirementsOf(view)
  return html`<ul>${criteria.map(
    ({ after, before, id }) =>
      html`<li><b dir="auto">${titleOf(known.get(id))}</b>: ${movement(sideOf(before ?? null, before === undefined ? null : 1), sideOf(after ?? null, after === undefined ? null : 1))}</li>\n`,
  )}</ul>`
}

const why = (view: TrialView, outcome: RankedOutcome): Html | string => {
  const { reason, submission_id } = outcome
  const change = view.reasons.get(submission_id)
  const details =
    change === undefined
      ? outcome.criteria.length === 0
        ? null
        : storedLines(view, outcome)
      : change.criteria.length === 0
        ? null
        : html`<ul>${change.criteria.map(criterionLine)}</ul>`
  if (details === null) return reason ?? "–"
  const name = nameOf(outcome.candidate)
  return html`${reason === null ? null : html`<p>${reason}</p>`}<details id="why-${submission_id}"><summary>Why<span class="unseen">: ${name}</span></summary><div class="trial-why">${details}</div></details>`
}

const place = (rank: number | null): string => (rank === null ? "–" : String(rank))

const row = (view: TrialView, outcome: RankedOutcome): Html => {
  const { after, before, candidate, has_override, met_after, met_before, submission_id } = outcome
  const name = cut(nameOf(candidate), 60)
  return html`<tr><th scope="row"><a href="/submissions/${submission_id}"><bdi>${name}</bdi></a></th>
<td data-name="Score">${score(before) === score(after) ? score(before) : movement(score(before), score(after))}${has_override ? html` <span class="quiet">A member’s score is shown</span>` : null}</td>
<td data-name="Place">${outcome.rank_before === outcome.rank_after ? place(outcome.rank_before) : movement(place(outcome.rank_before), place(outcome.rank_after))}</td>
<td data-name="Met">${met_before === met_after ? String(met_before) : movement(String(met_before), String(met_after))}</td>
<td class="reasons" data-name="Why">${why(view, outcome)}</td></tr>\n`
}

const pages = (view: TrialView): Html | null => {
  const { criterion, direction, hasNext, page } = view
  if (page === 1 && !hasNext) return null
  const to = (number: number) => filterHref(view, { direction, criterion, page: number })
  return html`<nav class="pager" aria-label="Pages">${page === 1 ? null : html`<a class="button secondary" href="${to(page - 1)}">Previous page</a>`}${hasNext ? html` <a class="button secondary" href="${to(page + 1)}">Next page</a>` : null}</nav>`
}

const hiddenNote = ({ set, trial }: TrialView): Html =>
  html`<form method="post" action="/account/show-scores" class="info"><input type="hidden" name="back" value="${trialHref(set.id, trial.id)}">
<p>Scores are hidden until you send a review, so only candidates whom you have reviewed are listed.</p>
<p class="actions"><button class="secondary" title="For ${scoresShownFor} hours; the audit log records it">Show scores</button></p></form>`

const candidates = (view: TrialView): Html => {
  const { criterion, isHidden, outcomes, trial } = view
  if (trial.state === "running")
    return html`<p class="note" id="candidates">The candidates are listed when the trial has ended.</p>`
  const chosen = criterion === undefined ? undefined : requirementsOf(view).get(criterion)
  return html`<section class="impact" aria-labelledby="candidates"><h2 id="candidates">Candidates</h2>
${isHidden ? hiddenNote(view) : null}
${chosen === undefined ? null : html`<p class="note">Only those whose rating of <bdi>${titleOf(chosen)}</bdi> differs. <a href="${filterHref(view, { direction: view.direction })}">Show all</a></p>`}
${
  outcomes.length === 0
    ? html`<p class="empty">No candidate here.</p>`
    : html`<table class="ratios"><thead><tr><th scope="col">Candidate</th><th scope="col">Score</th><th scope="col">Place</th><th scope="col">Requirements met</th><th scope="col">Why</th></tr></thead>
<tbody>${outcomes.map((one) => row(view, one))}</tbody></table>`
}
${pages(view)}</section>`
}

const remarks = ({ figures, set, trial }: TrialView): Html => {
  const all = [
    trial.sample === null ? "" : `A sample of ${countText(trial.submissions, "candidate", "candidates")}.`,
    figures.other_evaluators === 0
      ? ""
      : `${countText(figures.other_evaluators, "candidate was", "candidates were")} evaluated by another evaluator or another version before: a part of their change comes from that.`,
    figures.overridden === 0
      ? ""
      : `${countText(figures.overridden, "candidate has", "candidates have")} a member’s score, which stays. Compared are the evaluator’s scores.`,
  ].filter((text) => text !== "")
  return html`${all.map((text) => html`<p class="note">${text}</p>\n`)}<p class="note">Stored scores stay as they are. The requirements of <a href="${setHref(set.id)}">this set</a> stay, too: candidates have started, and all are rated alike.</p>`
}

const actions = ({ copyId, set, trial }: TrialView): Html => {
  const href = trialHref(set.id, trial.id)
  const again = html`<a class="button secondary" href="${trialsHref(set.id)}?from=${trial.id}">Change again</a>`
  const remove = html`<form method="post" action="${href}/delete" class="inline"><button class="secondary">Delete the trial</button></form>`
  if (trial.state === "running")
    return html`<div class="actions"><form method="post" action="${href}/cancel" class="inline"><button class="secondary">Cancel the trial</button></form></div>`
  const adopt =
    trial.adopted_set !== null
      ? html`<p class="info">These requirements were adopted: <a href="${setHref(trial.adopted_set)}">open the set</a>.</p>`
      : trial.state !== "done"
        ? null
        : html`<form method="post" action="${href}/adopt" class="adopt"><input type="hidden" name="id" value="${copyId}">
<p class="note">Adopting makes a copy of this set with these requirements, for the candidates that you invite to it. The audit log of the copy records how many scores would have moved, without names. Only you, owners and admins can see the copy until you add recruiters. Candidates' notices of this set alone also hold for the copy.</p>
<button class="primary">Adopt in a copy of the set</button></form>`
  return html`${adopt}<div class="actions">${again} <a class="button secondary" href="${href}/csv">Download as CSV</a> ${remove}</div>`
}

const progress = ({ trial }: TrialView): Html | null => {
  const { evaluated, state, submissions } = trial
  if (state === "done") return null
  if (state !== "running")
    return html`<p class="alert warm">The trial ${state === "cancelled" ? "was cancelled" : "ended early, because the evaluator did not answer"}: ${evaluated} of ${submissions} candidates were evaluated.</p>`
  return html`<p role="status">Evaluated ${evaluated} of ${countText(submissions, "candidate", "candidates")}.</p>
<progress max="${Math.max(submissions, evaluated, 1)}" value="${evaluated}" aria-label="Evaluated candidates"></progress>
<noscript><p class="note"><a href="">Load the page again</a> to see the progress.</p></noscript>`
}

export const trialPage = (member: Member, view: TrialView): Document => {
  const { differences, notice, set, trial } = view
  return recordPage(member, {
    title: "What would change?",
    place: "Interview sets",
    width: "full",
    back: { href: trialsHref(set.id), name: "What would change?" },
    notice,
    main: html`<div id="trial"${trial.state === "running" ? html` data-refresh` : null}>
<header class="lead"><h1>What would change?</h1>
<p class="welcome"><bdi>${set.title?.trim() || "Set without a title"}</bdi> <span class="quiet">· ${capitalized(stateNames[trial.state])}, ${moment(trial.created_at, "short")}</span></p></header>
${progress(view)}
${counts(view)}
<details open id="tried"><summary>What was tried</summary>${differences.length === 0 ? html`<p class="note">Nothing differs from the set.</p>` : differenceList(differences, ["Now", "Tried"])}</details>
${actions(view)}
<div class="trial-remarks">${remarks(view)}</div>
${requirementTable(view)}
${candidates(view)}</div>`,
  })
}

export const trialHeader: ReadonlyArray<string> = [
  "Submission",
  "Candidate",
  "Direction",
  "Score before",
  "Score after",
  "Place before",
  "Place after",
  "Met before",
  "Met after",
  "Reason",
]
