/** Renders the email that leads a candidate to the page with the result. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { renderFollowUp } from "../invitations/FollowUpEmail.ts"
import type { FollowUpView } from "../invitations/FollowUpRepository.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../texts/Texts.ts"

/** `url`: of the candidate's interview, which leads to the page. */
export const renderResultOffer = (view: FollowUpView, logo: Logo | undefined, url: string): RenderedEmail => {
  const { pieces, say } = textsOf(languageOf(view.languages), "result")
  const organization = view.organization_name
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  const offer = say("text", { organization })
  return renderFollowUp(
    view,
    {
      section: "result",
      preview: offer,
      parts: [offer],
      body: html`<p class="ink" style="${Layout.styles.text}">${pieces("text", isolated)}</p>`,
      link: { label: say("link"), url },
    },
    logo,
  )
}
