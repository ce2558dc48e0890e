/** What a member sees in place of a page. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { Member } from "../Member.ts"
import { workspacePage } from "./WorkspaceParts.ts"

const notice = (member: Member, title: string, body: Html): Document =>
  workspacePage(member, {
    title,
    place: "Submissions",
    main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>${title}</h1>
${body}
<p><a class="button secondary" href="/submissions">All submissions</a></p></div>`,
  })

/** There is no such record in the member's organization. */
export const unknownRecordPage = (member: Member, record: string): Document =>
  notice(
    member,
    `There is no such ${record}`,
    html`<p>It may have been deleted, or it belongs to an organization that you are not signed in to. You are
<bdi>${member.email}</bdi>.</p>`,
  )

/** It is there, and not for this member. */
export const notAllowedPage = (member: Member, record: string): Document =>
  notice(
    member,
    `You may not see this ${record}`,
    html`<p>Recruiters see the interviews whose access list names them. Ask whoever made this one to add
<bdi>${member.email}</bdi>, or ask an owner or admin of your organization.</p>`,
  )

/** The form was larger than what is read. */
export const tooMuchPage = (member: Member): Document =>
  notice(member, "That was too much", html`<p>The form held more than this service reads. Go back and shorten it.</p>`)
