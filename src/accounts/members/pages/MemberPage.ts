/** Settings → Organization → Members. */
import type { Document } from "../../../platform/http/Document.ts"
import {
  choice,
  choiceGroup,
  confirmForm,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
} from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import type { FormId } from "../../../values/Ids.ts"
import { mayAssign } from "../../Permissions.ts"
import { cut, factList, pager, settingsPage, sinceText } from "../../pages/WorkspacePage.ts"
import { type Member, memberName, type Role, roles } from "../Member.ts"
import type { MemberEntry } from "../MemberRepository.ts"

const section = "Members"
export const membersHref = "/settings/members"
const allMembers = { href: membersHref, name: "All members" }

export const memberHref = (id: string): string => `${membersHref}/${id}`

export const labels = { email: "The address", name: "The name", role: "The role" }

const perPage = 50

const roleTexts: Readonly<Record<Role, { readonly name: string; readonly text: string }>> = {
  owner: { name: "Owner", text: "Manages everything, including owners." },
  admin: { name: "Admin", text: "Manages everything except owners: API keys, webhooks, members, personal data." },
  recruiter: { name: "Recruiter", text: "Sees the interview sets shared with them. No settings." },
  reviewer: { name: "Reviewer", text: "Sees and reviews only the candidates assigned to them. Decides nothing." },
}
const roleName = (role: Role): string => roleTexts[role].name

const stateTag = ({ joined, link_until }: MemberEntry): Html | null =>
  joined ? null : html`<span class="tag off">${link_until === null ? "Invitation expired" : "Invited"}</span>`

const personText = (entry: MemberEntry): Html =>
  html`<a href="${memberHref(entry.id)}" dir="auto">${cut(memberName(entry), 80)}</a>${
    entry.name?.trim() ? html` <span dir="auto">${entry.email}</span>` : null
  }`

const lastSeen = ({ joined, link_until, seen_at }: MemberEntry, now: Date): Html | string => {
  if (!joined) return link_until === null ? "Never joined" : html`Link until ${moment(link_until, "short")}`
  return seen_at === null ? html`<span class="tag off">Not signed in yet</span>` : sinceText(seen_at, now)
}

/** The name links to the page of the member; these lead to parts of it. */
const rowLinks = (member: Member, entry: MemberEntry): Html | null => {
  if (!mayAssign(member, entry.role)) return null
  const whose = html`<span class="unseen"> ${cut(memberName(entry), 80)}</span>`
  return html`${
    entry.joined && (entry.seen_at !== null || !entry.has_password)
      ? html`<a href="${memberHref(entry.id)}#role">Edit${whose}</a>`
      : html`<a href="${memberHref(entry.id)}#link">${entry.joined ? "Send a link" : "Send again"}${whose}</a>`
  } <a href="${memberHref(entry.id)}/remove">${entry.id === member.id ? "Leave…" : html`Remove…${whose}`}</a>`
}

/** Says nothing of a member who has not joined: a second factor follows the password. */
const factorTag = ({ has_second_factor, joined, has_password }: MemberEntry): Html => {
  if (has_second_factor) return html`<span class="tag on">On</span>`
  if (!joined) return html`<span class="quiet">–</span>`
  return has_password ? html`<span class="tag off">Off</span>` : html`At the provider`
}

const memberRow = (
  member: Member,
  entry: MemberEntry,
  now: Date,
): Html => html`<tr><th scope="row">${personText(entry)}</th>
<td>${roleText(member, entry)}</td>
<td>${factorTag(entry)}</td>
<td>${stateTag(entry)} ${lastSeen(entry, now)}</td>
<td>${rowLinks(member, entry)}</td></tr>
`

const roleText = (member: Member, entry: MemberEntry): string =>
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
<p class="welcome">People who can sign in to this workspace, and their roles.</p></div>
<a class="button primary" href="${membersHref}/new">Invite a member</a></header>
<table class="people"><thead><tr><th scope="col">Member</th><th scope="col">Role</th><th scope="col">Second factor</th><th scope="col">Last seen</th><th scope="col"><span class="unseen">Change</span></th></tr></thead>
<tbody>
${entries.slice((shown - 1) * perPage, shown * perPage).map((entry) => memberRow(member, entry, view.now))}</tbody></table>
${pager(membersHref, shown, pages)}`,
  })
}

const roleChoices = (member: Member, chosen: string, errors: FieldErrors): Html =>
  choiceGroup(
    "role",
    "Role",
    errors,
    roles
      .filter((role) => mayAssign(member, role))
      .map((role) =>
        choice(
          { name: "role", value: role, isChosen: role === chosen },
          html`<strong>${roleName(role)}</strong> <span class="note">${roleTexts[role].text}</span>`,
        ),
      ),
  )

interface InviteForm {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly errors: FieldErrors
}

/** `id` of the future member: a form sent twice invites once. */
export const inviteMemberPage = (member: Member, id: string, form: InviteForm): Document =>
  settingsPage(member, {
    title: hasErrors(form.errors) ? "Not invited – Invite a member" : "Invite a member",
    section,
    back: allMembers,
    main: html`<header class="lead"><h1>Invite a member</h1>
