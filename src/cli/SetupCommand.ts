/** `setup`: prints the code that the page /setup requires. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Console, Effect, Layer, Redacted } from "effect"
import { Command } from "effect/cli"
import * as App from "../App.ts"
import { Setup } from "../accounts/sign-in/Setup.ts"
import { Config } from "../config/Config.ts"
import { isSet } from "../config/SettingReaders.ts"
import { explain, type Input } from "./CommandKit.ts"
import { CommandFailed, local } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const services = App.secretServices.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const input = { json: Flags.json }

const printCode = Effect.fn("SetupCommand.printCode")(
  function* ({ json }: Input<typeof input>) {
    const { appUrl, port } = yield* Config
    const assumed = !(yield* isSet("APP_URL"))
    if (assumed && port === 0) {
      return yield* new CommandFailed({
        message: "APP_URL: is required with PORT=0: the page's address begins with it",
      })
    }
    const setup = yield* Setup
    const code = Redacted.value(yield* setup.code)
    const url = `${appUrl}/setup`
    const place = assumed
      ? `APP_URL is not set, ${appUrl} is assumed. Open ${url}, or /setup at the address of your pages,`
      : `Open ${url}`
    yield* Console.log(
      json
        ? JSON.stringify({ url, code, assumed })
        : `${place} and enter the code:\n\n  ${code}\n\nThe code works until an organization exists.`,
    )
  },
  explain,
  Effect.provide(services),
)

export const setupCommand = Command.make("setup", input, printCode).pipe(
  Command.withDescription("Print the code that creates the first organization and its owner on the page /setup"),
)
