/**
 * Sign-in at a provider of OpenID Connect: the authorization code flow (OpenID Connect Core 1.0, 3.1) with PKCE (RFC 7636,
 * S256), state and nonce.
 *
 * The provider is who the operator names, so that it may be in a private network; it is asked by https, or by http on this
 * machine alone, and no redirect of its answers is followed. What it says of itself is kept for an hour, and asked anew
 * after whatever failed. ID tokens must carry a signature by one of its keys.
 */
import { Array, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import * as openId from "openid-client"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { attempted, isClientRefused, unavailable } from "./open-id/Failure.ts"
import { boundedFetch } from "./open-id/fetch.ts"
import { type Provider, SignIn, SignInRefused, type SignInUnavailable } from "./SignIn.ts"

export interface OpenIdOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** As people know it. */
  readonly name: string
  /** Whether an address counts of which the provider says neither that it is verified nor that it is not. */
  readonly trustsAddresses: boolean
  /** For one request, in whole seconds; 10 seconds unless told. */
  readonly timeout?: Duration.Duration
}

/** For all of an answer: a token, the keys, the claims. */
const longest = Duration.seconds(25)

/** How long is relied on what the provider says of itself. */
const known = Duration.hours(1)

/** What the browser must bring back. */
const Kept = Schema.fromJsonString(
  Schema.Struct({ callback: Schema.String, state: Schema.String, nonce: Schema.String, verifier: Schema.String }),
)

/** What is read of an answer: nothing else in its address is anybody's business. */
const answered = ["code", "state", "iss", "error", "error_description"]

const stale = new SignInRefused({ why: "stale" })

/** The address of an ID token or of the userinfo endpoint, if the provider vouches for it. Some write the boolean as a word. */
const addressOf = (claims: openId.IDToken | openId.UserInfoResponse, trusts: boolean): string | undefined => {
  const { email, email_verified: said }: { readonly [claim: string]: unknown } = claims
  const isVouched = said === true || said === "true" || (said === undefined && trusts)
  return isVouched && typeof email === "string" && isEmailAddress(email) ? email : undefined
}

/** Before anybody was asked, nobody is refused. */
const unrefused = Effect.mapError((error: SignInRefused | SignInUnavailable) =>
  error._tag === "SignInRefused" ? unavailable("the provider does not say how to be asked") : error,
)

const isSubject = (subject: string): boolean => subject.length <= 255 && !/\p{Cc}/u.test(subject)

const isLocal = (issuer: string): boolean => new URL(issuer).protocol === "http:"

