/** Reads forms within limits of size and time. */
import { Effect, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
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
