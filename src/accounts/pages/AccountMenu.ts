/** The menu of a member's own account. */
import { type Html, html } from "../../platform/http/Html.ts"

const parts = [
  { id: "profile", name: "Profile" },
  { id: "password-head", name: "Password" },
  { id: "factor", name: "Second factor" },
  { id: "passkeys", name: "Passkeys" },
  { id: "emails", name: "Emails to you" },
  { id: "sessions", name: "Sessions" },
] as const
type Part = (typeof parts)[number]["id"]

interface AccountMenu {
  /** Members have passwords and passkeys; false: they sign in at the provider only. */
  readonly hasPasswords: boolean
  /** The part that a page of its own shows. Undefined: the account's page, whose parts settings.js marks while they are read. */
  readonly current?: Part
}

export const accountMenu = ({ current, hasPasswords }: AccountMenu): Html => {
  const page = current === undefined ? "" : "/account"
  const shown = parts.filter(({ id }) => hasPasswords || (id !== "password-head" && id !== "passkeys"))
  return html`<nav class="sections own-sections" aria-label="Your account"><div class="section-links">
${shown.map(({ id, name }) =>
  id === current
    ? html`<a href="/account/second-factor" aria-current="page">${name}</a>\n`
    : html`<a href="${page}#${id}">${name}</a>\n`,
)}</div></nav>`
}
