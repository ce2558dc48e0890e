/** Renders the answer to a candidate who asked for a person, in the language of the candidate's pages. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { renderFollowUp } from "../invitations/FollowUpEmail.ts"
import type { FollowUpView } from "../invitations/FollowUpRepository.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../texts/Texts.ts"
import type { PersonReviewAnswer } from "./PersonReview.ts"

/** `url`: of the candidate's interview. */
export const renderPersonReviewAnswer = (
  view: FollowUpView,
  { outcome, text: written }: { readonly outcome: PersonReviewAnswer; readonly text: string },
  logo: Logo | undefined,
  url: string,
): RenderedEmail => {
  const language = languageOf(view.languages)
  const point = textsOf(language, "personReview").say(outcome)
  return renderFollowUp(
    view,
    {
      section: "accommodation",
      preview: point,
      parts: [point, ...(written === "" ? [] : [written])],
      body: html`<p class="ink" dir="auto" style="${Layout.styles.text}">${point}</p>
${written === "" ? null : Layout.paragraphs(written)}`,
      link: { label: textsOf(language, "notice").say("go"), url },
    },
    logo,
  )
}
