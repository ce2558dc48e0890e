import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Principal } from "../../accounts/api-keys/ApiKey.ts"
import { found, listed, performed } from "../../accounts/api-keys/OperationHandlers.ts"
import { Config } from "../../config/Config.ts"
import { conflict, notFound, unprocessable } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { pageAs } from "../../values/Cursor.ts"
import type { EndpointId } from "../../values/Ids.ts"
import { Conflict } from "../../values/Problem.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import {
  CreateEndpoint,
  type EndpointDetail,
  endpointErrors,
  RotateSecret,
  TestEndpoint,
  UpdateEndpoint,
} from "./Endpoint.ts"
import * as Contract from "./EndpointApi.ts"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { Endpoints, type EndpointView } from "./Endpoints.ts"
import { maskedValue } from "./StaticHeaders.ts"
import { TestDeliveries } from "./TestDeliveries.ts"

const timestamp = (at: Date | null): string | null => at?.toISOString() ?? null

const detailOf = (view: EndpointView): EndpointDetail => ({
  id: view.id,
  name: view.name,
  url: view.url,
  description: view.description,
  events: view.events,
  headers: view.header_names.map((name) => ({ name, value: maskedValue })),
  max_per_minute: view.max_per_minute,
  interview_set_ids: view.interview_set_ids,
  project_ids: view.project_ids,
  status: view.status,
  deactivated_at: timestamp(view.deactivated_at),
  inactive_reason: view.inactive_reason,
  next_probe_at: timestamp(view.next_probe_at),
  consecutive_failures: view.consecutive_failures,
  last_success_at: timestamp(view.last_success_at),
  last_failure_at: timestamp(view.last_failure_at),
  last_error: view.last_error,
  secret_since: view.secret_since.toISOString(),
  previous_secret_until: timestamp(view.previous_secret_until),
  created_at: view.created_at.toISOString(),
})

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.WebhookEndpoints),
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* Endpoints
    const endpointSecrets = yield* EndpointSecrets
    const deliveries = yield* Deliveries
    const testDeliveries = yield* TestDeliveries
    const { outboundAllow } = yield* Config
    /** Checks for conflicts before the first change. */
    const update = Effect.fnUntraced(function* (principal: Principal, given: EndpointId, change: UpdateEndpoint) {
      const { end_old_secret, send_parked, status, ...fields } = change
      const { id, next_probe_at, status: statusBefore } = yield* endpoints.show(principal, given)
      const sendsParked = send_parked === true
      if (sendsParked && (status ?? statusBefore) !== "active") {
        return yield* new Conflict({ reason: "the webhook endpoint is inactive: set its status to active" })
      }
      yield* endpoints.update(principal, id, fields)
      const endsProbes = status === "inactive" && next_probe_at !== null
      // an unchanged status gets no audit entry
      if (status != null && (status !== statusBefore || endsProbes)) {
        yield* status === "active" ? endpoints.enable(principal, id) : endpoints.disable(principal, id)
      }
      if (end_old_secret === true) yield* endpointSecrets.removePrevious(principal, id)
      if (sendsParked) yield* deliveries.sendParked(principal, id)
      return yield* endpoints.show(principal, id)
    })

    const errorsOf = (request: object) => endpointErrors(request, outboundAllow)
    const creation = Body.request(CreateEndpoint, errorsOf)
    const changeRequest = Body.request(UpdateEndpoint, errorsOf)
    const chosenEvent = Body.optionalRequest(TestEndpoint)
    const rotation = Body.optionalRequest(RotateSecret)
    const withSecret = (view: EndpointView, secret: Redacted.Redacted) => ({
      ...detailOf(view),
      secret: Redacted.value(secret),
    })
    const unreadable = ({ message }: { readonly message: string }) => conflict(new Conflict({ reason: message }))
    return handlers
      .handleRaw(
        "create",
        performed(creation, (principal, request) =>
          Effect.gen(function* () {
            const { id, secret } = yield* endpoints.create(principal, request)
            return withSecret(yield* Effect.orDie(endpoints.show(principal, id)), secret)
          }).pipe(Effect.catchTag("Invalid", unprocessable)),
        ),
      )
      .handleRaw(
        "update",
        performed(changeRequest, (principal, request, { params }) =>
          update(principal, params.id, request).pipe(
            Effect.map(detailOf),
            Effect.catchTags({
              Conflict: conflict,
              Invalid: unprocessable,
              NotFound: notFound,
              UnreadableSecret: unreadable,
            }),
          ),
        ),
      )
      .handleRaw(
        "rotateSecret",
        performed(rotation, (principal, { end_old_secret }, { params: { id } }) =>
          Effect.gen(function* () {
            const secret = yield* endpointSecrets.regenerate(principal, id, { endsOld: end_old_secret === true })
            return withSecret(yield* endpoints.show(principal, id), secret)
          }).pipe(Effect.catchTags({ Conflict: conflict, NotFound: notFound })),
        ),
      )
      .handleRaw(
        "test",
        performed(chosenEvent, (principal, { event }, { params }) =>
          testDeliveries.send(principal, params.id, event ?? undefined).pipe(
            Effect.map((sent) => ({ delivered: sent.attempt.error === null, ...sent })),
            Effect.catchTags({ Invalid: unprocessable, NotFound: notFound, UnreadableSecret: unreadable }),
          ),
        ),
      )
      .handleAll({
        list: listed("webhook-endpoints", (principal, _, page) =>
          Effect.map(endpoints.listPage(principal, page), pageAs(detailOf)),
        ),
        read: found((principal, { params }) => Effect.map(endpoints.show(principal, params.id), detailOf)),
        remove: performed(Body.surplus, (principal, _, { params }) =>
          endpoints.remove(principal, params.id).pipe(
            Effect.map((id) => ({ id, deleted: true as const })),
            Effect.catchTag("NotFound", notFound),
          ),
        ),
      })
  }),
)
