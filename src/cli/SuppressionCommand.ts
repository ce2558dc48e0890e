/** Commands for the addresses that an organization writes to no more. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Organizations } from "../accounts/Organizations.ts"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { explain, json, known, organization, print, records, table, text, whole } from "./CommandKit.ts"

const list = Command.make(
  "list",
  {
    organization,
    after: text("after", "Behind this address").pipe(Flag.optional),
    limit: whole("limit", 1, 1000).pipe(
      Flag.withDescription("At most so many, 1 to 1000; 50 unless told"),
      Flag.withDefault(50),
    ),
    json,
  },
  ({ after, json, limit, organization }) =>
    Effect.gen(function* () {
      yield* (yield* Organizations).require(organization)
      const found = yield* (yield* SuppressionRepository).list(organization, Option.getOrUndefined(after), limit + 1)
      const results = found.slice(0, limit)
      const next_after = found.length > limit ? (results.at(-1)?.email ?? null) : null
      if (json) return yield* print(true, { results, next_after })
      const rows = results.map(({ created_at, email, reason }) => ({ email, reason, since: created_at }))
      const more = next_after === null ? "" : `\nmore: --after ${next_after}`
      yield* Console.log(table(rows, "no suppressed addresses") + more)
    }).pipe(explain, Effect.provide(records)),
).pipe(Command.withDescription("List the addresses that get no mails of the organization, by address"))

const remove = Command.make(
  "remove",
  { organization, email: text("email", "The address, in any spelling"), json },
  ({ email, json, organization }) =>
    Effect.gen(function* () {
      yield* (yield* Organizations).require(organization)
      const removed = yield* known(
        "suppressed address",
        yield* (yield* SuppressionRepository).remove(organization, email),
      )
      yield* print(json, { ...removed })
    }).pipe(explain, Effect.provide(records)),
).pipe(
  Command.withDescription(
    "Let mails go to an address again, which said that it wants none: only when the person asked for it",
  ),
)

export const suppressionCommand = Command.make("suppression").pipe(
  Command.withDescription("Addresses that unsubscribed or reported a mail as spam"),
  Command.withSubcommands([list, remove]),
)
