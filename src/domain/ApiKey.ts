/** API keys as hiring systems present them: `iv_live_<8 of a-z0-9>.<43 characters base64url>` (contract, API keys). */
import { Schema } from "effect"
import type { ApiKeyId, OrganizationId } from "./Ids.ts"

export const Scope = Schema.Literals(["invite_candidates", "create_set", "read"])
export type Scope = typeof Scope.Type

export const ApiKeyStatus = Schema.Literals(["active", "inactive"])
export type ApiKeyStatus = typeof ApiKeyStatus.Type

const format = /^(iv_live_[a-z0-9]{8})\.([A-Za-z0-9_-]{43})$/

/** The public prefix and the secret of a presented value, or undefined when it is malformed. */
export const parse = (value: string): { readonly prefix: string; readonly secret: string } | undefined => {
  const [, prefix, secret] = format.exec(value) ?? []
  return prefix === undefined || secret === undefined ? undefined : { prefix, secret }
}

/** Whom a request acts for: the key it presented. */
export interface Principal {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  /** Empty: unrestricted. */
  readonly scopes: ReadonlyArray<Scope>
}

/** True when the key may do what needs `scope`. Reading needs any of a key's scopes, whichever. */
export const allows = (principal: Principal, scope: Scope | "any"): boolean =>
  principal.scopes.length === 0 || scope === "any" || principal.scopes.includes(scope)
