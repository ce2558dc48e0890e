/**
 * The contract of a connector: the calls that a hiring system makes, and the reports that are sent to it. A connector is
 * one file; it translates, and leaves everything else to Orders, the routes and the queue of reports.
 */
import type { Effect, Schema } from "effect"
import type { OutboundRequest } from "../platform/outbound/OutboundClient.ts"
import type { OrderId } from "../values/Ids.ts"
import type { Connected } from "./Connection.ts"
import type { HiringSystem } from "./HiringSystem.ts"
import type { OrderFacts } from "./Order.ts"
import type { Orders } from "./Orders.ts"

export interface CallRequest {
  readonly query: Readonly<Record<string, string | undefined>>
  /** Undefined: a GET. */
  readonly body: unknown
}

/** `error`: why the call was refused, for the log of exchanges; undefined: it was not. */
export interface CallAnswer {
  readonly status: number
  readonly body: Schema.Json
  readonly order?: OrderId
  readonly error?: string
}

export interface Call {
  readonly method: "GET" | "POST"
  /** Below /hiring-systems/<system>/; also the operation's name in the log of exchanges. */
  readonly path: string
  readonly answer: (connection: Connected, request: CallRequest) => Effect.Effect<CallAnswer, never, Orders>
}

export interface Connector {
  readonly system: HiringSystem
  readonly calls: ReadonlyArray<Call>
  /** Host names to which reports may be sent: a name, or a suffix that begins with a dot. */
  readonly hosts: ReadonlyArray<string>
  /** Undefined: there is nothing to send. `key`: the connection's. */
  readonly report: (order: OrderFacts, key: string) => OutboundRequest | undefined
}
