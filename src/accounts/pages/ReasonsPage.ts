/** Settings → Organization → Reasons. */
import type { Document } from "../../platform/http/Document.ts"
import { errorSummary, type FieldErrors, hasErrors, type Notice, textarea } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { Member } from "../members/Member.ts"
import { reasonLimits } from "../Reasons.ts"
import { settingsPage } from "./WorkspacePage.ts"

export const reasonsHref = "/settings/reasons"

export const reasonLabels = { reject_reasons: "The list", decline_reasons: "The list" }

/** Texts with one reason a line; `seen…` as they were when the form was opened. */
export interface ReasonsForm {
  readonly reject: string
  readonly decline: string
  readonly seenReject: string
  readonly seenDecline: string
  readonly errors: FieldErrors
}

const suggested = {
  reject: ["Lacks required experience", "Answers were too short", "Pay expectation", "Another candidate was chosen"],
  decline: [
    "I have accepted another offer",
    "The role does not fit me",
    "I do not have the time",
    "The pay does not fit",
  ],
} as const

/** Buttons that add a line, where scripts run; those in the list already are left out. */
const suggestions = (field: string, text: string, all: ReadonlyArray<string>): Html => {
  const lines = text.split("\n").map((line) => line.trim().toLowerCase())
  const open = all.filter((one) => !lines.includes(one.toLowerCase()))
  return html`<div class="chips" role="group" aria-label="Suggestions">${open.map((one) => html`<button type="button" class="secondary" data-adds-to="${field}" hidden>${one}</button>\n`)}</div>`
}

export const reasonsPage = (
  member: Member,
  { decline, errors, reject, seenDecline, seenReject }: ReasonsForm,
  notice: Notice | undefined,
): Document =>
  settingsPage(member, {
    title: hasErrors(errors) ? "Not saved – Reasons" : "Reasons",
    section: "Reasons",
    notice,
    main: html`<header class="lead"><h1>Reasons</h1>
<p class="welcome">Reasons to choose from. Another reason can be written instead, and none is required.</p></header>
${errorSummary(errors, "Nothing was saved.")}
<form method="post" action="${reasonsHref}" class="fields" novalidate>
<input type="hidden" name="seen_reject" value="${seenReject}"><input type="hidden" name="seen_decline" value="${seenDecline}">
${textarea({ name: "reject_reasons", label: "Reasons for rejecting a candidate", value: reject, errors, isList: true, placeholder: suggested.reject.slice(0, 2).join("\n"), hint: `Offered to members; candidates do not see them. At most ${reasonLimits.count}, each of ${reasonLimits.length} characters.` })}
${suggestions("reject_reasons", reject, suggested.reject)}
${textarea({ name: "decline_reasons", label: "Reasons for declining an interview", value: decline, errors, isList: true, placeholder: suggested.decline.slice(0, 2).join("\n"), hint: "Offered to candidates, as you write them here. Use words that all of your candidates understand." })}
${suggestions("decline_reasons", decline, suggested.decline)}
<p class="actions"><button class="primary">Save reasons</button></p>
</form>`,
  })
