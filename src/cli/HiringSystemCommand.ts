/** `hiring-system`: commands for connections to hiring systems. */
import { Console, Effect, FileSystem, Layer, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { operator } from "../accounts/Viewer.ts"
import { callAddresses } from "../ats/CallAddress.ts"
import type { Connection } from "../ats/Connection.ts"
import { ConnectionRepository } from "../ats/ConnectionRepository.ts"
import { HiringSystem, systemNames } from "../ats/HiringSystem.ts"
import { HiringSystemConnections } from "../ats/HiringSystemConnections.ts"
import { Config } from "../config/Config.ts"
import { ConnectionId } from "../values/Ids.ts"
import { explain, operatorOf, print, printList, requireFound, secretAdministration, table } from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"

/** Needs SECRET_KEY: the keys are stored encrypted. */
const services = App.hiringSystems.pipe(Layer.provideMerge(secretAdministration))

const connectionId = Argument.String("id").pipe(
  Argument.withDescription("The connection's id, shown by hiring-system list"),
  Argument.withSchema(ConnectionId),
)

const ownerOf = Effect.fnUntraced(function* (id: ConnectionId) {
  const repository = yield* ConnectionRepository
  return operator(yield* requireFound("connection", yield* repository.organizationOf(id)))
})

const addressesOf = Effect.fnUntraced(function* (connection: Connection) {
  const { apiUrl } = yield* Config
  return callAddresses(connection, apiUrl).map(({ url }) => url)
})

const printWithKey = (
  asJson: boolean,
  { connection, key }: { connection: Connection; key: Redacted.Redacted | undefined },
) =>
  Effect.gen(function* () {
    const { id, missing, name, system } = connection
    const addresses = yield* addressesOf(connection)
    yield* print(asJson, { id, system, name, missing, ...(key && { key: Redacted.value(key) }), addresses })
    if (!asJson && key !== undefined)
      yield* Console.log(`Enter the key in ${systemNames[system]}; it cannot be shown again.`)
  })

/** A file, because other users of the machine can see command-line arguments. */
const credentialsFlag = Flag.File("credentials").pipe(
  Flag.withDescription(
    `A JSON file with the vendor's credentials, such as {"api_key": "…"}; "hiring-system show" lists the missing ones`,
  ),
  Flag.optional,
)

const parseCredentials = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

const readCredentials = Effect.fnUntraced(function* (file: Option.Option<string>) {
  if (Option.isNone(file)) return {}
  const files = yield* FileSystem.FileSystem
  const content = yield* Effect.mapError(
    files.readFileString(file.value),
    () => new CommandFailed({ message: `the file ${file.value} cannot be read` }),
  )
  const credentials = yield* Effect.mapError(
    parseCredentials(content),
    () => new CommandFailed({ message: `${file.value} is not a JSON object of strings, such as {"api_key": "…"}` }),
  )
  return { credentials }
})

const create = Command.make(
  "create",
  {
    organization: Flags.organization,
    system: Flag.Literals("system", HiringSystem.literals).pipe(Flag.withDescription("The hiring system")),
    name: Flags.text("name", "A name that identifies the account, such as Greenhouse of Acme"),
    credentials: credentialsFlag,
    json: Flags.json,
  },
  ({ credentials, json, name, organization, system }) =>
    Effect.gen(function* () {
      const connections = yield* HiringSystemConnections
      const owner = yield* operatorOf(organization)
      const typed = { system, name, ...(yield* readCredentials(credentials)) }
      yield* printWithKey(json, yield* connections.create(owner, typed))
    }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Connect a hiring system and print the key for its calls"))

const rowOf = (one: Connection) => ({
  id: one.id,
  system: one.system,
  status: one.status,
  missing: one.missing === null ? "cannot be decrypted" : one.missing.join(", "),
  orders: one.orders,
  waiting: one.waiting,
  failed: one.failed,
  "last call": one.last_used_at,
  name: one.name,
})

const list = Command.make("list", { organization: Flags.organization, json: Flags.json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const connections = yield* HiringSystemConnections
    const results = yield* connections.list(yield* operatorOf(organization))
    yield* printList(json, { results, rowOf, none: "no connections to hiring systems" })
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("List an organization's connections to hiring systems"))

const show = Command.make("show", { id: connectionId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const connections = yield* HiringSystemConnections
    const { connection, exchanges, known } = yield* connections.show(yield* ownerOf(id), id)
    const shown = { ...connection, known, addresses: yield* addressesOf(connection) }
    if (json) return yield* print(true, { ...shown, exchanges })
    yield* print(false, shown)
    yield* Console.log(
      `\n${table(
        exchanges.map((one) => ({ ...one })),
        "no calls or reports yet",
      )}`,
    )
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Show a connection, its addresses, and its newest 100 calls and reports"))

const rotateKey = Command.make("rotate-key", { id: connectionId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const connections = yield* HiringSystemConnections
    yield* printWithKey(json, yield* connections.rotateKey(yield* ownerOf(id), id))
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Replace a connection's key; the former one is refused at once"))

const setCredentials = Command.make(
  "set-credentials",
  { id: connectionId, credentials: credentialsFlag, json: Flags.json },
  ({ credentials: file, id, json }) =>
    Effect.gen(function* () {
      const { credentials = {} } = yield* readCredentials(file)
      const connections = yield* HiringSystemConnections
      yield* print(json, {
        ...(yield* connections.setCredentials(yield* ownerOf(id), id, credentials)),
      })
    }).pipe(explain, Effect.provide(services)),
).pipe(
  Command.withDescription(
    "Replace the vendor's credentials; fields that are not in the file and the connection's key stay unchanged",
  ),
)

const sendFailed = Command.make("send-failed", { id: connectionId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const connections = yield* HiringSystemConnections
    yield* print(json, { ...(yield* connections.sendFailed(yield* ownerOf(id), id)) })
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Send failed reports again"))

const test = Command.make("test", { id: connectionId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const connections = yield* HiringSystemConnections
    const { error, status } = yield* connections.test(yield* ownerOf(id), id)
    if (error !== null) return yield* new CommandFailed({ message: error })
    yield* print(json, { id, accepted: true, status })
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Test the credentials with a request to the hiring system, if its vendor documents one"))

const statusCommand = (name: "pause" | "resume", description: string) =>
  Command.make(name, { id: connectionId, json: Flags.json }, ({ id, json }) =>
    Effect.gen(function* () {
      const connections = yield* HiringSystemConnections
      const status = name === "pause" ? "paused" : "active"
      yield* print(json, { ...(yield* connections.setStatus(yield* ownerOf(id), id, status)) })
    }).pipe(explain, Effect.provide(services)),
  ).pipe(Command.withDescription(description))

const remove = Command.make("delete", { id: connectionId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const connections = yield* HiringSystemConnections
    yield* connections.remove(yield* ownerOf(id), id)
    yield* print(json, { id, deleted: true })
  }).pipe(explain, Effect.provide(services)),
).pipe(Command.withDescription("Delete a connection with its orders and log; submissions remain"))

export const hiringSystemCommand = Command.make("hiring-system").pipe(
  Command.withDescription("Connect hiring systems, which then order interviews without code"),
  Command.withSubcommands([
    create,
    list,
    show,
    rotateKey,
    setCredentials,
    sendFailed,
    test,
    statusCommand("pause", "Refuse a connection's calls and keep its reports waiting"),
    statusCommand("resume", "Accept a connection's calls again and send its waiting and failed reports"),
    remove,
  ]),
)
