/** HTML for pages and emails: hono's template tag, which escapes every value that is not HTML. */
import { html as tag } from "hono/html"
import type { HtmlEscapedString } from "hono/utils/html"

export type Html = HtmlEscapedString

export type HtmlValue = string | number | boolean | null | undefined | Html | ReadonlyArray<HtmlValue>

/** hono returns a promise only for promises, which are not allowed. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html => {
  const made = tag(strings, ...values)
  if (made instanceof Promise) throw new TypeError("a promise can not stand in a template")
  return made
}
