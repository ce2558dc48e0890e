/**
 * The request log: collects the requests of this process, writes them every second, reads and forgets them. A request never waits
 * for it. While the database does not answer, up to `maxPending` requests are kept for the next write.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { Database } from "../../platform/database/Database.ts"
import { millisOf } from "../../platform/Monotonic.ts"
import { Ids } from "../../platform/NewIds.ts"
import * as Periodic from "../../platform/queue/Periodic.ts"
import { type PageRequest, pageOf } from "../../values/Cursor.ts"
import { NotFound } from "../../values/Problem.ts"
import type { Viewer } from "../Viewer.ts"
import {
  type EndedRequest,
  type LoggedRequest,
  LoggedRequestId,
  maxKept,
  maxPending,
  type RequestFilter,
} from "./LoggedRequest.ts"
import { RequestLogRepository, type RequestRow } from "./RequestLogRepository.ts"

/** Rows of one statement. */
const batch = 2_000

/** For the rest at the end of a process; only a hanging database exceeds it. */
const maxLastWrite = Duration.seconds(5)

interface Pending {
  readonly id: string
  readonly request: EndedRequest
}

export const resultOf = (row: RequestRow): LoggedRequest => ({
  request_id: row.request_id,
  created_at: row.created_at,
  api_key: { id: row.api_key_id, name: row.key_name },
  method: row.method,
  operation: row.operation,
  path: row.path,
  query: row.query,
  status: row.status,
  problem: row.problem === null ? null : { code: row.problem, errors: row.errors ?? [] },
  duration_ms: row.duration_ms,
  idempotency_key: row.has_idempotency_key,
  replayed: row.is_replayed,
  client: row.client,
})

export class RequestLog extends Context.Service<RequestLog>()("interview-invitations/accounts/requests/RequestLog", {
  make: Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const { requestLogDays } = yield* Config
    const { time } = yield* Database
    const repository = yield* RequestLogRepository
    const ids = yield* Ids
    let ended: Array<EndedRequest> = []
    let pending: ReadonlyArray<Pending> = []
    /** Requests that were not kept since the last line about it. */
    let lost = 0

    /** Keeps a request for the next write. */
    const add = (request: EndedRequest): void => {
      if (ended.length + pending.length < maxPending) ended.push(request)
      else lost++
    }

    const takeEnded = Effect.gen(function* () {
      const newIds = yield* Effect.replicateEffect(ids.make(LoggedRequestId), ended.length)
      // requests may have ended meanwhile
      const taken = newIds.flatMap((id, index): ReadonlyArray<Pending> => {
        const request = ended[index]
        return request === undefined ? [] : [{ id, request }]
      })
      pending = [...pending, ...taken]
      ended = ended.slice(taken.length)
    })

    /** Writes a batch, returns its size. What could not be written is written by the next call, once. */
    const write = Effect.gen(function* () {
      if (ended.length > 0) yield* takeEnded
      if (pending.length === 0) return 0
      const now = millisOf(clock)
      const rows = pending.slice(0, batch)
      yield* repository.insert(
        rows.map(({ id, request: { durationMs, endedAt, ...request } }) => ({
          ...request,
          id,
          duration_ms: Math.round(durationMs),
          age_ms: now - endedAt + durationMs,
        })),
      )
      pending = pending.slice(rows.length)
      if (lost > 0) {
        yield* Effect.logWarning("the request log was full: requests are missing in it", { requests: lost })
        lost = 0
      }
      return rows.length
    })

    /** Newest first. */
    const list = Effect.fn("RequestLog.list")(function* (
      { organizationId }: Viewer,
      filter: RequestFilter,
      page: PageRequest,
    ) {
      return pageOf("requests", yield* repository.list(organizationId, filter, page), page, (row): RequestRow => row)
    })

    const find = Effect.fn("RequestLog.find")(function* ({ organizationId }: Viewer, id: string) {
      return (yield* repository.find(organizationId, id)) ?? (yield* new NotFound({ record: "request" }))
    })

    /** The newest one with this X-Request-Id, which clients choose. */
    const findByRequestId = Effect.fn("RequestLog.findByRequestId")(function* (
      { organizationId }: Viewer,
      request_id: string,
    ) {
      const [row] = yield* repository.list(organizationId, { request_id }, { limit: 0, after: undefined })
      return row ?? (yield* new NotFound({ record: "request" }))
    })

    const failures = Effect.fn("RequestLog.failures")(
      ({ organizationId }: Viewer, filter: RequestFilter, limit: number) =>
        repository.failures(organizationId, filter, limit),
    )

    /** Deletes old requests, and the oldest of organizations with too many; returns their number. */
    const forget = Effect.gen(function* () {
      const before = new Date((yield* time).getTime() - requestLogDays * Duration.toMillis("1 day"))
      return (yield* repository.deleteOld(before)) + (yield* repository.deleteSurplus(maxKept))
    }).pipe(Effect.withSpan("RequestLog.forget"))

    return { add, write, list, find, findByRequestId, failures, forget }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)

  /** Writes every second, and the rest when the process ends: the server must depend on it. */
  static readonly writer = Layer.effectDiscard(
    Effect.gen(function* () {
      const { write } = yield* RequestLog
      yield* Effect.addFinalizer(() =>
        Effect.repeat(write, { while: (written) => written > 0 }).pipe(
          Effect.timeout(maxLastWrite),
          Effect.catchCause((cause) => Effect.logWarning("the last requests are missing in the request log", cause)),
        ),
      )
      yield* Periodic.run("writing the request log", Duration.seconds(1), write)
    }),
  )
}
