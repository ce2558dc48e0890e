/**
 * Reads bounces and complaints from a mailbox over IMAP (RFC 9051), for emails sent by SMTP.
 *
 * Several processes may read it at the same time: a report is stored once (EmailEventReceiver.ts), and only then marked or
 * moved. What is no report on an email of this service is left as it is, unread.
 */
import { getCACertificates } from "node:tls"
import { Clock, Context, Data, Duration, Effect, Layer, Option, Redacted } from "effect"
import type { ImapFlow, MessageStructureObject } from "imapflow"
import { Config } from "../config/Config.ts"
import type { BounceMailboxSettings } from "../config/EmailSettings.ts"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import { type AccessToken, accessTokens } from "./AccessTokens.ts"
import { maxReportSize } from "./BounceReport.ts"
import { EmailEventReceiver } from "./EmailEventReceiver.ts"
import { reasonOf } from "./EmailSender.ts"

/** Older messages are not read: their reports say nothing new. */
const maxAge = Duration.days(14)
/** Messages of one step; the next follows at once. */
const maxBatch = 100
/** Of one step, so that a server that stops answering is left. */
const timeout = Duration.minutes(2)
/** The mailbox cannot be read now. */
export class MailboxUnreadable extends Data.TaggedError("MailboxUnreadable")<{ readonly message: string }> {}

const unreadable = (error: unknown, secrets: ReadonlyArray<string>) => {
  const described = error instanceof Error ? error : new Error(String(error))
  const reply =
    "responseText" in described && typeof described.responseText === "string" ? `: ${described.responseText}` : ""
  const text = reasonOf(described.message + reply)
  return new MailboxUnreadable({ message: secrets.reduce((all, secret) => all.replaceAll(secret, "****"), text) })
}

const isReport = (structure: MessageStructureObject | undefined): boolean =>
  structure !== undefined &&
  (structure.type === "multipart/report" || (structure.childNodes ?? []).some((inner) => isReport(inner)))

/** Undefined: without BOUNCE_IMAP_URL. */
type Step = Effect.Effect<number, MailboxUnreadable>

const make = Effect.fnUntraced(function* (settings: BounceMailboxSettings) {
  const { authorities, doneFolder, folder, host, oauth, password, port, tls, user } = settings
  const { receiveBounce } = yield* EmailEventReceiver
  const tokens = oauth === undefined ? undefined : yield* accessTokens(oauth)
  const imapflow = yield* Effect.promise(() => import("imapflow"))
  const secrets = Redacted.value(password) === "" ? [] : [Redacted.value(password)]
  /**
   * The greatest UID that was read, of the mailbox's UIDVALIDITY. Unread messages up to it are no reports: they are asked about
   * once, and any number of them keeps no later report from being read.
   */
  const seen = { validity: "", uid: 0 }

  const attempt = <A>(run: (client: ImapFlow) => Promise<A>, client: ImapFlow) =>
    Effect.tryPromise({ try: () => run(client), catch: (error) => unreadable(error, secrets) })

  const connected = (token: AccessToken | undefined) =>
    Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          const client = new imapflow.ImapFlow({
            host,
            port,
            secure: tls === "implicit",
            // STARTTLS or nothing: the password is never sent without TLS
            ...(tls === "starttls" ? { doSTARTTLS: true } : {}),
            tls: authorities === null ? {} : { ca: [...getCACertificates("default"), authorities] },
            auth:
              token === undefined
                ? { user, pass: Redacted.value(password) }
                : { user, accessToken: Redacted.value(token.value) },
            logger: false,
            disableAutoIdle: true,
            connectionTimeout: 10_000,
            greetingTimeout: 10_000,
            socketTimeout: 30_000,
          })
          // errors of a connection reach the command that waits
          client.on("error", () => undefined)
          await client.connect()
          return client
        },
        catch: (error) => unreadable(error, secrets),
      }),
      (client) => Effect.sync(() => client.close()),
    )

  const read = Effect.fnUntraced(function* (client: ImapFlow) {
    const mailbox = yield* attempt((open) => open.mailboxOpen(folder), client)
    const validity = String(mailbox.uidValidity)
    if (seen.validity !== validity) Object.assign(seen, { validity, uid: 0 })
    const now = yield* Clock.currentTimeMillis
    const since = new Date(now - Duration.toMillis(maxAge))
    const found = yield* attempt((open) => open.search({ seen: false, since }, { uid: true }), client)
    const unread = (found || [])
      .filter((uid) => uid > seen.uid)
      .toSorted((one, other) => one - other)
      .slice(0, maxBatch)
    if (unread.length === 0) return 0
    const messages = yield* attempt(
      (open) => open.fetchAll(unread, { uid: true, bodyStructure: true, size: true }, { uid: true }),
      client,
    )
    let done = 0
    for (const { bodyStructure, size = 0, uid } of messages.toSorted((one, other) => one.uid - other.uid)) {
      if (isReport(bodyStructure) && size <= maxReportSize && (yield* record(client, uid))) done++
      // a report that could not be recorded has failed the step: it is read again
      seen.uid = uid
    }
    return done
  })

  const record = Effect.fnUntraced(function* (client: ImapFlow, uid: number) {
    const message = yield* attempt((open) => open.fetchOne(uid, { source: true }, { uid: true }), client)
    // another process has moved it meanwhile
    if (message === false || message.source === undefined) return true
    const report = yield* receiveBounce(message.source.toString("utf8"))
    if (report === undefined) return false
    const isDone = yield* attempt(
      async (open) =>
        doneFolder === undefined
          ? open.messageFlagsAdd(uid, ["\\Seen"], { uid: true })
          : (await open.messageMove(uid, doneFolder, { uid: true })) !== false,
      client,
    )
    if (!isDone) {
      return yield* new MailboxUnreadable({
        message: `reports cannot be moved to ${doneFolder ?? "read"}: does the folder exist?`,
      })
    }
    return true
  })

  const step: Step = Effect.gen(function* () {
    const token = tokens === undefined ? undefined : yield* tokens.current
    return yield* connected(token).pipe(
      Effect.tapError(() => (token === undefined || tokens === undefined ? Effect.void : tokens.drop(token))),
      Effect.flatMap(read),
    )
  }).pipe(
    Effect.scoped,
    Effect.catchTag("EmailNotSent", ({ reason }) => new MailboxUnreadable({ message: reason })),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => new MailboxUnreadable({ message: `the server took longer than ${Duration.format(timeout)}` }),
    }),
    Effect.withSpan("BounceMailbox.step"),
  )
  return step
})

/** Reads the mailbox of BOUNCE_IMAP_URL. */
export class BounceMailbox extends Context.Service<
  BounceMailbox,
  {
    /** Reads up to 100 messages; returns the number of reports. None: there is no BOUNCE_IMAP_URL. */
    readonly step: Option.Option<Step>
  }
>()("interview-invitations/emails/BounceMailbox") {
  static readonly layer = Layer.unwrap(
    Effect.map(Config, ({ bounceMailbox, outboundProxy }) =>
      bounceMailbox === undefined
        ? Layer.succeed(this, this.of({ step: Option.none() }))
        : Layer.effect(
            this,
            Effect.map(make(bounceMailbox), (step) => this.of({ step: Option.some(step) })),
          ).pipe(Layer.provide(operatorClient(outboundProxy))),
    ),
  )
}
