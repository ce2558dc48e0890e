/** Sign-in by address and password, with rate limits. */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { cleanAddress, foldAddress } from "../../values/EmailAddress.ts"
import { Passwords } from "./Passwords.ts"
import { Sessions, type Started } from "./Sessions.ts"
import { type Answer, SignIn, SignInRefused } from "./SignIn.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"

export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()("TooManyAttempts", {
  seconds: Schema.Int,
}) {
  static readonly of = (millis: number) => new TooManyAttempts({ seconds: Math.max(1, Math.ceil(millis / 1000)) })
}

/** In which failed attempts are counted, also at providers and of a member's own password. */
export const period = Duration.minutes(15)

/**
 * Failed attempts per period, counted in this order until one refuses, so that one client cannot exhaust an address's
 * limit.
 */
const maxAttempts = { addressAndClient: 5, client: 30, address: 50 }

export interface Caller {
  /** IPv4 address or IPv6 /64 network. */
  readonly client: string
  readonly userAgent: string | undefined
  readonly device: Redacted.Redacted | undefined
}

export interface SignedIn extends Started {
  /** Proves that the member has signed in here before. */
  readonly device: Redacted.Redacted
}

const deviceText = (address: string) => Buffer.from(JSON.stringify(["device", address]))

export class SignInAttempts extends Context.Service<SignInAttempts>()(
  "interview-invitations/accounts/sign-in/SignInAttempts",
  {
    make: Effect.gen(function* () {
      const { admit } = yield* Passwords
      const { sign, verify } = yield* SecretBox
      const sessions = yield* Sessions
      const { form } = yield* SignIn
      const repository = yield* SignInAttemptRepository

      const limitsOf = Effect.fnUntraced(function* (address: string, { client, device }: Caller) {
        const key = (kind: keyof typeof maxAttempts, ...parts: ReadonlyArray<string>) => ({
          key: sign(Buffer.from(JSON.stringify(["sign-in", kind, ...parts]))),
          max: maxAttempts[kind],
        })
        // known devices have their own limit, so an attacker cannot lock the member out
        const isKnown =
          device !== undefined && verify(Buffer.from(Redacted.value(device), "base64url"), deviceText(address))
        return [
          key("addressAndClient", address, client),
          key("client", client),
          key("address", address, isKnown ? "known" : "new"),
        ] as const
      })

      /**
       * Counts before comparing the password, so that concurrent attempts count. Takes the attempt back when the service
       * fails.
       */
      const signIn = Effect.fn("SignInAttempts.signIn")(function* (fields: Answer["fields"], caller: Caller) {
        if (form === undefined) return yield* new SignInRefused({ why: "unknown" })
        const limits = yield* limitsOf(foldAddress(cleanAddress(Redacted.value(fields).get("email") ?? "")), caller)
        const wait = yield* repository.count(limits, period)
        if (wait !== undefined) return yield* TooManyAttempts.of(wait)
        const person = yield* form
          .prove({ fields, kept: undefined })
          .pipe(
            Effect.tapErrorTag(["Overloaded", "SignInUnavailable"], () =>
              repository.uncount(limits.map(({ key }) => key)),
            ),
          )
        const started = yield* sessions.start(person, caller.userAgent)
        yield* repository.reset(limits[0].key)
        yield* repository.uncount(limits.slice(1).map(({ key }) => key))
        const device = Redacted.make(Buffer.from(sign(deviceText(foldAddress(person.email)))).toString("base64url"))
        return { ...started, device } satisfies SignedIn
      }, admit)

      const forget = Effect.gen(function* () {
        return (yield* sessions.forget) + (yield* repository.forget)
      }).pipe(Effect.withSpan("SignInAttempts.forget"))

      return { signIn, forget, passwords: form !== undefined }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
