/**
 * Who may do what, for the whole product: of each action, the roles of members and their pages, the scopes of API keys and
 * their operations, and the commands of operators. Pages and forms are refused by Workspace.ts, operations by
 * AuthenticationApiHandlers.ts. Shown in docs/workspace.md#roles and docs/api.md#scopes.
 *
 * Which records an action reaches: Viewer.ts `readerOf` limits recruiters to sets whose access list has their address, and
 * reviewers to submissions that are assigned to them. API keys and commands reach all records of their organization.
 */
import { Schema } from "effect"
import { type Member, type Role, roles } from "./members/Member.ts"

/** Of API keys. A key without scopes may call every operation. */
export const Scope = Schema.Literals([
  "invite_candidates",
  "create_set",
  "manage_sets",
  "review_submissions",
  "manage_webhooks",
  "manage_emails",
  "manage_privacy",
  "read",
])
export type Scope = typeof Scope.Type

/** Each of the scopes is enough; "any": every key may call the operation. */
export type RequiredScopes = "any" | readonly [Scope, ...Array<Scope>]

interface Permission {
  /** As in the table of docs/workspace.md#roles. */
  readonly what: string
  /** Of the members who may do it in the workspace; none: the workspace has no page for it. */
  readonly roles: ReadonlyArray<Role>
  /**
   * Paths of the router, with "GET " or "POST " in front if only that method is meant. A path that ends with "/*" covers what
   * is below it, too; the longest path decides.
   */
  readonly pages?: ReadonlyArray<string>
  readonly scopes?: RequiredScopes
  /** What the operations do, where it is not `what`. */
  readonly byKey?: string
  /** Of the contract, as `<group>.<endpoint>`. */
  readonly operations?: ReadonlyArray<string>
  /** That do it for an organization. */
  readonly commands?: ReadonlyArray<string>
}

const all = roles
const recruit = ["owner", "admin", "recruiter"] as const
const setUp = ["owner", "admin"] as const

