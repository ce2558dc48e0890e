/**
 * Checks SECRET_KEY against the database, which stores the fingerprints of the keys in use (sql/01_platform.sql). A
 * process starts when SECRET_KEY lists one of these keys, and either lists all or decrypts every stored secret.
 */
import { Effect, Schema } from "effect"
import { SecretBox } from "./SecretBox.ts"
import { type EncryptedSecrets, SecretKeyRepository } from "./SecretKeyRepository.ts"

export class WrongSecretKey extends Schema.TaggedError<WrongSecretKey>()("WrongSecretKey", {
  message: Schema.String,
}) {}

const unknownKey = new WrongSecretKey({
  message:
    "SECRET_KEY is not the key that this database was used with: set that key. To replace it, first put the new key after it, separated by a comma (docs/operate.md)",
})

const missingKey = (count: number) =>
  new WrongSecretKey({
    message: `SECRET_KEY lacks a key that ${count === 1 ? "a secret is" : `${count} secrets are`} encrypted under: put the removed key back after the others, separated by a comma, and run secret-key reencrypt before you remove it`,
  })

/** Of SecretBox. */
const contextOf = ({ id, table }: Pick<EncryptedSecrets, "id" | "table">): string => `${table} ${id}`
const headersOf = (record: Pick<EncryptedSecrets, "id" | "table">): string => `${contextOf(record)} headers`

export const endpointContext = (id: string): string => contextOf({ table: "webhook_endpoint", id })
export const headersContext = (id: string): string => headersOf({ table: "webhook_endpoint", id })
/** Of a member's key for codes. */
export const secondFactorContext = (member: string): string => contextOf({ table: "second_factor", id: member })
/** Of a key that signs the record. */
export const recordKeyContext = (id: string): string => contextOf({ table: "record_key", id })
export const connectionContext = (id: string): string => contextOf({ table: "ats_connection", id })

const includes = (keys: ReadonlyArray<Uint8Array>, key: Uint8Array) =>
  keys.some((one) => Buffer.compare(one, key) === 0)

const secretsOf = (record: EncryptedSecrets) => {
  const { headers, previous_secret, secret } = record
  return [
    { encrypted: secret, context: contextOf(record) },
    ...(previous_secret === null ? [] : [{ encrypted: previous_secret, context: contextOf(record) }]),
    ...(headers === null ? [] : [{ encrypted: headers, context: headersOf(record) }]),
  ]
}

const countUnreadable = Effect.gen(function* () {
  const secretBox = yield* SecretBox
  const repository = yield* SecretKeyRepository
  let count = 0
  for (const record of yield* repository.encrypted) {
    const opened = yield* Effect.forEach(secretsOf(record), ({ context, encrypted }) =>
      secretBox.open(encrypted, context),
    )
    if (opened.includes(undefined)) count++
  }
  return count
})

export const lacksRecordedKey = Effect.gen(function* () {
  const { fingerprints } = yield* SecretBox
  const repository = yield* SecretKeyRepository
  return (yield* repository.recorded).some((key) => !includes(fingerprints, key))
})

/** In a database without fingerprints, every key is recorded: any of them may have encrypted the stored secrets. */
export const checkSecretKeys = Effect.gen(function* () {
  const { fingerprints } = yield* SecretBox
  const repository = yield* SecretKeyRepository
  const [first] = fingerprints
  const isSettled = (recorded: ReadonlyArray<Uint8Array>) =>
    first !== undefined && includes(recorded, first) && recorded.every((key) => includes(fingerprints, key))
  if (isSettled(yield* repository.recorded)) return
  yield* repository.alone(
    Effect.gen(function* () {
      const recorded = yield* repository.recorded
      if (isSettled(recorded)) return
      const isNew = recorded.length === 0
      if (!isNew && !recorded.some((key) => includes(fingerprints, key))) return yield* unknownKey
      if (isNew || recorded.some((key) => !includes(fingerprints, key))) {
        const unreadable = yield* countUnreadable
        if (unreadable > 0) return yield* isNew ? unknownKey : missingKey(unreadable)
      }
      yield* repository.add(isNew ? fingerprints : fingerprints.slice(0, 1))
    }),
  )
})

/**
 * Encrypts secrets under the first key. Retires the other keys when every secret could be decrypted, or with
 * `forgetLost`.
 */
export const reencrypt = Effect.fn("SecretKeys.reencrypt")(function* (forgetLost: boolean) {
  const secretBox = yield* SecretBox
  const repository = yield* SecretKeyRepository
  const reencryptOne = Effect.fnUntraced(function* (record: EncryptedSecrets) {
    const context = contextOf(record)
    const secret = yield* secretBox.open(record.secret, context)
    const previous = record.previous_secret === null ? null : yield* secretBox.open(record.previous_secret, context)
    const headers = record.headers === null ? null : yield* secretBox.open(record.headers, headersOf(record))
    if (secret === undefined || previous === undefined || headers === undefined) return []
    const encrypted: EncryptedSecrets = {
      table: record.table,
      id: record.id,
      secret: yield* secretBox.encrypt(secret, context),
      previous_secret: previous === null ? null : yield* secretBox.encrypt(previous, context),
      headers: headers === null ? null : yield* secretBox.encrypt(headers, headersOf(record)),
    }
    return [encrypted]
  })
  return yield* repository.alone(
    Effect.gen(function* () {
      const records = yield* repository.encrypted
      const done = (yield* Effect.forEach(records, reencryptOne)).flat()
      yield* repository.replace(done)
      const unreadable = records.length - done.length
      const [first] = secretBox.fingerprints
      if (first !== undefined && (unreadable === 0 || forgetLost)) {
        yield* repository.add([first])
        yield* repository.keepOnly(first)
      }
      return { reencrypted: done.length, unreadable }
    }),
  )
})
