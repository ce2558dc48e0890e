/** A member's own account: name, password, sessions. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { Member } from "../Member.ts"
import type { OwnSession } from "../Sessions.ts"
import { credential, newPassword } from "./Credentials.ts"
import { type FieldErrors, faultSummary, type Notice, noticeOf } from "./SettingsParts.ts"
import { sinceText } from "./SettingsWords.ts"
import { workspacePage } from "./WorkspaceParts.ts"

export const accountHref = "/account"

export const labels = { name: "Your name", current: "The current password", password: "The new password" }

export interface AccountView {
  readonly sessions: ReadonlyArray<OwnSession>
  /** Whether there is one; `off`: passwords are no way to sign in. */
  readonly password: "set" | "none" | "off"
  /** When they first signed in at the provider; null: they did not. */
  readonly linked_at: Date | null
  readonly now: Date
  /** As it was typed. */
  readonly name: string
  readonly faults: FieldErrors
  readonly notice: Notice | undefined
}

/** Browsers and systems by what stands in the name that a browser sends; the first that fits. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

const within = (agent: string, names: ReadonlyArray<readonly [string, string]>) =>
  names.find(([part]) => agent.includes(part))?.[1]

/** "Firefox on Windows". */
const browserText = (agent: string | null): string => {
  const [browser, system] = [within(agent ?? "", browsers), within(agent ?? "", systems)]
  if (browser === undefined) return system === undefined ? "Unknown browser" : `A browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}

const row = ({ created_at, id, isOwn, last_seen_at, user_agent }: OwnSession, now: Date): Html => {
  const name = browserText(user_agent)
  return html`<li><div class="row"><div class="row-head"><span class="row-name" title="${user_agent}">${name}</span>${
    isOwn
      ? html`<span class="tag on">This browser</span>`
      : html`<form method="post" action="${accountHref}/sessions/end"><input type="hidden" name="session" value="${id}"><button class="link">End<span class="unseen"> the session of ${name}, used ${sinceText(last_seen_at, now)}</span></button></form>`
  }</div>
<span class="row-text small">used ${sinceText(last_seen_at, now)} · signed in ${moment(created_at, "short")}</span></div></li>
`
}

const passwordSection = (member: Member, { faults, linked_at, password }: AccountView): Html | null => {
  const elsewhere =
    linked_at === null
      ? null
      : html`<p class="note">You signed in at the provider, first on ${moment(linked_at, "short")}.</p>`
  if (password === "off") return elsewhere
  if (password === "none") {
    return html`<section class="apart" aria-labelledby="password-head"><h2 id="password-head">Password</h2>
${elsewhere}
<p class="note">You have none. If you want one, <a href="/forgot-password">have a link sent to you</a>.</p></section>`
  }
  return html`<section class="apart" aria-labelledby="password-head"><h2 id="password-head">Password</h2>
${elsewhere}
<p class="note">A new password ends every other session.</p>
<form method="post" action="${accountHref}/password" class="fields" novalidate>
<input type="email" name="email" value="${member.email}" autocomplete="username" hidden>
${credential({ name: "current", label: "Current password", faults, kind: "password", autocomplete: "current-password" })}
${newPassword("password", "New password", faults)}
<p class="actions"><button class="secondary">Change password</button></p>
</form></section>`
}

export const accountPage = (member: Member, view: AccountView): Document => {
  const { faults, name, notice, now, sessions } = view
  return {
    ...workspacePage(member, {
      title: Object.keys(faults).length > 0 ? "Not saved – Your account" : "Your account",
      place: "Account",
      main: html`<div class="setting account-page">
<header class="lead"><h1>Your account</h1><p class="about"><bdi>${member.email}</bdi> <span class="quiet">${member.role} of <bdi>${member.organizationName}</bdi></span></p></header>
${noticeOf(notice)}
${faultSummary(faults, "Nothing was saved.")}
<form method="post" action="${accountHref}/name" class="fields" novalidate>
${credential({ name: "name", label: "Name", faults, autocomplete: "name", value: name, isOptional: true, hint: "Your colleagues see it beside what you do." })}
<p class="actions"><button class="secondary">Save name</button></p>
</form>
${passwordSection(member, view)}
<section class="apart" aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
<p class="note">Browsers that are signed in as you. A session ends after two weeks without a visit, and after a month in all.</p>
<ul class="rows">
${sessions.map((session) => row(session, now))}</ul>
${
  sessions.length < 2
    ? null
    : html`<form method="post" action="${accountHref}/sessions/end-others" class="actions"><button class="secondary">End all other sessions</button></form>`
}</section></div>`,
    }),
    styles: ["workspace.css", "settings.css"],
    scripts: ["time.js", "settings.js"],
  }
}
