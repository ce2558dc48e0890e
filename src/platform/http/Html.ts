/** HTML for pages and mails: hono's tag, which escapes every value that is not HTML itself. */
import { html as tag } from "hono/html"
import type { HtmlEscapedString } from "hono/utils/html"

export type Html = HtmlEscapedString

/** What may stand in a template: text is escaped, HTML is not, lists are joined, false and null leave nothing. */
export type HtmlValue = string | number | boolean | null | undefined | Html | ReadonlyArray<HtmlValue>

/** A template. Its values are all at hand: the tag answers a promise only for promises. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html => {
  const made = tag(strings, ...values)
  if (made instanceof Promise) throw new TypeError("a promise can not stand in a template")
  return made
}
