/**
 * Sends emails through an SMTP server (RFC 5321) over pooled connections. Requires STARTTLS when the URL has a
 * password, or with access tokens (XOAUTH2).
 *
 * After a crash or timeout, the email is sent again with the same Message-ID.
 */
import { isIP } from "node:net"
import { getCACertificates } from "node:tls"
import { format as formatText } from "node:util"
import { Duration, Effect, Layer, Redacted } from "effect"
import { createTransport } from "nodemailer"
import SMTPPool from "nodemailer/lib/smtp-pool"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { type AccessToken, type AccessTokenOptions, accessTokens } from "./AccessTokens.ts"
import { EmailNotSent, EmailSender, headersOf, reasonOf } from "./EmailSender.ts"
import { refusalOf } from "./Refusal.ts"

export interface SmtpOptions {
  /** smtp://user:password@host:587, or smtps:// for TLS. */
  readonly url: Redacted.Redacted
  readonly from: Mailbox
  /** Greets with this name (RFC 5321, 4.1.1.1): servers refuse host names without a dot, such as a container's. */
  readonly name?: string
  /** `opportunistic` accepts any certificate (RFC 7435): a forger could as well omit STARTTLS. */
  readonly tls?: "required" | "opportunistic" | "none"
  /** Certificates (PEM) beside the usual ones. */
  readonly authorities?: string | null
  /** The user of `url` signs in with access tokens instead of a password. */
  readonly oauth?: AccessTokenOptions | undefined
  /** For requests of access tokens. */
  readonly proxy?: OutboundProxy | undefined
  /** Gets each line of the dialogue with the server, without secrets. */
  readonly trace?: (line: string) => void
  /** Limit for the whole email. */
  readonly timeout?: Duration.Duration
}

/** Undefined: a name that no server accepts, such as localhost; then the host's own name is used. */
export const greetingOf = (appUrl: string): string | undefined => {
  const { hostname } = new URL(appUrl)
  // RFC 5321, 4.1.3
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0) {
    return hostname.startsWith("[") ? `[IPv6:${hostname.slice(1)}` : `[${hostname}]`
  }
  return hostname.includes(".") ? hostname : undefined
}

/** Servers limit the connections of a client. */
const maxConnections = 5

/** Emails of a connection, halved when a server has a lower limit: some accept 5. */
const maxMessages = 100
/** From `maxMessages` to 1, and for each connection that has reached the limit. */
const maxRenewals = Math.ceil(Math.log2(maxMessages)) + maxConnections

const field = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined

/** Other commands' refusals are about this service. */
const mailCommands: ReadonlyArray<unknown> = ["RCPT TO", "DATA"]

/** A temporary refusal of more emails on this connection, which stays open. After a 421, nodemailer opens another one. */
const isConnectionUsedUp = (error: unknown): boolean =>
  ["MAIL FROM", ...mailCommands].includes(field(error, "command")) &&
  /^4.*(?:(?:mails?|messages?|transactions?)\b.{0,30}\b(?:session|connection)|(?:session|connection)\b.{0,30}\b(?:mails?|messages?|transactions?))\b/is.test(
    String(field(error, "response")),
  )

/** RFC 4954, 6. */
const signInStatuses: ReadonlyArray<unknown> = [530, 534, 535, 538]

const isSignInRefused = (error: unknown): boolean => signInStatuses.includes(field(error, "responseCode"))

/** What the errors of TLS mean for the settings. */
const hintOf = (reply: string, command: unknown, { authorities = null, url }: SmtpOptions): string => {
  if (/wrong version number|packet length too long/i.test(reply)) {
    return " (the port does not begin with TLS: write smtp:// instead of smtps://, often with port 587)"
  }
  if (/greeting never received/i.test(reply) && new URL(Redacted.value(url)).protocol === "smtp:") {
    return " (if the port begins with TLS, as 465 does, write smtps:// instead of smtp://)"
  }
  if (/self-signed certificate|unable to (?:verify|get).*certificate/i.test(reply)) {
    return authorities === null
      ? " (set SMTP_CA_FILE to a file with the certificate of the server's authority)"
      : " (the file in SMTP_CA_FILE does not have the certificate of the server's authority)"
  }
  if (/does not match certificate/i.test(reply)) return " (use a name in the certificate as the host of SMTP_URL)"
  return command === "STARTTLS" && !/certificate/i.test(reply)
    ? " (the server does not offer STARTTLS, which a password or SMTP_TLS=required needs)"
    : ""
}

/** Node's advice, which fits programs that are started by hand. */
const withoutNodeAdvice = (message: string): string =>
  message.replace(/; if the root CA is installed locally, try running Node\.js with --use-system-ca/, "")

/** nodemailer's message after `maxRequeues`. */
const closedAgain = /^Reached maximum number of retries after connection was closed/
const closedEarly = "the mail server closed each connection before an email was handed over"

const tokenRefused = "it refuses access tokens of SMTP_OAUTH_CLIENT_ID for the user of SMTP_URL"
const beforeMail = "it refuses this service before an email is handed over"

