/**
 * The mail that invites a candidate. Tables and inline styles, because that is what mail clients read alike; nothing
 * remote, so that opening the mail tells nobody; the few classes only darken it where the reader's client is dark.
 */
import { displayName, fillTokens } from "../../domain/Invitation.ts"
import type { RenderedEmail } from "../../repository/Emails.ts"
import type { InvitationView } from "../../repository/Invitations.ts"
import { dateText, momentText } from "../DateText.ts"
import { type Html, html } from "../Html.ts"

const font = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** Addresses that a mail holds: the candidate's own link, the picture that counts, and where one unsubscribes. */
export interface MailLinks {
  readonly interviewUrl: string
  readonly openPixelUrl?: string
  readonly unsubscribeUrl: string
}

/** The mail of an invitation. */
export const renderInvitation = (invitation: InvitationView, links: MailLinks): RenderedEmail => {
  const content = contentOf(invitation)
  return {
    subject: `Interview invitation: ${invitation.interview_name.replace(/[\s\p{Cc}]+/gu, " ").trim()}`,
    html: `<!doctype html>\n${htmlOf(content, links)}\n`,
    text: textOf(content, links),
  }
}

interface Content {
  readonly name: string
  readonly organization: string
  readonly interview: string
  readonly message: string | undefined
  readonly time: string | undefined
  readonly deadline: string
}

const contentOf = (invitation: InvitationView): Content => {
  const name = displayName(invitation)
  const message = invitation.message?.trim()
  return {
    name,
    organization: invitation.organization_name,
    interview: invitation.interview_name,
    message: message
      ? fillTokens(message, {
          name,
          firstname: invitation.firstname?.trim() || name,
          lastname: invitation.lastname?.trim() ?? "",
          interview: invitation.interview_name,
          organization: invitation.organization_name,
          deadline: dateText(invitation.expires_at),
        }).replaceAll("\r\n", "\n")
      : undefined,
    time:
      invitation.interview_duration === null
        ? undefined
        : `${invitation.interview_duration} ${invitation.interview_duration === 1 ? "minute" : "minutes"}`,
    deadline: momentText(invitation.expires_at),
  }
}

const pace = (time: string | undefined) =>
  time === undefined
    ? "You answer in writing and at your own pace; there is no time limit."
    : `You answer in writing. It takes at most ${time}, counted from the moment you start.`

const why = (organization: string) =>
  `You received this mail because ${organization} invited you to an interview. If you did not expect it, you can ignore it.`

const textOf = ({ deadline, interview, message, name, organization, time }: Content, links: MailLinks): string =>
  [
    `Hello ${name},`,
    `${organization} invites you to this interview: ${interview}`,
    ...(message === undefined ? [] : [message]),
    `${pace(time)}\nYou can start until ${deadline}.`,
    `Open the interview:\n${links.interviewUrl}`,
    `The link is yours alone, please do not pass it on.`,
    `--\n${why(organization)}\nNo more mails from ${organization}: ${links.unsubscribeUrl}\n`,
  ].join("\n\n")

const htmlOf = (
  { deadline, interview, message, name, organization, time }: Content,
  { interviewUrl: url, openPixelUrl, unsubscribeUrl }: MailLinks,
): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Interview invitation</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background-color: #121514 !important; }
  .card { background-color: #1b201e !important; border-color: #2f3633 !important; }
  .ink { color: #e9edeb !important; }
  .quiet { color: #a7b1ad !important; }
  .note { background-color: #232a27 !important; border-color: #4fb8a3 !important; }
  .link { color: #6cd0bb !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f4f5f2;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background-color:#f4f5f2;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
<tr><td class="quiet" dir="auto" style="padding:0 4px 14px;font:600 15px/1.4 ${font};color:#565f5b;">${organization}</td></tr>
<tr><td class="card" style="background-color:#ffffff;border:1px solid #e1e4df;border-radius:12px;padding:32px 28px;">
<p class="ink" dir="auto" style="margin:0 0 12px;font:16px/1.6 ${font};color:#1b211f;">Hello ${name},</p>
<p class="ink" style="margin:0;font:16px/1.6 ${font};color:#1b211f;"><bdi>${organization}</bdi> invites you to this interview:</p>
<h1 class="ink" dir="auto" style="margin:6px 0 20px;font:700 24px/1.3 ${font};color:#1b211f;">${interview}</h1>
${
  message === undefined
    ? null
    : html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;">
<tr><td class="note ink" dir="auto" style="background-color:#f1f5f3;border-left:3px solid #0b6b5d;padding:14px 16px;font:16px/1.6 ${font};color:#1b211f;">${lines(message)}</td></tr>
</table>`
}
<p class="ink" style="margin:0 0 4px;font:16px/1.6 ${font};color:#1b211f;">${pace(time)}</p>
<p class="ink" style="margin:0 0 24px;font:16px/1.6 ${font};color:#1b211f;">You can start until <strong>${deadline}</strong>.</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" bgcolor="#0b6b5d" style="background-color:#0b6b5d;border-radius:8px;">
<a href="${url}" style="display:inline-block;padding:13px 24px;font:600 16px/1.25 ${font};color:#ffffff;text-decoration:none;">Open the interview</a>
</td></tr>
</table>
<p class="quiet" style="margin:24px 0 0;font:14px/1.6 ${font};color:#565f5b;">Or copy this link into your browser. It is yours alone, please do not pass it on.<br>
<a class="link" href="${url}" style="color:#0b6b5d;word-break:break-all;">${url}</a></p>
</td></tr>
<tr><td class="quiet" dir="auto" style="padding:18px 4px 0;font:13px/1.6 ${font};color:#565f5b;">${why(organization)}
<a class="quiet" href="${unsubscribeUrl}" style="color:#565f5b;">Unsubscribe</a>
${openPixelUrl === undefined ? null : html`<img src="${openPixelUrl}" width="1" height="1" alt="">`}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`

/** Every client keeps <br>; not every one keeps white-space. */
const lines = (text: string): ReadonlyArray<Html> =>
  text.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))
