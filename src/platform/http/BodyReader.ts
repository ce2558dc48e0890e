/** Reads request bodies within a size, a deadline and the memory budget of the process. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, type Duration, Effect, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Overloaded } from "../../values/Problem.ts"
import { clientAddress } from "./ClientAddress.ts"

export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {}) {}

export class BodyTooSlow extends Schema.TaggedError<BodyTooSlow>()("BodyTooSlow", {}) {}

export interface BodyLimits {
  readonly maxBytes: number
  readonly idle: Duration.Input
  readonly total: Duration.Input
  /** The request needs no account. */
  readonly isPublic?: boolean
}

export const ReadBody = Context.Reference<Uint8Array<ArrayBuffer> | undefined>(
  "interview-invitations/platform/http/ReadBody",
  {
    defaultValue: () => undefined,
  },
)

/** Bytes per chunk besides its content. */
const chunkOverhead = 256

export const isLongerThan = ({ headers }: HttpServerRequest.HttpServerRequest, maxBytes: number): boolean =>
  Number(headers["content-length"]) > maxBytes

export const closeAfterAnswer = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.sync(() => {
    const response = NodeHttpServerRequest.toServerResponse(request)
    if ("shouldKeepAlive" in response) response.shouldKeepAlive = false
  })

/** Fails with BodyTooSlow when `received` has not changed for `idle`. */
export const untilIdle = Effect.fnUntraced(function* (idle: Duration.Input, received: () => number) {
  for (let seen = 0; ; ) {
    yield* Effect.sleep(idle)
    const now = received()
    if (now === seen) return yield* new BodyTooSlow()
    seen = now
  }
})

/** Resumes when Node has parsed all bytes that it has read: it calls the handler when it has parsed the head. */
const untilParsed = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/**
 * Fails with BodyTooLarge or BodyTooSlow. Dies with Overloaded beyond the budget, with status 400 when the connection
 * is aborted.
 */
export const readBody = Effect.fnUntraced(
  function* (request: HttpServerRequest.HttpServerRequest, { idle, isPublic = false, maxBytes, total }: BodyLimits) {
    const known = yield* ReadBody
    if (known !== undefined) return known
    if (isLongerThan(request, maxBytes)) return yield* new BodyTooLarge()
    const account = (yield* BodyBudget).open(request, isPublic)
    const incoming = NodeHttpServerRequest.toIncomingMessage(request)
    // most bodies arrive with their head: saves 290 of 461 µs, a stream and the fibers of a race
    if (!incoming.complete) yield* untilParsed
    if (incoming.complete) {
      if (incoming.readableLength > maxBytes) return yield* new BodyTooLarge()
      yield* account.charge(incoming.readableLength)
      const whole: unknown = incoming.read()
      return whole instanceof Uint8Array ? new Uint8Array(whole) : new Uint8Array()
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

export interface BodyAccount {
  readonly charge: (bytes: number) => Effect.Effect<void>
}

interface BodyBudgetService {
  readonly open: (request: HttpServerRequest.HttpServerRequest, isPublic: boolean) => BodyAccount
}

/** Unlimited unless App.ts sets a limit. */
export const BodyBudget = Context.Reference<BodyBudgetService>("interview-invitations/platform/http/BodyBudget", {
  defaultValue: () => ({ open: () => ({ charge: () => Effect.void }) }),
})

/** Seconds; by then, idle bodies are aborted. */
const retryAfter = 10

/** Bytes, for a small MAX_BODY. */
const minTotal = 8 * 2 ** 20

/**
 * One client address may use a quarter of the budget, and all public forms together a quarter. Bytes count when they
 * arrive: a Content-Length without bytes takes no memory.
 */
export const makeBodyBudget = (maxBody: number) =>
  Effect.sync((): BodyBudgetService => {
    const total = Math.max(minTotal, 32 * maxBody)
    const share = total / 4
    const byAddress = new Map<string, number>()
    let used = 0
    let usedPublic = 0
    return {
      open: (request, isPublic) => {
        const address = clientAddress(request)
        const response = NodeHttpServerRequest.toServerResponse(request)
        let own = 0
        const add = (bytes: number) => {
          const ofAddress = (byAddress.get(address) ?? 0) + bytes
          if (ofAddress > 0) byAddress.set(address, ofAddress)
          else byAddress.delete(address)
          own += bytes
          used += bytes
          if (isPublic) usedPublic += bytes
        }
        if (!response.closed) response.once("close", () => add(-own))
        return {
          charge: (bytes) =>
            Effect.suspend(() => {
              if (response.closed) return Effect.void
              const fits =
                used + bytes <= total &&
                (byAddress.get(address) ?? 0) + bytes <= share &&
                (!isPublic || usedPublic + bytes <= share)
              return fits
                ? Effect.sync(() => add(bytes))
                : Effect.die(new Overloaded({ reason: "too many request bodies are arriving at once", retryAfter }))
            }),
        }
      },
    }
  })
