/** Limits requests without an account by client address, in each process. */
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { closeAfterAnswer } from "./BodyReader.ts"
import { clientAddress } from "./ClientAddress.ts"
import * as RateLimit from "./RateLimit.ts"

/** Requests per address and minute. Many people may share an address. */
const limits = {
  publicForm: 300,
  unknownLink: 120,
  unauthorized: 300,
}

export type Throttled = keyof typeof limits

type Response = HttpServerResponse.HttpServerResponse

export class Throttle extends Context.Service<
  Throttle,
  {
    /** Returns the seconds to wait beyond the limit. */
    readonly count: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<number | undefined>
    /** As `count`, without counting. */
    readonly wait: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<number | undefined>
    /** Counts a form before its body is read. */
    readonly publicForm: <E, R>(
      handler: Effect.Effect<Response, E, R>,
    ) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>
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

/** A page would cost more than the request. */
export const tooMany = (seconds: number): Response =>
  HttpServerResponse.text(`Too many requests from your address. Try again in ${seconds} seconds.\n`, {
    status: 429,
    headers: { "cache-control": "no-store", "retry-after": String(seconds) },
  })
