/** The commands; the only runMain. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Console, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { demoCommand } from "./commands/Demo.ts"
import { migrateCommand } from "./commands/Migrate.ts"
import * as Records from "./commands/Records.ts"
import { serveCommand } from "./commands/Serve.ts"
import { startCommand } from "./commands/Start.ts"

const root = Command.make("interview-invitations").pipe(
  Command.withDescription("Asynchronous candidate interviews over a small REST API, with signed webhooks"),
  Command.withSubcommands([
    startCommand,
    demoCommand,
    serveCommand,
    migrateCommand,
    Records.organizationCommand,
    Records.memberCommand,
    Records.keyCommand,
    Records.webhookCommand,
    Records.projectCommand,
    Records.jobPostCommand,
  ]),
)

/** One line for people; what is not one of our own errors is a fault of ours and is shown whole. */
const report = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  const isExpected = cause.reasons.some(Cause.isFailReason) && error instanceof Error
  return Console.error(isExpected ? `error: ${error.message.split("\n")[0]}` : Cause.pretty(cause))
}

const main = root.pipe(
  Command.run({ version: "0.1.0" }),
  Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : report(cause))),
  Effect.provide(NodeServices.layer),
)

NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  // asked to stop and stopped in order: that is success
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1),
})
