/** Shared by the webhook pages: the endpoint in the path, and notices. */
import { DateTime, Duration, Effect } from "effect"
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import type { WorkspaceRequest } from "../../accounts/Workspace.ts"
import { Config } from "../../config/Config.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { named, numberOf } from "../../platform/http/Forms.ts"
import { EndpointId, requireId } from "../../values/Ids.ts"
import { NotFound } from "../../values/Problem.ts"
import { Endpoints } from "./Endpoints.ts"
import type { Health } from "./pages/EndpointPage.ts"

const deliveries = (count: number) => countText(count, "delivery", "deliveries")

const notices: Readonly<Record<string, (count: number | undefined) => string>> = {
  added: () => "The webhook was added. Store its secret in your system, then send a test.",
  channel: () => "The channel was added. Send a test to see whether messages arrive.",
  saved: () => "Your changes were saved.",
  deleted: () => "The webhook was deleted. Nothing more is sent to it.",
  gone: () => "This webhook was already deleted.",
  disabled: () => "The webhook was deactivated. New deliveries are paused.",
  enabled: (count) =>
    `The webhook was activated.${count === undefined ? "" : ` Sending ${deliveries(count)} that had been paused.`}`,
  unparked: (count = 0) => (count === 0 ? "There were no paused deliveries." : `Sending ${deliveries(count)}.`),
  regenerated: () => "The new secret was created. It signs from now on: store it in your system.",
  removed: () => "The old secret was removed. Only the new one signs now.",
  resent: () => "The event was sent again, as this new delivery.",
  due: () => "The next attempt is due now. This page shows its result.",
  again: () => "This delivery was already sent again.",
  failed: (count = 0) =>
    count === 0 ? "There were no failed deliveries to send again." : `Sending ${deliveries(count)} again.`,
}

export const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const count = query("count")
  const text = named(notices, query("done"))?.(count === undefined ? undefined : numberOf(count))
  return text === undefined ? undefined : { text }
}

const unknown = new NotFound({ record: "webhook" })

export const endpointIdOf = ({ param }: WorkspaceRequest) => requireId(EndpointId, param("id"), "webhook")

export const makeEndpointRequests = Effect.gen(function* () {
  const { webhookDeactivateAfter: deactivateAfter, webhookProbeFor } = yield* Config
  const endpoints = yield* Endpoints
  const probesFor = Duration.toMillis(webhookProbeFor)

  const health = Effect.map(DateTime.nowAsDate, (now): Health => ({ now, deactivateAfter, probesFor }))

  const findEndpoint = Effect.fnUntraced(function* (request: WorkspaceRequest) {
    const id = yield* endpointIdOf(request)
    return yield* Effect.mapError(endpoints.show(request.member, id), () => unknown)
  })

  const findWithParked = Effect.fnUntraced(function* (request: WorkspaceRequest) {
    const endpoint = yield* findEndpoint(request)
    return { endpoint, parked: yield* endpoints.parked(request.member, endpoint.id) }
  })

  return { health, findEndpoint, findWithParked }
})
