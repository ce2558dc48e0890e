/** People who sign in to the workspace, and what their roles let them see. */
import type { MemberId, OrganizationId } from "./Ids.ts"

/** An owner and an admin see everything of their organization; a recruiter the sets whose access list names them. */
export type Role = "owner" | "admin" | "recruiter"

/** A member who is signed in. */
export interface Member {
  readonly id: MemberId
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
}

/** The address that must stand on a set's access list for this member to see its submissions; undefined: sees them all. */
export const readerOf = ({ email, role }: Member): string | undefined => (role === "recruiter" ? email : undefined)

/** Whether a member may look at and change the settings of the organization: keys, webhooks, members. */
export const maySetUp = ({ role }: Pick<Member, "role">): boolean => role === "owner" || role === "admin"
