/** Connections of an organization to its hiring systems. */
import { Schema } from "effect"
import { withoutSecrets } from "../platform/telemetry/LogText.ts"
import { storable, text } from "../values/Fields.ts"
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
  /** The number of reports that are queued or parked. */
  readonly waiting: number
  /** The number of reports that are not retried any more; the next change of the order is reported again. */
  readonly failed: number
  /** Labels of the credentials that were not entered yet; null: no key of SECRET_KEY decrypts the stored ones. */
  readonly missing: ReadonlyArray<string> | null
  /** An administrator of the hiring system has to grant access. */
  readonly lacks_access: boolean
}

/** `credentials`: encrypted. */
export type StoredConnection = Omit<Connection, "missing" | "lacks_access"> & { readonly credentials: Uint8Array }

/** Identifies the connection of an authenticated call or of a synchronization. */
export interface Connected {
  readonly id: ConnectionId
  readonly organizationId: OrganizationId
  readonly system: HiringSystem
}

export const CreateConnection = Schema.Struct({
  system: HiringSystem,
  name: text(100),
  /** The vendor's credentials by the name of the connector's field; missing ones can be entered later. */
  credentials: Schema.optional(Schema.Record(Schema.String, Schema.String)),
})

/** A call of the hiring system, or a request to the hiring system. No secrets, and no personal data except ids. */
export interface Exchange {
  readonly operation: string
  readonly order_id: string | null
  /** The HTTP status; null: there was no response. */
  readonly status: number | null
  /** Shown to users; null: no error. */
  readonly error: string | null
}

/** Begins the log line of an order of an integration that the connection does not have; the integration's id follows. */
export const otherIntegration = "ignored an order of the integration "

const maxError = 500
const maxRead = 5_000

const asPattern = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** Vendors' texts may contain characters that Postgres does not store, email addresses, and the candidate's `names`. */
export const loggedError = (error: string | null, names: ReadonlyArray<string> = []): string | null => {
  if (error === null) return null
  const known = names.map((name) => name.trim()).filter(({ length }) => length > 1)
  const unnamed = known.reduce(
    (all, name) =>
      all.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${asPattern(name)}(?![\\p{L}\\p{N}])`, "giu"), "(candidate)"),
    withoutSecrets(storable(error.slice(0, maxRead))),
  )
  return unnamed.slice(0, maxError)
}

/** `candidate`: the name, of an exchange about an order whose candidate was not erased. */
export type ExchangeLine = Exchange & {
  readonly at: string
  readonly submission_id: string | null
  readonly candidate: string | null
}
