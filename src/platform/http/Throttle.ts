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

export class Throttle extends Context.Service<Throttle>()("interview-invitations/platform/http/Throttle", {
  make: Effect.sync(() => {
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
    return {
      /** Returns the seconds to wait beyond the limit. */
      count: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => ask(what, request, 1),
      /** As `count`, without counting. */
      wait: (what: Throttled, request: HttpServerRequest.HttpServerRequest) => ask(what, request, 0),
      /** Counts a form before its body is read. */
      publicForm: guard("publicForm", 1),
      link: guard("unknownLink", 0),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** A page would cost more than the request. */
export const tooMany = (seconds: number): Response =>
  HttpServerResponse.text(`Too many requests from your address. Try again in ${seconds} seconds.\n`, {
    status: 429,
    headers: { "cache-control": "no-store", "retry-after": String(seconds) },
  })
