import { Effect, Redacted } from "effect"
import { signInSuite } from "interview-invitations/testing/SignIn"
import * as Portal from "./Portal.ts"

const secret = Redacted.make("a secret of the portal")
const email = "grace@acme.example"

signInSuite("the portal", Portal.layer("https://portal.acme.example/vouch", secret), {
  who: { issuer: "https://portal.acme.example", subject: email, email },
  answer: (begun) => {
    const state = begun === undefined ? "" : Redacted.value(begun.kept)
    const fields = new Map(Object.entries({ email, state, seal: Portal.sealOf(secret, state, email) }))
    return Effect.succeed({ fields: Redacted.make(fields), kept: begun?.kept })
  },
})
