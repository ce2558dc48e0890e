/** `sample`: adds the sample organization to a server, and removes it. */
import { Effect, Layer, Redacted } from "effect"
import { Command } from "effect/cli"
import * as App from "../App.ts"
import { Config } from "../config/Config.ts"
import { Samples } from "../sample/Samples.ts"
import { NotFound } from "../values/Problem.ts"
import { explain, type Input, print } from "./CommandKit.ts"
import { local } from "./Environment.ts"
import * as Flags from "./Flags.ts"
import { fillSample } from "./sample/SampleFilling.ts"

/** Does not exist: new deliveries of the sample organization fail there. */
const receiver = "https://hiring.lindhaven.test/webhooks/interviews"

const fillingServices = App.foundation.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const removingServices = App.samples.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(local({ isDev: false })),
)

const input = { json: Flags.json }

const fill = Effect.fn("SampleCommand.fill")(
  function* ({ json }: Input<typeof input>) {
    const { password, ...filled } = yield* fillSample(receiver)
    yield* print(json, { ...filled, password: Redacted.value(password) })
  },
  explain,
  Effect.provide(fillingServices),
)

const remove = Effect.fn("SampleCommand.remove")(
  function* ({ json }: Input<typeof input>) {
    const samples = yield* Samples
    const found = (yield* samples.find) ?? (yield* new NotFound({ record: "sample organization" }))
    yield* samples.remove(found.id)
    yield* print(json, { organization: found.id, removed: true })
  },
  explain,
  Effect.provide(removingServices),
)

export const sampleCommand = Command.make("sample").pipe(
  Command.withDescription("Add or remove the sample organization, which has candidates in every state"),
  Command.withSubcommands([
    Command.make("add", input, fill).pipe(
      Command.withDescription("Create it, with 40 candidates, and print the address and password of its owner"),
    ),
    Command.make("remove", input, remove).pipe(
      Command.withDescription("Delete it with all its data; other organizations are not touched"),
    ),
  ]),
)
