/** The template tag of pages and emails. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { html } from "../../../src/platform/http/Html.ts"

const hostile = `<script>"a" & 'b'</script>`
const escaped = "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;"

describe("html", () => {
  it("escapes values in texts and in attributes with either quote", () => {
    assert.strictEqual(String(html`<p>${hostile}</p>`), `<p>${escaped}</p>`)
    assert.strictEqual(String(html`<p title="${hostile}">`), `<p title="${escaped}">`)
    assert.strictEqual(String(html`<p title='${hostile}'>`), `<p title='${escaped}'>`)
  })

  it.each([
    ["&", "&amp;"],
    ["<", "&lt;"],
    [">", "&gt;"],
    ['"', "&quot;"],
    ["'", "&#39;"],
  ])("escapes a text with %s alone", (text, expected) =>
    assert.strictEqual(String(html`${`a${text}`}`), `a${expected}`),
  )

  it("escapes entities again, and every occurrence", () => {
    assert.strictEqual(String(html`${"&lt;&&"}`), "&amp;lt;&amp;&amp;")
  })

  it("keeps nested HTML as it is, and escapes texts beside it in nested arrays", () => {
    const items = ["<", html`<b>${"<"}</b>`, [html`<i></i>`, [">"]]]
    assert.strictEqual(String(html`<p>${items}</p>`), "<p>&lt;<b>&lt;</b><i></i>&gt;</p>")
  })

  it("leaves out null, undefined, booleans and empty arrays, and writes numbers", () => {
    assert.strictEqual(String(html`[${null}${undefined}${true}${false}${[]}${[null]}${""}]${0}${-1.5}`), "[]0-1.5")
  })

  it("does not trust an object that looks like HTML", () => {
    const forged = JSON.parse('{"text":"<b>","isEscaped":true}')
    assert.throws(() => html`${forged}`, TypeError)
  })

  it.prop("leaves no special character of any text", [Schema.String], ([text]) => {
    const written = String(html`${text}`)
    assert.notMatch(written, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
    const read = written
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&")
    assert.strictEqual(read, text)
  })
})
