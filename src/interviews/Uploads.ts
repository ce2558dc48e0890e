/** Files in answers: taken in while they arrive, checked by their bytes, kept in the blob store, given back (contract). */
import { createHash } from "node:crypto"
import { Cause, Context, Effect, Layer, Schema, Stream } from "effect"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { type BlobRef, BlobRepository } from "../files/BlobRepository.ts"
import { type BlobMissing, BlobStore, BlobStoreUnavailable } from "../files/BlobStore.ts"
import { fileName, fileType, headLength, maxFileBytes } from "../files/UploadedFile.ts"
import { ids } from "../platform/NewIds.ts"
import { pieces } from "../values/Bytes.ts"
import { BlobId, type QuestionId } from "../values/Ids.ts"
import { AnswerRepository, type FileRow } from "./AnswerRepository.ts"
import { InterviewRepository } from "./InterviewRepository.ts"
import { grace } from "./Interviews.ts"
import { InterviewNotOpen, type LinkUnknown, openInterview, stateOf } from "./InterviewView.ts"

/** Why a file is not taken. */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", {
  reason: Schema.Literals(["empty", "too_large", "type"]),
}) {}

/** There is no such file. */
export class FileUnknown extends Schema.TaggedError<FileUnknown>()("FileUnknown", {}) {}

/** Blobs that one step of the sweep looks at. */
const piece = 1_000

/**
 * A store that failed may still carry out what it was sent last: the row stays, so that the sweep removes the content once
 * more when nothing can be under way.
 */
const isUncertain = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof BlobStoreUnavailable)

type Target = { readonly token: string; readonly question: QuestionId; readonly attempt?: number | undefined }

export class Uploads extends Context.Service<
  Uploads,
  {
    /**
     * Makes a file the answer to a question of the running attempt; it replaces the one before. What is refused is read to
     * its end all the same, so that a browser sees the answer: the caller bounds the stream.
     */
    readonly attach: <E>(
      target: Target,
      name: string,
      content: Stream.Stream<Uint8Array, E>,
    ) => Effect.Effect<void, LinkUnknown | InterviewNotOpen | FileRefused | BlobStoreUnavailable | E>
    /** Takes the file of an answer away, if there is one. */
    readonly detach: (target: Target) => Effect.Effect<void, LinkUnknown | InterviewNotOpen | BlobStoreUnavailable>
    /** The file of an answer in the newest attempt. */
    readonly read: (
      token: string,
      question: string,
    ) => Effect.Effect<
      FileRow & { readonly content: Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable> },
      LinkUnknown | FileUnknown
    >
    /** Removes content that nothing refers to for a day: uploads that were cut off. Looks at some; returns how many it removed. */
    readonly sweep: Effect.Effect<number>
    /** Removes content of people who were erased, which a store did not take then. Returns how many it removed. */
    readonly removeErased: Effect.Effect<number>
  }
>()("interview-invitations/interviews/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const answers = yield* AnswerRepository
      const blobs = yield* BlobRepository
      const newId = yield* ids
      const links = yield* EmailLinks
      const interviews = yield* InterviewRepository
      const open = (token: string) =>
        openInterview(token).pipe(
          Effect.provideService(EmailLinks, links),
          Effect.provideService(InterviewRepository, interviews),
        )
      const store = yield* BlobStore

      /** The running attempt that is meant. */
      const running = Effect.fnUntraced(function* ({ attempt, token }: Target) {
        const row = yield* open(token)
        const state = stateOf(row)
        if (attempt !== undefined && attempt !== row.attempt) return yield* new InterviewNotOpen({ state: "completed" })
        // within the grace, the database decides
        if (state !== "running" && state !== "time_over") return yield* new InterviewNotOpen({ state })
        return { organization: row.organization_id, submission: row.submission_id, attempt: row.attempt, grace }
      })

      const discard = Effect.fnUntraced(function* (refs: ReadonlyArray<BlobRef>) {
        const unused = yield* blobs.unused(refs)
        if (unused.length === 0) return
        yield* store.remove(unused)
        yield* blobs.forget(unused)
      })

      /** Keeps what is allowed of a stream, and says what it was. */
      const keep = Effect.fnUntraced(function* <E>(
        blob: BlobRef,
        name: string,
        content: Stream.Stream<Uint8Array, E>,
      ): Effect.fn.Return<string, FileRefused | BlobStoreUnavailable | E> {
        const hash = createHash("sha256")
        let size = 0
        let type: string | undefined
        const allowed = content.pipe(
          pieces(headLength),
          Stream.filter((piece) => {
            if (size === 0) type = fileType(name, piece.subarray(0, headLength))
            size += piece.length
            if (type === undefined || size > maxFileBytes) return false
            hash.update(piece)
            return true
          }),
        )
        yield* store
          .put(blob, allowed, maxFileBytes)
          .pipe(Effect.catchTag("BlobTooLarge", () => Effect.fail(new FileRefused({ reason: "too_large" }))))
        if (size === 0) return yield* new FileRefused({ reason: "empty" })
        if (size > maxFileBytes) return yield* new FileRefused({ reason: "too_large" })
        if (type === undefined) return yield* new FileRefused({ reason: "type" })
        yield* blobs.finish(blob, { size, sha256: new Uint8Array(hash.digest()) })
        return type
      })

      const attachTo = Effect.fnUntraced(function* (target: Target, file: Omit<FileRow, "size"> | null) {
        const attempt = yield* running(target)
        const attached = yield* answers.attach(attempt, target.question, file)
        if (attached === undefined) {
          const now = yield* open(target.token)
          if (now.attempt !== attempt.attempt) return yield* new InterviewNotOpen({ state: "completed" })
          const state = stateOf(now)
          return yield* new InterviewNotOpen({ state: state === "running" ? "time_over" : state })
        }
        if (attached.before !== null) yield* discard([{ organization: attempt.organization, id: attached.before }])
      })

      const removeAll = (found: Effect.Effect<ReadonlyArray<BlobRef>>) =>
        found.pipe(
          Effect.tap(discard),
          Effect.map(({ length }) => length),
          Effect.orDie,
        )

      return Uploads.of({
        attach: Effect.fn("Uploads.attach")(function* (target, given, content) {
          const { attempt, organization } = yield* running(target)
          const blob = { organization, id: yield* newId(BlobId) }
          const name = fileName(given)
          yield* blobs.begin(blob)
          yield* keep(blob, name, content).pipe(
            Effect.flatMap((type) => attachTo({ ...target, attempt }, { blob_id: blob.id, name, type })),
            // what is not attached is not needed; if this fails too, the sweep finds it
            Effect.onError((cause) => (isUncertain(cause) ? Effect.void : Effect.ignoreCause(discard([blob])))),
          )
        }),
        detach: Effect.fn("Uploads.detach")((target) => attachTo(target, null)),
        read: Effect.fn("Uploads.read")(function* (token, question) {
          const row = yield* open(token)
          const saved = yield* answers.list(row.organization_id, row.submission_id, row.attempt)
          const file = saved.find(({ question_id }) => question_id === question)?.file ?? undefined
          if (file === undefined) return yield* new FileUnknown()
          return { ...file, content: store.get({ organization: row.organization_id, id: file.blob_id }) }
        }),
        sweep: Effect.withSpan(removeAll(blobs.abandoned(piece)), "Uploads.sweep"),
        removeErased: Effect.withSpan(removeAll(blobs.erased(piece)), "Uploads.removeErased"),
      })
    }),
  )
}
