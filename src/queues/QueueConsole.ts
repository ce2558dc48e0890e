/** The queues of an organization, or of all organizations for commands: what they do, what waits, what failed. */
import { Array as Arr, Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { operator } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { QueueTable } from "../platform/queue/QueueSql.ts"
import { withoutAddresses } from "../values/EmailAddress.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { Conflict } from "../values/Problem.ts"
import { type ChangedRow, type JobRow, QueueConsoleRepository } from "./QueueConsoleRepository.ts"
import { type JobAction, type JobState, listed, maxChanged } from "./QueuedJob.ts"

const actions = { makeDue: "try_jobs", cancel: "cancel_jobs" } as const satisfies Record<JobAction, string>

const isJobId = (queue: QueueTable, text: string): boolean =>
  queue === "webhook_delivery" ? /^\d{1,18}$/.test(text) : /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export class QueueConsole extends Context.Service<QueueConsole>()("interview-invitations/queues/QueueConsole", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const queueNotifier = yield* QueueNotifier
    const repository = yield* QueueConsoleRepository

    const readOf = Effect.fnUntraced(function* (organization: OrganizationId | undefined) {
      return {
        queues: yield* repository.queues(organization),
        outcomes: yield* repository.outcomes,
        steps: (yield* repository.steps).map((step) => ({
          ...step,
          error: step.error === null ? null : withoutAddresses(step.error),
        })),
        processes: yield* repository.processes,
        pauses: yield* repository.pauses,
      }
    })

    const jobsOf = Effect.fnUntraced(function* (
      organization: OrganizationId | undefined,
      queue: QueueTable,
      state: JobState,
      limit: number,
    ) {
      const rows = yield* repository.jobs(organization, queue, state, limit)
      return rows.map((row): JobRow => ({ ...row, error: row.error === null ? null : withoutAddresses(row.error) }))
    })

    const total = (rows: ReadonlyArray<ChangedRow>) => rows.reduce((sum, { count }) => sum + count, 0)

    const read = Effect.fn("QueueConsole.read")(function* (member: Member) {
      const overview = yield* readOf(member.organizationId)
      // a step works for all organizations: its error may be about another one
      return { ...overview, steps: overview.steps.map((step) => ({ ...step, error: null })) }
    })

    const jobs = Effect.fn("QueueConsole.jobs")(function* (member: Member, queue: QueueTable, state: JobState) {
      return yield* jobsOf(member.organizationId, queue, state, listed)
    })

    /** Returns the number of jobs that were changed; those that run, or have ended, are not. */
    const change = Effect.fn("QueueConsole.change")(function* (
      member: Member,
      action: JobAction,
      queue: QueueTable,
      ids: ReadonlyArray<string>,
    ) {
      const known = ids.filter((id) => isJobId(queue, id)).slice(0, maxChanged)
      const count = total(yield* repository[action](member.organizationId, queue, known))
      if (count === 0) return 0
      yield* auditLog.note(member, "organization", actions[action], String(member.organizationId), { queue, count })
      yield* queueNotifier.wake(queue)
      return count
    }, transaction)

    const changeBatch = Effect.fnUntraced(function* (
      organization: OrganizationId | undefined,
      action: JobAction,
      queue: QueueTable,
      ids: ReadonlyArray<string>,
    ) {
      const rows = yield* repository[action](organization, queue, ids)
      yield* Effect.forEach(rows, (row) =>
        auditLog.note(operator(row.organization), "organization", actions[action], String(row.organization), {
          queue,
          count: row.count,
        }),
      )
      return total(rows)
    }, transaction)

    /**
     * For commands. Without `ids`, all jobs that wait for their time, or for `cancel` all that do not run. Only the jobs that
     * are there now, each once: a job that fails meanwhile keeps the delay before its next attempt, and later ones are not cancelled.
     */
    const changeAll = Effect.fn("QueueConsole.changeAll")(function* (
      organization: OrganizationId | undefined,
      action: JobAction,
      queue: QueueTable,
      ids: ReadonlyArray<string> | undefined,
    ) {
      const known =
        ids?.filter((id) => isJobId(queue, id)) ?? (yield* repository.changeable(organization, queue, action))
      let count = 0
      for (const batch of Arr.chunksOf(known, maxChanged))
        count += yield* changeBatch(organization, action, queue, batch)
      yield* queueNotifier.wake(queue)
      return count
    })

    /** For commands: processes claim no more jobs of the queue, of all organizations, within two seconds. */
    const pause = Effect.fn("QueueConsole.pause")(function* (queue: QueueTable, reason: string) {
      if (!(yield* repository.pause(queue, reason)))
        return yield* new Conflict({ reason: "the queue is paused already" })
    })

    const resume = Effect.fn("QueueConsole.resume")(function* (queue: QueueTable) {
      if (!(yield* repository.resume(queue))) return yield* new Conflict({ reason: "the queue is not paused" })
    })

    return { read, readOf, jobs, jobsOf, change, changeAll, pause, resume }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

export type QueueOverview = Effect.Success<ReturnType<QueueConsole["Service"]["read"]>>
