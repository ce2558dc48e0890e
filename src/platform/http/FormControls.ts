/** Form controls of the workspace's pages. */
import type { FieldError } from "../../values/Problem.ts"
import { type Html, type HtmlValue, html } from "./Html.ts"
import { withMoments } from "./PageParts.ts"

/** By field name; "" for other errors. */
export type FieldErrors = Readonly<Record<string, string>>

/** Keeps the first error of each field, in the order of `labels`: that of the form. */
export const fieldErrors = (
  errors: ReadonlyArray<FieldError>,
  labels: Readonly<Record<string, string>>,
): FieldErrors => {
  const sentences = errors.map(({ code, message, pointer }) => {
    const name = pointer.split("/")[1] ?? ""
    // a whole sentence
    if (code === "refused_url") return [name, `${message}.`] as const
    const label = labels[name]
    return label === undefined ? (["", `It ${message}.`] as const) : ([name, `${label} ${message}.`] as const)
  })
  const kept = new Map<string, string>()
  for (const [name, text] of sentences) if (!kept.has(name)) kept.set(name, text)
  const names = new Set(["", ...Object.keys(labels), ...kept.keys()])
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const text = kept.get(name)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
}

export const hasErrors = (errors: FieldErrors): boolean => Object.keys(errors).length > 0

/** Browsers focus it when the page opens: `autofocus`, and frame.js where a URL's fragment prevents that. */
const focusedAlert = (content: HtmlValue): Html =>
  html`<div class="alert" role="alert" id="error" tabindex="-1" autofocus>${content}</div>`

/** An error that belongs to no field. */
export const errorBox = (text: HtmlValue): Html => focusedAlert(html`<p>${text}</p>`)

/**
 * Shown above a form that was refused: the title, the error of no field, and a link to each field with an error. The
 * field's id is its name.
 */
export const errorSummary = (errors: FieldErrors, title: string): Html | null => {
  if (!hasErrors(errors)) return null
  const fields = Object.entries(errors).filter(([name]) => name !== "")
  const links = fields.map(
    ([name, text]) => html`<li><a href="#${name}">${withMoments(text || "Check the marked fields.")}</a></li>\n`,
  )
  return focusedAlert(html`<p><strong>${title}</strong> ${errors[""]}</p>
${links.length === 0 ? null : html`<ul>${links}</ul>`}`)
}

export const errorText = (name: string, errors: FieldErrors): Html | null =>
  errors[name] === undefined ? null : html`<span class="error" id="${name}-error">${errors[name]}</span>`

export const describedBy = (name: string, errors: FieldErrors, hint: HtmlValue): Html => {
  const ids = [hint ? `${name}-hint` : null, errors[name] === undefined ? null : `${name}-error`].filter(Boolean)
  return html`${errors[name] === undefined ? null : html` aria-invalid="true"`}${ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`}`
}

interface Control {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly errors: FieldErrors
  readonly hint?: HtmlValue
  readonly isRequired?: boolean
}

interface Field extends Control {
  readonly type?: "text" | "email" | "password" | "url" | "date"
  readonly autocomplete?: string
  readonly isMono?: boolean
  readonly suggestions?: ReadonlyArray<string>
  /** Id of a datalist elsewhere on the page. */
  readonly list?: string
}

/** In the label of a field that may stay empty. */
export const optional = html` <span class="quiet">optional</span>`

const control = ({ errors, hint, isRequired, label, name }: Control, input: Html): Html =>
  html`<p><label for="${name}">${label}${isRequired ? null : optional}</label>
${input}${hint ? html`<span class="note" id="${name}-hint">${hint}</span>` : null}${errorText(name, errors)}</p>`

const attributesOf = ({ errors, hint, isRequired, name }: Control): Html =>
  html`id="${name}" name="${name}"${isRequired ? html` required` : null}${describedBy(name, errors, hint)}`

/** Never sends a password back. */
export const field = (options: Field): Html => {
  const { autocomplete = "off", isMono, name, suggestions, type = "text", value = "" } = options
  const list = options.list ?? (suggestions === undefined ? undefined : `${name}-suggestions`)
  const mono = isMono ? html` class="mono" spellcheck="false" autocapitalize="off"` : null
  const direction = type === "text" && !isMono ? html` dir="auto"` : null
  const shown = type === "password" ? null : html` value="${value}"`
  return control(
    options,
    html`<input type="${type}" ${attributesOf(options)} autocomplete="${autocomplete}"${mono}${direction}${shown}${list === undefined ? null : html` list="${list}"`}>${
      suggestions === undefined
        ? null
        : html`<datalist id="${list}">${suggestions.map((one) => html`<option value="${one}">`)}</datalist>`
    }`,
  )
}

interface TextArea extends Control {
  readonly placeholder?: string
  /** Each line is a value of its own: scripts show a row for each (settings.js). */
  readonly isList?: boolean
}

export const textarea = (options: TextArea): Html =>
  control(
    options,
    html`<textarea ${attributesOf(options)} autocomplete="off" dir="auto"${options.placeholder === undefined ? null : html` placeholder="${options.placeholder}"`}${options.isList === true ? html` data-lines` : null}>\n${options.value ?? ""}</textarea>`,
  )

const optionsOf = (options: Select["options"], value: string): ReadonlyArray<Html> =>
  options.map(([one, text]) => html`<option value="${one}"${one === value ? html` selected` : null}>${text}</option>\n`)

/** A choice beside other fields of a form, with their markup. */
export const selectField = (options: Control & Pick<Select, "options">): Html =>
  control(options, html`<select ${attributesOf(options)}>${optionsOf(options.options, options.value ?? "")}</select>`)

interface Select {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
}

export const select = ({ label, name, options, value }: Select): Html =>
  html`<p><label for="${name}">${label}</label> <select id="${name}" name="${name}">
