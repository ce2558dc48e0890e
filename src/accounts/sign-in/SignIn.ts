/**
 * Port: ways to sign in. A way proves an address or an identity; SignInAttempts and ProviderSignIns find the member.
 * Implementations must pass test/port/SignInSuite.ts.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { Overloaded } from "../../values/Problem.ts"

/**
 * Must not reveal whether the member exists. `unknown`: wrong password, or no such member. `stale`: the provider's
 * response is old, used, or of a sign-in that this browser did not start. `denied`: the provider refused, or the member
 * cancelled there.
 */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {
  why: Schema.Literals(["unknown", "stale", "denied", "passkey"]),
}) {}

/** `reason` is logged. */
export class SignInUnavailable extends Schema.TaggedError<SignInUnavailable>()("SignInUnavailable", {
  reason: Schema.String,
}) {}

export interface Answer {
  /** Form: `email` and `password`. Provider: the query of its redirect. */
  readonly fields: Redacted.Redacted<ReadonlyMap<string, string>>
  readonly kept: Redacted.Redacted | undefined
}

interface Way<Proven, Limit = never> {
  readonly prove: (answer: Answer) => Effect.Effect<Proven, SignInRefused | SignInUnavailable | Limit>
}

/** An unknown address must take as long as a wrong password. */
export type Form = Way<{ readonly email: string }, Overloaded>

export interface Identity {
  readonly issuer: string
  /** Never reassigned; at most 255 characters. */
  readonly subject: string
  /** Undefined: none, or not verified. */
  readonly email: string | undefined
  /** Why `email` is undefined; for the log. */
  readonly withoutEmail?: "missing" | "invalid" | "unverified"
}

export interface Beginning {
  /** https, or http on localhost. */
  readonly url: string
  /** State, nonce and verifier, which bind the provider's response to this browser. */
  readonly kept: Redacted.Redacted
}

export interface Provider extends Way<Identity> {
  readonly name: string
  readonly issuer: string
  readonly begin: (callback: string) => Effect.Effect<Beginning, SignInUnavailable>
}

export interface Ways {
  readonly form: Form | undefined
  readonly provider: Provider | undefined
}

export class SignIn extends Context.Service<SignIn, Ways>()("interview-invitations/accounts/sign-in/SignIn") {
  /** Accepts responses with `state`, as the identity that `who` returns. */
  static readonly layerTest = (
    url: string,
    state: Redacted.Redacted,
    who: (fields: ReadonlyMap<string, string>) => Identity | undefined,
  ): Layer.Layer<SignIn> =>
    Layer.succeed(
      SignIn,
      SignIn.of({
        form: undefined,
        provider: {
          name: "Example",
          issuer: new URL(url).origin,
          begin: (callback) =>
            Effect.succeed({ url: `${url}?redirect_uri=${encodeURIComponent(callback)}`, kept: state }),
          prove: ({ fields, kept }) => {
            const isAnswer = kept !== undefined && Redacted.value(kept) === Redacted.value(state)
            const proven = isAnswer ? who(Redacted.value(fields)) : undefined
            return proven === undefined ? Effect.fail(new SignInRefused({ why: "stale" })) : Effect.succeed(proven)
          },
        },
      }),
    )
}
