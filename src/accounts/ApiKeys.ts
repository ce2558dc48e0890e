/** Creates, authenticates and manages API keys. */
import { Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { ApiKeyId, type MemberId, type OrganizationId } from "../values/Ids.ts"
import { Invalid, invalid, NotFound } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { type ApiKey, CreateApiKey, format, masked, type Principal, parse, UpdateApiKey } from "./ApiKey.ts"
import { ApiKeyRepository, type ApiKeyRow } from "./ApiKeyRepository.ts"
import { changesOf, noting } from "./AuditLog.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"

/** The client reads `reason`. */
export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", { reason: Schema.String }) {}

export type NewKey = typeof CreateApiKey.Encoded

export type KeyChange = typeof UpdateApiKey.Encoded

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

const readNew = Schema.decodeResult(CreateApiKey, { errors: "all" })
const readChange = Schema.decodeResult(UpdateApiKey, { errors: "all" })

const refuse = ({ issue }: Schema.SchemaError) => new Invalid({ errors: fieldErrorsOf(issue) })

/** An unknown prefix takes as long as a wrong secret. */
const noKey = { secret_hash: new Uint8Array(32) }

const view = ({ description, id, name, prefix, ...rest }: ApiKeyRow): ApiKey => ({
  id,
  name,
  description,
  value: masked(prefix),
  ...rest,
})

const note = noting("api_key")

const notFound = Effect.fail(new NotFound({ record: "API key" }))

const found = (row: ApiKeyRow | undefined) => (row === undefined ? notFound : Effect.succeed(view(row)))

/** Only this call returns the value. Fails with already_made when `id` exists. */
const create = Effect.fn("ApiKeys.create")(function* (
  organization: OrganizationId,
  typed: NewKey,
  { by, id: given }: { readonly by?: MemberId; readonly id?: ApiKeyId } = {},
) {
  const random = yield* SecureRandom.SecureRandom
  const digest = yield* Digest.Digest
  const keys = yield* ApiKeyRepository
  const read = readNew(typed)
  if (Result.isFailure(read)) return yield* refuse(read.failure)
  const key = read.success

  const letters = yield* Effect.replicateEffect(random.intBetween(0, alphabet.length - 1), 8)
  const prefix = `iv_live_${letters.map((n) => alphabet[n]).join("")}`
  const secret = yield* random.randomBytes(32)
  const id = given ?? (yield* newId(ApiKeyId))
  const [name, scopes, expires_at] = [key.name ?? null, key.scopes ?? [], key.expires_at ?? null]
  const row = {
    id,
    organization_id: organization,
    prefix,
    secret_hash: yield* digest.digest(Digest.sha256, secret),
    name,
    description: key.description ?? null,
    scopes,
    expires_at,
  }
  if (!(yield* keys.insert(row))) return yield* invalid("#/id", "already_made", "was created by this form already")
  const expires = expires_at?.toISOString() ?? null
  yield* note(organization, by, "create", id, { name, value: masked(prefix), scopes, expires_at: expires })
  return { id, value: Redacted.make(format(prefix, secret)) }
}, inTransaction)

/** Uncached, so a deletion takes effect at once. */
const authenticate = Effect.fnUntraced(function* (value: Redacted.Redacted) {
  const keys = yield* ApiKeyRepository
  const digest = yield* Digest.Digest
  const parts = parse(Redacted.value(value))
  if (parts === undefined) return yield* new KeyRefused({ reason: "the API key is malformed" })
  const key = yield* keys.findByPrefix(parts.prefix)
  const hash = yield* digest.digest(Digest.sha256, parts.secret)
  const isProven = Mac.timingSafeEqual(hash, (key ?? noKey).secret_hash)
  if (key === undefined || !isProven) return yield* new KeyRefused({ reason: "the API key is not known" })
  if (key.status !== "active") return yield* new KeyRefused({ reason: "the API key is inactive" })
  if (key.expired) return yield* new KeyRefused({ reason: "the API key has expired" })
  if (key.needs_touch) yield* keys.touch(key.id)
  return {
    _tag: "ApiKey",
    organizationId: key.organization_id,
    apiKeyId: key.id,
    scopes: key.scopes,
  } satisfies Principal
})

const list = Effect.fn("ApiKeys.list")((organization: OrganizationId) =>
  Effect.flatMap(ApiKeyRepository, (keys) => Effect.map(keys.list(organization), (rows) => rows.map(view))),
)

const show = Effect.fn("ApiKeys.show")((organization: OrganizationId, id: ApiKeyId) =>
  Effect.flatMap(ApiKeyRepository, (keys) => Effect.flatMap(keys.find(organization, id), found)),
)

const update = Effect.fn("ApiKeys.update")(function* (
  organization: OrganizationId,
  id: ApiKeyId,
  typed: KeyChange,
  by?: MemberId,
) {
  const keys = yield* ApiKeyRepository
  const read = readChange(typed)
  if (Result.isFailure(read)) return yield* refuse(read.failure)
  const before = yield* Effect.flatMap(keys.find(organization, id), found)
  const after = yield* Effect.flatMap(keys.update(organization, id, read.success), found)
  const changes = changesOf(before, after, ["name", "description", "scopes", "status"])
  if (changes !== undefined) yield* note(organization, by, "update", id, changes)
  return after
}, inTransaction)

const remove = Effect.fn("ApiKeys.remove")(function* (organization: OrganizationId, id: ApiKeyId, by?: MemberId) {
  const keys = yield* ApiKeyRepository
  const { last_used_at, name, value } = yield* Effect.flatMap(keys.find(organization, id), found)
  if (!(yield* keys.remove(organization, id))) return yield* notFound
  yield* note(organization, by, "delete", id, { name, value, last_used_at })
}, inTransaction)

const useCases = { create, authenticate, list, show, update, remove }

export class ApiKeys extends Context.Service<ApiKeys, Methods<typeof useCases>>()(
  "interview-invitations/accounts/ApiKeys",
) {
  static readonly layer = Layer.effect(
    ApiKeys,
    methods([ApiKeyRepository, AuditLogRepository, Database, Digest.Digest, Ids, SecureRandom.SecureRandom], useCases),
  ).pipe(Layer.provide(Ids.layer))
}
