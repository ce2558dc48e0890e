/** Saves answers of a running interview, and serves their files. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, DateTime, Effect, Result, Stream } from "effect"
import { HttpRouter, type HttpServerRequest, Multipart } from "effect/http"
import { Config } from "../config/Config.ts"
import { download } from "../files/Download.ts"
import { maxFileBytes, offeredEndings } from "../files/UploadedFile.ts"
import type { Question } from "../interview-sets/InterviewSet.ts"
import { rulesOf } from "../interview-sets/QuestionRules.ts"
import { closeAfterAnswer, isLongerThan, untilIdle } from "../platform/http/BodyReader.ts"
import { type Form, FormTooLarge, isUpload, patience, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther, wantsPage } from "../platform/http/Pages.ts"
import { maxBytesOfRules } from "../recordings/Recording.ts"
import type { RecordedAttempt } from "../recordings/RecordingRepository.ts"
import { type RecordingRefused, Recordings } from "../recordings/Recordings.ts"
import { maxTranscriptLength } from "../recordings/Transcript.ts"
import { numberText } from "../texts/Formats.ts"
import { textsOf } from "../texts/Texts.ts"
import {
  answersOf,
  attemptOf,
  consentField,
  correctionOf,
  fieldType,
  fileField,
  knownOf,
  recordingField,
  type SentCorrection,
  shownOf,
  textLimit,
} from "./AnswerForm.ts"
import type { AnswerRow } from "./AnswerRepository.ts"
import { type InterviewRequest, makeInterviewRoutes, reported } from "./InterviewPages.ts"
import { Interviews, type OpenInterview } from "./Interviews.ts"
import { InterviewNotOpen, type InterviewView, type LinkUnknown, pageLanguage } from "./InterviewView.ts"
import { pageTexts } from "./pages/InterviewComponents.ts"
import { refusedPage } from "./pages/InterviewNotices.ts"
import { choicePage, questionPage } from "./pages/RunningInterviewPage.ts"
import { correctionTooLong } from "./pages/SpokenAnswer.ts"
import { type FileRefused, Uploads } from "./Uploads.ts"

/** Of a form beside its file. */
const formBytes = 1024 * 1024

interface ErrorOptions {
  readonly isConsentNew?: boolean
  /** The answer in the form is saved. */
  readonly isSaved?: boolean
  /** The transcript that is saved, where it is not the one that the candidate corrected. */
  readonly transcript?: string
}

interface RefusedFile {
  readonly error: FileRefused
  readonly question: Question
}

interface ReceivedForm {
  readonly form: Form
  readonly attached: number
  readonly refused: RefusedFile | undefined
  readonly refusedRecording: RecordingRefused | undefined
  /** A recording came too early or too late, and nothing of it was stored. */
  readonly isClosed: boolean
}

const fileError = (view: InterviewView, { error: { name, reason }, question }: RefusedFile): string => {
  const endings = offeredEndings(question.allowed_file_types).join(", ")
  switch (reason) {
    case "empty":
      return pageTexts(view).say("emptyFile", { endings, name })
    case "too_large":
      return textsOf(view.spoken, "script").say("tooLarge", { name })
    case "type":
      return pageTexts(view).say("wrongType", { endings, name })
    case "content":
      return pageTexts(view).say("wrongContent", { endings, name })
  }
}

const isOther = (one: AnswerRow, other: AnswerRow): boolean =>
  one.question_id === other.question_id &&
  (one.content !== other.content || one.option_ids.toSorted().join() !== other.option_ids.toSorted().join())

/** The button sends a file, and nothing besides. */
const asksForFile = (question: Question | undefined, form: Form): boolean => {
  const isSpoken = question !== undefined && fieldType(question) === "text"
  return valueOf(form, "go") === (isSpoken ? "record" : "stay")
}

const isFromReview = (form: Form): boolean => valueOf(form, "from") === "review"

