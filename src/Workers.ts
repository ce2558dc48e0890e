import { Duration, Effect, Layer, Option, Scope } from "effect"
import { surplusCheck } from "./accounts/requests/LoggedRequest.ts"
import { RequestLog } from "./accounts/requests/RequestLog.ts"
import { PasswordLinks } from "./accounts/sign-in/PasswordLinks.ts"
import { SignInAttempts } from "./accounts/sign-in/SignInAttempts.ts"
import { HiringSystemConnections } from "./ats/HiringSystemConnections.ts"
import { ReportQueue } from "./ats/ReportQueue.ts"
import { Config } from "./config/Config.ts"
import { CounterfactualAudits } from "./counterfactual/CounterfactualAudits.ts"
import { CvQueue } from "./cv/CvQueue.ts"
import { BounceMailbox } from "./emails/BounceMailbox.ts"
import { EmailEventProcessor } from "./emails/EmailEventProcessor.ts"
import { EmailEventReceiver } from "./emails/EmailEventReceiver.ts"
import { EmailQueue } from "./emails/EmailQueue.ts"
import { EvaluationQueue } from "./evaluations/EvaluationQueue.ts"
import { Interviews } from "./interviews/Interviews.ts"
import { Uploads } from "./interviews/Uploads.ts"
import { Reminders } from "./invitations/Reminders.ts"
import { ResultOffers } from "./person-reviews/ResultOffers.ts"
import { Share } from "./platform/database/Connections.ts"
import { FormIdempotency } from "./platform/http/FormIdempotency.ts"
import { Idempotency } from "./platform/http/Idempotency.ts"
import * as Periodic from "./platform/queue/Periodic.ts"
import { ProcessHeartbeats } from "./platform/queue/ProcessHeartbeats.ts"
import { QueueActivity } from "./platform/queue/QueueActivity.ts"
import { CurrentClaimer, type QueueTable } from "./platform/queue/QueueSql.ts"
import * as Worker from "./platform/queue/Worker.ts"
import { WorkerLiveness } from "./platform/queue/WorkerLiveness.ts"
import { Metrics } from "./platform/telemetry/Metrics.ts"
import { DataRetention } from "./privacy/DataRetention.ts"
import { RecordSealer } from "./record/RecordSealer.ts"
import { RecordingQueue } from "./recordings/RecordingQueue.ts"
import { Recordings } from "./recordings/Recordings.ts"
import { Digests } from "./reviews/Digests.ts"
import { TestSpaces } from "./test-mode/TestSpaces.ts"
import { Trials } from "./trial-evaluations/Trials.ts"
import { DeliveryQueue } from "./webhooks/deliveries/DeliveryQueue.ts"
import { Retention } from "./webhooks/deliveries/Retention.ts"
import { EndpointProbes } from "./webhooks/endpoints/EndpointProbes.ts"
import { Rehearsals } from "./webhooks/rehearsals/Rehearsals.ts"

/** Limits a queue's connections, so that statements waiting for its locked table leave some to other queues. */
const sharing = <A, E, R>(table: QueueTable, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Share, () => table)

/** Claims name this process, so that others take them over when it ends. */
const claiming = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(ProcessHeartbeats, ({ claimer }) => Effect.provideService(effect, CurrentClaimer, claimer))

/** Runs of steps are stored for the console. */
const reporting = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(QueueActivity, (activity) => Effect.provideService(effect, Periodic.CurrentStepReport, activity))

interface PeriodicStep {
  readonly name: string
  readonly interval: Duration.Duration
  readonly step: Effect.Effect<number>
}

const periodic = (name: string, interval: Duration.Duration, step: Effect.Effect<number>): PeriodicStep => ({
  name,
  interval,
  step,
})

