/** Renders emails of invitations in the set's first language that texts/ has (docs/mails.md). */
import { fullName } from "../candidates/Candidate.ts"
import * as Layout from "../emails/EmailLayout.ts"
import type { InvitationMail, RenderedEmail } from "../emails/EmailRepository.ts"
import { html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { durationText, momentText } from "../texts/Formats.ts"
import { spokenQuestionsText } from "../texts/SpokenQuestions.ts"
import { type Language, languageOf, textsOf } from "../texts/Texts.ts"
import { paletteOf } from "../values/Colour.ts"
import { isEmailAddress, mailtoOf } from "../values/EmailAddress.ts"
import { fillTokens, lineOf, type MessageTokens } from "./Invitation.ts"
import type { InvitationView } from "./InvitationRepository.ts"
import { nameParts } from "./NameParts.ts"

/** Stored emails have slots instead (emails/EmailLinks.ts). */
export interface InvitationLinks {
  readonly interviewUrl: string
  /** Undefined when the provider tracks opens. */
  readonly openPixelUrl?: string | undefined
  readonly unsubscribeUrl?: string | undefined
  /** With an absolute address; undefined: the email shows the organization's name. */
  readonly logo?: Logo | undefined
}

const textKeys = {
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

/** What the subject of an invitation's email depends on. */
export type SubjectView = Pick<
  InvitationView,
  | "expires_at"
  | "firstname"
  | "interview_name"
  | "languages"
  | "lastname"
  | "name"
  | "organization_name"
  | "own_subjects"
  | "time_zone"
>

/** Subjects of their own: of invitations that have not begun, and of reminders. */
const ownSubjectOf = ({ own_subjects }: SubjectView, kind: InvitationMail | "running"): string => {
  if (kind === "invitation") return own_subjects.invitation
  return kind === "invitation_reminder" ? own_subjects.reminder : ""
}

/** Characters of a subject whose words are filled in. */
const maxLine = 250

/** What the words in double braces become in a subject. */
export const subjectTokens = (view: Omit<SubjectView, "own_subjects">): MessageTokens => ({
  ...nameParts(view),
  interview: shortLine(view.interview_name),
  organization: view.organization_name,
  deadline: momentText(languageOf(view.languages), view.expires_at, view.time_zone),
})

/** `running`: of an invitation that is resent while the interview is running. */
export const renderSubject = (view: SubjectView, kind: InvitationMail | "running"): string => {
  const values = subjectTokens(view)
  const own = lineOf(fillTokens(ownSubjectOf(view, kind), values))
  return own === ""
    ? textsOf(languageOf(view.languages), "mail").say(textKeys[kind].subject, { interview: values.interview })
    : cutLine(own, maxLine)
}

export const renderInvitation = (
  invitation: InvitationView,
  links: InvitationLinks,
  kind: InvitationMail = "invitation",
): RenderedEmail => {
  const content = contentOf(invitation, kind)
  return {
    subject: content.subject,
    html: htmlOf(content, links),
    text: textOf(content, links),
  }
}

const maxTitle = 150

const cutLine = (line: string, most: number): string => {
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most).join("")}…`
}

const shortLine = (title: string): string => cutLine(lineOf(title), maxTitle)

const contentOf = (invitation: InvitationView, kind: InvitationMail) => {
  const language = languageOf(invitation.languages)
  // resent while the interview is running
  const isRunning = kind === "invitation" && invitation.submission_status === "started"
  const keys = textKeys[isRunning ? "running" : kind]
  const until = isRunning ? invitation.answer_until : invitation.expires_at
  const name = fullName(invitation)
  return {
    language,
    keys,
    subject: renderSubject(invitation, isRunning ? "running" : kind),
    texts: textsOf(language, "mail"),
    name,
    organization: invitation.organization_name,
    interview: invitation.interview_name,
    message: keys.isFirst ? messageOf(invitation, language) : undefined,
    duration:
      invitation.interview_duration === null ? undefined : durationText(language, invitation.interview_duration),
    spoken: isRunning ? undefined : spokenQuestionsText(language, invitation.spoken_kinds),
    isRunning,
    hasNotice: invitation.has_notice && !isRunning,
    deadline: until === null ? undefined : momentText(language, until, invitation.time_zone),
    contact: invitation.organization_contact,
    palette: paletteOf(invitation.appearance?.colour ?? null),
  }
}

type Content = ReturnType<typeof contentOf>

/** The personal message as the candidate reads it. */
export const sentMessage = (invitation: InvitationView): string | undefined =>
  messageOf(invitation, languageOf(invitation.languages))

const messageOf = (invitation: InvitationView, language: Language): string | undefined => {
  const message = invitation.message?.trim()
  if (!message) return undefined
  return fillTokens(message, {
    ...nameParts(invitation),
    interview: invitation.interview_name,
    organization: invitation.organization_name,
    deadline: momentText(language, invitation.expires_at, invitation.time_zone),
  }).replaceAll("\r\n", "\n")
}

const greetingOf = ({ name, texts: { say } }: Content): string =>
  name === "" ? say("greetingWithoutName") : say("greeting", { name })

const timeLimitOf = ({ deadline, duration, isRunning, texts: { say } }: Content): string | undefined => {
  if (isRunning) return deadline === undefined ? say("runningNoLimit") : undefined
  return duration === undefined ? say("noTimeLimit") : say("timeLimit", { duration })
}

/** How candidates answer. */
const answeringOf = (content: Content): string | undefined => {
  const sentences = [timeLimitOf(content), content.spoken].filter((sentence) => sentence !== undefined)
  return sentences.length === 0 ? undefined : sentences.join(" ")
}

const noticeTextsOf = ({ language }: Content) => textsOf(language, "ratingNotice")

const actionOf = ({ isRunning, texts: { say } }: Content): string => say(isRunning ? "continue" : "open")

/** From whom an email to a candidate comes. `replyTo` null: replies go to the sender's address. */
export const senderOf = ({
  appearance,
  organization_contact,
  organization_name,
}: Pick<InvitationView, "appearance" | "organization_contact" | "organization_name">) => ({
  fromName: organization_name,
  senderName: appearance?.sender_name ?? null,
  replyTo: appearance?.reply_to ?? replyToOf(organization_contact),
})

/** Null: replies go to the sender. */
export const replyToOf = (contact: string | null): string | null =>
  contact !== null && isEmailAddress(contact) ? contact : null

const hrefOf = (contact: string): string => (isEmailAddress(contact) ? mailtoOf(contact) : contact)

const textOf = (content: Content, { interviewUrl, unsubscribeUrl }: InvitationLinks): string => {
  const { contact, deadline, interview, message, organization, keys } = content
  const { say } = content.texts
  const until = deadline === undefined ? undefined : `${say(keys.deadline, { deadline })} ${say(keys.onPage)}`
  return [
    greetingOf(content),
    `${say(keys.lead, { organization })} ${interview}`,
    ...(message === undefined ? [] : [message]),
    [answeringOf(content), until].filter((line) => line !== undefined).join("\n"),
    ...(content.hasNotice ? [noticeTextsOf(content).say("invite", { organization })] : []),
    `${actionOf(content)}\n${interviewUrl}`,
    keys.isFirst ? say("linkIsYours") : `${say("linkIsYours")} ${say("sameLink")}`,
    ...(contact === null ? [] : [say("questions", { contact })]),
    `--\n${say("why", { organization })}`,
    ...(unsubscribeUrl === undefined ? [] : [`${say("unsubscribe", { organization })}\n${unsubscribeUrl}`]),
  ]
    .join("\n\n")
    .concat("\n")
}

const htmlOf = (content: Content, { interviewUrl, logo, openPixelUrl, unsubscribeUrl }: InvitationLinks): string => {
  const { contact, deadline, interview, language, message, organization, keys, palette, subject } = content
  const { pieces, say } = content.texts
  const { heading, lead, quiet, text } = Layout.styles
  const answering = answeringOf(content)
  const isolated = { organization: html`<bdi>${organization}</bdi>` }
  return Layout.frame({
    language,
    title: subject,
    preview: say(keys.preview, { organization, deadline: deadline ?? "" }),
    head: organization,
    logo,
    palette,
    body: html`<p class="ink" dir="auto" style="${text}">${greetingOf(content)}</p>
<p class="ink" style="${lead}">${pieces(keys.lead, isolated)}</p>
<h1 class="ink" dir="auto" style="${heading}">${interview}</h1>
${message === undefined ? null : Layout.note(message, language, palette)}
${
  answering === undefined
    ? null
    : html`<p class="ink" style="${text}">${answering}</p>
`
}${
  deadline === undefined
    ? null
    : html`<p class="ink" style="${text}">${pieces(keys.deadline, { deadline: html`<strong>${deadline}</strong>` })} ${say(keys.onPage)}</p>
`
}${
  content.hasNotice
    ? html`<p class="ink" style="${text}">${noticeTextsOf(content).pieces("invite", isolated)} ${Layout.link(noticeTextsOf(content).say("link"), interviewUrl, palette)}</p>
`
    : null
}${Layout.button(actionOf(content), interviewUrl, palette)}
<p class="quiet" style="${quiet}">${say("copyLink")}<br>
${Layout.link(interviewUrl, interviewUrl, palette)}<br>
${say("linkIsYours")}${keys.isFirst ? null : ` ${say("sameLink")}`}</p>
${
  contact === null
    ? null
    : html`<p class="quiet" style="${quiet}margin-top:12px;">${pieces("questions", { contact: Layout.outerLink(contact, hrefOf(contact), palette) })}</p>
`
}${openPixelUrl === undefined ? null : Layout.pixel(openPixelUrl)}`,
    foot: html`${pieces("why", isolated)}${
      unsubscribeUrl === undefined
        ? null
        : html`<br>
${Layout.link(say("unsubscribe", { organization }), unsubscribeUrl, palette)}`
    }`,
  })
}
