/** Chains and signs the entries of the record, in the order in which they were noted, for all organizations. */
import { Cause, Context, Effect, Layer } from "effect"
import { sign } from "../platform/crypto/Ed25519.ts"
import { Database, isOutage } from "../platform/database/Database.ts"
import * as FailureLog from "../platform/queue/FailureLog.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { canonicalJson } from "./CanonicalJson.ts"
import { contentHash, type EntryBody, entryMessage, formatVersion, hex, sha256 } from "./RecordEntry.ts"
import { RecordKeys } from "./RecordKeys.ts"
import { RecordRepository, type Seal } from "./RecordRepository.ts"

export class RecordSealer extends Context.Service<RecordSealer>()("interview-invitations/record/RecordSealer", {
  make: Effect.gen(function* () {
    const { time, transaction } = yield* Database
    const recordKeys = yield* RecordKeys
    const repository = yield* RecordRepository
    const failures = FailureLog.make("sealing the record")

    /** Seals the oldest entries of an organization, unless another process is sealing them. Returns their number. */
    const seal = Effect.fn("RecordSealer.seal")(function* (organization: OrganizationId) {
      const chain = yield* repository.lockChain(organization)
      if (chain === undefined) return 0
      const waiting = yield* repository.lockUnsealed(organization)
      if (waiting.length === 0) return 0
      const { fingerprint, key } = yield* recordKeys.forSealing(organization)
      const at = yield* time
      let { entries: number } = chain
      let previous = chain.hash === null ? null : hex(chain.hash)
      const seals = waiting.map((entry): Seal => {
        number++
        const body = canonicalJson({
          version: formatVersion,
          organization,
          number,
          previous,
          kind: entry.kind,
          at: entry.at.toISOString(),
          sealed_at: at.toISOString(),
          submission: entry.submission_id,
          facts: entry.facts,
          content_hash: entry.salt === null ? null : contentHash(entry.salt, canonicalJson(entry.content)),
          key: fingerprint,
        } satisfies EntryBody)
        const message = entryMessage(body)
        const hash = hex(sha256(message))
        previous = hash
        return { id: entry.id, number, body, hash, signature: hex(sign(key, message)) }
      })
      const last = seals.at(-1)
      if (last !== undefined) yield* repository.seal(organization, seals, { number, hash: last.hash, at })
      return seals.length
    }, transaction)

    /** Seals a batch of each organization. One whose key cannot be read, or whose sealing fails, does not hold up the others. */
    const step = Effect.gen(function* () {
      let sealed = 0
      for (const organization of yield* repository.unsealed) {
        sealed += yield* seal(organization).pipe(
          Effect.catchTag("UnreadableRecordKey", ({ message }) =>
            Effect.as(failures.warn("unreadable key", message, { organization }), 0),
          ),
          Effect.catchDefect((defect) =>
            isOutage(defect) ? Effect.die(defect) : Effect.as(failures.report(Cause.die(defect)), 0),
          ),
          Effect.annotateLogs({ organization }),
        )
      }
      return sealed
    }).pipe(Effect.withSpan("RecordSealer.step"))

    return { step }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
