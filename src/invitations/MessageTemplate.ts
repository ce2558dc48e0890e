/** A text that members reuse: as the personal message of invitations, or as an email about a decision, with its subject. */
import type { Member } from "../accounts/members/Member.ts"
import { may } from "../accounts/Permissions.ts"
import { lineErrors, textErrors } from "../values/Fields.ts"
import type { MemberId, MessageTemplateId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { letterDecisions, letterErrors, letterLimits } from "./FollowUp.ts"
import { tokenError, unclosedTokenError } from "./Invitation.ts"

/** Characters, and templates of an organization. */
export const templateLimits = {
  name: 100,
  subject: letterLimits.subject,
  minText: 10,
  text: 5_000,
  count: 200,
} as const

/** The emails that a template is for. */
export const templateKinds = ["invitation", ...letterDecisions] as const
export type TemplateKind = (typeof templateKinds)[number]

export const readKind = (text: string | undefined): TemplateKind =>
  templateKinds.find((kind) => kind === text) ?? "invitation"

export interface MessageTemplate {
  readonly id: MessageTemplateId
  readonly kind: TemplateKind
  readonly name: string
  /** Of an email about a decision; empty for invitations. */
  readonly subject: string
  readonly text: string
  /** Counts the changes. */
  readonly version: number
  readonly created_by: MemberId
  readonly author: string
  readonly updated_at: Date
}

/** Every member uses and creates templates; recruiters change and delete their own only. */
export const mayChange = (member: Pick<Member, "id" | "role">, { created_by }: Pick<MessageTemplate, "created_by">) =>
  may(member, "changeAllTemplates") || created_by === member.id

export interface TemplateText {
  readonly kind: TemplateKind
  readonly name: string
  readonly subject: string
  readonly text: string
}

export const templateErrors = ({ kind, name, subject, text }: TemplateText): ReadonlyArray<FieldError> => {
  const ofName = lineErrors("#/name", name, { isRequired: true, most: templateLimits.name })
  if (kind !== "invitation") return [...ofName, ...letterErrors({ subject, text })]
  const { minText, text: maxText } = templateLimits
  const ofText = textErrors("#/text", text, { least: minText, most: maxText })
  const wrongToken = ofText.length > 0 ? undefined : (tokenError(text) ?? unclosedTokenError(text))
  return [
    ...ofName,
    ...ofText,
    ...(wrongToken === undefined ? [] : [fieldError("#/text", "unknown_token", wrongToken)]),
  ]
}
