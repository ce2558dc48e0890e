/** Files of answers, checked while they arrive. */
import { createHash } from "node:crypto"
import { Cause, Context, Effect, Layer, Schema, Stream } from "effect"
import type { Multipart } from "effect/http"
import { type BlobRef, BlobRepository } from "../files/BlobRepository.ts"
import { BlobStore, BlobStoreUnavailable } from "../files/BlobStore.ts"
import { FileTypeDetector } from "../files/FileType.ts"
import { type AllowedFiles, fileName, isAllowedName, maxFileBytes, uploadType } from "../files/UploadedFile.ts"
import { Ids } from "../platform/NewIds.ts"
import { pieces } from "../values/Bytes.ts"
import { BlobId, type QuestionId } from "../values/Ids.ts"
import { AnswerRepository, type FileRow } from "./AnswerRepository.ts"
import { InterviewNotOpen, makeOpenInterview, stateOf } from "./InterviewView.ts"

export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", {
  reason: Schema.Literals(["empty", "too_large", "type", "content"]),
  name: Schema.String,
}) {}

export class FileUnknown extends Schema.TaggedError<FileUnknown>()("FileUnknown", {}) {}

/** Bytes of a piece: enough to refuse most files of a wrong type at the first one. */
const pieceLength = 4096

const sweepSize = 1_000

type Target = { readonly token: string; readonly question: QuestionId; readonly attempt?: number | undefined }
/** `allowed`: the kinds of files that the question allows. */
type FileTarget = Target & { readonly allowed?: AllowedFiles }

/** The store may still execute its last call: the row stays for the sweep. */
const isUncertain = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof BlobStoreUnavailable)

export class Uploads extends Context.Service<Uploads>()("interview-invitations/interviews/Uploads", {
  make: Effect.gen(function* () {
    const openInterview = yield* makeOpenInterview
    const answerRepository = yield* AnswerRepository
    const blobRepository = yield* BlobRepository
    const blobStore = yield* BlobStore
    const ids = yield* Ids

    const running = Effect.fnUntraced(function* ({ attempt, token }: Target) {
      const row = yield* openInterview(token)
      const state = stateOf(row)
      if (attempt !== undefined && attempt !== row.attempt) return yield* new InterviewNotOpen({ state: "completed" })
      // in time_over, AnswerRepository checks the grace
      if (state !== "running" && state !== "time_over") return yield* new InterviewNotOpen({ state })
      return { organization: row.organization_id, submission: row.submission_id, attempt: row.attempt }
    })

    const discard = Effect.fnUntraced(function* (refs: ReadonlyArray<BlobRef>) {
      const unused = yield* blobRepository.unused(refs)
      if (unused.length === 0) return
      yield* blobStore.remove(unused)
      yield* blobRepository.forget(unused)
    })

    /** Returns the media type. Reads refused files to the end, so that the browser gets the response. */
    const store = Effect.fnUntraced(function* (
      blob: BlobRef,
      name: string,
      allowedTypes: AllowedFiles,
      content: Stream.Stream<Uint8Array, Multipart.MultipartError>,
    ) {
      const hash = createHash("sha256")
      const detector = new FileTypeDetector()
      const type = () => uploadType(name, detector.type, allowedTypes)
      let size = 0
      let isRefused = false
      const allowed = content.pipe(
        pieces(pieceLength),
        Stream.filter((piece) => {
          detector.add(piece)
          if (size === 0) isRefused = !detector.needsEnd && type() === undefined
          size += piece.length
          if (isRefused || size > maxFileBytes) return false
          hash.update(piece)
          return true
        }),
      )
      yield* blobStore
        .put(blob, allowed, maxFileBytes)
        .pipe(Effect.catchTag("BlobTooLarge", () => Effect.fail(new FileRefused({ reason: "too_large", name }))))
      if (size === 0) return yield* new FileRefused({ reason: "empty", name })
      if (size > maxFileBytes) return yield* new FileRefused({ reason: "too_large", name })
      const found = type()
      if (found === undefined) {
        return yield* new FileRefused({ reason: isAllowedName(name, allowedTypes) ? "content" : "type", name })
      }
      yield* blobRepository.finish(blob, { size, sha256: new Uint8Array(hash.digest()) })
      return found
    })

    const setFile = Effect.fnUntraced(function* (target: Target, file: Omit<FileRow, "size"> | null) {
      const attempt = yield* running(target)
      const attached = yield* answerRepository.attach(attempt, target.question, file)
      if (attached === undefined) {
        const now = yield* openInterview(target.token)
        if (now.attempt !== attempt.attempt) return yield* new InterviewNotOpen({ state: "completed" })
        const state = stateOf(now)
        return yield* new InterviewNotOpen({ state: state === "running" ? "time_over" : state })
      }
      if (attached.before !== null) yield* discard([{ organization: attempt.organization, id: attached.before }])
    })

    /** The caller limits the size of the stream. */
    const attach = Effect.fn("Uploads.attach")(function* (
      target: FileTarget,
      given: string,
      content: Stream.Stream<Uint8Array, Multipart.MultipartError>,
    ) {
      const { attempt, organization } = yield* running(target)
      const blob = { organization, id: yield* ids.make(BlobId) }
      const name = fileName(given)
      // recorded before the content, so that a crash leaves no orphan
      yield* blobRepository.begin(blob)
      yield* store(blob, name, target.allowed ?? null, content).pipe(
        Effect.flatMap((type) => setFile({ ...target, attempt }, { blob_id: blob.id, name, type })),
        Effect.onError((cause) => (isUncertain(cause) ? Effect.void : Effect.ignoreCause(discard([blob])))),
      )
    })

    const detach = Effect.fn("Uploads.detach")((target: Target) => setFile(target, null))

    const read = Effect.fn("Uploads.read")(function* (token: string, question: string) {
      const row = yield* openInterview(token)
      const saved = yield* answerRepository.list(row.organization_id, row.submission_id, row.attempt)
      const file = saved.find(({ question_id }) => question_id === question)?.file ?? undefined
      if (file === undefined) return yield* new FileUnknown()
      return { ...file, content: blobStore.get({ organization: row.organization_id, id: file.blob_id }) }
    })

    const removeAll = <E, R>(found: Effect.Effect<ReadonlyArray<BlobRef>, E, R>) =>
      found.pipe(
        Effect.tap(discard),
        Effect.map(({ length }) => length),
        Effect.orDie,
      )

    /** Removes blobs not attached within a day. */
    const sweep = removeAll(blobRepository.abandoned(sweepSize)).pipe(Effect.withSpan("Uploads.sweep"))

    /** Retries to remove blobs of erased people. */
    const removeErased = removeAll(blobRepository.erased(sweepSize)).pipe(Effect.withSpan("Uploads.removeErased"))

    return { attach, detach, read, sweep, removeErased }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