/** They skip organizations that are being moved (`suspended_organization`). */
export const periodicSteps = Effect.gen(function* () {
  const { heldEventsInterval } = yield* Config
  const hiringSystemConnections = yield* HiringSystemConnections
  const bounceMailbox = yield* BounceMailbox
  const counterfactualAudits = yield* CounterfactualAudits
  const dataRetention = yield* DataRetention
  const digests = yield* Digests
  const evaluationQueue = yield* EvaluationQueue
  const formIdempotency = yield* FormIdempotency
  const idempotency = yield* Idempotency
  const interviews = yield* Interviews
  const emailEventReceiver = yield* EmailEventReceiver
  const emailEventProcessor = yield* EmailEventProcessor
  const recordSealer = yield* RecordSealer
  const recordings = yield* Recordings
  const rehearsals = yield* Rehearsals
  const reminders = yield* Reminders
  const requestLog = yield* RequestLog
  const resultOffers = yield* ResultOffers
  const retention = yield* Retention
  const endpointProbes = yield* EndpointProbes
  const passwordLinks = yield* PasswordLinks
  const queueActivity = yield* QueueActivity
  const signInAttempts = yield* SignInAttempts
  const testSpaces = yield* TestSpaces
  const trials = yield* Trials
  const uploads = yield* Uploads
  return [
    periodic("storing counts of jobs and steps", Duration.seconds(10), queueActivity.flush),
    periodic("sending held events", heldEventsInterval, evaluationQueue.sendHeld),
    periodic("evaluating trials", Duration.seconds(1), trials.step),
    periodic("emptying test spaces", Duration.seconds(5), testSpaces.step),
    periodic("deleting old trials", Duration.minutes(10), trials.forget),
    periodic("running counterfactual audits", Duration.seconds(1), counterfactualAudits.step),
    periodic("sealing the record", Duration.seconds(1), recordSealer.step),
    periodic("submitting interviews after their deadline", Duration.seconds(5), interviews.finishOverdue),
    periodic("ending recordings whose pieces stopped arriving", Duration.seconds(30), recordings.endIdle),
    periodic("deleting data after its retention", Duration.minutes(10), dataRetention.step),
    periodic("deleting old recordings", Duration.minutes(10), recordings.deleteOld),
    periodic("measuring recordings", Duration.hours(6), recordings.checkStorage),
    periodic("expiring interviews that were not started", Duration.minutes(1), interviews.expireUnstarted),
    periodic("applying email events", Duration.seconds(1), emailEventProcessor.apply),
    ...Option.match(bounceMailbox.step, {
      onNone: () => [],
      onSome: (step) => [periodic("reading the bounce mailbox", Duration.minutes(1), Effect.orDie(step))],
    }),
    periodic("deleting old email events", Duration.minutes(10), emailEventReceiver.forget),
    periodic("probing deactivated webhooks", Duration.seconds(2), endpointProbes.step),
    periodic("rehearsing receivers", Duration.seconds(1), rehearsals.step),
    periodic("sending reminders", Duration.minutes(1), reminders.step),
    periodic("offering results", Duration.minutes(5), resultOffers.step),
    periodic("sending daily emails", Duration.minutes(1), digests.step),
    periodic("removing files of aborted uploads", Duration.minutes(10), uploads.sweep),
    periodic("removing files of erased people", Duration.minutes(1), uploads.removeErased),
    periodic("deleting old events and deliveries", Duration.minutes(10), retention.step),
    periodic("synchronizing hiring systems", Duration.minutes(5), hiringSystemConnections.queueSynchronizations),
    periodic(
      "deleting old exchanges with hiring systems",
      Duration.minutes(10),
      hiringSystemConnections.forgetExchanges,
    ),
    periodic("deleting old idempotency keys", Duration.minutes(10), idempotency.forget),
    periodic("deleting old entries of the request log", Duration.millis(surplusCheck.every), requestLog.forget),
    periodic("deleting old results of forms", Duration.minutes(1), formIdempotency.forget),
    periodic("deleting expired sessions", Duration.minutes(10), signInAttempts.forget),
    periodic("deleting expired password links", Duration.minutes(10), passwordLinks.forget),
  ]
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const cvQueue = yield* CvQueue
    const deliveryQueue = yield* DeliveryQueue
    const emailQueue = yield* EmailQueue
    const evaluationQueue = yield* EvaluationQueue
    const workerLiveness = yield* WorkerLiveness
    const metrics = yield* Metrics
    const recordingQueue = yield* RecordingQueue
    const reportQueue = yield* ReportQueue
    const queueActivity = yield* QueueActivity
    // after the drain
    yield* Effect.addFinalizer(() => Effect.ignoreCause(queueActivity.flush))
    // closed together: all queues stop claiming at once, and wait for running jobs at the same time
    const scopes = yield* Effect.all([
      Scope.make(),
      Scope.make(),
      Scope.make(),
      Scope.make(),
      Scope.make(),
      Scope.make(),
    ])
    yield* Effect.addFinalizer((exit) =>
      Effect.forEach(scopes, (scope) => Scope.close(scope, exit), { concurrency: "unbounded", discard: true }),
    )
    const attempt: Worker.WorkerMetrics["attempt"] = (queue, outcome, seconds) => {
      metrics.attempt(queue, outcome, seconds)
      queueActivity.attempt(queue, outcome)
    }
    const workerMetrics = { ...workerLiveness, attempt }
    yield* claiming(sharing(deliveryQueue.queue.table, Worker.run(deliveryQueue.queue, workerMetrics))).pipe(
      Scope.provide(scopes[0]),
    )
    yield* claiming(sharing(emailQueue.queue.table, Worker.run(emailQueue.queue, workerMetrics))).pipe(
      Scope.provide(scopes[1]),
    )
    yield* claiming(sharing(evaluationQueue.queue.table, Worker.run(evaluationQueue.queue, workerMetrics))).pipe(
      Scope.provide(scopes[2]),
    )
    yield* claiming(sharing(cvQueue.queue.table, Worker.run(cvQueue.queue, workerMetrics))).pipe(
      Scope.provide(scopes[3]),
    )
    yield* claiming(sharing(reportQueue.queue.table, Worker.run(reportQueue.queue, workerMetrics))).pipe(
      Scope.provide(scopes[4]),
    )
    yield* claiming(sharing(recordingQueue.queue.table, Worker.run(recordingQueue.queue, workerMetrics))).pipe(
      Scope.provide(scopes[5]),
    )
    yield* Effect.forEach(yield* periodicSteps, ({ interval, name, step }) => Periodic.run(name, interval, step), {
      discard: true,
    })
  }).pipe(reporting),
).pipe(Layer.provide(ProcessHeartbeats.layer))
