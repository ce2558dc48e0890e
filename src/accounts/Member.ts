/** Members: roles, permissions, names. */
import { isStorable } from "../values/Fields.ts"
import type { MemberId, OrganizationId } from "../values/Ids.ts"
import { type FieldError, type FieldErrorCode, fieldError } from "../values/Problem.ts"

/** A recruiter sees only sets whose access list has the recruiter's address. */
export type Role = "owner" | "admin" | "recruiter"

export interface Member {
  readonly _tag: "Member"
  readonly id: MemberId
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
}

export const maySetUp = ({ role }: Pick<Member, "role">): boolean => role === "owner" || role === "admin"

/** Also decides who may change members with that role. */
export const mayAssign = ({ role }: Pick<Member, "role">, assigned: Role): boolean =>
  role === "owner" || (role === "admin" && assigned !== "owner")

const maxName = 200

export const nameErrors = (field: string, name: string, isRequired: boolean): ReadonlyArray<FieldError> => {
  const error = (code: FieldErrorCode, message: string) => [fieldError(`#/${field}`, code, message)]
  if (name === "") return isRequired ? error("required", "must not be blank") : []
  if ([...name].length > maxName) return error("too_long", `must have at most ${maxName} characters`)
  // line breaks would end mail headers and log lines
  return isStorable(name) && !/\p{Cc}/u.test(name)
    ? []
    : error("unstorable_text", "contains characters that cannot be stored")
}
