/** Commands that create and change records: `organization`, `member`, `project` and `job-post`. */
import { Effect, Struct } from "effect"
import { Command, Flag } from "effect/cli"
import { roles } from "../accounts/members/Member.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { operator } from "../accounts/Viewer.ts"
import { Projects } from "../interview-sets/Projects.ts"
import { ProjectId } from "../values/Ids.ts"
import { explain, operatorOf, print, recordServices } from "./CommandKit.ts"
import * as Flags from "./Flags.ts"
import { moveCommand } from "./MoveCommand.ts"
import { passwordFile, readPassword } from "./TypedPassword.ts"

const createOrganization = Command.make(
  "create",
  { name: Flags.text("name", "The name"), json: Flags.json },
  ({ json, name }) =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      yield* print(json, { id: yield* organizations.create(name) })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Create an organization and print its number"))

const updateOrganization = Command.make(
  "update",
  {
    organization: Flags.organization,
    contact: Flags.text(
      "contact",
      'Email or https address for candidates\' questions; "" removes it; default unchanged',
    ).pipe(Flag.optional),
    privacyContact: Flags.text(
      "privacy-contact",
      'Email or https address for questions about personal data; "" removes it; default unchanged',
    ).pipe(Flag.optional),
    timeZone: Flags.text("time-zone", "Time zone of emails and pages, such as Europe/Berlin; default unchanged").pipe(
      Flag.optional,
    ),
    json: Flags.json,
  },
  ({ contact, json, organization, privacyContact, timeZone }) =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const change = Flags.given({ contact, privacy_contact: privacyContact, time_zone: timeZone })
      const updated = yield* organizations.update(operator(organization), change)
      yield* print(json, { id: organization, ...Struct.pick(updated, ["contact", "privacy_contact", "time_zone"]) })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Change and show the contact addresses that candidates see, and the time zone"))

export const organizationCommand = Command.make("organization").pipe(
  Command.withDescription("Create, change and move organizations"),
  Command.withSubcommands([createOrganization, updateOrganization, moveCommand]),
)

const createMember = Command.make(
  "create",
  {
    organization: Flags.organization,
    email: Flags.text("email", "The email address to sign in with"),
    passwordFile,
    role: Flag.Literals("role", roles).pipe(
      Flag.withDescription(
        "Recruiters see only the interview sets shared with them, reviewers only submissions assigned to them; only owners change owners",
      ),
    ),
    json: Flags.json,
  },
  ({ email, json, organization, passwordFile: file, role }) =>
    Effect.flatMap(readPassword(file), (password) =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        yield* print(json, { id: yield* organizations.addMember(organization, { email, password, role }) })
      }).pipe(explain, Effect.provide(recordServices)),
    ),
).pipe(Command.withDescription("Create a member and print the id; the password is typed, or read from stdin or a file"))

const resetSecondFactor = Command.make(
  "reset-second-factor",
  {
    organization: Flags.organization,
    email: Flags.text("email", "The email address of the member"),
    json: Flags.json,
  },
  ({ email, json, organization }) =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      yield* print(json, { email, removed: yield* organizations.resetSecondFactor(organization, email) })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(
  Command.withDescription(
    "Remove the second factor of a member who has lost it, such as the only owner; ends the member's sessions and sends an email",
  ),
)

export const memberCommand = Command.make("member").pipe(
  Command.withDescription("Create members of an organization, and remove a lost second factor"),
  Command.withSubcommands([createMember, resetSecondFactor]),
)

const createProject = Command.make(
  "create",
  { organization: Flags.organization, name: Flags.text("name", "The name"), json: Flags.json },
  ({ json, name, organization }) =>
    Effect.gen(function* () {
      const projects = yield* Projects
      yield* print(json, { id: yield* projects.create(yield* operatorOf(organization), name) })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Create a project and print its id"))

export const projectCommand = Command.make("project").pipe(
  Command.withDescription("Create projects"),
  Command.withSubcommands([createProject]),
)

const createJobPost = Command.make(
  "create",
  {
    project: Flags.text("project", "The project's id, printed by project create").pipe(Flag.withSchema(ProjectId)),
    title: Flags.text("title", "The title"),
    json: Flags.json,
  },
  ({ json, project, title }) =>
    Effect.gen(function* () {
      const projects = yield* Projects
      const viewer = operator(yield* projects.organizationOf(project))
      yield* print(json, { id: yield* projects.createJobPost(viewer, project, title) })
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Create a job post and print its id"))

export const jobPostCommand = Command.make("job-post").pipe(
  Command.withDescription("Create job posts of a project"),
  Command.withSubcommands([createJobPost]),
)
