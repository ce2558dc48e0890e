/**
 * What may leave the service in logs and spans: neither secrets nor personal data. Who writes a line names records by id; this
 * is for what others say in errors, a database or a provider for example, which quote what they were given.
 */
import { Cause, Predicate } from "effect"

/** An address of a person. Looked for from where a word begins alone: a long path must not cost its length squared. */
const address = /(?<![^\s<>"'(),;:[\]{}/\\=])[^\s<>"'(),;:[\]{}/\\=]+@[^\s<>"'(),;:[\]{}/\\]+/g

/** A key of an organization: its prefix is public. */
const apiKey = /\b(iv_live_[a-z0-9]{8})\.[\w-]+/g

/** Keys, and the tokens of links and sessions: 40 characters or more of base64 or hex. Names in code are shorter or of one case. */
const secret = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z0-9])(?=[\w-]*\d|[\w-]*[A-Z][\w-]*[A-Z])[\w-]{40,}={0,2}/g

/** A password in an address. */
const userinfo = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"']*@/gi

/** The text without addresses of people, keys and tokens. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(userinfo, "$1")
    .replaceAll(address, "(address)")
    .replaceAll(apiKey, "$1.****")
    .replaceAll(secret, "(secret)")

/** What is quoted and is not a name in code may be what somebody wrote; as JSON, within its quotes. */
const quoted = /"((?:[^"\\\n]|\\.)*)"/g
const identifier = /^[a-z_][a-z0-9_.]{0,62}$/

/** Of an error: also without what it quotes. */
const withoutQuotes = (text: string): string =>
  withoutSecrets(text.replaceAll(quoted, (all, inner: string) => (identifier.test(inner) ? all : '"…"')))

const said = (error: Error): Error => {
  const { cause, message, name, stack } = error
  const told = new Error(withoutQuotes(message))
  told.name = name
  told.stack = withoutQuotes(stack ?? `${name}: ${message}`)
  if (cause instanceof Error) told.cause = said(cause)
  return told
}

const asText = ({ cause, stack = "" }: Error): string =>
  cause instanceof Error ? `${stack}\n[cause]: ${asText(cause)}` : stack

/** What is written to a log, at whatever depth: values of records are kept, errors are texts as `sayable` tells them. */
export const loggable = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return withoutSecrets(value)
  if (value instanceof Error) return asText(said(value))
  if (typeof value !== "object" || value === null) return value
  if (depth > 4) return "…"
  if (Array.isArray(value)) return value.map((one) => loggable(one, depth + 1))
  // what a record of a class says of itself, or what it has
  if (Predicate.hasProperty(value, "toJSON") && Predicate.isFunction(value.toJSON))
    return loggable(value.toJSON(), depth + 1)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, loggable(one, depth + 1)]))
}

/** The cause with what its errors say, their stacks, and nothing that they quote. */
export const sayable = <E>(cause: Cause.Cause<E>): Cause.Cause<unknown> => {
  if (cause.reasons.every(Cause.isInterruptReason)) return cause
  const [first, ...others] = Cause.prettyErrors(cause).map(said)
  return others.reduce<Cause.Cause<unknown>>((all, one) => Cause.combine(all, Cause.die(one)), Cause.die(first))
}
