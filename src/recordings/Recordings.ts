/** Recordings while candidates make them: pieces, takes, playback, corrections of transcripts. */
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { Config } from "../config/Config.ts"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { type BlobRef, BlobRepository } from "../files/BlobRepository.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { fileTypeOf, recordedFormatOf } from "../files/FileType.ts"
import type { Question } from "../interview-sets/InterviewSet.ts"
import { type QuestionRules, rulesOf, spokenKinds } from "../interview-sets/QuestionRules.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { StorageStanding } from "../platform/telemetry/StorageStanding.ts"
import { sizeText } from "../texts/Formats.ts"
import type { Language } from "../texts/Texts.ts"
import { type ByteRange, pieces, sliced } from "../values/Bytes.ts"
import { type QuestionId, RecordingId, type SubmissionId } from "../values/Ids.ts"
import { correctedText, transcriptVersion } from "./Correction.ts"
import {
  maxBytesOf,
  maxEmpty,
  maxPieceBytes,
  maxPieces,
  maxWholeRecordings,
  type RecordingKind,
  receivedPieceBytes,
} from "./Recording.ts"
import type { ShownConsent } from "./RecordingConsent.ts"
import {
  type Piece,
  type RecordedAttempt,
  type RecordingRef,
  RecordingRepository,
  type StoredRecording,
} from "./RecordingRepository.ts"
import { maxTranscriptLength } from "./Transcript.ts"

/** There is no such recording of this attempt, or it was discarded. */
export class RecordingUnknown extends Schema.TaggedError<RecordingUnknown>()("RecordingUnknown", {}) {}

/**
 * `takes`: the question has had all its recordings. `type`: the content is no recording of this kind. `too_large`: a piece, or
 * all pieces together. `empty`: too many recordings have begun without content. `consent`: another text about recordings is in force than the candidate's
 * page showed. `conflict`: another content has this number. `ended`: the recording takes no more pieces. `closed`: the attempt is
 * not running.
 */
export class RecordingRefused extends Schema.TaggedError<RecordingRefused>()("RecordingRefused", {
  reason: Schema.Literals(["takes", "type", "too_large", "empty", "consent", "conflict", "ended", "closed"]),
}) {}

/** Pieces of these numbers have not arrived. */
export class PiecesMissing extends Schema.TaggedError<PiecesMissing>()("PiecesMissing", {
  ordinals: Schema.Array(Schema.Int),
}) {}

/** `length`: code points. */
export class CorrectionTooLong extends Schema.TaggedError<CorrectionTooLong>()("CorrectionTooLong", {
  length: Schema.Int,
}) {}

/** The transcript was corrected in another window or on another device. */
export class CorrectionOutdated extends Schema.TaggedError<CorrectionOutdated>()("CorrectionOutdated", {
  saved: Schema.String,
}) {}

interface PieceRules {
  readonly kind: RecordingKind
  readonly rules: QuestionRules
  /** The media type of the recording, of the first piece; null: of another one. */
  readonly type: string | null
  /** Bytes of the whole recording. */
  readonly limit: number
}

/** Pieces per statement. */
const readAhead = 4

const sweepSize = 100

