/** Fetches, reads and stores CVs, and queues their evaluation. */
import { createHash } from "node:crypto"
import { Context, Duration, Effect, Layer, Result, Stream } from "effect"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { BlobRepository } from "../files/BlobRepository.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import type { Claim } from "../platform/queue/QueueSql.ts"
import * as WorkQueue from "../platform/queue/WorkQueue.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { storable } from "../values/Fields.ts"
import { BlobId, EvaluationId, OrganizationId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { type CvContent, maxCvBytes, maxCvTextLength } from "./Cv.ts"
import { CvFetcher } from "./CvFetcher.ts"
import { CvReader, type CvUnreadable } from "./CvReader.ts"
import { type CvJob, CvRepository, type CvSettlement } from "./CvRepository.ts"
import { type UnreadableCv, unreadableCvs } from "./UnreadableCv.ts"

/**
 * More than the CVs read at once, because fetches mostly wait. Each may hold the largest file twice: 120 MiB in all.
 */
export const concurrency = 6
/** Keeps a large import from delaying other organizations. */
const maxPerOrganization = 4
/** Longer than three files, one after the other, that reach the reader's timeouts. */
const lease = Duration.minutes(10)

/** About 40 minutes: a signed CV link may be valid for an hour. */
export const retries: RetryPolicy.RetryOptions = { first: Duration.seconds(10), cap: Duration.hours(1), times: 8 }

const notStored: ReadonlyArray<UnreadableCv> = ["empty", "unsupported", "sign_in", "web_page"]

interface CvOutcome extends CvSettlement {
  readonly job: CvJob
}

const outcomeOf = (job: CvJob, state: CvSettlement["state"], rest: Partial<CvSettlement>): CvOutcome => ({
  id: job.id,
  claim_id: job.claim_id,
  state,
  delay: undefined,
  text: null,
  notes: [],
  warnings: [],
  error: null,
  blob_id: null,
  file_type: null,
  email: null,
  phone: null,
  name: null,
  job,
  ...rest,
})

/** Postgres refuses these characters: the settlement would be retried for ever. */

/** Checks the reader's result, because a custom program may replace the reader. */
const contentOf = (read: Result.Result<CvContent, CvUnreadable>): Partial<CvSettlement> => {
  if (Result.isFailure(read)) return { error: `The CV could not be read. ${unreadableCvs[read.failure.reason]}` }
  const { contacts, notes, text, type, warnings = [] } = read.success
  const { email, name, phone } = contacts
  return {
    text: storable(text.slice(0, maxCvTextLength)),
    notes: [...notes, ...warnings.map(({ message }) => message)].map(storable),
    warnings: warnings.map(({ code, message }) => ({ code, message: storable(message) })),
    file_type: storable(type),
    email: email !== null && isEmailAddress(email) ? email : null,
    phone: phone !== null && /^\+[1-9]\d{1,14}$/.test(phone) ? phone : null,
    name: name === null || name.trim() === "" ? null : storable(name),
  }
}

export class CvQueue extends Context.Service<CvQueue>()("interview-invitations/cv/CvQueue", {
  make: Effect.gen(function* () {
    const blobRepository = yield* BlobRepository
    const blobStore = yield* BlobStore
    const cvFetcher = yield* CvFetcher
    const cvReader = yield* CvReader
    const cvRepository = yield* CvRepository
    const { transaction } = yield* Database
    const evaluationRepository = yield* EvaluationRepository
    const ids = yield* Ids
    const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("cv", retries))

    /** The sweep removes the file if no CV refers to it. */
    const store = Effect.fnUntraced(function* (organization: OrganizationId, file: Uint8Array) {
      const blob = { organization, id: yield* ids.make(BlobId) }
      yield* blobRepository.begin(blob)
      yield* blobStore.put(blob, Stream.succeed(file), maxCvBytes)
      const sha256 = new Uint8Array(createHash("sha256").update(file).digest())
      yield* blobRepository.finish(blob, { size: file.length, sha256 })
      return blob.id
    })

    const perform = Effect.fn("CvQueue.perform")(function* (job: CvJob) {
      const fetched = yield* Effect.result(cvFetcher.fetch(job.link))
      if (Result.isFailure(fetched)) {
        const { permanent, reason } = fetched.failure
        const delay = permanent ? undefined : yield* nextDelay(job.attempts + 1)
        const error = `The CV could not be fetched. ${reason}.`
        return delay === undefined ? outcomeOf(job, "failed", { error }) : outcomeOf(job, "queued", { error, delay })
      }
      const read = yield* Effect.result(cvReader.read(fetched.success, job.languages))
      const isStored = Result.isSuccess(read) || !notStored.includes(read.failure.reason)
      // an unavailable store is a defect, so the job is performed again
      const blob_id = isStored ? yield* Effect.orDie(store(job.organization_id, fetched.success)) : null
      return outcomeOf(job, Result.isSuccess(read) ? "read" : "failed", { blob_id, ...contentOf(read) })
    })

    const claim = Effect.fn("CvQueue.claim")((next: Claim, inFlight: ReadonlyMap<string, WorkQueue.PartitionLoad>) => {
      const saturated = [...inFlight].filter(([, { count, max }]) => count >= max)
      return cvRepository.claim(
        next,
        saturated.map(([organization]) => OrganizationId.make(Number(organization))),
      )
    })

    const settleOne = Effect.fnUntraced(function* ({ job, ...settlement }: CvOutcome) {
      const isSettled = yield* cvRepository.settleJobs(job.organization_id, settlement)
      if (!isSettled || settlement.state === "queued") return
      // unreadable CVs too: the hiring system waits for the event
      const id = yield* ids.make(EvaluationId)
      yield* evaluationRepository.queue(job.organization_id, { id, submissionId: job.submission_id, type: "cv" })
    }, transaction)

    /** One CV per transaction: each locks one candidate, so it cannot deadlock with requests that lock several. */
    const settle = Effect.fn("CvQueue.settle")((outcomes: ReadonlyArray<CvOutcome>) =>
      Effect.forEach(outcomes, settleOne, { discard: true }),
    )

    const queue = yield* WorkQueue.make<CvJob, CvOutcome, string>({
      table: "cv",
      lease,
      concurrency,
      partition: { of: ({ organization_id }) => String(organization_id), max: maxPerOrganization },
      claim,
      perform,
      settle,
      abandon: (job) =>
        Effect.succeed(
          outcomeOf(job, "failed", { error: `The CV could not be read. ${WorkQueue.abandonedReason(job)}` }),
        ),
      settlesByTrace: true,
    })
    return { queue }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
