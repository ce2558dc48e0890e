/** People who sign in to the workspace, and what their roles let them see. */
import type { MemberId, OrganizationId } from "../values/Ids.ts"

/** An owner and an admin see everything of their organization; a recruiter the sets whose access list names them. */
export type Role = "owner" | "admin" | "recruiter"

/** A member who is signed in. */
export interface Member {
  readonly _tag: "Member"
  readonly id: MemberId
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
}

/** Whether a member may look at and change the settings of the organization: keys, webhooks, members. */
export const maySetUp = ({ role }: Pick<Member, "role">): boolean => role === "owner" || role === "admin"

/** Whether a member may give somebody this role, or change somebody who has it: owners are the business of owners. */
export const mayMake = ({ role }: Pick<Member, "role">, other: Role): boolean =>
  role === "owner" || (role === "admin" && other !== "owner")
