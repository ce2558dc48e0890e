/**
 * The contract of a connector: the calls that it answers, and the requests that are sent to the hiring system. A connector
 * is one file and only translates. Orders, the routes and the report queue do everything else.
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
 * - Signature: the header has what `sign` returns for the body and the vendor's credential that `secret` names. The address
 *   contains the connection's id, because the call has no key: /hiring-systems/<system>/<id>/<path>.
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

/**
 * A credential that an administrator copies from the hiring system. Required: reports wait until it is entered, also those of
 * connections that exist when a connector gets a new field.
 */
export interface CredentialField {
  readonly name: string
  readonly label: string
  /** Shown to users: where to find the credential. */
  readonly help: string
  /** The allowed values. Undefined: any text. */
  readonly options?: ReadonlyArray<string>
  /** The text is not secret: it is shown again. */
  readonly isKnown?: true
}

/** `key`: the connection's key, which the hiring system sends in its calls. `vendor`: the entered values by field name. */
export interface Credentials {
  readonly key: string
  readonly vendor: Readonly<Record<string, string>>
}

export interface CallRequest {
  readonly query: Readonly<Record<string, string | undefined>>
  /** Undefined for GET. */
  readonly body: unknown
  /** The vendor's credentials; empty unless the call is signed. */
  readonly vendor: Credentials["vendor"]
}

/** `error`: the error for the log of exchanges; undefined: none. */
export interface CallAnswer {
  readonly status: number
  readonly body: Schema.Json
  readonly order?: OrderId
  readonly error?: string
}

export interface Call {
  readonly method: "GET" | "POST"
  /** The vendor's name of the call, for people; undefined: the path. */
  readonly name?: string
  /** The end of the call's address; also the operation's name in the log of exchanges. */
  readonly path: string
  readonly answer: (orders: Orders["Service"], connection: Connected, request: CallRequest) => Effect.Effect<CallAnswer>
}

/** A `url` that begins with a slash is appended to the connector's `api`. */
export type VendorRequest = OutboundRequest

export interface Report {
  readonly facts: OrderFacts
  /** The submission's page in the workspace. */
  readonly page: string
  readonly credentials: Credentials
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Sends a request. Returns Failed without sending it if the address is not allowed. */
export type Ask = (request: VendorRequest) => Effect.Effect<Answered | Failed>

/** `status`: the HTTP status; null: no response. `error` null: the request succeeded. `retryAfter`: as in Answered. */
export interface Outcome {
  readonly status: number | null
  readonly error: string | null
  readonly retryAfter?: string | undefined
  /** For the log: what did not work although the request succeeded. */
  readonly warning?: string
}

export interface Connector {
  readonly system: HiringSystem
  readonly authentication: Authentication
  readonly credentials: ReadonlyArray<CredentialField>
  readonly calls: ReadonlyArray<Call>
  /** Origin and path prefix of the vendor's API, for relative URLs of requests. Undefined: all URLs are absolute. */
  readonly api?: string
  /** The hosts to which requests may be sent: names, or suffixes that begin with a dot. */
  readonly hosts: ReadonlyArray<string>
  /** The body of an answer that refuses a call. `message`: a sentence. */
  readonly errorBody: (message: string, status: number) => Schema.Json
  /** The request that reports an order. Undefined: there is nothing to send. */
  readonly report: (report: Report) => VendorRequest | undefined
  /** Whether an answer with 2xx refuses the request. `body`: parsed; undefined: it is not JSON. */
  readonly isRefused?: (body: unknown) => boolean
  /** A request that changes nothing and succeeds if the credentials are valid. Undefined: the vendor documents none. */
  readonly test?: (credentials: Credentials) => VendorRequest
  /** Sends the interview sets and fetches open orders: every hour, and after an interview set changes. */
  readonly synchronize?: (
    orders: Orders["Service"],
    connection: Connected,
    credentials: Credentials,
    ask: Ask,
  ) => Effect.Effect<Outcome>
}
