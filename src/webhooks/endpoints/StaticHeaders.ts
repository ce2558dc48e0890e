/** Headers that an endpoint's owner adds to each of its deliveries, such as `Authorization` for a gateway. */
import { Schema } from "effect"
import { type FieldError, fieldError } from "../../values/Problem.ts"

export interface StaticHeader {
  readonly name: string
  readonly value: string
}

/** In a change. Without a value: the header keeps its stored value. */
export interface HeaderChange {
  readonly name: string
  readonly value?: string | null | undefined
}

export const maxHeaders = 10
export const maxHeaderName = 100
export const maxHeaderValue = 1000

/** Replaces values in responses and on pages. */
export const maskedValue = "****"

/** `token` of RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Visible ASCII, with spaces between. */
const visible = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Set by the service, or of the connection (RFC 9110, 7.6.1). */
const reservedNames = new Set(
  [
    "accept-encoding",
    "connection",
    "date",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "traceparent",
  ].concat(["tracestate", "trailer", "transfer-encoding", "upgrade", "user-agent", "x-webhook-signature"]),
)
const reservedPrefixes = ["content-", "proxy-", "webhook-"]

const isReserved = (name: string): boolean =>
  reservedNames.has(name.toLowerCase()) || reservedPrefixes.some((prefix) => name.toLowerCase().startsWith(prefix))

export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const nameFault = (name: string): string | undefined => {
  if (name === "") return "must not be blank"
  if (!token.test(name)) return "must have only letters, digits and !#$%&'*+-.^_`|~"
  return isReserved(name) ? `must not be ${name}, which the service or the connection sets` : undefined
}

const valueFault = (value: string): string | undefined =>
  visible.test(value) ? undefined : "must be visible ASCII characters, with spaces only between them"

/** A missing or masked value keeps the stored one. */
const keepsValue = ({ value }: HeaderChange): boolean => value == null || value === maskedValue

/** `stored`: names that have a value. */
export const headerErrors = (
  changes: ReadonlyArray<HeaderChange>,
  stored: ReadonlyArray<string>,
): ReadonlyArray<FieldError> =>
  changes.slice(0, maxHeaders).flatMap((change, index): ReadonlyArray<FieldError> => {
    const { name, value } = change
    const problem = nameFault(name)
    const at = `#/headers/${index}`
    if (problem !== undefined) return [fieldError(`${at}/name`, "invalid", problem)]
    if (changes.slice(0, index).some((other) => isSameName(other.name, name))) {
      return [fieldError(`${at}/name`, "duplicate", "is the name of another header")]
    }
    if (!keepsValue(change)) {
      const fault = valueFault(value ?? "")
      return fault === undefined ? [] : [fieldError(`${at}/value`, "invalid", fault)]
    }
    return stored.some((one) => isSameName(one, name))
      ? []
      : [fieldError(`${at}/value`, "required", "is missing: the header has no stored value")]
  })

/** The headers after a change; `stored` are those before. Headers that `changes` omits are removed. */
export const changedHeaders = (
  changes: ReadonlyArray<HeaderChange>,
  stored: ReadonlyArray<StaticHeader>,
): ReadonlyArray<StaticHeader> =>
  changes.map((change) => {
    const before = stored.find(({ name }) => isSameName(name, change.name))
    return { name: change.name, value: keepsValue(change) ? (before?.value ?? "") : (change.value ?? "") }
  })

export const needsStored = (changes: ReadonlyArray<HeaderChange>): boolean => changes.some(keepsValue)

const StoredHeaders = Schema.fromJsonString(Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })))

export const encodeHeaders = (headers: ReadonlyArray<StaticHeader>): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(headers.map(({ name, value }) => ({ name, value }))))

export const decodeHeaders = (bytes: Uint8Array) => Schema.decodeSync(StoredHeaders)(new TextDecoder().decode(bytes))

export const recordOf = (headers: ReadonlyArray<StaticHeader>): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map(({ name, value }) => [name, value]))

export const maskedRecord = (names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, maskedValue]))
