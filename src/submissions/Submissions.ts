/** Reads and searches submissions, and opens their files. */
import { isUtf8 } from "node:buffer"
import { Context, Effect, Layer, Stream } from "effect"
import { readerOf, seesAllScores, type Viewer } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { type BlobMissing, BlobStore, type BlobStoreUnavailable } from "../files/BlobStore.ts"
import { chosenOptions, optionText } from "../interview-sets/OptionText.ts"
import { rulesOf } from "../interview-sets/QuestionRules.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { cursorOf, type ListName, type PageRequest, type Position, pageOf, positionOf } from "../values/Cursor.ts"
import { parseId, QuestionId, RecordingId, SubmissionId } from "../values/Ids.ts"
import { NotAllowed, NotFound } from "../values/Problem.ts"
import { answerFilePath, cvPath, leading, recordingPath, type SubmissionDetail } from "./SubmissionDetail.ts"
import {
  type SpokenAnswerRow,
  type SubmissionFacts,
  type SubmissionFile,
  type SubmissionFilter,
  SubmissionRepository,
} from "./SubmissionRepository.ts"
import {
  mostCounted,
  type OrderBy,
  orders,
  type SubmissionOrder,
  type SubmissionSearch,
  visibleSearch,
} from "./SubmissionSearch.ts"
import { SearchWindows, type SubmissionLine, type SubmissionReader } from "./SubmissionSearchSql.ts"

export interface SubmissionRecord {
  readonly detail: SubmissionDetail
  readonly facts: SubmissionFacts
}

export interface OpenFile extends SubmissionFile {
  readonly content: Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable>
}

/** Ids of so many take about 100 MB while they are read. */
const maxExported = 1_000_000

const spokenAnswer = ({ is_deleted, transcript, ...recording }: SpokenAnswerRow, url: string) => ({
  ...(is_deleted ? {} : { recording: { ...recording, url } }),
  transcript,
})

const unknown = new NotFound({ record: "submission" })
const unknownFile = new NotFound({ record: "file" })
const unknownRecording = new NotFound({ record: "recording" })

/** Fits into a Postgres integer. */
const parseAttempt = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

const listName = (order: SubmissionOrder): ListName => `submissions.${order}`

const isRank = (at: string): boolean => /^-?\d{1,3}(\.\d)?$/.test(at)
const isCount = (at: string): boolean => /^\d{1,3}$/.test(at)

/** UTF-8 bytes in Postgres's hex format. */
const isText = (at: string): boolean => {
  const bytes = Buffer.from(at.slice(2), "hex")
  return at === `\\x${bytes.toString("hex")}` && isUtf8(bytes) && !bytes.includes(0)
}

/** The orders that are absent here are by time. */
const placeChecks: Readonly<Partial<Record<OrderBy, (at: string) => boolean>>> = {
  best: isRank,
  weakest: isRank,
  met: isCount,
  status: isCount,
  candidate: isText,
}

/** Undefined: a cursor of another list or order. */
export const searchPosition = (order: SubmissionOrder, cursor: string): Position | undefined =>
  positionOf(listName(order), cursor, placeChecks[orders[order].by])

const memberReader = (viewer: Viewer): SubmissionReader => ({
  limit: readerOf(viewer),
  member: viewer._tag === "Member" ? viewer.id : undefined,
})

const noScore = {
  score: null,
  override_score: null,
  score_status: "not_scored",
  warnings: [],
  evaluators: [],
  requirement_scores: [],
} as const satisfies Partial<SubmissionLine>

/** Of an erased person, in lists. */
const erasedName = "Erased candidate"

const namedFor =
  (viewer: Viewer) =>
  ({ candidate, is_erased, is_reviewed_by_me, ...line }: SubmissionLine) => {
    const ref = candidateRef(candidate)
    const hasScore = line.score !== null || line.override_score !== null
    const is_score_hidden = hasScore && !seesAllScores(viewer) && !is_reviewed_by_me
    return {
      ...line,
      ...(is_score_hidden ? noScore : {}),
      is_score_hidden,
      candidate: is_erased ? { ...ref, name: ref.name ?? erasedName } : ref,
    }
  }
export type NamedSubmission = ReturnType<ReturnType<typeof namedFor>>

export interface Neighbours {
  readonly previous: SubmissionId | undefined
  readonly next: SubmissionId | undefined
}

