/** Emails to members. */
import { Effect } from "effect"
import * as Layout from "../../emails/EmailLayout.ts"
import { EmailRepository, type RenderedEmail } from "../../emails/EmailRepository.ts"
import { Database } from "../../platform/database/Database.ts"
import { html } from "../../platform/http/Html.ts"
import { Ids } from "../../platform/NewIds.ts"
import { momentText } from "../../texts/Formats.ts"
import { EmailId, type OrganizationId } from "../../values/Ids.ts"
import { OrganizationRepository } from "../OrganizationRepository.ts"
import type { Role } from "./Member.ts"

interface Content {
  readonly subject: string
  readonly preview: string
  readonly head: string
  readonly lines: ReadonlyArray<string>
  readonly link?: { readonly action: string; readonly url: string }
  readonly after: string
  /** Ends such emails. */
  readonly unsubscribeUrl?: string
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

const unsubscribeLabel = "Get no more such emails"

const render = ({ after, head, lines, link, preview, subject, unsubscribeUrl }: Content): RenderedEmail => {
  const { heading, quiet, text } = Layout.styles
  return {
    subject: oneLine(subject),
    html: Layout.frame({
      language: "en",
      title: oneLine(subject),
      preview,
      head,
      body: html`<h1 class="ink" style="${heading}">${subject}</h1>
${lines.map((line) => html`<p class="ink" dir="auto" style="${text}">${line}</p>\n`)}${
  link === undefined
    ? null
    : html`${Layout.button(link.action, link.url)}
<p class="quiet" style="${quiet}">If the button does not work, copy this address into your browser:<br>
${Layout.link(link.url, link.url)}</p>`
}`,
      foot: unsubscribeUrl === undefined ? after : html`${after}<br>\n${Layout.link(unsubscribeLabel, unsubscribeUrl)}`,
    }),
    text: [
      ...lines,
      ...(link === undefined ? [] : [`${link.action}\n${link.url}`]),
      `--\n${after}`,
      ...(unsubscribeUrl === undefined ? [] : [`${unsubscribeLabel}\n${unsubscribeUrl}`]),
    ]
      .join("\n\n")
      .concat("\n"),
  }
}

interface MemberInvitation {
  readonly organization: string
  readonly inviter: string
  readonly role: Role
  readonly email: string
  readonly url: string
  readonly until: Date
  readonly timeZone: string
}

const roleText: Readonly<Record<Role, string>> = {
  owner: "an owner",
  admin: "an admin",
  recruiter: "a recruiter",
  reviewer: "a reviewer",
}

export const renderMemberInvitation = (given: MemberInvitation): RenderedEmail => {
  const { email, role, timeZone, until, url } = given
  const [organization, inviter] = [oneLine(given.organization), oneLine(given.inviter)]
  return render({
    subject: `Join ${organization}`,
    preview: `${inviter} invites you to the workspace`,
    head: organization,
    lines: [
      `${inviter} invites you to the workspace of ${organization}, as ${roleText[role]}.`,
      `You will sign in as ${email}. The link below is only for you. It works once, until ${momentText("en", until, timeZone)}.`,
    ],
    link: { action: "Accept the invitation", url },
    after: `This email was sent because a member of ${organization} entered your address. If you did not expect it, ignore it.`,
  })
}

/** Contains no candidate data, because an erasure does not delete it from emails to members. */
export const renderMention = (given: {
  readonly organization: string
  readonly author: string
  /** Before "a candidate". */
  readonly place: "review of" | "comment on"
  readonly interview: string
  readonly url: string
  readonly unsubscribeUrl: string
}): RenderedEmail => {
  const [noun] = given.place.split(" ")
  const [organization, author, interview] = [given.organization, given.author, given.interview].map(oneLine)
  return render({
    subject: `${author} mentioned you in a ${noun}`,
    preview: `A candidate for ${interview}`,
    head: organization ?? "",
    lines: [`${author} mentioned you in a ${given.place} a candidate for ${interview}.`],
    link: { action: "Open the submission", url: given.url },
    after: `This email was sent because a member of ${organization} chose you. It contains no data of the candidate.`,
    unsubscribeUrl: given.unsubscribeUrl,
  })
}

/** Without candidate data and without the comment, as `renderMention`. */
export const renderComment = (given: {
  readonly organization: string
  readonly author: string
  readonly interview: string
  readonly url: string
  readonly unsubscribeUrl: string
}): RenderedEmail => {
  const [organization = "", author = "", interview = ""] = [given.organization, given.author, given.interview].map(
    oneLine,
  )
  return render({
    subject: `${author} commented on a candidate for ${interview}`,
    preview: `In the workspace of ${organization}`,
    head: organization,
    lines: [`${author} commented on a candidate for ${interview}, whom you review.`],
    link: { action: "Open the submission", url: given.url },
    after: "This email was sent because you review the candidate. It contains no data of the candidate.",
    unsubscribeUrl: given.unsubscribeUrl,
  })
}

interface AboutInterview {
  readonly organization: string
  readonly interview: string
  readonly url: string
  readonly unsubscribeUrl: string
}

/** Without candidate data, as `renderMention`. */
const aboutInterview =
  (textsOf: (interview: string) => Pick<Content, "subject" | "lines" | "after"> & { readonly action: string }) =>
  (given: AboutInterview): RenderedEmail => {
    const [organization = "", interview = ""] = [given.organization, given.interview].map(oneLine)
    const { action, ...texts } = textsOf(interview)
    return render({
      ...texts,
      preview: `In the workspace of ${organization}`,
      head: organization,
      link: { action, url: given.url },
      unsubscribeUrl: given.unsubscribeUrl,
    })
  }

export const renderSubmitted = aboutInterview((interview) => ({
  subject: `Interview submitted: ${interview}`,
  lines: [`A candidate has submitted the interview ${interview}.`],
  action: "Open the submission",
  after: "This email was sent because you have access to the interview. It contains no data of the candidate.",
}))

export const renderAccommodationRequest = aboutInterview((interview) => ({
  subject: `A candidate needs something to take part: ${interview}`,
  lines: [`A candidate asks for something to take part in the interview ${interview}, and waits for an answer.`],
  action: "Read and answer",
  after: "This email was sent because you have access to the interview. It contains no data of the candidate.",
}))

export const renderPersonReviewRequest = aboutInterview((interview) => ({
  subject: `A candidate asks for a person: ${interview}`,
  lines: [`A candidate asks for a review by a person in the interview ${interview}, and waits for an answer.`],
  action: "Read and answer",
  after: "This email was sent because you have access to the interview. It contains no data of the candidate.",
}))

/** `kind`: a correction of a fact, or a remark. */
export const renderCandidateRemark = (kind: "correction" | "remark") =>
  aboutInterview((interview) => ({
    subject: `${kind === "correction" ? "A candidate corrects the result" : "A candidate adds a remark"}: ${interview}`,
    lines: [
      kind === "correction"
        ? `A candidate says that a fact in the result of the interview ${interview} is wrong. If it changes the result, override the score or evaluate again.`
        : `A candidate has written a remark about the result of the interview ${interview}.`,
    ],
    action: "Read it",
    after: "This email was sent because you have access to the interview. It contains no data of the candidate.",
  }))

/** Names one interview set, or the number of submissions; without candidate data, as `renderMention`. */
export const renderAssignment = (given: {
  readonly organization: string
  readonly author: string
  readonly interview: string | undefined
  readonly count: number
  readonly url: string
  readonly unsubscribeUrl: string
}): RenderedEmail => {
  const [organization = "", author = ""] = [given.organization, given.author].map(oneLine)
  const of = given.interview === undefined ? "" : ` for ${oneLine(given.interview)}`
  const what = `${given.count === 1 ? "a candidate" : `${given.count} candidates`}${of}`
  return render({
    subject: `${author} asks you to review ${given.count === 1 ? "a candidate" : `${given.count} candidates`}`,
    preview: `In the workspace of ${organization}`,
    head: organization,
    lines: [`${author} asks you to review ${what}.`],
    link: { action: given.count === 1 ? "Open the submission" : "Open your list", url: given.url },
    after: `This email was sent because a member of ${organization} assigned the review to you. It contains no data of candidates.`,
    unsubscribeUrl: given.unsubscribeUrl,
  })
}

/** Rendered before the member is looked up, so it cannot name the member. */
export const renderPasswordReset = (url: string): RenderedEmail =>
  render({
    subject: "Choose a new password",
    preview: "The link works once, for an hour",
    head: "Interview invitations",
    lines: [
      "Someone, most likely you, asked for a new password to sign in with this address.",
      `The link below is only for you. It works once, for an hour. Your current password works until you choose a new one. All your sessions end then, and your passkeys are removed.`,
    ],
    link: { action: "Choose a new password", url },
    after: "If you did not ask for this, ignore this email: your password can only be changed with the link.",
  })

const passwordChanges = {
  password: "on your account page, with the previous password",
  link: "with a link that was emailed to this address",
  command: "by the operator of this service",
}

/** What it says to a member who has not made the change. */
const ifNotYou =
  "If it was not you, go to the sign-in page, choose “Lost your password?” and set a new password. Then tell an owner or admin of your organization."

const renderChanged = (
  subject: string,
  lines: ReadonlyArray<string>,
  /** Completes "This email is sent whenever …". */
  sent: string,
): RenderedEmail =>
  render({
    subject,
    preview: "If it was not you, act now",
    head: "Interview invitations",
    lines: [...lines, ifNotYou],
    after: `This email is sent whenever ${sent} is changed. It contains no link, to protect you from phishing.`,
  })

/** Sends an email about a change that was made now. Call in the transaction of the change. `contentAt`: with the time as text. */
const makeNotifyChange = (kind: "password_changed" | "second_factor_changed") =>
  Effect.gen(function* () {
    const { time } = yield* Database
    const emailRepository = yield* EmailRepository
    const ids = yield* Ids
    const organizationRepository = yield* OrganizationRepository
    return Effect.fnUntraced(function* (
      organization: OrganizationId,
      recipient: string,
      contentAt: (at: string) => RenderedEmail,
    ) {
      const zone = (yield* organizationRepository.find(organization))?.time_zone
      const content = contentAt(momentText("en", yield* time, zone))
      const id = yield* ids.make(EmailId)
      yield* emailRepository.insert(organization, [{ id, invitation_id: null, kind, recipient, content }])
    })
  })

export const makeNotifyPasswordChanged = Effect.map(
  makeNotifyChange("password_changed"),
  (notify) => (organization: OrganizationId, recipient: string, by: keyof typeof passwordChanges) =>
    notify(organization, recipient, (at) =>
      renderChanged(
        "Your password was changed",
        [
          `The password of ${recipient} was changed on ${at}, ${passwordChanges[by]}. All earlier sessions have ended.${by === "link" ? " Passkeys, if there were any, were removed." : ""}`,
          "If it was you, there is nothing to do.",
        ],
        "the password of a member",
      ),
    ),
)

const secondFactor = "second factor"

/** `what` completes "The second factor was …", or of another `subject`. */
export const makeNotifySecondFactor = Effect.map(
  makeNotifyChange("second_factor_changed"),
  (notify) =>
    (organization: OrganizationId, recipient: string, what: string, subject: string = secondFactor) =>
      notify(organization, recipient, (at) =>
        renderChanged(
          subject === secondFactor ? "Your second factor was changed" : "Your passkeys were changed",
          [`On ${at}, the ${oneLine(subject)} of ${recipient} was ${what}.`],
          "the second factor or a passkey of a member",
        ),
      ),
)
