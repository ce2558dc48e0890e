import { assert, describe, it } from "@effect/vitest"
import { listText } from "../../src/cli/CommandKit.ts"
import { deliveryList, deliveryText } from "../../src/cli/DeliveryCommands.ts"
import { endpointList, parkedHint, statusOf } from "../../src/cli/WebhookCommand.ts"
import { DeliveryId, EndpointId, EventId } from "../../src/values/Ids.ts"
import type { DeliveryRow } from "../../src/webhooks/deliveries/DeliveryRepository.ts"
import type { EndpointView } from "../../src/webhooks/endpoints/Endpoints.ts"

const at = new Date("2026-01-01T00:00:00Z")
const id = EndpointId.make("0190b5a2-7c1e-7def-8abc-0123456789ab")

const endpoint: EndpointView = {
  id,
  name: "ATS",
  url: "https://receiver.example/",
  format: "event",
  description: null,
  events: ["interview.status.update"],
  previous_secret_until: null,
  secret_since: at,
  status: "inactive",
  consecutive_failures: 15,
  last_success_at: at,
  last_failure_at: at,
  last_error: "The receiver answered 503",
  deactivated_at: at,
  inactive_reason: "failures",
  next_probe_at: null,
  failed_probes: 0,
  is_probed: false,
  is_resuming: false,
  created_at: at,
  header_names: [],
  max_per_minute: null,
  interview_set_ids: [],
  project_ids: [],
}

const delivery: DeliveryRow = {
  id: DeliveryId.make("17"),
  endpoint_id: id,
  event_id: EventId.make("0190b5a2-7c1e-7def-8abc-0123456789ac"),
  event_type: "interview.status.update",
  event_status: "completed",
  state: "failed",
  attempts: 2,
  attempt_log: [
    {
      at: "2026-01-01T00:00:00.000Z",
      status: 503,
      duration_ms: 12,
      error: "The receiver answered 503",
      answer: "a\n\u001B[2Jb",
    },
    { at: "2026-01-01T00:02:00.000Z", status: null, duration_ms: 7, error: "The connection was refused", answer: null },
  ],
  created_at: at,
  due_at: null,
  finished_at: at,
  resent_at: new Date("2026-01-02T00:00:00Z"),
  submission_id: null,
  candidate: null,
}

describe("an endpoint", () => {
  it("is disabled by a person or deactivated by the service", () => {
    assert.strictEqual(statusOf(endpoint), "deactivated")
    assert.strictEqual(statusOf({ ...endpoint, deactivated_at: null }), "disabled")
    assert.strictEqual(statusOf({ ...endpoint, status: "active", deactivated_at: null }), "active")
  })

  it("stands in a list with its last error, times as they are", () => {
    const [head, row] = listText(endpointList([endpoint])).split("\n")
    assert.match(head ?? "", /^id +status +failures +last success +last error +url +name +events$/)
    assert.match(row ?? "", /^\S+ +deactivated +15 +2026-01-01T00:00:00\.000Z +The receiver answered 503 +https/)
  })

  it("shows how to send paused deliveries, if there are any", () => {
    assert.strictEqual(parkedHint(id, 0), "")
    assert.include(parkedHint(id, 3), `3 paused: webhook enable ${id} --send-parked`)
  })
})

describe("deliveries", () => {
  it("show their state, when they were sent again, and that there are more", () => {
    const [head, row, more] = listText(deliveryList([delivery], "17")).split("\n")
    assert.match(head ?? "", /^id +state +attempts +created +next attempt +sent again +event +last response$/)
    assert.match(
      row ?? "",
      /^17 +failed +2 +2026-01-01\S+ +- +2026-01-02T00:00:00\.000Z +interview\.status\.update\.completed +The connection was refused$/,
    )
    assert.strictEqual(more, "more: --before 17")
    assert.notInclude(listText(deliveryList([delivery], null)), "more:")
    assert.strictEqual(listText(deliveryList([], null)), "no deliveries")
  })

  it("show each attempt, the response on one line without control characters", () => {
    const [head, ...attempts] = deliveryText(delivery).split("\n\n")
    assert.match(head ?? "", /^id: 17\n/)
    assert.deepStrictEqual(attempts, [
      "attempt: 1\nat: 2026-01-01T00:00:00.000Z\nstatus: 503\nduration: 12 ms\nerror: The receiver answered 503\nresponse: a\\n\\u001b[2Jb",
      "attempt: 2\nat: 2026-01-01T00:02:00.000Z\nstatus: -\nduration: 7 ms\nerror: The connection was refused\nresponse: -",
    ])
  })
})
