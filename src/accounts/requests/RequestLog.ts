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
  refusalWindow,
  surplusCheck,
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

/** Requests of a key beyond its limit, since the first of them was logged. */
interface Refusals {
  /** In milliseconds of the monotonic clock. */
  readonly began: number
  count: number
  last: EndedRequest | undefined
}

const tooManyRequests = 429

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
  warnings: row.warnings ?? [],
  requests: row.requests,
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

    /** By API key. */
    const refusals = new Map<string, Refusals>()

    const keep = (request: EndedRequest): void => {
      if (ended.length + pending.length < maxPending) ended.push(request)
      else lost += request.requests
    }

    /** Keeps one entry for those that were counted since the first, of the keys whose first is as old. */
    const keepRefusals = (before: number): void => {
      for (const [key, { began, count, last }] of refusals) {
        if (began > before) continue
        refusals.delete(key)
        if (last !== undefined) keep({ ...last, requests: count })
      }
    }

    /**
     * Keeps a request for the next write. A program that does not heed 429 would replace all other entries: of each key, process and
     * minute, the first such request is kept, and the others are counted.
     */
    const add = (request: EndedRequest): void => {
      const isRefused = request.status === tooManyRequests
      const counted = isRefused ? refusals.get(request.api_key_id) : undefined
      if (counted === undefined) {
        keep(request)
        if (isRefused) refusals.set(request.api_key_id, { began: request.endedAt, count: 0, last: undefined })
        return
      }
      counted.count += 1
      counted.last = request
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
      keepRefusals(millisOf(clock) - refusalWindow)
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

    /** Writes all that is kept, also what is still being counted. */
    const writeRest = Effect.suspend(() => {
      keepRefusals(Number.POSITIVE_INFINITY)
      return Effect.repeat(write, { while: (written) => written > 0 })
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
      const now = (yield* time).getTime()
      const before = new Date(now - requestLogDays * Duration.toMillis("1 day"))
      const { busy, every, parts } = surplusCheck
      const checked = { busy, since: new Date(now - 2 * every), part: Math.floor(now / every) % parts, parts }
      return (yield* repository.deleteOld(before)) + (yield* repository.deleteSurplus(maxKept, checked))
    }).pipe(Effect.withSpan("RequestLog.forget"))

    return { add, write, writeRest, list, find, findByRequestId, failures, forget }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)

  /** Writes every second, and the rest when the process ends: the server must depend on it. */
  static readonly writer = Layer.effectDiscard(
    Effect.gen(function* () {
      const { write, writeRest } = yield* RequestLog
      yield* Effect.addFinalizer(() =>
        writeRest.pipe(
          Effect.timeout(maxLastWrite),
          Effect.catchCause((cause) => Effect.logWarning("the last requests are missing in the request log", cause)),
        ),
      )
      yield* Periodic.run("writing the request log", Duration.seconds(1), write)
    }),
  )
}
