/** Renders the guide's Markdown. */
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { type Block, type Inline, inlineOf, type Line, plainText } from "../Markdown.ts"
import { type ApiReference, requestOf } from "../Reference.ts"
import { codeBlock, samples } from "./CodeBlock.ts"

export interface PageContext {
  readonly reference: ApiReference
  readonly apiUrl: string
  /** Whether /docs/reference can send requests (ScalarRoutes.ts). */
  readonly canTest: boolean
}

const inline = (part: Inline): HtmlValue => {
  switch (part.kind) {
    case "code":
      return html`<code>${part.text}</code>`
    case "bold":
      return html`<strong>${line(part.content)}</strong>`
    case "link":
      return html`<a href="${part.href}">${line(part.content)}</a>`
    case "text":
      return part.text
  }
}

export const line = (content: Line): HtmlValue => content.map(inline)

/** A text of one line, such as a description of OpenAPI. */
export const inlineText = (text: string): HtmlValue => line(inlineOf(text))

export const linkedHeading = (level: 2 | 3, id: string, text: HtmlValue): Html => {
  const link = html`<a class="anchor" href="#${id}">${text}</a>`
  return level === 2 ? html`<h2 id="${id}">${link}</h2>` : html`<h3 id="${id}">${link}</h3>`
}

/** Scrolls sideways on a phone, also by keyboard. `name`: for screen readers. */
const scrollable = (name: string, table: Html): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${name}">${table}</div>`

/** The id of a row is its first cell with only a name in code, so that links can lead to an error code or an event. */
const rowId = (cells: ReadonlyArray<Line>, used: Set<string>): Html | null => {
  const [name] = cells.flatMap(([part, ...others]) =>
    part?.kind === "code" && others.length === 0 && /^[a-z._]+$/.test(part.text) ? [part.text] : [],
  )
  if (name === undefined || used.has(name)) return null
  used.add(name)
  return html` id="${name}"`
}

/** A curl command of an operation becomes an example in each language. */
const code = (text: string, { apiUrl, reference }: PageContext): Html => {
  const request = requestOf(text, reference, apiUrl)
  return request === undefined ? codeBlock(text) : samples(request, apiUrl)
}

/** `title`: of the page. */
export const markdown = (blocks: ReadonlyArray<Block>, title: string, context: PageContext): ReadonlyArray<Html> => {
  const used = new Set<string>()
  let section = title
  const render = (block: Block): Html => {
    switch (block.kind) {
      case "heading":
        section = block.text
        return linkedHeading(block.level === 2 ? 2 : 3, block.id, block.text)
      case "paragraph":
        return html`<p>${line(block.content)}</p>`
      case "list": {
        const items = block.items.map((item) => html`<li>${line(item)}</li>\n`)
        return block.isOrdered ? html`<ol>\n${items}</ol>` : html`<ul>\n${items}</ul>`
      }
      case "table": {
        const cells = (all: ReadonlyArray<Line>) => all.map((cell) => html`<td>${line(cell)}</td>`)
        return scrollable(
          `${section}: ${plainText(block.head[0] ?? [])}`,
          html`<table>
<thead><tr>${block.head.map((cell) => html`<th scope="col">${line(cell)}</th>`)}</tr></thead>
<tbody>
${block.rows.map((row) => html`<tr${rowId(row, used)}>${cells(row)}</tr>\n`)}</tbody>
</table>`,
        )
      }
      case "details":
        return html`<details class="example"><summary>${block.summary}</summary>${block.blocks.map(render)}</details>`
      case "code":
        return code(block.text, context)
    }
  }
  return blocks.map((block) => html`${render(block)}\n`)
}
