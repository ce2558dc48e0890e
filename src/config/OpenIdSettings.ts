/** Sign-in by OpenID Connect: the OIDC_ settings. */
import { Effect, type Redacted, Config as Setting } from "effect"
import { type ConfigInvalid, isSet, needed, oneOf, setting, together, wrong } from "./SettingReaders.ts"

export interface OpenIdSettings {
  /** Normalized as a URL. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly name: string
  /** True: email addresses without an email_verified claim count. */
  readonly trustsAddresses: boolean
  readonly passwords: boolean
}

const issuerForm = "the provider's issuer, an https address without a query; http only for localhost"

const isLocalHost = (host: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(host)

/** Shared issuers of Entra, where administrators of any organization may set any address. */
const shared = /^https:\/\/login\.microsoftonline\.(?:com|us)\/(?:common|organizations|consumers)(?:\/|$)/i

const issuer = Effect.gen(function* () {
  const text = (yield* setting("OIDC_ISSUER", Setting.String("OIDC_ISSUER"), issuerForm)).trim()
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocalHost(url.hostname))
  if (url === undefined || !isSafe || url.username + url.password + url.search + url.hash !== "" || text.length > 500) {
    return yield* wrong("OIDC_ISSUER", `must be ${issuerForm}`)
  }
  if (shared.test(url.href))
    return yield* wrong("OIDC_ISSUER", "must name one tenant by its id: anyone can have an account at this issuer")
  // members are stored with their issuer
  return url.href
})

const clientId = Effect.map(setting("OIDC_CLIENT_ID", Setting.String("OIDC_CLIENT_ID"), "the client's id"), (id) =>
  id.trim(),
)

const name = Effect.flatMap(setting("OIDC_NAME", Setting.String("OIDC_NAME"), "a name", ""), (given) => {
  const text = given.trim()
  return text.length <= 60 && !/\p{Cc}/u.test(text)
    ? Effect.succeed(text)
    : Effect.fail(wrong("OIDC_NAME", "must be a name of at most 60 characters"))
})

const rest = ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME", "OIDC_EMAIL", "OIDC_PASSWORDS"] as const

export const openId = Effect.gen(function* (): Effect.fn.Return<OpenIdSettings | undefined, ConfigInvalid> {
  if (!(yield* isSet("OIDC_ISSUER"))) {
    const alone = yield* Effect.filter(rest, isSet)
    if (alone.length > 0) yield* needed(["OIDC_ISSUER"], alone.join(", "))
    return undefined
  }
  yield* needed(["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"], "OIDC_ISSUER")
  const {
    email,
    name: given,
    passwords,
    ...found
  } = yield* together({
    issuer,
    clientId,
    clientSecret: setting("OIDC_CLIENT_SECRET", Setting.Redacted("OIDC_CLIENT_SECRET"), "the client's secret"),
    name,
    email: oneOf("OIDC_EMAIL", ["verified", "trusted"]),
    passwords: oneOf("OIDC_PASSWORDS", ["on", "off"]),
  })
  const host = new URL(found.issuer).host
  return { ...found, name: given || host, trustsAddresses: email === "trusted", passwords: passwords === "on" }
})
