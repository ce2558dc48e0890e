/** The frame of the workspace: where one is, who is signed in, and the way out. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { type Member, maySetUp } from "../Member.ts"

/** The parts of the workspace, in the order of the menu. */
const places = [
  { name: "Submissions", href: "/submissions", isFor: () => true },
  { name: "Invitations", href: "/invitations", isFor: () => true },
  { name: "Interview sets", href: "/interview-sets", isFor: () => true },
  { name: "Projects", href: "/projects", isFor: maySetUp },
  { name: "Settings", href: "/settings", isFor: maySetUp },
] as const
export type Place = (typeof places)[number]["name"] | "Account"

export interface WorkspacePage {
  readonly title: string
  /** The part of the workspace that the page is in. */
  readonly place: Place
  readonly main: Html
  readonly wide?: boolean
}

const masthead = (member: Member, place: Place): Html => html`${brand(member.organizationName)}
<nav class="tools" aria-label="Workspace">
${places.map(({ href, isFor, name }) =>
  isFor(member) ? html`<a href="${href}"${name === place ? html` aria-current="true"` : null}>${name}</a>\n` : null,
)}
</nav>
<form method="post" action="/sign-out" class="account"><a class="who" href="/account" title="${member.email}"${place === "Account" ? html` aria-current="true"` : null}>${member.name ?? member.email}</a>
<button class="link">Sign out</button></form>`

/** A page of the workspace, for a member. */
export const workspacePage = (member: Member, { main, place, title, wide = false }: WorkspacePage): Document => ({
  title: `${title} – ${member.organizationName}`,
  masthead: masthead(member, place),
  wide,
  styles: ["workspace.css"],
  scripts: ["time.js"],
  main,
})
