#!/usr/bin/env node
/** The commands. A custom program runs them with its adapters: `run({ emailSender })` (Adapters.ts). */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Logger } from "effect"
import { CliOutput, Command } from "effect/cli"
import { type Adapters, withAdapters } from "./Adapters.ts"
import { candidateCommand } from "./cli/CandidateCommand.ts"
import { demoCommand } from "./cli/DemoCommand.ts"
import { emailCommand } from "./cli/EmailCommand.ts"
import { evaluationCommand } from "./cli/EvaluationCommand.ts"
import { keyCommand } from "./cli/KeyCommand.ts"
import { migrateCommand } from "./cli/MigrateCommand.ts"
import * as Records from "./cli/RecordCommands.ts"
import { report } from "./cli/Report.ts"
import { secretKeyCommand } from "./cli/SecretKeyCommand.ts"
import { serveCommand } from "./cli/ServeCommand.ts"
import { setupCommand } from "./cli/SetupCommand.ts"
import { startCommand } from "./cli/StartCommand.ts"
import { suppressionCommand } from "./cli/SuppressionCommand.ts"
import { webhookCommand } from "./cli/WebhookCommand.ts"
import { version } from "./config/Version.ts"

export const root = Command.make("interview-invitations").pipe(
  Command.withDescription("Asynchronous candidate interviews over a small REST API, with signed webhooks"),
  Command.withSubcommands([
    startCommand,
    demoCommand,
    serveCommand,
    migrateCommand,
    setupCommand,
    secretKeyCommand,
    Records.organizationCommand,
    Records.memberCommand,
    keyCommand,
    webhookCommand,
    emailCommand,
    candidateCommand,
    evaluationCommand,
    suppressionCommand,
    Records.projectCommand,
    Records.jobPostCommand,
  ]),
)

/** Prints help on request only; `report` prints one line for a wrong flag. */
const presenter = CliOutput.layerPresenter({
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event)),
})

/** Logs of commands go to stderr; `start` and `serve` have their own loggers. */
const logs = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

/** Runs the command in the arguments of `Stdio`; reports failures on stderr. */
export const commands = root.pipe(
  Command.run({ version }),
  // a command without a subcommand prints its help
  Effect.catchTag("ShowHelp", (help) => (help.errors.length === 0 ? Effect.void : Effect.fail(help))),
  Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : report(cause))),
  Effect.provide(Layer.mergeAll(presenter, logs)),
)

/** The shells' exit code for SIGINT: 128 and its number. */
const interrupted = 130

/**
 * Under npm, stops this process when npm ends: npm does not forward SIGHUP, and a killed npm forwards nothing. The
 * process then gets another parent (credentials(7)).
 */
const watchParent = () => {
  if (process.env["npm_lifecycle_event"] === undefined || process.platform === "win32") return undefined
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM")
  }, 500).unref()
}

/**
 * Milliseconds in which signals count as one: a shell sends Ctrl-C to npm and its child, and npm forwards it. A later
 * one stops the process at once.
 */
const repeatWindow = 1_000

const handleSignals = () => {
  let firstSignalAt: number | undefined
  const watch = watchParent()
  // the terminal was closed: otherwise the embedded Postgres would keep running
  process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  for (const [signal, code] of [
    ["SIGINT", interrupted],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      clearInterval(watch)
      firstSignalAt ??= performance.now()
      if (performance.now() - firstSignalAt >= repeatWindow) process.exit(code)
    })
  }
}

/** Runs the command of this process with these adapters. */
export const run = (adapters: Adapters = {}): void => {
  handleSignals()
  NodeRuntime.runMain(Effect.provide(commands, Layer.merge(withAdapters(adapters), NodeServices.layer)), {
    disableErrorReporting: true,
    // an interrupted server sets exitCode 0 when it has stopped in order
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit)) return onExit(0)
      onExit(
        Cause.hasInterruptsOnly(exit.cause) ? Number(process.exitCode ?? interrupted) : Number(process.exitCode) || 1,
      )
    },
  })
}

if (import.meta.main) run()
