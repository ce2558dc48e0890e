/** Health checks for orchestrators and load balancers, without credentials. */
import { Context, Effect, Layer, Result } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Config } from "../../config/Config.ts"
import { Database, type DatabaseReadOnly, type DatabaseUnavailable } from "../database/Database.ts"
import { ProviderStanding } from "../queue/ProviderStanding.ts"
import type { QueueTable } from "../queue/QueueSql.ts"
import { QueueStatistics } from "../queue/QueueStatistics.ts"
import { WorkerLiveness } from "../queue/WorkerLiveness.ts"
import * as Metrics from "../telemetry/MetricsRoutes.ts"
import { StorageStanding } from "../telemetry/StorageStanding.ts"
import { Drain } from "./Drain.ts"

/** Seconds that a job may be due. */
const maxDueSeconds = 300
const maxAge = "1 second"

interface Report {
  readonly status: "ready" | "degraded" | "not ready"
  readonly checks: {
    readonly database:
      | { readonly status: "ok" | "failed" | "read-only" }
      | { readonly status: "refuses-writes"; readonly detail: string }
    /** Numbers of the files in sql/. */
    readonly schema?: { readonly status: "ok" | "failed"; readonly version: number; readonly needed: number }
    /** Absent when unreadable, such as during a table lock. */
    readonly queues?: { readonly status: "ok" | "late"; readonly oldest_due_seconds: number }
    readonly workers: { readonly status: "ok" | "silent"; readonly silent: ReadonlyArray<QueueTable> }
    /** A worker of this process has measured more recordings in Postgres than RECORDINGS_WARN_SIZE. */
    readonly recordings?: { readonly status: "large"; readonly detail: string }
    /** `refused`: the mail server refuses this service; emails are retried and end as dropped. */
    readonly email?: { readonly status: "mailbox" | "refused"; readonly detail: string }
  }
}

/** A late queue leaves pods ready: fewer pods would make it longer. */
export class Readiness extends Context.Service<Readiness>()("interview-invitations/platform/http/Readiness", {
  make: Effect.gen(function* () {
    const { email } = yield* Config
    const { ping, refusedWrite } = yield* Database
    const { silent } = yield* WorkerLiveness
    const { refusal } = yield* ProviderStanding
    const { warning } = yield* StorageStanding
    const { readiness, schemaNeeded } = yield* QueueStatistics
    // the version never goes back
    let version: number | undefined
    const queues = yield* Effect.cachedWithTTL(
      Effect.map(readiness, ({ oldest_due, schema }) => {
        version = schema
        return oldest_due
      }),
      maxAge,
    )
    const database = Effect.andThen(
      ping,
      Effect.catchCause(Effect.timeout(queues, "1 second"), () => Effect.undefined),
    )
    return {
      report: Effect.gen(function* () {
        const silentNow = yield* silent
        const found = yield* Effect.result(database)
        const whole = reportOf(found, version, schemaNeeded, silentNow)
        const { checks, status } = withStorage(withRefusal(whole, yield* refusedWrite), warning())
        if (email._tag === "mailbox") return { status, checks: { ...checks, email: mailboxCheck } }
        const refused = refusal()
        if (refused === undefined) return { status, checks }
        const detail = `the mail server refuses emails: ${refused}; its reply is in the log and in email list`
        const standing = status === "ready" ? "degraded" : status
        return { status: standing, checks: { ...checks, email: { status: "refused", detail } } }
      }),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([ProviderStanding.layer, StorageStanding.layer]),
  )
}

const mailboxCheck = {
  status: "mailbox",
  detail: "EMAIL=mailbox: emails are stored in the database and not sent",
} as const

/** `found`: seconds since the oldest due job fell due; undefined when unreadable. */
const reportOf = (
  found: Result.Result<number | undefined, DatabaseUnavailable | DatabaseReadOnly>,
  version: number | undefined,
  needed: number,
  silent: ReadonlyArray<QueueTable>,
): Report => {
  const workers = { status: silent.length === 0 ? "ok" : "silent", silent } as const
  if (Result.isFailure(found)) {
    const status = found.failure._tag === "DatabaseReadOnly" ? "read-only" : "failed"
    return { status: "not ready", checks: { database: { status }, workers } }
  }
  if (version === undefined) return { status: "not ready", checks: { database: { status: "failed" }, workers } }
  const isCurrent = version >= needed
  const database = { status: "ok" } as const
  const schema = { status: isCurrent ? "ok" : "failed", version, needed } as const
  if (found.success === undefined)
    return { status: isCurrent ? "degraded" : "not ready", checks: { database, schema, workers } }
  const isLate = found.success > maxDueSeconds
  const queues = { status: isLate ? "late" : "ok", oldest_due_seconds: Math.round(found.success) } as const
  const isDegraded = isLate || silent.length > 0
  return {
    status: !isCurrent ? "not ready" : isDegraded ? "degraded" : "ready",
    checks: { database, schema, queues, workers },
  }
}

const withRefusal = (report: Report, refused: string | undefined): Report => {
  if (refused === undefined || report.checks.database.status !== "ok") return report
  const database = { status: "refuses-writes", detail: `the disk of the database refuses writes: ${refused}` } as const
  return { status: "not ready", checks: { ...report.checks, database } }
}

/** The process stays ready: nothing is late or refused yet. */
const withStorage = (report: Report, detail: string | undefined): Report =>
  detail === undefined ? report : { ...report, checks: { ...report.checks, recordings: { status: "large", detail } } }

const answer = (status: number, body: object) => HttpServerResponse.jsonUnsafe(body, { status })

/** Checks only what a restart repairs. */
const live = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { silent } = yield* WorkerLiveness
    yield* router.add(
      "GET",
      "/health/live",
      Effect.map(silent, (queues) =>
        queues.length === 0
          ? answer(200, { status: "live", checks: { workers: { status: "ok" } } })
          : answer(503, { status: "stuck", checks: { workers: { status: "silent", silent: queues } } }),
      ),
    )
  }),
)

const ready = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { report } = yield* Readiness
    const drain = yield* Drain
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.suspend(() =>
        drain.hasBegun()
          ? Effect.succeed(answer(503, { status: "not ready", checks: { process: { status: "stopping" } } }))
          : Effect.map(report, (found) => answer(found.status === "not ready" ? 503 : 200, found)),
      ),
    )
  }),
)

export const layer = Layer.mergeAll(live, ready, Metrics.layer)
