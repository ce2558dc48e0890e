/** Custom parts instead of the defaults. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Duration, Effect, Layer, Ref, Schedule } from "effect"
import { type Adapters, defaults, withAdapters } from "../src/Adapters.ts"
import * as App from "../src/App.ts"
import { Config } from "../src/config/Config.ts"
import { retries } from "../src/emails/EmailQueue.ts"
import { EmailSender, type OutgoingEmail } from "../src/emails/EmailSender.ts"
import { Evaluator } from "../src/evaluations/Evaluator.ts"
import { BlobStore } from "../src/files/BlobStore.ts"
import * as RetryPolicy from "../src/values/RetryPolicy.ts"
import * as TestDatabase from "./support/TestDatabase.ts"

const emailSender = EmailSender.layerTest(
  () => Effect.succeed({ providerMessageId: null, delivered: true }),
  Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([]),
)

/** The ports of a program with SECRET_KEY and the given settings. */
const portsOf = (adapters: Adapters, settings: Record<string, string> = {}) =>
  Layer.build(
    App.adapters.pipe(
      Layer.provideMerge(App.repositories),
      Layer.provideMerge(TestDatabase.layer),
      Layer.provideMerge(Config.layer),
      Layer.provide(NodeServices.layer),
      Layer.provide(withAdapters(adapters)),
      Layer.provide(
        ConfigProvider.layer(
          ConfigProvider.fromEnvRecord({ SECRET_KEY: Buffer.alloc(32, 7).toString("base64"), ...settings }),
        ),
      ),
    ),
  )

describe("parts", () => {
  it.live("replace the defaults, and EMAIL is ignored with a custom sender", () =>
    Effect.gen(function* () {
      for (const settings of [{}, { EMAIL: "smtp" }, { EMAIL: "pigeon" }]) {
        const ports = yield* portsOf({ emailSender }, settings)
        assert.strictEqual(Context.get(ports, EmailSender).provider, "test")
        assert.deepStrictEqual(Context.get(ports, Config).email, { _tag: "own" })
      }
    }),
  )

  it.live("that are not given are the defaults, chosen by settings", () =>
    Effect.gen(function* () {
      const ports = yield* portsOf({ blobStore: BlobStore.layerTest }, { EMAIL: "mailbox" })
      assert.strictEqual(Context.get(ports, EmailSender).provider, "mailbox")
      assert.include((yield* Effect.flip(portsOf({ blobStore: BlobStore.layerTest }))).message, "EMAIL: is required")
    }),
  )

  it.live("may wrap the defaults", () =>
    Effect.gen(function* () {
      const louder = Layer.effect(
        Evaluator,
        Effect.map(Evaluator, ({ evaluate }) =>
          Evaluator.of({
            evaluate: (input) => Effect.map(evaluate(input), (output) => ({ ...output, summary: "Louder." })),
          }),
        ),
      )
      const ports = yield* portsOf({ evaluator: louder.pipe(Layer.provide(defaults.evaluator)) }, { EMAIL: "mailbox" })
      const input = { interview_title: "", position: null, language: "en", requirements: [], sources: [] }
      const output = yield* Context.get(ports, Evaluator).evaluate(input)
      assert.strictEqual(output.summary, "Louder.")
      assert.match(output.evaluator, /^keyword/)
    }),
  )

  it.effect("may replace retry schedules", () =>
    Effect.gen(function* () {
      const delaysOf = (work: keyof RetryPolicy.Policies) =>
        Effect.flatMap(RetryPolicy.policy(work, retries), (policy) => RetryPolicy.delays(policy))
      const webhook = Schedule.upTo(Schedule.spaced("1 second"), { times: 2 })
      const [own, other] = yield* Effect.all([delaysOf("webhook"), delaysOf("email")]).pipe(
        Effect.provide(withAdapters({ retries: { webhook } })),
      )
      assert.deepStrictEqual(own.map(Duration.toMillis), [1_000, 1_000])
      assert.deepStrictEqual(other, yield* delaysOf("cv"))
      assert.lengthOf(other, 8)
    }),
  )
})
