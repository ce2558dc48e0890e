/** Stores recordings that have ended as files, measures and transcribes them, and releases the evaluations that wait. */
import { createHash } from "node:crypto"
import { Context, Duration, Effect, Layer, Result, Stream } from "effect"
import { BlobRepository } from "../files/BlobRepository.ts"
import { type BlobMissing, BlobStore, type BlobStoreUnavailable } from "../files/BlobStore.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import * as FailureLog from "../platform/queue/FailureLog.ts"
import * as WorkQueue from "../platform/queue/WorkQueue.ts"
import { BlobId, type OrganizationId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { type ReadRecording, RecordingReader } from "./RecordingReader.ts"
import { type RecordingJob, RecordingRepository, type RecordingSettlement } from "./RecordingRepository.ts"
import { Recordings } from "./Recordings.ts"
import { type SpeechTranscriber, Transcriber } from "./Transcriber.ts"
import { cleanSegments } from "./Transcript.ts"

/** Longer than the time limits of reading (RecordingReader.ts), storing and transcribing together. */
const lease = Duration.minutes(30)

/** About two hours; then people listen. */
export const retries: RetryPolicy.RetryOptions = { first: Duration.seconds(15), cap: Duration.minutes(30), times: 10 }

const unplayable = "The recording is damaged and cannot be played."
const noSound = "The recording has no sound."

interface RecordingOutcome extends RecordingSettlement {
  readonly job: RecordingJob
}

const outcomeOf = (job: RecordingJob, rest: Partial<RecordingSettlement>): RecordingOutcome => ({
  id: job.id,
  claim_id: job.claim_id,
  state: "done",
  delay: undefined,
  blob_id: job.blob_id,
  content_type: job.content_type,
  seconds: null,
  error: job.error,
  language: null,
  transcriber: null,
  segments: null,
  transcript_error: null,
  job,
  ...rest,
})

/** The file of a recording. */
interface StoredFile extends Pick<RecordingSettlement, "blob_id" | "content_type" | "seconds" | "error"> {
  readonly blob_id: BlobId
}

export class RecordingQueue extends Context.Service<RecordingQueue>()(
  "interview-invitations/recordings/RecordingQueue",
  {
    make: Effect.gen(function* () {
      const blobRepository = yield* BlobRepository
      const blobStore = yield* BlobStore
      const { transaction } = yield* Database
      const ids = yield* Ids
      const reader = yield* RecordingReader
      const recordings = yield* Recordings
      const repository = yield* RecordingRepository
      const transcriber = yield* Transcriber
      const failures = FailureLog.make("transcribing")
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("transcription", retries))

      /** The sweep removes the file if no recording refers to it. */
      const put = Effect.fnUntraced(function* <E>(organization: OrganizationId, content: Stream.Stream<Uint8Array, E>) {
        const blob = { organization, id: yield* ids.make(BlobId) }
        const hash = createHash("sha256")
        let size = 0
        const counted = Stream.map(content, (bytes) => {
          hash.update(bytes)
          size += bytes.length
          return bytes
        })
        yield* blobRepository.begin(blob)
        yield* blobStore.put(blob, counted, Number.MAX_SAFE_INTEGER)
        yield* blobRepository.finish(blob, { size, sha256: new Uint8Array(hash.digest()) })
        return blob.id
      })

      /** What cannot be read is stored as it came: people may have a player for it. */
      const store = Effect.fnUntraced(function* ({ content_type, id, organization_id: organization }: RecordingJob) {
        const pieces = recordings.piecesOf({ organization, id })
        const size = yield* Stream.runFold(
          pieces,
          () => 0,
          (sum, { length }) => sum + length,
        )
        const read = yield* Effect.result(reader.read("index", pieces, size))
        const found: ReadRecording | undefined = Result.isSuccess(read) ? read.success : undefined
        const content = found?.content === undefined ? pieces : Stream.succeed(found.content)
        return {
          blob_id: yield* put(organization, content),
          content_type: found?.contentType ?? content_type,
          seconds: found?.seconds ?? null,
          error: found === undefined ? unplayable : found.hasAudio ? null : noSound,
        } satisfies StoredFile
      })

      /** Only the sound is sent. */
      const transcribe = Effect.fnUntraced(function* (
        job: RecordingJob,
        { transcribe: write }: SpeechTranscriber,
        { blob_id, content_type }: StoredFile,
      ) {
        const blob = { organization: job.organization_id, id: blob_id }
        const size = (yield* blobRepository.sizeOf(blob)) ?? 0
        const whole: Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable> = blobStore.get(blob)
        const read = job.kind === "video" ? yield* Effect.result(reader.read("speech", whole, size)) : undefined
        const sound = read !== undefined && Result.isSuccess(read) ? read.success : undefined
        const speech = {
          content: sound?.content === undefined ? Stream.orDie(whole) : Stream.succeed(sound.content),
          size: sound?.content?.length ?? size,
          contentType: sound?.content === undefined ? (content_type ?? "application/octet-stream") : sound.contentType,
          language: job.languages[0] ?? null,
        }
        return yield* write(speech)
      })

      const perform = Effect.fn("RecordingQueue.perform")(function* (job: RecordingJob) {
        const file: StoredFile =
          job.blob_id === null
            ? yield* Effect.orDie(store(job))
            : { blob_id: job.blob_id, content_type: job.content_type, seconds: null, error: job.error }
        if (transcriber === null || file.error !== null) return outcomeOf(job, file)
        const result = yield* Effect.result(transcribe(job, transcriber, file))
        if (Result.isSuccess(result)) {
          yield* failures.worked
          const { language, segments } = result.success
          return outcomeOf(job, {
            ...file,
            language,
            transcriber: transcriber.model,
            segments: cleanSegments(segments),
          })
        }
        const { reason, retryable } = result.failure
        const delay = retryable ? yield* nextDelay(job.attempts + 1) : undefined
        if (delay !== undefined) {
          const message = "the transcriber is unavailable; transcriptions are retried, for example this one"
          yield* failures.warn("unavailable", message, { recording: job.id, reason })
          return outcomeOf(job, { ...file, state: "queued", delay, transcript_error: reason })
        }
        yield* Effect.logWarning("a transcription was given up", { recording: job.id, reason })
        return outcomeOf(job, { ...file, transcript_error: reason })
      })

      const settleOne = Effect.fnUntraced(function* ({ job, ...settlement }: RecordingOutcome) {
        yield* repository.lockSubmission(job.organization_id, job.submission_id)
        if (!(yield* repository.settleJob(settlement))) return
        if (settlement.blob_id !== null && job.blob_id === null)
          yield* repository.deletePieces({ organization: job.organization_id, id: job.id })
        if (settlement.state === "done") yield* recordings.releaseEvaluation(job.organization_id, job.submission_id)
      }, transaction)

      const queue = yield* WorkQueue.make<RecordingJob, RecordingOutcome, string>({
        table: "recording",
        lease,
        concurrency: 4,
        partition: { of: ({ organization_id }) => String(organization_id), max: 3 },
        claim: Effect.fn("RecordingQueue.claim")(repository.claim),
        perform,
        settle: Effect.fn("RecordingQueue.settle")((outcomes: ReadonlyArray<RecordingOutcome>) =>
          Effect.forEach(outcomes, settleOne, { discard: true }),
        ),
        abandon: (job) =>
          Effect.succeed(
            outcomeOf(job, {
              error: job.blob_id === null ? unplayable : job.error,
              transcript_error: WorkQueue.abandonedReason(job),
            }),
          ),
        // a process may be reading a long recording
        grace: Duration.seconds(20),
      })
      return { queue }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(RecordingReader.layer))
}
