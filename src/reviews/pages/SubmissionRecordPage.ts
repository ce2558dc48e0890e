/** The printable record of one submission: what each signed entry says, then its fields as they were signed. */
import { Option, Schema } from "effect"
import type { Member } from "../../accounts/members/Member.ts"
import { workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import { type Criterion, EvaluationResult, EvaluationType, isByKeywords } from "../../evaluations/Evaluation.ts"
import { Override } from "../../evaluations/Override.ts"
import { countOutcomes, outcomeOf } from "../../evaluations/Score.ts"
import { byImportance, importanceOf } from "../../interview-sets/Importance.ts"
import type { NoticeContent } from "../../notices/NoticeContent.ts"
import { noticeBody } from "../../notices/pages/NoticeText.ts"
import type { Document } from "../../platform/http/Document.ts"
import { noticeBox } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { hashText, waitingText } from "../../record/pages/DecisionRecordPage.ts"
import type { EntryKind, SealedEntry } from "../../record/RecordEntry.ts"
import type { SubmissionRecord } from "../../record/RecordExports.ts"
import type { RecordedNotice } from "../../record/RecordRepository.ts"
import { Decision } from "../../submissions/Decision.ts"
import { capitalized, decidedNames, scoreText } from "../../submissions/pages/SubmissionLabels.ts"
import { evaluatorName } from "./SubmissionView.ts"

export const submissionRecordHref = (submission: string): string => `/submissions/${submission}/record`

const kindNames: Readonly<Record<EntryKind, string>> = {
  evaluation: "Evaluation",
  override: "Override of a score",
  decision: "Decision",
}

const evaluated: Readonly<Record<EvaluationType, string>> = {
  holistic: "the CV and the interview",
  interview: "the interview",
  cv: "the CV",
}

// Entries are stored as they were signed. One that an earlier version wrote with other fields has only its fields shown.
const readEvaluation = Schema.decodeUnknownOption(
  Schema.Struct({
    facts: Schema.Struct({
      type: EvaluationType,
      attempt: Schema.Int,
      evaluator: Schema.NullOr(Schema.String),
      model: Schema.NullOr(Schema.String),
    }),
    content: Schema.Struct({ result: EvaluationResult, override: Schema.NullOr(Override) }),
  }),
)
const readOverride = Schema.decodeUnknownOption(
  Schema.Struct({
    facts: Schema.Struct({ type: EvaluationType, by: Schema.String }),
    content: Schema.Struct({ before: Schema.NullOr(Override), after: Schema.NullOr(Override) }),
  }),
)
const decided = { decision: Schema.NullOr(Decision), reason: Schema.NullOr(Schema.String) }
const readDecision = Schema.decodeUnknownOption(
  Schema.Struct({
    facts: Schema.Struct({ is_undo: Schema.Boolean }),
    content: Schema.Struct({
      before: Schema.Struct(decided),
      after: Schema.Struct({ ...decided, decided_by: Schema.Struct({ name: Schema.String }) }),
    }),
  }),
)

const quoted = (reason: string | null): Html | null =>
  reason === null || reason === "" ? null : html`<blockquote class="written" dir="auto">${reason}</blockquote>`

const requirement = (criterion: Criterion): Html => {
  const outcome = outcomeOf(criterion.score)
  const { name } = importanceOf(criterion.cfg_importance_id)
  return html`<li><h3 dir="auto">${criterion.title}</h3>
<p class="rating"><strong class="tag ${outcome.replaceAll(" ", "-")}">${capitalized(outcome)}</strong> ${criterion.score === null ? null : html`<span><b>${scoreText(criterion.score)}</b> out of 10 ·</span> `}<span>${name}</span></p>
<p dir="auto">${criterion.rationale}</p>
${criterion.evidence.map(({ quote }) => html`<blockquote dir="auto">${quote}</blockquote>\n`)}</li>
`
}

const overrideText = (override: Override): Html =>
  html`<p><b>${scoreText(override.score)}</b> out of 10 by <bdi>${override.member.name}</bdi>, with the reason:</p>
${quoted(override.reason)}`

const evaluationMeaning = (found: SealedEntry["entry"]["facts"], content: unknown): Html | null => {
  const read = Option.getOrUndefined(readEvaluation({ facts: found, content }))
  if (read === undefined) return null
  const { attempt, evaluator, model, type } = read.facts
  const { override, result } = read.content
  const { criteria, score, score_status, summary, warnings = [] } = result
  const isRepeated = isByKeywords(evaluator) || type === "holistic" || score_status !== "scored"
  const by = [
    evaluatorName(evaluator),
    isByKeywords(evaluator) ? ` (${evaluator})` : "",
    model === null ? "" : ` with ${model}`,
  ].join("")
  const verdict =
    score === null
      ? html`<b>${score_status === "cannot_evaluate" ? "Cannot be evaluated" : "Not scored"}</b>`
      : html`<b>${scoreText(score)} out of 10</b>`
  return html`<p class="said">${verdict} for ${evaluated[type]}${attempt > 1 ? `, attempt ${attempt}` : null}, by ${by}. ${criteria.length === 0 ? "The interview set had no requirements." : html`Requirements: ${countOutcomes(criteria)}.`}</p>
${isRepeated ? null : html`<p class="written" dir="auto">${summary}</p>`}
${warnings.map(({ message }) => html`<p class="note">${message}</p>\n`)}${
  override === null
    ? null
    : html`<div class="former"><h3>Override that is kept</h3>
${overrideText(override)}</div>`
}
${criteria.length === 0 ? null : html`<ol class="record-ratings">${byImportance(criteria).map(requirement)}</ol>`}`
}

const overrideMeaning = (
  found: SealedEntry["entry"]["facts"],
  content: unknown,
  members: SubmissionRecord["members"],
): Html | null => {
  const read = Option.getOrUndefined(readOverride({ facts: found, content }))
  if (read === undefined) return null
  const { after, before } = read.content
  const name = after?.member.name ?? members.get(read.facts.by) ?? "A member"
  const former =
    before === null
      ? null
      : html`<div class="former"><h3>Before</h3>
${overrideText(before)}</div>`
  if (after === null)
    return html`<p class="said"><b><bdi>${name}</bdi></b> removed the override for ${evaluated[read.facts.type]}. The evaluator's score counts again.</p>
${former}`
  return html`<p class="said"><b><bdi>${name}</bdi></b> overrode the score for ${evaluated[read.facts.type]}: <b>${scoreText(after.score)} out of 10</b></p>
${quoted(after.reason)}
${former ?? html`<p class="note">Before: the evaluator's score.</p>`}`
}

const decisionMeaning = (found: SealedEntry["entry"]["facts"], content: unknown): Html | null => {
  const read = Option.getOrUndefined(readDecision({ facts: found, content }))
  if (read === undefined) return null
  const { after, before } = read.content
  const name = html`<b><bdi>${after.decided_by.name}</bdi></b>`
  const outcome = after.decision === null ? "No decision" : decidedNames[after.decision]
  const deed = read.facts.is_undo
    ? html`${name} undid the last decision. Now: <b>${outcome}</b>`
    : after.decision === null
      ? html`${name} <b>cleared the decision</b>`
      : html`${name} decided: <b>${outcome}</b>`
  return html`<p class="said">${deed}</p>
${quoted(after.reason)}
${
  before.decision === null
    ? html`<p class="note">Before: no decision.</p>`
    : html`<div class="former"><h3>Before</h3>
<p>${decidedNames[before.decision]}</p>
${quoted(before.reason)}</div>`
}`
}

const meaningOf = ({ content, entry }: SealedEntry, members: SubmissionRecord["members"]): Html | null => {
  if (entry.kind === "evaluation") return evaluationMeaning(entry.facts, content)
  return entry.kind === "override"
    ? overrideMeaning(entry.facts, content, members)
    : decisionMeaning(entry.facts, content)
}

const fieldNames: Readonly<Record<string, string>> = {
  by: "Member",
  cfg_importance_id: "Importance",
  is_undo: "Undo",
  is_withdrawn: "Removed",
}

const label = (name: string): string =>
  fieldNames[name] ?? capitalized(name.replaceAll("_", " ").replace(/^cv\b/, "CV"))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Null, "", and lists and objects with nothing else. */
const isEmpty = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isEmpty)
  return isObject(value) ? Object.values(value).every(isEmpty) : value === null || value === undefined || value === ""
}

