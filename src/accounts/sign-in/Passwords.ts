/** Hashes and compares passwords with argon2id, two at a time. */
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import * as FailureLog from "../../platform/queue/FailureLog.ts"
import { invalid, Overloaded } from "../../values/Problem.ts"

/** Replaced by tests. */
export const Argon2 = Context.Reference<{ readonly hash: typeof argon2Hash; readonly verify: typeof argon2Verify }>(
  "interview-invitations/accounts/Passwords/Argon2",
  { defaultValue: () => ({ hash: argon2Hash, verify: argon2Verify }) },
)

/** OWASP Password Storage Cheat Sheet; memory in KiB. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const passwordLength = { min: 8, max: 500 } as const

/**
 * A hash takes one of libuv's 4 threads, which also serve DNS and files. On 2 cores, a third concurrent hash slows the
 * other two.
 */
export const maxHashing = 2

/** On 2 cores the last one waits about a second. */
export const maxWaiting = 50

const retryAfter = 5

/** Costs as much as a stored hash and matches no password. */
const dummyHash = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`

const IsAdmitted = Context.Reference("interview-invitations/accounts/Passwords/IsAdmitted", {
  defaultValue: () => false,
})

/** Keyboards encode one character in several ways (RFC 8265, 4.2.2). */
const normalized = (password: Redacted.Redacted): string => Redacted.value(password).normalize("NFC")

/** 49,000 passwords of breaches, in lower case. */
const commonPasswords = Effect.promise(async () => {
  const { dictionary } = await import("@zxcvbn-ts/language-common")
  return new Set<string>(dictionary["passwords-common"])
})

/** Letters and digits, without digits at the end. */
const core = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replace(/\p{N}+$/u, "")

const isOwn = (password: string, own: ReadonlyArray<string | null>): boolean => {
  const [typed, parts] = [
    core(password),
    own.flatMap((text) => (text === null ? [] : [text, text.split("@")[0] ?? ""])),
  ]
  return typed !== "" && parts.some((part) => core(part) === typed)
}

export class Passwords extends Context.Service<Passwords>()("interview-invitations/accounts/sign-in/Passwords", {
  make: Effect.gen(function* () {
    // loaded for the first new password: the list takes 8 MB
    const common = yield* Effect.cached(commonPasswords)
    const semaphore = yield* Semaphore.make(maxHashing)
    let callers = 0
    const refusals = yield* FailureLog.makeUntilQuiet("checking passwords")

    const refuse = Effect.gen(function* () {
      const reason = "too many passwords are being checked"
      yield* refusals.warn(reason, "requests are refused with 503", { reason })
      return yield* new Overloaded({ reason, retryAfter })
    })

    /** Makes `effect` fail with Overloaded before it starts, instead of at its first hash. */
    const admit = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Overloaded, R> =>
      Effect.flatMap(IsAdmitted, (isAdmitted) => {
        if (isAdmitted) return effect
        return Effect.acquireUseRelease(
          Effect.suspend(() => {
            if (callers >= maxHashing + maxWaiting) return refuse
            callers++
            return Effect.void
          }),
          () => Effect.provideService(effect, IsAdmitted, true),
          () => Effect.sync(() => callers--),
        )
      })

    // a running hash cannot be stopped, so its caller keeps the permit
    const run = <A>(task: () => Promise<A>) => admit(semaphore.withPermit(Effect.uninterruptible(Effect.promise(task))))

    return {
      admit,
      /** Returns a PHC string. Invalid: wrong length, common, or one of `own`: the member's address and names. */
      hash: Effect.fn("Passwords.hash")(function* (
        password: Redacted.Redacted,
        own: ReadonlyArray<string | null> = [],
      ) {
        const { max, min } = passwordLength
        const length = [...Redacted.value(password)].length
        if (length < min) return yield* invalid("#/password", "too_short", `must have at least ${min} characters`)
        if (length > max) return yield* invalid("#/password", "too_long", `must have at most ${max} characters`)
        if (isOwn(Redacted.value(password), own)) {
          return yield* invalid(
            "#/password",
            "guessable",
            "must not be your address or name, or the organization's name",
          )
        }
        if ((yield* common).has(Redacted.value(password).toLowerCase())) {
          const message =
            "is one of the most common ones, which attackers try first. Choose another, such as several words"
          return yield* invalid("#/password", "guessable", message)
        }
        const { hash } = yield* Argon2
        return yield* run(() => hash(normalized(password), parameters))
      }),
      /** `stored` null takes as long and never matches. */
      matches: Effect.fn("Passwords.matches")(function* (stored: string | null, password: Redacted.Redacted) {
        const { verify } = yield* Argon2
        const isEqual = yield* run(() => verify(stored ?? dummyHash, normalized(password)))
        return isEqual && stored !== null
      }),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
