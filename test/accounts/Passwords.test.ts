import { assert, describe, it } from "@effect/vitest"
import * as argon2 from "@node-rs/argon2"
import { Cause, Deferred, Effect, Exit, Fiber, Redacted } from "effect"
import { vi } from "vitest"
import { Argon2, maxHashing, maxWaiting, Passwords } from "../../src/accounts/sign-in/Passwords.ts"

const verify = vi.fn<typeof argon2.verify>()

const provide = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.provide(Passwords.layer, { local: true }), Effect.provideService(Argon2, { ...argon2, verify }))

const password = Redacted.make("correct horse")
const fork = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

/** Passwords whose comparisons end when `end` runs. */
const stage = Effect.gen(function* () {
  const ended = Promise.withResolvers<boolean>()
  verify.mockReset()
  verify.mockImplementation(() => ended.promise)
  const { admit, matches } = yield* Passwords
  const compare = matches("a hash", password)
  const occupy = (count: number) => Effect.replicateEffect(fork(compare), count)
  return { admit, compare, end: Effect.sync(() => ended.resolve(true)), matches, occupy }
})

describe("Passwords", () => {
  it.effect("limits concurrent comparisons and refuses callers when the waiting list is full", () =>
    Effect.gen(function* () {
      const { compare, end, occupy } = yield* stage
      const all = yield* occupy(maxHashing + maxWaiting)
      assert.lengthOf(verify.mock.calls, maxHashing)
      const refused = (yield* fork(compare)).pollUnsafe()
      assert(refused !== undefined && Exit.isFailure(refused), "refused at once")
      assert.deepInclude({ ...(Cause.squash(refused.cause) as object) }, { _tag: "Overloaded", retryAfter: 5 })
      assert.lengthOf(verify.mock.calls, maxHashing)
      yield* end
      assert.isTrue((yield* Effect.forEach(all, Fiber.join)).every((isEqual) => isEqual))
      assert.lengthOf(verify.mock.calls, maxHashing + maxWaiting)
      assert.isTrue(yield* compare)
    }).pipe(provide),
  )

  it.effect("frees the place of an interrupted waiting caller", () =>
    Effect.gen(function* () {
      const { compare, end, occupy } = yield* stage
      yield* occupy(maxHashing)
      const [waiting] = yield* occupy(maxWaiting)
      assert(waiting !== undefined)
      yield* Fiber.interrupt(waiting)
      const last = yield* fork(compare)
      yield* end
      assert.isTrue(yield* Fiber.join(last))
      assert.lengthOf(verify.mock.calls, maxHashing + maxWaiting, "the interrupted caller compares nothing")
    }).pipe(provide),
  )

  it.effect("keeps the permit of an interrupted caller until its comparison ends", () =>
    Effect.gen(function* () {
      const { compare, end, occupy } = yield* stage
      const [running] = yield* occupy(maxHashing)
      assert(running !== undefined)
      const next = yield* fork(compare)
      const interrupted = yield* fork(Fiber.interrupt(running))
      yield* Effect.replicateEffect(Effect.yieldNow, 20)
      assert.lengthOf(verify.mock.calls, maxHashing)
      yield* end
      yield* Fiber.join(interrupted)
      assert.isTrue(yield* Fiber.join(next))
      assert.lengthOf(verify.mock.calls, maxHashing + 1)
    }).pipe(provide),
  )

  it.effect("never refuses in the middle of an admitted effect", () =>
    Effect.gen(function* () {
      const { admit, compare, end, occupy } = yield* stage
      const begin = yield* Deferred.make<void>()
      const admitted = yield* fork(admit(Effect.andThen(Deferred.await(begin), Effect.all([compare, compare]))))
      yield* occupy(maxHashing + maxWaiting - 1)
      assert.isDefined((yield* fork(compare)).pollUnsafe(), "every place is taken")
      yield* Deferred.succeed(begin, undefined)
      yield* end
      assert.deepStrictEqual(yield* Fiber.join(admitted), [true, true])
    }).pipe(provide),
  )

  it.effect("compares with a dummy hash of the same cost when no hash is stored, and never matches", () =>
    Effect.gen(function* () {
      const { end, matches } = yield* stage
      yield* end
      assert.isFalse(yield* matches(null, password))
      assert.match(String(verify.mock.calls[0]?.[0]), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      verify.mockImplementation(argon2.verify)
      assert.isFalse(yield* matches(null, password), "argon2 reads the dummy hash")
    }).pipe(provide),
  )

  it.effect("refuses common passwords and the member's own texts in any case, and accepts others", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const own = ["ada.lovelace@example.com", "Ada Lovelace", null, "Nordlicht GmbH"]
      const codeOf = (text: string) =>
        hash(Redacted.make(text), own).pipe(
          Effect.as(undefined),
          Effect.catchTag("Invalid", ({ errors }) => Effect.succeed(errors[0]?.code)),
        )
      const refused = ["password1", "PassWord1", "iloveyou", "12345678", "ada.lovelace@example.com", "adalovelace1815"]
      for (const text of [...refused, "NORDLICHT gmbh"]) assert.strictEqual(yield* codeOf(text), "guessable", text)
      for (const text of ["correct horse battery", "Ada Lovelace counts", "20262026 and words"]) {
        assert.isUndefined(yield* codeOf(text), text)
      }
    }).pipe(provide),
  )
})
