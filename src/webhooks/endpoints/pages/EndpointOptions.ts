/** The options of a webhook's form: interview sets and projects, headers, rate. */
import { cut } from "../../../accounts/pages/WorkspacePage.ts"
import { describedBy, errorText, type FieldErrors, field, optional } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { type FormTexts, requestForm } from "../../../platform/http/RequestForm.ts"
import { numberText } from "../../../texts/Formats.ts"
import { CreateEndpoint, maxRate } from "../Endpoint.ts"
import type { Choice, Choices } from "../EndpointFilterRepository.ts"
import { maskedValue, maxHeaderName, maxHeaders, maxHeaderValue } from "../StaticHeaders.ts"

export const endpointForm = requestForm(CreateEndpoint)

/** Values are as typed; never stored ones. */
type HeaderRow = EndpointForm["headers"][number]

export interface EndpointForm extends FormTexts<CreateEndpoint> {
  readonly headers: ReadonlyArray<
    FormTexts<CreateEndpoint>["headers"][number] & { readonly isStored: boolean; readonly isRemoved: boolean }
  >
  readonly chosen: Choices<Choice>
  /** Not chosen; at most `maxFound` of each are shown. */
  readonly found: Choices<Choice>
  readonly find: string
  readonly errors: FieldErrors
}

export const maxFound = 20
/** Empty rows for new headers. */
const newRows = 2

const choiceBox = (name: string, { id, is_deleted, title }: Choice, isChosen: boolean): Html =>
  html`<label class="pick"><input type="checkbox" name="${name}" value="${id}"${isChosen ? html` checked` : null}>
<span><bdi>${cut(title, 60)}</bdi>${is_deleted ? html` <span class="note">deleted: it has no new events</span>` : null}</span></label>
`

const choiceBoxes = ({ projects, sets }: Choices<Choice>, isChosen: boolean) => ({
  projects: projects
    .slice(0, isChosen ? projects.length : maxFound)
    .map((one) => choiceBox("project_ids", one, isChosen)),
  sets: sets.slice(0, isChosen ? sets.length : maxFound).map((one) => choiceBox("interview_set_ids", one, isChosen)),
})

const group = (title: string, boxes: ReadonlyArray<Html>): Html | null =>
  boxes.length === 0
    ? null
    : html`<div role="group" aria-label="${title}"><p class="label">${title}</p>\n${boxes}</div>\n`

/** `action`: the form's. The Find button sends the whole form, which is shown again with the results. */
export const choices = (
  { chosen, errors, find, found }: Pick<EndpointForm, "chosen" | "errors" | "find" | "found">,
  action: string,
  hint = "Limits the webhook to events of the chosen interview sets, and of all sets in the chosen projects. If nothing is chosen, it receives events of all sets.",
): Html => {
  const [own, other] = [choiceBoxes(chosen, true), choiceBoxes(found, false)]
  const hasMore = found.sets.length > maxFound || found.projects.length > maxFound
  const nothing = find !== "" && other.projects.length + other.sets.length === 0
  const count = chosen.sets.length + chosen.projects.length
  const isOpen = count > 0 || find !== "" || errors["choices"] !== undefined
  return html`<details class="choices" id="choices"${isOpen ? html` open` : null}><summary>Interview sets and projects: ${count === 0 ? "all" : numberText("en", count)}</summary>
<fieldset class="picks"${describedBy("choices", errors, true)}><legend class="unseen">Interview sets and projects</legend>
<span class="note" id="choices-hint">${hint}</span>
${errorText("choices", errors)}
${group("Chosen projects", own.projects)}${group("Chosen interview sets", own.sets)}
<div><label for="find">Find by title</label>
<span class="beside-copy"><input type="search" id="find" name="find" value="${find}" autocomplete="off" dir="auto"><button class="secondary" name="do" value="find" formaction="${action}#choices">Find</button></span>
<input type="hidden" name="found" value="${find}"></div>
<div class="found">${group("Projects", other.projects)}${group("Interview sets", other.sets)}${nothing ? html`<p class="note">No other project or interview set has these words.</p>` : null}</div>
${hasMore ? html`<p class="note">The newest ${maxFound} of each are shown. Enter words of the title to find others.</p>` : null}</fieldset></details>`
}

const storedHeader = ({ isRemoved, name, value }: HeaderRow, index: number, errors: FieldErrors): Html =>
  html`<div class="header-row" role="group" aria-label="Header ${name}"><p><code>${name}</code> <span class="quiet">${maskedValue}</span>
<input type="hidden" name="headers.${index}.name" value="${name}"></p>
<p><label for="headers.${index}.value">New value for ${name}</label>
<input type="text" id="headers.${index}.value" name="headers.${index}.value" value="${value}" class="mono" maxlength="${maxHeaderValue}" autocomplete="off" spellcheck="false" autocapitalize="off"${describedBy(`headers.${index}.value`, errors, true)}><span class="note" id="headers.${index}.value-hint">Leave empty to keep the stored value.</span>${errorText(`headers.${index}.value`, errors)}</p>
<label class="pick"><input type="checkbox" name="headers.${index}.remove" value="yes"${isRemoved ? html` checked` : null}> <span>Remove ${name}</span></label></div>
`

const newHeader = ({ name, value }: HeaderRow, index: number, errors: FieldErrors): Html => {
  const input = (part: "name" | "value", text: string, max: number) => {
    const id = `headers.${index}.${part}`
    return html`<input type="text" id="${id}" name="${id}" value="${text}" class="mono" maxlength="${max}" autocomplete="off" spellcheck="false" autocapitalize="off"${describedBy(id, errors, null)}>${errorText(id, errors)}`
  }
  return html`<div class="header-row new"><p><label for="headers.${index}.name">Header ${index + 1}</label>${input("name", name, maxHeaderName)}</p>
<p><label for="headers.${index}.value">Value of header ${index + 1}</label>${input("value", value, maxHeaderValue)}</p></div>
`
}

const headerFields = ({ errors, headers }: EndpointForm): Html => {
  const empty = { name: "", value: "", isStored: false, isRemoved: false }
  const used = headers.filter(({ isStored, name, value }) => isStored || name !== "" || value !== "")
  const rows = [...used, ...Array.from({ length: newRows }, () => empty)].slice(0, maxHeaders)
  return html`<fieldset class="picks" id="headers"${describedBy("headers", errors, true)}><legend>Headers${optional}</legend>
<span class="note" id="headers-hint">Added to each delivery, such as <code>Authorization</code> for a gateway; at most ${maxHeaders}. The values are stored encrypted and not shown again. To add more than ${newRows}, save first.</span>
${errorText("headers", errors)}
${rows.map((row, index) => (row.isStored ? storedHeader : newHeader)(row, index, errors))}</fieldset>`
}

/** Opened where something in it is set or was refused. */
const isAdvanced = ({ errors, headers, max_per_minute }: EndpointForm): boolean =>
  headers.some(({ isStored, name, value }) => isStored || name !== "" || value !== "") ||
  max_per_minute !== "" ||
  Object.keys(errors).some((name) => name === "max_per_minute" || name.startsWith("headers"))

export const optionFields = (form: EndpointForm, action: string): Html => html`${choices(form, action)}
<details class="advanced"${isAdvanced(form) ? html` open` : null}><summary>Advanced: headers, attempts per minute</summary>
${headerFields(form)}
${field({
  ...endpointForm.input("max_per_minute", form, form.errors),
  hint: html`At most this many attempts start in any minute (1 to ${maxRate}), evenly spread; the others wait. Leave empty for no limit.`,
})}</details>`
