/**
 * Every action of the product, once: who may do it and where. An operation of the API needs the action's scope, a member one
 * of its roles. Shown in docs/api.md#scopes and docs/workspace.md#members.
 */
import { Schema } from "effect"
import type { Role } from "./members/Member.ts"

/** Of API keys. */
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

interface Permission {
  /** What an API key needs for the operations; "any": each scope is enough. */
  readonly scope: Scope | "any"
  /** Of the contract, as `<group>.<endpoint>`. */
  readonly operations: ReadonlyArray<string>
  /** Of the members who may do it in the workspace. */
  readonly roles: ReadonlyArray<Role>
}

const setUp = ["owner", "admin"] as const
/** Recruiters: of sets whose access list has them (Viewer.ts `readerOf`). */
const recruit = [...setUp, "recruiter"] as const

export const permissions = {
  readAccount: { scope: "any", operations: ["account.me"], roles: setUp },
  readRequestLog: { scope: "any", operations: ["requests.list", "requests.read"], roles: setUp },
  readEvents: { scope: "any", operations: ["events.list"], roles: setUp },
  readSets: { scope: "any", operations: ["interviewSets.list", "interviewSets.read"], roles: recruit },
  createSets: { scope: "create_set", operations: ["interviewSets.create"], roles: recruit },
  manageSets: {
    scope: "manage_sets",
    operations: ["interviewSetChanges.update", "interviewSetChanges.archive", "interviewSetChanges.unarchive"],
    roles: recruit,
  },
  readProjects: {
    scope: "any",
    operations: ["projects.list", "projects.read", "projects.jobPosts", "projects.readJobPost"],
    roles: setUp,
  },
  manageProjects: {
    scope: "manage_sets",
    operations: ["projects.create", "projects.rename", "projects.createJobPost", "projects.updateJobPost"],
    roles: setUp,
  },
  readInvitations: { scope: "any", operations: ["invitations.list", "invitations.read"], roles: recruit },
  inviteCandidates: {
    scope: "invite_candidates",
    operations: [
      "invitations.invite",
      "invitations.resend",
      "invitations.correct",
      "invitations.extend",
      "invitations.cancel",
    ],
    roles: recruit,
  },
  readSubmissions: {
    scope: "any",
    operations: ["submissions.list", "submissions.detail", "recordings.read", "files.answer", "files.cv"],
    roles: recruit,
  },
  decide: {
    scope: "review_submissions",
    operations: ["decisions.decide", "decisions.undo", "decisions.move"],
    roles: recruit,
  },
  readComments: { scope: "any", operations: ["decisions.comments"], roles: recruit },
  readStages: { scope: "any", operations: ["decisions.stages", "decisions.tags"], roles: recruit },
  /** Of test keys and in test mode only. */
  playTestCandidate: {
    scope: "invite_candidates",
    operations: [
      "testMode.complete",
      "testMode.open",
      "testMode.decline",
      "testMode.expire",
      "testMode.bounce",
      "testMode.complain",
    ],
    roles: recruit,
  },
  emptyTestMode: { scope: "invite_candidates", operations: ["testMode.empty"], roles: setUp },
  readWebhooks: {
    scope: "any",
    operations: [
      "webhookEndpoints.list",
      "webhookEndpoints.read",
      "webhookDeliveries.list",
      "webhookRehearsals.list",
      "webhookRehearsals.read",
    ],
    roles: setUp,
  },
  manageWebhooks: {
    scope: "manage_webhooks",
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
    roles: setUp,
  },
  readCandidates: { scope: "any", operations: ["candidates.list", "candidates.read"], roles: setUp },
  managePrivacy: { scope: "manage_privacy", operations: ["candidates.export", "candidates.erase"], roles: setUp },
  readSuppressions: { scope: "any", operations: ["suppressions.list"], roles: [] },
  manageSuppressions: {
    scope: "manage_emails",
    operations: ["suppressions.suppress", "suppressions.release"],
    roles: [],
  },
  readMembers: { scope: "any", operations: ["members.list", "members.read"], roles: setUp },
} satisfies Readonly<Record<string, Permission>>

/** An operation requires one scope; "any": each scope is enough. */
export const requiredScopes: Readonly<Record<string, Scope | "any">> = Object.fromEntries(
  Object.values(permissions).flatMap(({ operations, scope }) => operations.map((operation) => [operation, scope])),
)

export const allows = ({ scopes }: { readonly scopes: ReadonlyArray<Scope> }, required: Scope | "any"): boolean =>
  scopes.length === 0 || required === "any" || scopes.includes(required)
