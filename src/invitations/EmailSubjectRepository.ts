/** Stores the subjects of emails of invitations. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../platform/database/Database.ts"
import type { InterviewSetId, OrganizationId } from "../values/Ids.ts"
import type { EmailSubjects, SavedSubjects } from "./EmailSubject.ts"

export class EmailSubjectRepository extends Context.Service<EmailSubjectRepository>()(
  "interview-invitations/invitations/EmailSubjectRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** `set` null: of the organization. */
        find: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId | null) {
          const rows = yield* sql<SavedSubjects>`
            select invitation, reminder, version from email_subject
            where organization_id = ${organization}::int and interview_set_id is not distinct from ${set}::uuid`
          return first(rows)
        }),
        /** False: another version is stored. */
        store: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId | null,
          { invitation, reminder, version }: EmailSubjects & { readonly version: number },
        ) {
          const rows =
            version === 0
              ? yield* sql`
                  insert into email_subject (organization_id, interview_set_id, invitation, reminder)
                  values (${organization}::int, ${set}::uuid, ${invitation}, ${reminder}) on conflict do nothing returning id`
              : yield* sql`
                  update email_subject set invitation = ${invitation}, reminder = ${reminder}, version = version + 1
                  where organization_id = ${organization}::int and interview_set_id is not distinct from ${set}::uuid
                    and version = ${version}::int
                  returning id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