export const permissions = {
  manageOwnAccount: {
    what: "Change one's own name, password, second factor, passkeys, emails and sessions",
    roles: all,
    pages: ["/account/*"],
  },
  readAssigned: {
    what: "Read the submissions that are assigned to the member",
    roles: all,
    pages: ["/home", "/submissions/assigned", "/submissions/:id"],
  },
  readFiles: {
    what: "Open CVs, files and recordings",
    roles: all,
    pages: ["/submissions/:id/cv", "/submissions/:id/files/:attempt/:question", "/submissions/:id/recordings/*"],
    scopes: ["read", "review_submissions"],
    operations: ["recordings.read", "files.answer", "files.cv"],
  },
  review: {
    what: "Review a submission",
    roles: all,
    pages: ["/submissions/:id/review", "/submissions/:id/review/draft"],
  },

  readSubmissions: {
    what: "Read, search, compare and export submissions",
    roles: recruit,
    pages: [
      "/submissions",
      "/submissions.csv",
      "/submissions.xlsx",
      "/submissions/compare",
      "/submissions/export",
      "/submissions/:id/timeline",
      "GET /interview-sets/:id/board",
      "GET /interview-sets/:id/board/:submission",
    ],
    scopes: "any",
    operations: ["submissions.list", "submissions.detail"],
  },
  showScores: {
    what: "Show scores before reviewing, where the organization hides them",
    roles: recruit,
    pages: ["/account/show-scores"],
  },
  saveViews: {
    what: "Save views of the list of submissions, delete one's own",
    roles: recruit,
    pages: ["/submissions/views/*", "/submissions/columns"],
  },
  deleteSharedViews: { what: "Delete the shared views of colleagues", roles: setUp },
  decide: {
    what: "Decide, undo a decision, move candidates between stages",
    roles: recruit,
    pages: [
      "/submissions/decide",
      "/submissions/undo",
      "/submissions/move",
      "/submissions/:id/decision/*",
      "/submissions/:id/compared/*",
      "/interview-sets/:id/board/*",
    ],
    scopes: ["review_submissions"],
    operations: ["decisions.decide", "decisions.undo", "decisions.move"],
  },
  writeLetters: {
    what: "Write to candidates about a decision",
    roles: recruit,
    pages: ["/submissions/write", "/submissions/:id/letter/*"],
  },
  override: {
    what: "Override a score, evaluate again",
    roles: recruit,
    pages: ["/submissions/:id/override/*", "/submissions/:id/evaluate"],
    commands: ["evaluation again"],
  },
  correctCv: {
    what: "Read a CV again, replace its link",
    roles: recruit,
    pages: ["/submissions/:id/cv/retry", "/submissions/:id/cv/link"],
  },
  readComments: {
    what: "Read comments",
    roles: recruit,
    scopes: ["read", "review_submissions"],
    operations: ["decisions.comments"],
  },
  comment: { what: "Comment on submissions", roles: recruit, pages: ["/submissions/:id/comments/*"] },
  readStages: {
    what: "Read stages and tags",
    roles: recruit,
    scopes: ["read", "review_submissions"],
    operations: ["decisions.stages", "decisions.tags"],
  },
  tag: { what: "Tag submissions", roles: recruit, pages: ["/submissions/tag", "/submissions/:id/tags/*"] },
  assignReviewers: {
    what: "Assign reviewers",
    roles: recruit,
    pages: ["/submissions/assign", "/submissions/:id/reviewers/*"],
  },
  shareByLink: { what: "Share a candidate by a link", roles: recruit, pages: ["/submissions/:id/links/*"] },
  answerCandidates: {
    what: "Answer candidates who need something else, ask for a person or contest a result",
    roles: recruit,
    pages: ["/accommodations/*", "/person-reviews/*"],
  },

  readInvitations: {
    what: "Read invitations",
    roles: recruit,
    pages: ["/invitations", "GET /invitations/:id"],
    scopes: "any",
    operations: ["invitations.list", "invitations.read"],
    commands: ["email list", "email show"],
  },
  inviteCandidates: {
    what: "Invite candidates; resend, correct, extend and cancel invitations",
    roles: recruit,
    pages: ["/interview-sets/:id/invite/*", "/invitations/:id/*", "/submissions/resend"],
    scopes: ["invite_candidates"],
    operations: [
      "invitations.invite",
      "invitations.resend",
      "invitations.correct",
      "invitations.extend",
      "invitations.cancel",
    ],
    commands: ["email resend-failed"],
  },
  writeTemplates: {
    what: "Write templates of emails, change one's own",
    roles: recruit,
    pages: ["/message-templates/*"],
  },
  changeAllTemplates: { what: "Change the templates of colleagues", roles: setUp },

  readSets: {
    what: "Read interview sets, see them as candidates do",
    roles: recruit,
    pages: ["GET /interview-sets", "/interview-sets/:id", "/i/preview/*"],
    scopes: "any",
    operations: ["interviewSets.list", "interviewSets.read"],
  },
  createSets: {
    what: "Create interview sets",
    roles: recruit,
    pages: [
      "POST /interview-sets",
      "/interview-sets/new",
      "/interview-sets/templates",
      "/interview-sets/drafts/*",
      "/interview-sets/:id/duplicate",
    ],
    scopes: ["create_set"],
    operations: ["interviewSets.create"],
  },
  manageSets: {
    what: "Change, archive and unarchive interview sets, and the subjects of their emails",
    roles: recruit,
    pages: [
      "/interview-sets/:id/edit",
      "/interview-sets/:id/draft",
      "/interview-sets/:id/archive",
      "/interview-sets/:id/unarchive",
      "/interview-sets/:id/email-subjects",
    ],
    scopes: ["manage_sets"],
    byKey: "Change, archive and unarchive interview sets",
    operations: ["interviewSetChanges.update", "interviewSetChanges.archive", "interviewSetChanges.unarchive"],
  },
  tryChanges: {
    what: "Evaluate stored submissions with other requirements, and adopt them",
    roles: recruit,
    pages: ["/interview-sets/:id/trials/*"],
    commands: ["evaluation compare"],
  },
  readProjects: {
    what: "Read projects and job posts",
    roles: setUp,
    pages: ["GET /projects", "GET /projects/:id"],
    scopes: "any",
    operations: ["projects.list", "projects.read", "projects.jobPosts", "projects.readJobPost"],
  },
  manageProjects: {
    what: "Create and change projects and job posts",
    roles: setUp,
    pages: ["/projects/*"],
    scopes: ["manage_sets"],
    operations: ["projects.create", "projects.rename", "projects.createJobPost", "projects.updateJobPost"],
    commands: ["project create", "job-post create"],
  },

  enterTestMode: {
    what: "Enter test mode, read its mailbox",
    roles: recruit,
    pages: ["/test-mode/*"],
  },
  leaveTestMode: { what: "Leave test mode", roles: all, pages: ["/test-mode/leave"] },
  playTestCandidate: {
    what: "Act as the scripted candidate, in test mode",
    roles: recruit,
    pages: ["/invitations/:id/test"],
    scopes: ["invite_candidates"],
    operations: [
      "testMode.complete",
      "testMode.open",
      "testMode.decline",
      "testMode.expire",
      "testMode.bounce",
      "testMode.complain",
    ],
  },
  openTestMode: { what: "Begin test mode, which other members can then enter", roles: setUp },
  emptyTestMode: {
    what: "Empty test mode",
    roles: setUp,
    pages: ["/test-mode/empty"],
    scopes: ["manage_privacy"],
    operations: ["testMode.empty"],
    commands: ["test-mode empty", "test-mode delete"],
  },
  removeSample: {
    what: "Remove the sample",
    roles: setUp,
    pages: ["/sample/remove"],
    commands: ["sample remove"],
  },

  readAccount: { what: "Read the API key of a request", roles: [], scopes: "any", operations: ["account.me"] },
  manageApiKeys: {
    what: "Create, change and delete API keys",
    roles: setUp,
    // /settings and /settings/integrations lead to the first section
    pages: ["/settings", "/settings/integrations", "/settings/integrations/api-keys/*"],
    commands: ["key create", "key list", "key show", "key update", "key delete"],
  },
  readRequestLog: {
    what: "Read the log of API requests",
    roles: setUp,
    pages: ["/settings/integrations/requests/*"],
    scopes: ["read"],
    operations: ["requests.list", "requests.read"],
    commands: ["requests list", "requests show"],
  },
  manageHiringSystems: {
    what: "Connect hiring systems",
    roles: setUp,
    pages: ["/settings/integrations/hiring-systems/*"],
    commands: [
      "hiring-system create",
      "hiring-system list",
      "hiring-system show",
      "hiring-system rotate-key",
      "hiring-system set-credentials",
      "hiring-system send-failed",
      "hiring-system test",
      "hiring-system pause",
      "hiring-system resume",
      "hiring-system delete",
    ],
  },
  readEvents: { what: "Read all events", roles: [], scopes: "any", operations: ["events.list"] },
  readWebhooks: {
    what: "Read webhook endpoints and deliveries",
    roles: setUp,
    pages: [
      "GET /settings/webhooks",
      "GET /settings/webhooks/:id",
      "GET /settings/webhooks/:id/deliveries",
      "GET /settings/webhooks/:id/deliveries/:delivery",
    ],
    scopes: "any",
    operations: ["webhookEndpoints.list", "webhookEndpoints.read", "webhookDeliveries.list"],
    commands: ["webhook list", "webhook show", "webhook deliveries", "webhook delivery"],
  },
  readRehearsals: {
    what: "Read rehearsals of webhook endpoints",
    roles: setUp,
    pages: ["GET /settings/webhooks/:id/rehearsals", "GET /settings/webhooks/:id/rehearsals/:rehearsal"],
    scopes: ["read", "manage_webhooks"],
    operations: ["webhookRehearsals.list", "webhookRehearsals.read"],
  },
  manageWebhooks: {
    what: "Manage, test and rehearse webhook endpoints, read their secrets, send deliveries again, post to Slack and Teams",
    roles: setUp,
    pages: ["/settings/webhooks/*"],
    scopes: ["manage_webhooks"],
    byKey: "Create, change, delete, test and rehearse webhook endpoints, replace their secrets, send deliveries again",
    operations: [
      "webhookEndpoints.create",
      "webhookEndpoints.update",
      "webhookEndpoints.remove",
      "webhookEndpoints.rotateSecret",
      "webhookEndpoints.test",
      "webhookDeliveries.resend",
      "webhookDeliveries.resendFailed",
      "webhookRehearsals.begin",
    ],
    commands: [
      "webhook create",
      "webhook update",
      "webhook enable",
      "webhook disable",
      "webhook delete",
      "webhook regenerate-secret",
      "webhook remove-old-secret",
      "webhook test",
      "webhook rehearse",
      "webhook resend",
      "webhook resend-failed",
    ],
  },
  manageQueues: {
    what: "See, retry and cancel what is done in the background",
    roles: setUp,
    pages: ["/settings/queues/*"],
    commands: ["queue list", "queue jobs", "queue retry", "queue cancel"],
  },
  readSuppressions: {
    what: "Read the addresses that get no emails",
    roles: [],
    scopes: ["read", "manage_emails"],
    operations: ["suppressions.list"],
    commands: ["suppression list"],
  },
  manageSuppressions: {
    what: "Suppress and release addresses",
    roles: [],
    scopes: ["manage_emails"],
    operations: ["suppressions.suppress", "suppressions.release"],
    commands: ["suppression add", "suppression remove"],
  },

  manageOrganization: {
    what: "Set up the organization: name, appearance, stages, tags, reasons, notices, candidates' rights, email subjects",
    roles: setUp,
    pages: [
      "/settings/organization/*",
      "/settings/appearance/*",
      "/settings/stages/*",
      "/settings/tags/*",
      "/settings/reasons/*",
      "/settings/notices/*",
      "/settings/candidate-rights/*",
      "/settings/recording-consent/*",
      "/settings/email-subjects/*",
    ],
    commands: ["organization update"],
  },
  readMembers: {
    what: "Read the list of members",
    roles: setUp,
    pages: ["GET /settings/members", "GET /settings/members/:id"],
    scopes: ["read"],
    operations: ["members.list", "members.read"],
  },
  manageMembers: {
    what: "Invite, change and remove members",
    roles: setUp,
    pages: ["/settings/members/*"],
    commands: ["member create", "member reset-second-factor"],
  },
  /** Also checked where members are changed: MemberRepository.ts. */
  manageOwners: { what: "Invite, change and remove owners", roles: ["owner"] },

  readCandidates: {
    what: "Find candidates",
    roles: setUp,
    pages: ["GET /settings/people", "GET /settings/people/:id"],
    scopes: ["read", "manage_privacy"],
    operations: ["candidates.list", "candidates.read"],
    commands: ["candidate find"],
  },
  managePrivacy: {
    what: "Export and erase a person's data, place legal holds, set periods of retention",
    roles: setUp,
    pages: ["/settings/people/*", "/settings/retention/*", "/interview-sets/:id/hold"],
    scopes: ["manage_privacy"],
    byKey: "Export and erase all data of a person",
    operations: ["candidates.export", "candidates.erase"],
    commands: ["candidate export", "candidate erase"],
  },
  audit: {
    what: "Read the audit log, the decision record and oversight; make impact ratios and counterfactual audits",
    roles: setUp,
    pages: [
      "/settings/audit/*",
      "/settings/audit.csv",
      "/settings/audit.xlsx",
      "/settings/record/*",
      "/submissions/:id/record/*",
      "/settings/oversight",
      "/settings/impact-ratios/*",
      "/settings/counterfactual-audit/*",
    ],
    commands: ["record show", "record export", "evaluation counterfactual"],
  },
} as const satisfies Readonly<Record<string, Permission>>