<p class="welcome">The new member gets an email with a link.</p></header>
${errorSummary(form.errors, "The member was not invited.")}
<form method="post" action="${membersHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}">
${field({ name: "email", label: "Email address", errors: form.errors, isRequired: true, type: "email", value: form.email })}
${field({ name: "name", label: "Name", errors: form.errors, value: form.name })}
${roleChoices(member, form.role, form.errors)}
<p class="actions"><button class="primary">Send the invitation</button> <a class="button secondary" href="${membersHref}">Cancel</a></p>
</form>`,
  })

export interface MemberView {
  readonly entry: MemberEntry
  readonly passwords: boolean
  readonly now: Date
  readonly role: string
  readonly errors: FieldErrors
  readonly notice: Notice | undefined
  readonly form: FormId
}

const signInText = ({ has_password, linked_at }: MemberEntry): Html | string => {
  if (linked_at === null) return has_password ? "by password" : "not yet"
  return html`${has_password ? "by password, and " : null}at the provider, since ${moment(linked_at, "short")}`
}

const linkNote = ({ joined, link_until }: MemberEntry): Html => {
  if (joined) return html`Sends an email with a link to choose a new password. Nothing changes until it is used.`
  return link_until === null
    ? html`The link in the invitation has expired. Send another one.`
    : html`The link in the invitation works until ${moment(link_until, "short")}.`
}

export const memberPage = (
  member: Member,
  { entry, errors, form, notice, now, passwords, role }: MemberView,
): Document => {
  const mayChange = mayAssign(member, entry.role)
  const isSelf = entry.id === member.id
  return settingsPage(member, {
    title: `${hasErrors(errors) ? "Not saved – " : ""}${cut(memberName(entry), 80)} – Members`,
    section,
    back: allMembers,
    notice,
    main: html`<header class="lead"><h1 dir="auto">${memberName(entry)}</h1>
<p class="about">${stateTag(entry)} ${memberName(entry) === entry.email ? null : html`<bdi>${entry.email}</bdi>`}</p></header>
${factList([
  // the form below shows the role
  ...(mayChange ? [] : [["Role", roleText(member, entry)] as const]),
  ["Since", moment(entry.created_at, "short")],
  ["Signs in", signInText(entry)],
  ["Second factor", factorTag(entry)],
  [
    "Last active",
    entry.seen_at === null
      ? "not signed in"
      : html`${sinceText(entry.seen_at, now)}, ${moment(entry.seen_at, "short")}`,
  ],
])}
${isSelf ? html`<p class="note">Change your name, password and sessions in <a href="/account">your account</a>.</p>` : null}
${
  mayChange
    ? html`${errorSummary(errors, "Nothing was saved.")}
<form method="post" action="${memberHref(entry.id)}" class="fields" novalidate>
${roleChoices(member, role, errors)}
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
<p class="note">Unlinking ends all sessions. Afterwards, the next account at the provider with the verified address <bdi>${entry.email}</bdi> signs in as ${isSelf ? "you" : "this member"}.</p>
<form method="post" action="${memberHref(entry.id)}/unlink" class="actions"><button class="secondary">Unlink the account</button></form></section>`
}
${
  isSelf || !entry.has_second_factor
    ? null
    : html`<section class="apart" aria-labelledby="factor"><h2 id="factor">Second factor</h2>
<p class="note">For a member who has lost the authenticator app and the recovery codes. All sessions of the member end, and the member gets an email.</p>
<form method="post" action="${memberHref(entry.id)}/second-factor" class="actions"><button class="danger">Remove the second factor</button></form></section>`
}
<section class="apart" aria-labelledby="end"><h2 id="end">${isSelf ? "Leave" : "Remove"}</h2>
<p class="note">${isSelf ? "You are signed out everywhere. To come back, you need a new invitation." : "The member is signed out everywhere and can no longer sign in."}</p>
<p class="actions"><a class="button danger" href="${memberHref(entry.id)}/remove">${isSelf ? "Leave…" : "Remove…"}</a></p></section>`
    : html`<p class="note">Only owners can change and remove owners.</p>`
}`,
  })
}

export const removeMemberPage = (member: Member, entry: MemberEntry, error: string | undefined): Document => {
  const isSelf = entry.id === member.id
  const name = cut(memberName(entry), 80)
  return settingsPage(member, {
    title: `Remove ${name}`,
    section,
    back: { href: memberHref(entry.id), name },
    notice: error === undefined ? undefined : { text: error, isError: true },
    main: html`<header class="lead"><h1>${isSelf ? html`Leave <bdi>${member.organizationName}</bdi>?` : html`Remove <bdi>${name}</bdi>?`}</h1>
${name === entry.email ? null : html`<p class="about"><bdi>${entry.email}</bdi></p>`}</header>
<p>${isSelf ? "Your sessions end immediately." : "The member's sessions end immediately, and links emailed to them stop working."}</p>
<ul class="plain-list"><li>API keys and webhooks created by ${isSelf ? "you" : "them"} continue to work.</li>
<li>The audit log still names ${isSelf ? "you" : "them"}.</li>
<li>Access lists of interviews keep the address, but it gives no access without an account.</li></ul>
${confirmForm({ action: `${memberHref(entry.id)}/remove`, label: isSelf ? "Leave" : "Remove the member", cancelHref: memberHref(entry.id) })}`,
  })
}
