/** Controls of a set's form: small, for there are many of them. */

import type { FieldErrors } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"

interface Control {
  readonly name: string
  readonly label: HtmlValue
  readonly value: string
  readonly faults: FieldErrors
  readonly hint?: string
  readonly area?: boolean
  readonly isNumber?: boolean
  readonly isRequired?: boolean
}

/** What is wrong with a field, and the attributes that lead there. */
const faultOf = (name: string, faults: FieldErrors) => ({
  fault: faults[name] === undefined ? null : html`<span class="fault" id="${name}-fault">${faults[name]}</span>`,
  invalid: faults[name] === undefined ? null : html` aria-invalid="true"`,
})

const describing = (name: string, faults: FieldErrors, hint: string | undefined): Html | null => {
  const ids = [hint === undefined ? "" : `${name}-hint`, faults[name] === undefined ? "" : `${name}-fault`].filter(
    Boolean,
  )
  return ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`
}

export const control = ({ area, faults, hint, isNumber, isRequired, label, name, value }: Control): Html => {
  const { fault, invalid } = faultOf(name, faults)
  const attributes = html`name="${name}"${isRequired ? html` required` : null}${invalid}${describing(name, faults, hint)}`
  return html`<div class="control"><label>${label}
${
  area
    ? html`<textarea ${attributes} dir="auto">
${value}</textarea>`
    : html`<input type="text" ${attributes} value="${value}"${isNumber ? html` inputmode="numeric" class="short"` : html` dir="auto"`}>`
}</label>${hint === undefined ? null : html`<span class="note" id="${name}-hint">${hint}</span>`}${fault}</div>`
}

export const select = ({
  choices,
  faults,
  hint,
  label,
  name,
  value,
}: Omit<Control, "area" | "isNumber"> & { readonly choices: ReadonlyArray<readonly [string, string]> }): Html => {
  const { fault, invalid } = faultOf(name, faults)
  return html`<div class="control"><label>${label}
<select name="${name}"${invalid}${describing(name, faults, hint)}>${choices.map(
    ([one, text]) => html`<option value="${one}"${one === value ? html` selected` : null}>${text}</option>`,
  )}</select></label>${hint === undefined ? null : html`<span class="note" id="${name}-hint">${hint}</span>`}${fault}</div>`
}

/** The buttons of a row: they send the whole form, and come back to the row. */
export const rowButtons = (action: string, letter: string, at: number, count: number, what: string): Html => {
  const button = (step: string, sign: string, name: string, to: number) =>
    html`<button class="step" name="do" value="${letter}.${at}.${step}" formaction="${action}#${letter}${to}" formnovalidate aria-label="${name} ${what} ${at + 1}" title="${name}">${sign}</button>`
  return html`<span class="steps">${at > 0 ? button("up", "↑", "Move up", at - 1) : null}${at < count - 1 ? button("down", "↓", "Move down", at + 1) : null}${button("remove", "✕", "Remove", Math.max(0, at - 1))}</span>`
}
