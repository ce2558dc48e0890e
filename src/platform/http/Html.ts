/**
 * HTML for pages and emails: a template tag that escapes every value that is not HTML, for texts and for attributes in quotes.
 * Template of effect/http escapes nothing.
 */

/** HTML that needs no escaping. Only code that escapes its values may create it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString() {
    return this.text
  }
}

export type HtmlValue = string | number | boolean | null | undefined | Html | ReadonlyArray<HtmlValue>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const special = /[&<>"']/

const render = (value: HtmlValue): string => {
  if (typeof value === "string") {
    return special.test(value) ? value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "") : value
  }
  if (value instanceof Html) return value.text
  if (value === null || value === undefined || typeof value === "boolean") return ""
  if (typeof value === "number") return String(value)
  let text = ""
  for (const each of value) text += render(each)
  return text
}

/** Booleans, null and undefined are left out; the values of an array follow each other. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html => {
  let text = strings[0] ?? ""
  for (const [index, value] of values.entries()) text += render(value) + strings[index + 1]
  return new Html(text)
}
