/**
 * Access tokens for a mail server: OAuth 2.0, client credentials (RFC 6749, 4.4). A token is kept until shortly before its end, or
 * until the mail server refuses it.
 */
import { Clock, Duration, Effect, Option, Redacted, Schema, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { EmailNotSent, reasonOf } from "./EmailSender.ts"

export interface AccessTokenOptions {
  /** The token endpoint. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly scope: string
}

export interface AccessToken {
  readonly value: Redacted.Redacted
  /** Epoch milliseconds. */
  readonly until: number
}

/** A token that ends sooner is replaced before it is used. */
const margin = Duration.minutes(5)
const timeout = Duration.seconds(15)

const decodeToken = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      access_token: Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/)),
      expires_in: Schema.Finite.check(Schema.isGreaterThan(0)),
    }),
  ),
)

/** RFC 6749, 5.2. The description may be long, and names neither secret nor token. */
const decodeError = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.String, error_description: Schema.optional(Schema.String) })),
)

const failed = (why: string, refusal?: string) =>
  new EmailNotSent({
    reason: reasonOf(`no access token for the mail server: ${why}`),
    permanent: false,
    ...(refusal === undefined ? {} : { refusal }),
  })

export const accessTokens = Effect.fnUntraced(function* ({ clientId, clientSecret, scope, url }: AccessTokenOptions) {
  const client = yield* HttpClient.HttpClient
  const oneAtATime = yield* Semaphore.make(1)
  let kept: AccessToken | undefined

  const fetchToken = Effect.gen(function* () {
    const request = HttpClientRequest.post(url).pipe(
      HttpClientRequest.bodyUrlParams({
        grant_type: "client_credentials",
        client_id: clientId,
        client_secret: Redacted.value(clientSecret),
        scope,
      }),
    )
    const response = yield* client.execute(request)
    const text = yield* response.text
    const now = yield* Clock.currentTimeMillis
    const token = decodeToken(text)
    if (response.status === 200 && Option.isSome(token)) {
      const { access_token, expires_in } = token.value
      return { value: Redacted.make(access_token), until: now + expires_in * 1000 }
    }
    const described = decodeError(text)
    const why = Option.match(described, {
      onNone: () => "",
      onSome: ({ error, error_description = "" }) => ` ${error}: ${error_description}`,
    })
    const isRefused = response.status === 400 || response.status === 401
    return yield* failed(
      `the token endpoint answered ${response.status}${why}`,
      isRefused ? "the token endpoint refuses SMTP_OAUTH_CLIENT_ID or SMTP_OAUTH_CLIENT_SECRET" : undefined,
    )
  }).pipe(
    Effect.catchTag("HttpClientError", ({ message }) => failed(message)),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => failed(`the token endpoint took longer than ${Duration.format(timeout)}`),
    }),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
  )

  /** Fetched once for all that wait. */
  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // a token of a few minutes is used until its end
    if (kept !== undefined && kept.until - now > Duration.toMillis(margin)) return kept
    kept = yield* fetchToken
    return kept
  }).pipe(oneAtATime.withPermits(1))

  /** The mail server refused it: the next one is fetched, unless it was replaced meanwhile. */
  const drop = (token: AccessToken) =>
    Effect.sync(() => {
      if (kept === token) kept = undefined
    })

  return { current, drop }
})
