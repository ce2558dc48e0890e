/** The title of an interview set with its actions, and its views as tabs: overview, submissions, board, emails. */
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { boardHref, emailSubjectsHref, setHref, submissionsHref } from "../../interview-sets/pages/SetLabels.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { InterviewSetId } from "../../values/Ids.ts"
import { countedText } from "./SubmissionLabels.ts"

export interface HeadedSet {
  readonly id: InterviewSetId
  readonly title: string
  /** 2: a set without an interview, which sends no emails. */
  readonly set_type: number
}

export type SetView = "Overview" | "Submissions" | "Board" | "Emails"

/** `count`: of its submissions, up to `mostCounted`. `note`: below the title. `actions`: at its right. */
export const setHead = (
  { id, set_type, title }: HeadedSet,
  current: SetView,
  { actions, count, note }: { readonly actions?: Html | null; readonly count: number; readonly note?: Html | null },
): Html => {
  const tab = (view: SetView, href: string, total: Html | null = null) =>
    html`<a href="${href}"${view === current ? html` aria-current="page"` : null}>${view}${total}</a>\n`
  return html`<header class="lead with-action"><div><h1 dir="auto">${cut(title, 300)}</h1>${note}</div>${
    actions ? html`<div class="actions">${actions}</div>` : null
  }</header>
<nav class="tabs" aria-label="Interview set">${tab("Overview", setHref(id))}${tab("Submissions", submissionsHref(id), html` <span class="total">${countedText(count)}</span>`)}${tab("Board", boardHref(id))}${set_type === 2 ? null : tab("Emails", emailSubjectsHref(id))}</nav>`
}
