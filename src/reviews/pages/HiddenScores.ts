/** Says that scores are hidden, and shows them. */
import { scoresShownFor } from "../../accounts/members/Member.ts"
import { type Html, html } from "../../platform/http/Html.ts"

const showScores = (back: string, name: string): Html =>
  html`<input type="hidden" name="back" value="${back}"><button class="${name}" title="For ${scoresShownFor} hours; the audit log records it">Show scores</button>`

/** In one line. `back`: the path of the page. */
export const hiddenScoresLine = (back: string): Html =>
  html`<form method="post" action="/account/show-scores" class="scores-line"><p>Scores hidden until you review</p>${showScores(back, "link")}</form>`

/** `back`: the path of the page. */
export const hiddenScores = (back: string): Html =>
  html`<form method="post" action="/account/show-scores" class="hidden-scores"><p class="note">Hidden until you send your review, so that it does not sway you.</p>
${showScores(back, "link")}</form>`
