/** Signs in through the company's portal, which redirects the browser back with an email address and an HMAC over it. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { type Provider, SignIn, SignInRefused } from "interview-invitations/port/SignIn"

/** The value of the query parameter `seal`, which the portal adds beside `email` and the `state` that it was called with. */
export const sealOf = (secret: Redacted.Redacted, state: string, email: string): string =>
  createHmac("sha256", Redacted.value(secret))
    .update(JSON.stringify([state, email]))
    .digest("hex")

const isSame = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const layer = (portal: string, secret: Redacted.Redacted): Layer.Layer<SignIn> => {
  const issuer = new URL(portal).origin
  const provider: Provider = {
    name: "the Acme portal",
    issuer,
    begin: (callback) =>
      Effect.sync(() => {
        const state = randomBytes(16).toString("hex")
        const url = `${portal}?${new URLSearchParams({ return: callback, state })}`
        return { url, kept: Redacted.make(state) }
      }),
    prove: ({ fields, kept }) => {
      const [email = "", state = "", seal = ""] = ["email", "state", "seal"].map((name) =>
        Redacted.value(fields).get(name),
      )
      if (kept === undefined || !isSame(Redacted.value(kept), state)) return new SignInRefused({ why: "stale" })
      return email !== "" && isSame(seal, sealOf(secret, state, email))
        ? Effect.succeed({ issuer, subject: email, email })
        : new SignInRefused({ why: "unknown" })
    },
  }
  return Layer.succeed(SignIn, SignIn.of({ form: undefined, provider }))
}
