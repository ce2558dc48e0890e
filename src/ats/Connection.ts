/** Connections of an organization to its hiring systems. */
import { Schema } from "effect"
import { text } from "../values/Fields.ts"
import type { ConnectionId, OrganizationId } from "../values/Ids.ts"
import { HiringSystem } from "./HiringSystem.ts"

/** paused: calls are refused, and reports wait. */
export const ConnectionStatus = Schema.Literals(["active", "paused"])
export type ConnectionStatus = typeof ConnectionStatus.Type

export interface Connection {
  readonly id: ConnectionId
  readonly system: HiringSystem
  readonly name: string
  readonly status: ConnectionStatus
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** The last accepted call; ISO 8601, UTC. */
  readonly last_used_at: string | null
  readonly orders: number
  /** Reports that wait: of a paused connection all of them. */
  readonly waiting: number
  /** Reports that were not delivered; a later change of the order is reported again. */
  readonly failed: number
}

/** A connection that has authenticated a call. */
export interface Connected {
  readonly id: ConnectionId
  readonly organizationId: OrganizationId
  readonly system: HiringSystem
}

export const CreateConnection = Schema.Struct({
  system: HiringSystem,
  name: text(100),
  /** What the hiring system gave, by the name of the connector's field; may be completed later. */
  credentials: Schema.optional(Schema.Record(Schema.String, Schema.String)),
})

/** A call of the hiring system, or a request to it. Has no secrets, and no personal data beyond ids. */
export interface Exchange {
  readonly operation: string
  readonly order_id: string | null
  /** HTTP; null: there was no answer. */
  readonly status: number | null
  /** What went wrong, for people. */
  readonly error: string | null
}

export type ExchangeLine = Exchange & { readonly at: string }
