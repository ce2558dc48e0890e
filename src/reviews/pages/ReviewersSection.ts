/** The members who are asked to review a submission, on its page. */
import type { Html } from "../../platform/http/Html.ts"
import { html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { AssignableMember, AssignedMember } from "../AssignmentRepository.ts"
import { foldedPart } from "./FoldedPart.ts"
import { formHref, type SubmissionView } from "./SubmissionView.ts"

/** Colleagues of a choice, which limits the size of the page. */
export const maxColleagues = 200

/** Reviewers see nothing else, so they come first under their own heading. */
export const colleagueOptions = (all: ReadonlyArray<AssignableMember>): Html => {
  const group = (name: string, isOfReviewers: boolean) => {
    const members = all.slice(0, maxColleagues).filter(({ role }) => (role === "reviewer") === isOfReviewers)
    return members.length === 0
      ? null
      : html`<optgroup label="${name}">${members.map(({ email, id, name: own }) => html`<option value="${id}">${own}${own === email ? null : ` – ${email}`}</option>`)}</optgroup>`
  }
  return html`${group("Reviewers", true)}${group("Recruiters, admins and owners", false)}`
}

const asked = (view: SubmissionView, { id, name, reviewed_at }: AssignedMember): Html =>
  html`<li><span><bdi>${name}</bdi> <span class="note">${reviewed_at === null ? "not reviewed yet" : html`reviewed ${moment(new Date(reviewed_at), "short")}`}</span></span>
<form method="post" action="${formHref(view, "reviewers/remove")}"><input type="hidden" name="member" value="${id}"><button class="link">Remove<span class="unseen"> ${name}</span></button></form></li>\n`

/** Null for readers who may not ask for reviews. */
export const reviewersSection = (view: SubmissionView): Html | null => {
  const { facts, reviewers } = view
  if (reviewers === undefined || (facts.is_erased && reviewers.asked.length === 0)) return null
  const { asked: all, others } = reviewers
  const reviewed = all.filter(({ reviewed_at }) => reviewed_at !== null).length
  return foldedPart(
    {
      id: "reviewers",
      title: "Reviewers",
      note: all.length === 0 ? "no reviewers" : `${reviewed} of ${all.length} reviewed`,
      isOpen: view.opened === "reviewers",
      className: "reviewers",
    },
    html`${all.length === 0 ? html`<p class="note">No colleague is asked to review this candidate.</p>` : html`<ul class="plain">${all.map((one) => asked(view, one))}</ul>`}
${
  facts.is_erased || others.length === 0
    ? null
    : html`<form method="post" action="${formHref(view, "reviewers")}" class="ask"><label for="reviewer" class="unseen">Colleague</label>
<select id="reviewer" name="member" required autocomplete="off"><option value="">Choose a colleague</option>${colleagueOptions(others)}</select>
<button class="secondary">Ask for a review</button></form>`
}`,
  )
}
