/** Sign-in by address and password; the password's hash is stored with the member. */
import { Effect, Layer, Redacted } from "effect"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"
import { Passwords } from "./Passwords.ts"
import { type Form, SignIn, SignInRefused } from "./SignIn.ts"

export const make = Effect.gen(function* () {
  const members = yield* OrganizationRepository
  const passwords = yield* Passwords
  const form: Form = {
    prove: Effect.fn("PasswordSignIn.prove")(function* ({ fields }) {
      const typed = Redacted.value(fields)
      const email = typed.get("email")?.trim() ?? ""
      const member = isEmailAddress(email) ? yield* members.findMember(email) : undefined
      const password = Redacted.make(typed.get("password") ?? "")
      // an unknown address costs as much time as a wrong password
      const isTheirs = yield* passwords.matches(member?.password_hash ?? null, password)
      if (member === undefined || !isTheirs) return yield* new SignInRefused({ why: "unknown" })
      return { email: member.email }
    }),
  }
  return form
})

/** By password alone. */
export const layer = Layer.effect(
  SignIn,
  Effect.map(make, (form) => SignIn.of({ form, provider: undefined })),
).pipe(Layer.provide(Passwords.layer))