export type Action = keyof typeof permissions

const table: Readonly<Record<Action, Permission>> = permissions

/** Commands that serve the whole installation, so that only its operator has them. */
export const installationCommands = [
  "start",
  "demo",
  "serve",
  "migrate",
  "setup",
  "secret-key reencrypt",
  "organization create",
  "organization move",
  "sample add",
  "webhook events",
  "email bounce",
  "email mark-sent",
  "email test",
  "record verify",
  "record rotate-key",
  "queue pause",
  "queue resume",
  "queue steps",
  "queue processes",
  "cell show",
  "cell set-number",
  "cell export",
] as const

export const rolesOf = (action: Action): ReadonlyArray<Role> => table[action].roles

export const may = ({ role }: Pick<Member, "role">, action: Action): boolean => rolesOf(action).includes(role)

/** Also decides who may change members with that role. */
export const mayAssign = (member: Pick<Member, "role">, assigned: Role): boolean =>
  may(member, assigned === "owner" ? "manageOwners" : "manageMembers")

const actions = Object.keys(permissions) as ReadonlyArray<Action>

interface Page {
  readonly action: Action
  readonly method: string | undefined
  readonly path: string
  readonly isPrefix: boolean
}

const pageOf = (action: Action, page: string): Page => {
  const [, method, place = "", prefix] = /^(?:(GET|POST) )?(.*?)(\/\*)?$/.exec(page) ?? []
  return { action, method, path: place, isPrefix: prefix !== undefined }
}