/** A name or title first, then what is on one line, then lists. */
const placeOf = ([name, value]: readonly [string, unknown]): number => {
  if (name === "title" || name === "name") return 0
  return typeof value === "object" ? 2 : 1
}

/** Any value of an entry, with the names of its fields, so that a new field is shown too. */
const valueOf = (value: unknown, name?: string): Html => {
  if (Array.isArray(value)) {
    return html`<ul>${value.map((one: unknown) => html`<li>${valueOf(one)}</li>\n`)}</ul>`
  }
  if (isObject(value)) return fields(value)
  if (name === "cfg_importance_id") return html`${String(value)} (${importanceOf(value).name})`
  if (typeof value === "boolean") return html`${value ? "yes" : "no"}`
  return html`<span dir="auto">${String(value)}</span>`
}

const fields = (record: Readonly<Record<string, unknown>>): Html => {
  const filled = Object.entries(record).filter(([, value]) => !isEmpty(value))
  const ordered = filled.toSorted((one, other) => placeOf(one) - placeOf(other))
  return html`<dl class="signed">${ordered.map(([name, value]) => html`<div><dt>${label(name)}</dt><dd>${valueOf(value, name)}</dd></div>\n`)}</dl>`
}

const entrySection = (sealed: SealedEntry, members: SubmissionRecord["members"]): Html => {
  const { content, entry, hash, signature } = sealed
  const meaning = meaningOf(sealed, members)
  return html`<section class="card record-entry" aria-labelledby="entry-${entry.number}"><h2 id="entry-${entry.number}">${kindNames[entry.kind]} <span class="quiet">${moment(new Date(entry.at), "short")} · entry ${entry.number}</span></h2>
${content === null ? html`<p>The content was erased with the candidate's personal data. The chain still has its hash.</p>` : meaning}
<details${content !== null && meaning === null ? html` open` : null}><summary>All fields</summary>
${fields(entry.facts)}
${content === null ? null : fields(content)}
<p class="note">Hash ${hashText(hash)}<br>
Key ${hashText(entry.key)}<br>
Signature <code class="hash">${signature.match(/.{1,8}/g)?.map((group) => html`${group}<wbr>`) ?? ""}</code></p></details></section>
`
}

/** Contents have the fields of NoticeContent, as they were given. */
const isContent = (content: unknown): content is NoticeContent =>
  isObject(content) && typeof content["contact"] === "string" && isObject(content["kept"])

const noticeSection = (member: Member, { content, given_at, hash, over_at }: RecordedNotice, at: number): Html => {
  const period = over_at === null ? null : html` The days of notice are over ${moment(over_at, "short")}.`
  return html`<section class="card record-entry" aria-labelledby="notice-${at}"><h2 id="notice-${at}">Notice to the candidate <span class="quiet">${moment(given_at, "short")}</span></h2>
<p class="said">Given with the invitation.${period}</p>
<details${isContent(content) ? null : html` open`}><summary>What it says</summary>
${isContent(content) ? noticeBody("en", member.organizationName, content, 3) : fields(content)}
<p class="note">Hash ${hashText(hash)}</p></details></section>
`
}

export const submissionRecordPage = (
  member: Member,
  submission: string,
  { entries, interview, members, name, notices, waiting }: SubmissionRecord,
  refusal: string | undefined,
): Document => {
  const shown = name === "" ? "a candidate without a name" : name
  return {
    ...workspacePage(member, {
      title: `${refusal === undefined ? "" : "Not exported – "}Record of ${shown}`,
      place: "Submissions",
      width: "wide",
      main: html`<nav aria-label="Up"><a class="back" href="/submissions/${submission}"><span aria-hidden="true">← </span>Submission</a></nav>
${noticeBox(refusal === undefined ? undefined : { text: `Not exported: ${refusal}.`, isError: true })}
<div class="record"><header class="lead"><h1>Record of <bdi>${shown}</bdi></h1>
<p><bdi>${interview}</bdi></p>
<p class="note">Submission <code>${submission}</code></p></header>
${waitingText(waiting)}
${notices.map((notice, at) => noticeSection(member, notice, at + 1))}
${
  entries.length === 0
    ? html`<p class="empty">The record has no entries about this submission yet. The first follows its evaluation, or a decision.</p>`
    : null
}
${
  entries.length === 0 && notices.length === 0
    ? null
    : html`<form method="post" action="${submissionRecordHref(submission)}/export" class="save-record"><button class="secondary">Download as JSON</button>
<p class="note">With the evaluated texts, signatures and public keys, for <code>interview-invitations record verify</code>. To save this page
as a PDF, print it.</p></form>
${entries.map((entry) => entrySection(entry, members))}`
}</div>`,
    }),
    styles: ["icons.css", "workspace.css", "settings.css", "records.css"],
    scripts: ["time.js", "settings.js"],
  }
}
