/**
 * Repeating a request safely (contract, HTTP conventions). The answer is stored in the transaction of what it reports:
 * either both are there or neither, so a request that is repeated after any crash is performed once.
 */
import { Context, Effect, Layer, PartitionedSemaphore, Schema } from "effect"
import { Mac } from "effect/crypto"
import { Config } from "../config/Config.ts"
import { Database } from "../platform/database/Database.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { IdempotencyKeyRepository, type KeyUse } from "./IdempotencyKeyRepository.ts"

/** The key came before with another request. */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {}

/** The API key was deleted since it was checked. */
export class KeyDeleted extends Schema.TaggedError<KeyDeleted>()("KeyDeleted", {}) {}

/** The first request with the key is still being answered. */
export class StillRunning extends Schema.TaggedError<StillRunning>()("StillRunning", {}) {}

export interface Answer {
  readonly status: number
  /** JSON. */
  readonly body: string
}

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * The stored answer to a use of a key, or the one that `perform` gives now. `requestHash` tells requests apart.
     * What `perform` dies of is not kept.
     */
    readonly once: <E, R>(
      use: KeyUse,
      requestHash: Uint8Array,
      perform: Effect.Effect<Answer, E, R>,
    ) => Effect.Effect<Answer & { readonly replayed: boolean }, E | KeyDeleted | KeyReused | StillRunning, R>
    /** Forgets answers that are older than a day, some at a time; returns how many. */
    readonly forget: Effect.Effect<number>
  }
>()("interview-invitations/accounts/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const { databasePool } = yield* Config
      const { transaction } = yield* Database
      const keys = yield* IdempotencyKeyRepository
      // Each of these holds a connection while it may wait for something that others need one for (an invite's turn):
      // half of the connections stay out of it, so there is always one to go on with.
      const turns = yield* PartitionedSemaphore.make<OrganizationId>({
        permits: Math.max(1, Math.floor(databasePool / 2)),
      })
      return Idempotency.of({
        once: (use, requestHash, perform) =>
          Effect.gen(function* () {
            const locked = yield* keys.lock(use)
            if (locked === undefined) return yield* new KeyDeleted()
            if (!locked) return yield* new StillRunning()
            const known = yield* keys.find(use)
            if (known !== undefined) {
              if (!Mac.timingSafeEqual(known.request_hash, requestHash)) return yield* new KeyReused()
              return { status: known.status, body: known.body, replayed: true }
            }
            const answer = yield* perform
            yield* keys.insert(use, { request_hash: requestHash, ...answer })
            return { ...answer, replayed: false }
          }).pipe(transaction, turns.withPermits(use.organizationId, 1), Effect.withSpan("Idempotency.once")),
        forget: keys.forget(1000),
      })
    }),
  )
}
