/** Comments on a submission and its answers. */
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import { describedBy, errorText } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxComment } from "../Comment.ts"
import type { CommentRow } from "../CommentRepository.ts"
import type { SubmissionComments } from "../Comments.ts"
import { answerId, type CommentForm, formHref, pageHref, type SubmissionView } from "./SubmissionView.ts"

/** Characters of a question's title in a choice. */
const maxTitle = 80

const titleOf = ({ facts }: SubmissionView, question: string): string => {
  const index = facts.questions.findIndex((one) => one.question_id === question)
  const title = (facts.questions[index]?.title ?? facts.contents[question] ?? "").trim()
  const text = title === "" ? `Question ${index + 1}` : title
  return text.length > maxTitle ? `${text.slice(0, maxTitle - 1)}…` : text
}

/** Where the comment is about: an answer of the newest attempt, which has a place on the page. */
const aboutOf = (view: SubmissionView, question: string): Html => {
  const answer = view.detail.answers.findLast((one) => one.question_id === question)
  const title = html`<bdi>${titleOf(view, question)}</bdi>`
  return answer === undefined
    ? html` on ${title}`
    : html` on <a href="#${answerId(answer.attempt, question)}">${title}</a>`
}

const textField = (id: string, label: string, form: Pick<CommentForm, "text" | "errors">): Html => {
  const own = form.errors["text"] === undefined ? {} : { [id]: form.errors["text"] }
  return html`<label for="${id}" class="unseen">${label}</label>
<textarea id="${id}" name="text" maxlength="${maxComment}" required dir="auto"${describedBy(id, own, null)}>
${form.text}</textarea>${errorText(id, own)}`
}

/** The parameters of the shown page of comments: a refused form shows it again. */
const shownPage = ({ comments }: SubmissionView, page = comments?.number ?? 1) => ({
  about: comments?.about,
  comments: page === 1 ? undefined : String(page),
})

const changeForm = (view: SubmissionView, one: CommentRow, number: number): Html => {
  const refused = view.comment?.id === one.id ? view.comment : undefined
  return html`<details${refused === undefined ? null : html` open`}><summary>Change<span class="unseen"> comment ${number}</span></summary>
<form method="post" action="${formHref(view, "comments/change", view.base, shownPage(view))}" class="fields" novalidate><input type="hidden" name="comment" value="${one.id}"><input type="hidden" name="changes" value="${one.changes}">
${textField(`comment-${number}`, `Comment ${number}`, refused ?? { text: one.text, errors: {} })}
<p class="actions"><button class="secondary">Save comment</button> <button class="link" name="do" value="delete">Delete comment</button></p></form></details>`
}

const entry = (view: SubmissionView, one: CommentRow, number: number): Html =>
  html`<li id="comment-at-${number}"><p class="note"><strong><bdi>${one.member.name}</bdi></strong>${one.question_id === null ? null : aboutOf(view, one.question_id)}, ${moment(new Date(one.created_at), "short")}${one.changed_at === null ? null : ", changed"}</p>
<p class="written" dir="auto">${one.text}</p>
${one.member.id === view.readBy && !view.facts.is_erased ? changeForm(view, one, number) : null}</li>\n`

/** Null without colleagues who see comments. */
const mentionHint = ({ reviews }: SubmissionView): Html | null => {
  const colleague = reviews.colleagues.find(({ role }) => role !== "reviewer")
  return colleague === undefined
    ? null
    : html`<p class="note">A colleague whose name you write after an @ gets an email, such as <bdi>@${colleague.name}</bdi>.</p>`
}

const addForm = (view: SubmissionView): Html => {
  const { about, comment, facts, newComment } = view
  const isOfAnother = comment?.id !== undefined && view.comments?.rows.some(({ id }) => id === comment.id)
  const form = comment === undefined || isOfAnother ? { about, text: "", errors: {} } : comment
  return html`<form method="post" action="${formHref(view, "comments")}" class="fields new-comment" novalidate><input type="hidden" name="id" value="${newComment}">
${textField("comment-text", "Comment", form)}
<div class="about-line">${
    facts.questions.length === 0
      ? null
      : html`<label for="comment-about">About</label>
<select id="comment-about" name="about" autocomplete="off"><option value="">The candidate</option>${facts.questions.map(({ question_id }) => html`<option value="${question_id}"${form.about === question_id ? html` selected` : null}>${titleOf(view, question_id)}</option>`)}</select>`
  }<button class="secondary">Add comment</button></div>
${mentionHint(view)}</form>`
}

/** False for readers who may not comment. */
export const hasComments = ({ comments, facts }: SubmissionView): boolean =>
  comments !== undefined && !(facts.is_erased && comments.total === 0)

/** Below an answer: how many comments it has, and the way to write one. */
export const commentsOfAnswer = (view: SubmissionView, question: string): Html | null => {
  const { comments, facts } = view
  if (!hasComments(view)) return null
  const count = comments?.counts.find(({ question_id }) => question_id === question)?.count
  return html`<p class="of-answer">${count === undefined ? null : html`<a href="${pageHref(view, { about: question })}#comments">${countText(count, "comment", "comments")}<span class="unseen"> on this answer</span></a> `}${
    facts.is_erased
      ? null
      : html`<a href="${pageHref(view, { about: question })}#comment-text" data-about="${question}">Comment<span class="unseen"> on this answer</span></a>`
  }</p>`
}

const otherPages = (view: SubmissionView, { number, pages }: SubmissionComments): Html | null => {
  const to = (page: number, name: string) =>
    html`<a href="${pageHref(view, shownPage(view, page))}#comments">${name}</a> `
  return pages === 1
    ? null
    : html`<p class="other-pages">${number < pages ? to(number + 1, "Earlier comments") : null}${number > 1 ? to(number - 1, "Later comments") : null}</p>`
}

/** Null for readers who may not comment. */
export const commentSection = (view: SubmissionView): Html | null => {
  const { comments, facts } = view
  if (comments === undefined || !hasComments(view)) return null
  const { about, rows, total } = comments
  return html`<section class="card comments" aria-labelledby="comments"><h2 id="comments">Comments${total === 0 ? null : html` <span class="total">${total}</span>`}</h2>
${about === undefined ? null : html`<p class="note">On the answer to “<bdi>${titleOf(view, about)}</bdi>”. <a href="${pageHref(view)}#comments">Show all comments</a></p>`}
${otherPages(view, comments)}
${rows.length === 0 ? null : html`<ol class="plain">${rows.map((one, index) => entry(view, one, index + 1))}</ol>`}
${facts.is_erased ? null : addForm(view)}</section>`
}
