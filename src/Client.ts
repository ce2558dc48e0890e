/**
 * A typed client of the integration API, made from its contract: requests and answers are checked against the schemas
 * that the server uses, and every problem (RFC 9457) is an error with its own tag.
 *
 * ```ts
 * const program = Effect.gen(function* () {
 *   const client = yield* Client.make({ url: "https://interviews.example", apiKey: Redacted.make(key) })
 *   const { results } = yield* client.interviewSets.create({ payload: { title: "Backend Engineer" } })
 *   return results.id
 * })
 * const id = await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer)))
 * ```
 */
import { Effect, Redacted, Schedule } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "./Api.ts"

export interface ClientOptions {
  /** Where the service is, without the API's own path: https://interviews.example */
  readonly url: string | URL
  readonly apiKey: Redacted.Redacted
  /** How often a request is sent again that got no answer, 429, or a 5xx that may pass; 3 when left out. */
  readonly retries?: number
}

/** The answer to the first try is on its way: the request is known, and its answer can be had a moment later. */
const isStillRunning = ({ headers, status }: HttpClientResponse.HttpClientResponse): boolean =>
  status === 409 && headers["retry-after"] !== undefined

/** A POST without an Idempotency-Key gets one. */
const keyed = (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest =>
  request.method !== "POST" || request.headers["idempotency-key"] !== undefined
    ? request
    : HttpClientRequest.setHeader(request, "idempotency-key", globalThis.crypto.randomUUID())

/**
 * Every POST gets an Idempotency-Key, the same one each time it is sent again: whatever fails on the way, it is
 * performed once. Needs an HttpClient (FetchHttpClient.layer of effect/http, or another).
 */
export const make = Effect.fnUntraced(function* ({ apiKey, retries = 3, url }: ClientOptions) {
  return yield* HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: (client) => {
      const retrying = client.pipe(
        HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", Redacted.value(apiKey))),
        HttpClient.retryTransient({
          schedule: Schedule.exponential("250 millis").pipe(Schedule.jittered),
          times: retries,
        }),
      )
      // outside of the retries: what a client adds to its requests is added anew each time they are sent
      return HttpClient.make((request) =>
        retrying
          .execute(keyed(request))
          .pipe(Effect.repeat({ schedule: Schedule.exponential("1 second"), while: isStillRunning, times: retries })),
      )
    },
  })
})
