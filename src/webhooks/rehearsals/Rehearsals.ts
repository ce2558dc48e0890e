/** Begins rehearsals of receivers, and sends their samples in the background (docs/rehearsals.md). */
import { Cause, Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { AuditLog } from "../../accounts/AuditLog.ts"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Config } from "../../config/Config.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import * as FailureLog from "../../platform/queue/FailureLog.ts"
import { lease, whileClaimed } from "../../platform/queue/LongRun.ts"
import { type PageRequest, pageOf } from "../../values/Cursor.ts"
import { storable } from "../../values/Fields.ts"
import { ClaimId, type EndpointId, RehearsalId } from "../../values/Ids.ts"
import { Conflict, NotFound } from "../../values/Problem.ts"
import { userAgent } from "../../values/UserAgent.ts"
import { isChat } from "../chat/ChatMessage.ts"
import { type SigningKey, signingKey, signingKeys } from "../deliveries/Signature.ts"
import { type OutboundResult, WebhookTransport } from "../deliveries/WebhookTransport.ts"
import { unknownEndpoint } from "../endpoints/Endpoint.ts"
import { EndpointRepository, type EndpointRow } from "../endpoints/EndpointRepository.ts"
import { EndpointSecrets } from "../endpoints/EndpointSecrets.ts"
import { isHidden } from "../endpoints/Endpoints.ts"
import { maskedRecord, recordOf } from "../endpoints/StaticHeaders.ts"
import {
  maxBody,
  maxRehearsals,
  type RehearsalDetail,
  type RehearsalExchange,
  type RehearsalStep,
  type RehearsalSummary,
  rehearsalWindow,
} from "./Rehearsal.ts"
import { type Grade, grade, notSent, p95Of, type StepAnswer } from "./RehearsalGrade.ts"
import { burstOf, failedRequests, isPointless, nextStep, samplesOf, signed } from "./RehearsalPlan.ts"
import {
  type ClaimedRehearsal,
  RehearsalRepository,
  type RehearsalRow,
  type RehearsalWithSteps,
} from "./RehearsalRepository.ts"
import { definitionOf, type PlannedRequest, type StepName, stepNames } from "./RehearsalSteps.ts"

/** Rehearsals that a process works on at once: they mostly wait for answers. */
const concurrency = 10

/** A process works on a rehearsal for so long, then lets others go first. */
const sliceTime = Duration.seconds(3)

/** A rehearsal that takes longer is stopped: the endpoint's rate left it no slots. */
const maxTime = Duration.hours(1)

/** Times in a row that this service may fail, and how long the rehearsal waits after each. */
const maxFailures = 5
const retryDelay = Duration.seconds(30)

const unreadable =
  "This service cannot decrypt the secret of the webhook: put back the key of SECRET_KEY that encrypted it, or regenerate the secret."

const unknown = new NotFound({ record: "rehearsal" })

const summaryOf = (row: RehearsalRow): RehearsalSummary => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  url: row.url,
  state: row.state,
  reason: row.reason,
  counts: { passed: row.passed, warning: row.warnings, failed: row.failed, skipped: row.skipped },
  total_steps: stepNames.length,
  created_at: row.created_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
})

const detailOf = (row: RehearsalWithSteps): RehearsalDetail => ({ ...summaryOf(row), steps: row.steps })

const stepOf = (
  name: StepName,
  { advice, finding, result }: Grade,
  sent: Partial<Pick<RehearsalStep, "requests" | "p95_ms" | "exchanges">> = {},
): RehearsalStep => ({
  name,
  title: definitionOf(name).title,
  result,
  finding,
  advice,
  documentation: definitionOf(name).documentation,
  requests: 0,
  p95_ms: null,
  exchanges: [],
  ...sent,
})

const answerOf = (result: OutboundResult): StepAnswer => {
  const duration_ms = result.durationMs
  if (result._tag === "Failed") {
    const { cause, message } = result
    return {
      ...{ status: null, cause, error: storable(message), body: null, duration_ms },
      ...{ isLong: false, location: undefined, hasRetryAfter: false },
    }
  }
  const { body, location, retryAfter, status, truncated } = result
  return {
    ...{ status, cause: null, error: null, body: storable(body.slice(0, maxBody).toWellFormed()), duration_ms },
    isLong: truncated,
    location: location === undefined ? undefined : storable(location),
    hasRetryAfter: retryAfter !== undefined,
  }
}

