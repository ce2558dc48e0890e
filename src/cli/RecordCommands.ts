/** Commands that create records. `--json` prints one JSON object on stdout and nothing else. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Organizations } from "../accounts/Organizations.ts"
import { operator } from "../accounts/Viewer.ts"
import { Projects } from "../interview-sets/Projects.ts"
import { ProjectId } from "../values/Ids.ts"
import { explain, json, operatorOf, organization, print, records, text } from "./CommandKit.ts"

export const organizationCommand = Command.make("organization").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([
    Command.make("create", { name: text("name", "Its name"), json }, ({ json, name }) =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        yield* print(json, { id: yield* organizations.create(name) })
      }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Create an organization")),
    Command.make(
      "update",
      {
        organization,
        contact: text("contact", "Whom candidates may ask: an e-mail or https address; empty: nobody").pipe(
          Flag.optional,
        ),
        privacyContact: text("privacy-contact", "The same for questions about their data").pipe(Flag.optional),
        json,
      },
      ({ contact, json, organization, privacyContact }) =>
        Effect.gen(function* () {
          const { contact: who, privacy_contact } = yield* (yield* Organizations).update(organization, {
            ...Option.match(contact, { onNone: () => ({}), onSome: (contact) => ({ contact }) }),
            ...Option.match(privacyContact, { onNone: () => ({}), onSome: (privacy_contact) => ({ privacy_contact }) }),
          })
          yield* print(json, { id: organization, contact: who, privacy_contact })
        }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Say whom candidates may ask, and show whom they may")),
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
        yield* print(json, { id: yield* projects.create(yield* operatorOf(organization), name) })
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
          const viewer = operator(yield* projects.organizationOf(project))
          yield* print(json, { id: yield* projects.createJobPost(viewer, project, title) })
        }).pipe(explain, Effect.provide(records)),
    ).pipe(Command.withDescription("Create a job post")),
  ]),
)
