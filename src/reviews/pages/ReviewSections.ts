/** The member's own review of a submission, and the reviews of others. */
import { describedBy, errorText } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxMentions, maxNote, type Ratings, ratingNames } from "../Review.ts"
import type { ReviewRow } from "../ReviewRepository.ts"
import { requirementMatrix } from "./RequirementMatrix.ts"
import { formHref, type ReviewForm, type SubmissionView } from "./SubmissionView.ts"

/** Maximum number of colleagues listed, which limits the size of the page. */
const maxListed = 100

const ratingList = ({ requirements }: SubmissionView, ratings: Ratings): Html | null => {
  const rated = requirements.flatMap(({ id, title }) => {
    const rating = ratings[id]
    return rating === undefined ? [] : [html`<li><bdi>${title}</bdi>: <strong>${ratingNames[rating]}</strong></li>\n`]
  })
  return rated.length === 0 ? null : html`<ul class="plain">${rated}</ul>`
}

const noteOf = ({ note }: ReviewRow): Html =>
  html`${note === "" ? null : html`<blockquote class="written" dir="auto">${note}</blockquote>`}`

const stored = (view: SubmissionView, review: ReviewRow): Html =>
  html`${ratingList(view, review.ratings)}
${noteOf(review)}`

const formOf = ({ review, reviews }: SubmissionView): ReviewForm =>
  review ?? {
    ratings: new Map(Object.entries(reviews.own?.ratings ?? {}).map(([id, rating]) => [id, String(rating)])),
    note: reviews.own?.note ?? "",
    mentioned: [],
    errors: {},
    isConflict: false,
  }

/** The script replaces it with the state of the draft. */
const draftNote = ({ audience, reviews: { own } }: SubmissionView): Html => {
  if (audience === "guest") {
    const text = "The people who shared the candidate with you see your review after you send it."
    return own?.sent_at == null
      ? html`${text}`
      : html`Sent ${moment(new Date(own.sent_at), "short")}. You can change it while the link works.`
  }
  if (own === undefined) return html`Only you can see your draft until you send it.`
  const at = moment(new Date(own.sent_at ?? own.updated_at), "short")
  return own.sent_at === null
    ? html`<strong>Draft,</strong> saved ${at}. Only you can see it until you send it.`
    : html`Sent ${at}. Colleagues with access see it, and later changes.`
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

const noteHint =
  "Names in the note do not notify colleagues. To notify colleagues, choose them under “Mention colleagues”."

const formId = "review-form"

const buttons = (own: ReviewRow | undefined, hasDrafts: boolean): Html =>
  html`<div class="actions"><button class="primary" name="do" value="send" form="${formId}"${own?.sent_at == null ? null : html` data-changes`}>${own?.sent_at == null ? "Send review" : "Save changes"}</button>
${own?.sent_at == null && hasDrafts ? html`<button class="secondary" name="do" value="draft" form="${formId}" id="save-draft">Save draft</button>` : null}</div>`

interface ReviewPart {
  /** The end of the panel, with the decision. */
  readonly end: Html | null
  /** There is nothing to rate yet: the form is closed until the member opens it. */
  readonly isFolded?: boolean
}

/** The requirements with the member's ratings, the note and the mentions. */
export const reviewSection = (view: SubmissionView, { end, isFolded = false }: ReviewPart): Html => {
  const { facts, reviews } = view
  const { own } = reviews
  const title = html`<h2 id="review">${isFolded && !facts.is_erased ? "Rate anyway" : "Your review"}</h2>`
  if (facts.is_erased)
    return html`<section aria-labelledby="review">${title}
<p class="note">The candidate's personal data was erased, so reviews can no longer be changed.</p>
${own === undefined ? null : stored(view, own)}</section>
${requirementMatrix(view, undefined)}
${end}`
  const form = formOf(view)
  const { errors } = form
  const hasDrafts = view.audience !== "guest"
  const hint = reviews.colleagues.length === 0 ? null : noteHint
  const shortcuts = html`<button type="button" class="link" id="show-shortcuts" hidden>Keyboard shortcuts</button>`
  const content = html`<p class="note" id="draft-note" aria-live="polite">${draftNote(view)}</p>
${form.isConflict && own !== undefined ? html`<div class="info"><p><strong>Saved in the other window:</strong></p>${stored(view, own)}</div>` : null}
<div class="info" id="draft-conflict" hidden><p><strong>Saved in the other window or on the other device:</strong></p><p class="written"></p>
<p class="actions"><button type="button" class="secondary" data-keep>Keep what is on this page</button> <button type="button" class="secondary" data-take>Use the saved version</button></p></div>
<form method="post" action="${formHref(view, "review")}" id="${formId}" class="review" ${own?.sent_at == null && hasDrafts ? html`data-draft="${view.base}/review/draft" ` : null}data-unsaved${view.review === undefined ? null : html`="refused"`} autocomplete="off" novalidate>
<input type="hidden" name="changes" value="${own?.changes ?? 0}">
<div id="ratings" tabindex="-1">${requirementMatrix(view, form.ratings)}
${errorText("ratings", errors)}</div>
<p><label for="note">Note</label>
<textarea id="note" name="note" maxlength="${maxNote}" dir="auto"${describedBy("note", errors, hint)}>
${form.note}</textarea>${errorText("note", errors)}${hint === null ? null : html`<span class="note" id="note-hint">${hint}</span>`}</p>
${mentions(view, form)}
</form>`
  if (isFolded)
    return html`<section aria-labelledby="review"><details class="rate-anyway"${own === undefined && view.review === undefined ? null : html` open`}><summary>${title}</summary>
${shortcuts}${content}
${buttons(own, hasDrafts)}</details></section>
${end === null ? null : html`<div class="panel-end">${end}</div>`}`
  return html`<section aria-labelledby="review"><div class="panel-head">${title}${shortcuts}</div>
${content}</section>
<div class="panel-end">
${buttons(own, hasDrafts)}
${end}
</div>`
}

type Shortcut = readonly [keys: ReadonlyArray<string>, text: string]

const decisionKeys: Shortcut = [["a", "h", "r"], "Advance, hold or reject: write a reason, then press Ctrl+Enter"]

const shortcutNames: ReadonlyArray<Shortcut> = [
  [["j", "k"], "Next or previous candidate of the list"],
  [
    ["1", "2", "3", "4", "5"],
    "Rate the requirement: strong no, no, mixed, yes, strong yes. Then the next one has the focus.",
  ],
  [["n"], "Write the note"],
  [["s", "Ctrl+Enter"], "Send the review"],
  decisionKeys,
  [["?"], "Show this list"],
]

/** `decides`: with the keys of decisions. */
export const shortcutDialog = (
  decides: boolean,
): Html => html`<dialog id="shortcuts" aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">Keyboard shortcuts</h2>
<dl class="keys">${shortcutNames.filter((one) => decides || one !== decisionKeys).map(([keys, text]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${text}</dd></div>\n`)}</dl>
<p><label class="pick"><input type="checkbox" checked> <span>Use shortcuts of one key in this browser</span></label></p>
<form method="dialog" class="actions"><button class="secondary">Close</button></form></dialog>`

const sentReview = (name: string, { sent_at }: ReviewRow, content: Html, className = ""): Html =>
  html`<article class="other-review${className}"><h3><bdi>${name}</bdi>${sent_at === null ? null : html` <span class="note">${moment(new Date(sent_at), "short")}</span>`}</h3>
