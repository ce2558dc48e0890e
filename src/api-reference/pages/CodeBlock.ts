/** Code, and a request in each language. docs.js adds the copy buttons and turns `samples` into tabs. */
import { Html, html } from "../../platform/http/Html.ts"
import { codeSamples, languages, type SampleRequest } from "../CodeSamples.ts"

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** `html` also escapes quotes, which a text does not need: a tenth of a page. */
const codeText = (text: string): Html => new Html(text.replaceAll(/[&<>]/g, (character) => entities[character] ?? ""))

export const codeBlock = (text: string): Html => html`<div class="code"><pre>${codeText(text)}</pre></div>`

/** `url`: the API's address. Without scripts, the languages fold and curl is open. */
export const samples = (request: SampleRequest, url: string): Html => {
  const texts = codeSamples(request, url)
  return html`<div class="samples">
${languages.map(
  (language, index) =>
    html`<details${index === 0 ? html` open` : null}><summary>${language}</summary>${codeBlock(texts[language])}</details>\n`,
)}</div>`
}
