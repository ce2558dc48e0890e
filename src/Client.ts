/**
 * A typed client of the integration API. Checks requests and responses against the server's schemas; each
 * problem (RFC 9457) is a tagged error.
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
  /** Without the API's path: https://interviews.example */
  readonly url: string | URL
  readonly apiKey: Redacted.Redacted
  /** After no response, 429 or a transient 5xx; 3 by default. */
  readonly retries?: number
}

/** An earlier request with this Idempotency-Key is running. */
const isStillRunning = ({ headers, status }: HttpClientResponse.HttpClientResponse): boolean =>
  status === 409 && headers["retry-after"] !== undefined

const keyed = (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest =>
  request.method !== "POST" || request.headers["idempotency-key"] !== undefined
    ? request
    : HttpClientRequest.setHeader(request, "idempotency-key", globalThis.crypto.randomUUID())

/** Each POST is performed once: it has an Idempotency-Key, which its retries keep. */
export const make = ({ apiKey, retries = 3, url }: ClientOptions) =>
  HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: (client) => {
      const retrying = client.pipe(
        HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", Redacted.value(apiKey))),
        HttpClient.retryTransient({
          schedule: Schedule.exponential("250 millis").pipe(Schedule.jittered),
          times: retries,
        }),
      )
      // outside the retries, so that they keep the key
      return HttpClient.make((request) =>
        retrying
          .execute(keyed(request))
          .pipe(Effect.repeat({ schedule: Schedule.exponential("1 second"), while: isStillRunning, times: retries })),
      )
    },
  })
