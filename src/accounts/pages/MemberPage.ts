/** Settings → Organization → Members: the list, an invitation, one member, and what has to be read before one is removed. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { FormId } from "../../values/Ids.ts"
import { type Member, mayMake, type Role } from "../Member.ts"
import type { MemberEntry } from "../MemberRepository.ts"
import { credential } from "./Credentials.ts"
import {
  cut,
  described,
  errorOf,
  type FieldErrors,
  facts,
  faultSummary,
  type Notice,
  pager,
  settingsPage,
} from "./SettingsParts.ts"
import { sinceText } from "./SettingsWords.ts"

const section = "Members"
export const membersHref = "/settings/members"
const all = { href: membersHref, name: "All members" }

export const memberHref = (id: string): string => `${membersHref}/${id}`

export const labels = { email: "The address", name: "The name", role: "The role" }

const perPage = 50

const roles: ReadonlyArray<{ readonly role: Role; readonly name: string; readonly text: string }> = [
  { role: "owner", name: "Owner", text: "Everything, owners included." },
  { role: "admin", name: "Admin", text: "Everything but owners: keys, webhooks, members, personal data." },
  { role: "recruiter", name: "Recruiter", text: "The interviews whose access list names them. No settings." },
]
const roleName = (role: Role): string => roles.find((one) => one.role === role)?.name ?? role

const nameOf = ({ email, name }: Pick<MemberEntry, "email" | "name">): string => name?.trim() || email

const stateTag = ({ joined, link_until }: MemberEntry): Html | null =>
  joined ? null : html`<span class="tag off">${link_until === null ? "Invitation expired" : "Invited"}</span>`

const seen = ({ joined, seen_at }: MemberEntry, now: Date): Html | string => {
  if (!joined) return "has not joined yet"
  return seen_at === null ? "not signed in" : html`active ${sinceText(seen_at, now)}`
}

const byRole = (member: Member, entry: MemberEntry): string =>
  `${roleName(entry.role)}${entry.id === member.id ? ", you" : ""}`

export const memberListPage = (
  member: Member,
  entries: ReadonlyArray<MemberEntry>,
  view: { readonly number: number; readonly now: Date; readonly notice: Notice | undefined },
): Document => {
  const pages = Math.max(1, Math.ceil(entries.length / perPage))
  const shown = Math.min(Math.max(1, view.number), pages)
  return settingsPage(member, {
    title: "Members",
    section,
    notice: view.notice,
    main: html`<header class="lead with-action"><div><h1>Members</h1>
<p class="welcome">Who signs in to this workspace, and what they may do.</p></div>
<a class="button primary" href="${membersHref}/new">Invite a member</a></header>
<ul class="rows">
${entries.slice((shown - 1) * perPage, shown * perPage).map(
  (entry) => html`<li><a class="row" href="${memberHref(entry.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(nameOf(entry), 80)}</span>${stateTag(entry)}</span>
<span class="row-text">${byRole(member, entry)}</span>
<span class="row-text small">${entry.name?.trim() ? html`<bdi>${entry.email}</bdi> · ` : null}${seen(entry, view.now)}</span></a></li>
`,
)}</ul>
${pager(membersHref, shown, pages)}`,
  })
}

const picks = (
  member: Member,
  chosen: string,
  faults: FieldErrors,
): Html => html`<fieldset class="picks"${described("role", faults, null)}>
<legend>Role</legend>
${roles
  .filter(({ role }) => mayMake(member, role))
  .map(
    ({ name, role, text }) =>
      html`<label class="pick"><input type="radio" name="role" value="${role}"${role === chosen ? html` checked` : null}> <span><strong>${name}</strong> <span class="note">${text}</span></span></label>
`,
  )}${errorOf("role", faults)}
</fieldset>`

export interface InviteForm {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly faults: FieldErrors
}

/** `id` is the one that the member will have: a form that is sent twice invites once. */
export const inviteMemberPage = (member: Member, id: string, form: InviteForm): Document =>
  settingsPage(member, {
    title: Object.keys(form.faults).length > 0 ? "Not invited – Invite a member" : "Invite a member",
    section,
    back: all,
    main: html`<header class="lead"><h1>Invite a member</h1>
<p class="welcome">They get a mail with a link.</p></header>
${faultSummary(form.faults, "Nobody was invited.")}
<form method="post" action="${membersHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}">
${credential({ name: "email", label: "E-mail address", faults: form.faults, kind: "email", autocomplete: "off", value: form.email })}
${credential({ name: "name", label: "Name", faults: form.faults, autocomplete: "off", value: form.name, isOptional: true })}
${picks(member, form.role, form.faults)}
<p class="actions"><button class="primary">Send the invitation</button> <a class="button secondary" href="${membersHref}">Cancel</a></p>
</form>`,
  })

export interface MemberView {
  readonly entry: MemberEntry
  /** Whether passwords are a way to sign in. */
  readonly passwords: boolean
  readonly now: Date
  /** As it was chosen. */
  readonly role: string
  readonly faults: FieldErrors
  readonly notice: Notice | undefined
  /** Of the form that mails a link: sent twice, it mails one. */
  readonly form: FormId
}

