/** Subjects that an organization, or one of its interview sets, gives emails of invitations. */
import { lineErrors } from "../values/Fields.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { letterLimits } from "./FollowUp.ts"
import { tokenError, unclosedTokenError } from "./Invitation.ts"

/** With words in double braces. Empty: the organization's subject, or the service's own. */
export interface EmailSubjects {
  readonly invitation: string
  readonly reminder: string
}

export const noSubjects: EmailSubjects = { invitation: "", reminder: "" }

export interface SavedSubjects extends EmailSubjects {
  /** Counts the changes; 0: never saved. */
  readonly version: number
}

/** Code points. */
export const maxSubject = letterLimits.subject

const errorsOf = (name: keyof EmailSubjects, subject: string): ReadonlyArray<FieldError> => {
  const errors = lineErrors(`#/${name}`, subject, { isRequired: false, most: maxSubject })
  const wrong = errors.length > 0 ? undefined : (tokenError(subject) ?? unclosedTokenError(subject))
  return wrong === undefined ? errors : [fieldError(`#/${name}`, "unknown_token", wrong)]
}

/** Of trimmed texts. */
export const subjectErrors = ({ invitation, reminder }: EmailSubjects): ReadonlyArray<FieldError> => [
  ...errorsOf("invitation", invitation),
  ...errorsOf("reminder", reminder),
]