${optionsOf(options, value)}</select></p>`

/** On phones, it opens and closes the filters that follow it; elsewhere they are always shown. */
export const fold = (name: Html): Html => html`<details class="fold"><summary>${name}</summary></details>`

/** How many filters are chosen. */
export const filterCount = (count: number): Html | null =>
  count === 0 ? null : html` <span class="total">${count}</span>`

interface CompactField {
  readonly name: string
  readonly label: HtmlValue
  readonly value: string
  readonly errors: FieldErrors
  readonly hint?: string
  readonly area?: boolean
  /** Lines of an area. */
  readonly rows?: number
  readonly placeholder?: string
  readonly isNumber?: boolean
  readonly type?: "text" | "email" | "url"
  readonly isRequired?: boolean
  /** Gets the focus when the page opens. */
  readonly isFocused?: boolean
  /** Id of a datalist. */
  readonly suggestions?: string
}

/** For forms with many fields: the label around the control, the hint below. */
export const compactField = (options: CompactField): Html => {
  const {
    area,
    errors,
    hint,
    isFocused,
    isNumber,
    isRequired,
    label,
    name,
    placeholder,
    rows,
    suggestions,
    type = "text",
    value,
  } = options
  const attributes = html`id="${name}" name="${name}"${isRequired ? html` required` : null}${isFocused ? html` autofocus` : null}${describedBy(name, errors, hint)}`
  const list = suggestions === undefined ? null : html` list="${suggestions}"`
  return html`<div class="control"><label>${label}
${
  area
    ? html`<textarea ${attributes}${rows === undefined ? null : html` rows="${rows}"`}${placeholder === undefined ? null : html` placeholder="${placeholder}"`} dir="auto">
${value}</textarea>`
    : html`<input type="${type}" ${attributes} value="${value}"${list}${isNumber ? html` inputmode="numeric" class="short"` : type === "text" ? html` dir="auto"` : null}>`
}</label>${hint === undefined ? null : html`<span class="note" id="${name}-hint">${hint}</span>`}${errorText(name, errors)}</div>`
}

export const compactSelect = ({
  choices,
  errors,
  hint,
  label,
  name,
  value,
}: Omit<CompactField, "area" | "isNumber" | "type"> & {
  readonly choices: ReadonlyArray<readonly [string, string]>
}): Html => {
  return html`<div class="control"><label>${label}
<select id="${name}" name="${name}"${describedBy(name, errors, hint)}>${choices.map(
    ([one, text]) => html`<option value="${one}"${one === value ? html` selected` : null}>${text}</option>`,
  )}</select></label>${hint === undefined ? null : html`<span class="note" id="${name}-hint">${hint}</span>`}${errorText(name, errors)}</div>`
}

export const choiceGroup = (name: string, legend: string, errors: FieldErrors, choices: HtmlValue): Html =>
  html`<fieldset class="picks" id="${name}" tabindex="-1"${describedBy(name, errors, null)}>
<legend>${legend}</legend>
${choices}
${errorText(name, errors)}</fieldset>`

interface Choice {
  readonly name: string
  readonly value: string
  readonly isChosen: boolean
  readonly type?: "radio" | "checkbox"
}

export const choice = ({ isChosen, name, type = "radio", value }: Choice, text: HtmlValue): Html =>
  html`<label class="pick"><input type="${type}" name="${name}" value="${value}"${isChosen ? html` checked` : null}> <span>${text}</span></label>
`

export interface Notice {
  readonly text: string
  readonly isError?: boolean
}

export const noticeBox = (notice: Notice | undefined): Html | null =>
  notice === undefined
    ? null
    : notice.isError
      ? errorBox(notice.text)
      : html`<p class="info" role="status">${notice.text}</p>`

interface Confirmation {
  readonly action: string
  readonly label: string
  readonly cancelHref: string
  readonly cancelLabel?: string
  /** Hidden ones. */
  readonly fields?: Html
}

export const confirmForm = ({ action, cancelHref, cancelLabel = "Cancel", fields, label }: Confirmation): Html =>
  html`<form method="post" action="${action}" class="actions spaced">${fields}<button class="danger">${label}</button>
<a class="button secondary" href="${cancelHref}">${cancelLabel}</a></form>`

/** The copy button appears where scripts run. */
export const copyField = (id: string, label: string, value: string): Html =>
  html`<div class="copied"><label for="${id}">${label}</label>
<div class="beside-copy"><input type="text" id="${id}" class="mono" readonly value="${value}" autocomplete="off" spellcheck="false" data-secret>
<button type="button" class="secondary" data-copy="${id}" hidden>Copy</button></div></div>`

export const copyBlock = (id: string, label: string, value: string): Html =>
  html`<div class="copied"><div class="beside-copy"><p class="label" id="${id}-label">${label}</p>
<button type="button" class="link" data-copy="${id}" hidden>Copy<span class="unseen"> ${label}</span></button></div>
<pre id="${id}" class="block" tabindex="0" role="group" aria-labelledby="${id}-label" data-secret>${value}</pre></div>`
