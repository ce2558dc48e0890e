/** The list of submissions. */
import type { Member } from "../../accounts/members/Member.ts"
import { listPager, recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { chooseForInviteHref, setHref } from "../../interview-sets/pages/SetLabels.ts"
import { statusNames as invitationNames } from "../../invitations/pages/InvitationLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { errorText, type FieldErrors, filterCount, fold } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { icon } from "../../platform/http/Icons.ts"
import { boardColumns, type HiringStage } from "../../submissions/HiringStage.ts"
import { type HeadedSet, setHead } from "../../submissions/pages/SetHead.ts"
import {
  columnNames,
  countedText,
  decidedNames,
  decisionNames,
  milestoneNames,
  scoreNames,
  stateNames,
} from "../../submissions/pages/SubmissionLabels.ts"
import {
  listHref,
  mostCounted,
  type OrderBy,
  orders,
  type QueryParameters,
  queryOf,
  queryText,
  ReachedMilestone,
  type SubmissionSearch,
  usualOrder,
} from "../../submissions/SubmissionSearch.ts"
import type { NamedSubmission } from "../../submissions/Submissions.ts"
import type { TagRef } from "../../submissions/Tag.ts"
import type { Page } from "../../values/Cursor.ts"
import type { ListColumn, SavedView } from "../SavedView.ts"
import { hiddenScoresLine } from "./HiddenScores.ts"
import { columnForm, savedViewForm, savedViewLinks, type TypedView } from "./SavedViewParts.ts"
import { cutBytes, submissionTable } from "./SubmissionTable.ts"
import { tagNames } from "./TagParts.ts"

export interface SubmissionListView {
  readonly search: SubmissionSearch
  /** The page's ETag. */
  readonly tag: string
  /** Cursor of the shown page; undefined: the first page. */
  readonly cursor: string | undefined
  /** The chosen one. */
  readonly set: HeadedSet | undefined
  readonly sets: ReadonlyArray<readonly [id: string, title: string]>
  readonly stages: ReadonlyArray<HiringStage>
  /** Of the organization, by name. */
  readonly tags: ReadonlyArray<TagRef>
  /** In the filter: the name of the search's tag, or a name that no tag has. */
  readonly tagName: string
  /** Of the searches of `viewsOf`, in their order. */
  readonly counts: ReadonlyArray<number>
  /** Own and shared ones. */
  readonly saved: ReadonlyArray<SavedView>
  readonly columns: ReadonlyArray<ListColumn>
  /** The form of a view that was refused. */
  readonly typedView: TypedView | undefined
  /** How many match the search, up to `mostCounted`; undefined: unknown, because the search has words. */
  readonly total: number | undefined
  /** Id of the form around the table. */
  readonly formId: string
  /** Ids whose boxes are checked. */
  readonly selected: ReadonlySet<string>
  readonly reason: string
  readonly errors: FieldErrors
  readonly notice: Html | null
}

/** Bytes of a set's title in the filter. */
const maxChoice = 32

/** Bytes of a stage's name in the filter. */
const maxStage = 24

/** Bytes of the tags that the filter completes; others can be typed. */
const maxTags = 600

const choice = (
  name: string,
  label: string,
  value: string,
  choices: ReadonlyArray<readonly [string, string]>,
  isWide = false,
): Html =>
  html`<label${isWide ? html` class="grow"` : null}><span class="unseen">${label}</span>
<select name="${name}">${choices.map(([one, text]) => html`<option value="${one}"${one === value ? html` selected` : null}>${text}</option>`)}</select></label>`

const decisionChoices: ReadonlyArray<readonly [string, string]> = [
  ["undecided", "Undecided"],
  ...Object.entries(decidedNames),
]

const reviewChoices: ReadonlyArray<readonly [string, string]> = [
  ["by_me", "Reviewed by me"],
  ["not_by_me", "Not reviewed by me"],
]

const knockOutChoices: ReadonlyArray<readonly [string, string]> = [
  ["yes", "Knock-out answer"],
  ["no", "No knock-out answer"],
]

/** The columns of the board, in their order. */
const placesOf = (stages: ReadonlyArray<HiringStage>): ReadonlyArray<readonly [string, string]> => [
  ...boardColumns.slice(0, -1).map((column) => [column, columnNames[column]] as const),
  ...stages.map(({ id, name }) => [id, cutBytes(name, maxStage)] as const),
  ["ended", columnNames.ended],
]

/** The name is typed: an organization may have too many tags for a choice. */
const tagFilter = ({ tagName, tags }: SubmissionListView): Html =>
  html`<label><span class="unseen">Tag</span>
<input type="text" name="tag" value="${tagName}" list="tag-names" placeholder="Any tag" autocomplete="off" dir="auto"></label>${tagNames(tags, maxTags)}`

const filters = (member: Member, view: SubmissionListView): Html => {
  const { search, sets, stages, tagName, tags } = view
  const { decision, invitation, knockOut, order, reached, reviewed, score, set, stage, state, text } = search
  const count = (values: ReadonlyArray<string | undefined>) =>
    values.filter((one) => one !== undefined && one !== "").length
  const more = count([stage, tagName, knockOut, reached, score, reviewed, invitation])
  const all = count([set, state, decision]) + more
  return html`<form class="narrow dense" action="/submissions" role="search"><label class="grow"><span class="unseen">Search</span>
<input type="search" name="q" id="search" value="${text}" maxlength="200" placeholder="Search name, email, set, answer"></label>
${fold(html`Filters${filterCount(all)}`)}<div class="folded">
${choice("set", "Interview set", set ?? "", [["", "All interview sets"], ...sets.map(([id, title]) => [id, cutBytes(title, maxChoice)] as const)], true)}
${choice("status", "State", state ?? "", [["", "Any state"], ...stateNames])}
${choice("decision", "Decision", decision ?? "", [["", "Any decision"], ...decisionChoices])}
<details class="more"><summary>More filters${filterCount(more)}</summary><div class="narrow dense">
${choice("stage", "Stage", stage ?? "", [["", "Any stage"], ...placesOf(stages)])}
${tags.length === 0 && tagName === "" ? null : tagFilter(view)}
${choice("reached", "Reached", reached ?? "", [["", "Reached any milestone"], ...ReachedMilestone.literals.map((milestone) => [milestone, milestoneNames[milestone]] as const)])}
${!member.seesScores ? null : choice("score", "Score", score ?? "", [["", "Any score"], ...scoreNames])}
${choice("reviewed", "Review", reviewed ?? "", [["", "Any review"], ...reviewChoices])}
${choice("knock_out", "Knock-out answer", knockOut ?? "", [["", "Any answers"], ...knockOutChoices])}
${choice("invitation", "Invitation", invitation ?? "", [["", "Any invitation"], ...invitationNames])}
</div></details>
${order === usualOrder ? null : html`<input type="hidden" name="order" value="${order}">`}
<button class="secondary">Filter</button></div></form>`
}

/** Frequent filters within the chosen set, with their names. */
export const viewsOf = ({
  set,
}: SubmissionSearch): ReadonlyArray<readonly [name: string, search: SubmissionSearch]> => {
  const base: SubmissionSearch = {
    text: "",
    set,
    state: undefined,
    stage: undefined,
    tag: undefined,
    knockOut: undefined,
    reached: undefined,
    score: undefined,
    decision: undefined,
    reviewed: undefined,
    invitation: undefined,
    order: usualOrder,
  }
  return [
    ["All", base],
    ["Waiting for review", { ...base, state: "waiting" }],
    ["Not reviewed by me", { ...base, state: "waiting", reviewed: "not_by_me" }],
    ["On hold", { ...base, decision: "hold" }],
    ["Advanced", { ...base, decision: "advance" }],
    ["Rejected", { ...base, decision: "reject" }],
    ["Invitation failed", { ...base, state: "invitation_failed" }],
  ]
}

const views = ({ counts, saved, search }: SubmissionListView): Html => {
  const current = listHref({ ...search, order: usualOrder })
  return html`<nav class="views" aria-label="Views">${viewsOf(search).map(([name, view], index) => {
    const href = listHref(view)
    const count = counts[index]
    return html`<a href="${href}"${href === current ? html` aria-current="page"` : null}>${name}${count === undefined ? null : html` <span>${countedText(count)}</span>`}</a>\n`
  })}${savedViewLinks(search, saved)}</nav>`
}

const keys = html`<details class="save-view keys" id="keys" hidden><summary title="Keyboard shortcuts">${icon("question")}<span class="unseen">Keyboard shortcuts</span></summary><dl>
<div><dt><kbd>/</kbd></dt><dd>Search</dd></div>
<div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>Next and previous row</dd></div>
<div><dt><kbd>x</kbd></dt><dd>Select row</dd></div>
<div><dt><kbd>Enter</kbd></dt><dd>Open row</dd></div>
<div><dt><kbd>?</kbd></dt><dd>Show shortcuts</dd></div>
</dl></details>`

/** The hidden default button carries no decision: Enter in the reason field opens the page that asks for one. */
const actions = (
  { errors, reason, stages, total }: SubmissionListView,
  hasMore: boolean,
): Html => html`<div class="bulk" role="group" aria-label="Selected submissions">
<button class="unseen" tabindex="-1" aria-hidden="true">Decide</button>
<p class="bulk-count" id="count">For the selected rows</p>
${
  hasMore
    ? html`<label class="check"><input type="checkbox" name="every" value="yes" id="every"> All${total === undefined || total >= mostCounted ? null : ` ${total}`} that match</label>`
    : null
}
<label class="grow"><span class="unseen">Reason for the decision (optional)</span><input type="text" name="reason" value="${reason}" placeholder="Reason (optional)" autocomplete="off" dir="auto"${errors["reason"] === undefined ? null : html` aria-invalid="true" aria-describedby="reason-error"`}>${errorText("reason", errors)}</label>
${Object.entries(decisionNames).map(([value, name]) => html`<button class="secondary" name="decision" value="${value}">${name}</button>\n`)}
<button class="link" formaction="/submissions/assign">Ask for reviews…</button>
<button class="link" formaction="/submissions/compare">Compare</button>
<details><summary>More</summary><div>
<button class="link" name="decision" value="clear">Clear decision</button>
${stages.length === 0 ? null : html`<button class="link" formaction="/submissions/move">Move to a stage…</button>\n`}<button class="link" formaction="/submissions/tag">Tag…</button>
<button class="link" formaction="/submissions/resend">Send invitation again…</button>
<button class="link" name="type" value="xlsx" formaction="/submissions/export" data-download>Export Excel</button>
<button class="link" formaction="/submissions/export" data-download>Export CSV</button>
</div></details></div>`

/** Notes about submissions that an order hides. */
const hidden: Readonly<Record<OrderBy, string | null>> = {
  active: null,
  created: null,
  submitted: "Submissions that are not submitted yet are hidden.",
  best: "Submissions without a score are hidden. Scores with warnings are last.",
  weakest: "Submissions without a score are hidden. Scores with warnings are last.",
  decided: "Submissions without a decision are hidden.",
  candidate: null,
  status: null,
  met: "Submissions whose requirements are not evaluated are hidden.",
  reviewed: "Submissions without a review are hidden.",
}

/** The query of the page, which the forms send back. */
export const pageQuery = ({ cursor, search }: Pick<SubmissionListView, "cursor" | "search">): QueryParameters => [
  ...queryOf(search),
  ...(cursor === undefined ? [] : [["cursor", cursor] as const]),
]

const totalText = (total: number | undefined): Html | null =>
  total === undefined ? null : html` <span class="total">${countedText(total)}</span>`

export const submissionListPage = (
  member: Member,
  view: SubmissionListView,
  { next_cursor, results }: Page<NamedSubmission>,
): Document => {
  const { cursor, formId, notice, search, selected, set, tag } = view
  const query = queryOf(search)
  const isFirst = cursor === undefined
  const isPlain = query.length === 0
  const text = queryText(query)
  const note = hidden[orders[search.order].by]
  const empty = () => {
    if (!isFirst) return html`There are no more submissions.`
    if (!isPlain) return html`No submissions match. <a href="/submissions">Show all submissions</a>`
    return html`No submissions yet. <a href="${chooseForInviteHref}">Choose an interview set</a> and invite candidates to it, or follow the first steps on <a href="/home">Home</a>.`
  }
  const isNew = results.length === 0 && isFirst && isPlain
  // the title names the set
  const columns = set === undefined ? view.columns : view.columns.filter((column) => column !== "set")
  const invite = html`<a class="button primary" href="${set === undefined ? chooseForInviteHref : `${setHref(set.id)}/invite`}">${icon("person-add")}Invite candidates</a>`
  const head = () =>
    set === undefined
      ? html`<header class="lead with-action"><div><h1>Submissions${totalText(view.total)}</h1>
${member.role === "recruiter" ? html`<p class="welcome">Interview sets shared with you</p>` : null}</div>
${isNew ? null : invite}</header>`
      : setHead(set, "Submissions", { count: view.counts[0] ?? 0, actions: invite })
  const document = recordPage(member, {
    title: "Submissions",
    place: "Submissions",
    width: "full",
    ...(set === undefined ? {} : { back: { href: "/submissions", name: "All submissions" } }),
    main: html`${notice}${head()}
${isNew ? null : html`${views(view)}\n${filters(member, view)}`}
${
  isNew
    ? null
    : html`<div class="list-bar">${set === undefined || view.total === undefined ? null : html`<p class="matching"><b>${countedText(view.total)}</b> submission${view.total === 1 ? "" : "s"}</p>\n`}${member.seesScores ? null : hiddenScoresLine(query.length === 0 ? "/submissions" : `/submissions?${text}`)}
${fold(html`Options`)}<div class="list-tools folded">${savedViewForm(member, search, view.saved, view.typedView)}${results.length === 0 ? null : columnForm(text, view.columns)}<button type="button" class="link" id="copy-link" hidden>Copy link</button>
${results.length === 0 ? null : html`<span class="exports">Export ${["xlsx", "csv"].map((type) => html`<a href="/submissions.${type}${text === "" ? null : `?${text}`}" download>${type === "csv" ? "CSV" : "Excel"}</a> `)}</span>`}${keys}</div></div>`
}
${note === null ? null : html`<p class="note hidden-rows">${note} <a href="${listHref({ ...search, order: usualOrder })}">Show all</a></p>`}
<div id="list" data-path="${listHref(search)}" data-tag="${tag}">${
      results.length === 0
        ? html`<p class="empty">${empty()}</p>`
        : html`<form method="post" action="/submissions/decide" class="selection" novalidate>
<input type="hidden" name="id" value="${formId}"><input type="hidden" name="list" value="${queryText(pageQuery(view))}">
${submissionTable(search, results, selected, columns, member)}
${actions(view, !isFirst || next_cursor !== null)}</form>`
    }
${listPager("/submissions", query, isFirst, next_cursor, search.order === usualOrder ? ["Newest", "Older"] : undefined)}</div>
<p class="unseen" role="status" id="said"></p>`,
  })
  return {
    ...document,
    styles: [...(document.styles ?? []), "table.css"],
    scripts: [...document.scripts, "table.js"],
  }
}
