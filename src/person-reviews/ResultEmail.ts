/** Renders the email that leads a candidate to the page with the result. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import type { FollowUpView } from "../invitations/FollowUpRepository.ts"
import { lineOf } from "../invitations/Invitation.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../texts/Texts.ts"
import { paletteOf } from "../values/Colour.ts"

/** `logo` undefined: the organization's name stands at the top. `url`: of the candidate's interview, which leads to the page. */
export const renderResultOffer = (view: FollowUpView, logo: Logo | undefined, url: string): RenderedEmail => {
  const language = languageOf(view.languages)
  const { pieces, say } = textsOf(language, "result")
  const mail = textsOf(language, "mail")
  const organization = view.organization_name
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  const palette = paletteOf(view.appearance?.colour ?? null)
  const { heading, lead, quiet, text } = Layout.styles
  const subject = lineOf(say("subject", { interview: view.interview_name }))
    .slice(0, 200)
    .toWellFormed()
  return {
    subject,
    text: [
      `${say("lead", { organization })} ${view.interview_name}`,
      say("text", { organization }),
      `${say("link")}\n${url}`,
      mail.say("linkIsYours"),
      `--\n${mail.say("whyAfter", { organization })}\n`,
    ].join("\n\n"),
    html: Layout.frame({
      language,
      title: subject,
      preview: say("text", { organization }),
      head: organization,
      logo,
      palette,
      body: html`<p class="ink" style="${lead}">${pieces("lead", isolated)}</p>
<h1 class="ink" dir="auto" style="${heading}">${view.interview_name}</h1>
<p class="ink" style="${text}">${pieces("text", isolated)}</p>
${Layout.button(say("link"), url, palette)}
<p class="quiet" style="${quiet}">${mail.say("copyLink")}<br>
${Layout.link(url, url, palette)}<br>
${mail.say("linkIsYours")}</p>`,
      foot: html`${mail.pieces("whyAfter", isolated)}`,
    }),
  }
}
