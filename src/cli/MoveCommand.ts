/** `organization move`: moves an organization to another cell. */
import { Effect, Layer, Redacted } from "effect"
import { Command } from "effect/cli"
import { Reactivity } from "effect/reactivity"
import { MoveDatabases } from "../cells/MoveDatabases.ts"
import * as OrganizationMoves from "../cells/OrganizationMoves.ts"
import * as Config from "../config/Config.ts"
import { client } from "../platform/database/CommandClient.ts"
import { plain } from "../platform/database/Connections.ts"
import { serversOf } from "../platform/database/Servers.ts"
import { type Input, print } from "./CommandKit.ts"
import { CommandFailed, poolerAdvice } from "./Environment.ts"
import * as Flags from "./Flags.ts"

/** Of several servers, replication needs the one that accepts writes. */
const toPrimary = (url: string) =>
  serversOf(Redacted.make(url)).length === 1 || url.includes("target_session_attrs=")
    ? url
    : `${url}${url.includes("?") ? "&" : "?"}target_session_attrs=read-write`

const connect = Effect.gen(function* () {
  const { own, schema, source, target } = yield* Config.moveUrls
  const at = (setting: string, url: Redacted.Redacted, direct = setting) =>
    Effect.mapError(
      client({ url, schema }),
      ({ message }) => new CommandFailed({ message: `${setting}: ${message}${poolerAdvice(message, direct) ?? ""}` }),
    )
  return MoveDatabases.of({
    source: yield* at("DATABASE_URL", own, "DATABASE_DIRECT_URL"),
    target: yield* at("MOVE_TARGET_URL", target),
    schema,
    sourceUrl: toPrimary(Redacted.value(source)),
  })
})

const services = Layer.effect(MoveDatabases, connect).pipe(Layer.provide(Reactivity.layer))

const input = {
  organization: Flags.organization,
  undo: Flags.boolean("undo", "Undo a move before the target has the organization; default off"),
  finish: Flags.boolean("finish", "After the switch: delete the rows in the source; default off"),
  discardSource: Flags.boolean(
    "discard-source",
    "After a restore of the source, when both cells have the organization: the target keeps it; default off",
  ),
  json: Flags.json,
}

const act = Effect.fn("MoveCommand.act")(
  function* ({ discardSource, finish, json, organization, undo }: Input<typeof input>) {
    if ([undo, finish, discardSource].filter((isSet) => isSet).length > 1) {
      return yield* new CommandFailed({ message: "--undo, --finish and --discard-source exclude each other" })
    }
    if (discardSource) {
      yield* OrganizationMoves.discardSource(organization)
      return yield* print(json, { discarded: organization })
    }
    if (undo)
      return yield* print(json, { undone: organization, deleted_rows: yield* OrganizationMoves.undo(organization) })
    if (finish) {
      return yield* print(json, { finished: organization, deleted_rows: yield* OrganizationMoves.finish(organization) })
    }
    const moved = yield* OrganizationMoves.move(organization)
    yield* print(
      json,
      moved === undefined
        ? { moved: organization }
        : { moved: organization, rows: moved.rows, compared_again: moved.comparedAgain, paused_ms: moved.pausedMs },
    )
  },
  Effect.catchTag("MoveRefused", ({ message }) => Effect.fail(new CommandFailed({ message }))),
  Effect.catchTag("SqlError", (error) =>
    Effect.fail(
      new CommandFailed({
        message: `the move stopped: ${plain(error)}. Run the command again to continue, or undo the move with --undo`,
      }),
    ),
  ),
  Effect.provide(services),
)

export const moveCommand = Command.make("move", input, act).pipe(
  Command.withDescription(
    "Move an organization, while in use, from the database in DATABASE_URL to that in MOVE_TARGET_URL; run again to continue",
  ),
)
