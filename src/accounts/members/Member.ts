/** Members: roles, names. What a role may do: accounts/Permissions.ts. */
import { lineErrors } from "../../values/Fields.ts"
import type { MemberId, OrganizationId } from "../../values/Ids.ts"
import type { FieldError } from "../../values/Problem.ts"

/** From the most rights to the fewest; Viewer.ts `readerOf` limits what recruiters and reviewers see. */
export const roles = ["owner", "admin", "recruiter", "reviewer"] as const
export type Role = (typeof roles)[number]

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
   * pressed "Show scores" within `scoresShownFor`. Never a reviewer.
   */
  readonly seesScores: boolean
  /** In test mode: a copy of the member in the test space (docs/test-mode.md), and its pages say so. */
  readonly isTest?: boolean
}

/** In hours. */
export const scoresShownFor = 12

/** As others see a member: the name, else the address. */
export const memberName = ({ email, name }: Pick<Member, "email" | "name">): string => name?.trim() || email

const maxName = 200

export const nameErrors = (field: string, name: string, isRequired: boolean): ReadonlyArray<FieldError> =>
  lineErrors(`#/${field}`, name, { isRequired, most: maxName })
