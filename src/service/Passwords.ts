/** Passwords as they are kept and compared. */
import { hash, verify } from "@node-rs/argon2"
import { Effect, Redacted } from "effect"

/** argon2id (the library's default), 19 MiB, 2 passes, 1 lane: the first choice of OWASP's password storage page. */
const argon2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What is stored of a password: a PHC string. */
export const hashed = (password: Redacted.Redacted): Effect.Effect<string> =>
  Effect.promise(() => hash(Redacted.value(password), argon2))

/** Whether the stored hash is the password's. */
export const matches = (stored: string, password: Redacted.Redacted): Effect.Effect<boolean> =>
  Effect.promise(() => verify(stored, Redacted.value(password)))
