/** Renders the answer to what a candidate needs, in the language of the candidate's pages. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import type { FollowUpView } from "../invitations/FollowUpRepository.ts"
import { lineOf } from "../invitations/Invitation.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../texts/Texts.ts"
import { paletteOf } from "../values/Colour.ts"
import type { AccommodationAnswer } from "./Accommodation.ts"
import { grantedTexts } from "./GrantedTexts.ts"

/** Without the interview's link, which is not stored. `logo` undefined: the organization's name stands at the top. */
export const renderAccommodation = (
  view: FollowUpView,
  answer: AccommodationAnswer,
  logo: Logo | undefined,
): RenderedEmail => {
  const language = languageOf(view.languages)
  const { pieces, say } = textsOf(language, "accommodation")
  const mail = textsOf(language, "mail")
  const organization = view.organization_name
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  const palette = paletteOf(view.appearance?.colour ?? null)
  const { heading, lead, text } = Layout.styles
  const subject = lineOf(say("subject", { interview: view.interview_name }))
    .slice(0, 200)
    .toWellFormed()
  const points = grantedTexts(language, organization, answer)
  return {
    subject,
    text: [
      `${say("lead", { organization })} ${view.interview_name}`,
      points.join("\n"),
      ...(answer.text === "" ? [] : [answer.text]),
      `--\n${mail.say("whyAfter", { organization })}\n`,
    ].join("\n\n"),
    html: Layout.frame({
      language,
      title: subject,
      preview: points.join(" "),
      head: organization,
      logo,
      palette,
      body: html`<p class="ink" style="${lead}">${pieces("lead", isolated)}</p>
<h1 class="ink" dir="auto" style="${heading}">${view.interview_name}</h1>
${points.map((point) => html`<p class="ink" dir="auto" style="${text}">${point}</p>`)}
${answer.text === "" ? null : Layout.paragraphs(answer.text)}`,
      foot: html`${mail.pieces("whyAfter", isolated)}`,
    }),
  }
}
