/** `suppression`: commands for addresses that get no emails of an organization. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Suppressions } from "../invitations/Suppressions.ts"
import { cutPage, explain, type Input, operatorOf, print, printList, recordServices } from "./CommandKit.ts"
import * as Flags from "./Flags.ts"

const listInput = {
  organization: Flags.organization,
  after: Flags.text("after", "Show only addresses after this one, for the next page").pipe(Flag.optional),
  limit: Flags.limit,
  json: Flags.json,
}

const listAddresses = Effect.fn("SuppressionCommand.listAddresses")(
  function* ({ after, json, limit, organization }: Input<typeof listInput>) {
    const suppressions = yield* Suppressions
    const found = yield* suppressions.list(yield* operatorOf(organization), Option.getOrUndefined(after), limit + 1)
    const { at, results } = cutPage(found, limit, ({ email }) => email)
    yield* printList(json, {
      results,
      rowOf: ({ created_at, email, reason }) => ({ email, reason, since: created_at }),
      none: "no suppressed addresses",
      next: { flag: "after", at },
    })
  },
  explain,
  Effect.provide(recordServices),
)

const list = Command.make("list", listInput, listAddresses).pipe(
  Command.withDescription("List the addresses that get no emails of the organization, in alphabetical order"),
)

const oneInput = {
  organization: Flags.organization,
  email: Flags.text("email", "The email address, in upper or lower case, with a Unicode or ASCII domain"),
  json: Flags.json,
}

const add = Command.make("add", oneInput, ({ email, json, organization }) =>
  Effect.gen(function* () {
    const suppressions = yield* Suppressions
    yield* print(json, { ...(yield* suppressions.suppress(yield* operatorOf(organization), email)) })
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Suppress an address: it gets no more emails of the organization"))

const remove = Command.make("remove", oneInput, ({ email, json, organization }) =>
  Effect.gen(function* () {
    const suppressions = yield* Suppressions
    yield* print(json, { ...(yield* suppressions.releaseAddress(yield* operatorOf(organization), email)) })
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(
  Command.withDescription(
    "Allow emails to a suppressed address again. Use it only if the person asked for emails: see docs/mails.md",
  ),
)

export const suppressionCommand = Command.make("suppression").pipe(
  Command.withDescription(
    "Manage addresses that get no emails: unsubscribed, reported an email as spam, or added here",
  ),
  Command.withSubcommands([list, add, remove]),
)