interface Exchanged {
  readonly exchange: RehearsalExchange
  readonly answer: StepAnswer
}

const isAsExpected = (name: StepName, { status }: StepAnswer): boolean =>
  status !== null &&
  (definitionOf(name).expects === "refused" ? status >= 400 && status < 500 : status >= 200 && status < 300)

/** Of a burst, the first that failed or else the slowest; of other steps, all. */
const shownOf = (name: StepName, all: ReadonlyArray<Exchanged>): ReadonlyArray<Exchanged> => {
  if (name !== "burst") return all
  const failed = all.find(({ answer }) => !isAsExpected(name, answer))
  const [slowest] = all.toSorted((one, other) => other.answer.duration_ms - one.answer.duration_ms)
  const shown = failed ?? slowest
  return shown === undefined ? [] : [shown]
}

/** How to send the requests of one step. */
interface Sender {
  readonly keys: ReadonlyArray<SigningKey>
  readonly endpoint: EndpointRow
  readonly extra: Readonly<Record<string, string>>
}

export class Rehearsals extends Context.Service<Rehearsals>()("interview-invitations/webhooks/rehearsals/Rehearsals", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { appUrl, webhookTimeout } = yield* Config
    const { time, transaction } = yield* Database
    const endpointRepository = yield* EndpointRepository
    const { open, openHeaders } = yield* EndpointSecrets
    const ids = yield* Ids
    const repository = yield* RehearsalRepository
    const webhookTransport = yield* WebhookTransport
    const failures = FailureLog.make("rehearsals of receivers")

    const findEndpoint = Effect.fnUntraced(function* (viewer: Viewer, id: EndpointId) {
      const endpoint = yield* endpointRepository.find(viewer.organizationId, id)
      return endpoint === undefined || isHidden(viewer, endpoint) ? yield* unknownEndpoint : endpoint
    })

    /**
     * Conflict: another rehearsal of the endpoint is running, too many began just now, or it is a channel, which gets no signed
     * events.
     */
    const begin = Effect.fn("Rehearsals.begin")(function* (viewer: Viewer, given: EndpointId) {
      const { format, id: endpoint, url } = yield* findEndpoint(viewer, given)
      if (isChat(format))
        return yield* new Conflict({ reason: "a channel of Slack or Teams has no receiver to rehearse" })
      const since = new Date((yield* time).getTime() - rehearsalWindow * Duration.toMillis("1 minute"))
      if ((yield* repository.begunSince(viewer.organizationId, endpoint, since)) >= maxRehearsals) {
        const reason = `${maxRehearsals} rehearsals of this endpoint began in the last ${rehearsalWindow} minutes: wait some minutes`
        return yield* new Conflict({ reason })
      }
      const id = yield* ids.make(RehearsalId)
      if (!(yield* repository.insert(viewer.organizationId, { id, endpoint, url })))
        return yield* new Conflict({ reason: "a rehearsal of this endpoint is running: wait for its end" })
      yield* auditLog.note(viewer, "webhook_endpoint", "rehearse", endpoint)
      return id
    }, transaction)

    const find = Effect.fn("Rehearsals.find")(function* (viewer: Viewer, given: EndpointId, id: RehearsalId) {
      const endpoint = yield* findEndpoint(viewer, given)
      const row = yield* repository.find(viewer.organizationId, endpoint.id, id)
      return detailOf(row ?? (yield* unknown))
    })

    /** A page, newest first. */
    const list = Effect.fn("Rehearsals.list")(function* (viewer: Viewer, given: EndpointId, page: PageRequest) {
      const endpoint = yield* findEndpoint(viewer, given)
      const rows = yield* repository.list(viewer.organizationId, endpoint.id, page)
      return pageOf("webhook-rehearsals", rows, page, summaryOf)
    })

    /** Returns false when it has ended before. */
    const cancel = Effect.fn("Rehearsals.cancel")(function* (viewer: Viewer, given: EndpointId, id: RehearsalId) {
      const endpoint = yield* findEndpoint(viewer, given)
      return yield* repository.cancel(viewer.organizationId, endpoint.id, id)
    })

    /** What the secrets of the endpoint open to. */
    const senderOf = Effect.fnUntraced(function* (endpoint: EndpointRow, now: number) {
      const { headers, id, previous_secret, previous_secret_until: until, secret } = endpoint
      const previous =
        previous_secret === null || until === null || until.getTime() <= now
          ? undefined
          : yield* Effect.option(open(id, previous_secret))
      const keys = signingKeys(
        signingKey(yield* open(id, secret)),
        previous?._tag === "Some" ? signingKey(previous.value) : undefined,
      )
      const extra = headers === null ? {} : recordOf(yield* openHeaders(id, headers))
      return { endpoint, keys, extra } satisfies Sender
    })

    /** `skew`: the database's clock minus this process's, in milliseconds. */
    const send = Effect.fnUntraced(function* (
      rehearsal: ClaimedRehearsal,
      request: PlannedRequest,
      { endpoint, extra, keys }: Sender,
      skew: number,
    ) {
      const at = (yield* Clock.currentTimeMillis) + skew
      const { body, headers } = signed(request, { at: Math.floor(at / 1000), keys, rehearsal: rehearsal.id })
      const own = { "content-type": "application/json", "user-agent": userAgent, ...headers }
      const result = yield* webhookTransport.post({
        url: endpoint.url,
        headers: { ...extra, ...own },
        body: Buffer.from(body),
      })
      const answer = answerOf(result)
      const exchange: RehearsalExchange = {
        at: new Date(at).toISOString(),
        event_id: request.eventId,
        headers: { ...maskedRecord(endpoint.header_names), ...own },
        body,
        status: answer.status,
        duration_ms: answer.duration_ms,
        error: answer.error,
        answer: answer.body,
      }
      return { answer, exchange } satisfies Exchanged
    })

    /** Waits for a slot of the endpoint's rate. */
    const awaitSlot = (endpoint: EndpointId) =>
      Effect.repeat(repository.takeSlots(endpoint, 1).pipe(Effect.tap((pause) => Effect.sleep(pause))), {
        until: Duration.isZero,
      })

    /** The step's result, or how long its first request has to wait. */
    const perform = Effect.fnUntraced(function* (
      rehearsal: ClaimedRehearsal,
      steps: ReadonlyArray<RehearsalStep>,
      name: StepName,
      endpoint: EndpointRow,
    ) {
      const context = {
        id: rehearsal.id,
        organizationId: rehearsal.organization_id,
        events: endpoint.events,
        maxPerMinute: endpoint.max_per_minute,
        createdAt: rehearsal.created_at,
        appUrl,
      }
      if (name === "burst" && burstOf(endpoint.max_per_minute) === 1) {
        const limit = `The webhook’s limit of ${endpoint.max_per_minute} attempts per minute keeps events from arriving at once.`
        return Result.succeed(stepOf(name, notSent(limit)))
      }
      const requests = definitionOf(name).requests?.(samplesOf(context)) ?? failedRequests(steps)
      if (requests.length === 0) {
        return Result.succeed(
          stepOf(name, notSent("No event failed in a way that another attempt might mend, so none was sent again.")),
        )
      }
      const isBurst = name === "burst"
      const pause = yield* repository.takeSlots(endpoint.id, isBurst ? requests.length : 1)
      if (!Duration.isZero(pause)) return Result.fail(pause)
      const now = (yield* time).getTime()
      const skew = now - (yield* Clock.currentTimeMillis)
      const sender = yield* senderOf(endpoint, now)
      const all = yield* Effect.forEach(
        requests,
        (request, index) => {
          const sent = send(rehearsal, request, sender, skew)
          return index === 0 || isBurst ? sent : Effect.andThen(awaitSlot(endpoint.id), sent)
        },
        { concurrency: isBurst ? "unbounded" : 1 },
      )
      const answers = all.map(({ answer }) => answer)
      return Result.succeed(
        stepOf(name, grade(name, answers, webhookTimeout), {
          requests: all.length,
          p95_ms: isBurst ? p95Of(answers.map(({ duration_ms }) => duration_ms)) : null,
          exchanges: shownOf(name, all).map(({ exchange }) => exchange),
        }),
      )
    })

    /** Sends what one step needs, and stores its result. Returns the steps; undefined: it has ended, was released or lost. */
    const advance = Effect.fnUntraced(function* (
      rehearsal: ClaimedRehearsal,
      claim: ClaimId,
      steps: ReadonlyArray<RehearsalStep>,
    ) {
      const { created_at, endpoint_id, id, organization_id, url } = rehearsal
      const stop = (reason: string) => Effect.as(repository.stop(id, claim, reason), undefined)
      const name = nextStep(steps)
      if (name === undefined)
        return yield* Effect.as(repository.save(id, claim, { steps, isLast: true, lease }), undefined)
      const endpoint = yield* endpointRepository.find(organization_id, endpoint_id)
      if (endpoint === undefined) return yield* stop("The webhook was deleted during the rehearsal.")
      if (endpoint.url !== url) return yield* stop("The address of the webhook was changed during the rehearsal.")
      if ((yield* time).getTime() - created_at.getTime() > Duration.toMillis(maxTime))
        return yield* stop("It took longer than an hour: the webhook’s limit of attempts per minute left it no time.")
      const performed =
        isPointless(steps) && name !== "retry"
          ? Result.succeed(
              stepOf(
                name,
                notSent("Not sent, because the receiver accepts no event: mend the first step, then rehearse again."),
              ),
            )
          : yield* perform(rehearsal, steps, name, endpoint)
      if (Result.isFailure(performed))
        return yield* Effect.as(repository.release(id, claim, performed.failure), undefined)
      const after = [...steps, performed.success]
      const isLast = nextStep(after) === undefined
      const isOwn = yield* repository.save(id, claim, { steps: after, isLast, lease })
      return isOwn && !isLast ? after : undefined
    })

    const slice = Effect.fnUntraced(function* (rehearsal: ClaimedRehearsal, claim: ClaimId) {
      const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(sliceTime)
      let steps: ReadonlyArray<RehearsalStep> | undefined = rehearsal.steps
      do {
        steps = yield* advance(rehearsal, claim, steps)
      } while (steps !== undefined && (yield* Clock.currentTimeMillis) < until)
      if (steps !== undefined) yield* repository.release(rehearsal.id, claim)
    })

    /** A failure of this service, not of the receiver: tried again later, and stopped when it lasts. */
    const fail = Effect.fnUntraced(function* ({ id }: ClaimedRehearsal, claim: ClaimId) {
      if (yield* repository.fail(id, claim, maxFailures, retryDelay)) return
      yield* repository.stop(
        id,
        claim,
        "This service failed several times in a row: its operator finds why in the log.",
      )
    })

    const work = (rehearsal: ClaimedRehearsal, claim: ClaimId) =>
      whileClaimed({
        slice: slice(rehearsal, claim),
        renew: repository.renew(rehearsal.id, claim, lease),
      }).pipe(
        // a process that stops lets another one go on
        Effect.onInterrupt(() => Effect.ignoreCause(repository.release(rehearsal.id, claim))),
        Effect.catchTag("UnreadableSecret", () => repository.stop(rehearsal.id, claim, unreadable)),
        Effect.catchDefect((defect) => Effect.andThen(failures.report(Cause.die(defect)), fail(rehearsal, claim))),
      )

    const stepOn = Effect.fnUntraced(function* (only?: RehearsalId) {
      const claim = yield* ids.make(ClaimId)
      const claimed = yield* repository.claim(claim, { lease, limit: concurrency, only })
      yield* Effect.forEach(claimed, (rehearsal) => work(rehearsal, claim), { concurrency, discard: true })
      return claimed.length
    })

    /** Works on rehearsals for some time. Returns 0 when none is due. */
    const step = Effect.withSpan(
      Effect.suspend(() => stepOn()),
      "Rehearsals.step",
    )

    /** The same for one rehearsal. */
    const stepOne = (id: RehearsalId) => Effect.withSpan(stepOn(id), "Rehearsals.stepOne")

    return { begin, find, list, cancel, step, stepOne }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
