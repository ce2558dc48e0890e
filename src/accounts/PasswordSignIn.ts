/** Adapter of SignIn: passwords. */
import { Effect, Layer, Redacted } from "effect"
import { methods } from "../platform/UseCases.ts"
import { cleanAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"
import { Passwords } from "./Passwords.ts"
import { type Answer, type Form, SignIn, SignInRefused } from "./SignIn.ts"

const prove = Effect.fn("PasswordSignIn.prove")(function* ({ fields }: Answer) {
  const members = yield* OrganizationRepository
  const passwords = yield* Passwords
  const typed = Redacted.value(fields)
  const email = cleanAddress(typed.get("email") ?? "")
  const member = isEmailAddress(email) ? yield* members.findMember(email) : undefined
  const password = Redacted.make(typed.get("password") ?? "")
  const isRight = yield* passwords.matches(member?.password_hash ?? null, password)
  if (member === undefined || !isRight) return yield* new SignInRefused({ why: "unknown" })
  return { email: member.email }
})

export const make: Effect.Effect<Form, never, OrganizationRepository | Passwords> = methods(
  [OrganizationRepository, Passwords],
  { prove },
)

export const layer = Layer.effect(
  SignIn,
  Effect.map(make, (form) => SignIn.of({ form, provider: undefined })),
).pipe(Layer.provide(Passwords.layer))