export class Recordings extends Context.Service<Recordings>()("interview-invitations/recordings/Recordings", {
  make: Effect.gen(function* () {
    const blobRepository = yield* BlobRepository
    const blobStore = yield* BlobStore
    const { transaction } = yield* Database
    const evaluationRepository = yield* EvaluationRepository
    const ids = yield* Ids
    const { recordingsWarnSize } = yield* Config
    const repository = yield* RecordingRepository
    const storageStanding = yield* StorageStanding

    const remove = Effect.fnUntraced(function* (ref: BlobRef) {
      const unused = yield* blobRepository.unused([ref])
      // what cannot be removed now is removed by the sweep of unreferenced files
      yield* blobStore.remove(unused).pipe(
        Effect.andThen(blobRepository.forget(unused)),
        Effect.catchTag("BlobStoreUnavailable", () => Effect.void),
      )
    })

    /** An evaluation that waits for recordings becomes due with the last of them. Needs a transaction. */
    const releaseEvaluation = Effect.fnUntraced(function* (
      organization: BlobRef["organization"],
      submission: SubmissionId,
    ) {
      if (yield* repository.lockAwaiting(organization, submission)) return
      yield* evaluationRepository.hasten(organization, submission)
    })

    /** Locks the submission; fails unless the attempt is running. Needs a transaction. */
    const lockRunning = Effect.fnUntraced(function* (attempt: RecordedAttempt) {
      if ((yield* repository.lockAttempt(attempt)) !== "running")
        return yield* new RecordingRefused({ reason: "closed" })
    })

    /** `spoken`: the language of the candidate's pages; `shown`: what they said about recordings; undefined: it is not known. */
    const begin = Effect.fn("Recordings.begin")(function* (
      attempt: RecordedAttempt,
      question: QuestionId,
      kind: RecordingKind,
      { takes }: Pick<QuestionRules, "takes">,
      spoken: Language,
      shown: ShownConsent | undefined,
    ) {
      yield* lockRunning(attempt)
      if (shown === undefined) return yield* new RecordingRefused({ reason: "consent" })
      if ((yield* repository.empty(attempt)) >= maxEmpty) return yield* new RecordingRefused({ reason: "empty" })
      const id = yield* ids.make(RecordingId)
      const begun = { id, question, kind, spoken, shown }
      const reason = yield* repository.begin(attempt, begun, takes === 0 ? undefined : takes)
      return reason === "begun" ? id : yield* new RecordingRefused({ reason })
    }, transaction)

    /** The recording, if the attempt still accepts its pieces. Locks both; needs a transaction. */
    const lockOpen = Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId) {
      const accepts = yield* repository.lockAttempt(attempt)
      const locked = yield* repository.lock(attempt, id)
      if (locked === undefined || accepts === "closed") return { locked, isOpen: false, isLate: false }
      const isLate = accepts === "late"
      const isOpen = !isLate || (yield* repository.isUnanswered(attempt, locked.question_id, id))
      return { locked, isOpen, isLate }
    })

    const storePiece = Effect.fnUntraced(function* (
      attempt: RecordedAttempt,
      id: RecordingId,
      piece: Piece,
      { kind, limit, rules, type }: PieceRules,
    ) {
      const { isOpen, locked } = yield* lockOpen(attempt, id)
      if (locked === undefined) return yield* new RecordingUnknown()
      if (!isOpen) return yield* new RecordingRefused({ reason: "ended" })
      const { maxSeconds, takes } = rules
      // recordings without content are no takes: several may begin before the first of them has some
      if (type !== null && locked.content_type === null && takes > 0)
        if ((yield* repository.takes(attempt, locked.question_id)) >= takes)
          return yield* new RecordingRefused({ reason: "takes" })
      const maxBytes = maxBytesOf(kind, maxSeconds, limit, type ?? locked.content_type)
      const received = yield* repository.addPiece({ organization: attempt.organization, id }, piece, {
        contentType: type,
        maxBytes,
        maxBytesOfQuestion: maxWholeRecordings(takes) * maxBytes,
      })
      if (received.is_stored || received.is_same === true) return
      if (received.is_same === false) return yield* new RecordingRefused({ reason: "conflict" })
      return yield* new RecordingRefused({ reason: received.is_open ? "too_large" : "ended" })
    }, transaction)

    /** Repeatable: the same piece may arrive twice, and pieces in any order. `limit`: bytes of the whole recording. */
    const addPiece = Effect.fn("Recordings.addPiece")(function* (
      attempt: RecordedAttempt,
      id: RecordingId,
      piece: Piece,
      questions: ReadonlyArray<Pick<Question, "id" | "attributes">>,
      limit: number,
    ) {
      const recording = (yield* repository.find(attempt, id)) ?? (yield* new RecordingUnknown())
      const { kind, question_id } = recording
      const rules = rulesOf({
        attributes: questions.find(({ id: one }) => one === question_id)?.attributes ?? null,
      })
      if (piece.bytes.length === 0 || piece.bytes.length > maxPieceBytes || piece.ordinal >= maxPieces)
        return yield* new RecordingRefused({ reason: "too_large" })
      const format = piece.ordinal === 0 ? recordedFormatOf(fileTypeOf(piece.bytes), kind) : undefined
      if (piece.ordinal === 0 && format === undefined) return yield* new RecordingRefused({ reason: "type" })
      yield* storePiece(attempt, id, piece, { kind, limit, rules, type: format?.contentType ?? null })
    })

    const attach = Effect.fnUntraced(function* (
      attempt: RecordedAttempt,
      question: QuestionId,
      id: RecordingId | null,
    ) {
      const before = yield* repository.attach(attempt, question, id)
      if (before === null || before === undefined || before === id) return undefined
      return yield* repository.discard({ organization: attempt.organization, id: before })
    })

    const endAll = Effect.fn("Recordings.endAll")(function* (
      attempt: RecordedAttempt,
      id: RecordingId,
      count: number,
      mayBeLate: boolean,
    ) {
      const { isLate, isOpen, locked } = yield* lockOpen(attempt, id)
      if (locked === undefined || locked.is_discarded) return yield* new RecordingUnknown()
      if (locked.state !== "recording") return undefined
      if (!isOpen || (isLate && !mayBeLate)) return yield* new RecordingRefused({ reason: "ended" })
      const ref = { organization: attempt.organization, id }
      const ordinals = yield* repository.missing(ref, count)
      if (ordinals.length > 0) return yield* new PiecesMissing({ ordinals })
      const hasContent = yield* repository.end(ref)
      if (hasContent && !isLate) return yield* attach(attempt, locked.question_id, id)
      if (hasContent) yield* repository.attachFirst(attempt, locked.question_id, id)
      else yield* releaseEvaluation(attempt.organization, attempt.submission)
      return undefined
    }, transaction)

    /**
     * Ends a recording of which `count` pieces have arrived, and makes it the answer. Repeatable. After the end of the attempt
     * it becomes the answer if there is no other one, and unless `mayBeLate` is false.
     */
    const end = Effect.fn("Recordings.end")(function* (
      attempt: RecordedAttempt,
      id: RecordingId,
      count: number,
      mayBeLate = true,
    ) {
      const replaced = yield* endAll(attempt, id, count, mayBeLate)
      if (replaced !== undefined) yield* remove({ organization: attempt.organization, id: replaced })
    })

    /** Deletes a recording whose content was refused or did not arrive: it is neither a take nor an answer. */
    const drop = Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId) {
      yield* repository.lockSubmission(attempt.organization, attempt.submission)
      yield* repository.drop({ organization: attempt.organization, id })
      yield* releaseEvaluation(attempt.organization, attempt.submission)
    }, transaction)

    /**
     * Takes a whole file as the answer, from browsers that do not record. `limit`: bytes. A refused one is read to its end, so
     * that the browser gets the response, and nothing of it is kept.
     */
    const receive = Effect.fn("Recordings.receive")(function* <E>(
      attempt: RecordedAttempt,
      question: Pick<Question, "id" | "attributes">,
      content: Stream.Stream<Uint8Array, E>,
      limit: number,
      spoken: Language,
      shown: ShownConsent | undefined,
    ) {
      const rules = rulesOf(question)
      const kinds = spokenKinds(rules)
      let id: RecordingId | undefined
      let count = 0
      let refused: RecordingRefused | undefined
      const refuse = (error: RecordingRefused) =>
        Effect.sync(() => {
          refused = error
        })
      const take = Effect.fnUntraced(function* (bytes: Uint8Array) {
        const type = fileTypeOf(bytes)
        const kind = kinds.toReversed().find((one) => recordedFormatOf(type, one) !== undefined)
        if (id === undefined && kind === undefined) return yield* new RecordingRefused({ reason: "type" })
        id ??= yield* begin(attempt, question.id, kind ?? "audio", rules, spoken, shown)
        yield* addPiece(attempt, id, { ordinal: count, bytes }, [question], limit)
        count += 1
      })
      const takeAll = content.pipe(
        pieces(receivedPieceBytes),
        Stream.runForEach((bytes) =>
          refused !== undefined
            ? Effect.void
            : take(bytes).pipe(
                Effect.catchTags({
                  RecordingRefused: (error) => refuse(error),
                  RecordingUnknown: () => refuse(new RecordingRefused({ reason: "ended" })),
                }),
              ),
        ),
      )
      const receiveAll = Effect.gen(function* () {
        yield* takeAll
        if (refused !== undefined) return yield* refused
        if (id === undefined) return yield* new RecordingRefused({ reason: "type" })
        yield* Effect.catchTags(end(attempt, id, count, false), {
          PiecesMissing: () => new RecordingRefused({ reason: "ended" }),
          RecordingUnknown: () => new RecordingRefused({ reason: "ended" }),
        })
      })
      yield* Effect.onError(receiveAll, () => (id === undefined ? Effect.void : Effect.ignoreCause(drop(attempt, id))))
    })

    /** The answer has no recording any more. */
    const detach = Effect.fn("Recordings.detach")(function* (attempt: RecordedAttempt, question: QuestionId) {
      const replaced = yield* transaction(Effect.andThen(lockRunning(attempt), attach(attempt, question, null)))
      if (replaced !== undefined) yield* remove({ organization: attempt.organization, id: replaced })
    })

    /**
     * The candidate's text instead of the transcript; blank: the transcript again. `known`: the version that the candidate's page
     * showed. Repeatable. Returns the version that counts now.
     */
    const correct = Effect.fn("Recordings.correct")(function* (
      attempt: RecordedAttempt,
      id: RecordingId,
      typed: string,
      known: string | undefined,
    ) {
      const text = correctedText(typed)
      const { length } = [...text]
      if (length > maxTranscriptLength) return yield* new CorrectionTooLong({ length })
      yield* lockRunning(attempt)
      const saved = (yield* repository.transcript(attempt, id)) ?? (yield* new RecordingUnknown())
      if (text === correctedText(saved)) return transcriptVersion(saved)
      if (transcriptVersion(saved) !== known) return yield* new CorrectionOutdated({ saved })
      const counts = yield* repository.correct(attempt, id, text === "" ? null : text)
      return transcriptVersion(counts ?? (yield* new RecordingUnknown()))
    }, transaction)

    const piecesOf = (ref: RecordingRef) =>
      Stream.paginate(-1, (ordinal) =>
        Effect.map(repository.piecesAfter(ref, ordinal, readAhead), (found) => {
          const last = found.at(-1)
          const next = last === undefined || found.length < readAhead ? Option.none() : Option.some(last.ordinal)
          return [found.map(({ bytes }) => bytes), next] as const
        }),
      )

    /** The content of a recording that has ended, also before it is stored as a file. */
    const contentOf = (
      { blob_id, id }: Pick<StoredRecording, "blob_id" | "id">,
      organization: RecordedAttempt["organization"],
      range?: ByteRange,
    ) => {
      if (blob_id !== null) return blobStore.get({ organization, id: blob_id }, range)
      const whole = piecesOf({ organization, id })
      return range === undefined ? whole : sliced(range)(whole)
    }

    /** To its candidate. */
    const play = Effect.fn("Recordings.play")(function* (attempt: RecordedAttempt, id: RecordingId) {
      const stored = (yield* repository.content(attempt, id)) ?? (yield* new RecordingUnknown())
      return { ...stored, content: (range?: ByteRange) => contentOf(stored, attempt.organization, range) }
    })

    const endIdleOne = Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId) {
      yield* repository.lockSubmission(attempt.organization, attempt.submission)
      const locked = yield* repository.lock(attempt, id)
      if (locked === undefined || locked.state !== "recording") return
      const hasContent = yield* repository.end({ organization: attempt.organization, id })
      if (!hasContent) return yield* releaseEvaluation(attempt.organization, attempt.submission)
      // a complete take stays the answer, and this one beside it
      yield* repository.attachFirst(attempt, locked.question_id, id)
    }, transaction)

    /** Ends recordings whose pieces stopped arriving: with what has arrived. Returns their number. */
    const endIdle = Effect.gen(function* () {
      const idle = yield* repository.endIdle(sweepSize)
      yield* Effect.forEach(
        idle,
        ({ attempt, id, organization_id: organization, submission_id: submission }) =>
          endIdleOne({ organization, submission, attempt }, id),
        { discard: true },
      )
      return idle.length
    }).pipe(Effect.withSpan("Recordings.endIdle"))

    const deleteOldRows = transaction(repository.deleteOld(sweepSize))

    /** Deletes the content of recordings that are older than their organizations keep them. Returns their number. */
    const deleteOld = Effect.gen(function* () {
      const deleted = yield* deleteOldRows
      yield* Effect.forEach(
        deleted,
        ({ blob_id: id, organization }) => (id === null ? Effect.void : remove({ organization, id })),
        { discard: true },
      )
      return deleted.length
    }).pipe(Effect.withSpan("Recordings.deleteOld"))

    /** Warns the operator when the recordings in Postgres have more than RECORDINGS_WARN_SIZE. */
    const checkStorage = Effect.gen(function* () {
      const bytes = yield* repository.bytesInPostgres
      const warning =
        bytes <= Number(recordingsWarnSize)
          ? undefined
          : `recordings have ${sizeText(bytes)} in Postgres: set BLOB_STORE=s3, or keep them for fewer days (docs/operate.md#recordings)`
      storageStanding.set(warning)
      if (warning !== undefined) yield* Effect.logWarning(warning)
      return 0
    }).pipe(Effect.withSpan("Recordings.checkStorage"))

    return {
      checkStorage,
      deleteOld,
      begin,
      addPiece,
      end,
      receive,
      detach,
      correct,
      play,
      piecesOf,
      contentOf,
      releaseEvaluation,
      endIdle,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(StorageStanding.layer))
}
