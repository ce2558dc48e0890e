/**
 * Access tokens of connections that an administrator grants at the vendor (RFC 6749). Tokens are stored with the connection's
 * credentials, encrypted. The vendor may replace the refresh token with each use, so tokens are renewed under a lock of the
 * connection.
 */
import { Clock, Context, Duration, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { Config } from "../config/Config.ts"
import { Database } from "../platform/database/Database.ts"
import type { Connected } from "./Connection.ts"
import {
  accountCredentialOf,
  accountHashOf,
  makeConnectionCredentials,
  releasedHashOf,
} from "./ConnectionCredentials.ts"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import type { Connector, Credentials, Tokens, VendorRequest } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { systemNames } from "./HiringSystem.ts"
import { HiringSystemClient, outcomeOf } from "./HiringSystemClient.ts"

/** Before the end of an access token. */
const margin = Duration.minutes(5)

/** Of an access token whose answer has no `expires_in`. */
const assumedLifetime = Duration.minutes(10)

/** The vendor revoked the access: an administrator must grant it again. */
export class AccessRevoked extends Schema.TaggedError<AccessRevoked>()("AccessRevoked", { reason: Schema.String }) {}

/** A later attempt may succeed. `status`: as in Outcome. */
export class AccessUnavailable extends Schema.TaggedError<AccessUnavailable>()("AccessUnavailable", {
  reason: Schema.String,
  status: Schema.NullOr(Schema.Int),
}) {}

/** Another connection has access to the account, and took orders of it. */
export class AccountTaken extends Schema.TaggedError<AccountTaken>()("AccountTaken", { reason: Schema.String }) {}

/** RFC 6749, 5.1. */
const readTokens = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      access_token: Schema.NonEmptyString,
      refresh_token: Schema.optional(Schema.NonEmptyString),
      expires_in: Schema.optional(Schema.Union([Schema.Finite, Schema.FiniteFromString])),
    }),
  ),
)

/** RFC 6749, 5.2. */
const readError = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ error: Schema.String })))

const revokedAt = ({ system }: Connector) =>
  new AccessRevoked({
    reason: `${systemNames[system]} revoked the access: an administrator of ${systemNames[system]} grants it again on the page of the connection`,
  })

export const notGranted = ({ system }: Connector): string =>
  `Waits until an administrator of ${systemNames[system]} grants access, on the page of the connection`

const tokenRequest = (
  url: string,
  { client_id = "", client_secret = "" }: Credentials["vendor"],
  fields: Readonly<Record<string, string>>,
): VendorRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
  body: new TextEncoder().encode(new URLSearchParams({ client_id, client_secret, ...fields }).toString()),
})

