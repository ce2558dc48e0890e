/**
 * Markdown as the API's document writes it: headings, paragraphs, lists, tables, fenced code; in lines code, bold text
 * and links. Anything else stays as it is written; nothing in it can become markup.
 */
import { type Html, html } from "../../platform/http/Html.ts"

/** What a heading's anchor is called. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

/** The headings of the second level. */
export const sections = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title)

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g

/** Text within a line or a cell. */
export const inline = (text: string): Html => {
  const parts: Array<Html | string> = []
  let end = 0
  for (const { 0: whole, 1: code, 2: bold, 3: label, 4: href, index } of text.matchAll(marks)) {
    parts.push(text.slice(end, index))
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`)
    else parts.push(html`<a href="${href}">${label}</a>`)
    end = index + whole.length
  }
  return html`${[...parts, text.slice(end)]}`
}

const cells = (line: string): ReadonlyArray<string> =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())

const table = (lines: ReadonlyArray<string>): Html => {
  const [head = [], , ...rows] = lines.map(cells)
  return html`<div class="table"><table>
${head.some((cell) => cell !== "") ? html`<thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>` : null}
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`)}</tbody></table></div>`
}

const marker = /^(?:-|(\d+)\.) /

const list = (lines: ReadonlyArray<string>): Html => {
  const items: Array<string> = []
  for (const line of lines) {
    if (marker.test(line)) items.push(line.replace(marker, ""))
    else items.push(`${items.pop() ?? ""} ${line.trim()}`)
  }
  const [, start] = marker.exec(lines[0] ?? "") ?? []
  const body = items.map((item) => html`<li>${inline(item)}</li>`)
  return start === undefined ? html`<ul>${body}</ul>` : html`<ol start="${start}">${body}</ol>`
}

/** Lines that stand together, a fence with the blank lines in it. */
const blocks = (markdown: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...markdown.matchAll(/^```[\s\S]*?^```$|(?:^(?!```).+$\n?)+/gm)].map(([block]) => block.trimEnd().split("\n"))

const block = (lines: ReadonlyArray<string>): Html => {
  const [first = ""] = lines
  const [, level, title = ""] = /^(##|###) (.+)$/.exec(first) ?? []
  if (level === "##") return html`<h2 id="${slug(title)}"><a href="#${slug(title)}">${title}</a></h2>`
  if (level === "###") return html`<h3 id="${slug(title)}"><a href="#${slug(title)}">${title}</a></h3>`
  if (first.startsWith("```")) return html`<pre>${lines.slice(1, -1).join("\n")}</pre>`
  if (first.startsWith("|")) return table(lines)
  if (marker.test(first)) return list(lines)
  return html`<p>${inline(lines.join(" "))}</p>`
}

/** A whole text. */
export const markdown = (text: string): Html => html`${blocks(text).map((lines) => html`${block(lines)}\n`)}`
