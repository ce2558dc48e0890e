/** What happened in a simulation, as whoever looks from outside could have written it down. */
import type { Duration } from "effect"
import type { Claimed } from "../../../src/platform/queue/QueueSql.ts"
import type { ClaimId, EndpointId } from "../../../src/values/Ids.ts"
import type { DeliveryJob, DeliverySettlement } from "../../../src/webhooks/DeliveryRepository.ts"

/** A claim that was written, whether its answer arrived or not. `began` and `order` stand in one order with all others. */
export interface ClaimRecord {
  readonly pod: number
  readonly claimId: ClaimId
  readonly began: number
  readonly order: number
  readonly at: number
  readonly jobs: ReadonlyArray<DeliveryJob>
}

/** A request that reached a receiver. Its number stands in the attempt that is kept of it. */
export interface RequestRecord {
  readonly number: number
  readonly pod: number
  readonly job: DeliveryJob
  readonly at: number
  /** Our own fault ended it: there is nothing to settle. */
  died: boolean
  /** The receiver answered with a 2xx, in time. */
  acknowledged: boolean
}

/** A settlement that was written, and perhaps rolled back. */
export interface SettlementRecord {
  readonly order: number
  readonly at: number
  readonly settlements: ReadonlyArray<DeliverySettlement>
  readonly deactivated: ReadonlyArray<EndpointId>
  /** When its end was known to the process. */
  committed: number | undefined
}

/** Claims that a process gave back, or tried to. */
export interface ReleaseRecord {
  readonly pod: number
  readonly order: number
  readonly at: number
  readonly claims: ReadonlyArray<Pick<Claimed, "id" | "claim_id">>
  readonly after: Duration.Duration
  readonly written: boolean
}

/** What people did. */
export type Operation = { readonly order: number; readonly at: number; readonly endpoint: EndpointId } & (
  | { readonly kind: "enabled" | "disabled" }
  | { readonly kind: "sent parked"; readonly deliveries: ReadonlySet<string> }
)

/** When we were not at our best, and could be late. */
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
  /** What was seen to be wrong at once. */
  readonly faults: Array<string>
}

export const empty = (): Trace => ({
  claims: [],
  requests: [],
  settlements: [],
  releases: [],
  operations: [],
  disturbances: [],
  faults: [],
})

/** What receivers answer ends with it, and so does the attempt that is kept. */
export const mark = (request: number) => `#${request}`

/** Which request an attempt was. */
export const requestOf = ({ answer, error }: { readonly answer: string | null; readonly error: string | null }) => {
  const text = answer ?? error ?? ""
  return Number(text.slice(text.lastIndexOf("#") + 1))
}
