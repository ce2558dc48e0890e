/** Creates, authenticates and manages API keys. */
import { Context, Duration, Effect, Layer, Redacted, Result, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { isSameSecret } from "../../platform/crypto/SecretComparison.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { ApiKeyId, OrganizationId } from "../../values/Ids.ts"
import { Invalid, invalid, NotFound } from "../../values/Problem.ts"
import { fieldErrorsOf } from "../../values/ValidationErrors.ts"
import { AuditLog, changesOf } from "../AuditLog.ts"
import type { Viewer } from "../Viewer.ts"
import { untilTrustEnds } from "./AcceptedKeys.ts"
import { type ApiKey, CreateApiKey, format, masked, type Principal, parse, trustedFor, UpdateApiKey } from "./ApiKey.ts"
import { ApiKeyRepository, type ApiKeyRow } from "./ApiKeyRepository.ts"

/** The client reads `reason`. `key`: an inactive or expired one, for the request log. */
export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", {
  reason: Schema.String,
  key: Schema.optionalKey(Schema.Struct({ organizationId: OrganizationId, apiKeyId: ApiKeyId })),
}) {}

export type NewKey = typeof CreateApiKey.Encoded

export type KeyChange = typeof UpdateApiKey.Encoded

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

const readNew = Schema.decodeResult(CreateApiKey, { errors: "all" })
const readChange = Schema.decodeResult(UpdateApiKey, { errors: "all" })

const refuse = ({ issue }: Schema.SchemaError) => new Invalid({ errors: fieldErrorsOf(issue) })

/** A key that was found, and how many milliseconds it may be accepted from before this call. */
export interface AcceptedKey {
  readonly principal: Principal
  readonly trustedFor: number
}

/** An unknown prefix takes as long as a wrong secret. */
const noKey = { secret_hash: new Uint8Array(32) }

const view = ({ description, id, name, prefix, ...rest }: ApiKeyRow): ApiKey => ({
  id,
  name,
  description,
  value: masked(prefix),
  ...rest,
})

const notFound = Effect.fail(new NotFound({ record: "API key" }))

const found = (row: ApiKeyRow | undefined) => (row === undefined ? notFound : Effect.succeed(view(row)))

export class ApiKeys extends Context.Service<ApiKeys>()("interview-invitations/accounts/api-keys/ApiKeys", {
  make: Effect.gen(function* () {
    const repository = yield* ApiKeyRepository
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const digest = yield* Digest.Digest
    const ids = yield* Ids
    const random = yield* SecureRandom.SecureRandom

    /** A test key in a test space. Only this call returns the value. Fails with already_made when `id` exists. */
    const create = Effect.fn("ApiKeys.create")(function* (viewer: Viewer, typed: NewKey, given?: ApiKeyId) {
      const read = readNew(typed)
      if (Result.isFailure(read)) return yield* refuse(read.failure)
      const key = read.success

      const letters = yield* Effect.replicateEffect(random.intBetween(0, alphabet.length - 1), 8)
      const mode = yield* repository.modeOf(viewer.organizationId)
      const prefix = `iv_${mode}_${letters.map((n) => alphabet[n]).join("")}`
      const secret = yield* random.randomBytes(32)
      const id = given ?? (yield* ids.make(ApiKeyId))
      const [name, scopes, expires_at] = [key.name ?? null, key.scopes ?? [], key.expires_at ?? null]
      const row = {
        id,
        organization_id: viewer.organizationId,
        prefix,
        secret_hash: yield* digest.digest(Digest.sha256, secret),
        name,
        description: key.description ?? null,
        scopes,
        expires_at,
      }
      if (!(yield* repository.insert(row)))
        return yield* invalid("#/id", "already_made", "was created by this form already")
      const expires = expires_at?.toISOString() ?? null
      yield* auditLog.note(viewer, "api_key", "create", id, {
        name,
        value: masked(prefix),
        scopes,
        expires_at: expires,
      })
      return { id, value: Redacted.make(format(prefix, secret)) }
    }, transaction)

    /** Looks the key up. The caller may trust the result for as long as it says (AcceptedKeys.ts). */
    const authenticate = Effect.fnUntraced(function* (value: Redacted.Redacted) {
      const parts = parse(Redacted.value(value))
      if (parts === undefined) return yield* new KeyRefused({ reason: "the API key is malformed" })
      const key = yield* repository.findByPrefix(parts.prefix)
      const hash = yield* digest.digest(Digest.sha256, parts.secret)
      const isProven = isSameSecret(hash, (key ?? noKey).secret_hash)
      if (key === undefined || !isProven) return yield* new KeyRefused({ reason: "the API key is not known" })
      const proven = { organizationId: key.organization_id, apiKeyId: key.id }
      if (key.status !== "active") return yield* new KeyRefused({ reason: "the API key is inactive", key: proven })
      if (key.expired) return yield* new KeyRefused({ reason: "the API key has expired", key: proven })
      if (key.needs_touch) yield* repository.touch(key.id)
      return {
        principal: { _tag: "ApiKey", ...proven, scopes: key.scopes },
        trustedFor: Math.min(Duration.toMillis(trustedFor), key.expires_in ?? Number.POSITIVE_INFINITY),
      } satisfies AcceptedKey
    })

    const list = Effect.fn("ApiKeys.list")(({ organizationId }: Viewer) =>
      Effect.map(repository.list(organizationId), (rows) => rows.map(view)),
    )

    const show = Effect.fn("ApiKeys.show")(({ organizationId }: Viewer, id: ApiKeyId) =>
      Effect.flatMap(repository.find(organizationId, id), found),
    )

    const change = Effect.fnUntraced(function* (viewer: Viewer, id: ApiKeyId, typed: KeyChange) {
      const read = readChange(typed)
      if (Result.isFailure(read)) return yield* refuse(read.failure)
      const before = yield* show(viewer, id)
      const after = yield* Effect.flatMap(repository.update(viewer.organizationId, id, read.success), found)
      const changes = changesOf(before, after, ["name", "description", "scopes", "status"])
      if (changes !== undefined) yield* auditLog.note(viewer, "api_key", "update", id, changes)
      return after
    }, transaction)

    /** Waits also where nothing changes: another request may have changed it less than `trustedFor` ago. */
    const update = Effect.fn("ApiKeys.update")(function* (viewer: Viewer, id: ApiKeyId, typed: KeyChange) {
      const after = yield* change(viewer, id, typed)
      if (typed.status !== undefined || typed.scopes !== undefined) yield* untilTrustEnds
      return after
    })

    const remove = Effect.fn("ApiKeys.remove")(
      function* (viewer: Viewer, id: ApiKeyId) {
        const { last_used_at, name, value } = yield* show(viewer, id)
        if (!(yield* repository.remove(viewer.organizationId, id))) return yield* notFound
        yield* auditLog.note(viewer, "api_key", "delete", id, { name, value, last_used_at })
      },
      transaction,
      Effect.tap(untilTrustEnds),
    )

    return { create, authenticate, list, show, update, remove }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
