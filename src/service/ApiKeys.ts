/** API keys: made, presented, changed, revoked (spec, API key). */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { type ApiKeyStatus, type Principal, parse, type Scope } from "../domain/ApiKey.ts"
import { ApiKeyId, type OrganizationId } from "../domain/Ids.ts"
import { NotFound } from "../domain/Problem.ts"
import { type ApiKeyChange, ApiKeys as Repository } from "../repository/ApiKeys.ts"
import { ids } from "./Ids.ts"

/** The key does not open anything; `reason` says why, in words for whoever holds it. */
export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", { reason: Schema.String }) {}

export interface NewKey {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly scopes?: ReadonlyArray<Scope>
  readonly expiresAt?: Date | undefined
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Makes a key; its value is given here and never again. */
    readonly create: (
      organization: OrganizationId,
      key: NewKey,
    ) => Effect.Effect<{ readonly id: ApiKeyId; readonly value: Redacted.Redacted }>
    /** Whom a presented value acts for. Asked on every request, so that a deletion counts on the very next one. */
    readonly authenticate: (value: Redacted.Redacted) => Effect.Effect<Principal, KeyRefused>
    readonly update: (organization: OrganizationId, id: ApiKeyId, change: ApiKeyChange) => Effect.Effect<void, NotFound>
    readonly remove: (organization: OrganizationId, id: ApiKeyId) => Effect.Effect<void, NotFound>
  }
>()("interview-invitations/service/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const keys = yield* Repository
      const random = yield* SecureRandom.SecureRandom
      const digest = yield* Digest.Digest
      const newId = yield* ids
      const unknown = new KeyRefused({ reason: "the API key is not known" })
      const found = (yes: boolean) => (yes ? Effect.void : Effect.fail(new NotFound({ record: "API key" })))

      return ApiKeys.of({
        create: Effect.fn("ApiKeys.create")(function* (organization, key) {
          const letters = yield* Effect.replicateEffect(random.intBetween(0, alphabet.length - 1), 8)
          const prefix = `iv_live_${letters.map((n) => alphabet[n]).join("")}`
          const secret = yield* random.randomBytes(32)
          const id = yield* newId(ApiKeyId)
          yield* keys.insert({
            id,
            organization_id: organization,
            prefix,
            secret_hash: yield* digest.digest(Digest.sha256, secret),
            name: key.name ?? null,
            description: key.description ?? null,
            scopes: key.scopes ?? [],
            expires_at: key.expiresAt ?? null,
          })
          return { id, value: Redacted.make(`${prefix}.${Buffer.from(secret).toString("base64url")}`) }
        }),
        authenticate: Effect.fn("ApiKeys.authenticate")(function* (value) {
          const parts = parse(Redacted.value(value))
          if (parts === undefined) return yield* new KeyRefused({ reason: "the API key is malformed" })
          const key = yield* keys.findByPrefix(parts.prefix)
          const hash = yield* digest.digest(Digest.sha256, new Uint8Array(Buffer.from(parts.secret, "base64url")))
          if (key === undefined || !Mac.timingSafeEqual(hash, key.secret_hash)) return yield* unknown
          const status: ApiKeyStatus = key.status
          if (status !== "active") return yield* new KeyRefused({ reason: "the API key is inactive" })
          if (key.expired) return yield* new KeyRefused({ reason: "the API key has expired" })
          if (key.unnoted) yield* keys.touch(key.id)
          return { organizationId: key.organization_id, apiKeyId: key.id, scopes: key.scopes }
        }),
        update: Effect.fn("ApiKeys.update")((organization, id, change) =>
          Effect.flatMap(keys.update(organization, id, change), found),
        ),
        remove: Effect.fn("ApiKeys.remove")((organization, id) => Effect.flatMap(keys.remove(organization, id), found)),
      })
    }),
  )
}
