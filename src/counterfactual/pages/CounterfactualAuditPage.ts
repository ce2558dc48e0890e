/** One counterfactual audit: its figures, the submissions that moved, and its annex for an audit report. */
import type { Member } from "../../accounts/members/Member.ts"
import { factList, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { confirmForm } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { type AuditContent, maxMoves, type SwapTotals, swapsOf, totalsOf } from "../CounterfactualAudit.ts"
import type { CounterfactualAudit, StoredMove } from "../CounterfactualAuditRepository.ts"
import type { ExplainedMove } from "../CounterfactualAudits.ts"
import { type SwapKind, swapKinds } from "../Swap.ts"
import { auditHref, auditsHref, stateLabels } from "./AuditListPage.ts"
import type { AuditFact } from "./AuditTable.ts"
import {
  figureLabels,
  kindLabels,
  kindsText,
  largestText,
  legalNote,
  meanText,
  methodTexts,
  scoreText,
  swapLabel,
} from "./SwapLabels.ts"

export const moveHref = (audit: string, { submission_id, swap }: Pick<StoredMove, "submission_id" | "swap">): string =>
  `${auditHref(audit)}/moves/${submission_id}/${swap}`

const cell = (label: string, value: HtmlValue): Html => html`<td data-name="${label}">${value}</td>`

const figures = (totals: Omit<SwapTotals, "swap">): Html =>
  html`${cell(figureLabels.tested, totals.tested)}${cell(
    figureLabels.changed,
    totals.changed === 0 ? "0" : html`<strong class="marked-ratio">${totals.changed}</strong>`,
  )}${cell(figureLabels.asked, totals.asked)}${cell(figureLabels.largest, largestText(totals))}${cell(
    figureLabels.mean,
    meanText(totals),
  )}`

/** `isWhole`: also the rows of swaps without a move, which a page only names. */
const kindTable = (content: AuditContent, kind: SwapKind, isWhole: boolean): Html | null => {
  const totals = totalsOf(content, kind)
  if (totals === undefined) return null
  const own = new Set(swapsOf([kind]).map(({ id }) => id))
  const all = content.swaps.filter(({ swap }) => own.has(swap))
  const rows = all.filter(({ asked, changed }) => isWhole || asked + changed > 0)
  const still = all.filter((one) => !rows.includes(one) && one.tested > 0)
  return html`<div class="impact"><h2 id="${kind}">${kindLabels[kind]}</h2>
${
  totals.tested === 0
    ? html`<p>Nothing to swap was found in these submissions: not tested.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${kind}"><table class="ratios"><thead><tr><th scope="col">Swapped for</th>${Object.values(figureLabels).map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${swapLabel(row.swap)}</th>${figures(row)}</tr>\n`)}
<tr><th scope="row">All together</th>${figures(totals)}</tr></tbody></table></div>
${still.length === 0 ? null : html`<p class="note">Tested, without a move: ${still.map(({ swap }) => swapLabel(swap)).join(", ")}.</p>`}`
}</div>
`
}

const requirementTable = ({ requirements }: AuditContent): Html | null =>
  requirements.length === 0
    ? null
    : html`<section class="impact" aria-labelledby="requirements"><h2 id="requirements">Requirements that moved</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="requirements"><table class="ratios"><thead><tr><th scope="col">Requirement</th><th scope="col">Swapped for</th><th scope="col">Submissions</th><th scope="col">${figureLabels.largest}</th><th scope="col">Remark</th></tr></thead>
<tbody>${requirements
        .toSorted((one, other) => Number(one.is_asked) - Number(other.is_asked) || other.moved - one.moved)
        .map(
          ({ is_asked, largest, moved, swap, title }) => html`<tr><th scope="row"><bdi>${title}</bdi></th>
${cell("Swapped for", swapLabel(swap))}${cell("Submissions", moved)}${cell(figureLabels.largest, largest === 0 ? "rated or not" : largest.toFixed(1))}${cell("Remark", is_asked ? "names what was swapped" : "–")}</tr>\n`,
        )}</tbody></table></div></section>`

const moveTable = (audit: CounterfactualAudit, moves: ReadonlyArray<StoredMove>): Html | null =>
  moves.length === 0
    ? null
    : html`<section class="impact" aria-labelledby="moves"><h2 id="moves">Where scores moved</h2>
<p class="note">Each opens the sentences before and after the swap. They are computed again from the candidate's texts and are not stored.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="moves"><table class="ratios"><thead><tr><th scope="col">Requirement</th><th scope="col">Swapped for</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Sentences</th></tr></thead>
<tbody>${moves.slice(0, maxMoves).map(
        (move) => html`<tr><th scope="row"><bdi>${move.title}</bdi></th>
${cell("Swapped for", html`${swapLabel(move.swap)}${move.is_asked ? html` <span class="quiet">(as asked)</span>` : null}`)}${cell("Before", scoreText(move.before))}${cell("After", scoreText(move.after))}${cell("Sentences", html`<a href="${moveHref(audit.id, move)}">Why<span class="unseen"> ${move.title}, ${swapLabel(move.swap)}, submission ${move.submission_id.slice(-6)}</span></a>`)}</tr>\n`,
      )}</tbody></table></div>
${moves.length > maxMoves ? html`<p class="note">The ${maxMoves} largest moves.</p>` : null}</section>`

/** Whether two evaluations of the same texts differed. */
const noiseText = ({ noise, noisy }: AuditContent): string =>
  noisy === 0
    ? "none: two evaluations of the same texts gave the same scores"
    : `two evaluations of the same texts differ in ${noisy} submissions, by up to ${noise.toFixed(1)}: compare moves with that`

const dateText = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`

/** Also of the exports. */
export const auditFacts = (audit: CounterfactualAudit): ReadonlyArray<AuditFact> => [
  ["Interview set", audit.names.set],
  ["Swapped", kindsText(audit.kinds)],
  ["Selection", audit.sample === null ? "all submissions with an evaluation" : "a random sample of them"],
  ["Evaluator", audit.evaluator],
  ["Begun (UTC)", audit.made_at],
  ["Ended (UTC)", audit.ended_at],
]

const summary = ({
  content,
  evaluator,
  sample,
  submissions,
}: CounterfactualAudit): ReadonlyArray<readonly [string, HtmlValue]> => [
  ["Evaluator", evaluator ?? "–"],
  [
    "Submissions",
    `${content.submissions}${content.submissions < submissions ? ` of ${submissions}` : ""}${sample === null ? "" : ", a random sample"}`,
  ],
  ...(content.not_computed === 0 ? [] : [["Not computed", String(content.not_computed)] as const]),
  ["Evaluations", String(content.evaluations)],
  ["Chance", content.submissions === 0 ? "–" : noiseText(content)],
]

const method = html`<section class="impact" aria-labelledby="method"><h2 id="method">Method</h2>
<ul>${methodTexts.map((text) => html`<li>${text}</li>\n`)}</ul>
<p>${legalNote}</p></section>`

const tables = ({ content, kinds }: CounterfactualAudit, isWhole: boolean): Html =>
  html`${swapKinds.filter((kind) => kinds.includes(kind)).map((kind) => kindTable(content, kind, isWhole))}
${requirementTable(content)}`

const resultText = ({ content }: CounterfactualAudit): Html => {
  const changed = content.swaps.filter((one) => one.changed > 0)
  if (content.submissions === 0) return html`<p>No submission has been evaluated yet.</p>`
  return changed.length === 0
    ? html`<p><strong>No score moved</strong> that should not have.</p>`
    : html`<p><strong>Scores moved</strong> with: ${changed.map(({ swap }) => swapLabel(swap)).join(", ")}.</p>`
}

export const auditPage = (
  member: Member,
  { audit, moves }: { readonly audit: CounterfactualAudit; readonly moves: ReadonlyArray<StoredMove> },
): Document => {
  const { id, made_at, names, state } = audit
  const isRunning = state === "running"
  return settingsPage(member, {
    title: `Counterfactual audit, ${names.set}`,
    section: "Counterfactual audit",
    back: { href: auditsHref, name: "Counterfactual audit" },
    main: html`<header class="lead"><h1>Counterfactual audit</h1>
<p class="welcome"><bdi>${names.set}</bdi></p></header>
<div id="audit"${isRunning ? html` data-refresh` : null}>
${factList([
  ["State", stateLabels[state]],
  ...summary(audit),
  ["Begun", html`${moment(made_at, "short")} by <bdi>${names.member}</bdi>`],
])}
${resultText(audit)}
</div>
${
  isRunning
    ? html`<form method="post" action="${auditHref(id)}/cancel" class="actions spaced"><button class="secondary">Cancel</button></form>`
    : html`<p class="actions spaced"><a class="button secondary" href="${auditHref(id)}/csv">Download as CSV</a>
<a class="button secondary" href="${auditHref(id)}/annex">Annex to print</a>
<a class="button secondary" href="${auditHref(id)}/delete">Delete</a></p>
${tables(audit, false)}
${moveTable(audit, moves)}`
}
${method}`,
  })
}

/** Without names and without references to submissions. */
export const annexPage = (member: Member, audit: CounterfactualAudit): Document => {
  const { ended_at, id, made_at, names, state } = audit
  return settingsPage(member, {
    title: `Annex: counterfactual audit, ${names.set}`,
    section: "Counterfactual audit",
    back: { href: auditHref(id), name: "Audit" },
    main: html`<header class="lead"><h1>Annex: counterfactual audit</h1>
<p class="welcome">To print, or to save as PDF, with your browser. It names no candidate and no member.</p></header>
${factList([
  ["Interview set", html`<bdi>${names.set}</bdi>`],
  ["Swapped", kindsText(audit.kinds)],
  ...summary(audit),
  ["Begun", dateText(made_at)],
  ["Ended", ended_at === null ? "–" : `${dateText(ended_at)}, ${stateLabels[state]}`],
])}
${resultText(audit)}
${tables(audit, true)}
${method}`,
  })
}

export const deleteAuditPage = (member: Member, { id, names }: CounterfactualAudit): Document =>
  settingsPage(member, {
    title: "Delete the audit?",
    section: "Counterfactual audit",
    back: { href: auditHref(id), name: "Audit" },
    main: html`<h1>Delete the audit?</h1>
<p>The audit of <bdi>${names.set}</bdi> is deleted with all its numbers. The audit log keeps that it was made.</p>
${confirmForm({ action: `${auditHref(id)}/delete`, label: "Delete", cancelHref: auditHref(id) })}`,
  })

const quoteList = (title: string, quotes: ReadonlyArray<string>): Html =>
  html`<p class="quiet">${title}</p>
${quotes.length === 0 ? html`<p class="note">No quote.</p>` : quotes.map((quote) => html`<blockquote dir="auto">${quote}</blockquote>\n`)}`

const moveSection = (
  { after, before, is_asked, requirement_id, title }: StoredMove,
  reasons: NonNullable<ExplainedMove["reasons"]> | undefined,
): Html => {
  const of = (result: NonNullable<ExplainedMove["reasons"]>["before"] | undefined) =>
    result?.criteria.find((criterion) => criterion.requirement_id === requirement_id)
  const [one, other] = [of(reasons?.before), of(reasons?.after)]
  return html`<section class="made"><h2><bdi>${title}</bdi></h2>
<p>${scoreText(before)} <span aria-hidden="true">→</span><span class="unseen">, then</span> <b>${scoreText(after)}</b>${is_asked ? html` <span class="quiet">The requirement names what was swapped.</span>` : null}</p>
${
  one === undefined || other === undefined
    ? null
    : html`${quoteList(
        `Before: ${one.rationale}`,
        one.evidence.map(({ quote }) => quote),
      )}${quoteList(
        `After: ${other.rationale}`,
        other.evidence.map(({ quote }) => quote),
      )}`
}</section>`
}

/** Why a score moved; holds texts of a candidate. */
export const movePage = (member: Member, { audit, moves, reasons, submission, swap }: ExplainedMove): Document =>
  settingsPage(member, {
    title: `${swapLabel(swap)} – Counterfactual audit`,
    section: "Counterfactual audit",
    back: { href: auditHref(audit.id), name: "Audit" },
    main: html`<header class="lead"><h1>${swapLabel(swap)}</h1>
<p class="welcome"><a href="/submissions/${submission}">The submission</a> with another hint. It holds the candidate's words, computed again now;
they are not part of the audit.</p></header>
${
  reasons === undefined
    ? html`<p class="empty">The sentences cannot be shown: the candidate's texts were deleted or changed, or the evaluator is unavailable.</p>`
    : html`<section class="made" aria-labelledby="sentences"><h2 id="sentences">Sentences that the swap changed</h2>
<table class="ratios"><thead><tr><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>${reasons.sentences.map(
        ({ after, before }) =>
          html`<tr><td data-name="Before" dir="auto">${before}</td><td data-name="After" dir="auto">${after}</td></tr>\n`,
      )}</tbody></table></section>`
}
${moves.map((move) => moveSection(move, reasons))}`,
  })
