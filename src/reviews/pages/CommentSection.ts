/** Comments on a submission and its answers. */
import { describedBy, errorText } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxComment } from "../Comment.ts"
import type { CommentRow } from "../CommentRepository.ts"
import { answerId, type CommentForm, formHref, type SubmissionView } from "./SubmissionView.ts"

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
  const answer = view.detail.answers.find((one) => one.question_id === question)
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

const changeForm = (view: SubmissionView, one: CommentRow, number: number): Html => {
  const refused = view.comment?.id === one.id ? view.comment : undefined
  return html`<details${refused === undefined ? null : html` open`}><summary>Change<span class="unseen"> comment ${number}</span></summary>
<form method="post" action="${formHref(view, "comments/change")}" class="fields" novalidate><input type="hidden" name="comment" value="${one.id}"><input type="hidden" name="changes" value="${one.changes}">
${textField(`comment-${number}`, `Comment ${number}`, refused ?? { text: one.text, errors: {} })}
<p class="actions"><button class="secondary">Save comment</button> <button class="link" name="do" value="delete">Delete comment</button></p></form></details>`
}

const entry = (view: SubmissionView, one: CommentRow, number: number): Html =>
  html`<li id="comment-at-${number}"><p class="note"><strong><bdi>${one.member.name}</bdi></strong>${one.question_id === null ? null : aboutOf(view, one.question_id)}, ${moment(new Date(one.created_at), "short")}${one.changed_at === null ? null : ", changed"}</p>
<p class="written" dir="auto">${one.text}</p>
${one.member.id === view.readBy && !view.facts.is_erased ? changeForm(view, one, number) : null}</li>\n`

const addForm = (view: SubmissionView, all: ReadonlyArray<CommentRow>): Html => {
  const { comment, facts, newComment } = view
  const isOfAnother = comment?.id !== undefined && all.some(({ id }) => id === comment.id)
  const form = comment === undefined || isOfAnother ? { about: undefined, text: "", errors: {} } : comment
  return html`<form method="post" action="${formHref(view, "comments")}" class="fields" novalidate><input type="hidden" name="id" value="${newComment}">
${textField("comment-text", "Comment", form)}
<p class="note">A colleague whose name you write after an @ gets an email, such as @Maya Lindqvist.</p>
${
  facts.questions.length === 0
    ? null
    : html`<label for="comment-about">About</label>
<select id="comment-about" name="about" autocomplete="off"><option value="">The candidate</option>${facts.questions.map(({ question_id }) => html`<option value="${question_id}"${form.about === question_id ? html` selected` : null}>${titleOf(view, question_id)}</option>`)}</select>`
}
<p class="actions"><button class="secondary">Add comment</button></p></form>`
}

/** Null for readers who may not comment. */
export const commentSection = (view: SubmissionView): Html | null => {
  const { comments, facts } = view
  if (comments === undefined || (facts.is_erased && comments.length === 0)) return null
  return html`<section class="card comments" aria-labelledby="comments"><h2 id="comments">Comments</h2>
${comments.length === 0 ? null : html`<ol class="plain">${comments.map((one, index) => entry(view, one, index + 1))}</ol>`}
${facts.is_erased ? null : addForm(view, comments)}</section>`
}
