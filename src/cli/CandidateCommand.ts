/** `candidate`: find, export and erase the personal data of a candidate. */
import { NodeCrypto } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { People } from "../privacy/People.ts"
import { CandidateId } from "../values/Ids.ts"
import { explain, json, organization, print, table, text } from "./CommandKit.ts"
import { CommandFailed, local } from "./Environment.ts"

const people = App.people.pipe(
  Layer.provideMerge(App.administration),
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const id = Argument.String("id").pipe(Argument.withSchema(CandidateId))

const find = Command.make(
  "find",
  { organization, text: text("text", "An address, an id, or the beginning of a name"), json },
  ({ json, organization, text }) =>
    Effect.gen(function* () {
      const found = yield* (yield* People).search(organization, text)
      if (json) return yield* print(true, { results: found })
      const rows = found.map(({ created_at, email, erased_at, id, name, submissions }) => ({
        id,
        name,
        email,
        submissions,
        since: created_at,
        erased: erased_at,
      }))
      yield* Console.log(table(rows, "nobody"))
    }).pipe(explain, Effect.provide(people)),
).pipe(Command.withDescription("Find candidates by address, name or id"))

const show = Command.make("export", { id, organization }, ({ id, organization }) =>
  Effect.gen(function* () {
    yield* Console.log(JSON.stringify(yield* (yield* People).everything(organization, id), null, 2))
  }).pipe(explain, Effect.provide(people)),
).pipe(Command.withDescription("Print everything that is kept of a candidate, as JSON"))

const erase = Command.make(
  "erase",
  {
    id,
    organization,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Needed, since it can not be brought back"),
      Flag.withDefault(false),
    ),
    json,
  },
  ({ id, json, organization, yes }) =>
    Effect.gen(function* () {
      const service = yield* People
      if (!yes) {
        const { submissions, mails, answers, files } = (yield* service.show(organization, id)).counts
        return yield* new CommandFailed({
          message: `this erases the personal data of ${submissions} submissions, ${mails} mails, ${answers} answers and ${files} files for good: say --yes`,
        })
      }
      yield* print(json, { id, erased: true, ...(yield* service.erase(organization, id)) })
    }).pipe(explain, Effect.provide(people)),
).pipe(Command.withDescription("Erase all personal data of a candidate; what is counted stays"))

export const candidateCommand = Command.make("candidate").pipe(
  Command.withDescription("What is kept of a candidate, and erasing it"),
  Command.withSubcommands([find, show, erase]),
)
