/** Signing in by address and password: how often it may be tried, who it is, and the session that follows. */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { Overloaded } from "../values/Problem.ts"
import { Passwords } from "./Passwords.ts"
import { Sessions, type Started } from "./Sessions.ts"
import { type Answer, SignIn, SignInRefused, type SignInUnavailable } from "./SignIn.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"

/** It was tried too often; `seconds` until it may be tried again. The same for an address that nobody has. */
export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()("TooManyAttempts", {
  seconds: Schema.Int,
}) {}

/** Attempts that failed, in a quarter of an hour. */
const period = Duration.minutes(15)
/**
 * Narrow before wide: what a narrow count refuses the wide ones never see, so that one client alone can not use up what an
 * address has, and many people behind one address of a network are not shut out by one who forgot a password.
 */
const most = { addressAndClient: 5, client: 30, address: 50 }

/** Who asks, as far as the connection tells. */
export interface Caller {
  /** IP address; of IPv6 the network that one customer gets, /64. */
  readonly client: string
  readonly userAgent: string | undefined
  /** What this browser was given when somebody last signed in with it. */
  readonly device: Redacted.Redacted | undefined
}

export interface SignedIn extends Started {
  /** To be kept by the browser: it tells next time that the address was signed in with here. */
  readonly device: Redacted.Redacted
}

export class SignIns extends Context.Service<
  SignIns,
  {
    /** Whether passwords are a way to sign in. */
    readonly passwords: boolean
    /**
     * Counts the attempt before the password is compared, so that concurrent attempts count too. A successful sign-in and a
     * failure of the service take the count back. Fails with Overloaded, without counting, when this process compares too many
     * passwords.
     */
    readonly signIn: (
      fields: Answer["fields"],
      caller: Caller,
    ) => Effect.Effect<SignedIn, SignInRefused | SignInUnavailable | Overloaded | TooManyAttempts>
    /** Deletes some of what is over: sessions, and counts of attempts; returns how much. */
    readonly forget: Effect.Effect<number>
  }
>()("interview-invitations/accounts/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const attempts = yield* SignInAttemptRepository
      const passwords = yield* Passwords
      const sessions = yield* Sessions
      const vault = yield* SecretBox
      const { form } = yield* SignIn
      const keyOf = (kind: keyof typeof most, ...parts: ReadonlyArray<string>) =>
        vault.sign(Buffer.from(JSON.stringify(["sign-in", kind, ...parts])))
      const deviceOf = (address: string) => Buffer.from(JSON.stringify(["device", address]))
      return SignIns.of({
        passwords: form !== undefined,
        signIn: Effect.fn("SignIns.signIn")(
          function* (fields, { client, device, userAgent }) {
            if (form === undefined) return yield* new SignInRefused({ why: "unknown" })
            const address = foldAddress(Redacted.value(fields).get("email")?.trim() ?? "")
            const pair = keyOf("addressAndClient", address, client)
            // known devices have a limit of their own, so an attacker who exhausts the address's limit does not lock its owner out
            const isKnown =
              device !== undefined && vault.verify(Buffer.from(Redacted.value(device), "base64url"), deviceOf(address))
            const wide = [keyOf("client", client), keyOf("address", address, isKnown ? "known" : "new")] as const
            const wait = yield* attempts.count(
              [
                { key: pair, most: most.addressAndClient },
                { key: wide[0], most: most.client },
                { key: wide[1], most: most.address },
              ],
              period,
            )
            if (wait !== undefined) return yield* new TooManyAttempts({ seconds: Math.max(1, Math.ceil(wait / 1000)) })
            const person = yield* form
              .prove({ fields, kept: undefined })
              .pipe(Effect.tapErrorTag(["Overloaded", "SignInUnavailable"], () => attempts.giveBack([pair, ...wide])))
            const started = yield* sessions.start(person, userAgent)
            yield* attempts.takeBack(pair, wide)
            const own = foldAddress(person.email)
            return { ...started, device: Redacted.make(Buffer.from(vault.sign(deviceOf(own))).toString("base64url")) }
          },
          (effect) => passwords.admit(effect),
        ),
        forget: Effect.zipWith(sessions.forget, attempts.forget, (a, b) => a + b).pipe(
          Effect.withSpan("SignIns.forget"),
        ),
      })
    }),
  )
}
