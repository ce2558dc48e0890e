/**
 * Adapter of SignIn: OpenID Connect Core 1.0, 3.1, with PKCE (RFC 7636, S256), state, nonce and signed ID tokens. The
 * provider may be in a private network.
 */
import { Array, Clock, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as openId from "openid-client"
import { type Dispatcher, fetch } from "undici"
import { isSameSecret } from "../../platform/crypto/SecretComparison.ts"
import { DatabaseClock } from "../../platform/database/DatabaseClock.ts"
import { operatorDispatcher } from "../../platform/outbound/ProxyTunnel.ts"
import { isEmailAddress } from "../../values/EmailAddress.ts"
import type { OutboundProxy } from "../../values/OutboundProxy.ts"
import { type Answer, type Identity, type Provider, SignIn, SignInRefused, SignInUnavailable } from "./SignIn.ts"

export interface OpenIdOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly name: string
  readonly trustsAddresses: boolean
  /** Limit of one request, in whole seconds; 10 by default. */
  readonly timeout?: Duration.Duration
  /** For providers with public addresses. */
  readonly proxy?: OutboundProxy | undefined
}

const maxDuration = Duration.seconds(25)

const metadataLifetime = Duration.hours(1)

/** By which the provider's clock may differ from the database's; seconds. */
const clockTolerance = 30

/** Bytes of one response; large providers send some 10 KB. */
const maxAnswer = 1_048_576

const stale = new SignInRefused({ why: "stale" })
const denied = new SignInRefused({ why: "denied" })

const Kept = Schema.fromJsonString(
  Schema.Struct({ callback: Schema.String, state: Schema.String, nonce: Schema.String, verifier: Schema.String }),
)

const answerParameters = ["code", "state", "iss", "error", "error_description"]

const nullBody = [204, 205, 304]

const boundedFetch =
  (dispatcher: Dispatcher): openId.CustomFetch =>
  async (url, { body: sent = null, ...options }) => {
    const { body, headers, status } = await fetch(url, { ...options, body: sent, redirect: "manual", dispatcher })
    const chunks: Array<Uint8Array> = []
    let size = 0
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > maxAnswer) throw new TypeError(`the provider's answer is longer than ${maxAnswer} bytes`)
      chunks.push(chunk)
    }
    return new Response(nullBody.includes(status) ? null : Buffer.concat(chunks), { status, headers: [...headers] })
  }

/** RFC 6749, 4.1.2.1; OpenID Connect Core 1.0, 3.1.2.6. */
const denials = [
  "access_denied",
  "login_required",
  "consent_required",
  "interaction_required",
  "account_selection_required",
]

/** oauth4webapi: wrong nonce, issuer, audience or time. */
const mismatches = ["OAUTH_JWT_CLAIM_COMPARISON_FAILED", "OAUTH_JWT_TIMESTAMP_CHECK_FAILED"]
const isMismatch = (error: unknown): boolean =>
  error instanceof openId.ClientError && mismatches.includes(error.code ?? "")

const isClientRefused = (error: unknown): boolean =>
  error instanceof openId.WWWAuthenticateChallengeError ||
  (error instanceof openId.ResponseBodyError && error.error === "invalid_client")

const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, 200)

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown error"
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : ""
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : ""
  return `${error.message}${code}${cause}`
}

const unavailable = (reason: string): SignInUnavailable => new SignInUnavailable({ reason: plain(reason) })

const failureOf = (error: unknown): SignInRefused | SignInUnavailable => {
  if (error instanceof openId.AuthorizationResponseError) {
    return denials.includes(error.error) ? denied : unavailable(`the provider answered ${error.error}`)
  }
  if (error instanceof openId.ResponseBodyError) {
    // the code was used, expired or from another sign-in (RFC 6749, 5.2)
    return error.error === "invalid_grant" ? stale : unavailable(`the provider answered ${error.status} ${error.error}`)
  }
  if (error instanceof openId.WWWAuthenticateChallengeError) {
    return unavailable(`the provider answered ${error.status}: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET`)
  }
  return isMismatch(error) ? stale : unavailable(messageOf(error))
}

