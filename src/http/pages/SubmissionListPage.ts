/** The submissions that a member may see, newest first. */
import type { Member } from "../../domain/Member.ts"
import type { Page } from "../../domain/Page.ts"
import type { SubmissionSummary } from "../../domain/SubmissionDetail.ts"
import { html } from "../../service/Html.ts"
import type { Document } from "./Document.ts"
import { moment } from "./Parts.ts"
import { nameOf, scoreText, statusName } from "./submission/Words.ts"
import { workspacePage } from "./WorkspaceParts.ts"

const figure = ({ score, score_status }: SubmissionSummary) => {
  if (score !== null) return html`<span class="figure">${scoreText(score)}<span class="unseen"> out of 10</span></span>`
  return score_status === "cannot_evaluate" ? html`<span class="quiet">Cannot be evaluated</span>` : null
}

/** `isFirst`: the newest ones are on it. */
export const submissionListPage = (
  member: Member,
  { next_cursor, results }: Page<SubmissionSummary>,
  isFirst: boolean,
): Document =>
  workspacePage(member, {
    title: "Submissions",
    place: "Submissions",
    wide: true,
    main: html`<header class="lead"><h1>Submissions</h1>
${member.role === "recruiter" ? html`<p class="welcome">Of the interviews whose access list names you.</p>` : null}</header>
${
  results.length === 0
    ? html`<p class="empty">${
        isFirst
          ? member.role === "recruiter"
            ? "There is nothing for you to read yet."
            : html`Nobody was invited yet. Your hiring system invites candidates through <a href="/docs">the API</a>.`
          : "There are no older submissions."
      }</p>`
    : html`<ul class="rows submissions">
${results.map(
  (one) => html`<li><a class="row" href="/submissions/${one.id}">
<span class="row-head"><span class="row-name" dir="auto">${nameOf(one.candidate)}</span>${figure(one)}</span>
<span class="row-head"><span class="row-text"><bdi>${one.interview_set.title}</bdi> <span class="tag">${statusName(one.status_text, one.declined_at)}</span></span>${moment(new Date(one.created_at), "short")}</span></a></li>`,
)}
</ul>`
}
<nav class="pager" aria-label="Pages">${isFirst ? null : html`<a class="button secondary" href="/submissions">Newest</a>`}${
      next_cursor === null
        ? null
        : html` <a class="button secondary" href="/submissions?cursor=${next_cursor}">Older</a>`
    }</nav>`,
  })
