/** Small parts of the API's page. */

import { type Html, html } from "../../platform/http/Html.ts"
import type { Examples } from "../document/Document.ts"

/** The anchor of an operation or an event. */
export const anchor = (name: string): string => name.replaceAll(".", "-")

/** The anchor of a header. */
export const headerAnchor = (name: string): string => `header-${name.toLowerCase()}`

/** A method and what it is asked of. */
export const route = (method: string, path: string): Html =>
  html`<p class="route"><span class="method">${method.toUpperCase()}</span> <code>${path
    .split("/")
    .map((part, i) => html`${i === 0 ? "" : html`/<wbr>`}${part}`)}</code></p>`

const key = /^(\s*)("(?:[^"\\]|\\.)*")(?=: )/

/** JSON with its keys marked. */
const marked = (line: string): Html | string => {
  const [whole, indent = "", name = ""] = key.exec(line) ?? []
  return whole === undefined ? line : html`${indent}<span class="key">${name}</span>${line.slice(whole.length)}`
}

/** Longer ones scroll. */
const linesShown = 24

/** A text that is copied from, with what it is. */
export const sample = (title: Html | string, text: string, mark = (line: string): Html | string => line): Html => {
  const lines = text.split("\n")
  const scrolls = lines.length > linesShown ? html` class="long" tabindex="0" role="group" aria-label="Sample"` : null
  return html`<figure class="sample"><figcaption>${title}</figcaption><pre${scrolls}>${lines.map(
    (line, i) => html`${i === 0 ? "" : "\n"}${mark(line)}`,
  )}</pre></figure>`
}

/** Each example as JSON. */
export const examples = (title: string, all: Examples): ReadonlyArray<Html> =>
  Object.values(all).map(({ summary, value }) =>
    sample(html`${title} <span class="about">${summary}</span>`, JSON.stringify(value, null, 2), marked),
  )
