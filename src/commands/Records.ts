/** Commands that set up records, for people and scripts: `--json` prints one JSON object on stdout and nothing else. */
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { Config } from "../Config.ts"
import { EndpointId, type OrganizationId, ProjectId } from "../domain/Ids.ts"
import { Endpoints as EndpointRows } from "../repository/Endpoints.ts"
import { Endpoints } from "../service/Endpoints.ts"
import { Organizations } from "../service/Organizations.ts"
import { Projects } from "../service/Projects.ts"
import { local } from "./Environment.ts"
import { explain, json, known, organization, print, records, text } from "./RecordCommand.ts"

/** Webhook endpoints, whose secrets are sealed. */
const webhooks = Layer.merge(App.administration, App.sealed).pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ trial: false })),
)

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

export const projectCommand = Command.make("project").pipe(
  Command.withDescription("Projects"),
  Command.withSubcommands([
    Command.make("create", { organization, name: text("name", "Its name"), json }, ({ json, name, organization }) =>
      Effect.gen(function* () {
        const projects = yield* Projects
        yield* print(json, { id: yield* projects.create(organization, name) })
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
          const projects = yield* Projects
          yield* print(json, { id: yield* projects.createJobPost(project, title) })
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
