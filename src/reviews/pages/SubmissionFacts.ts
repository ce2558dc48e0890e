/** How a submission came to be: what is missing, what happened when, and how its evaluation was made. */
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { evaluationNames, failureText, isUnreached } from "../../submissions/pages/SubmissionLabels.ts"
import { evaluationsOf, type SubmissionView, waitingCv } from "./SubmissionView.ts"

/** What a reader would look for and not find, in sentences. */
const gaps = ({ detail, facts, shown }: SubmissionView): ReadonlyArray<HtmlValue> => {
  const found: Array<HtmlValue> = []
  if (facts.cv === null) found.push("No CV was sent.")
  else if (facts.cv.state === "queued") found.push(waitingCv(facts.cv))
  else if (facts.cv.state === "failed") {
    found.push(facts.cv.error === null ? "The CV could not be read." : html`<bdi>${facts.cv.error}</bdi>`)
  } else if (!facts.cv.text?.trim()) found.push("The CV holds no text.")
  const { status_text } = detail
  if (facts.flow === "cv") found.push("There is no interview: only the CV is evaluated.")
  else if (detail.declined_at !== null) found.push("There is no interview: the candidate declined.")
  else if (status_text === "expired") found.push("There is no interview: nobody started it in time.")
  else if (status_text === "withdrawn") found.push("There is no interview: the invitation was cancelled.")
  else if (detail.invitation !== null && isUnreached(status_text, detail.invitation.status_text)) {
    const why = failureText(facts.invitation?.failure_reason ?? null)
    found.push(
      html`The candidate was not reached${why === "" ? "" : `: ${why}`}. <a href="/invitations/${detail.invitation.id}">See the invitation</a>`,
    )
  } else if (status_text !== "completed" && status_text !== "evaluated") {
    found.push(
      status_text === "started" && facts.attempt > 1
        ? "The candidate is answering again; what is being written is not shown."
        : "The interview was not submitted yet.",
    )
  }
  if (shown !== undefined && facts.queued.length > 0) {
    found.push("It is being evaluated again: load the page again to see the result.")
  }
  const unrated = shown?.criteria.filter(({ score }) => score === null).length ?? 0
  if (shown?.score_status === "scored" && unrated > 0) {
    found.push(`${unrated} of ${shown.criteria.length} requirements could not be rated, and do not count.`)
  }
  return found
}

/** What is missing. */
export const missing = (view: SubmissionView): Html | null => {
  const found = gaps(view)
  if (found.length === 0) return null
  return html`<section class="card" aria-labelledby="missing"><h2 id="missing">What is missing</h2>
<ul class="plain">${found.map((one) => html`<li>${one}</li>`)}</ul></section>`
}

interface Step {
  readonly at: Date
  readonly text: HtmlValue
}

/** Of who was erased there is no address. */
const invitedText = (email: string): HtmlValue => (email === "" ? "Invited" : html`Invited as <bdi>${email}</bdi>`)

const steps = (view: SubmissionView): ReadonlyArray<Step> => {
  const { detail, facts } = view
  const { cv, invitation } = facts
  const all: ReadonlyArray<readonly [string | null | undefined, HtmlValue]> = [
    [facts.created_at, invitation === null ? "Taken in" : invitedText(invitation.email)],
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
        [override?.at, html`Own score of <bdi>${override?.member.name}</bdi>`] as const,
      ]),
    [
      detail.status_text === "need_interview" || detail.status_text === "initiated" ? facts.expires_at : null,
      "Last day to start",
    ],
    [detail.status_text === "started" ? facts.answer_until : null, "Time is over"],
    [
      detail.completed_at === null ? null : facts.improvement_until,
      facts.improvement_until !== null && new Date(facts.improvement_until) > view.now
        ? "Answers can be improved until then"
        : "Answers are final",
    ],
  ]
  return all
    .flatMap(([at, text]) => (at == null ? [] : [{ at: new Date(at), text }]))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** What happened when, and what is to come. */
export const timeline = (view: SubmissionView): Html =>
  html`<section class="card" aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<ol class="timeline">${steps(view).map(
    ({ at, text }) =>
      html`<li${at > view.now ? html` class="ahead"` : null}><span>${text}</span> ${moment(at, "short")}</li>\n`,
  )}</ol></section>`

/** Of an evaluation that combines others: those, each with who rated. */
const parts = (view: SubmissionView): HtmlValue =>
  view.shown?.evaluation_type === "holistic"
    ? evaluationsOf(view)
        .filter(({ evaluation_type }) => evaluation_type !== "holistic")
        .map(
          ({ evaluation_type, evaluator }) =>
            html`<span class="part"><a href="/submissions/${view.detail.id}?evaluation=${evaluation_type}">${evaluationNames[evaluation_type]}</a> by ${evaluator ?? "nobody"}</span> `,
        )
    : null

/** How the evaluation that is shown was made. */
export const provenance = (view: SubmissionView): Html | null => {
  const { shownFacts, now, shown } = view
  if (shown === undefined) return null
  const fact = (name: string, value: HtmlValue) =>
    value === null || value === undefined ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
  const held = shown.held_until === null ? null : new Date(shown.held_until)
  const hash = shownFacts?.input_hash ?? null
  return html`<section class="card" aria-labelledby="made"><h2 id="made">How it was made</h2>
<dl class="made">
${fact("Evaluation", evaluationNames[shown.evaluation_type])}
${fact("Combines", parts(view))}
${fact("Evaluator", shown.evaluator)}
${fact("Model", shownFacts?.model)}
${fact("When", shown.evaluated_at === null ? null : moment(new Date(shown.evaluated_at), "short"))}
${fact("Attempt", shownFacts === undefined || shown.evaluation_type === "cv" ? null : shownFacts.attempt)}
${fact("Final from", held === null ? null : html`${moment(held, "short")}${held > now ? " (preliminary)" : null}`)}
${fact("Fingerprint of the input", hash === null ? null : html`<span class="hash" title="SHA-256 of what the evaluator was given">${hash}</span>`)}
</dl>
<p class="note">${shown.evaluator === null ? null : "Name, e-mail addresses, phone numbers and links were covered where they were found, before an evaluator read the text. "}Software suggests; people decide.</p></section>`
}
