/** Reads a form of the candidate's pages, within the limits of a body and of an answer. */
import { Effect, Schema } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"
import type { Question } from "../domain/InterviewSet.ts"
import type { AnswerRow } from "../repository/Answers.ts"
import { decodeAnswers, revisionField } from "./AnswerForm.ts"

/** More was sent than is read. */
export class FormTooLarge extends Schema.TaggedError<FormTooLarge>()("FormTooLarge", {}) {}

/** For the whole form: a phone in a tunnel is slow. */
const patience = "2 minutes"

export type Form = ReadonlyArray<readonly [string, string]>

/** Fails where the request says itself that it is too large; nothing of it is read then. */
export const refuseLong = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  most: number | undefined,
) {
  if (most !== undefined && Number(request.headers["content-length"]) > most) return yield* new FormTooLarge()
})

/** A form as it was sent. */
export const readText = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const most = yield* HttpIncomingMessage.MaxBodySize
  yield* refuseLong(request, most === undefined ? undefined : Number(most))
  return yield* request.text.pipe(
    Effect.catchIf(
      (error) =>
        HttpServerError.isHttpServerError(error) &&
        error.reason._tag === "RequestParseError" &&
        error.reason.reason === "BodyTooLarge",
      () => Effect.fail(new FormTooLarge()),
    ),
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new FormTooLarge()) }),
  )
})

/** The fields of a plain form, in their order. */
export const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  return [...new URLSearchParams(yield* readText(request))] satisfies Form
})

export const valueOf = (form: Form, name: string): string | undefined => form.find(([key]) => key === name)?.[1]

/** The attempt that the page was made for; a form that does not say means whichever runs. */
export const attemptOf = (form: Form): number | undefined => {
  const attempt = Number(valueOf(form, "attempt"))
  return Number.isInteger(attempt) && attempt > 0 ? attempt : undefined
}

/** The revision of an answer that a form was written on top of; undefined: it does not say. */
export const knownOf = (form: Form, question: Pick<Question, "id">): number | undefined => {
  const revision = valueOf(form, revisionField(question))
  return revision !== undefined && /^\d{1,9}$/.test(revision) ? Number(revision) : undefined
}

/** The answers in a form, and those that are longer than is kept: cutting them would lose what nobody knows of. */
export const answersOf = (questions: ReadonlyArray<Question>, form: Form, limit: number) => {
  const all = decodeAnswers(questions, form)
  const isLong = ({ content }: AnswerRow) => content !== null && content.length > limit
  return { answers: all.filter((answer) => !isLong(answer)), tooLong: all.filter(isLong) }
}
