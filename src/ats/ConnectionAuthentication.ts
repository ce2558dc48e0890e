/** Authenticates the calls of hiring systems, by the connection's key or by the vendor's signature. */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { ConnectionId, parseId } from "../values/Ids.ts"
import type { Connected } from "./Connection.ts"
import { accountHashOf, keyHashOf, makeConnectionCredentials } from "./ConnectionCredentials.ts"
import { ConnectionRepository, type PresentedConnection } from "./ConnectionRepository.ts"
import type { Authentication, Connector, Credentials, SignedCall } from "./Connector.ts"
import { type HiringSystem, systemNames } from "./HiringSystem.ts"

/** `reason` is sent to the hiring system. */
export class ConnectionPaused extends Schema.TaggedError<ConnectionPaused>()("ConnectionPaused", {
  reason: Schema.String,
}) {}

/** `reason` is sent to the hiring system. */
export class ConnectionRefused extends Schema.TaggedError<ConnectionRefused>()("ConnectionRefused", {
  reason: Schema.String,
}) {}

const unsigned = new ConnectionRefused({ reason: "the signature does not match the connection" })

/** The connection that a call comes from. */
export interface Authenticated {
  readonly connection: Connected
  readonly credentials: Credentials
}

const refOf = (system: HiringSystem, { id, organization_id }: PresentedConnection): Connected => ({
  id,
  organizationId: organization_id,
  system,
})

export class ConnectionAuthentication extends Context.Service<ConnectionAuthentication>()(
  "interview-invitations/ats/ConnectionAuthentication",
  {
    make: Effect.gen(function* () {
      const repository = yield* ConnectionRepository
      const { partner, resolve } = yield* makeConnectionCredentials

      /** Logs a call that is refused before it is performed, at most once a minute: the caller may be anyone. */
      const noteRefused = Effect.fnUntraced(function* (
        of: Connected,
        operation: string,
        status: number,
        error: string,
      ) {
        const exchange = { operation, order_id: null, status, error }
        yield* repository.note(of.organizationId, of.id, exchange, false)
      })

      const connected = Effect.fnUntraced(function* (
        system: HiringSystem,
        found: PresentedConnection,
        operation: string,
      ) {
        const connection = refOf(system, found)
        if (found.status === "paused") {
          const reason = "the connection is paused"
          yield* noteRefused(connection, operation, 503, reason)
          return yield* new ConnectionPaused({ reason })
        }
        yield* repository.use(found.organization_id, found.id)
        return connection
      })

      /** `secret`: the credential that verifies the call, if it was entered. */
      const refuseUnsigned = Effect.fnUntraced(function* (
        system: HiringSystem,
        found: PresentedConnection,
        operation: string,
        secret: string | undefined,
      ) {
        const why = secret === undefined ? "its secret has not been entered" : "the signature does not match its secret"
        yield* noteRefused(refOf(system, found), operation, 401, why)
        return yield* unsigned
      })

      const authenticate = Effect.fn("ConnectionAuthentication.authenticate")(function* (
        { authentication, system }: Connector,
        given: Redacted.Redacted,
        operation: string,
      ) {
        const text = Redacted.value(given)
        const token = authentication._tag === "Bearer" ? authentication.token : undefined
        const key = token === undefined ? text : token.keyOf(text)
        const found = key === undefined ? undefined : yield* repository.byKey(system, keyHashOf(key))
        if (key === undefined || found === undefined) {
          return yield* new ConnectionRefused({ reason: "the key is not known" })
        }
        // the key's hash is enough to authenticate the call, also when no key of SECRET_KEY decrypts the credentials
        const credentials = (yield* resolve(system, found.id, found.credentials)) ?? { key, vendor: {} }
        if (token !== undefined) {
          const secret = credentials.vendor[token.secret]
          if (secret === undefined || !token.isSigned(text, secret))
            yield* refuseUnsigned(system, found, operation, secret)
        }
        return { connection: yield* connected(system, found, operation), credentials } satisfies Authenticated
      })

      /** The connection of the account that the body names. Logs accounts without one, so that the operator finds their ids. */
      const ofAccount = Effect.fnUntraced(function* (
        system: HiringSystem,
        { account, isSigned, secret }: Extract<Authentication, { readonly _tag: "Signature" }>,
        call: SignedCall,
      ) {
        const named = account?.of(call.body)
        if (named === undefined) return undefined
        const found = yield* repository.byKey(system, accountHashOf(system, named))
        const known = partner(system)[secret]
        if (found === undefined && known !== undefined && isSigned(call, known)) {
          yield* Effect.logWarning(
            `a call of ${systemNames[system]} is of an account without a connection`,
            named.slice(0, 100),
          )
        }
        return found
      })

      /** `text`: the connection's id from the address. */
      const authenticateSigned = Effect.fn("ConnectionAuthentication.authenticateSigned")(function* (
        { authentication, system }: Connector,
        text: string,
        call: SignedCall,
        operation: string,
      ) {
        if (authentication._tag !== "Signature") return yield* unsigned
        const id = parseId(ConnectionId, text)
        const found = authentication.account
          ? yield* ofAccount(system, authentication, call)
          : id && (yield* repository.byId(system, id))
        if (found === undefined) return yield* unsigned
        const credentials = (yield* resolve(system, found.id, found.credentials)) ?? { key: "", vendor: {} }
        const secret = credentials.vendor[authentication.secret]
        if (secret === undefined || !authentication.isSigned(call, secret)) {
          return yield* refuseUnsigned(system, found, operation, secret)
        }
        return { connection: yield* connected(system, found, operation), credentials } satisfies Authenticated
      })

      return { authenticate, authenticateSigned }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
