/** Links to a submission for people without an account, on its page. */
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import { choice, copyField } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { defaultLinkDays, linkDays } from "../GuestLink.ts"
import type { SubmissionLinks } from "../GuestLinks.ts"
import { foldedPart } from "./FoldedPart.ts"
import { formHref, type SubmissionView } from "./SubmissionView.ts"

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

/** Null for readers who may not share the submission. */
export const shareSection = (view: SubmissionView): Html | null => {
  const { facts, links, newLink } = view
  if (links === undefined || (facts.is_erased && links.length === 0)) return null
  const open = links.filter(({ is_open }) => is_open).length
  return foldedPart(
    {
      id: "share",
      title: "Share",
      note: open === 0 ? "by a link, without an account" : `${countText(open, "open link", "open links")}`,
      isOpen: view.opened === "share",
      className: "share",
    },
    html`<p class="note">For a hiring manager without an account. The reader gives a name and an address and sees the answers and the CV, marked with both. Each visit is in the audit log.</p>
${links.length === 0 ? null : html`<ul class="plain links">${links.map((one, index) => entry(view, one, index + 1))}</ul>`}
${
  facts.is_erased
    ? null
    : html`<details${links.length === 0 ? html` open` : null}><summary>Create a link</summary>
<form method="post" action="${formHref(view, "links")}" class="fields"><input type="hidden" name="id" value="${newLink}">
<fieldset class="picks"><legend>The link works for</legend>${linkDays.map((days) => choice({ name: "days", value: String(days), isChosen: days === defaultLinkDays }, countText(days, "day", "days")))}</fieldset>
<fieldset class="picks"><legend>The reader</legend>${choice({ name: "may_review", value: "yes", type: "checkbox", isChosen: true }, "can send a review (scorecard)")}${choice({ name: "shows_scores", value: "yes", type: "checkbox", isChosen: false }, "sees the score, after the review if there is a scorecard")}</fieldset>
<p class="actions"><button class="secondary">Create link</button></p></form></details>`
}`,
  )
}
