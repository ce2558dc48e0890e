/** Reads whom the messages of channels are about. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../../platform/database/Database.ts"
import type { OrganizationId, SubmissionId } from "../../values/Ids.ts"
import type { ChatSubject } from "./ChatMessage.ts"

export class ChatRepository extends Context.Service<ChatRepository>()(
  "interview-invitations/webhooks/chat/ChatRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Undefined: unknown, as in test deliveries. */
        subject: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return first(
            yield* sql<ChatSubject>`
            select coalesce(nullif(trim(c.name), ''), nullif(trim(concat_ws(' ', c.firstname, c.lastname)), ''), c.email) as candidate,
              s.title as interview
            from submission b join candidate c on c.id = b.candidate_id join interview_set s on s.id = b.interview_set_id
            where b.id = ${submission}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
