/** The page's contents: the guide's sections, every operation, every webhook. */

import { type Html, html } from "../../platform/http/Html.ts"
import type { Document } from "../document/Document.ts"
import { sections, slug } from "./Markdown.ts"
import { operationsOf } from "./Operations.ts"
import { anchor } from "./Parts.ts"

interface Entry {
  readonly id: string
  readonly text: string
}

const group = (title: Entry, entries: ReadonlyArray<Entry>): Html =>
  html`<li><a href="#${title.id}">${title.text}</a><ul>${entries.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></li>\n`

export const navigation = (document: Document): Html => html`<ul>
${group(
  { id: "guide", text: "Guide" },
  sections(document.info.description).map((text) => ({ id: slug(text), text })),
)}
${document.tags.map((tag) => {
  const all = operationsOf(document, tag)
  const entries = all.map(({ operation: { operationId, summary } }) => ({ id: anchor(operationId), text: summary }))
  return entries.length === 0 ? null : group({ id: `tag-${slug(tag.name)}`, text: tag.name }, entries)
})}
${group(
  { id: "payloads", text: "Webhook payloads" },
  Object.keys(document.webhooks).map((name) => ({ id: anchor(name), text: name })),
)}
${group({ id: "problems", text: "Problems" }, [{ id: "headers", text: "Headers of answers" }])}
</ul>`
