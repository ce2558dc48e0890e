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
import { open, seal } from "./ConnectionCredentials.ts"
import { ConnectionRepository, type PresentedConnection } from "./ConnectionRepository.ts"
import type { Connector } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { type HiringSystem, systemNames } from "./HiringSystem.ts"
import { HiringSystemClient, outcomeOf } from "./HiringSystemClient.ts"

type Manager = Member | Operator

/** The hiring system reads `reason`. */
export class ConnectionRefused extends Schema.TaggedError<ConnectionRefused>()("ConnectionRefused", {
  reason: Schema.String,
}) {}

const parseId = Schema.decodeUnknownOption(ConnectionId)
const readNew = Schema.decodeUnknownResult(CreateConnection, { errors: "all" })

const maxExchanges = 100
const exchangesKept = Duration.days(30)

const notFound = new NotFound({ record: "connection" })

/** The key has 256 random bits, so its hash needs no salt, and looking it up reveals nothing of it. */
const hashOf = (key: string): Uint8Array => new Uint8Array(createHash("sha256").update(key).digest())

/** Below the 171 characters that Greenhouse accepts. */
const newKey = Effect.gen(function* () {
  return `ih_${Base64Url.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(32))}`
})

const maxCredential = 500

/** Every field of the connector, trimmed; Invalid names those that are missing, after the `others`. */
const vendorCredentials = Effect.fnUntraced(function* (
  system: HiringSystem,
  typed: Readonly<Record<string, string>> = {},
  others: ReadonlyArray<FieldError> = [],
) {
  const fields = connectors[system].credentials
  const unknown = Object.keys(typed).filter((name) => !fields.some((field) => field.name === name))
  const errors = [
    ...others,
    ...fields.flatMap(({ name, options }) =>
      options === undefined || options.includes(typed[name] ?? "")
        ? []
        : [fieldError(`#/credentials/${name}`, "invalid", `must be one of ${options.join(", ")}`)],
    ),
    ...fields.flatMap(({ name, options }) =>
      options === undefined
        ? lineErrors(`#/credentials/${name}`, typed[name] ?? "", { isRequired: true, most: maxCredential })
        : [],
    ),
    ...unknown.map((name) =>
      fieldError(`#/credentials/${name}`, "invalid", `is not a credential of ${systemNames[system]}`),
    ),
  ]
  if (errors.length > 0) return yield* new Invalid({ errors })
  return Object.fromEntries(fields.map(({ name }) => [name, (typed[name] ?? "").trim()]))
})

/** The hiring system calls with the key, unless its calls are signed. */
const shownKey = (system: HiringSystem, key: string) =>
  connectors[system].authentication._tag === "Signature" ? undefined : Redacted.make(key)

const find = Effect.fnUntraced(function* ({ organizationId }: Manager, id: ConnectionId) {
  return (yield* (yield* ConnectionRepository).find(organizationId, id)) ?? (yield* notFound)
})

/** Only this call and `rotateKey` return the key; undefined: the hiring system needs none. */
const create = Effect.fn("HiringSystemConnections.create")(function* (manager: Manager, typed: unknown) {
  const read = readNew(typed)
  if (Result.isFailure(read)) return yield* new Invalid({ errors: fieldErrorsOf(read.failure.issue) })
  const { name, system } = read.success
  const nameErrors = lineErrors("#/name", name, { isRequired: true, most: 100 })
  const vendor = yield* vendorCredentials(system, read.success.credentials, nameErrors)
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

const show = Effect.fn("HiringSystemConnections.show")(function* (manager: Manager, id: ConnectionId) {
  const connection = yield* find(manager, id)
  const exchanges = yield* (yield* ConnectionRepository).exchanges(manager.organizationId, id, maxExchanges)
  return { connection, exchanges }
})

/** Locks the connection. */
const credentialsOf = Effect.fnUntraced(function* ({ organizationId }: Manager, id: ConnectionId) {
  const stored = yield* (yield* ConnectionRepository).credentialsOf(organizationId, id)
  return stored === undefined ? undefined : yield* open(id, stored)
})

const unreadable = new Conflict({
  reason: "no key of SECRET_KEY decrypts the credentials of this connection: replace its credentials",
})

/** The former key is refused at once. Conflict: the hiring system's calls have no key. */
const rotateKey = Effect.fn("HiringSystemConnections.rotateKey")(function* (manager: Manager, id: ConnectionId) {
  const { system } = yield* find(manager, id)
  const key = yield* newKey
  const shown = shownKey(system, key)
  if (shown === undefined) {
    return yield* new Conflict({ reason: `${systemNames[system]} signs its calls: replace its credentials instead` })
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
 * Replaces what the hiring system gave. `typed`: by the name of the connector's field. Works when the former ones cannot be
 * decrypted: calls need the hash of the connection's key only.
 */
const setCredentials = Effect.fn("HiringSystemConnections.setCredentials")(function* (
  manager: Manager,
  id: ConnectionId,
  typed: Readonly<Record<string, string>>,
) {
  const { system } = yield* find(manager, id)
  const vendor = yield* vendorCredentials(system, typed)
  const { key } = (yield* credentialsOf(manager, id)) ?? { key: "" }
  const credentials = yield* seal(id, { key, vendor })
  yield* (yield* ConnectionRepository).setCredentials(manager.organizationId, id, { credentials })
  yield* audit(manager, "ats_connection", "set_credentials", id, {})
  return yield* find(manager, id)
}, inTransaction)

/** Asks the hiring system whether it accepts the credentials; undefined: it documents no such request. */
const test = Effect.fn("HiringSystemConnections.test")(function* (manager: Manager, id: ConnectionId) {
  const { system } = yield* find(manager, id)
  const connector = connectors[system]
  if (connector.test === undefined) return undefined
  const credentials = (yield* inTransaction(credentialsOf(manager, id))) ?? (yield* unreadable)
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
  if (found.status === "paused") return yield* new ConnectionRefused({ reason: "the connection is paused" })
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

/** `text`: the connection's id in the address. `signature`: of the header. */
const authenticateSigned = Effect.fn("HiringSystemConnections.authenticateSigned")(function* (
  { authentication, system }: Connector,
  text: string,
  signature: string,
  body: Uint8Array,
) {
  const refused = new ConnectionRefused({ reason: "the signature is not that of the connection" })
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
  // queued ones are no longer due
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
