import { Effect, Redacted } from "effect"
import { signInSuite } from "interview-invitations/testing/SignIn"
import * as Portal from "./Portal.ts"

const secret = Redacted.make("a secret of the portal")
const email = "grace@acme.example"

signInSuite("the portal", Portal.layer("https://portal.acme.example/vouch", secret), {
  email,
  answer: (kept) => {
    const state = kept === undefined ? "" : Redacted.value(kept)
    const fields = new Map([
      ["email", email],
      ["state", state],
      ["seal", Portal.sealOf(secret, state, email)],
    ])
    return Effect.succeed({ fields: Redacted.make(fields), kept })
  },
})
