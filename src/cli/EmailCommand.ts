/** Commands for mails. */
import { Console, Effect, Layer, Stdio, Stream } from "effect"
import { Command } from "effect/cli"
import * as App from "../App.ts"
import { EmailEvents } from "../emails/EmailEvents.ts"
import { meaningOf } from "../emails/MailOutcome.ts"
import { json } from "./CommandKit.ts"
import { list, resendFailed, show } from "./EmailLogCommands.ts"
import { CommandFailed, local } from "./Environment.ts"

/** Bytes; a report returns at most the mail that it is about. */
const largest = 10 * 1024 * 1024

/** EX_TEMPFAIL of sysexits.h: a mail server keeps the message and tries again; any other failure it sends back. */
const tryAgain = 75

/** The message on stdin. Its headers and its machine-readable part are ASCII; what else it holds may be any charset. */
const message = Effect.gen(function* () {
  const { stdin } = yield* Stdio.Stdio
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(stdin, (chunk) => {
    size += chunk.byteLength
    if (size > largest) return Effect.fail(new CommandFailed({ message: "the message is larger than 10 MiB" }))
    chunks.push(chunk)
    return Effect.void
  })
  return Buffer.concat(chunks).toString("utf8")
})

const take = Effect.fnUntraced(
  function* (given: string) {
    return yield* (yield* EmailEvents).receiveBounce(given)
  },
  Effect.provide(App.mailReports.pipe(Layer.provide(App.repositories), Layer.provideMerge(local({ trial: false })))),
  Effect.tapCause(() =>
    Effect.sync(() => {
      process.exitCode = tryAgain
    }),
  ),
)

const bounce = Command.make("bounce", { json }, ({ json }) =>
  Effect.gen(function* () {
    const report = yield* Effect.flatMap(message, take)
    if (json) return yield* Console.log(JSON.stringify({ report: report ?? null }))
    yield* Console.log(
      report === undefined
        ? "not a report on a mail of this service"
        : `mail ${report.emailId}: ${meaningOf(report.kind).text}${report.status === null ? "" : ` (${report.status})`}`,
    )
  }),
).pipe(Command.withDescription("Take in a bounce: the message as it came, on stdin"))

export const emailCommand = Command.make("email").pipe(
  Command.withDescription("Mails"),
  Command.withSubcommands([list, show, resendFailed, bounce]),
)
