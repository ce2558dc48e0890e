/** `secret-key`: commands for SECRET_KEY. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as App from "../App.ts"
import { Config } from "../config/Config.ts"
import { reencrypt } from "../platform/crypto/SecretKeys.ts"
import { print } from "./CommandKit.ts"
import { CommandFailed, local } from "./Environment.ts"
import * as Flags from "./Flags.ts"

// unchecked, because the command must also run when a key is lost
const services = App.uncheckedSecretBox.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const reencryptAll = Command.make(
  "reencrypt",
  {
    forgetLost: Flags.boolean(
      "forget-lost",
      "Accept that a key is lost; default off. Webhook endpoints whose secret it encrypted then need webhook regenerate-secret, connections to hiring systems hiring-system rotate-key",
    ),
    json: Flags.json,
  },
  ({ forgetLost, json }) =>
    Effect.gen(function* () {
      const { reencrypted, unreadable } = yield* reencrypt(forgetLost)
      yield* print(json, { reencrypted, unreadable })
      if (unreadable > 0 && !forgetLost) {
        return yield* new CommandFailed({
          message: `no key of SECRET_KEY decrypts ${unreadable} secrets of webhooks and hiring systems: put the missing key back after the others, or pass --forget-lost`,
        })
      }
    }).pipe(Effect.provide(services)),
).pipe(
  Command.withDescription("Encrypt all secrets with the first key of SECRET_KEY; then the other keys can be removed"),
)

export const secretKeyCommand = Command.make("secret-key").pipe(
  Command.withDescription("Manage the keys that encrypt stored secrets"),
  Command.withSubcommands([reencryptAll]),
)
