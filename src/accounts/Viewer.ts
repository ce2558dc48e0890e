/** An API key, a member, or an operator: a command, or the service itself. */
import type { MemberId, OrganizationId } from "../values/Ids.ts"
import type { Principal } from "./api-keys/ApiKey.ts"
import type { Member } from "./members/Member.ts"

export interface Operator {
  readonly _tag: "Operator"
  readonly organizationId: OrganizationId
}

export const operator = (organizationId: OrganizationId): Operator => ({ _tag: "Operator", organizationId })

export type Viewer = Principal | Member | Operator

/**
 * What a member is limited to. A recruiter reads sets whose access list has the address, and their submissions. A reviewer
 * reads no set, and only submissions that are assigned to the member (`isSubmissionReadable` of submissions/SubmissionSql.ts).
 */
export type Reader =
  | { readonly _tag: "Recruiter"; readonly email: string }
  | { readonly _tag: "Reviewer"; readonly id: MemberId }

/** Undefined: the viewer reads everything of the organization. */
export const readerOf = (viewer: Viewer): Reader | undefined => {
  if (viewer._tag !== "Member") return undefined
  if (viewer.role === "recruiter") return { _tag: "Recruiter", email: viewer.email }
  return viewer.role === "reviewer" ? { _tag: "Reviewer", id: viewer.id } : undefined
}

/** False: the viewer sees a submission's score after sending a review of it. */
export const seesAllScores = (viewer: Viewer): boolean => viewer._tag !== "Member" || viewer.seesScores

/** Who made a change, for the audit log; also a member who is not signed in. */
export type Author = Pick<Member, "_tag" | "id" | "organizationId"> | Principal | Operator

export const memberAuthor = (organizationId: OrganizationId, id: MemberId): Author => ({
  _tag: "Member",
  id,
  organizationId,
})

/** The member or API key that the audit log names. */
export type Actor = MemberId | Principal

/** Undefined for a command and for the service itself. */
export const actorOf = (author: Author): Actor | undefined => {
  if (author._tag === "Operator") return undefined
  return author._tag === "Member" ? author.id : author
}
