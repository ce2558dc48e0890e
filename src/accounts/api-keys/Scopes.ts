/** Scopes of API keys, and the scope that each operation requires (docs/api.md). */
import { Schema } from "effect"

export const Scope = Schema.Literals(["invite_candidates", "create_set", "manage_webhooks", "read"])
export type Scope = typeof Scope.Type

/**
 * An operation requires one scope; "any": every scope is enough. To require two, change `allows`, the 403 of
 * AuthenticationApiHandlers.ts, which names the scope, and the table of docs/api.md.
 */
export const requiredScopes: Readonly<Record<string, Scope | "any">> = {
  "account.me": "any",
  "events.list": "any",
  "interviewSets.create": "create_set",
  "interviewSets.list": "any",
  "interviewSets.read": "any",
  "invitations.invite": "invite_candidates",
  "invitations.list": "any",
  "invitations.read": "any",
  "invitations.resend": "invite_candidates",
  "invitations.correct": "invite_candidates",
  "invitations.extend": "invite_candidates",
  "invitations.cancel": "invite_candidates",
  "projects.list": "any",
  "projects.jobPosts": "any",
  "recordings.read": "any",
  "submissions.detail": "any",
  "submissions.list": "any",
  "webhookEndpoints.create": "manage_webhooks",
  "webhookEndpoints.list": "any",
  "webhookEndpoints.read": "any",
  "webhookEndpoints.update": "manage_webhooks",
  "webhookEndpoints.remove": "manage_webhooks",
  "webhookEndpoints.rotateSecret": "manage_webhooks",
  "webhookEndpoints.test": "manage_webhooks",
  "webhookEndpoints.deliveries": "any",
  "webhookEndpoints.resend": "manage_webhooks",
}

export const allows = ({ scopes }: { readonly scopes: ReadonlyArray<Scope> }, required: Scope | "any"): boolean =>
  scopes.length === 0 || required === "any" || scopes.includes(required)
