/** Renders emails after an interview in the language of the candidate's pages: the receipt, and letters about decisions. */
import { fullName } from "../candidates/Candidate.ts"
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { type Html, html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../texts/Texts.ts"
import { paletteOf } from "../values/Colour.ts"
import { isEmailAddress, mailtoOf } from "../values/EmailAddress.ts"
import type { LetterText } from "./FollowUp.ts"
import type { FollowUpView } from "./FollowUpRepository.ts"
import { fillTokens, lineOf } from "./Invitation.ts"
import { nameParts } from "./NameParts.ts"

const contentOf = (view: FollowUpView) => {
  const language = languageOf(view.languages)
  return {
    language,
    texts: textsOf(language, "mail"),
    organization: view.organization_name,
    palette: paletteOf(view.appearance?.colour ?? null),
    contact: view.organization_contact,
  }
}

const greetingOf = (view: FollowUpView, { texts: { say } }: ReturnType<typeof contentOf>): string => {
  const name = fullName(view)
  return name === "" ? say("greetingWithoutName") : say("greeting", { name })
}

/**
 * `logo` undefined: the organization's name stands at the top. `interviewUrl`: a slot (emails/EmailLinks.ts), for the voluntary
 * questions, to which the interview's page leads.
 */
export const renderReceipt = (view: FollowUpView, logo: Logo | undefined, interviewUrl: string): RenderedEmail => {
  const content = contentOf(view)
  const { contact, language, organization, palette, texts } = content
  const { pieces, say } = texts
  const { heading, lead, quiet, text } = Layout.styles
  const voluntary = textsOf(language, "selfIdentification")
  const next = textsOf(language, "notice").say("next", { organization })
  const subject = lineOf(say("receiptSubject", { interview: view.interview_name }))
    .slice(0, 200)
    .toWellFormed()
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  const greeting = greetingOf(view, content)
  return {
    subject,
    text: [
      greeting,
      `${say("receiptLead", { organization })} ${view.interview_name}`,
      next,
      ...(view.asks_voluntarily ? [`${voluntary.say("invite", { organization })}\n${interviewUrl}`] : []),
      ...(contact === null ? [] : [say("questions", { contact })]),
      `--\n${say("whyAfter", { organization })}\n`,
    ].join("\n\n"),
    html: Layout.frame({
      language,
      title: subject,
      preview: say("receiptPreview", { organization }),
      head: organization,
      logo,
      palette,
      body: html`<p class="ink" dir="auto" style="${text}">${greeting}</p>
<p class="ink" style="${lead}">${pieces("receiptLead", isolated)}</p>
<h1 class="ink" dir="auto" style="${heading}">${view.interview_name}</h1>
<p class="ink" style="${text}">${next}</p>
${
  view.asks_voluntarily
    ? html`<p class="ink" style="${text}">${voluntary.pieces("invite", isolated)} ${Layout.link(voluntary.say("link"), interviewUrl, palette)}</p>\n`
    : null
}${
  contact === null
    ? null
    : html`<p class="quiet" style="${quiet}">${pieces("questions", { contact: contactLink(contact, palette) })}</p>`
}`,
      foot: html`${pieces("whyAfter", isolated)}`,
    }),
  }
}

const contactLink = (contact: string, palette: Parameters<typeof Layout.outerLink>[2]): Html =>
  Layout.outerLink(contact, isEmailAddress(contact) ? mailtoOf(contact) : contact, palette)

/** Fills in the words in double braces. The text stands alone: without a greeting, and without a contact. */
export const renderLetter = (view: FollowUpView, letter: LetterText, logo: Logo | undefined): RenderedEmail => {
  const { language, organization, palette, texts } = contentOf(view)
  const values = { ...nameParts(view), interview: view.interview_name, organization, deadline: "" }
  const subject = lineOf(fillTokens(letter.subject, values))
  const text = fillTokens(letter.text.trim(), values).replaceAll("\r\n", "\n")
  const why = texts.say("whyAfter", { organization })
  return {
    subject,
    text: `${text}\n\n--\n${why}\n`,
    html: Layout.frame({
      language,
      title: subject,
      preview: lineOf(text).slice(0, 120).toWellFormed(),
      head: organization,
      logo,
      palette,
      body: Layout.paragraphs(text),
      foot: html`${texts.pieces("whyAfter", { organization: html`<bdi>${organization}</bdi>` })}`,
    }),
  }
}
