/** `email`: commands for emails. */
import { randomUUID } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Console, Effect, Layer, Result, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { providerSender } from "../Adapters.ts"
import * as App from "../App.ts"
import { Config, emailTest } from "../config/Config.ts"
import { maxReportSize } from "../emails/BounceReport.ts"
import { meaningOf } from "../emails/EmailEvent.ts"
import { EmailEventProcessor } from "../emails/EmailEventProcessor.ts"
import { EmailEventReceiver } from "../emails/EmailEventReceiver.ts"
import { type EmailEntry, EmailRepository, type EmailWithReports, emailStates } from "../emails/EmailRepository.ts"
import { EmailSender } from "../emails/EmailSender.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { EmailId } from "../values/Ids.ts"
import {
  cutPage,
  explain,
  type Input,
  lines,
  operatorOf,
  print,
  printList,
  recordServices,
  requireFound,
  requireOrganization,
} from "./CommandKit.ts"
import { CommandFailed, local } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const rowOf = (email: EmailEntry) => ({
  id: email.id,
  state: email.state,
  kind: email.kind,
  attempts: email.attempts,
  created: email.created_at,
  "next attempt": email.due_at,
  sent: email.sent_at,
  to: email.recipient,
  "last error": email.error,
})

const emailText = (email: EmailWithReports): string => {
  const head = lines({
    id: email.id,
    kind: email.kind,
    invitation: email.invitation_id,
    to: email.recipient,
    subject: email.subject,
    state: email.state,
    attempts: email.attempts,
    "last error": email.error,
    created: email.created_at,
    "last attempt": email.handed_at,
    "next attempt": email.due_at,
    sent: email.sent_at,
    provider: email.provider,
    "provider's id": email.provider_message_id,
    "Message-ID": email.message_id,
  })
  const reports = email.reports.map(({ at, kind }) => `${new Date(at).toISOString()} ${meaningOf(kind).text}`)
  return reports.length === 0 ? head : `${head}\n\nreported:\n${reports.join("\n")}`
}

const listInput = {
  organization: Flags.organization,
  state: Flag.Literals("state", emailStates).pipe(
    Flag.withDescription("Show only emails in this state; default all"),
    Flag.optional,
  ),
  since: Flags.since.pipe(
    Flag.withDescription(`Show only emails created since ${Flags.timeFormats}; default all`),
    Flag.optional,
  ),
  before: Flags.text("before", "Show only emails older than the email with this id, for the next page").pipe(
    Flag.withSchema(EmailId),
    Flag.optional,
  ),
  limit: Flags.limit,
  json: Flags.json,
}

const listEmails = Effect.fn("EmailCommand.listEmails")(
  function* ({ before, json, limit, organization, since, state }: Input<typeof listInput>) {
    const repository = yield* EmailRepository
    yield* requireOrganization(organization)
    const found = yield* repository.list(organization, Flags.given({ state, since, before }), limit + 1)
    const { at, results } = cutPage(found, limit, ({ id }) => id)
    yield* printList(json, { results, rowOf, none: "no emails", next: { flag: "before", at } })
  },
  explain,
  Effect.provide(recordServices),
)

const list = Command.make("list", listInput, listEmails).pipe(
  Command.withDescription("List an organization's emails, newest first"),
)

const emailId = Argument.String("id").pipe(
  Argument.withDescription("The email's id, shown by email list"),
  Argument.withSchema(EmailId),
)

