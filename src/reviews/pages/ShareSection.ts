/** Links to a submission for people without an account: a disclosure at the name of its page. */
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import { choice, copyField } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { defaultLinkDays, linkDays } from "../GuestLink.ts"
import type { SubmissionLinks } from "../GuestLinks.ts"
import { formHref, isUnanswered, type SubmissionView } from "./SubmissionView.ts"

type Link = SubmissionLinks[number]

/** Readers of a link that the page names. */
const maxReaders = 10

/** What the reader of a link may do. */
export const scopeOf = ({ may_review, shows_scores }: Link): string =>
  [may_review ? "can review" : "can read", ...(shows_scores ? ["sees the score"] : [])].join(" · ")

const stateOf = ({ expires_at, is_open, revoked_at }: Link): Html => {
  if (revoked_at !== null) return html`Revoked ${moment(new Date(revoked_at), "day")}`
  return html`${is_open ? "Open until" : "Expired"} ${moment(new Date(expires_at), "day")}`
}

const readersOf = ({ readers }: Link): Html =>
  readers.length === 0
    ? html`<p class="note">Not opened yet.</p>`
    : html`<ul class="plain note">${readers
        .slice(0, maxReaders)
        .map(
          ({ email, last_read_at, name, reads }) =>
            html`<li><bdi>${name || "An erased reader"}</bdi>${email === "" ? null : html` <bdi>(${email})</bdi>`}: ${countText(reads, "visit", "visits")}, the last ${moment(new Date(last_read_at), "short")}</li>\n`,
        )}${readers.length > maxReaders ? html`<li>and ${readers.length - maxReaders} more</li>` : null}</ul>`

const entry = (view: SubmissionView, link: Link, number: number): Html =>
  html`<li><div class="panel-head"><p>${stateOf(link)} · ${scopeOf(link)}${link.created_by === null ? null : html` <span class="note">· made by <bdi>${link.created_by}</bdi></span>`}</p>${
    link.is_open
      ? html`<form method="post" action="${formHref(view, "links/revoke")}"><input type="hidden" name="link" value="${link.id}"><button class="link">Revoke<span class="unseen"> link ${number}</span></button></form>`
      : null
  }</div>
${link.is_open ? copyField(`link-${number}`, `Address of link ${number}`, link.url) : null}
${readersOf(link)}</li>\n`

/** Null for readers who may not share the submission, and while there is nothing to read and no link. */
export const shareSection = (view: SubmissionView): Html | null => {
  const { facts, links, newLink } = view
  if (links === undefined || (links.length === 0 && (facts.is_erased || isUnanswered(view)))) return null
  const open = links.filter(({ is_open }) => is_open).length
  return html`<details class="share" id="share"${view.opened === "share" ? html` open` : null}><summary class="button secondary share-button">Share${open === 0 ? null : html` <span class="total">${open}<span class="unseen"> ${open === 1 ? "open link" : "open links"}</span></span>`}</summary>
<div class="share-box"><h2>Share by a link</h2>
<p class="note">For people without an account: they give a name and an address, and see the answers and the CV, marked with both. Each visit is in the audit log.</p>
${
  facts.is_erased
    ? null
    : html`<form method="post" action="${formHref(view, "links")}" class="fields"><input type="hidden" name="id" value="${newLink}">
<fieldset class="picks days"><legend>The link works for</legend>${linkDays.map((days) => choice({ name: "days", value: String(days), isChosen: days === defaultLinkDays }, countText(days, "day", "days")))}</fieldset>
<fieldset class="picks"><legend>The reader</legend>${choice({ name: "may_review", value: "yes", type: "checkbox", isChosen: true }, "can send a review (scorecard)")}${choice({ name: "shows_scores", value: "yes", type: "checkbox", isChosen: false }, "sees the score, after the review if there is a scorecard")}</fieldset>
<p class="actions"><button class="primary">Create link</button></p></form>`
}
${links.length === 0 ? null : html`<ul class="plain links">${links.map((one, index) => entry(view, one, index + 1))}</ul>`}</div></details>`
}
