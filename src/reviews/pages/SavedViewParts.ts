/** Saved views on the list of submissions: links, the form that saves one, the form that deletes one. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import {
  listHref,
  queryOf,
  queryText,
  type SubmissionSearch,
  searchOfList,
} from "../../submissions/SubmissionSearch.ts"
import { type ListColumn, listColumns, mayDelete, type SavedView, savedViewLimits } from "../SavedView.ts"
import { cutBytes } from "./SubmissionTable.ts"

export const viewsHref = "/submissions/views"
export const columnsHref = "/submissions/columns"

export const listColumnNames: Readonly<Record<ListColumn, string>> = {
  set: "Interview set",
  active: "Last active",
  invited: "Invited",
  submitted: "Submitted",
  requirements: "Requirements",
  score: "Score",
  decision: "Decision",
  reviewers: "Reviewers",
}

/** What the form was sent with, when it is shown again. */
export interface TypedView {
  readonly name: string
  readonly isShared: boolean
}

const noticeKinds = ["saved", "deleted"] as const
type NoticeKind = (typeof noticeKinds)[number]

/** The list, with the notice `kind`. */
export const viewNoticeHref = (search: SubmissionSearch, kind: NoticeKind): string =>
  `/submissions?${queryText([...queryOf(search), ["view", kind]])}`

/** Bytes of a name in the list. */
const maxShown = 48

const isShown = (search: SubmissionSearch, { query }: SavedView): boolean =>
  listHref(searchOfList(query)) === listHref(search)

export const savedViewLinks = (search: SubmissionSearch, views: ReadonlyArray<SavedView>): Html =>
  html`${views.map(
    (view) =>
      html`<a href="${viewsHref}/${view.id}"${isShown(search, view) ? html` aria-current="page"` : null}><bdi>${cutBytes(view.name, maxShown)}</bdi></a>\n`,
  )}`

/** What was done with a view; null: nothing. */
export const viewNotice = (
  kind: string | undefined,
  search: SubmissionSearch,
  views: ReadonlyArray<SavedView>,
): Html | null => {
  const shown = views.find((view) => isShown(search, view))
  if (kind === "deleted")
    return html`<p class="info" role="status">The view was deleted. Its filters are still chosen.</p>`
  return kind === "saved" && shown !== undefined
    ? html`<p class="info" role="status">The view “<bdi>${cutBytes(shown.name, maxShown)}</bdi>” is saved and shown.</p>`
    : null
}

/** Chooses the columns of the list. `list`: its query string. */
export const columnForm = (list: string, columns: ReadonlyArray<ListColumn>): Html =>
  html`<details class="save-view"><summary>Columns</summary>
<form method="post" action="${columnsHref}" class="columns"><input type="hidden" name="list" value="${list}">
${listColumns.map((column) => html`<label class="check"><input type="checkbox" name="columns" value="${column}"${columns.includes(column) ? html` checked` : null}> ${listColumnNames[column]}</label>\n`)}<button class="secondary">Show these columns</button></form></details>`

/** Deletes the shown view, or saves the chosen filters as one; nothing without filters, unless a form was refused. */
export const savedViewForm = (
  member: Member,
  search: SubmissionSearch,
  views: ReadonlyArray<SavedView>,
  again: TypedView | undefined,
): Html | null => {
  const shown = views.find((view) => isShown(search, view))
  if (shown !== undefined)
    return mayDelete(member, shown)
      ? html`<form method="post" action="${viewsHref}/${shown.id}/delete"><button class="link">Delete this view</button></form>`
      : null
  const list = queryText(queryOf(search))
  return list === "" && again === undefined
    ? null
    : html`<details class="save-view"${again === undefined ? null : html` open`}><summary>Save view</summary>
<form method="post" action="${viewsHref}" class="narrow dense"><input type="hidden" name="list" value="${list}">
<label>Name <input type="text" name="name" value="${again?.name ?? ""}" required maxlength="${savedViewLimits.name}" autocomplete="off" dir="auto"></label>
<label class="check"><input type="checkbox" name="shared" value="yes"${again?.isShared ? html` checked` : null}> Show it to all members</label>
<button class="secondary">Save view</button></form></details>`
}
