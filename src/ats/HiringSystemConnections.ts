/** Manages connections to hiring systems and authenticates their calls. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { audit } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import type { Member } from "../accounts/Member.ts"
import type { Operator } from "../accounts/Viewer.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { lineErrors } from "../values/Fields.ts"
import { ConnectionId } from "../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, NotFound } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { type Connected, type ConnectionStatus, CreateConnection, type Exchange } from "./Connection.ts"
import { missingFields, open, seal } from "./ConnectionCredentials.ts"
import { ConnectionRepository, type PresentedConnection } from "./ConnectionRepository.ts"
import type { Connector, Credentials } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { type HiringSystem, systemNames } from "./HiringSystem.ts"
import { HiringSystemClient, outcomeOf } from "./HiringSystemClient.ts"

type Manager = Member | Operator

/** `reason` is sent to the hiring system. */
export class ConnectionPaused extends Schema.TaggedError<ConnectionPaused>()("ConnectionPaused", {
  reason: Schema.String,
}) {}

/** `reason` is sent to the hiring system. */
export class ConnectionRefused extends Schema.TaggedError<ConnectionRefused>()("ConnectionRefused", {
  reason: Schema.String,
}) {}

const parseId = Schema.decodeUnknownOption(ConnectionId)
const readNew = Schema.decodeUnknownResult(CreateConnection, { errors: "all" })

const maxExchanges = 100
const exchangesKept = Duration.days(30)

const notFound = new NotFound({ record: "connection" })

/** The key has 256 random bits, so its hash needs no salt, and a lookup by the hash reveals nothing about the key. */
const hashOf = (key: string): Uint8Array => new Uint8Array(createHash("sha256").update(key).digest())

/** Shorter than the 171 characters that Greenhouse accepts. */
const newKey = Effect.gen(function* () {
  return `ih_${Base64Url.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(32))}`
})

const maxCredential = 500

type Typed = Readonly<Record<string, string>>

/** The errors of typed credentials. Blank ones are valid, because they can be entered later. */
const credentialErrors = (system: HiringSystem, typed: Typed): ReadonlyArray<FieldError> => {
  const fields = connectors[system].credentials
  return Object.entries(typed).flatMap(([name, value]) => {
    const pointer = `#/credentials/${name}`
    const field = fields.find((one) => one.name === name)
    if (field === undefined) return [fieldError(pointer, "invalid", `is not a credential of ${systemNames[system]}`)]
    const { options } = field
    if (options === undefined) return lineErrors(pointer, value.trim(), { isRequired: false, most: maxCredential })
    return value === "" || options.includes(value)
      ? []
      : [fieldError(pointer, "invalid", `must be one of ${options.join(", ")}`)]
  })
}

/** The typed credentials without the blank ones, trimmed. */
const entered = (typed: Typed): Typed =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  )

/** Undefined: the hiring system signs its calls and needs no key. */
const shownKey = (system: HiringSystem, key: string) =>
  connectors[system].authentication._tag === "Signature" ? undefined : Redacted.make(key)

const find = Effect.fnUntraced(function* ({ organizationId }: Manager, id: ConnectionId) {
  return (yield* (yield* ConnectionRepository).find(organizationId, id)) ?? (yield* notFound)
})

/** Creates a connection. Only `create` and `rotateKey` return the key; undefined: the hiring system needs none. */
const create = Effect.fn("HiringSystemConnections.create")(function* (manager: Manager, typed: unknown) {
  const read = readNew(typed)
  if (Result.isFailure(read)) return yield* new Invalid({ errors: fieldErrorsOf(read.failure.issue) })
  const { credentials = {}, name, system } = read.success
  const errors = [
    ...lineErrors("#/name", name, { isRequired: true, most: 100 }),
    ...credentialErrors(system, credentials),
  ]
  if (errors.length > 0) return yield* new Invalid({ errors })
  const vendor = entered(credentials)
  const id = yield* newId(ConnectionId)
  const key = yield* newKey
  yield* (yield* ConnectionRepository).insert({
    id,
    organization_id: manager.organizationId,
    system,
    name,
    key_hash: hashOf(key),
    credentials: yield* seal(id, { key, vendor }),
    synchronizes: connectors[system].synchronize !== undefined,
  })
  yield* audit(manager, "ats_connection", "create", id, { system, name })
  return { connection: yield* find(manager, id), key: shownKey(system, key) }
}, inTransaction)

const list = Effect.fn("HiringSystemConnections.list")(({ organizationId }: Manager) =>
  Effect.flatMap(ConnectionRepository, (connections) => connections.list(organizationId)),
)

