/** What a member sees in place of a page of the settings. */

import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import type { Member } from "../Member.ts"
import { settingsPage } from "./SettingsParts.ts"
import { workspacePage } from "./WorkspaceParts.ts"

/** A recruiter has asked. */
export const refusedPage = (member: Member): Document =>
  workspacePage(member, {
    title: "Settings are for owners and admins",
    place: "Settings",
    main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>Settings are for owners and admins</h1>
<p>You are <bdi>${member.email}</bdi>, a recruiter of <bdi>${member.organizationName}</bdi>. Ask an owner or an admin to change
your role, or to do it for you.</p>
<p><a class="button secondary" href="/submissions">All submissions</a></p></div>`,
  })

/** An admin has asked for what is an owner's. */
export const ownersPage = (member: Member): Document =>
  settingsPage(member, {
    title: "That is for owners",
    section: "Members",
    main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>That is for owners</h1>
<p>Owners are made, changed and removed by owners alone. You are <bdi>${member.email}</bdi>.</p>
<p><a class="button secondary" href="/settings/members">All members</a></p></div>`,
  })

/** The page for a secret that cannot be decrypted; only the operator of the service can fix that. */
export const unreadableSecretPage = (member: Member): Document =>
  settingsPage(member, {
    title: "The secret can not be opened",
    section: "Webhooks",
    main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>The secret can not be opened</h1>
<p>The secret of this webhook was stored under a key that the service no longer has. Nothing was changed or sent. Regenerate the
secret, or ask the operator of the service to put the key back.</p></div>`,
  })
