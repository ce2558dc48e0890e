/** Renders the answer to what a candidate needs, in the language of the candidate's pages. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import type { FollowUpView } from "../invitations/FollowUpRepository.ts"
import { lineOf } from "../invitations/Invitation.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { momentText } from "../texts/Formats.ts"
import { type Language, languageOf, textsOf } from "../texts/Texts.ts"
import { paletteOf } from "../values/Colour.ts"
import type { AccommodationAnswer } from "./Accommodation.ts"
import { grantedTexts } from "./GrantedTexts.ts"

/** An interview that can still be taken. */
export interface OpenInterview {
  /** A slot (emails/EmailLinks.ts). */
  readonly url: string
  readonly isRunning: boolean
  /** Until when it can be started, or answered while it runs; null: no limit. */
  readonly until: Date | null
}

const untilText = (language: Language, { isRunning, until }: OpenInterview, timeZone: string): string => {
  const { say } = textsOf(language, "mail")
  if (until === null) return say("runningNoLimit")
  const deadline = momentText(language, until, timeZone)
  return isRunning
    ? `${say("runningDeadline", { deadline })} ${say("timeLeft")}`
    : `${say("deadline", { deadline })} ${say("ownZone")}`
}

/** `logo` undefined: the organization's name stands at the top. `interview` undefined: it can no longer be taken. */
export const renderAccommodation = (
  view: FollowUpView,
  answer: AccommodationAnswer,
  logo: Logo | undefined,
  interview: OpenInterview | undefined,
): RenderedEmail => {
  const language = languageOf(view.languages)
  const { pieces, say } = textsOf(language, "accommodation")
  const mail = textsOf(language, "mail")
  const organization = view.organization_name
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  const palette = paletteOf(view.appearance?.colour ?? null)
  const { heading, lead, quiet, text } = Layout.styles
  const subject = lineOf(say("subject", { interview: view.interview_name }))
    .slice(0, 200)
    .toWellFormed()
  const points = grantedTexts(language, organization, answer)
  const until = interview === undefined ? "" : untilText(language, interview, view.time_zone)
  const open = mail.say(interview?.isRunning === true ? "continue" : "open")
  return {
    subject,
    text: [
      `${say("lead", { organization })} ${view.interview_name}`,
      points.join("\n"),
      ...(answer.text === "" ? [] : [answer.text]),
      ...(interview === undefined ? [] : [until, `${open}\n${interview.url}`, mail.say("linkIsYours")]),
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
${answer.text === "" ? null : Layout.paragraphs(answer.text)}${
  interview === undefined
    ? null
    : html`<p class="ink" style="${text}">${until}</p>
${Layout.button(open, interview.url, palette)}
<p class="quiet" style="${quiet}">${mail.say("copyLink")}<br>
${Layout.link(interview.url, interview.url, palette)}<br>
${mail.say("linkIsYours")}</p>`
}`,
      foot: html`${mail.pieces("whyAfter", isolated)}`,
    }),
  }
}
