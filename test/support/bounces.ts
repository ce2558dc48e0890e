/** Bounces and complaints about a mail in the formats of different mail servers. */

export const mailId = "0192f0c1-0000-7000-8000-00000000abcd"

const returned = (id: string) => `From: Acme <jobs@acme.example>
To: ada@example.com
Message-ID: <${id}@app.example.com>
X-Mail-Id: ${id}
Subject: =?UTF-8?Q?Einladung?=
List-Unsubscribe: <https://app.example.com/unsubscribe/x>
`

interface Report {
  readonly id?: string
  readonly action?: string
  readonly status?: string
}

/** Postfix with RET=HDRS. */
export const postfix = ({ action = "failed", id = mailId, status = "5.1.1" }: Report = {}) => `Return-Path: <>
Received: by mx.acme.example (Postfix)
\tid 4D1F; Thu, 1 Jan 2026 00:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.acme.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: jobs@acme.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4D1F.1767225600/mx.acme.example"

This is a MIME-encapsulated message.

--4D1F.1767225600/mx.acme.example
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--4D1F.1767225600/mx.acme.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.example
X-Postfix-Queue-ID: 4D1F
Arrival-Date: Thu,  1 Jan 2026 00:00:00 +0000 (UTC)

Final-Recipient: rfc822; ada@example.com
Original-Recipient: rfc822;ada@example.com
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>: Recipient address
    rejected: User unknown

--4D1F.1767225600/mx.acme.example
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers
Content-Transfer-Encoding: 8bit

${returned(id)}
--4D1F.1767225600/mx.acme.example--
`

/** Exchange: multipart notice, status with a comment, the mail itself. */
export const exchange = `From: <postmaster@outlook.example>
To: <jobs@acme.example>
Subject: Undeliverable: Einladung
Content-Type: multipart/report; report-type=delivery-status; boundary=abc_def_
MIME-Version: 1.0

--abc_def_
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset="us-ascii"

Your message to ada@example.com couldn't be delivered.
--inner
Content-Type: text/html

<p>Action: delivered</p>
--inner--

--abc_def_
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR.outlook.example
Received-From-MTA: dns;mx.acme.example

Final-recipient: rfc822;ada@example.com
action: FAILED
status: 5.7.129 (policy)
Diagnostic-code: smtp;550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission

--abc_def_
Content-Type: message/rfc822

Received: from x by y
Message-ID:
 <${mailId}@app.example.com>
From: jobs@acme.example

Original text
--abc_def_--
`

/** Only the envelope id, no headers of the email (RFC 3461). */
export const byEnvelope = `Content-Type: multipart/report; boundary=b; report-type=delivery-status

--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Original-Envelope-Id: ${mailId.toUpperCase()}
Reporting-MTA: dns; relay.example

Final-Recipient: rfc822; ada@example.com
Action: failed
Status: 4.4.7

--b--
`

/** In UTF-8 (RFC 6533), encoded and forwarded. */
export const encoded = `Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: text/plain

See below.
--outer
Content-Type: multipart/report; boundary="in ner"

--in ner
Content-Type: message/global-delivery-status
Content-Transfer-Encoding: base64

${Buffer.from("Reporting-MTA: dns; relay.example\r\n\r\nFinal-Recipient: utf-8; zoë@example.com\r\nAction: failed\r\nStatus: 5.2.2\r\n").toString("base64")}
--in ner
Content-Type: message/global-headers
Content-Transfer-Encoding: quoted-printable

Message-ID: =3C${mailId}=40app.exam=
ple.com=3E
--in ner--
--outer--
`

/** RFC 5965. */
export const complaint = (type = "abuse") => `Content-Type: multipart/report; report-type=feedback-report; boundary="f"

--f
Content-Type: text/plain

This is an email abuse report.
--f
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1

--f
Content-Type: message/rfc822

${returned(mailId)}
Text
--f--
`

/** Not reports about an email of this service. */
export const others: Readonly<Record<string, string>> = {
  nothing: "",
  "blank lines": "\n\n\n",
  "a reply": `From: ada@example.com\nSubject: Re: Einladung\nIn-Reply-To: <${mailId}@app.example.com>\n\nThank you!\n`,
  "an out-of-office reply": `Auto-Submitted: auto-replied\nContent-Type: text/plain\n\nAction: failed\n${returned(mailId)}`,
  "a read receipt": `Content-Type: multipart/report; report-type=disposition-notification; boundary=b

--b
Content-Type: message/disposition-notification

Original-Message-ID: <${mailId}@app.example.com>
Disposition: manual-action/MDN-sent-manually; displayed
--b--
`,
  "a report on somebody else's mail": postfix({ id: "CAF+abc" }),
  "an unknown action": postfix({ action: "lost" }),
  "a complaint that is none": complaint("not-spam"),
  "a multipart without an end":
    "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n",
  "a multipart without a boundary":
    "Content-Type: multipart/report\n\n--b\nContent-Type: message/delivery-status\n\nAction: failed\n",
}
