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

const errorOf = (name: string, faults: FieldErrors) => ({
  error: faults[name] === undefined ? null : html`<span class="fault" id="${name}-fault">${faults[name]}</span>`,
  invalid: faults[name] === undefined ? null : html` aria-invalid="true"`,
})

const describing = (name: string, faults: FieldErrors, hint: string | undefined): Html | null => {
  const ids = [hint === undefined ? "" : `${name}-hint`, faults[name] === undefined ? "" : `${name}-fault`].filter(
    Boolean,
  )
  return ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`
}

export const control = ({ area, faults, hint, isNumber, isRequired, label, name, value }: Control): Html => {
  const { error, invalid } = errorOf(name, faults)
  const attributes = html`name="${name}"${isRequired ? html` required` : null}${invalid}${describing(name, faults, hint)}`
  return html`<div class="control"><label>${label}
${
  area
    ? html`<textarea ${attributes} dir="auto">
${value}</textarea>`
    : html`<input type="text" ${attributes} value="${value}"${isNumber ? html` inputmode="numeric" class="short"` : html` dir="auto"`}>`
}</label>${hint === undefined ? null : html`<span class="note" id="${name}-hint">${hint}</span>`}${error}</div>`
}

export const select = ({
  choices,
  faults,
  hint,
  label,
  name,
  value,
}: Omit<Control, "area" | "isNumber"> & { readonly choices: ReadonlyArray<readonly [string, string]> }): Html => {
  const { error, invalid } = errorOf(name, faults)
  return html`<div class="control"><label>${label}
<select name="${name}"${invalid}${describing(name, faults, hint)}>${choices.map(
    ([one, text]) => html`<option value="${one}"${one === value ? html` selected` : null}>${text}</option>`,
  )}</select></label>${hint === undefined ? null : html`<span class="note" id="${name}-hint">${hint}</span>`}${error}</div>`
}
