/** The mail that tells a member that their password is another one now: whoever did not do it learns of it. */
import { Effect } from "effect"
import { EmailId, type OrganizationId } from "../domain/Ids.ts"
import { Database } from "../repository/Database.ts"
import { EmailRepository } from "../repository/EmailRepository.ts"
import { type PasswordWay, renderPasswordChanged } from "./emails/MemberMail.ts"
import { ids } from "./Ids.ts"

/** Gives what queues the mail; it stands in the transaction that sets the password. A first password is no news. */
export const passwordNotices = Effect.gen(function* () {
  const emails = yield* EmailRepository
  const newId = yield* ids
  const { time } = yield* Database
  return Effect.fnUntraced(function* (organization: OrganizationId, recipient: string, way: PasswordWay) {
    const content = renderPasswordChanged({ at: yield* time, email: recipient, way })
    const id = yield* newId(EmailId)
    yield* emails.insert(organization, [{ id, invitation_id: null, kind: "password_changed", recipient, content }])
  })
})
