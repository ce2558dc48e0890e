/** The pages of test mode: what it is, and its mailbox. */
import type { Member } from "../../accounts/members/Member.ts"
import { may } from "../../accounts/Permissions.ts"
import { testModeHref, workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import type { EmailRow } from "../../emails/EmailRepository.ts"
import type { Document } from "../../platform/http/Document.ts"
import { confirmForm, type Notice, noticeBox } from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { ListedMail } from "../TestMailRepository.ts"
import { mailView } from "./MailView.ts"

export const emptyHref = `${testModeHref}/empty` as const

export const mailHref = `${testModeHref}/mail` as const

const counting =
  "Reading an email here and following its links counts as opened and clicked, as an email provider reports it."

interface MailboxView {
  readonly emails: ReadonlyArray<ListedMail>
  readonly hasMore: boolean
  /** Of the page, from 1. */
  readonly number: number
  readonly notice: Notice | undefined
}

export const testModePage = (member: Member, { emails, hasMore, notice, number }: MailboxView): Document =>
  workspacePage(member, {
    title: "Test mode",
    place: "Test mode",
    width: "wide",
    main: html`${noticeBox(notice)}<header class="lead"><h1>Test mode</h1>
<p class="welcome">What is done here stays here: no email is sent, and hiring systems and channels get nothing. Webhooks are sent,
as in live mode. <a href="/docs/test-mode">How test mode works</a></p></header>
<section class="apart" aria-labelledby="mailbox"><h2 id="mailbox">Mailbox</h2>
<p class="note">Emails to candidates and members are stored here instead of being sent. ${counting}</p>
${
  emails.length === 0
    ? html`<p class="empty">${number > 1 ? "No more emails." : "No emails yet. Invite a candidate, and the invitation appears here within seconds."}</p>`
    : html`<ul class="rows">
${emails.map(
  (email) => html`<li><a class="row" href="${mailHref}/${email.id}">
<span class="row-head"><span class="row-name" dir="auto">${email.recipient}</span>${moment(email.sent_at, "exact")}</span>
<span class="row-text" dir="auto">${email.subject}</span></a></li>
`,
)}</ul>`
}
${
  number === 1 && !hasMore
    ? null
    : html`<nav class="pager" aria-label="Pages">${number > 1 ? html`<a class="button secondary" href="${testModeHref}?page=${number - 1}">Newer</a>` : null}
${hasMore ? html`<a class="button secondary" href="${testModeHref}?page=${number + 1}">Older</a>` : null}</nav>`
}</section>
${
  may(member, "emptyTestMode")
    ? html`<section class="apart" aria-labelledby="empty"><h2 id="empty">Empty test mode</h2>
<p class="note">Deletes all candidates, interview sets, projects, events and emails of test mode. API keys, webhooks and settings stay.</p>
<p><a class="button secondary danger" href="${emptyHref}">Empty test mode…</a></p></section>`
    : null
}`,
  })

export const emptyPage = (member: Member): Document =>
  workspacePage(member, {
    title: "Empty test mode?",
    place: "Test mode",
    width: "wide",
    main: html`<nav aria-label="Up"><a class="back" href="${testModeHref}"><span aria-hidden="true">← </span>Test mode</a></nav>
<div class="notice"><h1>Empty test mode?</h1>
<p>All candidates, interview sets, projects, submissions, events and emails of test mode are deleted, also addresses that get no more
emails, notices to candidates, saved views and logged requests. API keys, webhooks, settings and the audit log stay.
Live data is not touched. This cannot be undone. <a href="/docs/test-mode#empty-test-mode">The whole list</a></p>
${confirmForm({ action: emptyHref, label: "Empty test mode", cancelHref: testModeHref })}</div>`,
  })

/** In live mode. */
export const enterTestModePage = (member: Member, notice: Notice | undefined): Document =>
  workspacePage(member, {
    title: "Test mode",
    place: "Test mode",
    width: "wide",
    main: html`${noticeBox(notice)}<header class="lead"><h1>Test mode</h1>
<p class="welcome">A space beside your organization for trying the API and the workspace. It has its own API keys, interview sets,
candidates and webhooks. No email is sent, and hiring systems and channels get nothing. <a href="/docs/test-mode">How test mode
works</a></p></header>
<form method="post" action="${testModeHref}/enter"><button class="primary">Enter test mode</button></form>`,
  })

export const testMailPage = (
  member: Member,
  email: EmailRow,
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): Document =>
  workspacePage(member, {
    title: email.subject,
    place: "Test mode",
    width: "wide",
    main: html`<nav aria-label="Up"><a class="back" href="${testModeHref}"><span aria-hidden="true">← </span>Mailbox</a></nav>
${mailView(email, headers, mailHref)}`,
  })