export class GrantedTokens extends Context.Service<GrantedTokens>()("interview-invitations/ats/GrantedTokens", {
  make: Effect.gen(function* () {
    const { databasePool } = yield* Config
    const { transaction } = yield* Database
    const hiringSystemClient = yield* HiringSystemClient
    const repository = yield* ConnectionRepository
    const { open, resolve, seal } = yield* makeConnectionCredentials

    /** Each waits for a vendor with a transaction open: a vendor that does not answer must not hold all connections. */
    const renewals = yield* Semaphore.make(Math.max(1, Math.floor(databasePool / 4)))

    /** `former`: the refresh token stays if the vendor does not replace it. */
    const obtain = Effect.fnUntraced(function* (
      connector: Connector,
      vendor: Credentials["vendor"],
      fields: Readonly<Record<string, string>>,
      former?: string,
    ) {
      const { oauth } = connector
      if (oauth === undefined) return yield* Effect.die(`${connector.system} has no OAuth`)
      const result = yield* hiringSystemClient.ask(connector)(tokenRequest(oauth.tokenUrl, vendor, fields))
      const { error, status } = outcomeOf(connector, result)
      if (result._tag === "Answered" && status !== null && status >= 400 && status < 500) {
        const code = Option.getOrUndefined(readError(result.body))?.error
        if (code === "invalid_grant") return yield* revokedAt(connector)
      }
      if (result._tag === "Failed" || error !== null) {
        return yield* new AccessUnavailable({ reason: error ?? "no answer", status })
      }
      const read = Option.getOrUndefined(readTokens(result.body))
      const refresh = read?.refresh_token ?? former
      if (read === undefined || refresh === undefined) {
        return yield* new AccessUnavailable({
          reason: `The tokens of ${systemNames[connector.system]} could not be read`,
          status,
        })
      }
      const lifetime = read.expires_in === undefined ? Duration.toMillis(assumedLifetime) : read.expires_in * 1_000
      const expires_at = (yield* Clock.currentTimeMillis) + lifetime
      return { access: read.access_token, refresh, expires_at } satisfies Tokens
    })

    const isFresh = Effect.fnUntraced(function* ({ access, expires_at }: Tokens, rejected: string | undefined) {
      return access !== rejected && expires_at - Duration.toMillis(margin) > (yield* Clock.currentTimeMillis)
    })

    /** Commits that the access was revoked, so the error is a value. */
    const renew = Effect.fn("GrantedTokens.renew")(
      function* ({ id, organizationId, system }: Connected, rejected: string | undefined) {
        const connector = connectors[system]
        const stored = yield* repository.credentialsOf(organizationId, id)
        const own = stored === undefined ? undefined : yield* open(id, stored)
        const whole = stored === undefined ? undefined : yield* resolve(system, id, stored)
        const tokens = own?.tokens
        if (own === undefined || whole === undefined || tokens === undefined) return revokedAt(connector)
        // another process may have renewed the tokens while this one waited for the lock
        if (yield* isFresh(tokens, rejected)) return whole
        const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh }
        const renewed = yield* Effect.result(obtain(connector, whole.vendor, fields, tokens.refresh))
        if (renewed._tag === "Success") {
          const kept = { ...own, tokens: renewed.success }
          yield* repository.storeCredentials(organizationId, id, yield* seal(id, kept))
          return { ...whole, tokens: renewed.success }
        }
        if (renewed.failure._tag === "AccessRevoked") {
          const { key, vendor } = own
          yield* repository.storeCredentials(organizationId, id, yield* seal(id, { key, vendor }))
        }
        return renewed.failure
      },
      transaction,
      renewals.withPermit,
    )

    /**
     * The credentials with an access token that is valid for some minutes. `rejected`: an access token that the vendor did not
     * accept. Connections without OAuth keep their credentials.
     */
    const fresh = Effect.fn("GrantedTokens.fresh")(function* (
      connection: Connected,
      credentials: Credentials,
      rejected?: string,
    ) {
      const connector = connectors[connection.system]
      if (connector.oauth === undefined) return credentials
      if (credentials.tokens === undefined) return yield* new AccessRevoked({ reason: notGranted(connector) })
      if (yield* isFresh(credentials.tokens, rejected)) return credentials
      const renewed = yield* renew(connection, rejected)
      return "_tag" in renewed ? yield* renewed : renewed
    })

    /**
     * Gives the account at the vendor to the connection: the vendor does not say of a token which account granted it. An
     * organization that entered the account first must not keep it from its owner, so the newest grant gets it, until a
     * connection that has access took an order: only the account's own token reads its orders.
     */
    const holdAccount = Effect.fnUntraced(function* ({ id, organizationId, system }: Connected, account: string) {
      const hash = accountHashOf(system, account)
      const holder = yield* repository.holder(system, hash)
      if (holder !== undefined && holder.id !== id) {
        const own = yield* open(holder.id, holder.credentials)
        const name = systemNames[system]
        if (own?.tokens !== undefined && holder.has_orders) {
          return yield* new AccountTaken({
            reason: `another connection has access to this company of ${name}, and took orders of it: remove that connection first, or ask the operator of this service`,
          })
        }
        const { key = "", vendor = {} } = own ?? {}
        const lost = { key_hash: releasedHashOf(holder.id), credentials: yield* seal(holder.id, { key, vendor }) }
        yield* repository.setCredentials(holder.organization_id, holder.id, lost)
        const error = `${name} granted another connection access for the same company. Grant it again if the company is yours`
        yield* repository.note(
          holder.organization_id,
          holder.id,
          { operation: "access", order_id: null, status: null, error },
          true,
        )
        yield* Effect.logWarning(`a connection to ${name} lost its company to a newer grant`, holder.id, id)
      }
      yield* repository.setKeyHash(organizationId, id, hash)
    })

    const unreadable = new AccessUnavailable({
      reason: "no key of SECRET_KEY decrypts the credentials of this connection: enter all its credentials again",
      status: null,
    })

    /** `account`: the one whose access the tokens are of. */
    const keepTokens = Effect.fnUntraced(function* (
      { id, organizationId, system }: Connected,
      tokens: Tokens,
      account: string | undefined,
    ) {
      // before any row: of two grants of one account, each may have the row that the other needs
      if (account !== undefined) yield* repository.lockAccount(accountHashOf(system, account))
      const stored = yield* repository.credentialsOf(organizationId, id)
      const own = stored === undefined ? undefined : yield* open(id, stored)
      if (own === undefined) return yield* unreadable
      if (own.vendor[accountCredentialOf(connectors[system]) ?? ""] !== account) {
        return yield* new AccessUnavailable({
          reason: "the company of this connection was changed meanwhile: grant the access again",
          status: null,
        })
      }
      if (account !== undefined) yield* holdAccount({ id, organizationId, system }, account)
      yield* repository.setCredentials(organizationId, id, { credentials: yield* seal(id, { ...own, tokens }) })
    }, transaction)

    /**
     * Exchanges the code of an administrator's grant, stores the tokens, and queues what waited for them. AccountTaken: as in
     * `holdAccount`; nothing is stored. No transaction is open while the vendor is asked.
     */
    const exchange = Effect.fn("GrantedTokens.exchange")(function* (
      connection: Connected,
      fields: { readonly code: string; readonly redirect_uri: string; readonly code_verifier: string },
    ) {
      const { id, organizationId, system } = connection
      const connector = connectors[system]
      const found = yield* repository.find(organizationId, id)
      const whole = found === undefined ? undefined : yield* resolve(system, id, found.credentials)
      if (whole === undefined) return yield* unreadable
      const tokens = yield* obtain(connector, whole.vendor, { grant_type: "authorization_code", ...fields })
      yield* keepTokens(connection, tokens, whole.vendor[accountCredentialOf(connector) ?? ""])
    })

    return { fresh, exchange }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide([HiringSystemClient.layer]))
}
