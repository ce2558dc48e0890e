/** Members: roles, permissions, names. */
import { lineErrors } from "../../values/Fields.ts"
import type { MemberId, OrganizationId } from "../../values/Ids.ts"
import type { FieldError } from "../../values/Problem.ts"

/** A recruiter sees only sets whose access list has the recruiter's address. */
export type Role = "owner" | "admin" | "recruiter"

export interface Member {
  readonly _tag: "Member"
  readonly id: MemberId
  readonly organizationId: OrganizationId
  readonly organizationName: string
  /** The organization's. */
  readonly timeZone: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /**
   * The member sees scores of submissions that the member has not reviewed: the organization does not hide them, or the member
   * pressed "Show scores" within `scoresShownFor`.
   */
  readonly seesScores: boolean
}

/** In hours. */
export const scoresShownFor = 12

/** As others see a member: the name, else the address. */
export const memberName = ({ email, name }: Pick<Member, "email" | "name">): string => name?.trim() || email

export const maySetUp = ({ role }: Pick<Member, "role">): boolean => role === "owner" || role === "admin"

/** Also decides who may change members with that role. */
export const mayAssign = ({ role }: Pick<Member, "role">, assigned: Role): boolean =>
  role === "owner" || (role === "admin" && assigned !== "owner")

const maxName = 200

export const nameErrors = (field: string, name: string, isRequired: boolean): ReadonlyArray<FieldError> =>
  lineErrors(`#/${field}`, name, { isRequired, most: maxName })
