/** What the candidate sent about the result: corrections and remarks. */
import { type Html, html } from "../../platform/http/Html.ts"
import { moment, written } from "../../platform/http/PageParts.ts"
import type { SubmissionView } from "./SubmissionView.ts"

const kindNames = { correction: "A fact is wrong", remark: "Addition" } as const

/** Null: the candidate sent nothing. */
export const remarkSection = ({ facts: { remarks } }: SubmissionView): Html | null =>
  remarks.length === 0
    ? null
    : html`<section class="card from-candidate" aria-labelledby="remarks"><h2 id="remarks">From the candidate</h2>
<p class="note">Sent after the result. It is not evaluated.</p>
${remarks.map(
  ({ kind, sent_at, text }) =>
    html`<h3>${kindNames[kind]} <span class="quiet">${moment(new Date(sent_at), "short")}</span></h3>
<blockquote dir="auto">${written(text)}</blockquote>\n`,
)}</section>`
