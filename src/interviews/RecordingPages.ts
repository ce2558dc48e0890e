/** Requests of the script that records spoken answers (recorder.js), and playback to the candidate. */
import { Duration, Effect, Result } from "effect"
import { HttpRouter } from "effect/http"
import { Config } from "../config/Config.ts"
import { playback } from "../files/Playback.ts"
import { rulesOf, spokenKinds } from "../interview-sets/QuestionRules.ts"
import { readBody } from "../platform/http/BodyReader.ts"
import { FormTooLarge, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther, wantsPage } from "../platform/http/Pages.ts"
import { transcriptVersion } from "../recordings/Correction.ts"
import { idleEnd, maxEmpty, maxPieceBytes, maxPieces } from "../recordings/Recording.ts"
import { consentText } from "../recordings/RecordingConsent.ts"
import type { RecordedAttempt } from "../recordings/RecordingRepository.ts"
import {
  type PiecesMissing,
  type RecordingRefused,
  Recordings,
  type RecordingUnknown,
} from "../recordings/Recordings.ts"
import { parseId, QuestionId, RecordingId } from "../values/Ids.ts"
import { attemptOf, shownOf, shownValue } from "./AnswerForm.ts"
import { type InterviewRequest, makeInterviewRoutes, reported } from "./InterviewPages.ts"
import { Interviews, type OpenInterview } from "./Interviews.ts"
import { InterviewNotOpen, pageLanguage, stateOf } from "./InterviewView.ts"
import { correctionTooLong } from "./pages/SpokenAnswer.ts"

/** Of the script's requests: a repeated request cannot change those below 500. */
const refusal = (error: RecordingUnknown | RecordingRefused | PiecesMissing) => {
  switch (error._tag) {
    case "RecordingUnknown":
      return reported({ reason: "unknown" }, 404)
    case "RecordingRefused":
      return reported({ reason: error.reason, message: messages[error.reason] }, statuses[error.reason])
    case "PiecesMissing":
      return reported({ reason: "missing", ordinals: error.ordinals }, 409)
  }
}

const statuses = {
  takes: 409,
  consent: 409,
  conflict: 409,
  ended: 409,
  closed: 409,
  too_large: 413,
  type: 415,
  empty: 429,
} as const

/** For developers who read the response; the script has texts in the candidate's language. */
const messages: Partial<Record<RecordingRefused["reason"], string>> = {
  empty: `${maxEmpty} recordings have begun without content. They end after ${Duration.toMinutes(idleEnd)} minutes.`,
}

const orRefusal = Effect.catch((error: RecordingUnknown | RecordingRefused | PiecesMissing) =>
  Effect.succeed(refusal(error)),
)

