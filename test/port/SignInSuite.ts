/** Tests that every implementation of the SignIn port must pass. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { type Answer, type Identity, SignIn } from "../../src/accounts/sign-in/SignIn.ts"

/** A person who can sign in. */
export interface Example<R> {
  /** What the way must prove: the address of a form, or the identity of a provider. */
  readonly who: { readonly email: string } | Identity
  /** The correct answer of the person's browser to `begin`. `begun` is undefined for a form, which has no `begin`. */
  readonly answer: (
    begun: { readonly url: string; readonly kept: Redacted.Redacted } | undefined,
  ) => Effect.Effect<Answer, never, R>
}

const callback = "https://app.example.com/sign-in/callback"

/** The answer with one field replaced; undefined removes the field. */
const changed = (answer: Answer, name: string, value: string | undefined): Answer => {
  const fields = new Map(Redacted.value(answer.fields))
  if (value === undefined) fields.delete(name)
  else fields.set(name, value)
  return { ...answer, fields: Redacted.make(fields) }
}

/**
 * Defines the tests of a SignIn layer with a form or a provider; with both, the form is tested. `name` is part of their
 * title. The layer is built once for all tests.
 */
export const signInSuite = <R, E>(name: string, layer: Layer.Layer<SignIn | R, E>, example: Example<R>): void => {
  withLayer(layer)(`SignIn: ${name}`, (it) => {
    const begun = Effect.gen(function* () {
      const { form, provider } = yield* SignIn
      const way = form ?? provider
      assert(way !== undefined)
      const beginning = form === undefined && provider !== undefined ? yield* provider.begin(callback) : undefined
      return { way, provider, beginning }
    })
    type Way = Effect.Success<typeof begun>["way"]
    const refused = (way: Way, answer: Answer) =>
      Effect.map(Effect.flip<unknown, unknown, never>(way.prove(answer)), (error) => {
        assert.propertyVal(error, "_tag", "SignInRefused")
        assert.includeMembers(["_tag", "why"], Object.keys(Object(error)))
      })

    it.effect("begins at an https address that contains the callback, unless it is a form", () =>
      Effect.gen(function* () {
        const { beginning, provider } = yield* begun
        if (beginning === undefined) return
        const { hostname, protocol } = new URL(beginning.url)
        assert.strictEqual(protocol, hostname === "localhost" ? "http:" : "https:")
        assert.include(decodeURIComponent(beginning.url), callback)
        assert.isNotEmpty(Redacted.value(beginning.kept))
        assert.isNotEmpty(provider?.name)
        assert.isNotEmpty(provider?.issuer)
      }),
    )

    it.effect("proves the person behind a correct answer", () =>
      Effect.gen(function* () {
        const { beginning, way } = yield* begun
        assert.deepStrictEqual(yield* way.prove(yield* example.answer(beginning)), example.who)
      }),
    )

    it.effect("refuses changed and missing fields, with no detail but the reason", () =>
      Effect.gen(function* () {
        const { beginning, way } = yield* begun
        const answer = yield* example.answer(beginning)
        for (const field of Redacted.value(answer.fields).keys()) {
          for (const value of [undefined, "", "x", "x".repeat(10_000), "\0", "\ud800"]) {
            yield* refused(way, changed(answer, field, value))
          }
        }
        yield* refused(way, { ...answer, fields: Redacted.make(new Map()) })
      }),
    )

    it.effect("refuses an answer from a browser that did not begin the sign-in", () =>
      Effect.gen(function* () {
        const { beginning, way } = yield* begun
        if (beginning === undefined) return
        const answer = yield* example.answer(beginning)
        yield* refused(way, { ...answer, kept: undefined })
        yield* refused(way, { ...answer, kept: Redacted.make(`${Redacted.value(beginning.kept)}x`) })
        const other = yield* begun
        const kept = other.beginning?.kept ?? beginning.kept
        if (Redacted.value(kept) !== Redacted.value(beginning.kept)) yield* refused(way, { ...answer, kept })
      }),
    )
  })
}
