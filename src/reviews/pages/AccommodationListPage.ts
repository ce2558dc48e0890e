/** What candidates need to take part, and the forms that answer it. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut, sinceText } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import {
  type AccommodationNeed,
  accommodationNeeds,
  grantedFactors,
  maxAccommodationText,
  usualFactor,
} from "../../interviews/Accommodation.ts"
import type { WaitingAccommodations } from "../../interviews/Accommodations.ts"
import type { Document } from "../../platform/http/Document.ts"
import { choice, type Notice, optional, select } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { nameOf } from "../../submissions/pages/SubmissionLabels.ts"
import { submissionHref } from "./SubmissionView.ts"

export const accommodationsHref = "/accommodations"
export const answerHref = `${accommodationsHref}/answer`

const needNames: Readonly<Record<AccommodationNeed, string>> = {
  time: "more time",
  typing: "typing instead of speaking",
  other: "another way to take part",
}

type Row = WaitingAccommodations[number]

/** What was typed into a form that was refused. */
export interface RefusedAnswer {
  readonly id: string
  readonly text: string
  readonly granted: ReadonlyArray<AccommodationNeed>
}

/** Only what was asked for, or all where only a text says it; more time needs a limit. */
const offered = ({ minutes, needs }: Row): ReadonlyArray<AccommodationNeed> =>
  accommodationNeeds.filter(
    (need) => (needs.length === 0 || needs.includes(need)) && (need !== "time" || minutes !== null),
  )

const item = (one: Row, now: Date, refused: RefusedAnswer | undefined): Html => {
  const { asked_at, candidate, id, minutes, needs, set_title, status_text, submission_id, text } = one
  const chosen = refused?.granted ?? needs
  const isRunning = status_text === "started"
  const asks = needs.length === 0 ? "Asks" : `Asks for ${needs.map((need) => needNames[need]).join(", ")}`
  return html`<li class="card"><h2 dir="auto"><a href="${submissionHref(submission_id)}">${cut(nameOf(candidate), 80)}</a></h2>
<p class="note"><bdi>${cut(set_title, 100)}</bdi> · asked ${sinceText(new Date(asked_at), now)}${isRunning ? html` · <span class="tag to-review">The interview is running</span>` : null}</p>
<p>${asks}${text === "" ? "." : ":"}</p>
${text === "" ? null : html`<blockquote dir="auto">${text.split("\n").map((line) => html`${line}<br>`)}</blockquote>`}
<form method="post" action="${answerHref}" class="fields"><input type="hidden" name="request" value="${id}">
<fieldset class="picks"><legend>Grant</legend>
${offered(one).map((need) => choice({ name: "need", value: need, isChosen: chosen.includes(need), type: "checkbox" }, need === "time" ? `More time (now ${minutes} minutes)` : capitalised(needNames[need])))}</fieldset>
${
  minutes === null
    ? null
    : html`<div class="control">${select({
        name: "factor",
        label: "How much time, if you grant more",
        value: String(usualFactor),
        options: grantedFactors.map((factor) => [String(factor), `${factor} times`] as const),
      })}</div>`
}
<div class="control"><label for="a-${id}">Sentence to the candidate${optional}</label>
<textarea id="a-${id}" name="text" rows="2" maxlength="${maxAccommodationText}" dir="auto">${refused?.text ?? ""}</textarea></div>
<p class="actions"><button class="primary" name="do" value="grant">Grant</button> <button class="secondary" name="do" value="decline">Decline</button></p>
</form></li>
`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const accommodationListPage = (
  member: Member,
  rows: WaitingAccommodations,
  now: Date,
  { notice, refused }: { readonly notice: Notice | undefined; readonly refused?: RefusedAnswer | undefined },
): Document =>
  recordPage(member, {
    title: "What candidates need",
    place: "Home",
    back: { href: "/home", name: "Home" },
    notice,
    main: html`<header class="lead"><h1>What candidates need</h1><p class="welcome">${
      rows.length === 0
        ? "Candidates can ask for more time, typing or another way to take part. What they ask for is listed here."
        : "Each answer is sent by email. What candidates write here is not evaluated, and reviewers do not see it."
    }</p></header>
${rows.length === 0 ? null : html`<ul class="plain-list requests">${rows.map((one) => item(one, now, refused?.id === one.id ? refused : undefined))}</ul>`}`,
  })
