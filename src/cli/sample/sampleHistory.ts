/** Runs actions of the sample in the past, with the jobs that they queue. */
import { Duration, Effect } from "effect"
import { CvFetcher } from "../../cv/CvFetcher.ts"
import { CvQueue } from "../../cv/CvQueue.ts"
import { CvRepository } from "../../cv/CvRepository.ts"
import { sampleTranscriber } from "../../dev/SampleTranscriber.ts"
import { EmailQueue } from "../../emails/EmailQueue.ts"
import { EmailRepository } from "../../emails/EmailRepository.ts"
import { EvaluationQueue } from "../../evaluations/EvaluationQueue.ts"
import { EvaluationRepository } from "../../evaluations/EvaluationRepository.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { leasesOnly } from "../../platform/queue/QueueSql.ts"
import { RecordingQueue } from "../../recordings/RecordingQueue.ts"
import { RecordingReader } from "../../recordings/RecordingReader.ts"
import { RecordingRepository } from "../../recordings/RecordingRepository.ts"
import { Transcriber } from "../../recordings/Transcriber.ts"
import { SampleRepository, type TakenDelivery } from "../../sample/SampleRepository.ts"
import { ClaimId, type OrganizationId } from "../../values/Ids.ts"
import { at, later } from "./sampleTime.ts"

/** How long after an action its jobs end, in milliseconds. */
const ends = { email: 2_000, cv: 5_000, recording: 7_000, evaluation: 9_000 } as const

/** Longer than filling the sample takes. */
const lease = Duration.minutes(15)

/** What a mail server said about an address. */
export interface MailRefusal {
  readonly reports: "bounce" | "dropped"
  readonly error: string
}

interface HistoryOptions {
  readonly organization: OrganizationId
  /** When the sample is filled. */
  readonly now: Date
  /** The files of the CVs. */
  readonly fetcher: CvFetcher["Service"]
  /** By address. */
  readonly refusals: ReadonlyMap<string, MailRefusal>
}

export const makeHistory = Effect.fnUntraced(function* ({ fetcher, now, organization, refusals }: HistoryOptions) {
  const cvQueue = yield* Effect.provideService(CvQueue.make, CvFetcher, fetcher)
  const cvRepository = yield* CvRepository
  const { transaction } = yield* Database
  const emailQueue = yield* EmailQueue
  const emailRepository = yield* EmailRepository
  const evaluationQueue = yield* EvaluationQueue
  const evaluationRepository = yield* EvaluationRepository
  const ids = yield* Ids
  const recordingQueue = yield* RecordingQueue.make.pipe(
    Effect.provideService(Transcriber, sampleTranscriber),
    Effect.provide(RecordingReader.layer),
  )
  const recordingRepository = yield* RecordingRepository
  const sampleRepository = yield* SampleRepository

  const deliveries: Array<TakenDelivery> = []

  const claim = Effect.fnUntraced(function* (moment: Date) {
    return {
      limit: 100,
      lease: Duration.sum(lease, Duration.millis(now.getTime() - moment.getTime())),
      claimId: yield* ids.make(ClaimId),
      claimer: leasesOnly,
      organization,
    }
  })

  /**
   * Runs the action at `moment`, then the jobs that it queues, and theirs. One transaction runs the action and claims the
   * jobs, so that workers never see them unclaimed; if the process is killed, the claims end and workers perform them.
   */
  const act = <A, E, R>(moment: Date, action: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const { cvs, emails, evaluations, recordings, result } = yield* Effect.gen(function* () {
        const made = yield* action
        const next = yield* claim(moment)
        deliveries.push(...(yield* sampleRepository.takeDeliveries(organization)))
        return {
          result: made,
          emails: yield* emailRepository.claim(next),
          cvs: yield* cvRepository.claim(next, []),
          recordings: yield* recordingRepository.claim(next),
          evaluations: yield* evaluationRepository.claim(next),
        }
      }).pipe(transaction, at(moment))
      for (const job of emails) {
        const end = later(moment, ends.email)
        const outcome = yield* at(end)(emailQueue.queue.perform(job))
        const refusal = refusals.get(job.recipient)
        const refused = refusal === undefined ? outcome : { ...outcome, state: "failed" as const, ...refusal }
        yield* act(end, emailQueue.queue.settle([refused]))
      }
      for (const job of cvs) {
        const end = later(moment, ends.cv)
        const outcome = yield* at(end)(cvQueue.queue.perform(job))
        yield* act(end, cvQueue.queue.settle([outcome]))
      }
      for (const job of recordings) {
        const end = later(moment, ends.recording)
        const outcome = yield* at(end)(recordingQueue.queue.perform(job))
        yield* act(end, recordingQueue.queue.settle([outcome]))
      }
      for (const job of evaluations) {
        const end = later(moment, ends.evaluation)
        const outcome = yield* at(end)(evaluationQueue.queue.perform(job))
        yield* act(end, evaluationQueue.queue.settle([outcome]))
      }
      return result
    })

  return { act, deliveries }
})
