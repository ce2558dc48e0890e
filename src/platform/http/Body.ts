/** Reads the bodies of API requests; reports all validation errors at once. */
import { Effect, Result, Schema } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { sizeError } from "../../values/Json.ts"
import type { FieldError } from "../../values/Problem.ts"
import { fieldErrorsOf, maxFieldErrors } from "../../values/ValidationErrors.ts"
import { ReadBody, readBody } from "./BodyReader.ts"
import { BadRequest, ContentTooLarge, RequestTimeout, Unprocessable, UnsupportedMediaType } from "./ProblemApi.ts"

const patience = { idle: "10 seconds", total: "30 seconds" } as const

const bytesOf = Effect.fnUntraced(function* (isPublic: boolean) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const maxBytes = Number((yield* HttpIncomingMessage.MaxBodySize) ?? Number.POSITIVE_INFINITY)
  return yield* readBody(request, { ...patience, maxBytes, isPublic }).pipe(
    Effect.catchTags({
      BodyTooLarge: () => Effect.fail(new ContentTooLarge({ detail: "the body is too large" })),
      BodyTooSlow: () =>
        Effect.fail(
          new RequestTimeout({
            detail: `the body did not arrive within ${patience.total}, or stopped for ${patience.idle}`,
          }),
        ),
    }),
  )
})

export const bytes = bytesOf(false)

/** Of a request whose account is not known yet. */
export const publicBytes = bytesOf(true)

const mediaType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i

const requireJson = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const type = headers["content-type"]
  const coding = headers["content-encoding"]
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    return Effect.fail(new UnsupportedMediaType({ detail: "the body must be sent without Content-Encoding" }))
  }
  return type !== undefined && mediaType.test(type.trim())
    ? Effect.void
    : Effect.fail(
        new UnsupportedMediaType({
          detail: "the body must be JSON in UTF-8, sent with Content-Type: application/json",
        }),
      )
})

const decoder = new TextDecoder("utf-8", { fatal: true })

const parse = (body: Uint8Array) =>
  Effect.try({
    try: (): unknown => JSON.parse(decoder.decode(body)),
    catch: (error) =>
      new BadRequest({
        detail: error instanceof SyntaxError ? `the body is not JSON: ${error.message}` : "the body is not valid UTF-8",
      }),
  })

export const invalid = (errors: ReadonlyArray<FieldError>) =>
  new Unprocessable({ detail: "the request has validation errors", errors })

/** One error per pointer; the first list wins. */
const merge = (...lists: ReadonlyArray<ReadonlyArray<FieldError>>): ReadonlyArray<FieldError> => {
  const byPointer = new Map<string, FieldError>()
  for (const error of lists.flat()) if (!byPointer.has(error.pointer)) byPointer.set(error.pointer, error)
  return [...byPointer.values()].slice(0, maxFieldErrors)
}

const isObject = (request: unknown): boolean =>
  typeof request === "object" && request !== null && !Array.isArray(request)

/**
 * `rules` check several fields together. Here they run only on objects that the schema refuses, so they must accept any
 * object; the use case runs them on accepted requests.
 */
export const json = <S extends Schema.ConstraintDecoder<unknown, never>>(
  schema: S,
  rules: (request: unknown) => ReadonlyArray<FieldError> = () => [],
) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return Effect.gen(function* () {
    yield* requireJson
    const body = yield* bytes
    const tooLarge = sizeError(body)
    if (tooLarge !== undefined) return yield* invalid([tooLarge])
    const request = yield* parse(body)
    const decoded = decode(request)
    if (Result.isSuccess(decoded)) return decoded.success
    const ruleErrors = isObject(request) ? rules(request) : []
    return yield* invalid(merge(fieldErrorsOf(decoded.failure.issue), ruleErrors))
  })
}

/** A request without a body is read as `{}`. */
export const optionalJson = <S extends Schema.ConstraintDecoder<unknown, never>>(schema: S) => {
  const required = json(schema)
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.gen(function* () {
    const body = yield* bytes
    if (body.length === 0) return yield* Effect.orDie(decode({}))
    return yield* Effect.provideService(required, ReadBody, body)
  })
}
