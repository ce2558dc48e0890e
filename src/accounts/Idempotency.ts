/**
 * Performs requests with the same Idempotency-Key once (docs/api.md): stores the response in the transaction of the
 * work.
 */
import { Context, Effect, Layer, PartitionedSemaphore, Schema } from "effect"
import { Mac } from "effect/crypto"
import { Config } from "../config/Config.ts"
import { Database } from "../platform/database/Database.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { IdempotencyKeyRepository, type KeyUse } from "./IdempotencyKeyRepository.ts"

export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {}

export class KeyDeleted extends Schema.TaggedError<KeyDeleted>()("KeyDeleted", {}) {}

export class StillRunning extends Schema.TaggedError<StillRunning>()("StillRunning", {}) {}

export interface Answer {
  readonly status: number
  readonly body: string
}

const performOnce = Effect.fnUntraced(function* <E, R>(
  keys: IdempotencyKeyRepository["Service"],
  use: KeyUse,
  requestHash: Uint8Array,
  perform: Effect.Effect<Answer, E, R>,
) {
  const isLocked = yield* keys.lock(use)
  if (isLocked === undefined) return yield* new KeyDeleted()
  if (!isLocked) return yield* new StillRunning()
  const stored = yield* keys.find(use)
  if (stored !== undefined) {
    if (!Mac.timingSafeEqual(stored.request_hash, requestHash)) return yield* new KeyReused()
    return { status: stored.status, body: stored.body, replayed: true }
  }
  const answer = yield* perform
  yield* keys.insert(use, { request_hash: requestHash, ...answer })
  return { ...answer, replayed: false }
})

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** Failures and defects are not stored. */
    readonly once: <E, R>(
      use: KeyUse,
      requestHash: Uint8Array,
      perform: Effect.Effect<Answer, E, R>,
    ) => Effect.Effect<Answer & { readonly replayed: boolean }, E | KeyDeleted | KeyReused | StillRunning, R>
    readonly forget: Effect.Effect<number>
  }
>()("interview-invitations/accounts/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const { databasePool } = yield* Config
      const { transaction } = yield* Database
      const keys = yield* IdempotencyKeyRepository
      // each use holds a connection and may wait; half of the pool stays free
      const uses = yield* PartitionedSemaphore.make<OrganizationId>({
        permits: Math.max(1, Math.floor(databasePool / 2)),
      })
      return Idempotency.of({
        once: (use, requestHash, perform) =>
          performOnce(keys, use, requestHash, perform).pipe(
            transaction,
            uses.withPermits(use.organizationId, 1),
            Effect.withSpan("Idempotency.once"),
          ),
        forget: keys.forget(1000),
      })
    }),
  )
}
