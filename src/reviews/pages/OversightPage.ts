/** Settings → Organization → Oversight: how decisions and scores agree. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { oversight } from "../OversightLimits.ts"
import type { SetOversight } from "../OversightRepository.ts"

export const oversightHref = "/settings/oversight"

/** A share of fewer than `oversight.least` is not shown: it would be about one member or one candidate. */
const share = (part: number, of: number): Html | string =>
  of < oversight.least ? html`<span class="quiet">too few</span>` : `${Math.round((part / of) * 100)} %`

const row = (
  set: SetOversight,
): Html => html`<tr><th scope="row"><a href="/interview-sets/${set.id}"><bdi>${cut(set.title?.trim() || "Set without a title", 80)}</bdi></a></th>
<td data-label="Decisions">${set.decisions}</td>
<td data-label="Without the answers">${share(set.unread, set.decisions)}</td>
<td data-label="As the score says, with the answers">${share(set.agreeing - set.unreadAgreeing, set.scored - set.unreadScored)}</td>
<td data-label="As the score says, without them">${share(set.unreadAgreeing, set.unreadScored)}</td></tr>
`

const sum = (sets: ReadonlyArray<SetOversight>, of: (set: SetOversight) => number): number =>
  sets.reduce((total, set) => total + of(set), 0)

const summary = (sets: ReadonlyArray<SetOversight>): Html => {
  const decisions = sum(sets, (set) => set.decisions)
  const unread = sum(sets, (set) => set.unread)
  const [scored, agreeing] = [sum(sets, (set) => set.unreadScored), sum(sets, (set) => set.unreadAgreeing)]
  return html`<p><strong>${countText(decisions, "decision", "decisions")}</strong> in the last ${oversight.days} days, ${share(unread, decisions)} of them without the answers${scored < oversight.least ? "" : html`; of these, ${share(agreeing, scored)} were as the score says`}.</p>`
}

export const oversightPage = (member: Member, sets: ReadonlyArray<SetOversight>): Document =>
  settingsPage(member, {
    title: "Oversight",
    section: "Oversight",
    width: "full",
    main: html`<header class="lead"><h1>Oversight</h1>
<p class="welcome">Whether people decide, or follow the score. Candidates who were advanced or rejected in the last ${oversight.days} days, by interview set and never by member.</p></header>
${
  sets.length === 0
    ? html`<p class="empty">No candidate was advanced or rejected in the last ${oversight.days} days.</p>`
    : html`${summary(sets)}
<table class="figure-table"><thead><tr><th scope="col">Interview set</th><th scope="col">Decisions</th><th scope="col">Without the answers</th><th scope="col">As the score says, with the answers</th><th scope="col">As the score says, without them</th></tr></thead>
<tbody>${sets.map(row)}</tbody></table>
${sets.length < oversight.sets ? null : html`<p class="note">Only ${oversight.sets} sets are shown, those with most decisions without the answers.</p>`}`
}
<section class="of-record" aria-labelledby="meaning"><h2 id="meaning">What the columns mean</h2>
<p class="note">Without the answers: decided in the list, on the board or for many at once, by a member who had not sent a review of the candidate. A member who
has read the answers there before is counted, too: nothing is stored about who opens which page.</p>
<p class="note">Shares of fewer than ${oversight.least} decisions are not shown.</p>
<p class="note">As the score says: advanced at or above the median of the set's scores, or rejected below it. High shares without the answers, above those with them,
mean that the score decides: ask for reviews, or hide scores until a review is sent under <a href="/settings/organization">General</a>.</p></section>`,
  })
