/** The record of a simulation, for the checks. */
import type { Duration } from "effect"
import type { Claimed } from "../../../src/platform/queue/QueueSql.ts"
import type { ClaimId, EndpointId } from "../../../src/values/Ids.ts"
import type { DeliveryJob } from "../../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import type { DeliverySettlement } from "../../../src/webhooks/deliveries/DeliverySettlementRepository.ts"

/** A committed claim, even if its response was lost. `began` and `order` number its start and end. */
export interface ClaimRecord {
  readonly pod: number
  readonly claimId: ClaimId
  readonly began: number
  readonly order: number
  readonly at: number
  readonly jobs: ReadonlyArray<DeliveryJob>
}

/** A request that reached a receiver. The stored attempt contains its number. */
export interface RequestRecord {
  readonly number: number
  readonly pod: number
  readonly job: DeliveryJob
  readonly at: number
  /** The sender failed, so the request is not an attempt. */
  died: boolean
  /** The receiver responded with a 2xx in time. */
  acknowledged: boolean
}

/** A settlement, which may have been rolled back. */
export interface SettlementRecord {
  readonly order: number
  readonly at: number
  readonly settlements: ReadonlyArray<DeliverySettlement>
  readonly deactivated: ReadonlyArray<EndpointId>
  /** The order of its commit; undefined when the process saw none. */
  committed: number | undefined
}

/** Claims that a process released; `written` is false when that failed. */
export interface ReleaseRecord {
  readonly pod: number
  readonly order: number
  readonly at: number
  readonly claims: ReadonlyArray<Pick<Claimed, "id" | "claim_id">>
  readonly after: Duration.Duration
  readonly written: boolean
}

export type Operation = { readonly order: number; readonly at: number; readonly endpoint: EndpointId } & (
  | { readonly kind: "enabled" | "disabled" }
  | { readonly kind: "sent parked"; readonly deliveries: ReadonlySet<string> }
)

/** A period in which faults may delay claims. */
export interface Disturbance {
  readonly from: number
  readonly until: number
}

export interface Trace {
  readonly claims: Array<ClaimRecord>
  readonly requests: Array<RequestRecord>
  readonly settlements: Array<SettlementRecord>
  readonly releases: Array<ReleaseRecord>
  readonly operations: Array<Operation>
  readonly disturbances: Array<Disturbance>
  readonly violations: Array<string>
}

export const empty = (): Trace => ({
  claims: [],
  requests: [],
  settlements: [],
  releases: [],
  operations: [],
  disturbances: [],
  violations: [],
})

/** The end of a response and of its stored attempt: the request's number. */
export const mark = (request: number) => `#${request}`

export const requestOf = ({ answer, error }: { readonly answer: string | null; readonly error: string | null }) => {
  const text = answer ?? error ?? ""
  return Number(text.slice(text.lastIndexOf("#") + 1))
}
