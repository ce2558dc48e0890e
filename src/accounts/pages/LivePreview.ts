/** A preview beside a form: it shows what is typed, and nothing is saved (`data-live` in settings.js). */
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"

interface Preview {
  /** Id of the form. */
  readonly form: string
  /** Draws the form in the frame; the first is shown when the page opens, with the saved values. */
  readonly views: ReadonlyArray<{ readonly name: string; readonly href: string }>
}

/** Without scripts, the buttons draw the preview; with them, they choose what is drawn while the member types. */
export const livePreview = ({
  form,
  views,
}: Preview): Html => html`<section class="live" data-live="${form}" aria-labelledby="preview">
<div class="live-head"><h2 id="preview" class="section">Preview</h2>
<p class="live-views">${views.map(
  ({ href, name }) =>
    html`<button class="secondary" form="${form}" formaction="${href}" formtarget="preview" formnovalidate>${name}</button>\n`,
)}</p></div>
<p class="note" role="status"></p>
<iframe name="preview" title="Preview" src="${views[0]?.href}" loading="lazy"></iframe></section>`

/** Instead of a preview. `reasons`: whole sentences. */
export const unusablePreviewPage = (reasons: ReadonlyArray<string>): Document => ({
  title: "No preview",
  masthead: null,
  scripts: [],
  main: html`<div class="notice"><h1>There is nothing to preview yet</h1>
<ul class="unusable">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul></div>`,
})
