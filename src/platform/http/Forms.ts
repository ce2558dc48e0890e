/** Reads forms within limits of size and time, and the answers in forms of the candidate's pages. */
import { Effect, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import type { Question } from "../../interview-sets/InterviewSet.ts"
import { decodeAnswers, revisionField } from "../../interviews/AnswerForm.ts"
import type { AnswerRow } from "../../interviews/AnswerRepository.ts"
import { readBody } from "./BodyReader.ts"
import { type Form, parseForm } from "./FormFields.ts"

/** The form is larger than its limit, or did not arrive in time. */
export class FormTooLarge extends Schema.TaggedError<FormTooLarge>()("FormTooLarge", {}) {}

/** The deadlines of a form. A phone may lose its connection for some seconds. */
export const patience = { idle: "20 seconds", total: "2 minutes" } as const

/** The maximum number of bytes in a form without an account. */
const maxPublicForm = 65_536

/** The maximum number of fields in a form without an account. The largest such form has ten. */
const maxPublicFields = 1_000

/** The maximum number of fields in any other form. The largest set, 500 questions and 200 requirements, has about 7,000. */
const maxFields = 10_000

/** The bytes of a form as they were sent, at most `maxBytes`. */
const readWithin = (request: HttpServerRequest.HttpServerRequest, maxBytes: number, isPublic = false) =>
  readBody(request, { ...patience, maxBytes, isPublic }).pipe(
    Effect.catchTags({
      BodyTooLarge: () => Effect.fail(new FormTooLarge()),
      BodyTooSlow: () => Effect.fail(new FormTooLarge()),
    }),
  )

const readFields = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number,
  fields: number,
  isPublic: boolean,
) {
  const form = parseForm(yield* readWithin(request, maxBytes, isPublic), fields)
  return form ?? (yield* new FormTooLarge())
})

const maxBody = Effect.map(HttpIncomingMessage.MaxBodySize, (size) => Number(size ?? Number.POSITIVE_INFINITY))

/** A form of any type as text. */
export const readText = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(
    Effect.flatMap(maxBody, (size) => readWithin(request, size)),
    (bytes) => new TextDecoder().decode(bytes),
  )

/** Reads the fields of a form, in order. Check the sender first: the limit is MAX_BODY, too large for unknown senders. */
export const readForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(maxBody, (size) => readFields(request, size, maxFields, false))

/** Reads the fields of a form that needs no account. */
export const readPublicForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(maxBody, (size) => readFields(request, Math.min(maxPublicForm, size), maxPublicFields, true))

/** True for multipart/form-data, the type of forms with files. */
export const isUpload = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /^multipart\/form-data/i.test(headers["content-type"] ?? "")

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