/** The most specific first. */
const pages = actions
  .flatMap((action) => (table[action].pages ?? []).map((page) => pageOf(action, page)))
  .toSorted(
    (a, b) =>
      b.path.length - a.path.length ||
      Number(a.isPrefix) - Number(b.isPrefix) ||
      Number(a.method === undefined) - Number(b.method === undefined),
  )

/** The action of a page or form; undefined for a route that the table lacks. `path`: with parameters as `:name`. */
export const actionOfPage = (method: string, path: string): Action | undefined =>
  pages.find(
    (page) =>
      (page.method ?? method) === method && (path === page.path || (page.isPrefix && path.startsWith(`${page.path}/`))),
  )?.action

/** By the operation's name. */
export const requiredScopes: Readonly<Record<string, RequiredScopes>> = Object.fromEntries(
  Object.values(table).flatMap(({ operations = [], scopes }) =>
    scopes === undefined ? [] : operations.map((operation) => [operation, scopes]),
  ),
)

const firstLetter = (text: string, write: (letter: string) => string): string => write(text.charAt(0)) + text.slice(1)

/** What a scope allows, besides what every key may do. */
export const grantsOf = (scope: Scope): string => {
  const texts = Object.values(table).flatMap(({ byKey, scopes = "any", what }) =>
    scopes !== "any" && scopes.includes(scope) ? [firstLetter(byKey ?? what, (letter) => letter.toLowerCase())] : [],
  )
  return firstLetter(texts.join("; "), (letter) => letter.toUpperCase())
}

interface ScopedKey {
  readonly scopes: ReadonlyArray<Scope>
}

export const allows = ({ scopes }: ScopedKey, required: RequiredScopes): boolean =>
  scopes.length === 0 || required === "any" || required.some((scope) => scopes.includes(scope))

/** As errors and the reference name them: "read or manage_emails". */
export const scopesText = (required: RequiredScopes): string => (required === "any" ? "any" : required.join(" or "))