const attemptOfRow = ({ row }: OpenInterview): RecordedAttempt => ({
  organization: row.organization_id,
  submission: row.submission_id,
  attempt: row.attempt,
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post } = yield* makeInterviewRoutes
    const { recordingMaxSize } = yield* Config
    const interviews = yield* Interviews
    const recordings = yield* Recordings

    const requireRunning = Effect.fnUntraced(function* (opened: OpenInterview, attempt: number | undefined) {
      if (attempt !== undefined && attempt !== opened.row.attempt)
        return yield* new InterviewNotOpen({ state: "completed" })
      const state = stateOf(opened.row)
      if (state !== "running") return yield* new InterviewNotOpen({ state })
    })

    /** The text that the script shows before it begins again. */
    const newConsent = Effect.fnUntraced(function* (token: string) {
      const { organizationName, recordingConsent, spoken } = yield* interviews.view(token)
      const text = consentText(recordingConsent, spoken, organizationName)
      return reported({ reason: "consent", consent: shownValue(recordingConsent?.id ?? null), text }, 409)
    })

    const begin = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      const opened = yield* interviews.open(token)
      const form = yield* readForm(http)
      yield* requireRunning(opened, attemptOf(form))
      const question = opened.questions.find(({ id }) => id === valueOf(form, "question"))
      const rules = question && rulesOf(question)
      const kind = rules && spokenKinds(rules).find((one) => one === valueOf(form, "kind"))
      if (question === undefined || rules === undefined || kind === undefined)
        return reported({ reason: "unknown" }, 404)
      const spoken = pageLanguage(opened.row)
      const shown = shownOf(form, "consent")
      const beginning = yield* Effect.result(
        recordings.begin(attemptOfRow(opened), question.id, kind, rules, spoken, shown),
      )
      if (Result.isSuccess(beginning)) return reported({ id: beginning.success }, 201)
      const { failure } = beginning
      return failure.reason === "consent" ? yield* newConsent(token) : refusal(failure)
    })

    const recordingOf = Effect.fnUntraced(function* ({ param, token }: InterviewRequest) {
      const opened = yield* interviews.open(token)
      return { opened, attempt: attemptOfRow(opened), id: parseId(RecordingId, param("recording")) }
    })

    /** Also accepted soon after the end of the interview: what was said before it may still be on its way. */
    const addPiece = Effect.fnUntraced(function* (request: InterviewRequest) {
      const { attempt, id, opened } = yield* recordingOf(request)
      const ordinal = Number(request.param("ordinal"))
      if (id === undefined || !Number.isInteger(ordinal) || ordinal < 0) return reported({ reason: "unknown" }, 404)
      const bytes = yield* readBody(request.http, {
        maxBytes: maxPieceBytes,
        idle: "20 seconds",
        total: "10 minutes",
        isPublic: true,
      }).pipe(
        Effect.catchTags({
          BodyTooLarge: () => Effect.fail(new FormTooLarge()),
          // the script sends the piece again
          BodyTooSlow: () => Effect.undefined,
        }),
      )
      if (bytes === undefined) return reported({ reason: "slow" }, 408)
      return yield* recordings
        .addPiece(attempt, id, { ordinal, bytes: new Uint8Array(bytes) }, opened.questions, Number(recordingMaxSize))
        .pipe(Effect.as(reported({})), orRefusal)
    })

    const end = Effect.fnUntraced(function* (request: InterviewRequest) {
      const { attempt, id } = yield* recordingOf(request)
      const pieces = Number(valueOf(yield* readForm(request.http), "pieces"))
      if (id === undefined || !Number.isInteger(pieces) || pieces < 0 || pieces > maxPieces)
        return reported({ reason: "unknown" }, 404)
      return yield* recordings.end(attempt, id, pieces).pipe(Effect.as(reported({})), orRefusal)
    })

    const home = (token: string, form: Parameters<typeof valueOf>[0]) => {
      const from = valueOf(form, "page") ?? ""
      return seeOther(/^(?:review|questions\/\d{1,3})$/.test(from) ? `/i/${token}/${from}` : `/i/${token}`)
    }

    const remove = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      const opened = yield* interviews.open(token)
      const form = yield* readForm(http)
      yield* requireRunning(opened, attemptOf(form))
      const question = parseId(QuestionId, valueOf(form, "question"))
      const answer = wantsPage(http) ? home(token, form) : reported({})
      if (question === undefined) return answer
      return yield* recordings.detach(attemptOfRow(opened), question).pipe(Effect.as(answer), orRefusal)
    })

    /** Of the script; the form of the answer has the same field. */
    const correct = Effect.fnUntraced(function* (request: InterviewRequest) {
      const { attempt, id, opened } = yield* recordingOf(request)
      const form = yield* readForm(request.http)
      yield* requireRunning(opened, attemptOf(form))
      if (id === undefined) return reported({ reason: "unknown" }, 404)
      return yield* recordings.correct(attempt, id, valueOf(form, "transcript") ?? "", valueOf(form, "known")).pipe(
        Effect.map((known) => reported({ known })),
        Effect.catchTags({
          CorrectionOutdated: ({ saved }) =>
            Effect.succeed(reported({ known: transcriptVersion(saved), text: saved }, 412)),
          CorrectionTooLong: ({ length }) =>
            Effect.succeed(reported({ error: correctionTooLong(pageLanguage(opened.row), length) }, 422)),
        }),
        orRefusal,
      )
    })

    const play = Effect.fnUntraced(function* (request: InterviewRequest) {
      const { attempt, id } = yield* recordingOf(request)
      if (id === undefined) return reported({ reason: "unknown" }, 404)
      return yield* recordings.play(attempt, id).pipe(
        Effect.map((stored) =>
          playback(request.http, {
            type: stored.content_type,
            size: stored.size,
            id: stored.blob_id ?? stored.id,
            content: stored.content,
          }),
        ),
        orRefusal,
      )
    })

    yield* router.add("POST", "/i/:token/recordings", post(begin))
    yield* router.add("POST", "/i/:token/recordings/remove", post(remove))
    yield* router.add("POST", "/i/:token/recordings/:recording/pieces/:ordinal", post(addPiece))
    yield* router.add("POST", "/i/:token/recordings/:recording/end", post(end))
    yield* router.add("POST", "/i/:token/recordings/:recording/transcript", post(correct))
    yield* router.add("GET", "/i/:token/recordings/:recording", get(play))
  }),
)
