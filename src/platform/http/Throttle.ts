/** Limits expensive requests that need no account, by client address. Counts in memory, each process for itself. */
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { closeAfterAnswer } from "./BodyReader.ts"
import { clientAddress } from "./ClientAddress.ts"
import * as RateLimit from "./RateLimit.ts"

/** Requests of one address in a minute. The limits are far above what one person sends: many people may share an address. */
const limits = {
  /** Forms that are sent without an account. */
  publicForm: 300,
  /** Links that this service did not make. */
  unknownLink: 120,
  /** API keys that are missing or wrong. */
  unauthorized: 300,
}

export type Throttled = keyof typeof limits

type Response = HttpServerResponse.HttpServerResponse

export class Throttle extends Context.Service<
  Throttle,
  {
    /** Counts the request. Returns the seconds to wait when the limit is exceeded, else undefined. */
    readonly count: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<number | undefined>
    /** Returns the same without counting the request. */
    readonly wait: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<number | undefined>
    /** Counts a form that needs no account before its body is read; answers 429 beyond the limit. */
    readonly publicForm: <E, R>(
      handler: Effect.Effect<Response, E, R>,
    ) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>
    /** Answers 429 without running the handler when the address has exceeded the limit of unknown links. */
    readonly link: <E, R>(
      handler: Effect.Effect<Response, E, R>,
    ) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>
  }
>()("interview-invitations/platform/http/Throttle") {
  static readonly layer = Layer.sync(Throttle, () => {
    const counters = {
      publicForm: RateLimit.make(limits.publicForm),
      unknownLink: RateLimit.make(limits.unknownLink),
      unauthorized: RateLimit.make(limits.unauthorized),
    }
    const ask = (what: Throttled, request: HttpServerRequest.HttpServerRequest, cost: number) =>
      Effect.map(counters[what](clientAddress(request), cost), ({ isAllowed, resetAfter }) =>
        isAllowed ? undefined : resetAfter,
      )
    const guard =
      (what: Throttled, cost: number) =>
      <E, R>(handler: Effect.Effect<Response, E, R>) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Effect.flatMap(ask(what, request, cost), (seconds) =>
            seconds === undefined ? handler : Effect.as(closeAfterAnswer(request), tooMany(seconds)),
          ),
        )
    return Throttle.of({
      count: (what, request) => ask(what, request, 1),
      wait: (what, request) => ask(what, request, 0),
      publicForm: guard("publicForm", 1),
      link: guard("unknownLink", 0),
    })
  })
}

/** 429 as a short text: a page would cost more than the request. */
export const tooMany = (seconds: number): Response =>
  HttpServerResponse.text(`Too many requests from your address. Try again in ${seconds} seconds.\n`, {
    status: 429,
    headers: { "cache-control": "no-store", "retry-after": String(seconds) },
  })