const show = Command.make("show", { id: emailId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const repository = yield* EmailRepository
    const email = yield* requireFound("email", yield* repository.findEntry(id))
    yield* json ? print(true, { ...email }) : Console.log(emailText(email))
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Show the state of an email and the provider's reports, without its text"))

const invitationServices = Layer.merge(App.administration, Layer.provideMerge(App.emailEvents, App.invitations)).pipe(
  Layer.provide(App.secretServices),
  Layer.provide(App.repositories),
  Layer.provide(NodeCrypto.layer),
  Layer.provide(Config.layer),
  Layer.provide(local({ isDev: false })),
)

const resendFailed = Command.make(
  "resend-failed",
  {
    organization: Flags.organization,
    since: Flags.since.pipe(Flag.withDescription(`Resend invitations whose email failed since ${Flags.timeFormats}`)),
    json: Flags.json,
  },
  ({ json, organization, since }) =>
    Effect.gen(function* () {
      const invitations = yield* Invitations
      const { queued, refused } = yield* invitations.resendFailed(yield* operatorOf(organization), since)
      if (json) return yield* print(true, { organization, queued, refused })
      const notSent = refused.map(({ invitation_id, reason }) => `invitation ${invitation_id} not sent: ${reason}`)
      yield* Console.log([`queued: ${queued}`, ...notSent].join("\n"))
    }).pipe(explain, Effect.provide(invitationServices)),
).pipe(
  Command.withDescription(
    "Resend the invitations whose email failed, if none was sent later. The rules of the API operation resend apply; refused invitations are listed with the reason",
  ),
)

/** EX_TEMPFAIL of sysexits.h: the mail server retries. For other codes it returns the message to the sender. */
const temporaryFailure = 75

/**
 * UTF-8 is enough: only ASCII parts are used, headers and the machine-readable report. Undefined: too large for a report; read
 * to its end, because a mail server that cannot write the rest returns the message to its sender.
 */
const readMessage = Effect.gen(function* () {
  const { stdin } = yield* Stdio.Stdio
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(stdin, (chunk) => {
    size += chunk.byteLength
    if (size <= maxReportSize) chunks.push(chunk)
    else chunks.length = 0
    return Effect.void
  })
  return size > maxReportSize ? undefined : Buffer.concat(chunks).toString("utf8")
})

const recordBounce = Effect.fnUntraced(
  function* (message: string) {
    const receiver = yield* EmailEventReceiver
    return yield* receiver.receiveBounce(message)
  },
  Effect.provide(App.mailReports.pipe(Layer.provide(App.repositories), Layer.provideMerge(local({ isDev: false })))),
  Effect.tapCause(() =>
    Effect.sync(() => {
      process.exitCode = temporaryFailure
    }),
  ),
)

const bounce = Command.make("bounce", { json: Flags.json }, ({ json }) =>
  Effect.gen(function* () {
    const message = yield* readMessage
    const report = message === undefined ? undefined : yield* recordBounce(message)
    if (json) return yield* Console.log(JSON.stringify({ report: report ?? null }))
    yield* Console.log(
      report === undefined
        ? `${message === undefined ? "ignored, larger than 10 MiB: " : ""}not a report on an email of this service`
        : `email ${report.emailId}: ${meaningOf(report.kind).text}${report.status === null ? "" : ` (${report.status})`}`,
    )
  }),
).pipe(
  Command.withDescription(
    "Read one bounce or spam complaint on stdin, as the mail server received it, and record it. Exits with 75 if recording fails, so that the mail server retries",
  ),
)

/** An email's id, alone or before the @ of its Message-ID. */
const idPattern = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

/** Emails per transaction. */
const maxMarked = 1_000

const markSent = Command.make("mark-sent", { json: Flags.json }, ({ json }) =>
  Effect.gen(function* () {
    const { stdin } = yield* Stdio.Stdio
    const processor = yield* EmailEventProcessor
    let [isEmpty, marked] = [true, 0]
    yield* stdin.pipe(
      Stream.decodeText,
      Stream.splitLines,
      Stream.map((line) => line.match(idPattern) ?? []),
      Stream.flattenIterable,
      Stream.grouped(maxMarked),
      Stream.runForEach((found) =>
        Effect.gen(function* () {
          isEmpty = false
          marked += yield* processor.markSent([...new Set(found.map((id) => EmailId.make(id.toLowerCase())))])
        }),
      ),
    )
    if (isEmpty) return yield* new CommandFailed({ message: "stdin has no Message-ID of this service" })
    yield* print(json, { marked })
  }).pipe(Effect.provide(invitationServices)),
).pipe(
  Command.withDescription(
    "After a restore: read the provider's log or a list of Message-IDs on stdin, and mark the queued emails in it as sent, so that they are not sent again. Run it before workers start",
  ),
)

const test = Command.make(
  "test",
  { address: Argument.String("address").pipe(Argument.withDescription("The recipient")) },
  ({ address }) =>
    Effect.gen(function* () {
      if (!isEmailAddress(address)) return yield* new CommandFailed({ message: "must be a valid email address" })
      const { appUrl, email, outboundProxy } = yield* emailTest
      if (email._tag === "mailbox") return yield* new CommandFailed({ message: "EMAIL=mailbox sends no emails" })
      if (email._tag === "own") {
        return yield* new CommandFailed({
          message: "this program sends emails with its own emailSender, not as EMAIL says",
        })
      }
      const dialogue: Array<string> = []
      const sender = providerSender({ appUrl, email, outboundProxy }, (line) => void dialogue.push(line))
      const id = randomUUID()
      const sentence = `This email tests the mail settings of ${appUrl}.`
      const result = yield* Effect.flatMap(EmailSender, ({ send }) =>
        send({
          id,
          messageId: `${id}@${new URL(appUrl).hostname}`,
          to: address,
          fromName: null,
          senderName: null,
          replyTo: null,
          subject: "Test email",
          text: `${sentence}\n`,
          html: `<p>${sentence}</p>`,
          unsubscribeUrl: null,
        }),
      ).pipe(Effect.provide(sender), Effect.result)
      if (dialogue.length > 0) yield* Console.log(dialogue.join("\n"))
      if (Result.isSuccess(result)) return yield* Console.log("sent: the provider accepted the email")
      const { reason, refusal } = result.failure
      return yield* new CommandFailed({
        message: `not sent: ${reason}${refusal === undefined ? "" : `\nthe mail server refuses emails: ${refusal}`}`,
      })
    }).pipe(explain),
).pipe(
  Command.withDescription(
    "Send one email with the settings of the service, and print the dialogue with the SMTP server, without secrets",
  ),
)

export const emailCommand = Command.make("email").pipe(
  Command.withDescription("List and resend emails; record bounces; mark emails as sent"),
  Command.withSubcommands([list, show, resendFailed, bounce, markSent, test]),
)
