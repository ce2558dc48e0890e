/** Renders the answer to a candidate who asked for a person, in the language of the candidate's pages. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import type { FollowUpView } from "../invitations/FollowUpRepository.ts"
import { lineOf } from "../invitations/Invitation.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../texts/Texts.ts"
import { paletteOf } from "../values/Colour.ts"
import type { PersonReviewAnswer } from "./PersonReview.ts"

/** `logo` undefined: the organization's name stands at the top. `url`: of the candidate's interview. */
export const renderPersonReviewAnswer = (
  view: FollowUpView,
  { outcome, text: written }: { readonly outcome: PersonReviewAnswer; readonly text: string },
  logo: Logo | undefined,
  url: string,
): RenderedEmail => {
  const language = languageOf(view.languages)
  const { say } = textsOf(language, "personReview")
  const request = textsOf(language, "accommodation")
  const mail = textsOf(language, "mail")
  const organization = view.organization_name
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  const palette = paletteOf(view.appearance?.colour ?? null)
  const { heading, lead, quiet, text } = Layout.styles
  const subject = lineOf(request.say("subject", { interview: view.interview_name }))
    .slice(0, 200)
    .toWellFormed()
  const point = say(outcome)
  const open = textsOf(language, "notice").say("go")
  return {
    subject,
    text: [
      `${request.say("lead", { organization })} ${view.interview_name}`,
      point,
      ...(written === "" ? [] : [written]),
      `${open}\n${url}`,
      mail.say("linkIsYours"),
      `--\n${mail.say("whyAfter", { organization })}\n`,
    ].join("\n\n"),
    html: Layout.frame({
      language,
      title: subject,
      preview: point,
      head: organization,
      logo,
      palette,
      body: html`<p class="ink" style="${lead}">${request.pieces("lead", isolated)}</p>
<h1 class="ink" dir="auto" style="${heading}">${view.interview_name}</h1>
<p class="ink" dir="auto" style="${text}">${point}</p>
${written === "" ? null : Layout.paragraphs(written)}
${Layout.button(open, url, palette)}
<p class="quiet" style="${quiet}">${mail.say("copyLink")}<br>
${Layout.link(url, url, palette)}<br>
${mail.say("linkIsYours")}</p>`,
      foot: html`${mail.pieces("whyAfter", isolated)}`,
    }),
  }
}