/** Locks the connection and decrypts its credentials. Undefined: no key of SECRET_KEY decrypts them. */
const credentialsOf = Effect.fnUntraced(function* ({ organizationId }: Manager, id: ConnectionId) {
  const stored = yield* (yield* ConnectionRepository).credentialsOf(organizationId, id)
  return stored === undefined ? undefined : yield* open(id, stored)
})

/** `missing`: the labels of the credentials not entered yet; undefined: no key of SECRET_KEY decrypts the stored ones. */
const show = Effect.fn("HiringSystemConnections.show")(function* (manager: Manager, id: ConnectionId) {
  const connection = yield* find(manager, id)
  const exchanges = yield* (yield* ConnectionRepository).exchanges(manager.organizationId, id, maxExchanges)
  const credentials = yield* credentialsOf(manager, id)
  const missing = credentials && missingFields(connectors[connection.system], credentials)
  return { connection, exchanges, missing }
}, inTransaction)

const unreadable = new Conflict({
  reason: "no key of SECRET_KEY decrypts the credentials of this connection: enter all its credentials again",
})

/**
 * Replaces the key; the former key is refused at once. Conflict: the hiring system signs its calls and needs no key, or the
 * vendor's credentials cannot be decrypted.
 */
const rotateKey = Effect.fn("HiringSystemConnections.rotateKey")(function* (manager: Manager, id: ConnectionId) {
  const { system } = yield* find(manager, id)
  const key = yield* newKey
  const shown = shownKey(system, key)
  if (shown === undefined) {
    return yield* new Conflict({ reason: `${systemNames[system]} signs its calls: replace the credentials instead` })
  }
  const hasVendor = connectors[system].credentials.length > 0
  const { vendor } = (yield* credentialsOf(manager, id)) ?? (hasVendor ? yield* unreadable : { vendor: {} })
  const credentials = yield* seal(id, { key, vendor })
  yield* (yield* ConnectionRepository).setCredentials(manager.organizationId, id, {
    key_hash: hashOf(key),
    credentials,
  })
  yield* audit(manager, "ats_connection", "rotate_key", id, {})
  return { connection: yield* find(manager, id), key: shown }
}, inTransaction)

/**
 * Replaces the vendor's credentials; blank fields keep their values. `typed`: values by the name of the connector's field.
 * Also works when the stored credentials cannot be decrypted: to authenticate calls with a key, its hash is enough.
 */
const setCredentials = Effect.fn("HiringSystemConnections.setCredentials")(function* (
  manager: Manager,
  id: ConnectionId,
  typed: Typed,
) {
  const { system } = yield* find(manager, id)
  const given = entered(typed)
  const errors = [
    ...credentialErrors(system, typed),
    ...(Object.keys(given).length > 0
      ? []
      : connectors[system].credentials.map(({ name }) =>
          fieldError(`#/credentials/${name}`, "required", "must not be blank"),
        )),
  ]
  if (errors.length > 0) return yield* new Invalid({ errors })
  const former: Credentials = (yield* credentialsOf(manager, id)) ?? { key: "", vendor: {} }
  const credentials = yield* seal(id, { key: former.key, vendor: { ...former.vendor, ...given } })
  yield* (yield* ConnectionRepository).setCredentials(manager.organizationId, id, { credentials })
  yield* audit(manager, "ats_connection", "set_credentials", id, {})
  return yield* find(manager, id)
}, inTransaction)

/** Queues the failed reports again. Conflict: the connection is paused. */
const sendFailed = Effect.fn("HiringSystemConnections.sendFailed")(function* (manager: Manager, id: ConnectionId) {
  const { status } = yield* find(manager, id)
  if (status === "paused") {
    return yield* new Conflict({ reason: "the connection is paused: resume it to send the reports" })
  }
  const reports = yield* (yield* ConnectionRepository).queueFailed(manager.organizationId, id)
  if (reports > 0) yield* audit(manager, "ats_connection", "send_failed", id, { reports })
  return yield* find(manager, id)
}, inTransaction)

/**
 * Tests the credentials with a request to the hiring system; undefined: the vendor documents no such request. Conflict:
 * credentials are missing or cannot be decrypted.
 */
const test = Effect.fn("HiringSystemConnections.test")(function* (manager: Manager, id: ConnectionId) {
  const { system } = yield* find(manager, id)
  const connector = connectors[system]
  if (connector.test === undefined) return undefined
  const credentials = (yield* inTransaction(credentialsOf(manager, id))) ?? (yield* unreadable)
  const missing = missingFields(connector, credentials)
  if (missing.length > 0) return yield* new Conflict({ reason: `enter these credentials first: ${missing.join(", ")}` })
  const outcome = outcomeOf(connector, yield* (yield* HiringSystemClient).ask(connector)(connector.test(credentials)))
  const { error, status } = outcome
  yield* note(
    { id, organizationId: manager.organizationId, system },
    { operation: "test", order_id: null, status, error },
  )
  return outcome
})

