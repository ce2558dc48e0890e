/** `key`: commands for API keys. */
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type ApiKey, ApiKeyStatus } from "../accounts/api-keys/ApiKey.ts"
import { ApiKeyRepository } from "../accounts/api-keys/ApiKeyRepository.ts"
import { ApiKeys, type KeyChange } from "../accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { Scope } from "../accounts/Permissions.ts"
import { operator } from "../accounts/Viewer.ts"
import { ApiKeyId } from "../values/Ids.ts"
import { Moment } from "../values/Timestamp.ts"
import { difference, explain, operatorOf, print, printList, recordServices, requireFound } from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const keyId = Argument.String("id").pipe(
  Argument.withDescription("The key's id, shown by key list"),
  Argument.withSchema(ApiKeyId),
)
const nameFlag = Flags.text("name", "A name that says what the key is for; default none").pipe(Flag.optional)
const descriptionFlag = Flags.text("description", "A description; default none").pipe(Flag.optional)
const scopesFlag = Flag.Literals("scope", Scope.literals).pipe(
  Flag.withDescription("A permission of the key; repeat for more; default all"),
  Flag.atLeast(0),
)

const operatorOfKey = Effect.fnUntraced(function* (id: ApiKeyId) {
  const repository = yield* ApiKeyRepository
  return operator(yield* requireFound("API key", yield* repository.organizationOf(id)))
})

const scopesOf = ({ scopes }: ApiKey) => (scopes.length === 0 ? "everything" : scopes)

const show = (asJson: boolean, key: ApiKey) => print(asJson, asJson ? key : { ...key, scopes: scopesOf(key) })

const rowOf = (key: ApiKey) => ({
  id: key.id,
  value: key.value,
  status: key.expired ? `${key.status}, expired` : key.status,
  scopes: scopesOf(key),
  expires: key.expires_at,
  "last used": key.last_used_at,
  created: key.created_at,
  name: key.name,
})

const create = Command.make(
  "create",
  {
    organization: Flags.organization,
    name: nameFlag,
    description: descriptionFlag,
    scope: scopesFlag,
    test: Flags.boolean(
      "test",
      "Create a test key, which begins with iv_test_: it reads and changes only the test space; default off",
    ),
    expires: Flags.text("expires", "When the key expires, ISO 8601, such as 2030-01-31T18:00:00Z; default never").pipe(
      Flag.withSchema(Moment),
      Flag.optional,
    ),
    json: Flags.json,
  },
  ({ description, expires, json, name, organization, scope, test }) =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const owner = yield* operatorOf(organization)
      const organizations = yield* Organizations
      const keyOwner = test ? operator(yield* organizations.openTestSpace(owner)) : owner
      const { id, value } = yield* keys.create(keyOwner, {
        name: Option.getOrNull(name),
        description: Option.getOrNull(description),
        scopes: scope,
        expires_at: Option.getOrNull(Option.map(expires, (at) => at.toISOString())),
      })
      yield* print(json, { id, value: Redacted.value(value) })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Create an API key and print its value, which cannot be shown again"))

const list = Command.make("list", { organization: Flags.organization, json: Flags.json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const results = yield* keys.list(yield* operatorOf(organization))
    yield* printList(json, { results, rowOf, none: "no API keys" })
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("List an organization's API keys, newest first"))

const showOne = Command.make("show", { id: keyId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    yield* show(json, yield* keys.show(yield* operatorOfKey(id), id))
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Show an API key without its secret, which is not stored"))

const changeable = {
  name: nameFlag.pipe(Flag.withDescription('A name that says what the key is for; "" removes it')),
  description: descriptionFlag.pipe(Flag.withDescription('A description; "" removes it')),
  scope: scopesFlag.pipe(
    Flag.withDescription(
      "A permission of the key; repeat for more. All scopes of the key are replaced by those given: name also those that it keeps",
    ),
  ),
  unrestricted: Flags.boolean("unrestricted", "Permit all operations, instead of the key's scopes; default off"),
  status: Flag.Literals("status", ApiKeyStatus.literals).pipe(
    Flag.withDescription("Whether requests with the key are accepted"),
    Flag.optional,
  ),
}

/** Fails if no flag is given. */
const changeOf = Effect.fnUntraced(function* (flags: {
  readonly name: Option.Option<string>
  readonly description: Option.Option<string>
  readonly scope: ReadonlyArray<Scope>
  readonly unrestricted: boolean
  readonly status: Option.Option<ApiKeyStatus>
}) {
  if (flags.unrestricted && flags.scope.length > 0) {
    return yield* new CommandFailed({ message: "--scope and --unrestricted exclude each other: give one of them" })
  }
  const change: KeyChange = Flags.given({
    name: flags.name,
    description: flags.description,
    scopes: flags.unrestricted || flags.scope.length > 0 ? Option.some(flags.scope) : Option.none<never>(),
    status: flags.status,
  })
  if (Object.keys(change).length > 0) return change
  const names = Object.keys(changeable).map((name) => `--${name}`)
  return yield* new CommandFailed({ message: `nothing to change: give one or more of ${names.join(", ")}` })
})

/** A key without scopes has all of them. */
const effective = ({ scopes }: ApiKey): ReadonlyArray<Scope> => (scopes.length === 0 ? Scope.literals : scopes)

/** With `scopes_before`, `scopes_removed` and `scopes_added` if the command replaced them. */
const showChange = (asJson: boolean, before: ApiKey, after: ApiKey, { scopes }: KeyChange) => {
  const shown = (key: ApiKey) => (asJson ? key.scopes : scopesOf(key))
  const change = {
    scopes_before: shown(before),
    ...difference("scopes", effective(before), effective(after)),
  }
  return print(asJson, { ...after, scopes: shown(after), ...(scopes === undefined ? {} : change) })
}

const update = Command.make("update", { id: keyId, ...changeable, json: Flags.json }, ({ id, json, ...flags }) =>
  Effect.flatMap(changeOf(flags), (change) =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const viewer = yield* operatorOfKey(id)
      const before = yield* keys.show(viewer, id)
      yield* showChange(json, before, yield* keys.update(viewer, id, change), change)
    }).pipe(explain, Effect.provide(recordServices)),
  ),
).pipe(
  Command.withDescription(
    "Change the given properties of an API key; they are in effect when the command ends. --scope replaces all scopes",
  ),
)

const remove = Command.make("delete", { id: keyId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    yield* keys.remove(yield* operatorOfKey(id), id)
    yield* print(json, { id, deleted: true })
  }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Delete an API key; no process accepts it when the command has ended"))

export const keyCommand = Command.make("key").pipe(
  Command.withDescription("Manage API keys"),
  Command.withSubcommands([create, list, showOne, update, remove]),
)
