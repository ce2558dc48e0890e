/** `key`: commands for API keys. */
import { Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type ApiKey, ApiKeyStatus } from "../accounts/ApiKey.ts"
import { ApiKeyRepository } from "../accounts/ApiKeyRepository.ts"
import { ApiKeys, type KeyChange } from "../accounts/ApiKeys.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { Scope } from "../accounts/Scopes.ts"
import { ApiKeyId, type OrganizationId } from "../values/Ids.ts"
import { Moment } from "../values/Timestamp.ts"
import { explain, json, known, organization, print, records, table, text } from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"

const keyId = Argument.String("id").pipe(Argument.withSchema(ApiKeyId))
const name = text("name", "What it is for").pipe(Flag.optional)
const description = text("description", "More about it").pipe(Flag.optional)
const scope = Flag.Literals("scope", Scope.literals).pipe(
  Flag.withDescription("What it may do; repeat it; none: everything"),
  Flag.atLeast(0),
)

const ofKey = <A, E, R>(id: ApiKeyId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* known("API key", yield* (yield* ApiKeyRepository).organizationOf(id))
    return yield* step(organization)
  })

const scopesOf = ({ scopes }: ApiKey) => (scopes.length === 0 ? "everything" : scopes)

const show = (asJson: boolean, key: ApiKey) => print(asJson, asJson ? key : { ...key, scopes: scopesOf(key) })

const tableOf = (keys: ReadonlyArray<ApiKey>) =>
  table(
    keys.map((key) => ({
      id: key.id,
      value: key.value,
      status: key.expired ? `${key.status}, expired` : key.status,
      scopes: scopesOf(key),
      expires: key.expires_at,
      "last used": key.last_used_at,
      created: key.created_at,
      name: key.name,
    })),
    "no API keys",
  )

const create = Command.make(
  "create",
  {
    organization,
    name,
    description,
    scope,
    expires: text("expires", "ISO 8601; none: never").pipe(Flag.withSchema(Moment), Flag.optional),
    json,
  },
  ({ description, expires, json, name, organization, scope }) =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const organizations = yield* Organizations
      yield* organizations.require(organization)
      const { id, value } = yield* keys.create(organization, {
        name: Option.getOrNull(name),
        description: Option.getOrNull(description),
        scopes: scope,
        expires_at: Option.getOrNull(Option.map(expires, (at) => at.toISOString())),
      })
      yield* print(json, { id, value: Redacted.value(value) })
    }).pipe(explain, Effect.provide(records)),
).pipe(Command.withDescription("Create a key; its value is shown this once"))

const list = Command.make("list", { organization, json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const organizations = yield* Organizations
    yield* organizations.require(organization)
    const results = yield* keys.list(organization)
    yield* json ? print(true, { results }) : Console.log(tableOf(results))
  }).pipe(explain, Effect.provide(records)),
).pipe(Command.withDescription("List the keys of an organization, newest first"))

const showOne = Command.make("show", { id: keyId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    yield* show(json, yield* ofKey(id, (organization) => keys.show(organization, id)))
  }).pipe(explain, Effect.provide(records)),
).pipe(Command.withDescription("Show a key; its secret is not kept"))

const changeable = {
  name: name.pipe(Flag.withDescription('What it is for; "" takes it away')),
  description: description.pipe(Flag.withDescription('More about it; "" takes it away')),
  scope: scope.pipe(Flag.withDescription("All that it may do; repeat it")),
  unrestricted: Flag.Boolean("unrestricted").pipe(
    Flag.withDescription("It may do everything"),
    Flag.withDefault(false),
  ),
  status: Flag.Literals("status", ApiKeyStatus.literals).pipe(
    Flag.withDescription("An inactive key opens nothing"),
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
    return yield* new CommandFailed({ message: "--scope and --unrestricted exclude each other" })
  }
  const change: KeyChange = {
    ...Option.match(flags.name, { onNone: () => ({}), onSome: (name) => ({ name }) }),
    ...Option.match(flags.description, { onNone: () => ({}), onSome: (description) => ({ description }) }),
    ...(flags.unrestricted || flags.scope.length > 0 ? { scopes: flags.scope } : {}),
    ...Option.match(flags.status, { onNone: () => ({}), onSome: (status) => ({ status }) }),
  }
  if (Object.keys(change).length > 0) return change
  const names = Object.keys(changeable).map((name) => `--${name}`)
  return yield* new CommandFailed({ message: `nothing to change: give one or more of ${names.join(", ")}` })
})

const update = Command.make("update", { id: keyId, ...changeable, json }, ({ id, json, ...flags }) =>
  Effect.flatMap(changeOf(flags), (change) =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      yield* show(json, yield* ofKey(id, (organization) => keys.update(organization, id, change)))
    }).pipe(explain, Effect.provide(records)),
  ),
).pipe(Command.withDescription("Change a key; it counts at once"))

const remove = Command.make("delete", { id: keyId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    yield* ofKey(id, (organization) => keys.remove(organization, id))
    yield* print(json, { id, deleted: true })
  }).pipe(explain, Effect.provide(records)),
).pipe(Command.withDescription("Delete a key; it stops working at once"))

export const keyCommand = Command.make("key").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([create, list, showOne, update, remove]),
)
