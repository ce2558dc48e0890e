/** The one problem, every answer that carries it, and the headers of answers. */

import { type Html, html } from "../../platform/http/Html.ts"
import type { Document, Examples } from "../document/Document.ts"
import { field, fields } from "./Fields.ts"
import { lookupIn } from "./Lookup.ts"
import { inline } from "./Markdown.ts"
import { examples, headerAnchor } from "./Parts.ts"

const statusOf = (all: Examples): number | undefined => {
  const [{ value } = { value: {} }] = Object.values(all)
  return (value as { readonly status?: number }).status
}

export const problems = (document: Document): Html => {
  const options = { lookup: lookupIn(document), isRequest: false }
  const { headers, responses, schemas } = document.components
  const problem = schemas["Problem"] ?? {}
  return html`<section aria-labelledby="problems"><h2 id="problems"><a href="#problems">Problems</a></h2>
<p class="intro">${inline(problem.description ?? "")}. <a href="#errors">Errors</a> tells what to do about each.</p>
<article class="operation"><div class="words">
<h3 id="problem">Fields of a problem</h3>
${fields(options, problem)}
<h3 id="headers">Headers of answers</h3>
<ul class="fields">${Object.entries(headers).map(([name, { description, example, schema }]) =>
    field(options, name, schema, { id: headerAnchor(name), description: `${description}: \`${String(example)}\`` }),
  )}</ul>
</div>
<div class="samples">${Object.values(responses).map(({ content = {} }) =>
    Object.values(content).map(({ examples: all = {} }) => examples(`Problem ${statusOf(all)}`, all)),
  )}</div></article></section>`
}
