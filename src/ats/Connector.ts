/**
 * The contract of a connector: the calls that a hiring system makes, and the requests that are sent to it. A connector is
 * one file; it translates, and leaves everything else to Orders, the routes and the queue of reports.
 */
import type { Effect, Schema } from "effect"
import type { OutboundRequest } from "../platform/outbound/OutboundClient.ts"
import type { Answered, Failed } from "../platform/outbound/OutboundResult.ts"
import type { OrderId } from "../values/Ids.ts"
import type { Connected } from "./Connection.ts"
import type { HiringSystem } from "./HiringSystem.ts"
import type { OrderFacts } from "./Order.ts"
import type { Orders } from "./Orders.ts"

/**
 * How the hiring system's calls are authenticated:
 *
 * - Basic: the connection's key is the user name.
 * - Bearer: the connection's key is the token.
 * - Signature: `sign` of the body with the vendor's credential `secret` is in the header. The address has the
 *   connection's id, because the call has no key: /hiring-systems/<system>/<id>/<path>.
 */
export type Authentication =
  | { readonly _tag: "Basic" }
  | { readonly _tag: "Bearer" }
  | {
      readonly _tag: "Signature"
      readonly header: string
      readonly secret: string
      readonly sign: (secret: string, body: Uint8Array) => string
    }

/** What an administrator copies from the hiring system. */
export interface CredentialField {
  readonly name: string
  readonly label: string
  /** Where it is found, for people. */
  readonly help: string
  /** The values that it may have; undefined: any text, which is secret. */
  readonly options?: ReadonlyArray<string>
}

/** `key`: the connection's, which the hiring system calls with. `vendor`: values of the fields that were entered, by name. */
export interface Credentials {
  readonly key: string
  readonly vendor: Readonly<Record<string, string>>
}

export interface CallRequest {
  readonly query: Readonly<Record<string, string | undefined>>
  /** Undefined: a GET. */
  readonly body: unknown
  /** The vendor's credentials; empty unless the call is signed. */
  readonly vendor: Credentials["vendor"]
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

/** `url` without an origin is below the connector's `api`. */
export type VendorRequest = OutboundRequest

export interface Report {
  readonly facts: OrderFacts
  /** The submission's page in the workspace. */
  readonly page: string
  readonly credentials: Credentials
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Refused requests are answered as Failed. */
export type Ask = (request: VendorRequest) => Effect.Effect<Answered | Failed>

/** `status`: HTTP, null: no answer; `error` null: it succeeded; `retryAfter`: as in Answered. */
export interface Outcome {
  readonly status: number | null
  readonly error: string | null
  readonly retryAfter?: string | undefined
}

export interface Connector {
  readonly system: HiringSystem
  readonly authentication: Authentication
  readonly credentials: ReadonlyArray<CredentialField>
  readonly calls: ReadonlyArray<Call>
  /** Origin and path prefix of the vendor's API, which relative URLs of requests follow; undefined: all are absolute. */
  readonly api?: string
  /** Host names to which requests may be sent: a name, or a suffix that begins with a dot. */
  readonly hosts: ReadonlyArray<string>
  /** Undefined: there is nothing to send. */
  readonly report: (report: Report) => VendorRequest | undefined
  /** Why the hiring system refused a report that it answered with 2xx; undefined: it did not. */
  readonly refusal?: (body: string) => string | undefined
  /** A request that changes nothing and succeeds with working credentials. Undefined: the vendor documents none. */
  readonly test?: (credentials: Credentials) => VendorRequest
  /** Tells the hiring system of the sets and asks it for orders: hourly, and after a change of the sets. */
  readonly synchronize?: (
    connection: Connected,
    credentials: Credentials,
    ask: Ask,
  ) => Effect.Effect<Outcome, never, Orders>
}
