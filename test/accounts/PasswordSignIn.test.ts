import { assert, describe, it } from "@effect/vitest"
import * as argon2 from "@node-rs/argon2"
import { Effect, Layer, Redacted } from "effect"
import { vi } from "vitest"
import { OrganizationRepository } from "../../src/accounts/OrganizationRepository.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import * as PasswordSignIn from "../../src/accounts/sign-in/PasswordSignIn.ts"
import { Argon2 } from "../../src/accounts/sign-in/Passwords.ts"
import { SignIn } from "../../src/accounts/sign-in/SignIn.ts"
import { signInSuite } from "../port/SignInSuite.ts"
import * as Pod from "../support/Pod.ts"

const verify = vi.fn(argon2.verify)

const email = "grace@example.com"
const identity = { issuer: "https://provider.example", subject: "1", email }
const password = "correct horse"
const answer = (typed: Record<string, string>) => ({
  fields: Redacted.make(new Map(Object.entries(typed))),
  kept: undefined,
})

const withMember = PasswordSignIn.layer.pipe(
  Layer.provideMerge(
    Layer.effectDiscard(
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const id = yield* organizations.create("Acme")
        yield* organizations.addMember(id, { email, role: "owner", password: Redacted.make(password) })
        const bare = { id: "0190b5a2-7c1e-7def-8abc-0123456789ab", organization_id: id, role: "recruiter" } as const
        yield* (yield* OrganizationRepository).addMember({
          ...bare,
          id: bare.id as never,
          email: "bare@example.com",
          password_hash: null,
        })
      }),
    ),
  ),
  Layer.provideMerge(Pod.layer()),
)

signInSuite("password", withMember, {
  who: { email },
  answer: () => Effect.succeed(answer({ email, password })),
})

signInSuite(
  "test",
  SignIn.layerTest("https://provider.example/authorize", Redacted.make("state"), (fields) =>
    fields.get("code") === "right" ? identity : undefined,
  ),
  { who: identity, answer: (begun) => Effect.succeed({ ...answer({ code: "right" }), kept: begun?.kept }) },
)

describe("PasswordSignIn", () => {
  it.effect("compares one hash of the same cost for known and unknown addresses", () =>
    Effect.gen(function* () {
      const { form } = yield* SignIn
      assert(form !== undefined)
      const answers = [
        answer({ email, password: "wrong" }),
        answer({ email: "nobody@example.com", password }),
        answer({ email: "bare@example.com", password }),
        answer({}),
      ]
      for (const one of answers) {
        verify.mockClear()
        yield* Effect.flip(form.prove(one))
        assert.lengthOf(verify.mock.calls, 1)
        assert.match(String(verify.mock.calls[0]?.[0]), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      }
    }).pipe(Effect.provide(withMember, { local: true }), Effect.provideService(Argon2, { ...argon2, verify })),
  )
})
