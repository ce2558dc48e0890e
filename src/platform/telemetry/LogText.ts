/** Removes secrets and personal data from logs and spans: errors may quote values. */
import { Cause, Predicate } from "effect"
import { inSources } from "./SourcePositions.ts"

/** Begins at the start of a word; otherwise long paths take quadratic time. */
const address = /(?<![^\s<>"'(),;:[\]{}/\\=])[^\s<>"'(),;:[\]{}/\\=]+@[^\s<>"'(),;:[\]{}/\\]+/g

const apiKey = /\b(iv_(?:live|test)_[a-z0-9]{8})\.[\w-]+/g

/** At least 40 characters of base64 or hex. Identifiers in code are shorter or of one case. */
const secret = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z0-9])(?=[\w-]*\d|[\w-]*[A-Z][\w-]*[A-Z])[\w-]{40,}={0,2}/g

const userinfo = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"']*@/gi

export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(userinfo, "$1")
    .replaceAll(address, "(address)")
    .replaceAll(apiKey, "$1.****")
    .replaceAll(secret, "(secret)")

/** Quoted text that is not an identifier may be user input. */
const quoted = /"((?:[^"\\\n]|\\.)*)"/g
const identifier = /^[a-z_][a-z0-9_.]{0,62}$/

const withoutQuotes = (text: string): string =>
  withoutSecrets(text.replaceAll(quoted, (all, inner: string) => (identifier.test(inner) ? all : '"…"')))

const sanitized = (error: Error): Error => {
  const { cause, message, name, stack } = error
  const copy = new Error(withoutQuotes(message))
  copy.name = name
  copy.stack = withoutQuotes(inSources(stack ?? `${name}: ${message}`))
  if (cause instanceof Error) copy.cause = sanitized(cause)
  return copy
}

const asText = ({ cause, stack = "" }: Error): string =>
  cause instanceof Error ? `${stack}\n[cause]: ${asText(cause)}` : stack

/** Converts errors to text and removes secrets; replaces objects below the fifth level. */
export const loggable = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return withoutSecrets(value)
  if (value instanceof Error) return asText(sanitized(value))
  if (typeof value !== "object" || value === null) return value
  if (depth > 4) return "…"
  if (Array.isArray(value)) return value.map((one) => loggable(one, depth + 1))
  if (Predicate.hasProperty(value, "toJSON") && Predicate.isFunction(value.toJSON))
    return loggable(value.toJSON(), depth + 1)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, loggable(one, depth + 1)]))
}

export const sayable = <E>(cause: Cause.Cause<E>): Cause.Cause<unknown> => {
  if (cause.reasons.every(Cause.isInterruptReason)) return cause
  const [first, ...others] = Cause.prettyErrors(cause).map(sanitized)
  return others.reduce<Cause.Cause<unknown>>((all, one) => Cause.combine(all, Cause.die(one)), Cause.die(first))
}