/** A refusal of the recipient is permanent (Refusal.ts); all else is retried. */
const notSent =
  (options: SmtpOptions) =>
  (error: unknown): EmailNotSent => {
    // of the token endpoint
    if (error instanceof EmailNotSent) return error
    const status = field(error, "responseCode")
    const command = field(error, "command")
    // an address that SMTP cannot express
    const isUnsendable = field(error, "code") === "EENVELOPE" && command === "API"
    const message = withoutNodeAdvice(error instanceof Error ? error.message : String(error))
    const reply = String(field(error, "response") || (closedAgain.test(message) ? closedEarly : message))
    const isRefused = typeof status === "number" && status >= 500
    const isAboutMail = mailCommands.includes(command) && !signInStatuses.includes(status)
    const { side, what } = refusalOf(reply)
    const isBounce = isUnsendable || (isRefused && isAboutMail && side === "recipient")
    const reason = side === "sender" ? what : isAboutMail ? undefined : beforeMail
    const refusal = options.oauth !== undefined && isSignInRefused(error) ? tokenRefused : reason
    return new EmailNotSent({
      reason: reasonOf(reply) + hintOf(reply, command, options),
      permanent: isBounce,
      bounced: isBounce,
      ...(isRefused && !isBounce && refusal !== undefined ? { refusal } : {}),
    })
  }

const lineOf = (name: string | null) => (name ?? "").replaceAll(/[\s\p{Cc}]+/gu, " ")

/** nodemailer logs this in place of the password. */
const placeholder = Buffer.from("/* secret */").toString("base64")

/** Credentials that nodemailer sends to sign in, and a password that the server repeats. */
const loggerOf = (trace: (line: string) => void, password: string) => {
  const secrets = password === "" ? [] : [password, Buffer.from(password).toString("base64")]
  const log = (entry: { readonly tnx?: string }, format: string, ...values: ReadonlyArray<unknown>) => {
    const side = { server: "S: ", client: "C: " }[entry.tnx ?? ""]
    if (side === undefined) return
    for (const line of formatText(format, ...values)
      .trimEnd()
      .split(/\r?\n/)) {
      const shown = line.replace(/^(AUTH \S+) .+$/, "$1 ****").replaceAll(placeholder, "****")
      trace(side + secrets.reduce((text, secret) => text.replaceAll(secret, "****"), shown))
    }
  }
  return { level: () => undefined, trace: log, debug: log, info: log, warn: log, error: log, fatal: log }
}

export const layer = (options: SmtpOptions) =>
  Layer.effect(
    EmailSender,
    Effect.gen(function* () {
      const { authorities = null, from, name, oauth, timeout = Duration.seconds(45), tls, trace, url } = options
      const tokens = oauth === undefined ? undefined : yield* accessTokens(oauth)
      /** The newest token: what connections sign in with. */
      let held: AccessToken | undefined
      // the URL's query could override the options below
      const { hostname, password, port, protocol, username } = new URL(Redacted.value(url))
      const signsIn = username !== "" || password !== ""
      const user = decodeURIComponent(username)
      // shorter than the whole, so that the error names the stage
      const stage = Math.min(10_000, Duration.toMillis(timeout) / 4)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new SMTPPool({
              host: hostname.replace(/^\[(.*)\]$/, "$1"),
              ...(port === "" ? {} : { port: Number(port) }),
              secure: protocol === "smtps:",
              requireTLS: protocol === "smtp:" && (signsIn || tls === "required"),
              ignoreTLS: tls === "none" && !signsIn,
              tls: {
                rejectUnauthorized: protocol === "smtps:" || signsIn || tls === "required",
                ...(authorities === null ? {} : { ca: [...getCACertificates("default"), authorities] }),
              },
              ...(trace === undefined ? {} : { debug: true, logger: loggerOf(trace, decodeURIComponent(password)) }),
              ...(tokens !== undefined
                ? {
                    auth: {
                      type: "OAuth2" as const,
                      user,
                      // after a refusal nodemailer asks again, and the server's second reply is the error of the email
                      provisionCallback: (_user, _renew, done) =>
                        done(null, held === undefined ? "" : Redacted.value(held.value), held?.until ?? 0),
                    },
                  }
                : signsIn
                  ? { auth: { user, pass: decodeURIComponent(password) } }
                  : {}),
              ...(name === undefined ? {} : { name }),
              maxConnections,
              maxMessages,
              // only emails of which the server got nothing: all its connections may be at their limit of emails
              maxRequeues: maxConnections,
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
      const transport = createTransport(pool)
      /** A refused token is replaced once: it may have been revoked. */
      const withToken = <A>(send: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
        tokens === undefined
          ? send
          : Effect.gen(function* () {
              const token = yield* tokens.current
              held = token
              return yield* Effect.tapError(send, (error) =>
                isSignInRefused(error) ? tokens.drop(token) : Effect.void,
              )
            }).pipe(Effect.retry({ while: isSignInRefused, times: 1 }))
      return EmailSender.of({
        provider: "smtp",
        tracks: false,
        send: (email) =>
          Effect.tryPromise({
            try: (signal) =>
              transport.sendMail({
                signal,
                from: {
                  name: lineOf(email.senderName ?? from.name ?? email.fromName),
                  address: asciiAddress(from.address),
                },
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
            catch: (error) => error,
          }).pipe(
            withToken,
            Effect.tapError((error) =>
              Effect.sync(() => {
                if (isConnectionUsedUp(error)) pool.options.maxMessages = Math.ceil(pool.options.maxMessages / 2)
              }),
            ),
            Effect.retry({ while: isConnectionUsedUp, times: maxRenewals }),
            Effect.mapError(notSent(options)),
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
  ).pipe(Layer.provide(operatorClient(options.proxy)))
