/**
 * How people prove who they are: with a password that this service keeps, at a provider, in a team's own way. A way proves
 * an address or an identity and no more; whether it is a member's, and the session that follows, is the services' business
 * (accounts/SignIns.ts, accounts/ProviderSignIns.ts). Every way passes the conformance suite of test/port/SignInSuite.ts.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { Overloaded } from "../values/Problem.ts"

/**
 * Nobody was proven. Whoever tries must not learn which part was wrong, nor whether there is such a member: it is told apart
 * only what has nothing to do with members.
 *
 * - `unknown`: the password is wrong, or nobody here is the one who was proven.
 * - `stale`: the answer is to nothing that this browser began: too late, used before, or somebody else's.
 * - `denied`: the provider signed nobody in: they cancelled, or may not.
 */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {
  why: Schema.Literals(["unknown", "stale", "denied"]),
}) {}

/** It can not be told now who it is; `reason` is for people who run the service. */
export class SignInUnavailable extends Schema.TaggedError<SignInUnavailable>()("SignInUnavailable", {
  reason: Schema.String,
}) {}

/** What came back from the browser. */
export interface Answer {
  /** `email` and `password` of the form, or the query that the provider sent the browser back with. */
  readonly fields: Redacted.Redacted<ReadonlyMap<string, string>>
  /** What was to be brought back; undefined: nothing was. */
  readonly kept: Redacted.Redacted | undefined
}

interface Way<Proven, Limit = never> {
  readonly prove: (answer: Answer) => Effect.Effect<Proven, SignInRefused | SignInUnavailable | Limit>
}

/**
 * A form for address and password on our own page. Takes as long for an unknown address as for a wrong password. Fails with
 * Overloaded when the process already compares too many passwords.
 */
export type Form = Way<{ readonly email: string }, Overloaded>

/** Who somebody is at a provider. */
export interface Identity {
  readonly issuer: string
  /** The issuer's name for them, which never becomes another person's; at most 255 characters. */
  readonly subject: string
  /** Proven to be theirs now; undefined: the provider tells none, or does not vouch for it. */
  readonly email: string | undefined
}

/** Where a browser is sent. */
export interface Beginning {
  /** An https address; http on this machine alone. */
  readonly url: string
  /** What this browser must bring back with the answer (state, nonce, verifier): the answer is to it and to no other. */
  readonly kept: Redacted.Redacted
}

/** A page of somebody else's, from which the browser comes back. */
export interface Provider extends Way<Identity> {
  /** As people know it. */
  readonly name: string
  /** Of all its identities. */
  readonly issuer: string
  /** `callback` is the address of ours that the browser is sent back to. */
  readonly begin: (callback: string) => Effect.Effect<Beginning, SignInUnavailable>
}

/** The ways that are open; at least one is. */
export interface Ways {
  readonly form: Form | undefined
  readonly provider: Provider | undefined
}

export class SignIn extends Context.Service<SignIn, Ways>()("interview-invitations/accounts/SignIn") {
  /** A provider alone that sends the browser back at once: whoever brings `state` back is who `who` says. */
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
            const isAsked = kept !== undefined && Redacted.value(kept) === Redacted.value(state)
            const proven = isAsked ? who(Redacted.value(fields)) : undefined
            return proven === undefined ? Effect.fail(new SignInRefused({ why: "stale" })) : Effect.succeed(proven)
          },
        },
      }),
    )
}
