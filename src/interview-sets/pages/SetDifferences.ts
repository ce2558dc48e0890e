/** Explains why a set was not saved: others changed it, or a candidate has started. */
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import type { Difference } from "../SetVersions.ts"
import { kindNames } from "./SetLabels.ts"

export interface Names {
  readonly projects: ReadonlyArray<readonly [id: string, name: string]>
  readonly languages: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

const maxLength = 300
const maxShown = 40

const fieldNames: Readonly<Record<Difference["field"], string>> = {
  title: "Title",
  position: "Role",
  set_type: "Kind",
  description: "Description",
  interview_duration: "Minutes to answer",
  number_of_retakes: "Retakes",
  priority: "Priority",
  project_id: "Project",
  language: "Language",
  languages: "Other languages",
  questions: "Question",
  requirements: "Requirement",
  people: "Recruiter",
}

const valueText = ({ field, stored }: Difference, { languages, projects }: Names): string => {
  const language = (id: string) => languages.find((one) => String(one.id) === id)?.name ?? id
  if (stored === "") return "(empty)"
  if (field === "project_id") return wordIn(projects, stored)
  if (field === "set_type") return wordIn(kindNames, stored)
  if (field === "language") return language(stored)
  return field === "languages" ? stored.split(",").map(language).join(", ") : cut(stored, maxLength)
}

const line = (difference: Difference, names: Names): Html => {
  const { field, kind, name } = difference
  const what = html`<strong>${fieldNames[field]}</strong>${name === "" ? null : html` <bdi>“${cut(name, 120)}”</bdi>`}`
  const value = html`<bdi>${valueText(difference, names)}</bdi>`
  switch (kind) {
    case "saved":
      return html`${what}: changed by another member; the form now shows their text.`
    case "both":
      return field === "questions" || field === "requirements" || field === "people"
        ? name === ""
          ? html`<strong>${fieldNames[field]}s</strong>: you and another member changed the order; the form keeps yours.`
          : html`${what}: you both changed it; the form keeps yours. Saved by another member: ${value}`
        : html`${what}: you both changed it; the form keeps yours. Saved by another member: ${value}`
    case "added":
      return html`${what}: added by another member, and now in the form.`
    case "removed":
      return html`${what}: removed by another member, and no longer in the form.`
    case "restored":
      return html`${what}: one of you removed it and the other changed it, so the form keeps it.`
    case "order":
      return html`<strong>${fieldNames[field]}s</strong>: reordered by another member; the form now shows their order.`
  }
}

export const differenceList = (differences: ReadonlyArray<Difference>, names: Names): Html =>
  html`<div class="alert" role="alert" id="error" tabindex="-1" autofocus><p><strong>Not saved: another member saved this set while you were editing it.</strong> What you typed is still in the form. Check these differences, then save again.</p>
<ul class="differences">${differences.slice(0, maxShown).map((one) => html`<li>${line(one, names)}</li>`)}</ul>${differences.length > maxShown ? html`<p>And ${differences.length - maxShown} more.</p>` : null}</div>`

export const unsavedList = (rows: ReadonlyArray<string>): Html | null =>
  rows.length === 0
    ? null
    : html`<details class="unsaved-rows" open><summary>Your changes that can no longer be saved here</summary>
<ul class="plain-list">${rows.slice(0, maxShown).map((text) => html`<li class="written" dir="auto">${cut(text, 2000)}</li>`)}</ul></details>`
