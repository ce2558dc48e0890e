#!/usr/bin/env node
/** The program. A custom program runs it with other adapters: `run({ emailSender })` (docs/extend.md). */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Clock, Effect, Exit, Layer, Logger } from "effect"
import { CliOutput, Command } from "effect/cli"
import { type Adapters, withAdapters } from "./Adapters.ts"
import { candidateCommand } from "./cli/CandidateCommand.ts"
import { cellCommand } from "./cli/CellCommand.ts"
import { recordCommand } from "./cli/DecisionRecordCommand.ts"
import { demoCommand } from "./cli/DemoCommand.ts"
import { emailCommand } from "./cli/EmailCommand.ts"
import { evaluationCommand } from "./cli/EvaluationCommand.ts"
import { hiringSystemCommand } from "./cli/HiringSystemCommand.ts"
import { keyCommand } from "./cli/KeyCommand.ts"
import { migrateCommand } from "./cli/MigrateCommand.ts"
import { queueCommand } from "./cli/QueueCommand.ts"
import * as Records from "./cli/RecordCommands.ts"
import { report } from "./cli/Report.ts"
import { requestCommand } from "./cli/RequestCommand.ts"
import { sampleCommand } from "./cli/SampleCommand.ts"
import { secretKeyCommand } from "./cli/SecretKeyCommand.ts"
import { serveCommand } from "./cli/ServeCommand.ts"
import { setupCommand } from "./cli/SetupCommand.ts"
import { startCommand } from "./cli/StartCommand.ts"
import { suppressionCommand } from "./cli/SuppressionCommand.ts"
import { testModeCommand } from "./cli/TestModeCommand.ts"
import { webhookCommand } from "./cli/WebhookCommand.ts"
import { version } from "./config/Version.ts"
import { DatabaseClock } from "./platform/database/DatabaseClock.ts"

export const root = Command.make("interview-invitations").pipe(
  Command.withDescription("Run and operate the interview service: invitations by REST API, results by webhook"),
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
    hiringSystemCommand,
    emailCommand,
    candidateCommand,
    evaluationCommand,
    recordCommand,
    suppressionCommand,
    queueCommand,
    requestCommand,
    sampleCommand,
    testModeCommand,
    cellCommand,
    Records.projectCommand,
    Records.jobPostCommand,
  ]),
)

/** Prints help only on request; `report` prints one line for a wrong flag. */
const presenter = CliOutput.layerPresenter({
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event)),
})

/** Commands log to stderr; `start` and `serve` have their own loggers. */
const logs = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

export const commands = root.pipe(
  Command.run({ version }),
  Effect.catchTag("ShowHelp", (help) => (help.errors.length === 0 ? Effect.void : Effect.fail(help))),
  Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : report(cause))),
  Effect.provide(Layer.mergeAll(presenter, logs)),
)

/** 128 plus the signal's number. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Stops this process when npm ends: the parent then changes (credentials(7)). npm forwards SIGTERM and SIGINT, but not
 * SIGHUP, and nothing when it is killed.
 */
const watchParent = () => {
  if (process.env["npm_lifecycle_event"] === undefined || process.platform === "win32") return undefined
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM")
  }, 500).unref()
}

/** Signals within this time (ms) count as one: a shell sends Ctrl-C to npm and its child, and npm forwards it. */
const maxSignalGapMs = 1_000

const exitOnSecondSignal = () => {
  let firstSignalAt: number | undefined
  const parentWatch = watchParent()
  // closed terminal: stop in order, or the embedded Postgres keeps running
  process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      clearInterval(parentWatch)
      firstSignalAt ??= performance.now()
      if (performance.now() - firstSignalAt >= maxSignalGapMs) process.exit(exitCodes[signal])
    })
  }
}

/** `adapters` replace the defaults. */
export const run = (adapters: Adapters = {}): void => {
  exitOnSecondSignal()
  const program = Effect.provide(commands, Layer.merge(withAdapters(adapters), NodeServices.layer))
  NodeRuntime.runMain(Effect.provideService(program, Clock.Clock, new DatabaseClock()), {
    disableErrorReporting: true,
    // a server that stopped in order has set exitCode 0 (untilStopped)
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit)) return onExit(0)
      onExit(
        Cause.hasInterruptsOnly(exit.cause)
          ? Number(process.exitCode ?? exitCodes.SIGINT)
          : Number(process.exitCode) || 1,
      )
    },
  })
}

if (import.meta.main) run()
