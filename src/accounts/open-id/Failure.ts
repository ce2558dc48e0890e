/** What became of a step with a provider that failed: nobody was proven, or it can not be told now. */
import { Effect } from "effect"
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client"
import { SignInRefused, SignInUnavailable } from "../SignIn.ts"

const stale = new SignInRefused({ why: "stale" })
const denied = new SignInRefused({ why: "denied" })

/** The provider signs this person in here not, or not without them (RFC 6749, 4.1.2.1; OpenID Connect Core 1.0, 3.1.2.6). */
const denials = [
  "access_denied",
  "login_required",
  "consent_required",
  "interaction_required",
  "account_selection_required",
]

/**
 * The ID token is not the answer to what was asked: another nonce, issuer or audience, or not of this time. Codes of
 * oauth4webapi, which openid-client hands on.
 */
const misfits = ["OAUTH_JWT_CLAIM_COMPARISON_FAILED", "OAUTH_JWT_TIMESTAMP_CHECK_FAILED"]
const isMisfit = (error: unknown): boolean => error instanceof ClientError && misfits.includes(error.code ?? "")

/** The provider does not take the client's secret, or not in this way. */
export const isClientRefused = (error: unknown): boolean =>
  error instanceof WWWAuthenticateChallengeError ||
  (error instanceof ResponseBodyError && error.error === "invalid_client")

/** What others say goes to the log in one short line. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, 200)

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "something unknown happened"
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : ""
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : ""
  return `${error.message}${code}${cause}`
}

export const unavailable = (reason: string): SignInUnavailable => new SignInUnavailable({ reason: plain(reason) })

const failureOf = (error: unknown): SignInRefused | SignInUnavailable => {
  if (error instanceof AuthorizationResponseError) {
    return denials.includes(error.error) ? denied : unavailable(`the provider answered ${error.error}`)
  }
  if (error instanceof ResponseBodyError) {
    // the code was used, is over, or was given for another attempt (RFC 6749, 5.2)
    return error.error === "invalid_grant" ? stale : unavailable(`the provider answered ${error.status} ${error.error}`)
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return unavailable(`the provider answered ${error.status}: are OIDC_CLIENT_ID and OIDC_CLIENT_SECRET right?`)
  }
  return isMisfit(error) ? stale : unavailable(messageOf(error))
}

/** Does a step of openid-client's, and judges whatever it or fetch throws. */
export const attempted = <A>(step: () => Promise<A>): Effect.Effect<A, SignInRefused | SignInUnavailable> =>
  Effect.tryPromise({ try: step, catch: (error) => error }).pipe(
    Effect.tapError((error) =>
      isMisfit(error) ? Effect.logWarning("an ID token was refused", plain(messageOf(error))) : Effect.void,
    ),
    Effect.mapError(failureOf),
  )
