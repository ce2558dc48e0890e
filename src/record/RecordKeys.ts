/** The keys that sign an organization's record: made at first use, replaced by a command (docs/record.md). */
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../accounts/AuditLog.ts"
import { operator } from "../accounts/Viewer.ts"
import { fingerprintOf, keyLength, publicKeyOf, sign, signingKey } from "../platform/crypto/Ed25519.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { recordKeyContext } from "../platform/crypto/SecretKeys.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { type OrganizationId, RecordKeyId } from "../values/Ids.ts"
import { canonicalJson } from "./CanonicalJson.ts"
import { base64url, type ExportedKey, type KeyStatement, keyMessage } from "./RecordEntry.ts"
import { type RecordKey, RecordRepository } from "./RecordRepository.ts"

export class UnreadableRecordKey extends Schema.TaggedError<UnreadableRecordKey>()("UnreadableRecordKey", {
  organization: Schema.Number,
}) {
  override get message() {
    return `no key of SECRET_KEY decrypts the key that signs the record of organization ${this.organization}: put back the key that encrypted it, or, if it is lost, run record rotate-key --forget-lost`
  }
}

const statementOf = (
  organization: OrganizationId,
  { created_at, public_key }: Pick<RecordKey, "created_at" | "public_key">,
  former: RecordKey | undefined,
): KeyStatement => ({
  organization,
  public_key: base64url(public_key),
  created_at: created_at.toISOString(),
  previous: former === undefined ? null : fingerprintOf(former.public_key),
})

/** Of the keys of an organization, oldest first. */
export const exportedKeys = (
  organization: OrganizationId,
  keys: ReadonlyArray<RecordKey>,
): ReadonlyArray<ExportedKey> =>
  keys.map((key, i) => ({
    statement: statementOf(organization, key, keys[i - 1]),
    signature: key.signature === null ? null : base64url(key.signature),
    retired_at: key.retired_at?.toISOString() ?? null,
  }))

export class RecordKeys extends Context.Service<RecordKeys>()("interview-invitations/record/RecordKeys", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { time, transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* RecordRepository
    const random = yield* SecureRandom.SecureRandom
    const secretBox = yield* SecretBox

    const open = Effect.fnUntraced(function* (organization: OrganizationId, { id, private_key }: RecordKey) {
      const seed = private_key === null ? undefined : yield* secretBox.open(private_key, recordKeyContext(id))
      return seed === undefined ? yield* new UnreadableRecordKey({ organization }) : signingKey(seed)
    })

    const make = Effect.fnUntraced(function* (
      organization: OrganizationId,
      former: RecordKey | undefined,
      isFormerLost: boolean,
    ) {
      const seed = yield* Effect.orDie(random.randomBytes(keyLength))
      const id = yield* ids.make(RecordKeyId)
      const made = { public_key: publicKeyOf(seed), created_at: yield* time }
      const message = keyMessage(canonicalJson(statementOf(organization, made, former)))
      yield* repository.addKey(organization, {
        ...made,
        id,
        position: (former?.position ?? 0) + 1,
        private_key: yield* secretBox.encrypt(seed, recordKeyContext(id)),
        signature: former === undefined || isFormerLost ? null : sign(yield* open(organization, former), message),
      })
      return { fingerprint: fingerprintOf(made.public_key), key: signingKey(seed) }
    })

    /** The key that signs, and all keys, oldest first; undefined: there is none yet. */
    const active = Effect.fn("RecordKeys.active")(function* (organization: OrganizationId) {
      const keys = yield* repository.keys(organization)
      const last = keys.at(-1)
      if (last === undefined) return undefined
      return { fingerprint: fingerprintOf(last.public_key), key: yield* open(organization, last), keys }
    })

    /** The key that signs entries, made now if there is none. The caller has locked the chain. */
    const forSealing = Effect.fn("RecordKeys.forSealing")(function* (organization: OrganizationId) {
      return (yield* active(organization)) ?? (yield* make(organization, undefined, false))
    })

    /**
     * Replaces the key; the former one signs the new one, and its private part is deleted. `forgetLost`: also if SECRET_KEY does
     * not decrypt the former one, which then signs nothing.
     */
    const rotate = Effect.fn("RecordKeys.rotate")(function* (organization: OrganizationId, forgetLost: boolean) {
      yield* repository.waitForChain(organization)
      const former = (yield* repository.keys(organization)).at(-1)
      const isLost =
        forgetLost && former !== undefined
          ? yield* Effect.match(open(organization, former), { onFailure: () => true, onSuccess: () => false })
          : false
      const { fingerprint } = yield* make(organization, former, isLost)
      const previous = former === undefined ? null : fingerprintOf(former.public_key)
      const detail = { fingerprint, previous }
      yield* auditLog.note(operator(organization), "record", "rotate_key", String(organization), detail)
      return { organization, fingerprint, previous, isSigned: former !== undefined && !isLost }
    }, transaction)

    return { active, forSealing, rotate, withKey: repository.organizationsWithKey }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