const destination = (questions: ReadonlyArray<Question>, form: Form, token: string): string => {
  const index = questions.findIndex(({ id }) => id === valueOf(form, "question"))
  const question = (at: number) => (at < questions.length ? `/i/${token}/questions/${at + 1}` : `/i/${token}/review`)
  if (index < 0) return `/i/${token}`
  const fromReview = isFromReview(form)
  switch (valueOf(form, "go")) {
    case "next":
      return question(fromReview ? questions.length : index + 1)
    case "back":
      return question(Math.max(0, index - 1))
    default:
      return `${question(index)}?${fromReview ? "review&" : ""}saved`
  }
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post, render } = yield* makeInterviewRoutes
    const { maxBody, recordingMaxSize } = yield* Config
    const recordings = yield* Recordings
    /** Bytes of a form with files; more where a larger recording may be chosen as a file. */
    const maxUploadOf = (questions: ReadonlyArray<Question>): number =>
      Math.max(
        4 * maxFileBytes,
        ...questions.map((question) => formBytes + maxBytesOfRules(rulesOf(question), Number(recordingMaxSize))),
      )
    const limit = textLimit(maxBody)
    /** Bytes of a field of a form with files: an answer of `limit` units or a transcript, and more than that, which is refused with a reason. */
    const maxFieldSize = Math.max(4_096, 4 * limit, 4 * maxTranscriptLength + 4_096)
    const interviews = yield* Interviews
    const uploads = yield* Uploads

    /** Stores each file while it arrives. */
    const readUpload = Effect.fnUntraced(function* (
      token: string,
      { questions, row }: OpenInterview,
      request: HttpServerRequest.HttpServerRequest,
    ): Effect.fn.Return<ReceivedForm, LinkUnknown | InterviewNotOpen | FormTooLarge> {
      const maxUpload = maxUploadOf(questions)
      if (isLongerThan(request, maxUpload)) return yield* new FormTooLarge()
      const form: Array<readonly [string, string]> = []
      const questionOf = (name: string) => questions.find((one) => fieldType(one) === "file" && fileField(one) === name)
      let attached = 0
      let refused: RefusedFile | undefined
      let refusedRecording: RecordingRefused | undefined
      let isClosed = false
      const { organization_id: organization, submission_id: submission } = row
      const attempt: RecordedAttempt = { organization, submission, attempt: row.attempt }
      const spokenOf = (name: string) => questions.find((one) => recordingField(one) === name)
      const receive = Effect.fnUntraced(function* (part: Multipart.Part) {
        if (part._tag === "Field") return void form.push([part.key, part.value])
        const spoken = spokenOf(part.key)
        if (spoken !== undefined && part.name !== "") {
          const known = attemptOf(form)
          if (known !== undefined && known !== row.attempt) return yield* new InterviewNotOpen({ state: "completed" })
          const result = yield* Effect.result(
            recordings.receive(
              attempt,
              spoken,
              part.content,
              Number(recordingMaxSize),
              pageLanguage(row),
              shownOf(form, consentField(spoken)),
            ),
          )
          if (Result.isSuccess(result)) attached += 1
          else if (result.failure._tag === "MultipartError") return yield* Effect.fail(result.failure)
          else if (result.failure.reason === "closed" || result.failure.reason === "ended") isClosed = true
          else refusedRecording = result.failure
          return
        }
        const question = questionOf(part.key)
        // an input without a file has an empty name
        if (question === undefined || part.name === "") return yield* Stream.runDrain(part.content)
        const target = { token, question: question.id, allowed: question.allowed_file_types, attempt: attemptOf(form) }
        const result = yield* Effect.result(
          uploads.attach(target, part.name, part.content).pipe(Effect.catchTag("BlobStoreUnavailable", Effect.die)),
        )
        if (Result.isSuccess(result)) attached += 1
        else if (result.failure._tag === "FileRefused") refused = { error: result.failure, question }
        else return yield* Effect.fail(result.failure)
      })
      const incoming = NodeHttpServerRequest.toIncomingMessage(request)
      // NaN: not idle, because the body is complete or the blob store is slow
      const received = () => (incoming.complete || incoming.readableLength > 0 ? Number.NaN : incoming.socket.bytesRead)
      // effect 4.1 throws on parts without a name and on unknown charsets
      const parts = Stream.catchCause(
        request.multipartStream,
        (cause): Stream.Stream<never, FormTooLarge | Multipart.MultipartError> =>
          Cause.hasDies(cause) ? Stream.fail(new FormTooLarge()) : Stream.failCause(cause),
      )
      yield* Stream.runForEach(parts, receive).pipe(
        Effect.catchTag("MultipartError", (error) =>
          error.reason._tag === "InternalError" ? Effect.die(error) : Effect.fail(new FormTooLarge()),
        ),
        Effect.provideContext(Multipart.limitsServices({ maxParts: 50, maxFieldSize, maxTotalSize: maxUpload })),
        Effect.raceFirst(Effect.catchTag(untilIdle(patience.idle, received), "BodyTooSlow", () => new FormTooLarge())),
        Effect.onError(() => closeAfterAnswer(request)),
      )
      return { form, attached, refused, refusedRecording, isClosed }
    })

    const renderError = Effect.fnUntraced(function* (
      token: string,
      view: InterviewView,
      form: Form,
      error: string,
      status: number,
      { isConsentNew = false, isSaved = false, transcript }: ErrorOptions = {},
    ) {
      const index = view.questions.findIndex(({ id }) => id === valueOf(form, "question"))
      const question = view.questions[index]
      if (question === undefined || view.state !== "running") return yield* new FormTooLarge()
      const [typed] = answersOf([question], form, Number.POSITIVE_INFINITY).answers
      const saved = view.answers.get(question.id)
      const answers = new Map(view.answers)
      if (typed !== undefined) {
        const known = isSaved ? undefined : knownOf(form, question)
        const revision = known ?? saved?.revision ?? 0
        answers.set(question.id, { file: null, recording: null, ...saved, ...typed, revision })
      }
      const sent = correctionOf(form)
      const unsaved = sent && { ...sent, ...(transcript === undefined ? {} : { saved: transcript }) }
      const fromReview = isFromReview(form)
      const now = yield* DateTime.nowAsDate
      const takesUsed = yield* interviews.takesOf(token, question)
      const options = {
        token,
        number: index + 1,
        now,
        saved: false,
        fromReview,
        limit,
        error,
        takesUsed,
        isConsentNew,
        unsaved,
      }
      return render(questionPage({ ...view, answers }, question, options), { status })
    })

    /** Shows both versions of an answer that was saved elsewhere. */
    const renderChoice = Effect.fnUntraced(function* (token: string, form: Form, sent: AnswerRow, next: string) {
      const view = yield* interviews.view(token)
      const index = view.questions.findIndex(({ id }) => id === sent.question_id)
      const question = view.questions[index]
      if (question === undefined || view.state !== "running") return seeOther(`/i/${token}`)
      const go = valueOf(form, "go") ?? "stay"
      const now = yield* DateTime.nowAsDate
      const options = { token, number: index + 1, now, fromReview: isFromReview(form), sent, go, next }
      return render(choicePage(view, question, options), { status: 412 })
    })

    /** Returns the page of a correction that was not saved, which shows it again. */
    const correct = Effect.fnUntraced(function* (
      token: string,
      { row }: OpenInterview,
      form: Form,
      { known, recording, text }: SentCorrection,
    ) {
      const attempt: RecordedAttempt = {
        organization: row.organization_id,
        submission: row.submission_id,
        attempt: row.attempt,
      }
      const saving = yield* Effect.result(recordings.correct(attempt, recording, text, known))
      if (Result.isSuccess(saving)) return undefined
      const { failure } = saving
      const view = yield* interviews.view(token)
      const { say } = pageTexts(view)
      switch (failure._tag) {
        case "CorrectionTooLong":
          return yield* renderError(token, view, form, correctionTooLong(view.spoken, failure.length), 422, {
            isSaved: true,
          })
        case "CorrectionOutdated":
          return yield* renderError(token, view, form, say("versionsText"), 412, {
            isSaved: true,
            transcript: failure.saved,
          })
        case "RecordingUnknown":
          return yield* renderError(token, view, form, textsOf(view.spoken, "script").say("elsewhere"), 409, {
            isSaved: true,
          })
        case "RecordingRefused":
          return render(refusedPage(view, view.state, token, [text]), { status: 409 })
      }
    })

    const save = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      const asPage = wantsPage(http)
      const opened = yield* interviews.open(token)
      const { questions } = opened
      const { attached, form, isClosed, refused, refusedRecording }: ReceivedForm = isUpload(http)
        ? yield* readUpload(token, opened, http)
        : { form: yield* readForm(http), attached: 0, refused: undefined, refusedRecording: undefined, isClosed: false }
      const attempt = attemptOf(form)
      if (refusedRecording !== undefined) {
        const view = yield* interviews.view(token)
        const { reason } = refusedRecording
        const key = reason === "takes" ? "noTakes" : reason === "consent" ? "consentChanged" : "refused"
        const error = textsOf(view.spoken, "spoken").say(key)
        return asPage
          ? yield* renderError(token, view, form, error, 422, { isConsentNew: reason === "consent" })
          : reported({ error }, 422)
      }
      if (refused !== undefined) {
        const status = refused.error.reason === "too_large" ? 413 : 422
        const view = yield* interviews.view(token)
        const error = fileError(view, refused)
        return asPage ? yield* renderError(token, view, form, error, status) : reported({ error }, status)
      }
      const question = questions.find(({ id }) => id === valueOf(form, "question"))
      if (valueOf(form, "go") === "remove" && question !== undefined) {
        yield* uploads
          .detach({ token, question: question.id, attempt })
          .pipe(Effect.catchTag("BlobStoreUnavailable", Effect.die))
      } else if (asPage && isUpload(http) && attached === 0 && !isClosed && asksForFile(question, form)) {
        const view = yield* interviews.view(token)
        return yield* renderError(token, view, form, pageTexts(view).say("noFile"), 422)
      }
      const { answers, tooLong } = answersOf(questions, form, limit)
      const written = answers.map((one) => ({ ...one, known: knownOf(form, { id: one.question_id }) }))
      const saving = yield* Effect.result(interviews.save(opened, written, attempt))
      if (Result.isFailure(saving)) {
        const { failure } = saving
        if (failure._tag !== "InterviewNotOpen" || !asPage) return yield* failure
        const typed = [...answers.map(({ content }) => content), correctionOf(form)?.text ?? null]
        const sent = typed.filter((text) => text !== null)
        return render(refusedPage(yield* interviews.view(token), failure.state, token, sent), { status: 409 })
      }
      const { newer, saved } = saving.success
      const [long] = tooLong
      if (long !== undefined) {
        const view = yield* interviews.view(token)
        const length = numberText(view.spoken, long.content?.length ?? 0)
        const error = pageTexts(view).say("tooLong", { length, limit: numberText(view.spoken, limit) })
        return asPage ? yield* renderError(token, view, form, error, 422) : reported({ saved, error }, 422)
      }
      const correction = attached > 0 ? undefined : correctionOf(form)
      if (correction !== undefined) {
        const page = yield* correct(token, opened, form, correction)
        if (page !== undefined) return page
      }
      if (asPage) {
        const [sent] = answers.filter((one) => newer.some((other) => isOther(one, other)))
        const next = destination(questions, form, token)
        return sent === undefined ? seeOther(next) : yield* renderChoice(token, form, sent, next)
      }
      return newer.length > 0 ? reported({ saved, newer }, 412) : reported({ saved })
    })

    const downloadFile = Effect.fnUntraced(function* ({ param, token }: InterviewRequest) {
      return yield* uploads.read(token, param("question")).pipe(
        Effect.map(download),
        Effect.catchTag("FileUnknown", () => Effect.succeed(seeOther(`/i/${token}`))),
      )
    })

    yield* router.add("POST", "/i/:token/answers", post(save))
    yield* router.add("GET", "/i/:token/files/:question", get(downloadFile))
  }),
)
