import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { EndpointId } from "../../src/values/Ids.ts"
import { ClaimPlan, quotasOf } from "../../src/webhooks/deliveries/ClaimPlan.ts"

const endpointOf = (n: number) => EndpointId.make(`00000000-0000-7000-8000-${String(n).padStart(12, "0")}`)
const small = (max: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: max }))
const Load = Schema.Struct({ count: small(12), max: small(12) })

it.prop(
  "quotas use the whole limit where there is room, and fill the emptiest endpoints first",
  [Schema.Array(Load), small(60)],
  ([loads, limit]) => {
    const inFlight = new Map(loads.map((load, n) => [endpointOf(n), load] as const))
    const quotas = new Map(
      quotasOf(inFlight.keys(), { inFlight, limit, maxPerEndpoint: 10 }).map(({ endpoint_id, quota }) => [
        endpoint_id,
        quota,
      ]),
    )
    const rooms = loads.map(({ count, max }) => Math.max(0, max - count))
    const room = rooms.reduce((sum, one) => sum + one, 0)
    const given = [...quotas.values()].reduce((sum, one) => sum + one, 0)
    assert.strictEqual(given, Math.min(limit, room))

    const filled = [...inFlight].map(([id, { count, max }]) => {
      const quota = quotas.get(id) ?? 0
      return { quota, load: count + quota, hasRoom: count + quota < max, room: max - count }
    })
    for (const { quota, room } of filled) assert.isAtMost(quota, Math.max(0, room))
    // no endpoint gets one that an emptier one with room lacks
    const least = Math.min(...filled.filter(({ hasRoom }) => hasRoom).map(({ load }) => load))
    for (const { load, quota } of filled) if (quota > 0) assert.isAtMost(load, least + 1)
  },
)

it("an endpoint without deliveries in flight has the room of the setting", () => {
  const quotas = quotasOf([endpointOf(1), endpointOf(2)], { inFlight: new Map(), limit: 30, maxPerEndpoint: 10 })
  assert.deepStrictEqual(
    quotas.map(({ quota }) => quota),
    [10, 10],
  )
})

it("every endpoint gets a quota in turn, also with fewer slots than endpoints and with scans of a part of them", () => {
  const plan = new ClaimPlan()
  const endpoints = Array.from({ length: 90 }, (_, n) => endpointOf(n))
  const limits = { inFlight: new Map(), limit: 10, maxPerEndpoint: 10 }
  const served = new Map<EndpointId, number>()
  const none = { jobs: [], isCrowded: true, isFull: false, pauses: new Map() }
  assert.isTrue(plan.claimed(plan.choose(limits), none, 0n))
  for (let claim = 0; claim < 54; claim++) {
    const part = endpoints.slice((claim % 3) * 30, (claim % 3) * 30 + 30)
    plan.scanned(
      part.map((endpoint_id) => ({ endpoint_id, is_due: true })),
      limits,
      BigInt(claim),
      BigInt(claim),
    )
    const choice = plan.choose(limits)
    const { quotas } = choice
    const jobs = quotas.flatMap(({ endpoint_id, quota }) => Array.from({ length: quota }, () => ({ endpoint_id })))
    for (const { endpoint_id } of jobs) served.set(endpoint_id, (served.get(endpoint_id) ?? 0) + 1)
    plan.claimed(choice, { ...none, jobs, isFull: true }, BigInt(claim))
  }
  assert.strictEqual(served.size, 90)
  for (const count of served.values()) assert.isAtLeast(count, 5)
})

it("an endpoint whose quota a full claim cut comes first, and stays in the backlog", () => {
  const plan = new ClaimPlan()
  const endpoints = [endpointOf(1), endpointOf(2), endpointOf(3)]
  const limits = { inFlight: new Map(), limit: 3, maxPerEndpoint: 10 }
  const none = { jobs: [], isCrowded: true, isFull: false, pauses: new Map() }
  plan.claimed(plan.choose(limits), none, 0n)
  plan.scanned(
    endpoints.map((endpoint_id) => ({ endpoint_id, is_due: true })),
    limits,
    0n,
    0n,
  )
  const choice = plan.choose(limits)
  // another endpoint's delivery took the last place
  const jobs = [endpointOf(9), ...endpoints.slice(0, 2)].map((endpoint_id) => ({ endpoint_id }))
  plan.claimed(choice, { ...none, jobs, isFull: true }, 0n)
  assert.isTrue(plan.isByEndpoint)
  assert.strictEqual(plan.choose(limits).quotas[0]?.endpoint_id, endpointOf(3))
})

it("after a claim that failed, the next one takes the oldest", () => {
  const plan = new ClaimPlan()
  const limits = { inFlight: new Map(), limit: 3, maxPerEndpoint: 10 }
  plan.claimed(plan.choose(limits), { jobs: [], isCrowded: true, isFull: false, pauses: new Map() }, 0n)
  plan.scanned([{ endpoint_id: endpointOf(1), is_due: true }], limits, 0n, 0n)
  assert.isTrue(plan.choose(limits).isByEndpoint)
  plan.reset()
  assert.deepStrictEqual({ ...plan.choose(limits), odd: 0 }, { isByEndpoint: false, quotas: [], known: [], odd: 0 })
})
