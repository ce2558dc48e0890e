/** Tags on the page of a submission, and the names that inputs complete. */
import { describedBy, errorText } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { listHref, searchOf } from "../../submissions/SubmissionSearch.ts"
import type { TagRef } from "../../submissions/Tag.ts"
import { formHref, type SubmissionView } from "./SubmissionView.ts"

/** Bytes of the names in an input of a page about candidates. Others can be typed. */
const maxNames = 8000

/** The names that an input with `list="tag-names"` completes: the first ones that fit into `max` bytes. */
export const tagNames = (tags: ReadonlyArray<TagRef>, max = maxNames): Html => {
  const options = tags.map(({ name }) => html`<option value="${name}">`)
  let size = 0
  const end = options.findIndex((option) => {
    size += Buffer.byteLength(String(option))
    return size > max
  })
  return html`<datalist id="tag-names">${end < 0 ? options : options.slice(0, end)}</datalist>`
}

/** Tags that a form shows below its field; the field offers all. */
const maxSuggested = 12

/** Buttons that fill the field `tag`, where scripts run. */
export const tagSuggestions = (known: ReadonlyArray<TagRef>): Html | null =>
  known.length === 0
    ? null
    : html`<div class="chips" role="group" aria-label="Tags of the organization">${known.slice(0, maxSuggested).map(({ name }) => html`<button type="button" class="secondary" data-adds-to="tag" dir="auto" hidden>${name}</button>\n`)}</div>`

/** The list of the submissions with a tag. */
export const taggedHref = (tag: string): string => listHref(searchOf((name) => (name === "tag" ? tag : undefined)))

const chip = (view: SubmissionView, { id, name }: TagRef, mayTag: boolean): Html =>
  html`<li class="tag">${view.audience === "recruiting" ? html`<a href="${taggedHref(id)}"><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`}${
    mayTag
      ? html`<form method="post" action="${formHref(view, "tags/remove")}"><input type="hidden" name="tag" value="${id}"><button title="Remove the tag"><span aria-hidden="true">×</span><span class="unseen">Remove the tag ${name}</span></button></form>`
      : null
  }</li>\n`

const addForm = (view: SubmissionView, known: ReadonlyArray<TagRef>): Html => {
  const { tag: typed = { tag: "", errors: {} } } = view
  const others = known.filter(({ id }) => view.detail.tags.every((one) => one.id !== id))
  return html`<details class="add-tag"${view.tag === undefined ? null : html` open`}><summary>Add a tag</summary><form method="post" action="${formHref(view, "tags")}" novalidate><label for="tag" class="unseen">Tag</label>
<input type="text" id="tag" name="tag" value="${typed.tag}" list="tag-names" placeholder="Name" required autocomplete="off" dir="auto"${describedBy("tag", typed.errors, null)}>${tagNames(others)}
<button class="secondary">Add tag</button>${errorText("tag", typed.errors)}</form></details>`
}

/** Null for readers without an account. */
export const tagSection = (view: SubmissionView): Html | null => {
  const { audience, detail, facts, knownTags } = view
  const mayTag = knownTags !== undefined && !facts.is_erased
  if (audience === "guest" || (detail.tags.length === 0 && !mayTag)) return null
  return html`<div class="tags" role="group" aria-label="Tags">${
    detail.tags.length === 0 ? null : html`<ul>${detail.tags.map((one) => chip(view, one, mayTag))}</ul>`
  }${mayTag ? addForm(view, knownTags) : null}</div>`
}
