/** Commands that set up records, for people and scripts: `--json` prints one JSON object on stdout and nothing else. */
import { NodeCrypto } from "@effect/platform-node"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { Config } from "../Config.ts"
import { ApiKeyStatus, Scope } from "../domain/ApiKey.ts"
import { ApiKeyId, EndpointId, OrganizationId, ProjectId } from "../domain/Ids.ts"
import { Invalid, NotFound } from "../domain/Problem.ts"
import { ApiKeys as ApiKeyRows } from "../repository/ApiKeys.ts"
import { Endpoints as EndpointRows } from "../repository/Endpoints.ts"
import { ApiKeys } from "../service/ApiKeys.ts"
import { Endpoints } from "../service/Endpoints.ts"
import { Organizations } from "../service/Organizations.ts"
import { CommandFailed, local } from "./Environment.ts"

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))
const organization = Flag.Int("organization").pipe(
  Flag.withSchema(OrganizationId),
  Flag.withDescription("The organization's number"),
)
const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

/** Keys and records; nothing of it needs a secret key. */
const records = App.administration.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ trial: false })),
)

/** Webhook endpoints, whose secrets are sealed. */
const webhooks = Layer.merge(App.administration, App.sealed).pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ trial: false })),
)

const print = (asJson: boolean, record: Record<string, unknown>) =>
  Console.log(
    asJson
      ? JSON.stringify(record)
      : Object.entries(record)
          .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
          .join("\n"),
  )

/** What is wrong with a command, in one line that names the flag. */
const explain = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => {
    if (error instanceof NotFound) return new CommandFailed({ message: `there is no such ${error.record}` })
    if (!(error instanceof Invalid)) return error
    const faults = error.errors.map(
      ({ message, pointer }) => `${pointer.replace("#/events", "#/event").replace(/^#\//, "--")} ${message}`,
    )
    return new CommandFailed({ message: faults.join("; ") })
  })

const known = <A>(record: string, found: A | undefined) =>
  found === undefined ? Effect.fail(new NotFound({ record })) : Effect.succeed(found)

export const organizationCommand = Command.make("organization").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([
    Command.make("create", { name: text("name", "Its name"), json }, ({ json, name }) =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        yield* print(json, { id: yield* organizations.create(name) })
      }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Create an organization")),
  ]),
)

export const memberCommand = Command.make("member").pipe(
  Command.withDescription("Members of an organization"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        organization,
        email: text("email", "The address to sign in with"),
        password: Flag.Redacted("password").pipe(Flag.withDescription("At least 8 characters")),
        role: Flag.Literals("role", ["owner", "admin", "recruiter"]).pipe(Flag.withDescription("What they may do")),
        json,
      },
      ({ email, json, organization, password, role }) =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          yield* print(json, { id: yield* organizations.addMember(organization, { email, password, role }) })
        }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Create a member")),
  ]),
)

const keyId = Argument.String("id").pipe(Argument.withSchema(ApiKeyId))

export const keyCommand = Command.make("key").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        organization,
        name: text("name", "What it is for").pipe(Flag.optional),
        scope: Flag.Literals("scope", Scope.literals).pipe(
          Flag.withDescription("What it may do; repeat it; none: everything"),
          Flag.between(0, Scope.literals.length),
        ),
        expires: Flag.Date("expires").pipe(Flag.withDescription("ISO 8601; none: never"), Flag.optional),
        json,
      },
      ({ expires, json, name, organization, scope }) =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          const organizations = yield* Organizations
          yield* organizations.require(organization)
          const { id, value } = yield* keys.create(organization, {
            name: Option.getOrUndefined(name),
            scopes: [...new Set(scope)],
            expiresAt: Option.getOrUndefined(expires),
          })
          yield* print(json, { id, value: Redacted.value(value) })
        }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Create a key; its value is shown this once")),
    Command.make(
      "update",
      { id: keyId, status: Flag.Literals("status", ApiKeyStatus.literals), json },
      ({ id, json, status }) =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          const organization = yield* known("API key", yield* (yield* ApiKeyRows).organizationOf(id))
          yield* keys.update(organization, id, { status })
          yield* print(json, { id, status })
        }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Change a key")),
    Command.make("delete", { id: keyId, json }, ({ id, json }) =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const organization = yield* known("API key", yield* (yield* ApiKeyRows).organizationOf(id))
        yield* keys.remove(organization, id)
        yield* print(json, { id, deleted: true })
      }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Delete a key; it stops working at once")),
  ]),
)

export const projectCommand = Command.make("project").pipe(
  Command.withDescription("Projects"),
  Command.withSubcommands([
    Command.make("create", { organization, name: text("name", "Its name"), json }, ({ json, name, organization }) =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        yield* print(json, { id: yield* organizations.createProject(organization, name) })
      }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Create a project")),
  ]),
)

export const jobPostCommand = Command.make("job-post").pipe(
  Command.withDescription("Job posts of a project"),
  Command.withSubcommands([
    Command.make(
      "create",
      { project: Flag.String("project").pipe(Flag.withSchema(ProjectId)), title: text("title", "Its title"), json },
      ({ json, project, title }) =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          yield* print(json, { id: yield* organizations.createJobPost(project, title) })
        }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Create a job post")),
  ]),
)

const endpointId = Argument.String("id").pipe(Argument.withSchema(EndpointId))

const ofEndpoint = <A, E, R>(id: EndpointId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* known("webhook endpoint", yield* (yield* EndpointRows).organizationOf(id))
    return yield* step(organization)
  })

export const webhookCommand = Command.make("webhook").pipe(
  Command.withDescription("Webhook endpoints"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        organization,
        url: text("url", "Where events are sent"),
        name: text("name", "A label").pipe(Flag.withDefault("webhook")),
        event: text("event", "An event or sub-event; repeat it; none: all").pipe(Flag.between(0, 20)),
        json,
      },
      ({ event, json, name, organization, url }) =>
        Effect.gen(function* () {
          const endpoints = yield* Endpoints
          const organizations = yield* Organizations
          yield* organizations.require(organization)
          const { id, secret } = yield* endpoints.create(organization, { name, url, events: event })
          yield* print(json, { id, secret: Redacted.value(secret) })
        }).pipe(explain, Effect.provide(webhooks)),
    ).pipe(Command.withDescription("Create an endpoint; prints its secret")),
    Command.make("show", { id: endpointId, json }, ({ id, json }) =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints
        yield* print(json, { ...(yield* ofEndpoint(id, (organization) => endpoints.show(organization, id))) })
      }).pipe(explain, Effect.provide(webhooks)),
    ).pipe(Command.withDescription("Show an endpoint and its health")),
    Command.make("enable", { id: endpointId, json }, ({ id, json }) =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints
        yield* ofEndpoint(id, (organization) => endpoints.enable(organization, id))
        yield* print(json, { id, status: "active" })
      }).pipe(explain, Effect.provide(webhooks)),
    ).pipe(Command.withDescription("Enable an endpoint again")),
    Command.make("delete", { id: endpointId, json }, ({ id, json }) =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints
        yield* ofEndpoint(id, (organization) => endpoints.remove(organization, id))
        yield* print(json, { id, deleted: true })
      }).pipe(explain, Effect.provide(webhooks)),
    ).pipe(Command.withDescription("Delete an endpoint and its deliveries")),
  ]),
)
