/** `candidate`: finds, exports and erases the personal data of a candidate. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Stdio, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import * as App from "../App.ts"
import { operator } from "../accounts/Viewer.ts"
import { People } from "../privacy/People.ts"
import { CandidateId } from "../values/Ids.ts"
import { explain, print, printList } from "./CommandKit.ts"
import { CommandFailed, local } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const services = App.people.pipe(
  Layer.provideMerge(App.administration),
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const candidateId = Argument.String("id").pipe(
  Argument.withDescription("The candidate's id, shown by candidate find"),
  Argument.withSchema(CandidateId),
)

const find = Command.make(
  "find",
  {
    organization: Flags.organization,
    text: Flags.text("text", "An email address, a candidate id or the beginning of a name"),
    json: Flags.json,
  },
  ({ json, organization, text }) =>
    Effect.gen(function* () {
      const people = yield* People
      const results = yield* people.search(operator(organization), text)
      yield* printList(json, {
        results,
        rowOf: ({ created_at, email, erased_at, id, name, submissions }) => ({
          id,
          name,
          email,
          submissions,
          since: created_at,
          erased: erased_at,
        }),
        none: "no candidates",
      })
    }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Find candidates by email address, name or id; at most 50"))

const exportData = Command.make(
  "export",
  { id: candidateId, organization: Flags.organization },
  ({ id, organization }) =>
    Effect.gen(function* () {
      const people = yield* People
      const { stdout } = yield* Stdio.Stdio
      yield* Stream.run(yield* people.everything(operator(organization), id), stdout())
    }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Print all stored data of a candidate as JSON"))

const erase = Command.make(
  "erase",
  {
    id: candidateId,
    organization: Flags.organization,
    yes: Flags.boolean(
      "yes",
      "Confirm the erasure, which cannot be undone; without it, the command shows the counts and fails",
    ),
    json: Flags.json,
  },
  ({ id, json, organization, yes }) =>
    Effect.gen(function* () {
      const people = yield* People
      if (!yes) {
        const { submissions, mails, answers, files } = (yield* people.show(operator(organization), id)).counts
        return yield* new CommandFailed({
          message: `this erases the personal data of ${submissions} submissions, ${mails} emails, ${answers} answers and ${files} files permanently: pass --yes to continue`,
        })
      }
      const { erasedAt, removed } = yield* people.erase(operator(organization), id)
      yield* print(json, { id, erased: true, erased_at: erasedAt, ...removed })
    }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Erase all personal data of a candidate; statistics remain"))

export const candidateCommand = Command.make("candidate").pipe(
  Command.withDescription("Find, export and erase the stored data of a candidate"),
  Command.withSubcommands([find, exportData, erase]),
)
