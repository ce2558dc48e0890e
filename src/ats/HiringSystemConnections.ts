/** Manages connections to hiring systems. */
import { hash } from "node:crypto"
import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { OrganizationRepository } from "../accounts/OrganizationRepository.ts"
import type { Operator } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { isSameSecret } from "../platform/crypto/SecretComparison.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { Ids } from "../platform/NewIds.ts"
import { lineErrors } from "../values/Fields.ts"
import { ConnectionId } from "../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, invalid, NotFound } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import {
  type Connected,
  type Connection,
  type ConnectionStatus,
  CreateConnection,
  type Exchange,
  loggedError,
  type StoredConnection,
} from "./Connection.ts"
import {
  accountCredentialOf,
  keyHashOf,
  knownValues,
  lacksAccess,
  makeConnectionCredentials,
  missingFields,
  releasedHashOf,
} from "./ConnectionCredentials.ts"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import type { CredentialField, Credentials } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { GrantedTokens } from "./GrantedTokens.ts"
import { type HiringSystem, systemNames } from "./HiringSystem.ts"
import { HiringSystemClient, outcomeOf } from "./HiringSystemClient.ts"
import { isReportAddress } from "./ReportAddress.ts"

type Manager = Member | Operator

const readNew = Schema.decodeUnknownResult(CreateConnection, { errors: "all" })

const maxExchanges = 100
const exchangesKept = Duration.days(30)

const notFound = new NotFound({ record: "connection" })

const maxCredential = 500

const maxGrantTime = Duration.minutes(15)
const grantContext = "access to a hiring system"

/** The content of `state`, encrypted. `session`: a hash of the member's session. `until`: milliseconds since 1970. */
const Grant = Schema.fromJsonString(
  Schema.Struct({
    connection: ConnectionId,
    session: Schema.String,
    verifier: Schema.String,
    until: Schema.Finite,
  }),
)
const readGrant = Schema.decodeUnknownOption(Grant)

const sessionHash = (session: Redacted.Redacted): string => hash("sha256", Redacted.value(session), "base64url")

type Typed = Readonly<Record<string, string>>

/** The errors of typed credentials. Blank ones are valid, because they can be entered later. */
const credentialErrors = (system: HiringSystem, typed: Typed): ReadonlyArray<FieldError> => {
  const fields = connectors[system].credentials
  return Object.entries(typed).flatMap(([name, value]) => {
    const pointer = `#/credentials/${name}`
    const field = fields.find((one) => one.name === name)
    if (field === undefined) return [fieldError(pointer, "invalid", `is not a credential of ${systemNames[system]}`)]
    const { options } = field
    if (options === undefined) {
      const errors = lineErrors(pointer, value.trim(), { isRequired: false, most: maxCredential })
      // it is sent in a header
      return errors.length > 0 || /^[\x20-\x7e]*$/.test(value.trim())
        ? errors
        : [fieldError(pointer, "invalid", "must have only ASCII characters")]
    }
    return value === "" || options.includes(value)
      ? []
      : [fieldError(pointer, "invalid", `must be one of ${options.join(", ")}`)]
  })
}

/** The errors of credentials that the operator assigns, when a member types them. `fields`: those of an organization's form. */
const assignedErrors = (
  manager: Manager,
  system: HiringSystem,
  typed: Typed,
  fields: ReadonlyArray<CredentialField>,
): ReadonlyArray<FieldError> =>
  manager._tag === "Operator"
    ? []
    : connectors[system].credentials.flatMap((field) =>
        field.isAssigned && typed[field.name] !== undefined && !fields.includes(field)
          ? [fieldError(`#/credentials/${field.name}`, "invalid", "is entered by the operator of this service")]
          : [],
      )

/** The typed credentials without the blank ones, trimmed. */
const entered = (typed: Typed): Typed =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  )

