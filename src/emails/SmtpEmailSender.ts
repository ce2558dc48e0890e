/**
 * Sends emails through an SMTP server (RFC 5321) over pooled connections. Requires STARTTLS when the URL has a
 * password.
 *
 * After a crash or timeout, the email is sent again with the same Message-ID.
 */
import { Duration, Effect, Layer, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import { EmailNotSent, EmailSender, headersOf, reasonOf } from "./EmailSender.ts"

export interface SmtpOptions {
  /** smtp://user:password@host:587, or smtps:// for TLS. */
  readonly url: Redacted.Redacted
  readonly from: Mailbox
  /** Limit for the whole email. */
  readonly timeout?: Duration.Duration
}

/** Servers limit the connections of a client. */
const maxConnections = 5

/** Other commands' refusals are about the connection or the sender. */
const mailCommands: ReadonlyArray<unknown> = ["RCPT TO", "DATA"]

/** RFC 4954, 6. */
const signInStatuses: ReadonlyArray<unknown> = [530, 534, 535, 538]

/** The status code of a 5xx reply, such as "5.1.1" (RFC 3463). */
const codeOf = (reply: string): string => /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? ""

/** An invalid address or a disabled mailbox. 5.1.7 and 5.1.8 are about the sender's address. */
const recipientCode = /^5\.(1\.(?![78]$)\d+|2\.1)$/

/** 5.4.5 is Gmail's code for an exceeded quota. */
const isOverQuota = (reply: string): boolean =>
  codeOf(reply) === "5.4.5" ||
  (/^5\.(2\.0|7\.\d+)$/.test(codeOf(reply)) && /quota|limit|too many|\brate\b/i.test(reply))

/** Permanent: a 5xx reply to a mail command, a bounce when about the recipient. Other errors are retried. */
const notSent = (error: unknown): EmailNotSent => {
  const of = (key: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined
  const status = of("responseCode")
  const command = of("command")
  // an address that SMTP cannot express
  const isUnsendable = of("code") === "EENVELOPE" && command === "API"
  const reply = String(of("response") || (error instanceof Error ? error.message : String(error)))
  const isRefused =
    typeof status === "number" &&
    status >= 500 &&
    mailCommands.includes(command) &&
    !signInStatuses.includes(status) &&
    !isOverQuota(reply)
  return new EmailNotSent({
    reason: reasonOf(reply),
    permanent: isRefused || isUnsendable,
    bounced: isUnsendable || (isRefused && (command === "RCPT TO" || recipientCode.test(codeOf(reply)))),
  })
}

const lineOf = (name: string | null) => (name ?? "").replaceAll(/[\s\p{Cc}]+/gu, " ")

export const layer = ({ from, timeout = Duration.seconds(45), url }: SmtpOptions) =>
  Layer.effect(
    EmailSender,
    Effect.gen(function* () {
      // the URL's query could override the options below
      const { hostname, password, port, protocol, username } = new URL(Redacted.value(url))
      const hasPassword = username !== "" || password !== ""
      const stage = Math.min(10_000, Duration.toMillis(timeout))
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            host: hostname.replace(/^\[(.*)\]$/, "$1"),
            ...(port === "" ? {} : { port: Number(port) }),
            secure: protocol === "smtps:",
            requireTLS: protocol === "smtp:" && hasPassword,
            ...(hasPassword
              ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
              : {}),
            pool: true,
            maxConnections,
            // the email may have been delivered; the queue decides about retries
            maxRequeues: 0,
            dnsTimeout: stage,
            connectionTimeout: stage,
            greetingTimeout: stage,
            socketTimeout: Duration.toMillis(timeout),
            disableFileAccess: true,
            disableUrlAccess: true,
          }),
        ),
        (open) => Effect.sync(() => open.close()),
      )
      return EmailSender.of({
        provider: "smtp",
        tracks: false,
        send: (email) =>
          Effect.tryPromise({
            try: (signal) =>
              transport.sendMail({
                signal,
                from: { name: lineOf(from.name ?? email.fromName), address: asciiAddress(from.address) },
                to: { name: "", address: asciiAddress(email.to) },
                ...(email.replyTo === null ? {} : { replyTo: { name: "", address: asciiAddress(email.replyTo) } }),
                subject: email.subject,
                text: email.text,
                html: email.html,
                messageId: `<${email.messageId}>`,
                // bounces return it, even if the server replaced the Message-ID
                headers: { ...headersOf(email), "X-Mail-Id": email.id },
                dsn: { id: email.id, return: "headers", notify: ["failure"], recipient: asciiAddress(email.to) },
              }),
            catch: notSent,
          }).pipe(
            Effect.timeoutOrElse({
              duration: timeout,
              orElse: () =>
                Effect.fail(
                  new EmailNotSent({
                    reason: `the SMTP server took longer than ${Duration.format(timeout)}`,
                    permanent: false,
                  }),
                ),
            }),
            Effect.as({ providerMessageId: email.messageId, delivered: false }),
            Effect.withSpan("SmtpEmailSender.send"),
          ),
      })
    }),
  )
