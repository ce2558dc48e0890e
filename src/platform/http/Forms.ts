/**
 * Reads the forms of pages, within limits of size and time. Forms that create or send something also use
 * FormIdempotency.ts.
 */
import { Effect, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { FormId, parseId } from "../../values/Ids.ts"
import type { Overloaded } from "../../values/Problem.ts"
import { ids } from "../NewIds.ts"
import { readBody } from "./BodyReader.ts"

export type Form = ReadonlyArray<readonly [string, string]>

/** Too large, or not in time. */
export class FormTooLarge extends Schema.TaggedError<FormTooLarge>()("FormTooLarge", {}) {}

/** A phone may be offline for some seconds. */
export const patience = { idle: "20 seconds", total: "2 minutes" } as const

const maxPublicForm = 65_536

/** The largest has ten. */
const maxPublicFields = 1_000

/** The largest set (500 questions, 200 requirements) has about 7,000. */
const maxFields = 10_000

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

/** Call it only for signed-in senders. */
export const readFormBytes = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(maxBody, (size) => readWithin(request, size))

export const readText = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(readFormBytes(request), (bytes) => new TextDecoder().decode(bytes))

/** Only for senders with a session or an interview link: MAX_BODY is too large for others. */
export const readForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(maxBody, (size) => readFields(request, size, maxFields, false))

export const readPublicForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(maxBody, (size) => readFields(request, Math.min(maxPublicForm, size), maxPublicFields, true))

export const isUpload = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /^multipart\/form-data/i.test(headers["content-type"] ?? "")

const [ampersand, equals, plus, percent, space] = [0x26, 0x3d, 0x2b, 0x25, 0x20]

const hex = (byte: number | undefined): number => {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/**
 * Parses application/x-www-form-urlencoded; undefined beyond `max` fields. 2 MiB of `a&` take 0.3 s, with
 * URLSearchParams 26 s (Node 24.21).
 */
export const parseForm = (body: Uint8Array, max: number): Form | undefined => {
  const fields: Array<readonly [string, string]> = []
  const decoded = Buffer.allocUnsafe(body.length)
  let end = 0
  let name: string | undefined
  let isEmpty = true
  const take = () => {
    const text = decoded.toString("utf8", 0, end)
    end = 0
    return text
  }
  for (let i = 0; i <= body.length; i++) {
    const byte = i < body.length ? body[i] : ampersand
    if (byte === undefined || byte === ampersand) {
      if (isEmpty) continue
      if (fields.length >= max) return undefined
      fields.push(name === undefined ? [take(), ""] : [name, take()])
      name = undefined
      isEmpty = true
      continue
    }
    isEmpty = false
    if (byte === equals && name === undefined) {
      name = take()
      continue
    }
    if (byte === percent) {
      const high = hex(body[i + 1])
      const low = high < 0 ? -1 : hex(body[i + 2])
      decoded[end++] = low < 0 ? percent : high * 16 + low
      if (low >= 0) i += 2
    } else decoded[end++] = byte === plus ? space : byte
  }
  return fields
}

export const valueOf = (form: Form, name: string): string | undefined => form.find(([key]) => key === name)?.[1]

/** Of a field that a form may have several times. */
export const valuesOf = (form: Form, name: string): ReadonlyArray<string> =>
  form.flatMap(([key, value]) => (key === name ? [value] : []))

/** More than any field allows. */
const maxShown = 4000

export const typed = (form: Form, name: string): string => (valueOf(form, name) ?? "").slice(0, maxShown).toWellFormed()

/** Browsers send CR LF and count it as one character. */
export const linesOf = (text: string): string => text.replaceAll("\r\n", "\n")

export const named = <A>(all: Readonly<Record<string, A>>, name: string | undefined): A | undefined =>
  name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined

/** At most nine digits; 1 for any other text. */
export const numberOf = (text: string | undefined): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 1

/** Makes a new id when the field `id` is missing or invalid. */
export const formIds = Effect.map(ids, (newId) => (form: Form): Effect.Effect<FormId> => {
  const id = parseId(FormId, valueOf(form, "id"))
  return id === undefined ? newId(FormId) : Effect.succeed(id)
})

export const retryLater = (
  response: HttpServerResponse.HttpServerResponse,
  seconds: number,
): HttpServerResponse.HttpServerResponse => HttpServerResponse.setHeader(response, "retry-after", String(seconds))

export const overloadedErrors = ({ retryAfter }: Overloaded) => ({
  "": `Too many passwords are being checked at the moment. Try again in ${retryAfter} seconds.`,
})
