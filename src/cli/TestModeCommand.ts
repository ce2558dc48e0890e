/** `test-mode`: empties and deletes the test space of an organization. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as App from "../App.ts"
import { OrganizationRepository } from "../accounts/OrganizationRepository.ts"
import { operator } from "../accounts/Viewer.ts"
import { TestSpaces } from "../test-mode/TestSpaces.ts"
import { explain, print, requireFound } from "./CommandKit.ts"
import { local } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const services = App.testSpaces.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const input = { organization: Flags.organization, json: Flags.json }

const empty = Command.make("empty", input, ({ json, organization }) =>
  Effect.gen(function* () {
    const repository = yield* OrganizationRepository
    const testSpaces = yield* TestSpaces
    const space = yield* requireFound("test space", yield* repository.testSpace(organization))
    const is_empty = yield* Effect.catchTag(testSpaces.empty(operator(space)), "NotInTestMode", Effect.die)
    yield* print(json, { organization, is_empty })
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Delete all data of an organization's test space; its keys, webhooks and settings stay"))

const remove = Command.make("delete", input, ({ json, organization }) =>
  Effect.gen(function* () {
    const testSpaces = yield* TestSpaces
    yield* testSpaces.remove(organization)
    yield* print(json, { organization, deleted: true })
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Delete an organization's test space with its keys, webhooks and data"))

export const testModeCommand = Command.make("test-mode").pipe(
  Command.withDescription("Empty or delete the test space of an organization"),
  Command.withSubcommands([empty, remove]),
)
