/** The page of the sample webhook receiver: the received requests. */
import type { Schema } from "effect"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { moment, tools } from "../../platform/http/PageParts.ts"

/** One request. `reason`: why the signature is invalid; null if verified. */
export interface Received {
  readonly number: number
  readonly receivedAt: Date
  readonly eventType: string
  readonly status: string | null
  /** The address. */
  readonly candidate: string | null
  readonly reason: string | null
  /** Null when the body is not JSON. */
  readonly json: Schema.Json | null
  readonly text: string
}

export const receiverPage = (received: ReadonlyArray<Received>): Document => ({
  title: "Webhook receiver",
  masthead: tools,
  scripts: ["time.js", "devLists.js"],
  main: html`<header class="lead"><h1>Webhook receiver</h1>
<p class="welcome">A sample receiver: it verifies the signature of every webhook and answers 204 or 401.
It keeps the newest 200 requests in memory.</p></header>
<ul class="rows" data-live>
${received.map(
  (one) => html`<li id="received-${one.number}"><details>
<summary class="row"><span class="row-head"><span class="row-name">${one.eventType}${one.status === null ? null : html` <span class="tag">${one.status}</span>`}</span>${moment(one.receivedAt, "second")}</span>
<span class="row-text">${
    one.reason === null
      ? html`<span class="verified">Signature verified</span>${one.candidate === null ? null : html` · <bdi>${one.candidate}</bdi>`}`
      : html`<span class="refused">Signature not valid: ${one.reason}</span>`
  }</span></summary>
<pre tabindex="0" aria-label="Body">${one.text}</pre></details></li>`,
)}
</ul>
<p class="empty">Nothing received yet. Events appear here as they arrive.</p>`,
})
