/** What the service sends: each webhook with its payload. */

import { type Html, html } from "../../platform/http/Html.ts"
import type { Document } from "../document/Document.ts"
import { fields } from "./Fields.ts"
import { lookupIn } from "./Lookup.ts"
import { inline, markdown } from "./Markdown.ts"
import { parameters } from "./Operations.ts"
import { anchor, examples } from "./Parts.ts"

export const webhooks = (document: Document): Html => {
  const lookup = lookupIn(document)
  const all = Object.entries(document.webhooks).flatMap(([name, { post }]) =>
    post === undefined ? [] : [{ name, operation: post }],
  )
  const [first] = all
  return html`<section aria-labelledby="payloads"><h2 id="payloads"><a href="#payloads">Webhook payloads</a></h2>
<p class="intro">What your URL receives. <a href="#webhooks">Webhooks</a> tells how to subscribe, answer and verify.</p>
${
  first === undefined
    ? null
    : html`<article class="operation"><div class="words"><h3 id="delivery-headers">Headers of every delivery</h3>
${parameters({ lookup, isRequest: true }, first.operation)}
<h3>Your answer</h3>
<ul class="answers">${Object.entries(first.operation.responses).map(
        ([status, response]) =>
          html`<li><p><span class="status${status.startsWith("2") ? " good" : ""}">${status === "default" ? "other" : status}</span> ${inline(lookup.response(response).description)}</p></li>`,
      )}</ul></div></article>`
}
${all.map(({ name, operation: { description, requestBody, summary } }) => {
  const [media] = Object.values(requestBody?.content ?? {})
  return html`<article class="operation" id="${anchor(name)}"><div class="words">
<h3><a href="#${anchor(name)}">${name}</a></h3>
<p><strong>${summary}.</strong></p>
${markdown(description)}
<h4>Fields</h4>
${media === undefined ? null : fields({ lookup, isRequest: false }, media.schema)}
</div>
<div class="samples">${examples("Payload", media?.examples ?? {})}</div></article>\n`
})}</section>`
}
