/** What texts with words in double braces become for a sample candidate, beside their form. */
import { type Html, html } from "../../platform/http/Html.ts"
import { fillTokens, type MessageTokens } from "../Invitation.ts"

interface SampleText {
  /** Id of the field. */
  readonly field: string
  readonly label: string
  /** In the field. */
  readonly text: string
  /** Used for an empty field. */
  readonly empty: string
  readonly className?: string
}

/** settings.js fills it while the member types (`data-samples`). */
export const samplePreview = (
  samples: MessageTokens,
  texts: ReadonlyArray<SampleText>,
): Html => html`<section class="live sample-text" data-samples="${JSON.stringify(samples)}" aria-labelledby="preview"><h2 id="preview" class="section">Preview <span class="note">for a sample candidate</span></h2>
<dl>${texts.map(
  ({ className, empty, field, label, text }) =>
    html`<div${className === undefined ? null : html` class="${className}"`}><dt>${label}</dt><dd class="written" dir="auto"><bdi data-sample-of="${field}" data-empty="${empty}">${fillTokens(text.trim(), samples) || empty}</bdi></dd></div>\n`,
)}</dl></section>`
