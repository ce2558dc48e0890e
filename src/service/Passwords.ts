/** Passwords as they are kept and compared. */
import { hash, verify } from "@node-rs/argon2"
import { Effect, Redacted } from "effect"
import { type Invalid, invalid } from "../domain/Problem.ts"

/** argon2id (the library's default), 19 MiB, 2 passes, 1 lane: the first choice of OWASP's password storage page. */
const argon2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Characters (Unicode code points). What is longer is read by no form. */
export const passwordLength = { least: 8, most: 500 } as const

/** Keyboards write one character in several ways, which people can not tell apart (RFC 8265, 4.2.2). */
const normalized = (password: Redacted.Redacted): string => Redacted.value(password).normalize("NFC")

/** What is stored of a password: a PHC string. */
export const hashed = (password: Redacted.Redacted): Effect.Effect<string> =>
  Effect.promise(() => hash(normalized(password), argon2))

/** Whether the stored hash is the password's. */
export const matches = (stored: string, password: Redacted.Redacted): Effect.Effect<boolean> =>
  Effect.promise(() => verify(stored, normalized(password)))

/** The hash of a password that is long enough, and not too long to be typed. */
export const newHash = (password: Redacted.Redacted): Effect.Effect<string, Invalid> => {
  const { least, most } = passwordLength
  const length = [...Redacted.value(password)].length
  if (length < least) {
    return Effect.fail(invalid("#/password", "too_short", `must have at least ${least} characters`))
  }
  return length > most
    ? Effect.fail(invalid("#/password", "too_long", `must have at most ${most} characters`))
    : hashed(password)
}