${content}</article>`

/** Reviews whose ratings fit side by side. */
const comparedReviews = { least: 2, most: 4 } as const

/** A column for each review. */
const ratingTable = ({ requirements, reviews: { others } }: SubmissionView): Html => {
  const rated = requirements.filter(({ id }) => others.some(({ ratings }) => ratings[id] !== undefined))
  return html`<table class="rated"><thead><tr><th scope="col">Requirement</th>${others.map(({ member }) => html`<th scope="col"><bdi>${member.name}</bdi></th>`)}</tr></thead>
<tbody>${rated.map(
    ({ id, title }) =>
      html`<tr><th scope="row" dir="auto">${title}</th>${others.map(({ ratings }) => {
        const rating = ratings[id]
        return html`<td>${rating === undefined ? html`<span class="quiet">–</span>` : ratingNames[rating]}</td>`
      })}</tr>\n`,
  )}</tbody></table>`
}

const sideBySide = (view: SubmissionView): Html =>
  html`${ratingTable(view)}
${view.reviews.others.map((one) => sentReview(one.member.name, one, noteOf(one)))}`

/** Reviews that were sent. The reader's own, by `name`, is in the form too, which is not printed. */
export const otherReviews = (name: string, view: SubmissionView): Html | null => {
  const { hidden, others, own } = view.reviews
  const isOwnSent = own !== undefined && own.sent_at !== null
  if (hidden.length === 0 && others.length === 0 && !isOwnSent) return null
  const isTable = others.length >= comparedReviews.least && others.length <= comparedReviews.most
  const isOnPaperOnly = hidden.length === 0 && others.length === 0
  return html`<section class="card${isOnPaperOnly ? " on-paper" : null}" aria-labelledby="reviews"><h2 id="reviews">Reviews${isOwnSent ? null : " by others"}</h2>
${hidden.length === 0 ? null : html`<p class="note"><bdi>${hidden.join(", ")}</bdi> sent ${hidden.length === 1 ? "a review" : "reviews"}. You can see ${hidden.length === 1 ? "it" : "them"} after you send yours.</p>`}
${isOwnSent ? sentReview(name, own, stored(view, own), " on-paper") : null}
${isTable ? sideBySide(view) : others.map((one) => sentReview(one.member.name, one, stored(view, one)))}</section>`
}
