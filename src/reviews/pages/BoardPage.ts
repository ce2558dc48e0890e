/** The board of an interview set, and the form that moves a candidate. */
import type { Member } from "../../accounts/members/Member.ts"
import { may } from "../../accounts/Permissions.ts"
import { cut, spanText } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { boardHref, moveHref, setHref, setsHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  choiceGroup,
  errorBox,
  errorSummary,
  type FieldErrors,
  textarea,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { icon } from "../../platform/http/Icons.ts"
import { maxDecisionReason } from "../../submissions/Decision.ts"
import { isBoardColumn } from "../../submissions/HiringStage.ts"
import { setHead } from "../../submissions/pages/SetHead.ts"
import {
  columnNames,
  countedText,
  decidedNames,
  initialsOf,
  knockOutMark,
  nameOf,
  scoreText,
  stageEffects,
  stateOf,
} from "../../submissions/pages/SubmissionLabels.ts"
import type { Board, BoardCard, Column } from "../Boards.ts"
import { reasonChoice } from "./DecisionSection.ts"
import { stagesHref } from "./HiringStagePage.ts"
import { cutBytes } from "./SubmissionTable.ts"

const listHref = (set: string, place: string): string => `/submissions?set=${set}&stage=${place}`

interface Limits {
  readonly name: number
  readonly reviewers: number
}

/** Maximum bytes of the texts of a card. */
const wide: Limits = { name: 80, reviewers: 48 }

/** Used when the columns are larger than `maxColumns`. */
const tight: Limits = { name: 28, reviewers: 18 }

/** Reviewers of a card whose initials it shows. */
const maxInitials = 3

/** Maximum bytes of all columns, so that the page has at most 60 KB. */
const maxColumns = 50_000

const columnName = ({ place, stage }: Pick<Column, "place" | "stage">): string =>
  stage?.name ?? (isBoardColumn(place) ? columnNames[place] : "")

/** What the page saw of a submission; a move sends it back. */
export const seenOf = ({
  decision_changes,
  stage_changes,
}: Pick<BoardCard, "decision_changes" | "stage_changes">): string => `${stage_changes}.${decision_changes}`

const scoreOf = ({ has_warnings, score }: BoardCard): Html | null =>
  score === null
    ? null
    : html`<span class="card-score">${scoreText(score)}${has_warnings ? html` <span title="Score with warnings">⚠<span class="unseen"> with warnings</span></span>` : null}</span>`

const stateIn = (card: BoardCard): Html => {
  const { decision, declined_at, invitation, is_being_evaluated, is_cv_unreadable, is_not_scored, status } = card
  const { waits_for_notice } = card
  if (decision !== null) return html`<b class="${decision}">${decidedNames[decision]}</b>`
  const { kind, name } = stateOf({
    status,
    isDeclined: declined_at !== null,
    invitation,
    isBeingEvaluated: is_being_evaluated,
    waitsForNotice: waits_for_notice,
    isCvUnreadable: is_cv_unreadable,
    isNotScored: is_not_scored,
  })
  return html`<b class="${kind}">${name}</b>`
}

/** Initials; the names are read aloud, and shown over them. */
const reviewersOf = (reviewers: ReadonlyArray<string>, max: Limits): Html => {
  const names = cutBytes(reviewers.join(", "), max.reviewers)
  const shown = reviewers.slice(0, maxInitials).map((name) => html`<i>${initialsOf(name)}</i>`)
  return html`<span class="by" title="Reviewed by ${names}"><span class="unseen">Reviewed by ${names}</span><span aria-hidden="true">${shown}${reviewers.length > maxInitials ? `+${reviewers.length - maxInitials}` : null}</span></span>`
}

const cardOf = (set: string, card: BoardCard, now: Date, max: Limits): Html => {
  const name = cutBytes(nameOf(card.candidate), max.name)
  return html`<li id="c${card.id}" data-seen="${seenOf(card)}"><a href="/submissions/${card.id}"><bdi>${name}</bdi></a>${scoreOf(card)}<p>${stateIn(card)}${card.has_knock_out ? knockOutMark : null}<span>${spanText(Math.max(0, now.getTime() - Date.parse(card.since)))}</span>${card.reviewers.length === 0 ? null : html`${reviewersOf(card.reviewers, max)}`}</p><a class="move" href="${moveHref(set, card.id)}">${icon("kebab-horizontal")}<span class="unseen">Move ${name}</span></a></li>
`
}

const cards = (set: string, { cards: shown, count, place }: Column, now: Date, max: Limits): Html =>
  html`${shown.length === 0 ? html`<p class="quiet">No candidates</p>` : null}<ul>${shown.map((card) => cardOf(set, card, now, max))}</ul>${
    count > shown.length
      ? html`<p><a href="${listHref(set, place)}">Show all ${countedText(count)}<span class="unseen"> in this column</span></a></p>`
      : null
  }`

const columnOf = (set: string, column: Column, now: Date, max: Limits): Html => {
  const { count, place, stage } = column
  const name = columnName(column)
  const head = html`<h2 id="h${place}" dir="auto">${cut(name, 60)} <span class="total">${countedText(count)}</span></h2>${stage?.decision == null ? null : html` <span class="tag" title="A move here decides “${decidedNames[stage.decision]}”">${stageEffects[stage.decision]}</span>`}`
  const body = cards(set, column, now, max)
  return place === "ended"
    ? html`<section data-place="${place}" aria-labelledby="h${place}"><details id="ended"><summary>${head}</summary>${body}</details></section>`
    : html`<section data-place="${place}" aria-labelledby="h${place}"><header>${head}</header>${body}</section>
`
}

export interface BoardNotice {
  readonly text: Html | string
  readonly isError: boolean
  /** The form that undoes the last move. */
  readonly undo?: { readonly href: string; readonly fields: Readonly<Record<string, string>> } | undefined
}

const hidden = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

const noticeOf = ({ isError, text, undo }: BoardNotice): Html =>
  isError
    ? errorBox(text)
    : html`<div class="info outcome-notice" role="status"><p>${text}</p>${
        undo === undefined
          ? null
          : html`<form method="post" action="${undo.href}">${hidden(undo.fields)}<button class="link">Undo</button></form>`
      }</div>`

export interface BoardState {
  /** Of the set's submissions, up to `mostCounted`. */
  readonly count: number
  readonly notice: BoardNotice | undefined
  readonly now: Date
  /** The page's ETag. */
  readonly tag: string
}

export const boardPage = (
  member: Member,
  { columns, set, stages }: Board,
  { count, notice, now, tag }: BoardState,
): Document => {
  const within = (max: Limits) => html`${columns.map((column) => columnOf(set.id, column, now, max))}`
  const body = within(wide)
  const document = recordPage(member, {
    title: `Board – ${cut(set.title, 120)}`,
    place: "Interview sets",
    width: "full",
    back: { href: setsHref, name: "All interview sets" },
    main: html`${setHead(set, "Board", {
      count,
      actions: html`${may(member, "manageOrganization") ? html`<a class="button secondary" href="${stagesHref}">Edit stages</a>` : null}
${set.is_archived ? null : html`<a class="button primary" href="${setHref(set.id)}/invite">${icon("person-add")}Invite candidates</a>`}`,
    })}
<div id="notice">${notice === undefined ? null : noticeOf(notice)}</div>
${stages.length === 0 && may(member, "manageOrganization") ? html`<p class="note">Your organization has no stages of its own yet. <a href="${stagesHref}">Add stages</a> such as a phone call, to follow candidates after the interview.</p>` : null}
<div id="board" class="board" role="region" aria-label="Candidates by stage" tabindex="0" data-path="${boardHref(set.id)}" data-moves="${boardHref(set.id)}" data-tag="${tag}">
${Buffer.byteLength(String(body)) > maxColumns ? within(tight) : body}</div>
<p class="unseen" role="status" id="said"></p>`,
  })
  return {
    ...document,
    styles: [...(document.styles ?? []), "table.css", "board.css"],
    scripts: [...document.scripts, "board.js"],
  }
}

export interface MoveForm {
  /** A place of the board, or "reject". */
  readonly to: string
  readonly reason: string
  readonly errors: FieldErrors
  /** Of no field. */
  readonly error: string | undefined
  /** The form was opened on the submission's page, and goes back there. */
  readonly isOfSubmission: boolean
  /** Of the score, in sentences: the move makes a decision that is to be confirmed. */
  readonly warnings?: ReadonlyArray<string>
}

export interface MoveView {
  readonly rejectReasons: ReadonlyArray<string>
  readonly set: Board["set"]
  readonly stages: Board["stages"]
  readonly submission: {
    readonly id: string
    readonly name: string
    /** Where the candidate stands. */
    readonly place: string
    /** The column without a stage and a decision. */
    readonly home: string
    readonly seen: string
  }
}

export const movePage = (
  member: Member,
  { rejectReasons, set, stages, submission }: MoveView,
  form: MoveForm,
): Document => {
  const { errors, reason, to } = form
  const nameIn = (place: string): string =>
    isBoardColumn(place) ? columnNames[place] : (stages.find(({ id }) => id === place)?.name ?? "")
  const option = (value: string, name: string, note: string | null) =>
    value === submission.place
      ? null
      : choice(
          { name: "to", value, isChosen: value === to },
          html`<strong><bdi>${name}</bdi></strong>${note === null ? null : html` <span class="note">${note}</span>`}`,
        )
  const title = `Move ${submission.name}`
  const styled = (document: Document): Document => ({
    ...document,
    styles: [...(document.styles ?? []), "board.css"],
  })
  const back = form.isOfSubmission
    ? { href: `/submissions/${submission.id}`, name: submission.name }
    : { href: boardHref(set.id), name: "Board" }
  return styled(
    recordPage(member, {
      title: cut(title, 120),
      place: "Interview sets",
      back,
      main: html`<form method="post" action="${moveHref(set.id, submission.id)}" class="fields move-form${stages.some(({ decision }) => decision === "reject") ? "" : " one-rejection"}" novalidate>
<header class="lead"><h1 dir="auto">${title}</h1></header>
${form.error === undefined ? errorSummary(errors, "The candidate was not moved.") : errorBox(form.error)}
${
  form.warnings === undefined
    ? null
    : html`<div class="alert warm" role="alert" tabindex="-1" autofocus><p><strong>Not moved yet: the move makes a decision, and the score may be unreliable.</strong> <a href="/submissions/${submission.id}">Read the answers first</a>, or move anyway.</p>
<ul class="plain">${form.warnings.map((warning) => html`<li>${warning}</li>`)}</ul></div>
<input type="hidden" name="knows" value="${to}">`
}
<input type="hidden" name="seen" value="${submission.seen}">${form.isOfSubmission ? html`<input type="hidden" name="back" value="submission">` : null}
<p class="note">Now in <bdi>${nameIn(submission.place)}</bdi>. The candidate is not notified.</p>
${choiceGroup(
  "to",
  "Move to",
  errors,
  html`${stages.map(({ decision, id, name }) => option(id, name, decision === null ? null : `${stageEffects[decision]} the candidate`))}
${option(submission.home, nameIn(submission.home), "No stage: follows from what the candidate has done")}
${submission.place === "ended" && to !== "reject" ? null : choice({ name: "to", value: "reject", isChosen: to === "reject" }, html`<strong>Ended</strong> <span class="note">Rejects the candidate</span>`)}`,
)}
<div class="with-rejection">${reasonChoice(rejectReasons)}
${textarea({ name: "reason", label: "Reason for a rejection", value: reason, errors, hint: `Visible to members and to your hiring system. At most ${maxDecisionReason} characters.` })}</div>
<p class="actions"><button class="primary">${form.warnings === undefined ? "Move" : "Move anyway"}</button> <a class="button secondary" href="${back.href}" data-close>Cancel</a></p>
</form>`,
    }),
  )
}
