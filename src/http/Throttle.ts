/** Limits how often one address may send what needs no account and costs something. In memory, each process for itself. */
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { closeAfterAnswer } from "./BodyReader.ts"
import { clientAddress } from "./ClientAddress.ts"
import * as RateLimit from "./RateLimit.ts"

/** Requests of one address in a minute. Many people may share an address, so they are far above what one person sends. */
const limits = {
  /** Forms that are sent without an account. */
  publicForm: 300,
  /** Links that nobody was given. */
  unknownLink: 120,
  /** API keys that are missing or wrong. */
  unauthorized: 300,
}

export type Throttled = keyof typeof limits

type Response = HttpServerResponse.HttpServerResponse

export class Throttle extends Context.Service<
  Throttle,
  {
    /** Counts the request; gives the seconds to wait once the limit is passed. */
    readonly count: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<number | undefined>
    /** The seconds to wait once the limit is passed, without counting. */
    readonly wait: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<number | undefined>
    /** Counts a form that needs no account before anything of it is read; answers 429 beyond the limit. */
    readonly publicForm: <E, R>(
      handler: Effect.Effect<Response, E, R>,
    ) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>
    /** Answers 429 without asking the handler while the address has passed the limit of unknown links. */
    readonly link: <E, R>(
      handler: Effect.Effect<Response, E, R>,
    ) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>
  }
>()("interview-invitations/http/Throttle") {
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
