/** Renders emails about the interview of a candidate that lead back to the candidate's pages. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { type Html, html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../texts/Texts.ts"
import { paletteOf } from "../values/Colour.ts"
import type { FollowUpView } from "./FollowUpRepository.ts"
import { lineOf } from "./Invitation.ts"

interface FollowUp {
  /** The texts of the subject, and of the line above the name of the interview. */
  readonly section: "accommodation" | "result"
  readonly preview: string
  /** What it says, as text and below the name of the interview. */
  readonly parts: ReadonlyArray<string>
  readonly body: Html
  /** To the candidate's pages; undefined: none. */
  readonly link: { readonly label: string; readonly url: string } | undefined
}

/** `logo` undefined: the organization's name stands at the top. */
export const renderFollowUp = (
  view: FollowUpView,
  { body, link, parts, preview, section }: FollowUp,
  logo: Logo | undefined,
): RenderedEmail => {
  const language = languageOf(view.languages)
  const mail = textsOf(language, "mail")
  const organization = view.organization_name
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  const palette = paletteOf(view.appearance?.colour ?? null)
  const { heading, lead, quiet } = Layout.styles
  const { pieces, say } = textsOf(language, section)
  const subject = lineOf(say("subject", { interview: view.interview_name }))
    .slice(0, 200)
    .toWellFormed()
  return {
    subject,
    text: [
      `${say("lead", { organization })} ${view.interview_name}`,
      ...parts,
      ...(link === undefined ? [] : [`${link.label}\n${link.url}`, mail.say("linkIsYours")]),
      `--\n${mail.say("whyAfter", { organization })}\n`,
    ].join("\n\n"),
    html: Layout.frame({
      language,
      title: subject,
      preview,
      head: organization,
      logo,
      palette,
      body: html`<p class="ink" style="${lead}">${pieces("lead", isolated)}</p>
<h1 class="ink" dir="auto" style="${heading}">${view.interview_name}</h1>
${body}${
  link === undefined
    ? null
    : html`
${Layout.button(link.label, link.url, palette)}
<p class="quiet" style="${quiet}">${mail.say("copyLink")}<br>
${Layout.link(link.url, link.url, palette)}<br>
${mail.say("linkIsYours")}</p>`
}`,
      foot: html`${mail.pieces("whyAfter", isolated)}`,
    }),
  }
}
