/** Renders an operation or a webhook. */
import { type Html, html } from "../../platform/http/Html.ts"
import { literal } from "../CodeSamples.ts"
import type { Example } from "../OpenApiDocument.ts"
import { nameOf } from "../OpenApiSchemas.ts"
import { type ApiReference, type DocumentedOperation, sampleRequest } from "../Reference.ts"
import { codeBlock, samples } from "./CodeBlock.ts"
import { inlineText, linkedHeading, type PageContext } from "./MarkdownText.ts"
import { parameterTable, schemaTable, typeText } from "./SchemaTable.ts"

/** Headers that most operations share. */
const sharedHeaders: Readonly<Record<string, string>> = {
  "Idempotency-Key": "/docs/api#idempotency",
  "X-Request-Id": "/docs/api#requests-and-responses",
}

const scopeText = ({ scopes }: DocumentedOperation): Html | null => {
  if (scopes === undefined) return null
  const link = html`<a href="/docs/api#scopes">Scope</a>`
  if (scopes === "any") return html`<p>${link}: any</p>`
  return html`<p>${link}: ${scopes.map((scope, index) => html`${index === 0 ? "" : " or "}<code>${scope}</code>`)}</p>`
}

const exampleDetails = (kind: string, examples: ReadonlyArray<Example>): ReadonlyArray<Html> =>
  examples.map(
    ({ summary, value }) =>
      html`<details class="example"><summary>${kind}: ${summary}</summary>${codeBlock(literal(value, "json"))}</details>\n`,
  )

const parameterSection = ({ parameters, summary }: DocumentedOperation, reference: ApiReference): Html | null => {
  const shared = parameters.filter(({ name }) => Object.hasOwn(sharedHeaders, name))
  const own = parameters.filter(({ name }) => !Object.hasOwn(sharedHeaders, name))
  if (parameters.length === 0) return null
  return html`<h3>Parameters</h3>
${own.length === 0 ? null : parameterTable(summary, own, reference)}
${
  shared.length === 0
    ? null
    : html`<p class="note">Headers: ${shared.map(
        ({ name }, index) => html`${index === 0 ? "" : ", "}<a href="${sharedHeaders[name] ?? ""}">${name}</a>`,
      )}</p>`
}`
}

const bodySection = (
  { request }: DocumentedOperation,
  reference: ApiReference,
  shown: Set<string>,
  isWebhook: boolean,
): Html | null => {
  if (request === undefined) return null
  const name = nameOf(request.schema)
  const note = request.isRequired ? null : html`<p>The body is optional.</p>`
  const others = isWebhook ? request.examples : request.examples.slice(1)
  const examples = exampleDetails("Example", others)
  if (shown.has(name))
    return html`<h3>Body</h3>${note}<p><a href="${reference.schemaHref(name)}">${name}</a></p>${examples}`
  shown.add(name)
  return html`${linkedHeading(3, name, `Body: ${name}`)}
${note}${schemaTable(name, reference.schema(name), reference, !isWebhook)}
${examples}`
}

const responseSections = ({ responses }: DocumentedOperation, reference: ApiReference): ReadonlyArray<Html> =>
  responses.map(({ description, examples, schema, status }) => {
    const fields = schema === undefined ? {} : (reference.schema(nameOf(schema)).properties ?? {})
    const list = Object.entries(fields).map(
      ([name, field], index) => html`${index === 0 ? "" : ", "}<code>${name}</code>: ${typeText(field, reference)}`,
    )
    return html`<h3>${status === "default" ? "Other responses" : `Response ${status}`}</h3>
<p>${inlineText(/[.!?]$/.test(description) ? description : `${description}.`)}${list.length === 0 ? null : html` ${list}`}</p>
${exampleDetails("Example", examples)}`
  })

const errorSection = ({ errors }: DocumentedOperation): Html | null =>
  errors.length === 0
    ? null
    : html`<h3>Errors</h3>
<ul class="errors">
${errors.map(({ code, status }) => html`<li><a href="/docs/errors#${code}">${status} ${code}</a></li>\n`)}</ul>`

/** `shown`: the schemas that the page has shown. */
export const operationSection = (
  operation: DocumentedOperation,
  { apiUrl, reference }: PageContext,
  shown: Set<string>,
): Html => html`<section class="operation">
${linkedHeading(2, operation.id, operation.summary)}
<p class="endpoint"><span class="method">${operation.method}</span> <code>${operation.path}</code></p>
<p>${inlineText(operation.description)}</p>
${scopeText(operation)}
${samples(sampleRequest(operation), apiUrl)}
${parameterSection(operation, reference)}
${bodySection(operation, reference, shown, false)}
${responseSections(operation, reference)}
${errorSection(operation)}
</section>
`

export const webhookSection = (
  webhook: DocumentedOperation,
  { reference }: PageContext,
  shown: Set<string>,
): Html => html`<section class="operation">
${linkedHeading(2, webhook.id, webhook.summary)}
<p>${inlineText(webhook.description)}</p>
${parameterSection(webhook, reference)}
${bodySection(webhook, reference, shown, true)}
${responseSections(webhook, reference)}
</section>
`
