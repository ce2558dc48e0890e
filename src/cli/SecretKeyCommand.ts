/** Commands for SECRET_KEY. */
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { Config } from "../config/Config.ts"
import { reencrypt } from "../platform/crypto/SecretKeys.ts"
import { json, print } from "./CommandKit.ts"
import { CommandFailed, local } from "./Environment.ts"

// unchecked, because the command also runs on a database that lost a key
const vault = App.uncheckedSecretBox.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const reencryptAll = Command.make(
  "reencrypt",
  {
    forgetLost: Flag.Boolean("forget-lost").pipe(
      Flag.withDescription("Continue without a lost key. Webhooks whose secret it encrypted need a new secret"),
      Flag.withDefault(false),
    ),
    json,
  },
  ({ forgetLost, json }) =>
    Effect.gen(function* () {
      const { reencrypted, unreadable } = yield* reencrypt(forgetLost)
      yield* print(json, { reencrypted, unreadable })
      if (unreadable > 0 && !forgetLost) {
        return yield* new CommandFailed({
          message: `no key of SECRET_KEY decrypts ${unreadable} webhook secrets: put the missing key back after the others, or pass --forget-lost`,
        })
      }
    }).pipe(Effect.provide(vault)),
).pipe(
  Command.withDescription(
    "Encrypt all secrets under the first key of SECRET_KEY; the keys after it may then be removed",
  ),
)

export const secretKeyCommand = Command.make("secret-key").pipe(
  Command.withDescription("Manage the keys that secrets are encrypted under"),
  Command.withSubcommands([reencryptAll]),
)
