/** Manages connections to hiring systems and authenticates their calls. */
import { createHash } from "node:crypto"
import { Clock, Context, Duration, Effect, Layer, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { audit } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import type { Member } from "../accounts/Member.ts"
import type { Operator } from "../accounts/Viewer.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { connectionContext } from "../platform/crypto/SecretKeys.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { ConnectionId } from "../values/Ids.ts"
import { Invalid, NotFound } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { type Connected, type ConnectionStatus, CreateConnection, type Exchange } from "./Connection.ts"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import type { HiringSystem } from "./HiringSystem.ts"

type Manager = Member | Operator

/** The hiring system reads `reason`. */
export class ConnectionRefused extends Schema.TaggedError<ConnectionRefused>()("ConnectionRefused", {
  reason: Schema.String,
}) {}

const readNew = Schema.decodeUnknownResult(CreateConnection, { errors: "all" })

const maxExchanges = 100
const exchangesKept = Duration.days(30)

const notFound = new NotFound({ record: "connection" })

/** The key has 256 random bits, so its hash needs no salt, and looking it up reveals nothing of it. */
const hashOf = (key: string): Uint8Array => new Uint8Array(createHash("sha256").update(key).digest())

/** Below the 171 characters that Greenhouse accepts. */
const newKey = Effect.fnUntraced(function* (id: ConnectionId) {
  const key = `ih_${Base64Url.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(32))}`
  const credentials = yield* (yield* SecretBox).encrypt(new TextEncoder().encode(key), connectionContext(id))
  return { key: Redacted.make(key), key_hash: hashOf(key), credentials }
})

const find = Effect.fnUntraced(function* ({ organizationId }: Manager, id: ConnectionId) {
  return (yield* (yield* ConnectionRepository).find(organizationId, id)) ?? (yield* notFound)
})

/** Only this call and `rotateKey` return the key. */
const create = Effect.fn("HiringSystemConnections.create")(function* (manager: Manager, typed: unknown) {
  const read = readNew(typed)
  if (Result.isFailure(read)) return yield* new Invalid({ errors: fieldErrorsOf(read.failure.issue) })
  const { name, system } = read.success
  const id = yield* newId(ConnectionId)
  const { key, ...stored } = yield* newKey(id)
  yield* (yield* ConnectionRepository).insert({ id, organization_id: manager.organizationId, system, name, ...stored })
  yield* audit(manager, "ats_connection", "create", id, { system, name })
  return { connection: yield* find(manager, id), key }
}, inTransaction)

const list = Effect.fn("HiringSystemConnections.list")(({ organizationId }: Manager) =>
  Effect.flatMap(ConnectionRepository, (connections) => connections.list(organizationId)),
)

const show = Effect.fn("HiringSystemConnections.show")(function* (manager: Manager, id: ConnectionId) {
  const connection = yield* find(manager, id)
  const exchanges = yield* (yield* ConnectionRepository).exchanges(manager.organizationId, id, maxExchanges)
  return { connection, exchanges }
})

/** The former key is refused at once. */
const rotateKey = Effect.fn("HiringSystemConnections.rotateKey")(function* (manager: Manager, id: ConnectionId) {
  const { key, ...stored } = yield* newKey(id)
  if (!(yield* (yield* ConnectionRepository).setKey(manager.organizationId, id, stored))) return yield* notFound
  yield* audit(manager, "ats_connection", "rotate_key", id, {})
  return { connection: yield* find(manager, id), key }
}, inTransaction)

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

const authenticate = Effect.fn("HiringSystemConnections.authenticate")(function* (
  system: HiringSystem,
  key: Redacted.Redacted,
) {
  const found = yield* (yield* ConnectionRepository).byKey(system, hashOf(Redacted.value(key)))
  if (found === undefined) return yield* new ConnectionRefused({ reason: "the key is not known" })
  if (found.status === "paused") return yield* new ConnectionRefused({ reason: "the connection is paused" })
  return { id: found.id, organizationId: found.organization_id, system } satisfies Connected
})

const note = Effect.fn("HiringSystemConnections.note")(({ id, organizationId }: Connected, exchange: Exchange) =>
  Effect.flatMap(ConnectionRepository, (connections) => connections.note(organizationId, id, exchange)),
)

const forgetExchanges = Effect.gen(function* () {
  const before = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(exchangesKept))
  return yield* (yield* ConnectionRepository).forgetExchanges(before)
}).pipe(Effect.withSpan("HiringSystemConnections.forgetExchanges"))

const useCases = { create, list, show, rotateKey, setStatus, remove, authenticate, note, forgetExchanges }

export class HiringSystemConnections extends Context.Service<HiringSystemConnections, Methods<typeof useCases>>()(
  "interview-invitations/ats/HiringSystemConnections",
) {
  static readonly layer = Layer.effect(
    HiringSystemConnections,
    methods([AuditLogRepository, ConnectionRepository, Database, Ids, SecretBox, SecureRandom.SecureRandom], useCases),
  ).pipe(Layer.provide(Ids.layer))
}
