/** Renders the answer to what a candidate needs, in the language of the candidate's pages. */
import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { renderFollowUp } from "../invitations/FollowUpEmail.ts"
import type { FollowUpView } from "../invitations/FollowUpRepository.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { momentText } from "../texts/Formats.ts"
import { type Language, languageOf, textsOf } from "../texts/Texts.ts"
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

/** `interview` undefined: it can no longer be taken. */
export const renderAccommodation = (
  view: FollowUpView,
  answer: AccommodationAnswer,
  logo: Logo | undefined,
  interview: OpenInterview | undefined,
): RenderedEmail => {
  const language = languageOf(view.languages)
  const { say } = textsOf(language, "mail")
  const { text } = Layout.styles
  const points = grantedTexts(language, view.organization_name, answer)
  const until = interview === undefined ? undefined : untilText(language, interview, view.time_zone)
  const written = answer.text === "" ? [] : [answer.text]
  return renderFollowUp(
    view,
    {
      section: "accommodation",
      preview: points.join(" "),
      parts: [points.join("\n"), ...written, ...(until === undefined ? [] : [until])],
      body: html`${points.map((point) => html`<p class="ink" dir="auto" style="${text}">${point}</p>`)}
${written.map((one) => Layout.paragraphs(one))}${until === undefined ? null : html`<p class="ink" style="${text}">${until}</p>`}`,
      link: interview && { label: say(interview.isRunning ? "continue" : "open"), url: interview.url },
    },
    logo,
  )
}
