/** The member's own review of a submission, and the reviews of others. */
import { describedBy, errorText } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxMentions, maxNote, type Ratings, ratingNames } from "../Review.ts"
import type { ReviewRow } from "../ReviewRepository.ts"
import { formHref, type RequirementRow, type ReviewForm, type SubmissionView } from "./SubmissionView.ts"

/** Maximum number of colleagues listed, which limits the size of the page. */
const maxListed = 100

const choices: ReadonlyArray<readonly [string, string]> = [
  ...ratingNames.map((name, rating) => [String(rating), name] as const),
  ["", "Not rated"],
]

const ratingRow = ({ id, title }: RequirementRow, number: number, chosen: string): Html =>
  html`<fieldset class="rate"><legend dir="auto"><a class="ordinal" href="#requirement-${number}" aria-label="Requirement ${number}">${number}</a> ${title}</legend>
${choices.map(
  ([value, name]) =>
    html`<label><input type="radio" name="rating.${id}" value="${value}"${value === chosen ? html` checked` : null}> ${name}</label>\n`,
)}</fieldset>`

const ratingList = ({ requirements }: SubmissionView, ratings: Ratings): Html | null => {
  const rated = requirements.flatMap(({ id, title }) => {
    const rating = ratings[id]
    return rating === undefined ? [] : [html`<li><bdi>${title}</bdi>: <strong>${ratingNames[rating]}</strong></li>\n`]
  })
  return rated.length === 0 ? null : html`<ul class="plain">${rated}</ul>`
}

const stored = (view: SubmissionView, { note, ratings }: ReviewRow): Html =>
  html`${ratingList(view, ratings)}
${note === "" ? null : html`<blockquote class="written" dir="auto">${note}</blockquote>`}`

const formOf = ({ review, reviews }: SubmissionView): ReviewForm =>
  review ?? {
    ratings: new Map(Object.entries(reviews.own?.ratings ?? {}).map(([id, rating]) => [id, String(rating)])),
    note: reviews.own?.note ?? "",
    mentioned: [],
    errors: {},
    isConflict: false,
  }

const visibilityNote = (own: ReviewRow | undefined): Html => {
  if (own === undefined)
    return html`<p class="note">Only you can see a draft. After you send the review, everyone with access to this submission can see it.</p>`
  const at = moment(new Date(own.sent_at ?? own.updated_at), "short")
  return own.sent_at === null
    ? html`<p class="info"><strong>Draft,</strong> saved ${at}. Only you can see it until you send it.</p>`
    : html`<p class="note">Sent ${at}. Everyone with access to this submission can see it, including later changes.</p>`
}

const mentions = ({ reviews }: SubmissionView, { errors, mentioned }: ReviewForm): Html | null => {
  const { colleagues, own } = reviews
  if (colleagues.length === 0) return null
  const isOpen = mentioned.length > 0 || errors["mentioned"] !== undefined
  const notified = own?.mentioned ?? []
  return html`<details class="mentions" id="mentioned"${isOpen ? html` open` : null}><summary>Mention colleagues</summary>
<p class="note">Each colleague gets one email with a link to this page when you send the review. Choose at most ${maxMentions}.</p>
<fieldset class="picks"${describedBy("mentioned", errors, null)}><legend class="unseen">Colleagues</legend>
${colleagues
  .slice(0, maxListed)
  .map(
    ({ id, name }) =>
      html`<label class="pick"><input type="checkbox" name="mention" value="${id}"${mentioned.includes(id) ? html` checked` : null}> <span><bdi>${name}</bdi>${notified.includes(id) ? html` <span class="note">notified</span>` : null}</span></label>\n`,
  )}${errorText("mentioned", errors)}</fieldset>
${colleagues.length > maxListed ? html`<p class="note">Only the first ${maxListed} by name are shown.</p>` : null}</details>`
}

const noteHint = "An @name in the note notifies no one: choose colleagues under “Mention colleagues”."

export const reviewSection = (view: SubmissionView): Html => {
  const { facts, requirements, reviews } = view
  const { own } = reviews
  const title = html`<h2 id="review">Your review</h2>`
  if (facts.is_erased)
    return html`<section class="card" aria-labelledby="review">${title}
<p class="note">The candidate's personal data was erased, so reviews can no longer be changed.</p>
${own === undefined ? null : stored(view, own)}</section>`
  const form = formOf(view)
  const { errors } = form
  const hint = reviews.colleagues.length === 0 ? null : noteHint
  return html`<section class="card" aria-labelledby="review">${title}
${visibilityNote(own)}
${form.isConflict && own !== undefined ? html`<div class="info"><p><strong>Saved in the other window:</strong></p>${stored(view, own)}</div>` : null}
<form method="post" action="${formHref(view, "review")}" class="review" data-unsaved${view.review === undefined ? null : html`="refused"`} novalidate>
<input type="hidden" name="changes" value="${own?.changes ?? 0}">
<div id="ratings" tabindex="-1">${requirements.map((one, index) => ratingRow(one, index + 1, form.ratings.get(one.id) ?? ""))}
${errorText("ratings", errors)}</div>
<p><label for="note">Note</label>
${hint === null ? null : html`<span class="note" id="note-hint">${hint}</span>\n`}<textarea id="note" name="note" maxlength="${maxNote}" dir="auto"${describedBy("note", errors, hint)}>
${form.note}</textarea>${errorText("note", errors)}</p>
${mentions(view, form)}
<div class="actions"><button class="primary" name="do" value="send">${own?.sent_at == null ? "Send review" : "Save changes"}</button>
${own?.sent_at == null ? html`<button class="secondary" name="do" value="draft">Save draft</button>` : null}</div>
</form></section>`
}

export const otherReviews = (view: SubmissionView): Html | null => {
  const { hidden, others } = view.reviews
  if (hidden.length === 0 && others.length === 0) return null
  return html`<section class="card" aria-labelledby="reviews"><h2 id="reviews">Reviews by others</h2>
${hidden.length === 0 ? null : html`<p class="note"><bdi>${hidden.join(", ")}</bdi> sent ${hidden.length === 1 ? "a review" : "reviews"}. You can see ${hidden.length === 1 ? "it" : "them"} after you send yours.</p>`}
${others.map(
  (one) => html`<article class="other-review"><h3><bdi>${one.member.name}</bdi></h3>
<p class="note">${one.sent_at === null ? null : moment(new Date(one.sent_at), "short")}</p>
${stored(view, one)}</article>`,
)}</section>`
}
