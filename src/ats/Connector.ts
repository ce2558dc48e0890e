/**
 * The contract of a connector: the calls that it answers, the requests that are sent to the hiring system, and the steps that
 * connect it. A connector is one file and only translates. Orders, the routes, the report queue and the pages do everything
 * else.
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
 * - Bearer: the connection's key is the token, or is in it: `token`.
 * - Signature: `isSigned` verifies the call with the credential that `secret` names. The call has no key. The address contains
 *   the connection's id, /hiring-systems/<system>/<id>/<path>, unless the body names the account at the vendor: `account`.
 */
export type Authentication =
  | { readonly _tag: "Basic" }
  | { readonly _tag: "Bearer"; readonly token?: SignedToken }
  | {
      readonly _tag: "Signature"
      readonly secret: string
      readonly isSigned: (call: SignedCall, secret: string) => boolean
      readonly account?: VendorAccount
    }

/** The customer's account at the vendor, of which one address receives the calls of all customers. */
export interface VendorAccount {
  /** The name of the credential that has the account's id. The connection holds the account once access is granted. */
  readonly credential: string
  /** The account's id in a body; undefined: it has none. The signature is not verified yet. */
  readonly of: (body: Uint8Array) => string | undefined
}

/** A token that contains the connection's key, and that the vendor signs with the credential that `secret` names. */
export interface SignedToken {
  readonly secret: string
  /** Undefined: the token contains no key. The signature is not verified yet. */
  readonly keyOf: (token: string) => string | undefined
  readonly isSigned: (token: string, secret: string) => boolean
}

/** The name of the credential that verifies the vendor's calls. Undefined: the connection's key does. */
export const verifyingCredential = ({ authentication }: Pick<Connector, "authentication">): string | undefined => {
  switch (authentication._tag) {
    case "Basic":
      return undefined
    case "Bearer":
      return authentication.token?.secret
    case "Signature":
      return authentication.secret
  }
}

/** `headers`: by name in lower case. */
export interface SignedCall {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/**
 * A credential that the vendor issues. Required: reports wait until it is entered, also those of connections that exist when a
 * connector gets a new field.
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
  /** One value for all organizations: the operator may set it in HIRING_SYSTEM_PARTNERS, and then no form has the field. */
  readonly isPartner?: true
  /**
   * Chooses which customer's data the credentials of the account reach. If the operator has the account, only the operator
   * enters it, with the command: an organization could name another one.
   */
  readonly isAssigned?: true
}

/**
 * `key`: the connection's key, which the hiring system sends in its calls. `vendor`: the entered values by field name, and the
 * operator's values of fields that are not entered.
 */
export interface Credentials {
  /** Of connectors with `oauth`; undefined: no administrator has granted access. */
  readonly tokens?: Tokens
  /** Some values are the operator's, who serves other organizations with them. */
  readonly isOfOperator?: boolean
  readonly key: string
  readonly vendor: Readonly<Record<string, string>>
}

/** RFC 6749. `expires_at`: of the access token, milliseconds since 1970. */
export interface Tokens {
  readonly access: string
  readonly refresh: string
  readonly expires_at: number
}

/**
 * Access that an administrator of the vendor grants: the authorization code grant (RFC 6749, 4.1) with PKCE (RFC 7636, S256),
 * which servers that do not know it ignore. The client is the credentials `client_id` and `client_secret`.
 */
export interface OAuth {
  /** The vendor's page on which access is granted. */
  readonly authorizeUrl: (vendor: Credentials["vendor"]) => string
  readonly tokenUrl: string
  readonly scope: string
}

export interface CallRequest {
  readonly query: Readonly<Record<string, string | undefined>>
  /** Undefined for GET. */
  readonly body: unknown
  /** Its `vendor` is empty if no key of SECRET_KEY decrypts the credentials. */
  readonly credentials: Credentials
  /** For calls that contain ids only. The hiring system waits for the answer. */
  readonly ask: Ask
}

/** `body`: sent as JSON; a text is sent as plain text. `error`: the error for the log of exchanges; undefined: none. */
export interface CallAnswer {
  readonly status: number
  readonly body: Schema.Json
  readonly order?: OrderId
  readonly error?: string
  /** The call is about another organization, so the organization's log does not have it. */
  readonly isOfOther?: boolean
}

export interface Call {
  readonly method: "GET" | "POST"
  /** The vendor's name of the call, for people; undefined: the path. */
  readonly name?: string
  /** The end of the call's address, such as `send_test`; also the operation's name in the log of exchanges. */
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

/** What the pages say. States only what docs/hiring-systems.md and docs/hiring-system-partners.md state. */
export interface Guide {
  /** What passes. */
  readonly summary: string
  /** What an administrator needs, as the end of a sentence. */
  readonly needs: string
  /** Steps of the administrator of the organization's account in the hiring system. */
  readonly administrator: ReadonlyArray<string>
  /** Steps of the operator of this service. */
  readonly operator: ReadonlyArray<string>
  /** Who does the administrator's steps. Undefined: "your <system> account". */
  readonly account?: string
  /** How often the operator's steps are needed. Undefined: once for all organizations. */
  readonly repeated?: string
  /** What was not verified, as a sentence. Undefined: the contract was tested as it is documented. */
  readonly caveat?: string
  /** The connector was built without access to the vendor's service or to all of its documents. */
  readonly isUntried?: true
  /** The vendor is given the address without the names of the calls. */
  readonly hasBase?: true
}

export interface Connector {
  readonly system: HiringSystem
  readonly guide: Guide
  readonly authentication: Authentication
  /** Undefined: the credentials are enough. */
  readonly oauth?: OAuth
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
