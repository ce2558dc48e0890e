/** A sample webhook receiver for `npm start`: verifies deliveries and shows them on a page. */
import { Clock, Effect, Option, Redacted, Ref, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { operator } from "../accounts/Viewer.ts"
import { Assets } from "../platform/http/Assets.ts"
import * as Body from "../platform/http/Body.ts"
import { pages } from "../platform/http/Pages.ts"
import { Samples } from "../sample/Samples.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { findWebhookFault } from "../webhooks/deliveries/WebhookVerification.ts"
import { EndpointSecrets } from "../webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../webhooks/endpoints/Endpoints.ts"
import { type Received, receiverPage } from "./pages/ReceiverPage.ts"

/** Verifies the deliveries of the sample organization, and does not show them. */
export const sampleReceiverPath = "/receiver/sample"

const maxReceived = 200
const maxUnverifiedBody = 2_000

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))
const readEnvelope = Schema.decodeUnknownOption(
  Schema.Struct({
    event_type: Schema.String,
    data: Schema.Struct({
      status: Schema.optional(Schema.String),
      score_status: Schema.optional(Schema.String),
      candidate_email: Schema.optional(Schema.String),
    }),
  }),
)

/** `now`: Unix milliseconds. */
const inspect = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  header: string | undefined,
  body: Uint8Array,
  now: number,
): Omit<Received, "number"> => {
  const invalid = findWebhookFault({ secrets: secrets.map(Redacted.value), header, body, now: Math.floor(now / 1000) })
  const text = new TextDecoder().decode(body)
  // an unverified body is truncated and not parsed: it can be built to exhaust memory
  const json = invalid === undefined ? parseJson(text) : Option.none()
  const envelope = Option.flatMap(json, readEnvelope)
  return {
    receivedAt: new Date(now),
    eventType: Option.match(envelope, { onNone: () => "no event", onSome: ({ event_type }) => event_type }),
    status: Option.match(envelope, {
      onNone: () => null,
      onSome: ({ data }) => data.status ?? data.score_status ?? null,
    }),
    candidate: Option.match(envelope, { onNone: () => null, onSome: ({ data }) => data.candidate_email || null }),
    reason: invalid?.message ?? null,
    json: Option.getOrNull(json),
    text: Option.match(json, {
      onNone: () => text.slice(0, maxUnverifiedBody),
      onSome: (value) => JSON.stringify(value, null, 2),
    }),
  }
}

const answerOf = ({ reason }: Pick<Received, "reason">) =>
  reason === null ? HttpServerResponse.empty() : HttpServerResponse.text(`${reason}\n`, { status: 401 })

const listed = (all: ReadonlyArray<Received>) =>
  HttpServerResponse.jsonUnsafe({
    results: all.map(({ eventType, json, number, reason, receivedAt, status }) => ({
      number,
      received_at: receivedAt,
      event_type: eventType,
      status,
      verified: reason === null,
      reason,
      body: json,
    })),
  })

/**
 * POST /receiver answers 204 to a delivery that is signed with the secret of an endpoint at /receiver, else 401 with the
 * reason. GET /receiver shows the newest first, with `Accept: application/json` as `{ results: [{ number, … }] }`.
 */
export const layer = ({ organizationId }: { readonly organizationId: OrganizationId }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { href } = yield* Assets
      const page = pages(href)
      const endpoints = yield* Endpoints
      const endpointSecrets = yield* EndpointSecrets
      const samples = yield* Samples
      /** Of the organization's endpoints at this path. */
      const secretsAt = Effect.fnUntraced(function* (organization: OrganizationId, path: string) {
        const all = yield* endpoints.list(operator(organization))
        const here = all.filter(({ url }) => URL.parse(url)?.pathname === path)
        const found = yield* Effect.forEach(here, ({ id }) =>
          Effect.option(endpointSecrets.read(operator(organization), id)),
        )
        return found.flatMap(Option.toArray)
      })
      const received = yield* Ref.make<ReadonlyArray<Received>>([])

      yield* router.add("POST", "/receiver", ({ headers }) =>
        Effect.gen(function* () {
          const body = yield* Body.bytes
          const one = inspect(
            yield* secretsAt(organizationId, "/receiver"),
            headers["x-webhook-signature"],
            body,
            yield* Clock.currentTimeMillis,
          )
          yield* Ref.update(received, (all) =>
            [{ number: (all[0]?.number ?? 0) + 1, ...one }, ...all].slice(0, maxReceived),
          )
          return answerOf(one)
        }),
      )

      yield* router.add("POST", sampleReceiverPath, ({ headers }) =>
        Effect.gen(function* () {
          const body = yield* Body.bytes
          const sample = yield* samples.find
          const secrets = sample === undefined ? [] : yield* secretsAt(sample.id, sampleReceiverPath)
          return answerOf(inspect(secrets, headers["x-webhook-signature"], body, yield* Clock.currentTimeMillis))
        }),
      )

      yield* router.add("GET", "/receiver", ({ headers }: HttpServerRequest.HttpServerRequest) =>
        Effect.map(Ref.get(received), (all) =>
          headers["accept"]?.includes("application/json") ? listed(all) : page(receiverPage(all)),
        ),
      )
    }),
  )
