/** Endpoints and deliveries as people read them; scripts read the records themselves (`--json`). */
import type { EndpointId } from "../values/Ids.ts"
import type { DeliveryRow } from "../webhooks/DeliveryRepository.ts"
import type { EndpointView } from "../webhooks/Endpoints.ts"
import { lines, table } from "./CommandKit.ts"

/** Who switched an endpoint off: a person, or its failures. */
export const statusOf = ({ deactivated_at, status }: Pick<EndpointView, "deactivated_at" | "status">): string => {
  if (status === "active") return "active"
  return deactivated_at === null ? "disabled" : "deactivated"
}

export const endpointTable = (endpoints: ReadonlyArray<EndpointView>): string =>
  table(
    endpoints.map((endpoint) => ({
      id: endpoint.id,
      status: statusOf(endpoint),
      failures: endpoint.consecutive_failures,
      "last success": endpoint.last_success_at,
      "last error": endpoint.last_error,
      url: endpoint.url,
      name: endpoint.name,
      events: endpoint.events,
    })),
    "no webhook endpoints",
  )

/** What is parked, and how it goes on. */
export const parkedHint = (id: EndpointId, parked: number): string =>
  parked === 0 ? "" : `\n${parked} parked: webhook enable ${id} --send-parked sends them`

/** The reason why an endpoint's deliveries are parked; empty for an active endpoint. */
export const inactiveHint = (status: EndpointView["status"], lastError: string | null): string =>
  status === "active" ? "" : `\nthe endpoint is inactive${lastError === null ? "" : `; its last error: ${lastError}`}`

const eventOf = ({ event_status, event_type }: DeliveryRow) =>
  event_type === null ? null : `${event_type}.${event_status}`

/** Newest first; `before` leads to the next ones. */
export const deliveryTable = (deliveries: ReadonlyArray<DeliveryRow>, before: string | null): string => {
  const rows = deliveries.map((delivery) => ({
    id: delivery.id,
    state: delivery.state,
    attempts: delivery.attempts,
    created: delivery.created_at,
    "next attempt": delivery.due_at,
    "sent again": delivery.resent_at,
    event: eventOf(delivery),
    "last answer": delivery.attempt_log.at(-1)?.error ?? delivery.attempt_log.at(-1)?.status ?? null,
  }))
  return table(rows, "no deliveries") + (before === null ? "" : `\nmore: --before ${before}`)
}

/** One delivery, then its attempts one by one. */
export const deliveryText = (delivery: DeliveryRow): string => {
  const head = lines({
    id: delivery.id,
    endpoint: delivery.endpoint_id,
    event: eventOf(delivery),
    event_id: delivery.event_id,
    state: delivery.state,
    created: delivery.created_at,
    "next attempt": delivery.due_at,
    finished: delivery.finished_at,
    "sent again": delivery.resent_at,
    attempts: delivery.attempts,
  })
  const attempts = delivery.attempt_log.map(({ answer, at, duration_ms, error, status }, i) =>
    lines({ attempt: i + 1, at, status, duration: `${duration_ms} ms`, error, answer }),
  )
  return [head, ...attempts].join("\n\n")
}
