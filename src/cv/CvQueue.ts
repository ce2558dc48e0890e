/** The queue of CVs: fetched, read, kept, and evaluated whether or not they could be read (contract, Invite). */
import { createHash } from "node:crypto"
import { Context, Duration, Effect, Layer, Result, Stream } from "effect"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { BlobRepository } from "../files/BlobRepository.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { abandonedReason, type WorkQueue } from "../platform/queue/WorkQueue.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { BlobId, ClaimId, EvaluationId, OrganizationId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { type CvContent, largestCv, longestCvText, type UnreadableCv, unreadableCvs } from "./Cv.ts"
import { CvFetcher } from "./CvFetcher.ts"
import { CvReader, type CvUnreadable } from "./CvReader.ts"
import { type CvJob, CvRepository, type CvSettlement } from "./CvRepository.ts"

/**
 * CVs of this process at once. Fetching is waiting, so that there are more than readers (cv/ChildCvReader.ts); and each
 * may hold the largest file twice, which is 120 MiB for all of them.
 */
export const concurrency = 6
/** Of them, those of one organization: one with a thousand candidates does not hold up the others. */
const maxPerOrganization = 4
/** Half a minute for the file, its turn among as many as may be read before it, and what the database takes: three times. */
const lease = Duration.minutes(10)

/** Files that are no CV of anybody are not kept. */
const notKept: ReadonlyArray<UnreadableCv> = ["empty", "unsupported", "sign_in"]

interface CvOutcome extends CvSettlement {
  readonly job: CvJob
}

export class CvQueue extends Context.Service<CvQueue, { readonly queue: WorkQueue<CvJob, CvOutcome> }>()(
  "interview-invitations/cv/CvQueue",
) {
  static readonly layer = Layer.effect(
    CvQueue,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const blobs = yield* BlobRepository
      const evaluations = yield* EvaluationRepository
      const fetcher = yield* CvFetcher
      const newId = yield* ids
      const reader = yield* CvReader
      const repository = yield* CvRepository
      const store = yield* BlobStore
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("cv", RetryPolicy.cv))

      /** Keeps the original, so that people can see what was read. What no CV comes to refer to, the sweep removes. */
      const keep = Effect.fnUntraced(function* (organization: OrganizationId, file: Uint8Array) {
        const blob = { organization, id: yield* newId(BlobId) }
        yield* blobs.begin(blob)
        yield* store.put(blob, Stream.succeed(file), largestCv)
        const sha256 = new Uint8Array(createHash("sha256").update(file).digest())
        yield* blobs.finish(blob, { size: file.length, sha256 })
        return blob.id
      })

      const perform = Effect.fn("CvQueue.perform")(function* (job: CvJob) {
        const outcome = outcomeOf(job)
        const fetched = yield* Effect.result(fetcher.fetch(job.link))
        if (Result.isFailure(fetched)) {
          const { permanent, reason } = fetched.failure
          const delay = permanent ? undefined : yield* nextDelay(job.attempts + 1)
          const error = `The CV could not be fetched. ${reason}.`
          return delay === undefined ? outcome("failed", { error }) : outcome("queued", { error, delay })
        }
        const read = yield* Effect.result(reader.read(fetched.success))
        const isKept = Result.isSuccess(read) || !notKept.includes(read.failure.reason)
        // a store that is away is nobody's fault but ours: the job comes up again
        const blob_id = isKept ? yield* Effect.orDie(keep(job.organization_id, fetched.success)) : null
        return outcome(Result.isSuccess(read) ? "read" : "failed", { blob_id, ...found(read) })
      })

      /** One transaction: what was read, what it says of the candidate, and that it is to be evaluated. */
      const settleOne = Effect.fnUntraced(function* ({ job, ...settlement }: CvOutcome) {
        const isSettled = yield* repository.settle(job.organization_id, settlement)
        if (!isSettled || settlement.state === "queued") return
        // also what could not be read: nobody must wait for an event that never comes
        const id = yield* newId(EvaluationId)
        yield* evaluations.queue(job.organization_id, { id, submissionId: job.submission_id, type: "cv" })
      }, transaction)

      return CvQueue.of({
        queue: {
          table: "cv",
          concurrency,
          partition: { of: ({ organization_id }) => String(organization_id), most: maxPerOrganization },
          claim: Effect.fn("CvQueue.claim")(function* (limit, held) {
            const busy = [...(held ?? [])].filter(([, { count, most }]) => count >= most)
            const organizations = busy.map(([organization]) => OrganizationId.make(Number(organization)))
            return yield* repository.claim({ limit, lease, claimId: yield* newId(ClaimId) }, organizations)
          }),
          perform,
          // one by one, each locking one candidate: a request that locks the same ones in another order never waits in a circle
          settle: Effect.fn("CvQueue.settle")((outcomes) => Effect.forEach(outcomes, settleOne, { discard: true })),
          release: repository.release,
          startAlone: repository.startAlone,
          abandon: (job) =>
            Effect.succeed(outcomeOf(job)("failed", { error: `The CV could not be read. ${abandonedReason}` })),
          settlesByTrace: true,
        },
      })
    }),
  )
}

const outcomeOf =
  (job: CvJob) =>
  (state: CvSettlement["state"], rest: Partial<CvSettlement>): CvOutcome => ({
    id: job.id,
    claim_id: job.claim_id,
    state,
    delay: undefined,
    text: null,
    notes: [],
    error: null,
    blob_id: null,
    file_type: null,
    email: null,
    phone: null,
    name: null,
    job,
    ...rest,
  })

/** What Postgres takes as a text: a settlement that it refuses would be tried again for ever. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed()

/** What reading amounts to. A reader may be a team's own: what must be true of its answer is made true here. */
const found = (read: Result.Result<CvContent, CvUnreadable>): Partial<CvSettlement> => {
  if (Result.isFailure(read)) return { error: `The CV could not be read. ${unreadableCvs[read.failure.reason]}` }
  const { contacts, notes, text, type } = read.success
  const { email, name, phone } = contacts
  return {
    text: storable(text.slice(0, longestCvText)),
    notes: notes.map(storable),
    file_type: storable(type),
    email: email !== null && isEmailAddress(email) ? email : null,
    phone: phone !== null && /^\+[1-9]\d{1,14}$/.test(phone) ? phone : null,
    name: name === null || name.trim() === "" ? null : storable(name),
  }
}
