/** Answers of a running interview: POST /i/:token/answers, with or without a file, and GET /i/:token/files/:question. */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Clock, Effect, Result, Stream } from "effect"
import { HttpRouter, type HttpServerRequest, Multipart } from "effect/http"
import { Config } from "../config/Config.ts"
import { download } from "../files/Download.ts"
import { acceptedEndings, maxFileBytes } from "../files/UploadedFile.ts"
import type { Question } from "../interview-sets/InterviewSet.ts"
import { closeAfterAnswer, isLongerThan, untilIdle } from "../platform/http/BodyReader.ts"
import { type Form, FormTooLarge, isUpload, patience, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther, wantsPage } from "../platform/http/Pages.ts"
import { numberText } from "../texts/Formats.ts"
import { textsOf } from "../texts/Texts.ts"
import { answersOf, attemptOf, fieldType, fileField, knownOf, textLimit } from "./AnswerForm.ts"
import type { AnswerRow } from "./AnswerRepository.ts"
import { makeStep, told } from "./InterviewPages.ts"
import { Interviews } from "./Interviews.ts"
import type { InterviewNotOpen, InterviewView, LinkUnknown } from "./InterviewView.ts"
import { choicePage } from "./pages/InterviewChoice.ts"
import { refusedPage } from "./pages/InterviewNotices.ts"
import { saying } from "./pages/InterviewParts.ts"
import { questionPage } from "./pages/InterviewQuestions.ts"
import { type FileRefused, Uploads } from "./Uploads.ts"

/** Why a file was not taken, in words. */
const faultOf = (view: InterviewView, { reason }: FileRefused): string => {
  switch (reason) {
    case "empty":
      return saying(view).say("emptyFile", { endings: acceptedEndings.join(", ") })
    case "too_large":
      return textsOf(view.spoken, "script").say("tooLarge")
    case "type":
      return saying(view).say("wrongFile", { endings: acceptedEndings.join(", ") })
  }
}

/** Bytes of a request with a file that are read: what is too large by less than that is told with a page. */
const largestUpload = 4 * maxFileBytes

/** What was sent: fields, and what became of files. */
interface Sent {
  readonly form: Form
  readonly attached: number
  readonly refused: FileRefused | undefined
}

/** Reads a form with files; each is kept while it arrives. */
const readUpload = Effect.fnUntraced(function* (
  uploads: Uploads["Service"],
  token: string,
  questions: ReadonlyArray<Question>,
  request: HttpServerRequest.HttpServerRequest,
): Effect.fn.Return<Sent, LinkUnknown | InterviewNotOpen | FormTooLarge> {
  if (isLongerThan(request, largestUpload)) return yield* new FormTooLarge()
  const form: Array<readonly [string, string]> = []
  const fileOf = (name: string) => questions.find((one) => fieldType(one) === "file" && fileField(one) === name)
  let attached = 0
  let refused: FileRefused | undefined
  const take = Effect.fnUntraced(function* (part: Multipart.Part) {
    if (part._tag === "Field") return void form.push([part.key, part.value])
    const question = fileOf(part.key)
    // an input without a file is sent with an empty name
    if (question === undefined || part.name === "") return yield* Stream.runDrain(part.content)
    const target = { token, question: question.id, attempt: attemptOf(form) }
    const result = yield* Effect.result(
      uploads.attach(target, part.name, part.content).pipe(Effect.catchTag("BlobStoreUnavailable", Effect.die)),
    )
    if (Result.isSuccess(result)) attached += 1
    else if (result.failure._tag === "FileRefused") refused = result.failure
    else return yield* Effect.fail(result.failure)
  })
  const incoming = NodeHttpServerRequest.toIncomingMessage(request)
  // NaN, which equals nothing, means not idle: the body is complete, or bytes wait for the blob store
  const received = () => (incoming.complete || incoming.readableLength > 0 ? Number.NaN : incoming.socket.bytesRead)
  // the parser throws on a part without a name and on an unknown charset (effect 4.1)
  const parts = Stream.catchCause(
    request.multipartStream,
    (cause): Stream.Stream<never, FormTooLarge | Multipart.MultipartError> =>
      Cause.hasDies(cause) ? Stream.fail(new FormTooLarge()) : Stream.failCause(cause),
  )
  yield* Stream.runForEach(parts, take).pipe(
    Effect.catchTag("MultipartError", (error) =>
      // a line that is cut, or what is no form at all: nobody reads the answer
      error.reason._tag === "InternalError" ? Effect.die(error) : Effect.fail(new FormTooLarge()),
    ),
    Effect.provideContext(Multipart.limitsServices({ maxParts: 50, maxFieldSize: 4_096, maxTotalSize: largestUpload })),
    Effect.raceFirst(Effect.catchTag(untilIdle(patience.idle, received), "BodyTooSlow", () => new FormTooLarge())),
    Effect.onError(() => closeAfterAnswer(request)),
  )
  return { form, attached, refused }
})

/** True when the same question has a different answer. */
const isOther = (one: AnswerRow, other: AnswerRow): boolean =>
  one.question_id === other.question_id &&
  (one.content !== other.content || one.option_ids.toSorted().join() !== other.option_ids.toSorted().join())

