/** Sign-in by address and password; what is kept of the password stands with the member. */
import { Effect, Layer, Redacted } from "effect"
import { isEmailAddress } from "../domain/EmailAddress.ts"
import { type Form, SignIn, SignInRefused } from "../port/SignIn.ts"
import { Organizations } from "../repository/Organizations.ts"
import { hashed, matches } from "./Passwords.ts"

export const make = Effect.gen(function* () {
  const members = yield* Organizations
  /** Compared with when there is no such member, or one without a password: both cost what a wrong password costs. */
  const nobody = yield* Effect.cached(hashed(Redacted.make("nobody")))
  const form: Form = {
    prove: Effect.fn("PasswordSignIn.prove")(function* ({ fields }) {
      const typed = Redacted.value(fields)
      const email = typed.get("email")?.trim() ?? ""
      const member = isEmailAddress(email) ? yield* members.findMember(email) : undefined
      const password = Redacted.make(typed.get("password") ?? "")
      const stored = member?.password_hash ?? null
      const isTheirs = yield* matches(stored ?? (yield* nobody), password)
      if (member === undefined || stored === null || !isTheirs) return yield* new SignInRefused({ why: "unknown" })
      return { email: member.email }
    }),
  }
  return form
})

/** By password alone. */
export const layer = Layer.effect(
  SignIn,
  Effect.map(make, (form) => SignIn.of({ form, provider: undefined })),
)
