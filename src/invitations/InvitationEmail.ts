/**
 * The mails that a candidate gets about an invitation: the invitation itself, the reminder before it expires, the word
 * that there is more time, and the link once more to who has started. In the interview set's language, where texts are translated to it (domain/texts).
 */

import * as Layout from "../emails/EmailLayout.ts"
import type { InvitationMail, RenderedEmail } from "../emails/EmailRepository.ts"
import { html } from "../platform/http/Html.ts"
import { displayName } from "../submissions/Candidate.ts"
import { dateText, durationText, momentText } from "../texts/Formats.ts"
import { type Language, languageOf, textsOf } from "../texts/Texts.ts"
import { isEmailAddress, mailtoOf } from "../values/EmailAddress.ts"
import { fillTokens } from "./Invitation.ts"
import type { InvitationView } from "./InvitationRepository.ts"

/** The addresses in a mail; in its stored text, their slots (emails/EmailLinks.ts). */
export interface InvitationLinks {
  /** Where the candidate answers. */
  readonly interviewUrl: string
  /** An image whose request says that the mail was opened; none where the provider reports that, or nobody does. */
  readonly openPixelUrl?: string | undefined
  /** Where the candidate says that no more mails are wanted. */
  readonly unsubscribeUrl?: string | undefined
}

/** Which texts a mail is made of; the message of who invites is in the first mail alone. */
const speeches = {
  invitation: {
    subject: "invitationSubject",
    preview: "invitationPreview",
    lead: "invitationLead",
    deadline: "deadline",
    onPage: "ownZone",
    isFirst: true,
  },
  invitation_reminder: {
    subject: "reminderSubject",
    preview: "reminderPreview",
    lead: "reminderLead",
    deadline: "deadline",
    onPage: "ownZone",
    isFirst: false,
  },
  invitation_extension: {
    subject: "extensionSubject",
    preview: "extensionPreview",
    lead: "extensionLead",
    deadline: "newDeadline",
    onPage: "ownZone",
    isFirst: false,
  },
  invitation_time: {
    subject: "timeSubject",
    preview: "timePreview",
    lead: "timeLead",
    deadline: "deadline",
    onPage: "ownZone",
    isFirst: false,
  },
  running: {
    subject: "runningSubject",
    preview: "runningPreview",
    lead: "runningLead",
    deadline: "runningDeadline",
    onPage: "timeLeft",
    isFirst: false,
  },
} as const satisfies Record<InvitationMail | "running", unknown>

/** One mail about an invitation. */
export const renderInvitation = (
  invitation: InvitationView,
  links: InvitationLinks,
  kind: InvitationMail = "invitation",
): RenderedEmail => {
  const content = contentOf(invitation, kind)
  return {
    subject: content.texts.say(content.speech.subject, { interview: shortLine(invitation.interview_name) }),
    html: htmlOf(content, links),
    text: textOf(content, links),
  }
}

/** A subject has one line, and no list shows more of it than this. */
const longestTitle = 150

const shortLine = (title: string): string => {
  const characters = [...title.replace(/[\s\p{Cc}]+/gu, " ").trim()]
  return characters.length <= longestTitle ? characters.join("") : `${characters.slice(0, longestTitle).join("")}…`
}

const contentOf = (invitation: InvitationView, kind: InvitationMail) => {
  const language = languageOf(invitation.languages)
  // an invitation that is sent again may find its interview running
  const isRunning = kind === "invitation" && invitation.submission_status === "started"
  const speech = speeches[isRunning ? "running" : kind]
  const until = isRunning ? invitation.answer_until : invitation.expires_at
  const name = displayName(invitation)
  return {
    language,
    speech,
    texts: textsOf(language, "mail"),
    name,
    organization: invitation.organization_name,
    interview: invitation.interview_name,
    message: speech.isFirst ? messageOf(invitation, name, language) : undefined,
    duration:
      invitation.interview_duration === null ? undefined : durationText(language, invitation.interview_duration),
    isRunning,
    deadline: until === null ? undefined : momentText(language, until),
    contact: invitation.organization_contact,
  }
}

type Content = ReturnType<typeof contentOf>