export const make = ({
  clientId,
  clientSecret,
  issuer,
  name,
  timeout = Duration.seconds(10),
  ...options
}: OpenIdOptions) =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const secret = Effect.map(random.randomBytes(32), (bytes) => Buffer.from(bytes).toString("base64url"))
    const settings = {
      timeout: Duration.toSeconds(timeout),
      [openId.customFetch]: boundedFetch,
      execute: isLocal(issuer) ? [openId.allowInsecureRequests] : [],
    }

    /**
     * The client, by the ways to show its secret that the provider names: in a header before in the form. Which of them it
     * takes from this client it does not say (OpenID Connect Core 1.0, 9).
     */
    const configured = (metadata: openId.ServerMetadata) => {
      const named = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
      const ways = [
        { name: "client_secret_basic", way: openId.ClientSecretBasic },
        { name: "client_secret_post", way: openId.ClientSecretPost },
      ].filter(({ name }) => named.includes(name))
      const clients = ways.map(({ way }) => {
        const client = new openId.Configuration(metadata, clientId, undefined, way(Redacted.value(clientSecret)))
        client.timeout = settings.timeout
        client[openId.customFetch] = boundedFetch
        if (isLocal(issuer)) openId.allowInsecureRequests(client)
        openId.enableNonRepudiationChecks(client)
        return client
      })
      return Array.isReadonlyArrayNonEmpty(clients)
        ? Effect.succeed(clients)
        : Effect.fail(unavailable("the provider takes a client's secret neither in a header nor in a form"))
    }

    const discover = Effect.gen(function* () {
      const found = yield* attempted(() =>
        openId.discovery(new URL(issuer), clientId, undefined, openId.None(), settings),
      ).pipe(unrefused)
      const metadata = found.serverMetadata()
      if (new URL(metadata.issuer).href !== new URL(issuer).href) {
        return yield* unavailable(`the provider calls itself ${metadata.issuer}: set OIDC_ISSUER to that`)
      }
      return yield* configured(metadata)
    })
    const [clients, forget] = yield* Effect.cachedInvalidateWithTTL(discover, (exit) =>
      exit._tag === "Success" ? known : Duration.zero,
    )

    const begin = Effect.fn("OpenIdSignIn.begin")(function* (callback: string) {
      const [state, nonce, verifier] = yield* Effect.orDie(Effect.all([secret, secret, secret]))
      const [client] = yield* clients
      const url = yield* attempted(async () =>
        openId.buildAuthorizationUrl(client, {
          redirect_uri: callback,
          scope: "openid email",
          state,
          nonce,
          code_challenge: await openId.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        }),
      ).pipe(unrefused)
      return { url: url.href, kept: Redacted.make(Schema.encodeSync(Kept)({ callback, state, nonce, verifier })) }
    })

    const ask = Effect.fnUntraced(function* (fields: ReadonlyMap<string, string>, kept: typeof Kept.Type) {
      const [client, other] = yield* clients
      const metadata = client.serverMetadata()
      const from = fields.get("iss")
      const mustName = metadata.authorization_response_iss_parameter_supported === true
      // another provider's answer (RFC 9207)
      if ((from !== undefined || mustName) && from !== metadata.issuer) return yield* stale
      const url = new URL(kept.callback)
      for (const name of answered) {
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
      return yield* attempted(async () => {
        const tokens = await openId
          .authorizationCodeGrant(client, url, checks)
          .catch((error: unknown) =>
            other !== undefined && isClientRefused(error)
              ? openId.authorizationCodeGrant(other, url, checks)
              : Promise.reject(error),
          )
        const claims = tokens.claims()
        if (claims === undefined) throw new TypeError("the provider gave no ID token")
        const isThere = claims["email"] !== undefined || metadata.userinfo_endpoint === undefined
        const told = isThere ? claims : await openId.fetchUserInfo(client, tokens.access_token, claims.sub)
        return { subject: claims.sub, told }
      })
    })

    const prove: Provider["prove"] = Effect.fn("OpenIdSignIn.prove")(function* ({ fields, kept }) {
      const given = Redacted.value(fields)
      const brought = kept === undefined ? Option.none() : Schema.decodeUnknownOption(Kept)(Redacted.value(kept))
      if (Option.isNone(brought)) return yield* stale
      const begun = brought.value
      const isAnswer = Mac.timingSafeEqual(Buffer.from(given.get("state") ?? ""), Buffer.from(begun.state))
      if (!isAnswer) return yield* stale
      const { subject, told } = yield* ask(given, begun).pipe(
        Effect.timeoutOrElse({
          duration: longest,
          orElse: () => Effect.fail(unavailable(`the provider took longer than ${Duration.format(longest)}`)),
        }),
        Effect.tapError(({ _tag }) => (_tag === "SignInUnavailable" ? forget : Effect.void)),
      )
      if (!isSubject(subject))
        return yield* unavailable("the provider's name for somebody is longer than 255 characters")
      return { issuer, subject, email: addressOf(told, options.trustsAddresses) }
    })

    const provider: Provider = { name, issuer, begin, prove }
    return provider
  })

/** At the provider alone. */
export const layer = (options: OpenIdOptions) =>
  Layer.effect(
    SignIn,
    Effect.map(make(options), (provider) => SignIn.of({ form: undefined, provider })),
  )
