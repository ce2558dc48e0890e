/** The frame and shared components of workspace and settings pages. */
import type { Document } from "../../platform/http/Document.ts"
import { type Notice, noticeBox } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { type IconName, icon } from "../../platform/http/Icons.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { definedOnly } from "../../values/definedOnly.ts"
import { type Member, memberName, type Role } from "../members/Member.ts"
import { type Action, may, rolesOf } from "../Permissions.ts"
import type { TrialPlaces } from "../TrialPlaces.ts"

/** The menu, in order: of each entry, the action of its page. */
const places = [
  { name: "Home", icon: "home", href: "/home", action: "readAssigned" },
  { name: "Submissions", icon: "inbox", href: "/submissions", action: "readSubmissions" },
  { name: "Interview sets", icon: "checklist", href: "/interview-sets", action: "readSets" },
  { name: "Projects", icon: "briefcase", href: "/projects", action: "readProjects" },
  { name: "Settings", icon: "gear", href: "/settings", action: "manageApiKeys" },
] as const satisfies ReadonlyArray<{
  readonly name: string
  readonly icon: IconName
  readonly href: string
  readonly action: Action
}>
/** Test mode has no entry in the menu: its strip leads to it. */
export type Place = (typeof places)[number]["name"] | "Account" | "Test mode"

export const testModeHref = "/test-mode" as const

/** Of the page at a path. */
export const placeAt = (path: string): Place => {
  const isBelow = (href: string) => path === href || path.startsWith(`${href}/`)
  return isBelow(testModeHref) ? "Test mode" : (places.find(({ href }) => isBelow(href))?.name ?? "Submissions")
}

/** The page that opens after sign-in. */
export const firstPlace = places[0].href

const placesOf = (member: Member) => places.filter(({ action }) => may(member, action))

/** An entry with a group starts that group. */
const sections = [
  { name: "API keys", group: "Integrations", href: "/settings/integrations/api-keys" },
  { name: "API requests", group: null, href: "/settings/integrations/requests" },
  { name: "Hiring systems", group: null, href: "/settings/integrations/hiring-systems" },
  { name: "Webhooks", group: null, href: "/settings/webhooks" },
  { name: "Queues", group: null, href: "/settings/queues" },
  { name: "General", group: "Organization", href: "/settings/organization" },
  { name: "Appearance", group: null, href: "/settings/appearance" },
  { name: "Hiring stages", group: null, href: "/settings/stages" },
  { name: "Reasons", group: null, href: "/settings/reasons" },
  { name: "Tags", group: null, href: "/settings/tags" },
  { name: "Members", group: null, href: "/settings/members" },
  { name: "Candidates' notices", group: null, href: "/settings/notices" },
  { name: "Personal data", group: null, href: "/settings/people" },
  { name: "Retention", group: null, href: "/settings/retention" },
  { name: "Audit log", group: null, href: "/settings/audit" },
  { name: "Decision record", group: null, href: "/settings/record" },
  { name: "Oversight", group: null, href: "/settings/oversight" },
  { name: "Impact ratios", group: null, href: "/settings/impact-ratios" },
  { name: "Candidates' rights", group: null, href: "/settings/candidate-rights" },
  { name: "Counterfactual audit", group: null, href: "/settings/counterfactual-audit" },
] as const
export type Section = (typeof sections)[number]["name"]

/** Refused in test mode. */
const onlyLiveSections: ReadonlyArray<Section> = ["Hiring systems", "Members"]

const sectionsOf = (member: Member, section: Section) =>
  sections.filter(({ name }) => name === section || member.isTest !== true || !onlyLiveSections.includes(name))

/** The address of a section; an unknown name gives the first section's. */
export const sectionHref = (name: string | undefined): string =>
  (sections.find((one) => one.name === name) ?? sections[0]).href

interface WorkspacePage {
  readonly title: string
  readonly place: Place
  readonly main: Html
  readonly width?: "wide" | "full"
}

interface SettingsPage {
  readonly title: string
  readonly section: Section
  readonly main: Html
  readonly back?: { readonly href: string; readonly name: string }
  readonly notice?: Notice | undefined
  /** Wide by default. */
  readonly width?: "full"
}

const testSwitch = (member: Member): Html | null =>
  member.isTest || !may(member, "enterTestMode")
    ? null
    : html`<form method="post" action="${testModeHref}/enter" class="mode"><button class="link">Test<span> mode</span></button></form>\n`

/** Above each page in test mode. */
const testStrip = (): Html =>
  html`<strong>Test mode</strong> <span>Emails stay in its <a href="${testModeHref}">mailbox</a>.</span> <form method="post" action="${testModeHref}/leave"><button class="link">Leave test mode</button></form>`

const isCurrent = (isShown: boolean): Html | null => (isShown ? html` aria-current="true"` : null)

