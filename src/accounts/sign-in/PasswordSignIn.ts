/** Adapter of SignIn: passwords. */
import { Effect, Layer, Redacted } from "effect"
import { cleanAddress, isEmailAddress } from "../../values/EmailAddress.ts"
import { OrganizationRepository } from "../OrganizationRepository.ts"
import { Passwords } from "./Passwords.ts"
import { type Answer, type Form, SignIn, SignInRefused } from "./SignIn.ts"

export const make = Effect.gen(function* () {
  const repository = yield* OrganizationRepository
  const passwords = yield* Passwords

  const prove = Effect.fn("PasswordSignIn.prove")(function* ({ fields }: Answer) {
    const typed = Redacted.value(fields)
    const email = cleanAddress(typed.get("email") ?? "")
    const member = isEmailAddress(email) ? yield* repository.findMember(email) : undefined
    const password = Redacted.make(typed.get("password") ?? "")
    const isRight = yield* passwords.matches(member?.password_hash ?? null, password)
    if (member === undefined || !isRight) return yield* new SignInRefused({ why: "unknown" })
    return { email: member.email }
  })

  return { prove } satisfies Form
})

export const layer = Layer.effect(
  SignIn,
  Effect.map(make, (form) => SignIn.of({ form, provider: undefined })),
).pipe(Layer.provide(Passwords.layer))
