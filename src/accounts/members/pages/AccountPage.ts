/** A member's own account. */
import type { Document } from "../../../platform/http/Document.ts"
import {
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  noticeBox,
  select,
} from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { accountMenu } from "../../pages/AccountMenu.ts"
import { sinceText, workspacePage } from "../../pages/WorkspacePage.ts"
import type { Passkey } from "../../sign-in/Passkey.ts"
import { passkeySection } from "../../sign-in/pages/PasskeySection.ts"
import { secondFactorSection } from "../../sign-in/pages/SecondFactorPage.ts"
import { memberNameField, newPasswordField } from "../../sign-in/pages/SignInPage.ts"
import type { SecondFactorStatus } from "../../sign-in/SecondFactors.ts"
import type { OwnSession } from "../../sign-in/Sessions.ts"
import type { Member } from "../Member.ts"
import { dailyHour, type NotificationChoices, type NotificationTime, notifications } from "../Notification.ts"

export const accountHref = "/account"

const timeNames: ReadonlyArray<readonly [NotificationTime, string]> = [
  ["now", "At once"],
  ["daily", "In the daily email"],
  ["off", "Not at all"],
]

export const labels = {
  name: "Your name",
  current: "The current password",
  password: "The new password",
  passkey_name: "The name",
  passkey_answer: "The passkey",
}

interface AccountView {
  readonly sessions: ReadonlyArray<OwnSession>
  readonly password: "set" | "none" | "off"
  readonly linked_at: Date | null
  readonly notifications: NotificationChoices
  readonly secondFactor: SecondFactorStatus | undefined
  /** Undefined: members sign in at the provider only. */
  readonly passkeys: ReadonlyArray<Passkey> | undefined
  /** Of a form that was refused. */
  readonly passkeyName: string | undefined
  /** Of the member's browser. */
  readonly agent: string | null
  readonly now: Date
  readonly name: string
  readonly errors: FieldErrors
  readonly notice: Notice | undefined
}

/** In User-Agent; the first match counts. */
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

const firstMatch = (agent: string, names: ReadonlyArray<readonly [string, string]>) =>
  names.find(([mark]) => agent.includes(mark))?.[1]

const browserText = (agent: string | null): string => {
  const [browser, system] = [firstMatch(agent ?? "", browsers), firstMatch(agent ?? "", systems)]
  if (browser === undefined) return system === undefined ? "Unknown browser" : `A browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}

const sessionRow = ({ created_at, id, isOwn, last_seen_at, user_agent }: OwnSession, now: Date): Html => {
  const name = browserText(user_agent)
  return html`<li><div class="row"><div class="row-head"><span class="row-name" title="${user_agent}">${name}</span>${
    isOwn
      ? html`<span class="tag on">This browser</span>`
      : html`<form method="post" action="${accountHref}/sessions/end"><input type="hidden" name="session" value="${id}"><button class="link">End<span class="unseen"> the session of ${name}, used ${sinceText(last_seen_at, now)}</span></button></form>`
  }</div>
<span class="row-text small">used ${sinceText(last_seen_at, now)} · signed in ${moment(created_at, "short")}</span></div></li>
`
}

const passwordSection = (member: Member, { errors, linked_at, password }: AccountView): Html | null => {
  const provider =
    linked_at === null
      ? null
      : html`<p class="note">Your account at the provider was linked on ${moment(linked_at, "short")}.</p>`
  if (password === "off") return provider
  if (password === "none") {
    return html`<section class="apart" aria-labelledby="password-head"><h2 id="password-head">Password</h2>
${provider}
<p class="note">You have no password. To set one, <a href="/forgot-password">get a link by email</a>.</p></section>`
  }
  return html`<section class="apart" aria-labelledby="password-head"><h2 id="password-head">Password</h2>
${provider}
<p class="note">A new password ends all your other sessions.</p>
<details${errors["current"] === undefined && errors["password"] === undefined ? null : html` open`}><summary class="button secondary">Change password</summary>
<form method="post" action="${accountHref}/password" class="fields" novalidate>
<input type="email" name="email" value="${member.email}" autocomplete="username" hidden>
${field({ name: "current", label: "Current password", errors, isRequired: true, type: "password", autocomplete: "current-password" })}
${newPasswordField("New password", errors)}
<p class="actions"><button class="primary">Save new password</button></p>
</form></details></section>`
}

export const accountPage = (member: Member, view: AccountView): Document => {
  const { errors, name, notice, now, sessions } = view
  return {
    ...workspacePage(member, {
      title: hasErrors(errors) ? "Not saved – Your account" : "Your account",
      place: "Account",
      width: "wide",
      main: html`<div class="settings">
${accountMenu({ hasPasswords: view.password !== "off" })}
<div class="setting account-page">
<header class="lead"><h1>Your account</h1><p class="about"><bdi>${member.email}</bdi> <span class="quiet">${member.role} of <bdi>${member.organizationName}</bdi></span></p></header>
${noticeBox(notice)}
${errorSummary(errors, "Nothing was saved.")}
<section aria-labelledby="profile"><h2 id="profile">Profile</h2>
<form method="post" action="${accountHref}/name" class="fields" novalidate>
${memberNameField("Name", name, errors)}
<p class="actions"><button class="secondary">Save name</button></p>
</form></section>
${passwordSection(member, view)}
${secondFactorSection(view.secondFactor)}
${
  view.passkeys === undefined
    ? null
    : passkeySection(view.passkeys, {
        name: view.passkeyName ?? browserText(view.agent),
        proof: view.secondFactor !== undefined ? "code" : view.password === "set" ? "password" : undefined,
        errors,
      })
}
<section class="apart" aria-labelledby="emails"><h2 id="emails">Emails to you</h2>
<form method="post" action="${accountHref}/notifications" class="fields">
<div class="mails">${notifications
        .filter(({ isFor }) => isFor(member))
        .map(({ column, label }) =>
          select({ name: column, label: label(member), value: view.notifications[column], options: timeNames }),
        )}</div>
<p class="note">The daily email comes at ${dailyHour}:00 (<bdi>${member.timeZone}</bdi>), on days with news. Emails about your sign-in are always sent.</p>
<p class="actions"><button class="secondary">Save emails</button></p>
</form></section>
<section class="apart" aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
<p class="note">Browsers where you are signed in. A session ends after two weeks without use, and after a month at most.</p>
<ul class="rows">
${sessions.map((session) => sessionRow(session, now))}</ul>
${
  sessions.length < 2
    ? null
    : html`<form method="post" action="${accountHref}/sessions/end-others" class="actions"><button class="secondary">End all other sessions</button></form>`
}</section></div></div>`,
    }),
    styles: ["icons.css", "workspace.css", "settings.css"],
    scripts: ["time.js", "settings.js", "passkey.js"],
  }
}