/** The page was opened from the review. */
const isFromReview = (form: Form): boolean => valueOf(form, "from") === "review"

/** Where a form leads when all went well. */
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
    const { maxBody } = yield* Config
    const interviews = yield* Interviews
    const uploads = yield* Uploads
    const { page, post, step } = yield* makeStep
    const limit = textLimit(maxBody)

    /** The page of the question again, with what was sent and what is wrong with it. */
    const again = Effect.fnUntraced(function* (
      token: string,
      view: InterviewView,
      form: Form,
      fault: string,
      status: number,
    ) {
      const index = view.questions.findIndex(({ id }) => id === valueOf(form, "question"))
      const question = view.questions[index]
      if (question === undefined || view.state !== "running") return yield* new FormTooLarge()
      const [typed] = answersOf([question], form, Number.POSITIVE_INFINITY).answers
      const saved = view.answers.get(question.id)
      const answers = new Map(view.answers)
      if (typed !== undefined) {
        const revision = knownOf(form, question) ?? saved?.revision ?? 0
        answers.set(question.id, { file: null, ...saved, ...typed, revision })
      }
      const now = new Date(yield* Clock.currentTimeMillis)
      const options = { token, number: index + 1, now, saved: false, fromReview: isFromReview(form), limit, fault }
      return page(questionPage({ ...view, answers }, question, options), { status })
    })

    /** The page with both versions of an answer that was saved elsewhere after the form was made. */
    const choose = Effect.fnUntraced(function* (token: string, form: Form, sent: AnswerRow, next: string) {
      const view = yield* interviews.view(token)
      const index = view.questions.findIndex(({ id }) => id === sent.question_id)
      const question = view.questions[index]
      if (question === undefined || view.state !== "running") return seeOther(`/i/${token}`)
      const now = new Date(yield* Clock.currentTimeMillis)
      const go = valueOf(form, "go") ?? "stay"
      const options = { token, number: index + 1, now, fromReview: isFromReview(form), sent, go, next }
      return page(choicePage(view, question, options), { status: 412 })
    })

    yield* router.add(
      "POST",
      "/i/:token/answers",
      post((link, request) =>
        Effect.gen(function* () {
          const asPage = wantsPage(request)
          const opened = yield* interviews.open(link)
          const { questions } = opened
          const { attached, form, refused }: Sent = isUpload(request)
            ? yield* readUpload(uploads, link, questions, request)
            : { form: yield* readForm(request), attached: 0, refused: undefined }
          const attempt = attemptOf(form)
          if (refused !== undefined) {
            const status = refused.reason === "too_large" ? 413 : 422
            const view = yield* interviews.view(link)
            const fault = faultOf(view, refused)
            return asPage ? yield* again(link, view, form, fault, status) : told({ fault }, status)
          }
          const asked = questions.find(({ id }) => id === valueOf(form, "question"))
          if (valueOf(form, "go") === "remove" && asked !== undefined) {
            yield* uploads
              .detach({ token: link, question: asked.id, attempt })
              .pipe(Effect.catchTag("BlobStoreUnavailable", Effect.die))
          } else if (asPage && isUpload(request) && attached === 0 && valueOf(form, "go") === "stay") {
            const view = yield* interviews.view(link)
            return yield* again(link, view, form, saying(view).say("noFile"), 422)
          }
          const { answers, tooLong } = answersOf(questions, form, limit)
          const written = answers.map((one) => ({ ...one, known: knownOf(form, { id: one.question_id }) }))
          const saving = yield* Effect.result(interviews.save(opened, written, attempt))
          if (Result.isFailure(saving)) {
            const { failure } = saving
            if (failure._tag !== "InterviewNotOpen" || !asPage) return yield* failure
            const sent = answers.flatMap(({ content }) => (content === null ? [] : [content]))
            return page(refusedPage(yield* interviews.view(link), failure.state, link, sent), { status: 409 })
          }
          const { newer, saved } = saving.success
          const [long] = tooLong
          if (long !== undefined) {
            const view = yield* interviews.view(link)
            const length = numberText(view.spoken, long.content?.length ?? 0)
            const fault = saying(view).say("tooLong", { length, limit: numberText(view.spoken, limit) })
            return asPage ? yield* again(link, view, form, fault, 422) : told({ saved, fault }, 422)
          }
          if (asPage) {
            const [sent] = answers.filter((one) => newer.some((saved) => isOther(one, saved)))
            const next = destination(questions, form, link)
            return sent === undefined ? seeOther(next) : yield* choose(link, form, sent, next)
          }
          return newer.length > 0 ? told({ saved, newer }, 412) : told({ saved })
        }),
      ),
    )

    yield* router.add(
      "GET",
      "/i/:token/files/:question",
      Effect.flatMap(HttpRouter.params, ({ question = "" }) =>
        step((link) =>
          uploads.read(link, question).pipe(
            Effect.map(download),
            Effect.catchTag("FileUnknown", () => Effect.succeed(seeOther(`/i/${link}`))),
          ),
        ),
      ),
    )
  }),
)
