/** What every way of signing in must do (accounts/SignIn.ts). */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { type Answer, type Identity, SignIn } from "../../src/accounts/SignIn.ts"

export interface Example<R> {
  /** Who answers: an address, or an identity. */
  readonly who: { readonly email: string } | Identity
  /** What comes back from that person's browser, which was sent to `url` with `kept` to bring back; undefined: to no place. */
  readonly answer: (
    begun: { readonly url: string; readonly kept: Redacted.Redacted } | undefined,
  ) => Effect.Effect<Answer, never, R>
}

const callback = "https://app.example.com/sign-in/callback"

/** Changes one field of an answer. */
const changed = (answer: Answer, name: string, value: string | undefined): Answer => {
  const fields = new Map(Redacted.value(answer.fields))
  if (value === undefined) fields.delete(name)
  else fields.set(name, value)
  return { ...answer, fields: Redacted.make(fields) }
}

/** For a layer that has one way. */
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

    it.effect("begins here, or at an https address that is told where to send the browser back", () =>
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

    it.effect("proves who answers right", () =>
      Effect.gen(function* () {
        const { beginning, way } = yield* begun
        assert.deepStrictEqual(yield* way.prove(yield* example.answer(beginning)), example.who)
      }),
    )

    it.effect("refuses what is changed or missing, and says nothing of what it was", () =>
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

    it.effect("refuses a browser that did not begin, where beginning means something", () =>
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
