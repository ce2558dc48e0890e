/** What the pages of the settings share: where one is, what a step came to, fields with their faults, what is copied. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import type { FieldError } from "../../values/Problem.ts"
import type { Member } from "../Member.ts"
import { workspacePage } from "./WorkspaceParts.ts"

/** The parts of the settings, in the order of the menu; those with a group stand under its name. */
const sections = [
  { name: "API Keys", group: "Integrations", href: "/settings/integrations/api-keys" },
  { name: "Webhooks", group: null, href: "/settings/webhooks" },
  { name: "General", group: "Organization", href: "/settings/organization" },
  { name: "Members", group: null, href: "/settings/members" },
  { name: "Personal data", group: null, href: "/settings/people" },
  { name: "Audit log", group: null, href: "/settings/audit" },
] as const
export type Section = (typeof sections)[number]["name"]

/** Where one comes to who asks for the settings. */
export const firstSection = sections[0].href

export interface SettingsPage {
  readonly title: string
  readonly section: Section
  readonly main: Html
  /** The page that this one is below of. */
  readonly back?: { readonly href: string; readonly name: string }
  readonly notice?: Notice | undefined
}

/** What a step came to. */
export interface Notice {
  readonly text: string
  readonly isFault?: boolean
}

const menu = (section: Section): Html => html`<nav class="sections" aria-label="Settings">
${sections.map(
  ({ group, href, name }) =>
    html`${group === null ? null : html`<span class="group">${group}</span>\n`}<a href="${href}"${name === section ? html` aria-current="true"` : null}>${name}</a>\n`,
)}</nav>`

export const noticeOf = (notice: Notice | undefined): Html | null =>
  notice === undefined
    ? null
    : notice.isFault
      ? html`<p class="alert" role="alert">${notice.text}</p>`
      : html`<p class="info" role="status">${notice.text}</p>`

export const settingsPage = (member: Member, { back, main, notice, section, title }: SettingsPage): Document => {
  const inner = html`<div class="settings">
${menu(section)}
<div class="setting">
${back === undefined ? null : html`<nav aria-label="Up"><a class="back" href="${back.href}"><span aria-hidden="true">← </span>${back.name}</a></nav>`}
${noticeOf(notice)}
${main}
</div></div>`
  return {
    ...workspacePage(member, { title: `${title} – Settings`, place: "Settings", wide: true, main: inner }),
    styles: ["workspace.css", "settings.css"],
    scripts: ["time.js", "settings.js"],
  }
}

/** Faults of a form by the name of their field, as sentences that begin with the field's label. */
export type FieldErrors = Readonly<Record<string, string>>

/** `labels` by field; what no field of the form can be blamed for stands under the empty name. */
export const fieldErrors = (
  errors: ReadonlyArray<FieldError>,
  labels: Readonly<Record<string, string>>,
): FieldErrors => {
  const told = errors.map(({ code, message, pointer }) => {
    const field = pointer.split("/")[1] ?? ""
    // what is wrong with an address is a sentence by itself
    if (code === "refused_url") return [field, `${message}.`] as const
    const label = labels[field]
    return label === undefined ? (["", `It ${message}.`] as const) : ([field, `${label} ${message}.`] as const)
  })
  // of several faults of one field the first is told
  return Object.fromEntries(told.toReversed())
}

/** What stands at the top of a form that was not saved. */
export const faultSummary = (faults: FieldErrors, what: string): Html | null =>
  Object.keys(faults).length === 0
    ? null
    : html`<p class="alert" role="alert" id="fault"><strong>${what}</strong> ${faults[""] ?? "Check the marked fields."}</p>`

/** The attributes of a control that is at fault or explained. */
export const described = (name: string, faults: FieldErrors, hint: HtmlValue): Html => {
  const ids = [hint ? `${name}-hint` : null, faults[name] === undefined ? null : `${name}-fault`].filter(Boolean)
  return html`${faults[name] === undefined ? null : html` aria-invalid="true"`}${ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`}`
}

export const errorOf = (name: string, faults: FieldErrors): Html | null =>
  faults[name] === undefined ? null : html`<span class="fault" id="${name}-fault">${faults[name]}</span>`

interface Field {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly faults: FieldErrors
  readonly hint?: HtmlValue
  readonly isRequired?: boolean
  readonly kind?: "text" | "url" | "date" | "area"
  readonly isMono?: boolean
}

/** A field with its label, its hint, and what is wrong with what was typed. */
export const field = ({ faults, hint, isMono, isRequired, kind = "text", label, name, value }: Field): Html => {
  const attributes = html`id="${name}" name="${name}"${isRequired ? html` required` : null}${isMono ? html` class="mono" spellcheck="false" autocapitalize="off"` : null} autocomplete="off"${described(name, faults, hint)}`
  return html`<p><label for="${name}">${label}${isRequired ? null : html` <span class="quiet">optional</span>`}</label>
${hint ? html`<span class="note" id="${name}-hint">${hint}</span>` : null}
${
  kind === "area"
    ? html`<textarea ${attributes} dir="auto">\n${value}</textarea>`
    : html`<input type="${kind === "url" ? "text" : kind}"${kind === "url" ? html` inputmode="url"` : null} ${attributes} value="${value}">`
}${errorOf(name, faults)}</p>`
}

/** Text that is copied with a button where scripts run; it can be marked by hand everywhere. */
export const copied = (id: string, label: string, value: string): Html =>
  html`<div class="copied"><label for="${id}">${label}</label>
<div class="beside-copy"><input type="text" id="${id}" class="mono" readonly value="${value}" autocomplete="off" spellcheck="false" data-secret>
<button type="button" class="secondary" data-copy="${id}" hidden>Copy</button></div></div>`

/** The same for what has more than one line. */
export const copiedBlock = (id: string, label: string, value: string): Html =>
  html`<div class="copied"><div class="beside-copy"><p class="label" id="${id}-label">${label}</p>
<button type="button" class="link" data-copy="${id}" hidden>Copy<span class="unseen"> ${label}</span></button></div>
<pre id="${id}" class="block" tabindex="0" role="group" aria-labelledby="${id}-label" data-secret>${value}</pre></div>`

/** A shell takes it as one word, whatever it holds. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Text that may be long, cut to some characters. */
export const cut = (text: string, most: number): string => {
  const all = [...text]
  return all.length <= most ? text : `${all.slice(0, most - 1).join("")}…`
}

/** What is known of a record, name by name. */
export const facts = (all: ReadonlyArray<readonly [name: string, value: HtmlValue]>): Html =>
  html`<dl class="known">${all.map(([name, value]) => (value === null || value === undefined ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`))}</dl>`

/** The page before and after this one, of a list that is cut into pages. `number` counts from 1. */
export const pager = (href: string, number: number, pages: number): Html | null =>
  pages < 2
    ? null
    : html`<nav class="pager" aria-label="Pages">${number > 1 ? html`<a class="button secondary" href="${href}?page=${number - 1}">Before</a>` : null}
<span class="quiet">Page ${number} of ${pages}</span>
${number < pages ? html`<a class="button secondary" href="${href}?page=${number + 1}">After</a>` : null}</nav>`
