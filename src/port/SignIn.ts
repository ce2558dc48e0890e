/**
 * How people prove who they are: a password that this service keeps, a provider's page, a team's own. A way proves an
 * address and no more; whether a member has that address, and the session that follows, is the service's
 * (service/SignIns.ts). Every way passes the conformance suite of test/port/SignInSuite.ts.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"

/** Nobody was proven. Carries nothing: whoever tries must not learn which part was wrong, nor whether there is such a member. */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {}) {}

/** It can not be told now who it is; `reason` is for people who run the service. */
export class SignInUnavailable extends Schema.TaggedError<SignInUnavailable>()("SignInUnavailable", {
  reason: Schema.String,
}) {}

/** Who it is: the address as the way knows it, proven to be theirs. */
export interface Person {
  readonly email: string
}

/** How somebody begins: with a form of address and password on our own page, or on a provider's page. */
export type Beginning =
  | { readonly _tag: "Form" }
  | {
      readonly _tag: "Elsewhere"
      /** An https address, where the browser is sent. */
      readonly url: string
      /** What this browser must bring back with the answer (state, nonce, verifier): the answer is to it and to no other. */
      readonly kept: Redacted.Redacted
    }

/** What came back from the browser. */
export interface Answer {
  /** `email` and `password` of the form, or the query that the provider sent the browser back with. */
  readonly fields: Redacted.Redacted<ReadonlyMap<string, string>>
  /** What was to be brought back; undefined: nothing was. */
  readonly kept: Redacted.Redacted | undefined
}

export class SignIn extends Context.Service<
  SignIn,
  {
    /** `callback` is the address of ours that a provider sends the browser back to. */
    readonly begin: (callback: string) => Effect.Effect<Beginning, SignInUnavailable>
    /** Takes as long for somebody unknown as for a wrong password. */
    readonly prove: (answer: Answer) => Effect.Effect<Person, SignInRefused | SignInUnavailable>
  }
>()("interview-invitations/port/SignIn") {
  /** A provider that sends the browser back at once: whoever brings `state` back is the person of that address. */
  static readonly layerTest = (
    url: string,
    state: Redacted.Redacted,
    person: (fields: ReadonlyMap<string, string>) => Person | undefined,
  ): Layer.Layer<SignIn> =>
    Layer.succeed(
      SignIn,
      SignIn.of({
        begin: (callback) =>
          Effect.succeed({
            _tag: "Elsewhere",
            url: `${url}?redirect_uri=${encodeURIComponent(callback)}`,
            kept: state,
          }),
        prove: ({ fields, kept }) => {
          const isAsked = kept !== undefined && Redacted.value(kept) === Redacted.value(state)
          const proven = isAsked ? person(Redacted.value(fields)) : undefined
          return proven === undefined ? Effect.fail(new SignInRefused({})) : Effect.succeed(proven)
        },
      }),
    )
}
