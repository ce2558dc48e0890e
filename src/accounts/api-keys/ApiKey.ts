/**
 * API keys (docs/api.md): `iv_live_<8 of a-z0-9>.<43 base64url>`, of a test space `iv_test_…`. Of the part after the dot, only a
 * hash is stored.
 */
import { Duration, Result, Schema, SchemaTransformation } from "effect"
import { Base64Url } from "effect/encoding"
import { optional, text } from "../../values/Fields.ts"
import { ApiKeyId, type OrganizationId } from "../../values/Ids.ts"
import { Moment, Timestamp } from "../../values/Timestamp.ts"
import { Scope } from "../Permissions.ts"

export const ApiKeyStatus = Schema.Literals(["active", "inactive"])
export type ApiKeyStatus = typeof ApiKeyStatus.Type

/** Which data an API key reads and changes (docs/test-mode.md). */
export const Mode = Schema.Literals(["live", "test"])
export type Mode = typeof Mode.Type

/** Of a key with this public prefix: `api_key_mode` in sql/03_accounts.sql checks that it is that of its organization. */
export const modeOf = (value: string): Mode => (value.startsWith("iv_test_") ? "test" : "live")

// the two unused bits of the last character are zero: one spelling for each secret
const valueFormat = /^(iv_(?:live|test)_[a-z0-9]{8})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/

export const format = (prefix: string, secret: Uint8Array): string => `${prefix}.${Base64Url.encode(secret)}`

export const parse = (value: string): { readonly prefix: string; readonly secret: Uint8Array } | undefined => {
  const [, prefix, encoded = ""] = valueFormat.exec(value) ?? []
  if (prefix === undefined) return undefined
  return Result.getOrUndefined(Result.map(Base64Url.decode(encoded), (secret) => ({ prefix, secret })))
}

/**
 * How long a process may accept a key without looking it up again. A change of a key's status or scopes, and a deletion,
 * are answered this much later, so that no process accepts the former key after the answer.
 */
export const trustedFor = Duration.seconds(1)

/** How long a form that created a key shows it again. */
export const keyShownFor = Duration.seconds(30)

export const masked = (prefix: string): string => `${prefix}.****`

const label = (max: number) =>
  Schema.NullOr(text(max)).pipe(
    Schema.decodeTo(
      Schema.NullOr(Schema.String),
      SchemaTransformation.transform({ decode: (value) => value?.trim() || null, encode: (value) => value }),
    ),
  )

const choice = <S extends Schema.Codec<string, string>>(literals: S) =>
  Schema.String.pipe(Schema.decodeTo(literals, SchemaTransformation.passthroughSubtype<string, S["Encoded"]>()))

/** Empty: unrestricted. */
const scopes = Schema.Array(choice(Scope)).pipe(
  Schema.decodeTo(
    Schema.Array(Scope),
    SchemaTransformation.transform<ReadonlyArray<Scope>, ReadonlyArray<Scope>>({
      decode: (all) => [...new Set(all)],
      encode: (all) => all,
    }),
  ),
)

export const CreateApiKey = Schema.Struct({
  name: Schema.optionalKey(label(250)),
  description: Schema.optionalKey(label(2000)),
  scopes: optional(scopes),
  expires_at: optional(Moment),
})
export type CreateApiKey = typeof CreateApiKey.Type

export const UpdateApiKey = Schema.Struct({
  name: Schema.optionalKey(label(250)),
  description: Schema.optionalKey(label(2000)),
  scopes: Schema.optionalKey(scopes),
  status: Schema.optionalKey(choice(ApiKeyStatus)),
})
export type UpdateApiKey = typeof UpdateApiKey.Type

export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  name: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  value: Schema.String.annotate({ description: "The public prefix; the secret is not kept" }),
  scopes: Schema.Array(Scope).annotate({ description: "Empty: unrestricted" }),
  status: ApiKeyStatus,
  expired: Schema.Boolean.annotate({ description: "expires_at has passed" }),
  expires_at: Schema.NullOr(Timestamp).annotate({ description: "null: never" }),
  last_used_at: Schema.NullOr(Timestamp).annotate({ description: "Noted at most once a minute" }),
  created_at: Timestamp,
})
export type ApiKey = typeof ApiKey.Type

export interface Principal {
  readonly _tag: "ApiKey"
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  readonly scopes: ReadonlyArray<Scope>
}
