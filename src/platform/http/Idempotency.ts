/**
 * Performs requests with the same Idempotency-Key once (docs/api.md): stores the response in the transaction of the
 * work.
 */
import { Context, Effect, Layer, PartitionedSemaphore, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import type { OrganizationId } from "../../values/Ids.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import { isSameSecret } from "../crypto/SecretComparison.ts"
import { Database } from "../database/Database.ts"
import { type FirstAnswer, IdempotencyKeyRepository, type KeyUse } from "./IdempotencyKeyRepository.ts"

export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {}

export class KeyDeleted extends Schema.TaggedError<KeyDeleted>()("KeyDeleted", {}) {}

/** A person of the first request was erased since, so its response is gone. */
export class AnswerErased extends Schema.TaggedError<AnswerErased>()("AnswerErased", {}) {}

export class StillRunning extends Schema.TaggedError<StillRunning>()("StillRunning", {}) {}

/** No key of SECRET_KEY decrypts the stored response. */
export class AnswerUnreadable extends Schema.TaggedError<AnswerUnreadable>()("AnswerUnreadable", {}) {}

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface AnswerUse extends KeyUse {
  /** The response contains a secret, so it is stored encrypted. */
  readonly hasSecret?: boolean
}

const contextOf = ({ apiKeyId, key }: KeyUse): string => `idempotency_key ${apiKeyId} ${key}`

export class Idempotency extends Context.Service<Idempotency>()("interview-invitations/platform/http/Idempotency", {
  make: Effect.gen(function* () {
    const { databasePool } = yield* Config
    const { transaction } = yield* Database
    const { find, forget, insert, lock } = yield* IdempotencyKeyRepository
    const { encrypt, open } = yield* SecretBox
    // each use holds a connection and may wait; half of the pool stays free
    const uses = yield* PartitionedSemaphore.make<OrganizationId>({
      permits: Math.max(1, Math.floor(databasePool / 2)),
    })

    const stored = Effect.fnUntraced(function* (use: AnswerUse, { body, status }: Answer) {
      if (use.hasSecret !== true) return { status, body, encrypted_body: null }
      return { status, body: "", encrypted_body: yield* encrypt(Buffer.from(body), contextOf(use)) }
    })

    const read = Effect.fnUntraced(function* (use: KeyUse, { body, encrypted_body, status }: FirstAnswer) {
      if (encrypted_body === null) return { status, body }
      const opened = yield* open(encrypted_body, contextOf(use))
      return opened === undefined ? yield* new AnswerUnreadable() : { status, body: Buffer.from(opened).toString() }
    })

    /** Failures and defects are not stored. */
    const once = Effect.fn("Idempotency.once")(
      function* <E, R>(use: AnswerUse, requestHash: Uint8Array, perform: Effect.Effect<Answer, E, R>) {
        const isLocked = yield* lock(use)
        if (isLocked === undefined) return yield* new KeyDeleted()
        if (!isLocked) return yield* new StillRunning()
        const first = yield* find(use)
        if (first !== undefined) {
          if (!isSameSecret(first.request_hash, requestHash)) return yield* new KeyReused()
          if (first.is_erased) return yield* new AnswerErased()
          return { ...(yield* read(use, first)), replayed: true }
        }
        const answer = yield* perform
        yield* insert(use, { request_hash: requestHash, ...(yield* stored(use, answer)) })
        return { ...answer, replayed: false }
      },
      (effect, use) => effect.pipe(transaction, uses.withPermits(use.organizationId, 1)),
    )

    return { once, forget: forget(1000) }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