/** On narrow screens, the `details` element opens and closes the places and the account, which follow it. */
const masthead = (member: Member, place: Place): Html => html`${brand(member.organizationName)}
<details class="menu"><summary>Menu</summary></details>
<div class="places"><nav class="tools" aria-label="Workspace">
${placesOf(member).map((one) => html`<a href="${one.href}"${isCurrent(one.name === place)}>${icon(one.icon)}${one.name}</a>\n`)}</nav>
${testSwitch(member)}<form method="post" action="/sign-out" class="account"><a class="who" href="/account" title="${member.email}"${isCurrent(place === "Account")}>${icon("person")}${memberName(member)}</a>
<button class="link">Sign out</button></form></div>`

/** Above each page of the workspace in a trial, except in test mode, whose emails and webhooks do not go there. */
export const trialStrip = ({ mailbox, receiver }: TrialPlaces): Html =>
  html`This is a trial. Its emails are in the <a href="${mailbox}">mailbox</a>, its webhooks in the <a href="${receiver}">receiver</a>.`

export const workspacePage = (member: Member, { main, place, title, width }: WorkspacePage): Document => ({
  title: `${title} – ${member.organizationName}`,
  masthead: masthead(member, place),
  ...(member.isTest ? { strip: testStrip(), isTest: true } : {}),
  zone: member.timeZone,
  keepsZone: true,
  ...definedOnly({ width }),
  isFramed: true,
  styles: ["icons.css", "workspace.css"],
  scripts: ["time.js"],
  main,
})

const sectionChoice = (member: Member, section: Section): Html =>
  html`<form action="/settings" class="section-choice" data-go><select name="section" aria-label="Section" autocomplete="off">${sectionsOf(
    member,
    section,
  ).map(({ group, name }, index) => {
    const ends = index > 0 && group !== null ? html`</optgroup>` : null
    const begins = group === null ? null : html`<optgroup label="${group}">`
    return html`${ends}${begins}<option${name === section ? html` selected` : null}>${name}</option>`
  })}</optgroup></select>
<button class="secondary">Go</button></form>`

/** Narrow screens show a select, wider ones links. */
const sectionMenu = (member: Member, section: Section): Html => html`<nav class="sections" aria-label="Settings">
${sectionChoice(member, section)}
<div class="section-links">
${sectionsOf(member, section).map(
  ({ group, href, name }) =>
    html`${group === null ? null : html`<span class="group">${group}</span>\n`}<a href="${href}"${isCurrent(name === section)}>${name}</a>\n`,
)}</div></nav>`

export const settingsPage = (
  member: Member,
  { back, main, notice, section, title, width }: SettingsPage,
): Document => ({
  ...workspacePage(member, {
    title: `${title} – Settings`,
    place: "Settings",
    width: width ?? "wide",
    main: html`<div class="settings">
${sectionMenu(member, section)}
<div class="setting">
${back === undefined ? null : html`<nav aria-label="Up"><a class="back" href="${back.href}"><span aria-hidden="true">← </span>${back.name}</a></nav>`}
${noticeBox(notice)}
${main}
</div></div>`,
  }),
  styles: ["icons.css", "workspace.css", "settings.css"],
  scripts: ["time.js", "settings.js"],
})

const refusal = (title: string, body: Html, link?: { readonly href: string; readonly name: string }): Html =>
  html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>${title}</h1>
${body}
${link === undefined ? null : html`<p><a class="button secondary" href="${link.href}">${link.name}</a></p>`}</div>`

const allSubmissions = { href: "/submissions", name: "All submissions" }

const assignedToReviewer = { href: firstPlace, name: "Assigned to you" }

const workspaceRefusal = (member: Member, title: string, body: Html, place: Place = "Submissions"): Document =>
  may(member, "readSubmissions")
    ? workspacePage(member, { title, place, main: refusal(title, body, allSubmissions) })
    : workspacePage(member, { title, place: "Home", main: refusal(title, body, assignedToReviewer) })

export const unknownRecordPage = (member: Member, record: string, path: string): Document =>
  workspaceRefusal(
    member,
    `There is no such ${record}`,
    html`<p>It may have been deleted, or it belongs to an organization that you are not signed in to. You are signed in as
<bdi>${member.email}</bdi>.</p>`,
    placeAt(path),
  )

export const notAllowedPage = (member: Member, record: string): Document =>
  workspaceRefusal(
    member,
    `You may not see this ${record}`,
    !may(member, "readSubmissions")
      ? html`<p>Reviewers see the candidates assigned to them. To see more, ask an owner or admin of your organization to assign a
candidate to <bdi>${member.email}</bdi>, or to change your role.</p>`
      : html`<p>Recruiters see the interview sets shared with them. To see this one, ask a recruiter with access, or an owner or admin of
