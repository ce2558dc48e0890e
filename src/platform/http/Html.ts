/** HTML for pages and emails: hono's template tag, which escapes every value that is not HTML. */
import { html as tag } from "hono/html"
import type { HtmlEscapedString } from "hono/utils/html"

export type Html = HtmlEscapedString

export type HtmlValue = string | number | boolean | null | undefined | Html | ReadonlyArray<HtmlValue>

export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html => {
  const rendered = tag(strings, ...values)
  if (rendered instanceof Promise) throw new TypeError("a template cannot contain a promise")
  return rendered
}
