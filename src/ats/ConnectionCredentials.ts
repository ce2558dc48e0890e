/** The credentials of a connection, encrypted under SECRET_KEY. */
import { hash } from "node:crypto"
import { Effect, Option, Redacted, Schema } from "effect"
import { Config } from "../config/Config.ts"
import { wrong } from "../config/SettingReaders.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { connectionContext } from "../platform/crypto/SecretKeys.ts"
import type { ConnectionId } from "../values/Ids.ts"
import type { Connector, CredentialField, Credentials } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import type { HiringSystem } from "./HiringSystem.ts"

const Stored = Schema.fromJsonString(
  Schema.Struct({
    key: Schema.String,
    vendor: Schema.Record(Schema.String, Schema.String),
    tokens: Schema.optionalKey(
      Schema.Struct({ access: Schema.String, refresh: Schema.String, expires_at: Schema.Finite }),
    ),
  }),
)
const decode = Schema.decodeUnknownOption(Stored)
const encode = Schema.encodeEffect(Stored)

/** The key has 256 random bits, so its hash needs no salt, and a lookup by the hash reveals nothing about the key. */
export const keyHashOf = (key: string): Uint8Array => new Uint8Array(hash("sha256", key, "buffer"))

/** What a connection that holds an account at the vendor has instead of the hash of its key. */
export const accountHashOf = (system: HiringSystem, account: string): Uint8Array => keyHashOf(`${system} ${account}`)

/** What a connection that lost its account has until access is granted again. No call presents a connection's id as its key. */
export const releasedHashOf = (id: ConnectionId): Uint8Array => keyHashOf(id)

/** The name of the credential that has the account's id. Undefined: the vendor's calls name no account. */
export const accountCredentialOf = ({ authentication }: Pick<Connector, "authentication">): string | undefined =>
  authentication._tag === "Signature" ? authentication.account?.credential : undefined

type Partners = Readonly<Record<string, Credentials["vendor"]>>

/** Why a name in HIRING_SYSTEM_PARTNERS is not known; undefined: all are. */
const partnersError = (partners: Partners): string | undefined => {
  for (const [name, fields] of Object.entries(partners)) {
    const connector = Object.values(connectors).find(({ system }) => system === name)
    if (connector === undefined) return `${name} is not a hiring system: use ${Object.keys(connectors).join(", ")}`
    const known = connector.credentials.flatMap((field) => (field.isPartner ? [field.name] : []))
    const unknown = Object.keys(fields).find((field) => !known.includes(field))
    if (unknown !== undefined) {
      const which = known.length === 0 ? "has none" : `has ${known.join(", ")}`
      return `${unknown} is not a credential of the operator at ${name}, which ${which}`
    }
  }
  return undefined
}

export const makeConnectionCredentials = Effect.gen(function* () {
  const { encrypt, open: decrypt } = yield* SecretBox
  const partners: Partners = Redacted.value((yield* Config).hiringSystemPartners)
  const error = partnersError(partners)
  if (error !== undefined) return yield* wrong("HIRING_SYSTEM_PARTNERS", error)
  const partner = (system: HiringSystem): Credentials["vendor"] => partners[system] ?? {}
  /** The connection's own credentials. Undefined: no key of SECRET_KEY decrypts them. */
  const open = Effect.fnUntraced(function* (id: ConnectionId, encrypted: Uint8Array) {
    const opened = yield* decrypt(encrypted, connectionContext(id))
    return opened && Option.getOrUndefined(decode(new TextDecoder().decode(opened)))
  })
  return {
    open,
    /** The operator's credentials at the vendor. */
    partner,
    /** The credentials that an organization enters: those that the operator neither set nor assigns. */
    fields: (system: HiringSystem): ReadonlyArray<CredentialField> =>
      connectors[system].credentials.filter(
        ({ isAssigned, isPartner, name }) =>
          !(isPartner && partner(system)[name] !== undefined) && !(isAssigned && partners[system] !== undefined),
      ),
    /** The connection's credentials and the operator's. Undefined: no key of SECRET_KEY decrypts the former. */
    resolve: Effect.fnUntraced(function* (system: HiringSystem, id: ConnectionId, encrypted: Uint8Array) {
      const opened: Credentials | undefined = yield* open(id, encrypted)
      if (opened === undefined) return undefined
      const shared = partner(system)
      const isOfOperator = Object.keys(shared).some((name) => opened.vendor[name] === undefined)
      const whole: Credentials = { ...opened, isOfOperator, vendor: { ...shared, ...opened.vendor } }
      return whole
    }),
    seal: Effect.fnUntraced(function* (id: ConnectionId, credentials: Credentials) {
      const text = yield* Effect.orDie(encode(credentials))
      return yield* encrypt(new TextEncoder().encode(text), connectionContext(id))
    }),
  }
})

/** The labels of the credentials that have not been entered yet. */
export const missingFields = ({ credentials }: Connector, { vendor }: Credentials): ReadonlyArray<string> =>
  credentials.flatMap(({ label, name }) => (vendor[name] === undefined ? [label] : []))

/** An administrator of the vendor has not granted access yet, or the vendor revoked it. */
export const lacksAccess = ({ oauth }: Connector, { tokens }: Credentials): boolean =>
  oauth !== undefined && tokens === undefined

/** The entered values that are not secret, by the field's name. */
export const knownValues = ({ credentials }: Connector, { vendor }: Credentials): Readonly<Record<string, string>> =>
  Object.fromEntries(
    credentials.flatMap(({ isKnown, name, options }) => {
      const value = vendor[name]
      return value === undefined || (options === undefined && isKnown !== true) ? [] : [[name, value]]
    }),
  )