/** The message with its tokens filled in; undefined when there is none. */
const messageOf = (invitation: InvitationView, name: string, language: Language): string | undefined => {
  const message = invitation.message?.trim()
  if (!message) return undefined
  return fillTokens(message, {
    name,
    firstname: invitation.firstname?.trim() || name,
    lastname: invitation.lastname?.trim() ?? "",
    interview: invitation.interview_name,
    organization: invitation.organization_name,
    deadline: dateText(language, invitation.expires_at),
  }).replaceAll("\r\n", "\n")
}

/** How long it takes; undefined where the deadline says it. */
const paceOf = ({ deadline, duration, isRunning, texts: { say } }: Content): string | undefined => {
  if (isRunning) return deadline === undefined ? say("runningNoLimit") : undefined
  return duration === undefined ? say("noTimeLimit") : say("timeLimit", { duration })
}

const actionOf = ({ isRunning, texts: { say } }: Content): string => say(isRunning ? "continue" : "open")

/** Where a contact leads: an https address, or a mail to it. */
const hrefOf = (contact: string): string => (isEmailAddress(contact) ? mailtoOf(contact) : contact)

const textOf = (content: Content, { interviewUrl, unsubscribeUrl }: InvitationLinks): string => {
  const { contact, deadline, interview, message, name, organization, speech } = content
  const { say } = content.texts
  const until = deadline === undefined ? undefined : `${say(speech.deadline, { deadline })} ${say(speech.onPage)}`
  return [
    say("greeting", { name }),
    `${say(speech.lead, { organization })} ${interview}`,
    ...(message === undefined ? [] : [message]),
    [paceOf(content), until].filter((line) => line !== undefined).join("\n"),
    `${actionOf(content)}\n${interviewUrl}`,
    speech.isFirst ? say("linkIsYours") : `${say("linkIsYours")} ${say("sameLink")}`,
    ...(contact === null ? [] : [say("questions", { contact })]),
    `--\n${say("why", { organization })}`,
    ...(unsubscribeUrl === undefined ? [] : [`${say("unsubscribe", { organization })}\n${unsubscribeUrl}`]),
  ]
    .join("\n\n")
    .concat("\n")
}

const htmlOf = (content: Content, { interviewUrl, openPixelUrl, unsubscribeUrl }: InvitationLinks): string => {
  const { contact, deadline, interview, language, message, name, organization, speech } = content
  const { pieces, say } = content.texts
  const { heading, lead, quiet, text } = Layout.styles
  const pace = paceOf(content)
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  return Layout.frame({
    language,
    title: say(speech.subject, { interview: shortLine(interview) }),
    preview: say(speech.preview, { organization, deadline: deadline ?? "" }),
    head: organization,
    body: html`<p class="ink" dir="auto" style="${text}">${say("greeting", { name })}</p>
<p class="ink" style="${lead}">${pieces(speech.lead, isolated)}</p>
<h1 class="ink" dir="auto" style="${heading}">${interview}</h1>
${message === undefined ? null : Layout.note(message)}
${
  pace === undefined
    ? null
    : html`<p class="ink" style="${text}">${pace}</p>
`
}${
  deadline === undefined
    ? null
    : html`<p class="ink" style="${text}">${pieces(speech.deadline, { deadline: html`<strong>${deadline}</strong>` })} ${say(speech.onPage)}</p>
`
}${Layout.button(actionOf(content), interviewUrl)}
<p class="quiet" style="${quiet}">${say("copyLink")}<br>
${Layout.link(interviewUrl, interviewUrl)}<br>
${say("linkIsYours")}${speech.isFirst ? null : ` ${say("sameLink")}`}</p>
${
  contact === null
    ? null
    : html`<p class="quiet" style="${quiet}margin-top:12px;">${pieces("questions", { contact: Layout.outerLink(contact, hrefOf(contact)) })}</p>
`
}${openPixelUrl === undefined ? null : Layout.pixel(openPixelUrl)}`,
    foot: html`${pieces("why", isolated)}${
      unsubscribeUrl === undefined
        ? null
        : html`<br>
${Layout.link(say("unsubscribe", { organization }), unsubscribeUrl)}`
    }`,
  })
}
