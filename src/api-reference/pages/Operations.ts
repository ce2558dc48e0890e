/** The operations of the API, by tag. */

import { type Html, html } from "../../platform/http/Html.ts"
import type { Document, Operation, Reference, Response, Tag } from "../document/Document.ts"
import { curl } from "./Curl.ts"
import { type FieldsOptions, field, fields } from "./Fields.ts"
import { lookupIn } from "./Lookup.ts"
import { inline, markdown, slug } from "./Markdown.ts"
import { anchor, examples, headerAnchor, route, sample } from "./Parts.ts"

/** An operation with where it is asked. */
export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The operations of a tag, in the document's order. */
export const operationsOf = ({ paths }: Document, tag: Tag): ReadonlyArray<Placed> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation.tags.includes(tag.name) ? [{ method, path, operation }] : [],
    ),
  )

const places: Readonly<Record<string, string>> = { path: "in the path", query: "in the query", header: "header" }

/** Parameters of an operation, or headers of a delivery. */
export const parameters = (options: FieldsOptions, operation: Operation): Html | null => {
  const all = operation.parameters.map(options.lookup.parameter)
  if (all.length === 0) return null
  return html`<ul class="fields">${all.map(({ description, in: place, name, required, schema }) =>
    field(options, name, schema, { description, note: `${places[place] ?? place}${required ? ", required" : ""}` }),
  )}</ul>`
}

const headerList = (headers: Response["headers"]): Html | null => {
  const all = Object.entries(headers ?? {})
  return all.length === 0
    ? null
    : html`<p class="limits">Headers: ${all.map(
        ([name], i) => html`${i === 0 ? "" : ", "}<a href="#${headerAnchor(name)}"><code>${name}</code></a>`,
      )}</p>`
}

/** An answer, folded: what it means, its headers, and its fields or an example. */
const answer = (options: FieldsOptions, status: string, given: Response | Reference): Html => {
  const { content = {}, description, headers } = options.lookup.response(given)
  const [media] = Object.values(content)
  const isSuccess = status.startsWith("2")
  return html`<li><details><summary><span class="status${isSuccess ? " good" : ""}">${status}</span> <span>${inline(description)}</span></summary>
${media === undefined ? null : isSuccess ? html`${headerList(headers)}${fields({ ...options, isRequest: false }, media.schema)}` : examples("Problem", media.examples ?? {})}</details></li>\n`
}

const operationArticle = (document: Document, options: FieldsOptions, { method, operation, path }: Placed): Html => {
  const { description, operationId, requestBody, responses, summary } = operation
  const id = anchor(operationId)
  const [body] = Object.values(requestBody?.content ?? {})
  const [server] = document.servers ?? []
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"))
  return html`<article class="operation" id="${id}">
<div class="words">
<h3><a href="#${id}">${summary}</a></h3>
${route(method, path)}
${markdown(description)}
${body === undefined ? null : html`<h4>Body</h4>\n${fields(options, body.schema)}`}
<h4>Parameters</h4>
${parameters(options, operation)}
<h4>Answers</h4>
<ul class="answers">${Object.entries(responses).map(([status, response]) => answer(options, status, response))}</ul>
</div>
<div class="samples">
${sample("Request", curl(server?.url ?? "", method, path, operation))}
${Object.values(body?.examples ?? {}).length < 2 ? null : moreRequests(body?.examples ?? {})}
${successes.map(([status, response]) => {
  const [media] = Object.values(options.lookup.response(response).content ?? {})
  return examples(`Answer ${status}`, media?.examples ?? {})
})}
</div>
</article>\n`
}

/** Requests that the curl line does not show. */
const moreRequests = (all: Parameters<typeof examples>[1]): Html =>
  html`<details><summary>Other requests</summary>${examples("Body", Object.fromEntries(Object.entries(all).slice(1)))}</details>`

/** Every tag with its operations. */
export const operations = (document: Document): Html => {
  const options = { lookup: lookupIn(document), isRequest: true }
  return html`${document.tags.map((tag) => {
    const all = operationsOf(document, tag)
    if (all.length === 0) return null
    const id = `tag-${slug(tag.name)}`
    return html`<section aria-labelledby="${id}"><h2 id="${id}"><a href="#${id}">${tag.name}</a></h2>
<p class="intro">${inline(tag.description)}</p>
${all.map((placed) => operationArticle(document, options, placed))}</section>\n`
  })}`
}
