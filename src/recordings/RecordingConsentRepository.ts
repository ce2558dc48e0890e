/** Stores what candidates read before they record, also texts that were replaced. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../platform/database/Database.ts"
import type { Language } from "../texts/Texts.ts"
import type { OrganizationId, RecordingConsentId } from "../values/Ids.ts"
import type { RecordingConsent } from "./RecordingConsent.ts"

export class RecordingConsentRepository extends Context.Service<RecordingConsentRepository>()(
  "interview-invitations/recordings/RecordingConsentRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** The texts in force. */
        list: (organization: OrganizationId) => sql<RecordingConsent>`
          select id, language, text from recording_consent
          where organization_id = ${organization}::int and ended_at is null order by language`,
        find: Effect.fnUntraced(function* (organization: OrganizationId, language: Language) {
          return first(
            yield* sql<RecordingConsent>`
              select id, language, text from recording_consent
              where organization_id = ${organization}::int and language = ${language} and ended_at is null`,
          )
        }),
        /** False: it is not in force any more. */
        end: Effect.fnUntraced(function* (organization: OrganizationId, id: RecordingConsentId) {
          const rows = yield* sql`
            update recording_consent set ended_at = ${yield* now}
            where id = ${id}::uuid and organization_id = ${organization}::int and ended_at is null returning id`
          return rows.length > 0
        }),
        /** False: another text of the language is in force. */
        insert: Effect.fnUntraced(function* (organization: OrganizationId, { id, language, text }: RecordingConsent) {
          const rows = yield* sql`
            insert into recording_consent (id, organization_id, language, text, created_at)
            values (${id}::uuid, ${organization}::int, ${language}, ${text}, ${yield* now})
            on conflict (organization_id, language) where ended_at is null do nothing returning id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
