/** A text that members reuse as the personal message of invitations. */
import { type Member, maySetUp } from "../accounts/Member.ts"
import { isStorable } from "../values/Fields.ts"
import type { MemberId, MessageTemplateId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { tokenError } from "./Invitation.ts"

/** Characters, and templates of an organization. */
export const templateLimits = { name: 100, minText: 10, text: 5_000, count: 200 } as const

export interface MessageTemplate {
  readonly id: MessageTemplateId
  readonly name: string
  readonly text: string
  /** Counts the changes. */
  readonly version: number
  readonly created_by: MemberId
  readonly author: string
  readonly updated_at: Date
}

/** Every member uses and creates templates; recruiters change and delete their own only. */
export const mayChange = (member: Pick<Member, "id" | "role">, { created_by }: Pick<MessageTemplate, "created_by">) =>
  maySetUp(member) || created_by === member.id

export interface TemplateText {
  readonly name: string
  readonly text: string
}

const lengthOf = (text: string): number => [...text].length

export const templateErrors = ({ name, text }: TemplateText): ReadonlyArray<FieldError> => {
  const { minText, name: maxName, text: maxText } = templateLimits
  const errors: Array<FieldError> = []
  if (name === "") errors.push(fieldError("#/name", "required", "must not be blank"))
  else if (lengthOf(name) > maxName)
    errors.push(fieldError("#/name", "too_long", `must have at most ${maxName} characters`))
  else if (!isStorable(name) || /\p{Cc}/u.test(name))
    errors.push(fieldError("#/name", "unstorable_text", "contains characters that cannot be stored"))
  const wrongToken = tokenError(text)
  if (lengthOf(text) < minText)
    errors.push(fieldError("#/text", "too_short", `must have at least ${minText} characters`))
  else if (lengthOf(text) > maxText)
    errors.push(fieldError("#/text", "too_long", `must have at most ${maxText} characters`))
  else if (!isStorable(text))
    errors.push(fieldError("#/text", "unstorable_text", "contains characters that cannot be stored"))
  else if (wrongToken !== undefined) errors.push(fieldError("#/text", "unknown_token", wrongToken))
  return errors
}