export class Submissions extends Context.Service<Submissions>()("interview-invitations/submissions/Submissions", {
  make: Effect.gen(function* () {
    const blobStore = yield* BlobStore
    const { apiUrl } = yield* Config
    const emailLinks = yield* EmailLinks
    const repository = yield* SubmissionRepository

    const detail = Effect.fn("Submissions.detail")(function* ({ organizationId }: Viewer, id: SubmissionId) {
      const row = yield* repository.find(organizationId, id)
      if (row === undefined) return yield* unknown
      const { criteria, gaps, recommendations, score, score_status, strengths, summary, warnings } = leading(
        row.evaluations,
      )
      return {
        id: row.id,
        submission_url: emailLinks.submission(row.id),
        status_text: row.status_text,
        interview_set: row.interview_set,
        candidate: candidateRef(row.candidate),
        invitation: row.invitation,
        score,
        score_status,
        ...(warnings === undefined ? {} : { warnings }),
        decision: row.decision,
        decision_version: row.decision_version,
        stage: row.stage,
        stage_version: row.stage_version,
        has_knock_out: row.has_knock_out,
        tags: row.tags,
        summary: summary || null,
        strengths,
        gaps,
        recommendations,
        criteria,
        evaluations: row.evaluations,
        answers: row.answers.map(({ attributes, file, option_ids, options, spoken, ...answer }) => ({
          ...answer,
          file: file === null ? null : { ...file, url: `${apiUrl}${answerFilePath(row.id, answer)}` },
          ...(spoken === null ? {} : spokenAnswer(spoken, `${apiUrl}${recordingPath(row.id, answer)}`)),
          options: chosenOptions(options, option_ids).map((option) => ({
            id: option.id,
            title: optionText(option, row.languages).title,
            is_knock_out: rulesOf({ attributes }).knockOut.includes(String(option.id)),
          })),
        })),
        cv_notes: row.cv?.notes ?? [],
        cv_file: row.cv?.file == null ? null : { ...row.cv.file, url: `${apiUrl}${cvPath(row.id)}` },
        initiated_at: row.initiated_at,
        started_at: row.started_at,
        completed_at: row.completed_at,
        declined_at: row.declined_at,
        decline_reason: row.decline_reason,
        ...(row.cv?.error == null ? {} : { candidate_entry_error_message: row.cv.error }),
      } satisfies SubmissionDetail
    })

    const list = Effect.fn("Submissions.list")(function* (
      { organizationId }: Viewer,
      filter: SubmissionFilter,
      page: PageRequest,
    ) {
      const rows = yield* repository.list(organizationId, filter, page)
      return pageOf("submissions", rows, page, ({ position: _, warnings, ...row }) => ({
        ...row,
        ...(warnings == null ? {} : { warnings }),
        submission_url: emailLinks.submission(row.id),
        candidate: candidateRef(row.candidate),
      }))
    }, mayReadReplica)

    const found = Effect.fnUntraced(function* (
      viewer: Viewer,
      search: SubmissionSearch,
      limit: number,
      after: Position | undefined,
    ) {
      const rows = yield* repository.search(viewer.organizationId, search, memberReader(viewer), { limit, after })
      const shown = rows.slice(0, limit)
      return { shown: shown.map(namedFor(viewer)), next: rows.length > limit ? shown.at(-1)?.position : undefined }
    }, mayReadReplica)

    const searchPage = Effect.fn("Submissions.searchPage")(function* (
      viewer: Viewer,
      given: SubmissionSearch,
      { after, limit }: { readonly limit: number; readonly after: Position | undefined },
    ) {
      const search = visibleSearch(viewer, given)
      const { next, shown } = yield* found(viewer, search, limit, after)
      return { results: shown, next_cursor: next === undefined ? null : cursorOf(listName(search.order), next) }
    })

    /** How many submissions match each search without words, up to `mostCounted`. */
    const counts = Effect.fn("Submissions.counts")(function* (
      viewer: Viewer,
      searches: ReadonlyArray<SubmissionSearch>,
    ) {
      const visible = searches.map((one) => visibleSearch(viewer, one))
      return yield* repository.counts(viewer.organizationId, visible, memberReader(viewer), mostCounted)
    }, mayReadReplica)

    /** At most `most` that match when it begins, each once, as they are when they are read. */
    const searchAll = (viewer: Viewer, given: SubmissionSearch, most = maxExported) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const { exported } = yield* SearchWindows
          const search = visibleSearch(viewer, given)
          const reader = memberReader(viewer)
          const all = yield* mayReadReplica(repository.searchIds(viewer.organizationId, search, reader, most))
          return Stream.fromIterable(all).pipe(
            Stream.grouped(exported),
            Stream.mapEffect((ids) =>
              Effect.map(mayReadReplica(among(viewer, ids)), (lines) => {
                const byId = new Map(lines.map((line) => [line.id, line]))
                return ids.flatMap((id) => byId.get(id) ?? [])
              }),
            ),
            Stream.flattenIterable,
          )
        }),
      )

    /**
     * The submissions before and after one in the list of a search; also when the search no longer finds that one, for
     * example after a decision. None if the order does not list it.
     */
    const neighbours = Effect.fn("Submissions.neighbours")(function* (
      viewer: Viewer,
      given: SubmissionSearch,
      id: SubmissionId,
    ) {
      const search = visibleSearch(viewer, given)
      const at = yield* repository.placeOf(viewer.organizationId, id, search.order)
      if (at === null || at === undefined) return { previous: undefined, next: undefined } satisfies Neighbours
      const reader = memberReader(viewer)
      const nearest = (isBackward: boolean) =>
        Effect.map(
          repository.search(viewer.organizationId, search, reader, { limit: 1, after: { at, id }, isBackward }),
          ([row]) => row?.id,
        )
      return {
        previous: yield* nearest(true),
        next: yield* nearest(false),
      } satisfies Neighbours
    }, mayReadReplica)

    /** Returns the given submissions that the viewer may see, newest first. */
    const among = Effect.fn("Submissions.among")(function* (viewer: Viewer, ids: ReadonlyArray<SubmissionId>) {
      if (ids.length === 0) return []
      return (yield* repository.linesOf(viewer.organizationId, ids, memberReader(viewer))).map(namedFor(viewer))
    })

    const factsOf = Effect.fnUntraced(function* (viewer: Viewer, text: string) {
      const id = parseId(SubmissionId, text)
      if (id === undefined) return yield* unknown
      const facts = yield* repository.facts(viewer.organizationId, id, readerOf(viewer))
      if (facts === undefined) return yield* unknown
      if (!facts.readable) return yield* new NotAllowed({ record: "submission" })
      return { id, facts }
    })

    /** For a change by the viewer: fails with NotAllowed for a reviewer. */
    const require = Effect.fn("Submissions.require")(function* (viewer: Viewer, text: string) {
      const { id } = yield* factsOf(viewer, text)
      return readerOf(viewer)?._tag === "Reviewer" ? yield* new NotAllowed({ record: "submission" }) : id
    })

    const requireReadable = Effect.fn("Submissions.requireReadable")(function* (viewer: Viewer, text: string) {
      return (yield* factsOf(viewer, text)).id
    })

    const read = Effect.fn("Submissions.read")(function* (viewer: Viewer, text: string) {
      const { facts, id } = yield* factsOf(viewer, text)
      return { detail: yield* detail(viewer, id), facts } satisfies SubmissionRecord
    })

    const standing = Effect.fn("Submissions.standing")(function* ({ organizationId }: Viewer, id: SubmissionId) {
      return (yield* repository.standing(organizationId, id)) ?? (yield* unknown)
    })

    const open = Effect.fnUntraced(function* ({ organizationId }: Viewer, file: SubmissionFile | undefined) {
      if (file === undefined) return yield* unknownFile
      const content = blobStore.get({ organization: organizationId, id: file.blob_id })
      return { ...file, content } satisfies OpenFile
    })

    const answerFile = Effect.fn("Submissions.answerFile")(function* (
      viewer: Viewer,
      text: string,
      attemptText: string,
      questionText: string,
    ) {
      const { id } = yield* factsOf(viewer, text)
      const attempt = parseAttempt(attemptText)
      const question = parseId(QuestionId, questionText)
      if (attempt === undefined || question === undefined) return yield* unknownFile
      return yield* open(viewer, yield* repository.answerFile(viewer.organizationId, id, attempt, question))
    })

    /** Without an attempt, of the last one in which the question has a file. */
    const uploadedFile = Effect.fn("Submissions.uploadedFile")(function* (
      viewer: Viewer,
      id: SubmissionId,
      question: QuestionId,
      attempt: number | undefined,
    ) {
      return yield* open(viewer, yield* repository.answerFile(viewer.organizationId, id, attempt, question))
    })

    const cvFile = Effect.fn("Submissions.cvFile")(function* (viewer: Viewer, text: string) {
      const { id } = yield* factsOf(viewer, text)
      return yield* open(viewer, yield* repository.cvFile(viewer.organizationId, id))
    })

    /** A recording of an answer; its content is read by recordings/Recordings.ts. */
    const recording = Effect.fn("Submissions.recording")(function* (
      viewer: Viewer,
      text: string,
      recordingText: string,
    ) {
      const { id } = yield* factsOf(viewer, text)
      const recordingId = parseId(RecordingId, recordingText)
      const stored =
        recordingId === undefined ? undefined : yield* repository.recording(viewer.organizationId, id, recordingId)
      return stored ?? (yield* unknownFile)
    })

    /** The recording that counts as an answer; without an attempt, of the last one in which the question has one. */
    const answerRecording = Effect.fn("Submissions.answerRecording")(function* (
      { organizationId }: Viewer,
      id: SubmissionId,
      question: QuestionId,
      attempt: number | undefined,
    ) {
      const answered = yield* repository.answerRecording(organizationId, id, question, attempt)
      const stored = answered === undefined ? undefined : yield* repository.recording(organizationId, id, answered)
      return stored ?? (yield* unknownRecording)
    })

    return {
      detail,
      list,
      counts,
      searchPage,
      searchAll,
      neighbours,
      among,
      require,
      requireReadable,
      read,
      standing,
      answerFile,
      uploadedFile,
      cvFile,
      recording,
      answerRecording,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
