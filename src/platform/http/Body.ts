/** Reads the bodies of API requests; reports all validation errors at once. */
import { Effect, Option, Predicate, Result, Schema } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { sizeError } from "../../values/Json.ts"
import type { FieldError } from "../../values/Problem.ts"
import { fieldErrorsOf, maxFieldErrors, pointer } from "../../values/ValidationErrors.ts"
import { type Warning, warning } from "../../values/Warning.ts"
import { ReadBody, readBody } from "./BodyReader.ts"
import { BadRequest, ContentTooLarge, RequestTimeout, Unprocessable, UnsupportedMediaType } from "./ProblemApi.ts"
import { maxUnknownFields, unknownFields, withMisspelt } from "./UnknownFields.ts"

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

/** Reads a request, with warnings about what is ignored in it. */
export type Read<Input, E, R> = Effect.Effect<
  { readonly request: Input; readonly warnings: ReadonlyArray<Warning> },
  E,
  R
>

/** Warnings of an operation that takes no query parameters. */
const unknownParameters = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }): ReadonlyArray<Warning> => {
  const start = url.indexOf("?")
  if (start < 0) return []
  const names = [...new Set(new URLSearchParams(url.slice(start + 1)).keys())].slice(0, maxUnknownFields)
  return names.map((name) =>
    warning(pointer([name]), "unknown_parameter", "was ignored: the operation takes no query parameters"),
  )
})

type Explain = (errors: ReadonlyArray<FieldError>) => ReadonlyArray<FieldError>

/** Of requests that their schema accepted, with unknown fields: what these explain in the errors of the use case. */
const explanations = new WeakMap<HttpServerRequest.HttpServerRequest, Explain>()

/** A use case's errors, about the request that `request` read. */
export const refused = (errors: ReadonlyArray<FieldError>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (sent) =>
    Effect.fail(invalid(explanations.get(sent)?.(errors) ?? errors)),
  )

/**
 * Reads a request with warnings about what is ignored in it.
 *
 * `rules` check several fields together. Here they run only on objects that the schema refuses, so they must accept any
 * object; the use case runs them on accepted requests.
 */
export const request = <S extends Schema.ConstraintDecoder<unknown, never>>(
  schema: S,
  rules: (request: object) => ReadonlyArray<FieldError> = () => [],
) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  const unknownIn = unknownFields(schema)
  const explain = withMisspelt(schema)
  return Effect.gen(function* () {
    yield* requireJson
    const body = yield* bytes
    const tooLarge = sizeError(body)
    if (tooLarge !== undefined) return yield* invalid([tooLarge])
    const given = yield* parse(body)
    const decoded = decode(given)
    if (Result.isSuccess(decoded)) {
      const unknown = unknownIn(given)
      if (unknown.length > 0) {
        explanations.set(yield* HttpServerRequest.HttpServerRequest, (errors) => explain(given, errors))
      }
      return { request: decoded.success, warnings: [...(yield* unknownParameters), ...unknown] }
    }
    const ruleErrors = Predicate.isObject(given) ? rules(given) : []
    return yield* invalid(explain(given, merge(fieldErrorsOf(decoded.failure.issue), ruleErrors)))
  })
}

export const json = <S extends Schema.ConstraintDecoder<unknown, never>>(schema: S) =>
  Effect.map(request(schema), (read) => read.request)

/** A request without a body is read as `{}`. */
export const optionalRequest = <S extends Schema.ConstraintDecoder<unknown, never>>(schema: S) => {
  const required = request(schema)
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.gen(function* () {
    const body = yield* bytes
    if (body.length > 0) return yield* Effect.provideService(required, ReadBody, body)
    return { request: yield* Effect.orDie(decode({})), warnings: yield* unknownParameters }
  })
}

/** Of an operation that reads: its body is ignored. */
export const parameters = Effect.map(unknownParameters, (warnings) => ({ request: undefined, warnings }))

const unknownInNone = unknownFields(Schema.Struct({}))

/** Of an operation that takes no body, with warnings about its fields, if it is JSON. */
export const none = Effect.gen(function* () {
  const body = yield* bytes
  const given = body.length === 0 || sizeError(body) !== undefined ? Option.none() : yield* Effect.option(parse(body))
  return {
    request: undefined,
    warnings: [...(yield* unknownParameters), ...unknownInNone(Option.getOrUndefined(given))],
  }
})

/** As `none`, for operations without problems of bodies, such as DELETE: a body that cannot be read is ignored. */
export const surplus = Effect.catchTag(none, ["ContentTooLarge", "RequestTimeout"], () => parameters)
