/** The API's documentation for people, made of the document that programs read. */

import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import type { Document as OpenApiDocument } from "../document/Document.ts"
import { markdown } from "./Markdown.ts"
import { navigation } from "./Navigation.ts"
import { operations } from "./Operations.ts"
import { problems } from "./Problems.ts"
import { webhooks } from "./Webhooks.ts"

export const docsPage = (document: OpenApiDocument): Document => {
  const { info, servers = [] } = document
  const contents = navigation(document)
  return {
    title: `${info.title} API`,
    styles: ["docs.css"],
    masthead: html`${brand(info.title)}<nav class="tools" aria-label="Formats"><a href="/openapi.json">OpenAPI</a></nav>`,
    wide: true,
    scripts: [],
    main: html`<div class="docs">
<aside class="contents"><nav aria-label="Contents">${contents}</nav></aside>
<div class="pages">
<header class="lead"><h1>${info.title} API</h1>
<p class="subtitle">${info.summary}.</p>
<p class="note">Version ${info.version} at ${servers.map(({ url }) => html`<code>${url}</code>`)}. For programs it is described at <a href="/openapi.json">/openapi.json</a>.</p></header>
<details class="contents"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
<section class="guide" id="guide" aria-label="Guide">
${markdown(info.description)}</section>
${operations(document)}
${webhooks(document)}
${problems(document)}
</div></div>`,
  }
}
