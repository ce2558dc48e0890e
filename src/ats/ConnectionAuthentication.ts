/** Authenticates the calls of hiring systems, by the connection's key or by the vendor's signature. */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { isSameSecret } from "../platform/crypto/SecretComparison.ts"
import { ConnectionId, parseId } from "../values/Ids.ts"
import type { Connected } from "./Connection.ts"
import { keyHashOf, makeConnectionCredentials } from "./ConnectionCredentials.ts"
import { ConnectionRepository, type PresentedConnection } from "./ConnectionRepository.ts"
import type { Connector, Credentials } from "./Connector.ts"
import type { HiringSystem } from "./HiringSystem.ts"

/** `reason` is sent to the hiring system. */
export class ConnectionPaused extends Schema.TaggedError<ConnectionPaused>()("ConnectionPaused", {
  reason: Schema.String,
}) {}

/** `reason` is sent to the hiring system. */
export class ConnectionRefused extends Schema.TaggedError<ConnectionRefused>()("ConnectionRefused", {
  reason: Schema.String,
}) {}

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
      const { open } = yield* makeConnectionCredentials

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

      const authenticate = Effect.fn("ConnectionAuthentication.authenticate")(function* (
        system: HiringSystem,
        key: Redacted.Redacted,
        operation: string,
      ) {
        const found = yield* repository.byKey(system, keyHashOf(Redacted.value(key)))
        if (found === undefined) return yield* new ConnectionRefused({ reason: "the key is not known" })
        return yield* connected(system, found, operation)
      })

      /** `text`: the connection's id from the address. `signature`: the header's value. */
      const authenticateSigned = Effect.fn("ConnectionAuthentication.authenticateSigned")(function* (
        { authentication, system }: Connector,
        text: string,
        signature: string,
        body: Uint8Array,
        operation: string,
      ) {
        const refused = new ConnectionRefused({ reason: "the signature does not match the connection" })
        const id = parseId(ConnectionId, text)
        const found = id === undefined ? undefined : yield* repository.byId(system, id)
        if (found === undefined || authentication._tag !== "Signature") return yield* refused
        const { vendor }: Pick<Credentials, "vendor"> = (yield* open(found.id, found.credentials)) ?? { vendor: {} }
        const secret = vendor[authentication.secret]
        // RFC 4648 allows base64url with and without padding
        const given = signature.replace(/=+$/, "")
        if (secret === undefined || !isSameSecret(authentication.sign(secret, body), given)) {
          const why =
            secret === undefined ? "its secret has not been entered" : "the signature does not match its secret"
          yield* noteRefused(refOf(system, found), operation, 401, why)
          return yield* refused
        }
        return { connection: yield* connected(system, found, operation), vendor }
      })

      return { authenticate, authenticateSigned }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
