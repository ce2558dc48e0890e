/** `suppression`: commands for addresses that get no emails of an organization. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { explain, type Input, print, recordServices, requireFound, requireOrganization, table } from "./CommandKit.ts"
import * as Flags from "./Flags.ts"

const listInput = {
  organization: Flags.organization,
  after: Flags.text("after", "Show only addresses after this one, for the next page").pipe(Flag.optional),
  limit: Flags.limit,
  json: Flags.json,
}

const listAddresses = Effect.fn("SuppressionCommand.listAddresses")(
  function* ({ after, json, limit, organization }: Input<typeof listInput>) {
    const repository = yield* SuppressionRepository
    yield* requireOrganization(organization)
    const found = yield* repository.list(organization, Option.getOrUndefined(after), limit + 1)
    const results = found.slice(0, limit)
    const next_after = found.length > limit ? (results.at(-1)?.email ?? null) : null
    if (json) return yield* print(true, { results, next_after })
    const rows = results.map(({ created_at, email, reason }) => ({ email, reason, since: created_at }))
    const more = next_after === null ? "" : `\nmore: --after ${next_after}`
    yield* Console.log(table(rows, "no suppressed addresses") + more)
  },
  explain,
  Effect.provide(recordServices),
)

const list = Command.make("list", listInput, listAddresses).pipe(
  Command.withDescription("List the addresses that get no emails of the organization, in alphabetical order"),
)

const remove = Command.make(
  "remove",
  {
    organization: Flags.organization,
    email: Flags.text("email", "The email address, in upper or lower case, with a Unicode or ASCII domain"),
    json: Flags.json,
  },
  ({ email, json, organization }) =>
    Effect.gen(function* () {
      const repository = yield* SuppressionRepository
      yield* requireOrganization(organization)
      const removed = yield* requireFound("suppressed address", yield* repository.remove(organization, email))
      yield* print(json, { ...removed })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(
  Command.withDescription(
    "Allow emails to a suppressed address again. Use it only if the person asked for emails: see docs/mails.md",
  ),
)

export const suppressionCommand = Command.make("suppression").pipe(
  Command.withDescription("Manage addresses that unsubscribed or reported an email as spam"),
  Command.withSubcommands([list, remove]),
)