const meansOf = ({ has_password, linked_at }: MemberEntry): Html | string => {
  if (linked_at === null) return has_password ? "by password" : "not yet"
  return html`${has_password ? "by password, and " : null}at the provider, first on ${moment(linked_at, "short")}`
}

const linkNote = ({ joined, link_until }: MemberEntry): Html => {
  if (joined) return html`They get a mail with a link to choose a new password. The current one stays until then.`
  return link_until === null
    ? html`The link in their invitation has expired. Send another one.`
    : html`The link in their invitation works until ${moment(link_until, "short")}.`
}

export const memberPage = (
  member: Member,
  { entry, faults, form, notice, now, passwords, role }: MemberView,
): Document => {
  const mayChange = mayMake(member, entry.role)
  const isSelf = entry.id === member.id
  return settingsPage(member, {
    title: `${Object.keys(faults).length > 0 ? "Not saved – " : ""}${cut(nameOf(entry), 80)} – Members`,
    section,
    back: all,
    notice,
    main: html`<header class="lead"><h1 dir="auto">${nameOf(entry)}</h1>
<p class="about">${stateTag(entry)} ${nameOf(entry) === entry.email ? null : html`<bdi>${entry.email}</bdi>`}</p></header>
${facts([
  ["Role", byRole(member, entry)],
  ["Since", moment(entry.created_at, "short")],
  ["Signs in", meansOf(entry)],
  [
    "Last active",
    entry.seen_at === null
      ? "not signed in"
      : html`${sinceText(entry.seen_at, now)}, ${moment(entry.seen_at, "short")}`,
  ],
])}
${isSelf ? html`<p class="note">Your name, password and sessions are on the page of <a href="/account">your account</a>.</p>` : null}
${
  mayChange
    ? html`${faultSummary(faults, "Nothing was saved.")}
<form method="post" action="${memberHref(entry.id)}" class="fields" novalidate>
${picks(member, role, faults)}
<p class="actions"><button class="primary">Save</button></p>
</form>
${
  isSelf || (entry.joined && !passwords)
    ? null
    : html`<section class="apart" aria-labelledby="link"><h2 id="link">${entry.joined ? "Lost password" : "Invitation"}</h2>
<p class="note">${linkNote(entry)}</p>
<form method="post" action="${memberHref(entry.id)}/link" class="actions"><input type="hidden" name="id" value="${form}"><button class="secondary">${entry.joined ? "Send a link" : "Send the invitation again"}</button></form></section>`
}
${
  entry.linked_at === null
    ? null
    : html`<section class="apart" aria-labelledby="unlink"><h2 id="unlink">Account at the provider</h2>
<p class="note">${isSelf ? "You are" : "They are"} known by it, whatever address it has. Without it, the next account there that has the address <bdi>${entry.email}</bdi> signs in as ${isSelf ? "you" : "them"}. All sessions end.</p>
<form method="post" action="${memberHref(entry.id)}/unlink" class="actions"><button class="secondary">Forget the account</button></form></section>`
}
<section class="apart" aria-labelledby="end"><h2 id="end">${isSelf ? "Leave" : "Remove"}</h2>
<p class="note">${isSelf ? "You are signed out everywhere, and can not come back without an invitation." : "They are signed out everywhere, and can not sign in any more."}</p>
<p class="actions"><a class="button danger" href="${memberHref(entry.id)}/remove">${isSelf ? "Leave…" : "Remove…"}</a></p></section>`
    : html`<p class="note">Owners are changed and removed by owners alone.</p>`
}`,
  })
}

export const removeMemberPage = (member: Member, entry: MemberEntry, fault: string | undefined): Document => {
  const isSelf = entry.id === member.id
  const name = cut(nameOf(entry), 80)
  return settingsPage(member, {
    title: `Remove ${name}`,
    section,
    back: { href: memberHref(entry.id), name },
    notice: fault === undefined ? undefined : { text: fault, isFault: true },
    main: html`<header class="lead"><h1>${isSelf ? html`Leave <bdi>${member.organizationName}</bdi>?` : html`Remove <bdi>${name}</bdi>?`}</h1>
${name === entry.email ? null : html`<p class="about"><bdi>${entry.email}</bdi></p>`}</header>
<p>${isSelf ? "Your sessions end at once." : "Their sessions end at once, and links that were mailed to them stop working."}</p>
<ul class="plain-list"><li>API keys and webhooks that ${isSelf ? "you" : "they"} made go on working.</li>
<li>The audit log still names ${isSelf ? "you" : "them"}.</li>
<li>Access lists of interviews keep the address; without an account it opens nothing.</li></ul>
<form method="post" action="${memberHref(entry.id)}/remove" class="actions spaced"><button class="danger">${isSelf ? "Leave" : "Remove the member"}</button>
<a class="button secondary" href="${memberHref(entry.id)}">Cancel</a></form>`,
  })
}
