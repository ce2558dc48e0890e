/** Sign-in by address and password, with rate limits. */
import { Context, Effect, Layer, Redacted } from "effect"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { cleanAddress, foldAddress } from "../../values/EmailAddress.ts"
import { Passwords } from "./Passwords.ts"
import { SecondFactors } from "./SecondFactors.ts"
import { Sessions, type Started } from "./Sessions.ts"
import { type Answer, SignIn, SignInRefused } from "./SignIn.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"
import { period, TooManyAttempts } from "./TooManyAttempts.ts"

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

interface SignedIn extends Started {
  /** Proves that the member has signed in here before. */
  readonly device: Redacted.Redacted
}

/** `state`: the password was right, and a code is needed. */
export type Step = { readonly signedIn: SignedIn } | { readonly state: Redacted.Redacted }

const deviceText = (address: string) => Buffer.from(JSON.stringify(["device", address]))

export class SignInAttempts extends Context.Service<SignInAttempts>()(
  "interview-invitations/accounts/sign-in/SignInAttempts",
  {
    make: Effect.gen(function* () {
      const { admit } = yield* Passwords
      const { sign, verify } = yield* SecretBox
      const secondFactors = yield* SecondFactors
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

      const known = (started: Started): SignedIn => {
        const signed = sign(deviceText(foldAddress(started.member.email)))
        return { ...started, device: Redacted.make(Buffer.from(signed).toString("base64url")) }
      }

      /** The second step of a sign-in. */
      const enterCode = Effect.fn("SignInAttempts.enterCode")(function* (
        state: Redacted.Redacted | undefined,
        code: string,
        caller: Caller,
      ) {
        const { next, ...started } = yield* secondFactors.finish(state, code, caller)
        return { ...known(started), next }
      })

      /**
       * Counts before comparing the password, so that concurrent attempts count. Takes the attempt back when the service
       * fails.
       */
      const signIn = Effect.fn("SignInAttempts.signIn")(function* (
        fields: Answer["fields"],
        caller: Caller,
        next: string | undefined,
      ) {
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
        const step = yield* secondFactors.admit(person.email, caller.userAgent, next)
        yield* repository.reset(limits[0].key)
        yield* repository.uncount(limits.slice(1).map(({ key }) => key))
        return (step.started === undefined ? { state: step.state } : { signedIn: known(step.started) }) satisfies Step
      }, admit)

      const forget = Effect.gen(function* () {
        return (yield* sessions.forget) + (yield* repository.forget)
      }).pipe(Effect.withSpan("SignInAttempts.forget"))

      return { signIn, enterCode, isWaiting: secondFactors.isWaiting, forget, passwords: form !== undefined }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
