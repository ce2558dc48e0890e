/** A text that members reuse as the personal message of invitations. */
import { type Member, maySetUp } from "../accounts/members/Member.ts"
import { lineErrors, textErrors } from "../values/Fields.ts"
import type { MemberId, MessageTemplateId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { tokenError, unclosedTokenError } from "./Invitation.ts"

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

export const templateErrors = ({ name, text }: TemplateText): ReadonlyArray<FieldError> => {
  const { minText, name: maxName, text: maxText } = templateLimits
  const ofText = textErrors("#/text", text, { least: minText, most: maxText })
  const wrongToken = ofText.length > 0 ? undefined : (tokenError(text) ?? unclosedTokenError(text))
  return [
    ...lineErrors("#/name", name, { isRequired: true, most: maxName }),
    ...ofText,
    ...(wrongToken === undefined ? [] : [fieldError("#/text", "unknown_token", wrongToken)]),
  ]
}