/** Undefined: the hiring system signs its calls and needs no key. */
const shownKey = (system: HiringSystem, key: string) =>
  connectors[system].authentication._tag === "Signature" ? undefined : Redacted.make(key)

const unreadable = new Conflict({
  reason: "no key of SECRET_KEY decrypts the credentials of this connection: enter all its credentials again",
})

export class HiringSystemConnections extends Context.Service<HiringSystemConnections>()(
  "interview-invitations/ats/HiringSystemConnections",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const repository = yield* ConnectionRepository
      const organizationRepository = yield* OrganizationRepository
      const { transaction } = yield* Database
      const hiringSystemClient = yield* HiringSystemClient
      const ids = yield* Ids
      const secureRandom = yield* SecureRandom.SecureRandom
      const { fields, open, resolve, seal } = yield* makeConnectionCredentials
      const { encrypt, open: decrypt } = yield* SecretBox
      const { hiringSystemHosts } = yield* Config
      const accessTokens = yield* GrantedTokens

      const describe = Effect.fnUntraced(function* ({ credentials, ...connection }: StoredConnection) {
        const opened = yield* resolve(connection.system, connection.id, credentials)
        const connector = connectors[connection.system]
        const missing = opened === undefined ? null : missingFields(connector, opened)
        const lacks_access = opened !== undefined && lacksAccess(connector, opened)
        return { ...connection, missing, lacks_access } satisfies Connection
      })

      /** Shorter than the 171 characters that Greenhouse accepts. */
      const newKey = Effect.gen(function* () {
        return `ih_${Base64Url.encode(yield* secureRandom.randomBytes(32))}`
      })

      const requireStored = Effect.fnUntraced(function* ({ organizationId }: Manager, id: ConnectionId) {
        return (yield* repository.find(organizationId, id)) ?? (yield* notFound)
      })

      const find = (manager: Manager, id: ConnectionId) => Effect.flatMap(requireStored(manager, id), describe)

      /** Creates a connection. Only `create` and `rotateKey` return the key; undefined: the hiring system needs none. */
      const create = Effect.fn("HiringSystemConnections.create")(function* (manager: Manager, typed: unknown) {
        const read = readNew(typed)
        if (Result.isFailure(read)) return yield* new Invalid({ errors: fieldErrorsOf(read.failure.issue) })
        const { credentials = {}, name, system } = read.success
        if ((yield* organizationRepository.liveOf(manager.organizationId)) !== undefined)
          return yield* invalid(
            "#/system",
            "invalid",
            "cannot be connected to a test space: use the organization itself",
          )
        const errors = [
          ...lineErrors("#/name", name.trim(), { isRequired: true, most: 100 }),
          ...credentialErrors(system, credentials),
          ...assignedErrors(manager, system, credentials, fields(system)),
        ]
        if (errors.length > 0) return yield* new Invalid({ errors })
        const vendor = entered(credentials)
        const id = yield* ids.make(ConnectionId)
        const key = yield* newKey
        yield* repository.insert({
          id,
          organization_id: manager.organizationId,
          system,
          name: name.trim(),
          key_hash: keyHashOf(key),
          credentials: yield* seal(id, { key, vendor }),
          synchronizes: connectors[system].synchronize !== undefined,
        })
        yield* auditLog.note(manager, "ats_connection", "create", id, { system, name })
        return { connection: yield* find(manager, id), key: shownKey(system, key) }
      }, transaction)

      const list = Effect.fn("HiringSystemConnections.list")(function* ({ organizationId }: Manager) {
        return yield* Effect.forEach(yield* repository.list(organizationId), describe)
      }, mayReadReplica)

      /** Locks the connection and decrypts its credentials. Undefined: no key of SECRET_KEY decrypts them. */
      const credentialsOf = Effect.fnUntraced(function* ({ organizationId }: Manager, id: ConnectionId) {
        const stored = yield* repository.credentialsOf(organizationId, id)
        return stored === undefined ? undefined : yield* open(id, stored)
      })

      /** `known`: the entered values that are not secret, by the name of the connector's field. */
      const show = Effect.fn("HiringSystemConnections.show")(function* (manager: Manager, id: ConnectionId) {
        const found = yield* requireStored(manager, id)
        const exchanges = yield* repository.exchanges(manager.organizationId, id, maxExchanges)
        const credentials = yield* resolve(found.system, id, found.credentials)
        const known = credentials === undefined ? {} : knownValues(connectors[found.system], credentials)
        return { connection: yield* describe(found), exchanges, known }
      }, mayReadReplica)

      /**
       * Replaces the key; the former key is refused at once. Conflict: the hiring system signs its calls and needs no key, or the
       * vendor's credentials cannot be decrypted.
       */
      const rotateKey = Effect.fn("HiringSystemConnections.rotateKey")(function* (manager: Manager, id: ConnectionId) {
        const { name, system } = yield* find(manager, id)
        const key = yield* newKey
        const shown = shownKey(system, key)
        if (shown === undefined) {
          return yield* new Conflict({
            reason: `${systemNames[system]} signs its calls: replace the credentials instead`,
          })
        }
        const hasVendor = fields(system).length > 0
        const former = (yield* credentialsOf(manager, id)) ?? (hasVendor ? yield* unreadable : { vendor: {} })
        const credentials = yield* seal(id, { ...former, key })
        yield* repository.setCredentials(manager.organizationId, id, {
          key_hash: keyHashOf(key),
          credentials,
        })
        yield* auditLog.note(manager, "ats_connection", "rotate_key", id, { name })
        return { connection: yield* find(manager, id), key: shown }
      }, transaction)

      /**
       * Replaces the vendor's credentials; blank fields keep their values. `typed`: values by the name of the connector's field.
       * Also works when the stored credentials cannot be decrypted: to authenticate calls with a key, its hash is enough. Access
       * that was granted is not that to another account: it has to be granted again. Conflict: there are no credentials, or the
       * account would change and the connection has orders of it, by which GrantedTokens.ts `holdAccount` knows its owner.
       */
      const setCredentials = Effect.fn("HiringSystemConnections.setCredentials")(function* (
        manager: Manager,
        id: ConnectionId,
        typed: Typed,
      ) {
        const { name, orders, system } = yield* find(manager, id)
        if (connectors[system].credentials.length === 0) {
          return yield* new Conflict({ reason: `${systemNames[system]} has no credentials: replace the key instead` })
        }
        const given = entered(typed)
        const errors = [...credentialErrors(system, typed), ...assignedErrors(manager, system, typed, fields(system))]
        if (errors.length === 0 && Object.keys(given).length === 0) {
          return yield* invalid("#/credentials", "required", "must have at least one value")
        }
        if (errors.length > 0) return yield* new Invalid({ errors })
        const former: Credentials = (yield* credentialsOf(manager, id)) ?? { key: "", vendor: {} }
        const vendor = { ...former.vendor, ...given }
        const account = accountCredentialOf(connectors[system])
        const isOfOther = account !== undefined && vendor[account] !== former.vendor[account]
        if (isOfOther && former.vendor[account] !== undefined && orders > 0) {
          return yield* new Conflict({
            reason: `the orders of this connection are of the company ${former.vendor[account]} of ${systemNames[system]}: connect the other company with a new connection`,
          })
        }
        const { tokens: _, ...withoutAccess } = former
        const credentials = yield* seal(id, { ...(isOfOther ? withoutAccess : former), vendor })
        yield* repository.setCredentials(manager.organizationId, id, {
          credentials,
          ...(isOfOther ? { key_hash: releasedHashOf(id) } : {}),
        })
        yield* auditLog.note(manager, "ats_connection", "set_credentials", id, { name, replaced: Object.keys(given) })
        return yield* find(manager, id)
      }, transaction)

      /** Queues the failed reports again. Conflict: the connection is paused. */
      const sendFailed = Effect.fn("HiringSystemConnections.sendFailed")(function* (
        manager: Manager,
        id: ConnectionId,
      ) {
        yield* credentialsOf(manager, id)
        const { name, status } = yield* find(manager, id)
        if (status === "paused") {
          return yield* new Conflict({ reason: "the connection is paused: resume it to send the reports" })
        }
        const reports = yield* repository.queueFailed(manager.organizationId, id)
        if (reports > 0) yield* auditLog.note(manager, "ats_connection", "send_failed", id, { name, reports })
        return yield* find(manager, id)
      }, transaction)

      /**
       * Tests the credentials with a request to the hiring system. Conflict: the vendor documents no such request, or credentials
       * are missing or cannot be decrypted.
       */
      const test = Effect.fn("HiringSystemConnections.test")(function* (manager: Manager, id: ConnectionId) {
        const { credentials: encrypted, system } = yield* requireStored(manager, id)
        const connector = connectors[system]
        if (connector.test === undefined) {
          return yield* new Conflict({ reason: `${systemNames[system]} documents no request that tests credentials` })
        }
        const credentials = (yield* resolve(system, id, encrypted)) ?? (yield* unreadable)
        const missing = missingFields(connector, credentials)
        if (missing.length > 0)
          return yield* new Conflict({ reason: `enter these credentials first: ${missing.join(", ")}` })
        const outcome = outcomeOf(connector, yield* hiringSystemClient.ask(connector)(connector.test(credentials)))
        const { error, status } = outcome
        yield* note(
          { id, organizationId: manager.organizationId, system },
          { operation: "test", order_id: null, status, error },
        )
        return outcome
      })

      /**
       * Begins the grant of access: the address at the vendor to which the member's browser goes. `session`: the member's; only
       * it can end the grant. Conflict: credentials are missing, or the vendor's page is not the vendor's.
       */
      const beginGrant = Effect.fn("HiringSystemConnections.beginGrant")(function* (
        manager: Manager,
        id: ConnectionId,
        session: Redacted.Redacted,
        redirectUri: string,
      ) {
        const { credentials: encrypted, system } = yield* requireStored(manager, id)
        const connector = connectors[system]
        const { oauth } = connector
        if (oauth === undefined) return yield* new Conflict({ reason: `${systemNames[system]} grants no access` })
        const credentials = (yield* resolve(system, id, encrypted)) ?? (yield* unreadable)
        const missing = missingFields(connector, credentials)
        if (missing.length > 0)
          return yield* new Conflict({ reason: `enter these credentials first: ${missing.join(", ")}` })
        const page = oauth.authorizeUrl(credentials.vendor)
        if (!isReportAddress(page, connector.hosts, hiringSystemHosts)) {
          return yield* new Conflict({ reason: `the address ${page} is not one of ${systemNames[system]}` })
        }
        const verifier = Base64Url.encode(yield* secureRandom.randomBytes(32))
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(maxGrantTime)
        const grant = Schema.encodeSync(Grant)({ connection: id, session: sessionHash(session), verifier, until })
        const state = Base64Url.encode(yield* encrypt(new TextEncoder().encode(grant), grantContext))
        const url = new URL(page)
        for (const [name, value] of Object.entries({
          response_type: "code",
          client_id: credentials.vendor["client_id"] ?? "",
          redirect_uri: redirectUri,
          scope: oauth.scope,
          state,
          code_challenge: hash("sha256", verifier, "base64url"),
          code_challenge_method: "S256",
        })) {
          url.searchParams.set(name, value)
        }
        return url.href
      })

      /** The grant that `state` names. Undefined: it is not this session's, or it began more than 15 minutes ago. */
      const recallGrant = Effect.fnUntraced(function* (state: string | undefined, session: Redacted.Redacted) {
        if (state === undefined) return undefined
        const opened = yield* decrypt(Buffer.from(state, "base64url"), grantContext)
        const grant = opened && Option.getOrUndefined(readGrant(new TextDecoder().decode(opened)))
        if (grant === undefined || grant.until <= (yield* Clock.currentTimeMillis)) return undefined
        return isSameSecret(grant.session, sessionHash(session)) ? grant : undefined
      })

      /** Ends the grant with the vendor's answer. Conflict: a sentence for the member. */
      const endGrant = Effect.fn("HiringSystemConnections.endGrant")(function* (
        manager: Manager,
        answer: {
          readonly state?: string | undefined
          readonly code?: string | undefined
          readonly error?: string | undefined
        },
        session: Redacted.Redacted,
        redirect_uri: string,
      ) {
        const grant = yield* recallGrant(answer.state, session)
        if (grant === undefined) {
          return yield* new Conflict({
            reason:
              "the answer does not belong to a grant that you began in the last 15 minutes. Open the connection, and press “Grant access”",
          })
        }
        const { connection: id, verifier } = grant
        const { name, system } = yield* find(manager, id)
        if (answer.code === undefined) {
          const code = (answer.error ?? "").replaceAll(/[^\w.-]/g, "").slice(0, 60)
          return yield* new Conflict({
            reason: `${systemNames[system]} did not grant the access${code && ` (${code})`}`,
          })
        }
        const connection = { id, organizationId: manager.organizationId, system }
        yield* accessTokens.exchange(connection, { code: answer.code, redirect_uri, code_verifier: verifier }).pipe(
          Effect.catchTags({
            AccessRevoked: () =>
              new Conflict({
                reason: `${systemNames[system]} does not accept its answer any more: grant the access again`,
              }),
            AccessUnavailable: ({ reason }) => new Conflict({ reason }),
            AccountTaken: ({ reason }) => new Conflict({ reason }),
          }),
        )
        yield* auditLog.note(manager, "ats_connection", "grant_access", id, { name })
        return yield* find(manager, id)
      })

      const setStatus = Effect.fn("HiringSystemConnections.setStatus")(function* (
        manager: Manager,
        id: ConnectionId,
        status: ConnectionStatus,
      ) {
        const before = yield* find(manager, id)
        if (yield* repository.setStatus(manager.organizationId, id, status)) {
          yield* auditLog.note(manager, "ats_connection", "update", id, {
            before: { status: before.status },
            after: { status },
          })
        }
        return yield* find(manager, id)
      }, transaction)

      const remove = Effect.fn("HiringSystemConnections.remove")(function* (manager: Manager, id: ConnectionId) {
        const { name, orders, system } = yield* find(manager, id)
        if (!(yield* repository.remove(manager.organizationId, id))) return yield* notFound
        yield* auditLog.note(manager, "ats_connection", "delete", id, { system, name, orders })
      }, transaction)

      /** Queues synchronizations that are due, and trials of failed reports. */
      const queueSynchronizations = Effect.andThen(repository.queueSynchronizations, repository.queueTrials).pipe(
        // 0, because one run queues all connections that are due: Periodic repeats only after a larger number
        Effect.as(0),
        Effect.withSpan("HiringSystemConnections.queueSynchronizations"),
      )

      const note = Effect.fn("HiringSystemConnections.note")(({ id, organizationId }: Connected, exchange: Exchange) =>
        repository.note(organizationId, id, { ...exchange, error: loggedError(exchange.error) }, true),
      )

      const forgetExchanges = Effect.gen(function* () {
        const before = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(exchangesKept))
        return yield* repository.forgetExchanges(before)
      }).pipe(Effect.withSpan("HiringSystemConnections.forgetExchanges"))

      return {
        fields,
        create,
        list,
        show,
        rotateKey,
        setCredentials,
        sendFailed,
        test,
        beginGrant,
        endGrant,
        setStatus,
        remove,
        queueSynchronizations,
        note,
        forgetExchanges,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([GrantedTokens.layer, HiringSystemClient.layer]),
  )
}