const attempt = <A>(step: () => Promise<A>): Effect.Effect<A, SignInRefused | SignInUnavailable> =>
  Effect.tryPromise({ try: step, catch: (error) => error }).pipe(
    Effect.tapError((error) =>
      isMismatch(error) ? Effect.logWarning("an ID token was refused", plain(messageOf(error))) : Effect.void,
    ),
    Effect.mapError(failureOf),
  )

/** Some providers send email_verified as a string, and null or "" for a claim that they do not have. */
const addressOf = (
  claims: openId.IDToken | openId.UserInfoResponse,
  trusts: boolean,
): Pick<Identity, "email" | "withoutEmail"> => {
  const { email, email_verified: verified }: { readonly [claim: string]: unknown } = claims
  if (email === undefined || email === null || email === "") return { email: undefined, withoutEmail: "missing" }
  if (typeof email !== "string" || !isEmailAddress(email)) return { email: undefined, withoutEmail: "invalid" }
  const isVerified = verified === true || verified === "true" || (verified === undefined && trusts)
  return isVerified ? { email } : { email: undefined, withoutEmail: "unverified" }
}

const asUnavailable = Effect.mapError((error: SignInRefused | SignInUnavailable) =>
  error._tag === "SignInRefused" ? unavailable("the provider's metadata cannot be read") : error,
)

const isSubject = (subject: string): boolean => subject.length <= 255 && !/\p{Cc}/u.test(subject)

const isLocal = (issuer: string): boolean => new URL(issuer).protocol === "http:"

const secret = Effect.flatMap(SecureRandom.SecureRandom, ({ randomBytes }) =>
  Effect.map(randomBytes(32), (bytes) => Buffer.from(bytes).toString("base64url")),
)

/** One for each way to send the secret: metadata does not say which one this client may use (Core 1.0, 9). */
const clientsOf = (
  options: OpenIdOptions,
  send: openId.CustomFetch,
  metadata: openId.ServerMetadata,
  clock: Clock.Clock,
) => {
  const { clientId, clientSecret, issuer } = options
  const named = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  const ways = [
    { name: "client_secret_basic", way: openId.ClientSecretBasic },
    { name: "client_secret_post", way: openId.ClientSecretPost },
  ].filter(({ name }) => named.includes(name))
  const times = {
    [openId.clockSkew]: clock instanceof DatabaseClock ? Math.round(clock.difference / 1000) : 0,
    [openId.clockTolerance]: clockTolerance,
  }
  const clients = ways.map(({ way }) => {
    const client = new openId.Configuration(metadata, clientId, times, way(Redacted.value(clientSecret)))
    client.timeout = timeoutOf(options)
    client[openId.customFetch] = send
    if (isLocal(issuer)) openId.allowInsecureRequests(client)
    openId.enableNonRepudiationChecks(client)
    return client
  })
  return Array.isReadonlyArrayNonEmpty(clients)
    ? Effect.succeed(clients)
    : Effect.fail(unavailable("the provider supports neither client_secret_basic nor client_secret_post"))
}

type Clients = Effect.Success<ReturnType<typeof clientsOf>>

const timeoutOf = ({ timeout = Duration.seconds(10) }: OpenIdOptions) => Duration.toSeconds(timeout)

const discover = Effect.fnUntraced(function* (options: OpenIdOptions, send: openId.CustomFetch) {
  const { clientId, issuer } = options
  const found = yield* attempt(() =>
    openId.discovery(new URL(issuer), clientId, undefined, openId.None(), {
      timeout: timeoutOf(options),
      [openId.customFetch]: send,
      execute: isLocal(issuer) ? [openId.allowInsecureRequests] : [],
    }),
  ).pipe(asUnavailable)
  const metadata = found.serverMetadata()
  if (new URL(metadata.issuer).href !== new URL(issuer).href) {
    return yield* unavailable(`the provider's issuer is ${metadata.issuer}: set OIDC_ISSUER to it`)
  }
  return yield* clientsOf(options, send, metadata, yield* Clock.Clock)
})

