/** Mails to members: that they were invited, the link with which a password is set, and that it was. */

import * as Layout from "../emails/EmailLayout.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { html } from "../platform/http/Html.ts"
import { momentText } from "../texts/Formats.ts"
import type { Role } from "./Member.ts"

interface Letter {
  readonly subject: string
  readonly preview: string
  readonly head: string
  readonly lines: ReadonlyArray<string>
  /** What the mail asks for; without it there is nothing to follow. */
  readonly link?: { readonly action: string; readonly url: string }
  readonly after: string
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

const render = ({ after, head, lines, link, preview, subject }: Letter): RenderedEmail => {
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
      foot: after,
    }),
    text: [...lines, ...(link === undefined ? [] : [`${link.action}\n${link.url}`]), `--\n${after}`]
      .join("\n\n")
      .concat("\n"),
  }
}

export interface MemberInvitation {
  readonly organization: string
  /** Who invites: a name, else an address. */
  readonly inviter: string
  readonly role: Role
  readonly email: string
  readonly url: string
  readonly until: Date
}

const roleText: Readonly<Record<Role, string>> = {
  owner: "an owner",
  admin: "an admin",
  recruiter: "a recruiter",
}

export const renderMemberInvitation = (given: MemberInvitation): RenderedEmail => {
  const { email, role, until, url } = given
  const [organization, inviter] = [oneLine(given.organization), oneLine(given.inviter)]
  return render({
    subject: `Join ${organization}`,
    preview: `${inviter} invites you to the workspace`,
    head: organization,
    lines: [
      `${inviter} invites you to the workspace of ${organization}, as ${roleText[role]}.`,
      `You will sign in as ${email}. The link below is yours alone. It works once, until ${momentText("en", until)}.`,
    ],
    link: { action: "Accept the invitation", url },
    after: `This mail was sent because a member of ${organization} entered your address. If you do not know why, do nothing.`,
  })
}

/** The same words for whoever it is asked for: the text is made before anybody knows whether there is such a member. */
export const renderPasswordReset = ({ until, url }: Pick<MemberInvitation, "until" | "url">): RenderedEmail =>
  render({
    subject: "Choose a new password",
    preview: "The link works once, for an hour",
    head: "Interview invitations",
    lines: [
      "Somebody, most likely you, asked for a new password to sign in with this address.",
      `The link below is yours alone. It works once, until ${momentText("en", until)}. Your present password stays until you choose a new one, and all your sessions end when you do.`,
    ],
    link: { action: "Choose a new password", url },
    after: "If you did not ask for this, do nothing: without the link nobody can change your password.",
  })

/** How a password became another one. */
export type PasswordWay = "password" | "link" | "command"

const ways: Readonly<Record<PasswordWay, string>> = {
  password: "on the page of your account, with the password that you had before",
  link: "with a link that was mailed to this address",
  command: "by whoever runs this service",
}

/** Without a link: a mail that asks for passwords is what others send. */
export const renderPasswordChanged = ({
  at,
  email,
  way,
}: {
  readonly at: Date
  readonly email: string
  readonly way: PasswordWay
}): RenderedEmail =>
  render({
    subject: "Your password was changed",
    preview: "If it was not you, do something now",
    head: "Interview invitations",
    lines: [
      `The password of ${email} was changed on ${momentText("en", at)}, ${ways[way]}. All sessions that there were have ended.`,
      "Was it you? Then there is nothing to do.",
      "Was it not you? Go to the page on which you sign in, choose “Lost your password?” and set a new one; then tell an owner or admin of your organization.",
    ],
    after: "This mail is sent whenever the password of a member is changed. It has no link on purpose.",
  })