your organization, to add <bdi>${member.email}</bdi> to the interview set, under “Who sees it”.</p>`,
  )

export const formTooLargePage = (member: Member): Document =>
  workspaceRefusal(member, "The form is too large", html`<p>Go back, shorten it and send it again.</p>`)

const article = (role: Role): string => `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`

/** The action is not for the member's role. */
export const refusedRolePage = (member: Member, action: Action): Document => {
  const allowed = new Intl.ListFormat("en-GB").format(rolesOf(action).map((role) => `${role}s`))
  return workspaceRefusal(
    member,
    `This is for ${allowed} only`,
    html`<p>You are signed in as <bdi>${member.email}</bdi>, ${article(member.role)} of <bdi>${member.organizationName}</bdi>. Ask an owner or
an admin to change your role, or to do it for you.</p>`,
  )
}

export const ownersOnlyPage = (member: Member): Document => {
  const title = "Only owners can do this"
  return settingsPage(member, {
    title,
    section: "Members",
    main: refusal(
      title,
      html`<p>Only owners can add, change and remove owners. You are signed in as <bdi>${member.email}</bdi>.</p>`,
      { href: "/settings/members", name: "All members" },
    ),
  })
}

/** Switches the mode and opens the page at `href` there. */
const switchAction = (isTest: boolean, href: string): string =>
  `${testModeHref}/${isTest ? "leave" : "enter"}?next=${encodeURIComponent(href)}`

/** The record is of the other mode, and the member may read it there. `href`: its page. */
export const otherModePage = (member: Member, record: string, href: string): Document => {
  const isTest = member.isTest === true
  const [title, text, button] = isTest
    ? [
        `This ${record} belongs to live mode`,
        `You are in test mode. Leave it to open the ${record}.`,
        "Leave test mode",
      ]
    : [
        `This ${record} belongs to test mode`,
        `You are in live mode. Enter test mode to open the ${record}.`,
        "Enter test mode",
      ]
  return workspacePage(member, {
    title,
    place: placeAt(href.replace(/\?.*/, "")),
    main: refusal(
      title,
      html`<p>${text}</p>
<form method="post" action="${switchAction(isTest, href)}"><button class="primary">${button}</button></form>`,
    ),
  })
}

/** A part of the service that test mode does not have: its name, its section, and why. */
export interface OnlyLive {
  readonly name: string
  readonly section: Section
  readonly why: string
}

/** `href`: the page to open after test mode is left. */
export const onlyLivePage = (member: Member, { name, section, why }: OnlyLive, href: string): Document => {
  const title = `${name} are only in live mode`
  return settingsPage(member, {
    title,
    section,
    main: refusal(
      title,
      html`<p>${why}</p>
<form method="post" action="${switchAction(true, href)}"><button class="secondary">Leave test mode</button></form>`,
    ),
  })
}

/** The page of the form was opened in the other mode. */
export const formOfOtherModePage = (member: Member): Document => {
  const title = member.isTest === true ? "You have entered test mode" : "You have left test mode"
  return workspacePage(member, {
    title,
    place: "Test mode",
    main: refusal(
      title,
      member.isTest === true
        ? html`<p>Nothing was saved: the form was opened in live mode, and would now change data of test mode. Leave test mode and open its
page again, or go on in test mode.</p>
<form method="post" action="${testModeHref}/leave"><button class="secondary">Leave test mode</button></form>`
        : html`<p>Nothing was saved: the form was opened in test mode, and would now change your organization’s own data. Enter test mode and
open its page again, or go on in live mode.</p>`,
      member.isTest === true ? undefined : { href: testModeHref, name: "Test mode" },
    ),
  })
}

export const unreadableSecretPage = (member: Member): Document => {
  const title = "The secret cannot be decrypted"
  return settingsPage(member, {
    title,
    section: "Webhooks",
    main: refusal(
      title,
      html`<p>The secret of this webhook was encrypted with a key that the service no longer has. Nothing was changed or sent.
Regenerate the secret, or ask the operator of the service to restore the key.</p>`,
    ),
  })
}

export const cut = (text: string, max: number): string => {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`
}

export const factList = (all: ReadonlyArray<readonly [name: string, value: HtmlValue]>): Html =>
  html`<dl class="pairs">${all.map(([name, value]) => (value === null || value === undefined ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`))}</dl>`

/** From 1. */
export const pager = (href: string, number: number, pages: number): Html | null =>
  pages < 2
    ? null
    : html`<nav class="pager" aria-label="Pages">${number > 1 ? html`<a class="button secondary" href="${href}?page=${number - 1}">Previous</a>` : null}
<span class="quiet">Page ${number} of ${pages}</span>
${number < pages ? html`<a class="button secondary" href="${href}?page=${number + 1}">Next</a>` : null}</nav>`

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const

export const countText = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const spanText = (millis: number): string => {
  const unit = units.find(([, least]) => millis >= least)
  if (unit === undefined) return "less than a minute"
  const [name, size] = unit
  return countText(Math.floor(millis / size), name, `${name}s`)
}

/** "3 days ago", "in 2 minutes". */
export const sinceText = (at: Date, now: Date): string => {
  const millis = at.getTime() - now.getTime()
  return millis > 0 ? `in ${spanText(millis)}` : `${spanText(-millis)} ago`
}

export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
