/** The mail that tells a member that their password is another one now: whoever did not do it learns of it. */
import { Effect } from "effect"
import { EmailId, type OrganizationId } from "../domain/Ids.ts"
import { Database } from "../repository/Database.ts"
import { EmailRepository } from "../repository/EmailRepository.ts"
import { type PasswordWay, renderPasswordChanged } from "./emails/MemberMail.ts"
import { newId } from "./Ids.ts"

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