const setStatus = Effect.fn("HiringSystemConnections.setStatus")(function* (
  manager: Manager,
  id: ConnectionId,
  status: ConnectionStatus,
) {
  const before = yield* find(manager, id)
  if (yield* (yield* ConnectionRepository).setStatus(manager.organizationId, id, status)) {
    yield* audit(manager, "ats_connection", "update", id, { before: { status: before.status }, after: { status } })
  }
  return yield* find(manager, id)
}, inTransaction)

const remove = Effect.fn("HiringSystemConnections.remove")(function* (manager: Manager, id: ConnectionId) {
  const { name, orders, system } = yield* find(manager, id)
  if (!(yield* (yield* ConnectionRepository).remove(manager.organizationId, id))) return yield* notFound
  yield* audit(manager, "ats_connection", "delete", id, { system, name, orders })
}, inTransaction)

const connected = Effect.fnUntraced(function* (system: HiringSystem, found: PresentedConnection) {
  if (found.status === "paused") return yield* new ConnectionPaused({ reason: "the connection is paused" })
  yield* (yield* ConnectionRepository).use(found.organization_id, found.id)
  return { id: found.id, organizationId: found.organization_id, system } satisfies Connected
})

const authenticate = Effect.fn("HiringSystemConnections.authenticate")(function* (
  system: HiringSystem,
  key: Redacted.Redacted,
) {
  const found = yield* (yield* ConnectionRepository).byKey(system, hashOf(Redacted.value(key)))
  if (found === undefined) return yield* new ConnectionRefused({ reason: "the key is not known" })
  return yield* connected(system, found)
})

const digest = (text: string) => createHash("sha256").update(text).digest()

/** `text`: the connection's id from the address. `signature`: the header's value. */
const authenticateSigned = Effect.fn("HiringSystemConnections.authenticateSigned")(function* (
  { authentication, system }: Connector,
  text: string,
  signature: string,
  body: Uint8Array,
) {
  const refused = new ConnectionRefused({ reason: "the signature does not match the connection" })
  const id = Option.getOrUndefined(parseId(text))
  const found = id === undefined ? undefined : yield* (yield* ConnectionRepository).byId(system, id)
  if (found === undefined || authentication._tag !== "Signature") return yield* refused
  const { vendor } = (yield* open(found.id, found.credentials)) ?? (yield* refused)
  const secret = vendor[authentication.secret]
  if (secret === undefined) return yield* refused
  if (!timingSafeEqual(digest(authentication.sign(secret, body)), digest(signature))) return yield* refused
  return { connection: yield* connected(system, found), vendor }
})

const queueSynchronizations = Effect.flatMap(
  ConnectionRepository,
  (connections) => connections.queueSynchronizations,
).pipe(
  // 0, because one run queues all connections that are due: Periodic repeats only after a larger number
  Effect.as(0),
  Effect.withSpan("HiringSystemConnections.queueSynchronizations"),
)

const note = Effect.fn("HiringSystemConnections.note")(({ id, organizationId }: Connected, exchange: Exchange) =>
  Effect.flatMap(ConnectionRepository, (connections) => connections.note(organizationId, id, exchange)),
)

const forgetExchanges = Effect.gen(function* () {
  const before = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(exchangesKept))
  return yield* (yield* ConnectionRepository).forgetExchanges(before)
}).pipe(Effect.withSpan("HiringSystemConnections.forgetExchanges"))

const useCases = {
  create,
  list,
  show,
  rotateKey,
  setCredentials,
  sendFailed,
  test,
  setStatus,
  remove,
  authenticate,
  authenticateSigned,
  queueSynchronizations,
  note,
  forgetExchanges,
}

export class HiringSystemConnections extends Context.Service<HiringSystemConnections, Methods<typeof useCases>>()(
  "interview-invitations/ats/HiringSystemConnections",
) {
  static readonly layer = Layer.effect(
    HiringSystemConnections,
    methods(
      [
        AuditLogRepository,
        ConnectionRepository,
        Database,
        HiringSystemClient,
        Ids,
        SecretBox,
        SecureRandom.SecureRandom,
      ],
      useCases,
    ),
  ).pipe(Layer.provide([HiringSystemClient.layer, Ids.layer]))
}
