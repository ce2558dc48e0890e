/**
 * Mails go to an SMTP server (RFC 5321) over a few connections that are kept. A password is never sent unencrypted: with
 * one in the address STARTTLS is required, without one it is used where the server offers it.
 *
 * After a crash or a timeout nobody knows whether the server took a mail. It is sent again under the Message-ID that it
 * had, which is how receivers recognize it; SMTP offers no more.
 */
import { Duration, Effect, Layer, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import { EmailNotSent, EmailSender, headersOf, reasonOf } from "./EmailSender.ts"

export interface SmtpOptions {
  /** smtp://user:password@host:587, or smtps:// for TLS from the start. */
  readonly url: Redacted.Redacted
  readonly from: Mailbox
  /** For the whole mail; 45 seconds unless told. */
  readonly timeout?: Duration.Duration
}

/** Mails on their way at once; servers limit connections by client. */
const maxConnections = 5

/** Commands that are about the mail, and not about the connection, who we are, or the sender's address and account. */
const ofMail: ReadonlyArray<unknown> = ["RCPT TO", "DATA"]

/** Refused sign-ins (RFC 4954, 6), also where a command needs one: the operator's to mend, not the mail's fault. */
const ofSignIn: ReadonlyArray<unknown> = [530, 534, 535, 538]

/** The enhanced status code of a 5xx reply, as "5.1.1" (RFC 3463). */
const codeOf = (reply: string): string => /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? ""

/** The recipient's address is none, or its mailbox is closed. 5.1.7 and 5.1.8 are about the sender's. */
const ofRecipient = /^5\.(1\.(?![78]$)\d+|2\.1)$/

/** The sender's account has sent too much, whatever the mail (5.4.5 is Gmail's): tomorrow it may send again. */
const isOverQuota = (reply: string): boolean =>
  codeOf(reply) === "5.4.5" ||
  (/^5\.(2\.0|7\.\d+)$/.test(codeOf(reply)) && /quota|limit|too many|\brate\b/i.test(reply))

/**
 * What an error of nodemailer says of the mail: 5xx to one of its commands is for ever, and a bounce when it is about the
 * recipient; 4xx, and all that is about the connection or the sender, is not.
 */
const notSent = (error: unknown): EmailNotSent => {
  const of = (key: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined
  const status = of("responseCode")
  const command = of("command")
  // an address that can not be written in SMTP at all
  const isUnsendable = of("code") === "EENVELOPE" && command === "API"
  const said = String(of("response") || (error instanceof Error ? error.message : String(error)))
  const isRefused =
    typeof status === "number" &&
    status >= 500 &&
    ofMail.includes(command) &&
    !ofSignIn.includes(status) &&
    !isOverQuota(said)
  return new EmailNotSent({
    reason: reasonOf(said),
    permanent: isRefused || isUnsendable,
    bounced: isUnsendable || (isRefused && (command === "RCPT TO" || ofRecipient.test(codeOf(said)))),
  })
}

/** A name on one line. */
const lineOf = (name: string | null) => (name ?? "").replaceAll(/[\s\p{Cc}]+/gu, " ")

/** Connects when there is a mail; what is open is closed with the scope. */
export const layer = ({ from, timeout = Duration.seconds(45), url }: SmtpOptions) =>
  Layer.effect(
    EmailSender,
    Effect.gen(function* () {
      // read here: as an address, it could turn off by a query what is asked below
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
            // a connection that ends within a mail may have delivered it: the queue decides when it is sent again
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
                // servers that give a mail another Message-ID keep this one, and return it with a bounce
                headers: { ...headersOf(email), "X-Mail-Id": email.id },
                // reports on failures name the mail (RFC 3461), with its headers and without its text
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
