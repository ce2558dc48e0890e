/** The commands; the only runMain. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliError, CliOutput, Command } from "effect/cli"
import { demoCommand } from "./commands/Demo.ts"
import { emailCommand } from "./commands/Email.ts"
import { keyCommand } from "./commands/Keys.ts"
import { migrateCommand } from "./commands/Migrate.ts"
import * as Records from "./commands/Records.ts"
import { serveCommand } from "./commands/Serve.ts"
import { startCommand } from "./commands/Start.ts"
import { webhookCommand } from "./commands/Webhooks.ts"

const root = Command.make("interview-invitations").pipe(
  Command.withDescription("Asynchronous candidate interviews over a small REST API, with signed webhooks"),
  Command.withSubcommands([
    startCommand,
    demoCommand,
    serveCommand,
    migrateCommand,
    Records.organizationCommand,
    Records.memberCommand,
    keyCommand,
    webhookCommand,
    emailCommand,
    Records.projectCommand,
    Records.jobPostCommand,
  ]),
)

const oneLine = (message: string) => message.replace(/\s*\n\s*/g, " ").trim()

/** Of a server that can not listen, the cause says it. */
const messageOf = (error: Error): string => {
  const message = oneLine(error.message) || (error.cause instanceof Error ? messageOf(error.cause) : error.name)
  return message.includes("EADDRINUSE") && !message.includes("set PORT")
    ? `${message}: stop what uses it, or set PORT`
    : message
}

/** One line for people; what is not one of our own errors is a fault of ours and is shown whole. */
const report = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  if (CliError.isCliError(error) && error._tag === "ShowHelp") {
    return Console.error(`error: ${error.errors.map(({ message }) => oneLine(message)).join("; ")} (try --help)`)
  }
  const isExpected = cause.reasons.some(Cause.isFailReason) && error instanceof Error
  return Console.error(isExpected ? `error: ${messageOf(error)}` : Cause.pretty(cause))
}

/** Help is for whoever asks for it: a wrong flag gets its one line from `report`. */
const presenter = CliOutput.layerPresenter({
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event)),
})

const main = root.pipe(
  Command.run({ version: "0.1.0" }),
  // a command that only groups others shows them
  Effect.catchTag("ShowHelp", (help) => (help.errors.length === 0 ? Effect.void : Effect.fail(help))),
  Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : report(cause))),
  Effect.provide(Layer.merge(NodeServices.layer, presenter)),
)

NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  // asked to stop and stopped in order: that is success
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1),
})
