/** A search of the list of submissions that a member saved under a name, and the columns of the list. */
import type { Member } from "../accounts/members/Member.ts"
import { may } from "../accounts/Permissions.ts"
import { lineErrors } from "../values/Fields.ts"
import type { InterviewSetId, MemberId, SavedViewId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"

/** Characters of a name, views of a member, and shared views of an organization, which all are in each list. */
export const savedViewLimits = { name: 40, own: 8, shared: 8 } as const

export interface SavedView {
  readonly id: SavedViewId
  readonly name: string
  /** The query string of the list. */
  readonly query: string
  readonly interview_set_id: InterviewSetId | null
  readonly is_shared: boolean
  readonly member_id: MemberId
}

export const savedViewErrors = (name: string): ReadonlyArray<FieldError> =>
  lineErrors("#/name", name, { isRequired: true, most: savedViewLimits.name })

/**
 * Columns of the list of submissions that a member may hide; names and states are always there. The row's columns have this
 * order.
 */
export const listColumns = [
  "set",
  "active",
  "invited",
  "submitted",
  "requirements",
  "score",
  "decision",
  "reviewers",
] as const
export type ListColumn = (typeof listColumns)[number]

/** Without the times that the last activity tells already. */
export const usualColumns: ReadonlyArray<ListColumn> = listColumns.filter(
  (column) => column !== "invited" && column !== "submitted",
)

/** Those of `names` that exist, in their order in the list. */
export const listColumnsOf = (names: ReadonlyArray<string>): ReadonlyArray<ListColumn> =>
  listColumns.filter((column) => names.includes(column))

/** Members delete their own views, owners and admins also shared ones. */
export const mayDelete = (
  member: Pick<Member, "id" | "role">,
  view: Pick<SavedView, "is_shared" | "member_id">,
): boolean => view.member_id === member.id || (view.is_shared && may(member, "deleteSharedViews"))
