/** What an owner or admin reads while nobody was invited: where to begin, each step a link to where it is done. */

import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { setHref, setsHref } from "../../interview-sets/pages/SetLabels.ts"
import { type Html, html } from "../../platform/http/Html.ts"

interface Step {
  readonly href: string
  readonly name: string
  readonly text: string
}

const settingUp: ReadonlyArray<Step> = [
  {
    href: "/settings/integrations/api-keys",
    name: "Connect your hiring system",
    text: "It creates interview sets and invites candidates with an API key, and webhooks tell it what happens.",
  },
  {
    href: "/settings/members/new",
    name: "Invite colleagues",
    text: "Recruiters see the interviews that name them; admins set everything up.",
  },
  {
    href: "/settings/organization",
    name: "Say whom candidates can ask",
    text: "Your organization's name and contacts stand in its mails and on candidates' pages.",
  },
]

/** `sets`: the interview sets that are there, newest first. */
export const firstSteps = (sets: ReadonlyArray<readonly [id: string, title: string]>): Html => {
  const [newest] = sets
  const next: Step =
    newest === undefined
      ? {
          href: `${setsHref}/new`,
          name: "Create an interview set",
          text: "The questions that candidates answer, and the requirements that their answers are rated against.",
        }
      : {
          href: sets.length === 1 ? `${setHref(newest[0])}/invite` : setsHref,
          name: "Invite candidates",
          text: `${sets.length === 1 ? `To “${cut(newest[1], 80)}”. ` : "Choose an interview set. "}Each gets a mail with a link; what they answer appears here.`,
        }
  return html`<section aria-labelledby="start"><h2 id="start">Get started</h2><p class="note">Nobody was invited yet.</p>
<ul class="rows">${[next, ...settingUp].map(
    ({ href, name, text }) => html`<li><a class="row" href="${href}">
<span class="row-head"><span class="row-name">${name}</span></span>
<span class="row-text">${text}</span></a></li>
`,
  )}</ul></section>`
}
