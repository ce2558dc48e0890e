/** The mail that tells a member that their password is another one now: whoever did not do it learns of it. */
import { Effect } from "effect"
import { EmailRepository } from "../emails/EmailRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { newId } from "../platform/NewIds.ts"
import { EmailId, type OrganizationId } from "../values/Ids.ts"
import { type PasswordWay, renderPasswordChanged } from "./MemberEmail.ts"

/** Queues the mail, in the transaction that changes the password. A first password needs none. */
export const notifyPasswordChanged = Effect.fnUntraced(function* (
  organization: OrganizationId,
  recipient: string,
  way: PasswordWay,
) {
  const { time } = yield* Database
  const content = renderPasswordChanged({ at: yield* time, email: recipient, way })
  const mail = { id: yield* newId(EmailId), invitation_id: null, kind: "password_changed", recipient, content } as const
  yield* (yield* EmailRepository).insert(organization, [mail])
})
