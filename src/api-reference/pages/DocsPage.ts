/** The pages of /docs: the first page, a page per subject, the search. */
import type { Document } from "../../platform/http/Document.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { maxQuery, maxResults, type SearchResult, type SearchResults, wordsOf } from "../DocsSearch.ts"
import { groups } from "../Guide.ts"
import type { Block } from "../Markdown.ts"
import { nameOf } from "../OpenApiSchemas.ts"
import type { ApiReference, DocumentedSubject } from "../Reference.ts"
import { inlineText, linkedHeading, markdown, type PageContext } from "./MarkdownText.ts"
import { operationSection, webhookSection } from "./OperationSection.ts"
import { schemaTable } from "./SchemaTable.ts"

const masthead = ({ canTest }: PageContext): Html => html`${brand("Interview Invitations API")}
<nav class="tools" aria-label="API"><a href="/docs">Overview</a> ${canTest ? html`<a href="/docs/reference">Test requests</a> ` : null}<a href="/openapi.json">OpenAPI</a></nav>`

const searchForm = (query = ""): Html => html`<form class="docs-search" role="search" action="/docs/search">
<label class="unseen" for="docs-query">Search the documentation</label>
<input id="docs-query" type="search" name="q" value="${query}" maxlength="${maxQuery}" placeholder="Search">
<button class="secondary">Search</button>
</form>`

interface Section {
  readonly id: string
  readonly title: string
}

/** Objects other than the bodies of the page's operations. */
const innerObjects = ({ objects, operations, webhooks }: DocumentedSubject): ReadonlyArray<string> => {
  const bodies = [...operations, ...webhooks].flatMap(({ request }) =>
    request === undefined ? [] : nameOf(request.schema),
  )
  return objects.filter((name) => !bodies.includes(name))
}

const isSection = (block: Block): block is Extract<Block, { kind: "heading" }> =>
  block.kind === "heading" && block.level === 2

/** The headings of level 2 of a subject's page. */
const sectionsOf = (subject: DocumentedSubject): ReadonlyArray<Section> => [
  ...subject.blocks.flatMap((block) => (isSection(block) ? [{ id: block.id, title: block.text }] : [])),
  ...subject.operations.map(({ id, summary }) => ({ id, title: summary })),
  ...subject.webhooks.map(({ id, summary }) => ({ id, title: summary })),
  ...(innerObjects(subject).length > 0 ? [{ id: "objects", title: "Objects" }] : []),
]

