/** `queue`: the console of the queues. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { queueTables } from "../platform/queue/QueueSql.ts"
import { QueueConsole } from "../queues/QueueConsole.ts"
import { failedDays, type JobAction, jobStates, maxChanged } from "../queues/QueuedJob.ts"
import { explain, type Input, print, printList, recordServices, requireOrganization, table } from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const organization = Flags.organization.pipe(
  Flag.withDescription("Only jobs of this organization; default all organizations"),
  Flag.optional,
)

/** A mistyped number would show that nothing waits. */
const requireKnown = Option.match({ onNone: () => Effect.void, onSome: requireOrganization })

const queue = Argument.Literals("queue", queueTables).pipe(Argument.withDescription(`One of ${queueTables.join(", ")}`))

const list = Command.make("list", { organization, json: Flags.json }, (input) =>
  Effect.gen(function* () {
    yield* requireKnown(input.organization)
    const { readOf } = yield* QueueConsole
    const found = yield* readOf(Option.getOrUndefined(input.organization))
    if (input.json) return yield* print(true, found)
    const attempts = (name: string) =>
      found.outcomes
        .filter((one) => one.queue === name)
        .map((one) => `${one.attempts} ${one.outcome}`)
        .join(", ") || "none"
    const rows = found.queues.map(({ queue: name, ...counts }) => ({
      queue: name,
      ...counts,
      "attempts in 24 h": attempts(name),
      stopped: found.pauses.find((one) => one.queue === name)?.paused_at ?? null,
      reason: found.pauses.find((one) => one.queue === name)?.reason ?? "",
    }))
    yield* Console.log(table(rows, "no queues"))
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(
  Command.withDescription(
    `Show each queue: running, due, waiting, parked and failed jobs (in the last ${failedDays} days), and how long the oldest has been due`,
  ),
)

const part = (name: "steps" | "processes", none: string, description: string) =>
  Command.make(name, { json: Flags.json }, ({ json }) =>
    Effect.gen(function* () {
      const found = yield* (yield* QueueConsole).readOf(undefined)
      const rows = found[name].map((row) => ({ ...row }))
      yield* json ? print(true, { [name]: rows }) : Console.log(table(rows, none))
    }).pipe(explain, Effect.provide(recordServices)),
  ).pipe(Command.withDescription(description))

const steps = part(
  "steps",
  "no step has run yet",
  "Show the steps that processes repeat: interval in seconds, last run and last failure",
)

const processes = part(
  "processes",
  "no process performs jobs",
  "Show the processes that perform jobs: host, version, since when; ended ones for an hour",
)

const jobs = Command.make(
  "jobs",
  {
    queue,
    state: Flag.Literals("state", jobStates).pipe(
      Flag.withDescription("Show only jobs in this state; default waiting"),
      Flag.withDefault("waiting" as const),
    ),
    organization,
    limit: Flags.limit,
    json: Flags.json,
  },
  (input) =>
    Effect.gen(function* () {
      yield* requireKnown(input.organization)
      const { jobsOf } = yield* QueueConsole
      const results = yield* jobsOf(Option.getOrUndefined(input.organization), input.queue, input.state, input.limit)
      const others = jobStates.filter((state) => state !== input.state).join(", ")
      yield* printList(input.json, {
        results,
        rowOf: (row) => ({ ...row }),
        none: `no ${input.state} jobs; --state shows others: ${others}`,
      })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(
  Command.withDescription(
    "List the jobs of a queue, those that are due first, or failed last, first; without addresses",
  ),
)

const changeInput = {
  queue,
  job: Flag.String("job").pipe(
    Flag.withDescription("A job's id, shown by queue jobs; repeat it for several"),
    Flag.between(0, maxChanged),
  ),
  all: Flags.boolean("all", "All such jobs; default off"),
  organization,
  json: Flags.json,
}

const change = (action: JobAction) =>
  Effect.fn("QueueCommand.change")(
    function* ({ all, job, json, organization: given, queue: name }: Input<typeof changeInput>) {
      if (all === job.length > 0) return yield* new CommandFailed({ message: "give --job, or --all" })
      yield* requireKnown(given)
      const { changeAll } = yield* QueueConsole
      const count = yield* changeAll(Option.getOrUndefined(given), action, name, all ? undefined : job)
      yield* print(json, { queue: name, count })
    },
    explain,
    Effect.provide(recordServices),
  )

const retry = Command.make("retry", changeInput, change("makeDue")).pipe(
  Command.withDescription("Try jobs at once that wait for their time, as before a retry"),
)

const cancel = Command.make("cancel", changeInput, change("cancel")).pipe(
  Command.withDescription(
    "Let jobs end without another attempt, as if all attempts had failed; what would have been sent is not sent. Jobs that run are not cancelled",
  ),
)

const pause = Command.make(
  "pause",
  {
    queue,
    reason: Flags.text("reason", "Shown to the owners of all organizations; default none").pipe(Flag.withDefault("")),
    json: Flags.json,
  },
  ({ json, queue: name, reason }) =>
    Effect.gen(function* () {
      yield* (yield* QueueConsole).pause(name, reason.trim().slice(0, 500))
      yield* print(json, { queue: name, paused: true })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(
  Command.withDescription("Stop a queue, of all organizations: jobs in flight end, no others begin until queue resume"),
)

const resume = Command.make("resume", { queue, json: Flags.json }, ({ json, queue: name }) =>
  Effect.gen(function* () {
    yield* (yield* QueueConsole).resume(name)
    yield* print(json, { queue: name, paused: false })
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Start a stopped queue again"))

export const queueCommand = Command.make("queue").pipe(
  Command.withDescription("See what the service does in the background; try, cancel and stop it"),
  Command.withSubcommands([list, jobs, retry, cancel, pause, resume, steps, processes]),
)
