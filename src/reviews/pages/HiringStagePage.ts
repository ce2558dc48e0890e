/** Settings → Organization → Hiring stages. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  selectField,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { icon } from "../../platform/http/Icons.ts"
import type { Decision } from "../../submissions/Decision.ts"
import { type BoardColumn, type HiringStage, stageLimits } from "../../submissions/HiringStage.ts"
import type { CountedStage } from "../../submissions/HiringStageRepository.ts"
import { columnNames, decisionNames, stageEffects } from "../../submissions/pages/SubmissionLabels.ts"

export const stagesHref = "/settings/stages"

export const stageHref = (id: string): string => `${stagesHref}/${id}`

const section = "Hiring stages"

export interface StageForm {
  readonly name: string
  /** Empty: none. */
  readonly decision: string
  readonly errors: FieldErrors
}

const fields = ({ decision, errors, name }: StageForm): Html => html`${field({
  name: "name",
  label: "Name",
  value: name,
  errors,
  isRequired: true,
  hint: `At most ${stageLimits.name} characters, such as “Phone call”. Candidates do not see it.`,
})}
${selectField({
  name: "decision",
  label: "Decision",
  value: decision,
  errors,
  isRequired: true,
  hint: "Made about each candidate who is moved to the stage.",
  options: [["", "None"], ...Object.entries(decisionNames)],
})}`

const effectClasses: Readonly<Record<Decision, string>> = { advance: "tag on", hold: "tag", reject: "tag bad" }

/** What a move to the stage does to the candidate. */
const effectTag = (decision: Decision): Html =>
  html`<span class="${effectClasses[decision]}">${stageEffects[decision]}</span>`

const candidatesText = (count: number): string => countText(count, "candidate", "candidates")

const exchangeButton = (
  one: HiringStage | undefined,
  other: HiringStage | undefined,
  moved: HiringStage,
): Html | null =>
  one === undefined || other === undefined
    ? null
    : html`<form method="post" action="${stagesHref}/exchange" class="${moved.id === other.id ? "up" : "down"}"><input type="hidden" name="before" value="${one.id}"><input type="hidden" name="after" value="${other.id}"><button class="secondary square" title="${moved.id === other.id ? "Move up" : "Move down"}">${icon(moved.id === other.id ? "chevron-up" : "chevron-down")}<span class="unseen">${moved.id === other.id ? "Move up" : "Move down"}: ${moved.name}</span></button></form>`

const stageRow = (stage: CountedStage, index: number, stages: ReadonlyArray<CountedStage>): Html =>
  html`<li class="stage-row"><span class="stage-name"><a href="${stageHref(stage.id)}" dir="auto">${stage.name}</a> ${stage.decision === null ? null : effectTag(stage.decision)}</span>
<span class="quiet">${candidatesText(stage.candidates)}</span>
<span class="stage-order">${exchangeButton(stages[index - 1], stage, stage)}${exchangeButton(stage, stages[index + 1], stage)}</span></li>
`

const fixedRow = (column: BoardColumn): Html =>
  html`<li class="stage-row fixed">${columnNames[column]}</li>
`

/** `id` of the new stage: a form sent twice adds one. */
export const stageListPage = (
  member: Member,
  stages: ReadonlyArray<CountedStage>,
  { form, id, notice }: { readonly id: string; readonly form: StageForm; readonly notice: Notice | undefined },
): Document =>
  settingsPage(member, {
    title: hasErrors(form.errors) ? "Not added – Hiring stages" : section,
    section,
    notice,
    main: html`<header class="lead"><h1>Hiring stages</h1>
<p class="welcome">What follows the interview in your organization, in order. They are the columns of the board after “To review”, for all interview sets. Grey columns are fixed.</p></header>
${
  stages.length === 0
    ? html`<p class="empty">No stages yet. The board shows candidates by what they have done.</p>`
    : html`<ul class="rows stages">
${(["invited", "in_progress", "to_review"] as const).map(fixedRow)}${stages.map(stageRow)}${fixedRow("ended")}</ul>`
}
<section class="apart" aria-labelledby="add"><h2 id="add">Add a stage</h2>
${errorSummary(form.errors, "The stage was not added.")}
<form method="post" action="${stagesHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}">
${fields(form)}
<p class="actions"><button class="primary">Add stage</button></p>
</form></section>`,
  })

/** Fields with what the form showed, which detects a change by another member meanwhile. */
const seenFields = ({ decision, name }: HiringStage): Html =>
  html`<input type="hidden" name="seen_name" value="${name}"><input type="hidden" name="seen_decision" value="${decision ?? ""}">`

const archiveForm = (stage: CountedStage, stages: ReadonlyArray<CountedStage>): Html => {
  const targets = stages.filter((one) => one.id !== stage.id && one.decision === null)
  return html`<section class="apart" aria-labelledby="archive"><h2 id="archive">Archive the stage</h2>
<form method="post" action="${stageHref(stage.id)}/archive" class="fields" novalidate>
${
  stage.candidates === 0
    ? html`<p class="note">No candidate is in this stage. It disappears from the board; the timeline and the audit log keep its name.</p>`
    : html`<p>${candidatesText(stage.candidates)} ${stage.candidates === 1 ? "is" : "are"} in this stage. Their decisions stay.</p>
${selectField({
  name: "into",
  label: "They go to",
  value: "",
  errors: {},
  isRequired: true,
  options: [
    ["", "No stage: the column of what they have done"],
    ...targets.map(({ id, name }) => [id, cut(name, 60)] as const),
  ],
})}`
}
<p class="actions"><button class="danger">Archive stage</button></p></form></section>`
}

export const stagePage = (
  member: Member,
  { stage, stages }: { readonly stage: CountedStage; readonly stages: ReadonlyArray<CountedStage> },
  form: StageForm,
  notice: Notice | undefined,
): Document =>
  settingsPage(member, {
    title: `${hasErrors(form.errors) ? "Not saved – " : ""}${cut(stage.name, 100)}`,
    section,
    back: { href: stagesHref, name: "Hiring stages" },
    notice,
    main: html`<header class="lead"><h1 dir="auto">${stage.name}</h1>
<p class="about">${candidatesText(stage.candidates)}${stage.candidates === 0 ? null : html` <a href="/submissions?stage=${stage.id}">Show in the list</a>`}</p></header>
${errorSummary(form.errors, "The stage was not saved.")}
<form method="post" action="${stageHref(stage.id)}" class="fields" novalidate>
${seenFields(stage)}
${fields(form)}
<p class="actions"><button class="primary">Save stage</button></p>
</form>
${archiveForm(stage, stages)}`,
  })