const begin = Effect.fnUntraced(function* ([client]: Clients, callback: string) {
  const [state, nonce, verifier] = yield* Effect.orDie(Effect.all([secret, secret, secret]))
  const url = yield* attempt(async () =>
    openId.buildAuthorizationUrl(client, {
      redirect_uri: callback,
      scope: "openid email",
      state,
      nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }),
  ).pipe(asUnavailable)
  return { url: url.href, kept: Redacted.make(Schema.encodeSync(Kept)({ callback, state, nonce, verifier })) }
})

const exchange = Effect.fnUntraced(function* (
  [client, other]: Clients,
  fields: ReadonlyMap<string, string>,
  kept: typeof Kept.Type,
) {
  const metadata = client.serverMetadata()
  const issuer = fields.get("iss")
  const isIssuerRequired = metadata.authorization_response_iss_parameter_supported === true
  // another provider's response (RFC 9207)
  if ((issuer !== undefined || isIssuerRequired) && issuer !== metadata.issuer) return yield* stale
  const url = new URL(kept.callback)
  for (const name of answerParameters) {
    const value = fields.get(name)
    if (value !== undefined && value !== "") url.searchParams.set(name, value)
  }
  if (!url.searchParams.has("code") && !url.searchParams.has("error")) return yield* stale
  const checks = {
    expectedState: kept.state,
    expectedNonce: kept.nonce,
    pkceCodeVerifier: kept.verifier,
    idTokenExpected: true,
  }
  return yield* attempt(async () => {
    const tokens = await openId
      .authorizationCodeGrant(client, url, checks)
      .catch((error: unknown) =>
        other !== undefined && isClientRefused(error)
          ? openId.authorizationCodeGrant(other, url, checks)
          : Promise.reject(error),
      )
    const claims = tokens.claims()
    if (claims === undefined) throw new TypeError("the provider gave no ID token")
    const hasEmail = Boolean(claims["email"]) || metadata.userinfo_endpoint === undefined
    const info = hasEmail ? claims : await openId.fetchUserInfo(client, tokens.access_token, claims.sub)
    return { subject: claims.sub, info }
  })
})

const prove = Effect.fnUntraced(function* <E>(
  { issuer, trustsAddresses }: OpenIdOptions,
  clients: Effect.Effect<Clients, E>,
  { fields, kept }: Answer,
) {
  const answer = Redacted.value(fields)
  const decoded = kept === undefined ? Option.none() : Schema.decodeUnknownOption(Kept)(Redacted.value(kept))
  if (Option.isNone(decoded)) return yield* stale
  if (!isSameSecret(answer.get("state") ?? "", decoded.value.state)) return yield* stale
  const { info, subject } = yield* Effect.flatMap(clients, (all) => exchange(all, answer, decoded.value)).pipe(
    Effect.timeoutOrElse({
      duration: maxDuration,
      orElse: () => Effect.fail(unavailable(`the provider took longer than ${Duration.format(maxDuration)}`)),
    }),
  )
  if (!isSubject(subject)) {
    return yield* unavailable("the provider's identifier of the person is longer than 255 characters")
  }
  return { issuer, subject, ...addressOf(info, trustsAddresses) }
})

/** Caches metadata until the provider is unavailable, at most an hour. */
export const make = (options: OpenIdOptions) =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const send = boundedFetch(yield* operatorDispatcher(options.proxy))
    const [clients, forget] = yield* Effect.cachedInvalidateWithTTL(discover(options, send), (exit) =>
      exit._tag === "Success" ? metadataLifetime : Duration.zero,
    )
    const provider: Provider = {
      name: options.name,
      issuer: options.issuer,
      begin: Effect.fn("OpenIdSignIn.begin")((callback) =>
        Effect.flatMap(clients, (all) => begin(all, callback)).pipe(
          Effect.provideService(SecureRandom.SecureRandom, random),
        ),
      ),
      prove: Effect.fn("OpenIdSignIn.prove")((answer) =>
        Effect.tapError(prove(options, clients, answer), ({ _tag }) =>
          _tag === "SignInUnavailable" ? forget : Effect.void,
        ),
      ),
    }
    return provider
  })

export const layer = (options: OpenIdOptions) =>
  Layer.effect(
    SignIn,
    Effect.map(make(options), (provider) => SignIn.of({ form: undefined, provider })),
  )
