/** The parts of a submission's page that are closed at first, in one card at its end. They open without scripts. */
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"

interface FoldedPart {
  /** Of the heading, for links. */
  readonly id: string
  readonly title: string
  /** What the part holds, beside the title. */
  readonly note?: HtmlValue
  /** After a form of the part was sent. */
  readonly isOpen?: boolean
  readonly className?: string
}

export const foldedPart = ({ className, id, isOpen, note, title }: FoldedPart, content: HtmlValue): Html =>
  html`<details class="folded${className === undefined ? null : ` ${className}`}"${isOpen ? html` open` : null}><summary><h2 id="${id}">${title}</h2>${note ? html` <span class="note">${note}</span>` : null}</summary>
${content}</details>\n`
