/** What the pages of webhooks need of a visit: which endpoint, how it is, what was done on the page before. */
import { Clock, Effect, Schema } from "effect"
import { countText } from "../accounts/pages/WorkspacePage.ts"
import type { WorkspaceRequest } from "../accounts/Workspace.ts"
import { Config } from "../config/Config.ts"
import type { Notice } from "../platform/http/FormControls.ts"
import { named, numberOf } from "../platform/http/Forms.ts"
import { EndpointId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { Endpoints } from "./Endpoints.ts"

const deliveries = (count: number) => countText(count, "delivery is", "deliveries are")

/** What a step says on the page that it leads to; of some it tells how many. */
const notices: Readonly<Record<string, (count: number | undefined) => string>> = {
  added: () => "The webhook was added. Put its secret where your system keeps secrets, then send it a test.",
  saved: () => "What you changed was saved.",
  deleted: () => "The webhook was deleted: nothing more is sent to it.",
  gone: () => "There is no such webhook: it was deleted before.",
  disabled: () => "The webhook is inactive: what happens from now on is parked.",
  enabled: (count) =>
    `The webhook is active again.${count === undefined ? "" : ` ${deliveries(count)} on the way that ${count === 1 ? "was" : "were"} parked.`}`,
  unparked: (count = 0) => (count === 0 ? "Nothing was parked any more." : `${deliveries(count)} on the way.`),
  regenerated: () => "There is a new secret, and it signs already. Put it where your system keeps secrets.",
  removed: () => "The old secret was removed: the new one signs alone.",
  resent: () => "It is on the way again, as this new delivery.",
  again: () => "It was sent again before.",
  failed: (count = 0) =>
    count === 0 ? "Nothing was left to be sent again." : `${deliveries(count)} on the way again.`,
}

export const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const count = query("count")
  const text = named(notices, query("done"))?.(count === undefined ? undefined : numberOf(count))
  return text === undefined ? undefined : { text }
}

const readId = Schema.decodeOption(EndpointId)

export const makeVisited = Effect.gen(function* () {
  const { webhookDeactivateAfter } = yield* Config
  const endpoints = yield* Endpoints
  const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const unknown = new NotFound({ record: "webhook" })

  /** The id that the path names. */
  const idOf = ({ param }: WorkspaceRequest) => Effect.mapError(Effect.fromOption(readId(param("id"))), () => unknown)
  /** The endpoint that the path names. */
  const find = (visit: WorkspaceRequest) =>
    Effect.flatMap(idOf(visit), (id) => Effect.mapError(endpoints.show(visit.member.organizationId, id), () => unknown))

  return {
    now,
    idOf,
    find,
    /** The same, with how many deliveries are parked for it. */
    withParked: (visit: WorkspaceRequest) =>
      Effect.flatMap(find(visit), (endpoint) =>
        Effect.map(endpoints.parked(visit.member.organizationId, endpoint.id), (parked) => ({ endpoint, parked })),
      ),
    health: Effect.map(now, (now) => ({ now, deactivateAfter: webhookDeactivateAfter })),
  }
})