const subjectLinks = ({ subjects }: ApiReference, slug: string | undefined) =>
  groups.map(
    (group) => html`<p class="group">${group}</p>
<ul>
${subjects
  .filter((subject) => subject.group === group)
  .map((subject) => {
    const isCurrent = subject.slug === slug
    const link = html`<a href="/docs/${subject.slug}"${isCurrent ? html` aria-current="page"` : null}>${subject.title}</a>`
    const sections = isCurrent ? sectionsOf(subject) : []
    const inner =
      sections.length === 0
        ? null
        : html`\n<ul>\n${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>`
    return html`<li>${link}${inner}</li>\n`
  })}</ul>`,
  )

/** A column beside the text; on a phone a folded list above it. */
const navigation = (reference: ApiReference, slug?: string, search: Html | null = searchForm()): Html =>
  html`<div class="docs-side">
${search}
<nav class="docs-column" aria-label="Subjects">
${subjectLinks(reference, slug)}
</nav>
<details class="docs-menu"><summary>Subjects</summary>
<nav aria-label="Subjects">
${subjectLinks(reference, slug)}
</nav></details>
</div>`

const frame = (context: PageContext, title: string, side: Html, content: Html): Document => ({
  title: title === "" ? "Interview Invitations API" : `${title} · Interview Invitations API`,
  masthead: masthead(context),
  width: "wide",
  styles: ["docs.css"],
  scripts: ["docs.js"],
  main: html`<div class="docs">
${side}
<div class="docs-text">
${content}
</div>
</div>`,
})

const operationLinks = ({ operations, slug, webhooks }: DocumentedSubject): Html | null => {
  const links = [
    ...operations.map(
      ({ id, method, summary }) =>
        html`<li><a href="/docs/${slug}#${id}">${summary}</a> <span class="method">${method}</span></li>\n`,
    ),
    ...webhooks.map(({ id, summary }) => html`<li><a href="/docs/${slug}#${id}">${summary}</a></li>\n`),
  ]
  return links.length === 0 ? null : html`<ul>\n${links}</ul>\n`
}

/** How to get an API key and send a request: the first section of the quickstart. */
const firstSection = ({ subjects }: ApiReference): ReadonlyArray<Block> => {
  const { blocks = [] } = subjects[0] ?? {}
  return blocks.slice(
    1,
    blocks.findIndex((block, index) => index > 0 && isSection(block)),
  )
}

export const overviewPage = (context: PageContext): Document => {
  const { subjects } = context.reference
  const card = (subject: DocumentedSubject) => {
    const { slug, summary, title } = subject
    return html`<li class="card"><h3><a href="/docs/${slug}">${title}</a></h3>
<p>${summary}</p>
${operationLinks(subject)}</li>
`
  }
  return frame(
    context,
    "",
    navigation(context.reference),
    html`<header class="lead"><h1>Interview Invitations API</h1>
<p class="welcome">${context.reference.summary}.</p></header>
${linkedHeading(2, "start", "First request")}
${markdown(firstSection(context.reference), "First request", context)}
${groups.map(
  (group) => html`<h2 id="${group.toLowerCase()}-subjects">${group}</h2>
<ul class="cards">
${subjects.filter((subject) => subject.group === group).map(card)}</ul>
`,
)}
<h2 id="more">More</h2>
<ul>
${context.canTest ? html`<li><a href="/docs/reference">Test requests</a>: fill in and send requests in the browser. Needs JavaScript.</li>\n` : null}<li><a href="/openapi.json">OpenAPI 3.1</a>: the API for programs, such as client generators.</li>
</ul>`,
  )
}

const step = (subject: DocumentedSubject | undefined, rel: "prev" | "next"): Html | null =>
  subject === undefined
    ? null
    : html`<a rel="${rel}" href="/docs/${subject.slug}"><span>${rel === "prev" ? "Previous" : "Next"}</span> ${subject.title}</a>`

export const subjectPage = (subject: DocumentedSubject, context: PageContext): Document => {
  const { reference } = context
  const { blocks, operations, slug, summary, title, webhooks } = subject
  const index = reference.subjects.findIndex((each) => each.slug === slug)
  const shown = new Set<string>()
  const sections = [
    ...operations.map((operation) => operationSection(operation, context, shown)),
    ...webhooks.map((webhook) => webhookSection(webhook, context, shown)),
  ]
  const others = innerObjects(subject)
  return frame(
    context,
    title,
    navigation(reference, slug),
    html`<header class="lead"><p class="eyebrow">${subject.group}</p><h1>${title}</h1>
<p class="welcome">${summary}</p></header>
${markdown(blocks, title, context)}
${sections}
${
  others.length === 0
    ? null
    : html`${linkedHeading(2, "objects", "Objects")}
${others.map((name) => {
  const schema = reference.schema(name)
  const about = schema.properties === undefined ? undefined : schema.description
  return html`<section class="object">
${linkedHeading(3, name, name)}
${about === undefined ? null : html`<p>${inlineText(about)}</p>\n`}${schemaTable(name, schema, reference, reference.isRequest(name))}
</section>
`
})}`
}
<nav class="docs-steps" aria-label="Pages">${step(reference.subjects[index - 1], "prev")}${step(reference.subjects[index + 1], "next")}</nav>`,
  )
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

const marked = (text: string, words: ReadonlyArray<string>): HtmlValue => {
  if (words.length === 0) return text
  // with a group, split alternates between other text and words
  const pattern = new RegExp(`(${words.map(literally).join("|")})`, "gi")
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))
}

const resultItem = ({ excerpt, href, subject, title }: SearchResult, words: ReadonlyArray<string>): Html =>
  html`<li><a href="${href}">${marked(title, words)}</a>${subject === title ? null : html` <span class="note">${subject}</span>`}
<p>${marked(excerpt, words)}</p></li>
`

const foundText = (query: string, { count }: SearchResults): string => {
  if (query === "") return "Enter a word, such as an operation, a field or an error code."
  if (count === 0) return "Nothing found. Try fewer or other words."
  if (count > maxResults) return `${count} results. These are the first ${maxResults}.`
  return count === 1 ? "1 result" : `${count} results`
}

export const searchPage = (query: string, results: SearchResults, context: PageContext): Document => {
  const words = wordsOf(query)
  return frame(
    context,
    query === "" ? "Search" : `${query} · Search`,
    navigation(context.reference, undefined, null),
    html`<header class="lead"><h1>Search</h1></header>
${searchForm(query)}
<p role="status">${foundText(query, results)}</p>
<ol class="results">
${results.results.map((result) => resultItem(result, words))}</ol>`,
  )
}

/** For unknown paths below /docs. */
export const unknownDocsPage = (context: PageContext): Document =>
  frame(
    context,
    "Page not found",
    navigation(context.reference),
    html`<header class="lead"><h1>Page not found</h1>
<p class="welcome">The documentation has no such page. Choose a subject, or search.</p></header>`,
  )
