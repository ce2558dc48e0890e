/** What follows the creation of a key: its value, this once; and what a form says that is sent once more. */

import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import type { Member } from "../Member.ts"
import { keyHref, keysHref } from "./ApiKeyPage.ts"
import { copied, copiedBlock, settingsPage, shellWord } from "./SettingsParts.ts"

const section = "API Keys"

/** The answer to the form that made the key; no address leads here. */
export const keyMadePage = (
  member: Member,
  key: { readonly name: string; readonly value: string; readonly apiUrl: string },
): Document =>
  settingsPage(member, {
    title: "Save the key now",
    section,
    main: html`<header class="lead"><h1>Save the key now</h1>
<p class="welcome">This is the only time that the value of <bdi>${key.name}</bdi> is shown. Put it where the system reads its secrets;
not into a web page, a log or version control.</p></header>
<div class="once" data-forget="The value was shown once, and is not shown again.">
${copied("value", "The key", key.value)}
${copiedBlock("curl", "Try it", `curl -H ${shellWord(`X-API-Key: ${key.value}`)} \\\n  ${shellWord(`${key.apiUrl}/company/integration/me/v1`)}`)}
</div>
<p class="actions spaced"><a class="button primary" href="${keysHref}?done=created">I have saved it</a></p>`,
  })

/** The form was sent before, and its key is there. */
export const keyKnownPage = (member: Member, id: string): Document =>
  settingsPage(member, {
    title: "The key was created before",
    section,
    back: { href: keysHref, name: "All API keys" },
    main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>The key was created before</h1>
<p>This form was sent before, and made one key. Its value was shown then, and is not shown again. You did not save it?
Delete that key and create another.</p>
<p class="actions"><a class="button primary" href="${keyHref(id)}">Look at the key</a> <a class="button secondary" href="${keysHref}/new">Create another</a></p></div>`,
  })
