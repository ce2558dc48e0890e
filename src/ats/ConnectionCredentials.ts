/** The credentials of a connection, encrypted under SECRET_KEY. */
import { hash } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { connectionContext } from "../platform/crypto/SecretKeys.ts"
import type { ConnectionId } from "../values/Ids.ts"
import type { Connector, Credentials } from "./Connector.ts"

const Stored = Schema.fromJsonString(
  Schema.Struct({ key: Schema.String, vendor: Schema.Record(Schema.String, Schema.String) }),
)
const decode = Schema.decodeUnknownOption(Stored)
const encode = Schema.encodeEffect(Stored)

/** The key has 256 random bits, so its hash needs no salt, and a lookup by the hash reveals nothing about the key. */
export const keyHashOf = (key: string): Uint8Array => new Uint8Array(hash("sha256", key, "buffer"))

export const makeConnectionCredentials = Effect.gen(function* () {
  const { encrypt, open } = yield* SecretBox
  return {
    seal: Effect.fnUntraced(function* (id: ConnectionId, credentials: Credentials) {
      const text = yield* Effect.orDie(encode(credentials))
      return yield* encrypt(new TextEncoder().encode(text), connectionContext(id))
    }),
    /** Undefined: no key of SECRET_KEY decrypts the credentials. */
    open: Effect.fnUntraced(function* (id: ConnectionId, encrypted: Uint8Array) {
      const opened = yield* open(encrypted, connectionContext(id))
      return opened && Option.getOrUndefined(decode(new TextDecoder().decode(opened)))
    }),
  }
})

/** The labels of the credentials that have not been entered yet. */
export const missingFields = ({ credentials }: Connector, { vendor }: Credentials): ReadonlyArray<string> =>
  credentials.flatMap(({ label, name }) => (vendor[name] === undefined ? [label] : []))

/** The entered values that are not secret, by the field's name. */
export const knownValues = ({ credentials }: Connector, { vendor }: Credentials): Readonly<Record<string, string>> =>
  Object.fromEntries(
    credentials.flatMap(({ isKnown, name, options }) => {
      const value = vendor[name]
      return value === undefined || (options === undefined && isKnown !== true) ? [] : [[name, value]]
    }),
  )
