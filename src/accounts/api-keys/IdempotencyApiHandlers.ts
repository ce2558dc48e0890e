import { Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { unauthorized, withHeaders } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { ReadBody } from "../../platform/http/BodyReader.ts"
import { Idempotency as Service } from "../../platform/http/Idempotency.ts"
import {
  Conflict,
  IdempotencyKeyReused,
  NotFound,
  RequestInProgress,
  Unprocessable,
} from "../../platform/http/ProblemApi.ts"
import { CurrentPrincipal } from "./AuthenticationApi.ts"
import { HasSecret, Idempotency, idempotencyKey } from "./IdempotencyApi.ts"

const reused = new IdempotencyKeyReused({
  detail: "this Idempotency-Key was used for another request: send a new key with each new request",
  errors: [],
})

const running = new RequestInProgress({
  detail: "the first request with this Idempotency-Key is still running: repeat it in a moment",
})

const lost = new Conflict({
  detail:
    "the request with this Idempotency-Key was performed, but its response can no longer be decrypted: read the record, and use a new key for the next request",
})

const erased = new Conflict({
  code: "conflict",
  detail:
    "the request with this Idempotency-Key was performed, and a person of it was erased since: it is not performed again. Send a new key with a new request",
})

const malformed = Body.invalid([
  {
    pointer: "#/Idempotency-Key",
    code: "invalid",
    message: "must have 1 to 255 visible ASCII characters (it is a header of the request)",
  },
])

/** Malformed requests are not stored, so a corrected one may reuse the key. */
const isStored = (problem: unknown): problem is NotFound | Conflict | Unprocessable =>
  problem instanceof NotFound || problem instanceof Conflict || problem instanceof Unprocessable

const text = new TextDecoder()

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? text.decode(body.body) : ""

export const layer = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const idempotency = yield* Service
    const { digest } = yield* Digest.Digest
    return Idempotency.of(
      Effect.fnUntraced(function* (handler, { endpoint }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = request.headers["idempotency-key"]
        if (key === undefined) return yield* handler
        if (!idempotencyKey.test(key)) return yield* malformed
        const { apiKeyId, organizationId } = yield* CurrentPrincipal
        const body = yield* Body.bytes
        const target = new TextEncoder().encode(`${request.method} ${request.url}\n`)
        const requestHash = yield* digest(Digest.sha256, Buffer.concat([target, body]))
        const perform = handler.pipe(
          Effect.provideService(ReadBody, body),
          Effect.catch((problem) =>
            isStored(problem) ? HttpServerRespondable.toResponse(problem) : Effect.fail(problem),
          ),
          Effect.map((response) => ({ status: response.status, body: bodyOf(response) })),
        )
        const use = { apiKeyId, organizationId, key, hasSecret: Context.get(endpoint.annotations, HasSecret) }
        const answer = yield* idempotency.once(use, requestHash, perform).pipe(
          Effect.catchTag("AnswerUnreadable", () => Effect.fail(lost)),
          Effect.catchTag("AnswerErased", () => Effect.fail(erased)),
          Effect.catchTag("KeyReused", () => Effect.fail(reused)),
          Effect.catchTag("KeyDeleted", () => unauthorized("the API key is not known")),
          Effect.catchTag("StillRunning", () =>
            Effect.andThen(withHeaders({ "retry-after": "1" }), Effect.fail(running)),
          ),
        )
        return HttpServerResponse.text(answer.body, {
          status: answer.status,
          contentType: answer.status < 400 ? "application/json" : "application/problem+json",
          headers: answer.replayed ? { "idempotency-replayed": "true" } : {},
        })
      }),
    )
  }),
)
