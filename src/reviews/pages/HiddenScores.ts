/** Says that scores are hidden, and shows them. */
import { scoresShownFor } from "../../accounts/members/Member.ts"
import { type Html, html } from "../../platform/http/Html.ts"

/** `back`: the path of the page. */
export const hiddenScores = (back: string): Html =>
  html`<form method="post" action="/account/show-scores" class="info hidden-scores"><p><strong>Scores are hidden</strong> for candidates whom you have not reviewed, so that they do not sway your review. Send your review to see the score.</p>
<input type="hidden" name="back" value="${back}"><button class="secondary" title="For ${scoresShownFor} hours; the audit log records it">Show scores</button></form>`
