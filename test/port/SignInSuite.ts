/** What every way of signing in must do (port/SignIn.ts). */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { type Answer, SignIn, SignInRefused } from "../../src/port/SignIn.ts"

export interface Example<R> {
  /** Who there is. */
  readonly email: string
  /** What comes back from that person's browser: `kept` is what `begin` asked it to bring back. */
  readonly answer: (kept: Answer["kept"]) => Effect.Effect<Answer, never, R>
}

const callback = "https://app.example.com/sign-in/callback"

/** Changes one field of an answer. */
const changed = (answer: Answer, name: string, value: string | undefined): Answer => {
  const fields = new Map(Redacted.value(answer.fields))
  if (value === undefined) fields.delete(name)
  else fields.set(name, value)
  return { ...answer, fields: Redacted.make(fields) }
}

export const signInSuite = <R, E>(name: string, layer: Layer.Layer<SignIn | R, E>, example: Example<R>): void => {
  withLayer(layer)(`SignIn: ${name}`, (it) => {
    const begun = Effect.gen(function* () {
      const way = yield* SignIn
      const beginning = yield* way.begin(callback)
      return { way, beginning, kept: beginning._tag === "Elsewhere" ? beginning.kept : undefined }
    })
    const refused = (way: SignIn["Service"], answer: Answer) =>
      Effect.map(Effect.flip(way.prove(answer)), (error) => assert.deepStrictEqual(error, new SignInRefused({})))

    it.effect("begins here, or at an https address that is told where to send the browser back", () =>
      Effect.gen(function* () {
        const { beginning } = yield* begun
        if (beginning._tag === "Form") return
        assert.strictEqual(new URL(beginning.url).protocol, "https:")
        assert.include(decodeURIComponent(beginning.url), callback)
        assert.isNotEmpty(Redacted.value(beginning.kept))
      }),
    )

    it.effect("proves the address of who answers right", () =>
      Effect.gen(function* () {
        const { kept, way } = yield* begun
        assert.deepStrictEqual(yield* way.prove(yield* example.answer(kept)), { email: example.email })
      }),
    )

    it.effect("refuses what is changed or missing, and says nothing of what it was", () =>
      Effect.gen(function* () {
        const { kept, way } = yield* begun
        const answer = yield* example.answer(kept)
        for (const field of Redacted.value(answer.fields).keys()) {
          for (const value of [undefined, "", "x", "x".repeat(10_000), "\0", "\ud800"]) {
            yield* refused(way, changed(answer, field, value))
          }
        }
        yield* refused(way, { fields: Redacted.make(new Map()), kept })
      }),
    )

    it.effect("refuses a browser that did not begin, where beginning means something", () =>
      Effect.gen(function* () {
        const { kept, way } = yield* begun
        if (kept === undefined) return
        const answer = yield* example.answer(kept)
        yield* refused(way, { ...answer, kept: undefined })
        yield* refused(way, { ...answer, kept: Redacted.make(`${Redacted.value(kept)}x`) })
      }),
    )
  })
}
