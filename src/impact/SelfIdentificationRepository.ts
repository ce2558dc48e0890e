/** Stores the voluntary questions of organizations, and what candidates answered. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { SelfIdentification, SelfIdentificationForm } from "./SelfIdentification.ts"

export interface SavedForm extends SelfIdentificationForm {
  /** Counts the changes; 0: never saved. */
  readonly version: number
}

const unsaved: SavedForm = { asks: [], text: "", own_question: "", own_categories: [], version: 0 }

export const personalIdentifications: PersonalTable = {
  table: "self_identification",
  key: ["submission_id"],
  rows: "t.submission_id = any(p.submissions)",
  exported: {
    name: "self_identification",
    of: "submission",
    row: `jsonb_build_object('sex', a.sex, 'ethnicity', a.ethnicity, 'own', a.own, 'answered_month', to_char(a.answered_month, 'YYYY-MM'))`,
    from: "self_identification a where a.submission_id = b.id",
    order: "a.submission_id",
  },
}

export class SelfIdentificationRepository extends Context.Service<SelfIdentificationRepository>()(
  "interview-invitations/impact/SelfIdentificationRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        form: Effect.fnUntraced(function* (organization: OrganizationId) {
          const rows = yield* sql<SavedForm>`
            select asks, text, own_question, own_categories, version from self_identification_form
            where organization_id = ${organization}::int`
          return first(rows) ?? unsaved
        }),
        /** False: another version than `seen` is stored. */
        saveForm: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { asks, own_categories, own_question, text }: SelfIdentificationForm,
          seen: number,
        ) {
          const rows = yield* sql`
            insert into self_identification_form as f (organization_id, asks, text, own_question, own_categories, version)
            values (${organization}::int, ${[...asks]}::text[], ${text}, ${own_question}, ${[...own_categories]}::text[], 1)
            on conflict (organization_id) do update set asks = excluded.asks, text = excluded.text,
              own_question = excluded.own_question, own_categories = excluded.own_categories, version = f.version + 1
              where f.version = ${seen}::int
            returning organization_id`
          return rows.length > 0
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return first(
            yield* sql<SelfIdentification>`
              select sex, ethnicity, own from self_identification
              where submission_id = ${submission}::uuid and organization_id = ${organization}::int`,
          )
        }),
        /** Without effect before the interview was submitted, and for an erased person. */
        save: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          { ethnicity, own, sex }: SelfIdentification,
        ) {
          // the lock makes it wait for an erasure, which would otherwise leave the answer behind
          yield* sql`
            with person as materialized (
              select b.id from submission b join candidate c on c.id = b.candidate_id
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int and c.erased_at is null
                and b.status in ('completed', 'evaluated')
              for share of c
            )
            insert into self_identification (submission_id, organization_id, sex, ethnicity, own, answered_month)
            select id, ${organization}::int, ${sex}, ${ethnicity}, ${own},
              date_trunc('month', ${yield* now} at time zone 'UTC')::date
            from person
            on conflict (submission_id) do update set sex = excluded.sex, ethnicity = excluded.ethnicity,
              own = excluded.own, answered_month = excluded.answered_month
              where (self_identification.sex, self_identification.ethnicity, self_identification.own)
                is distinct from (excluded.sex, excluded.ethnicity, excluded.own)`
        }),
        withdraw: (organization: OrganizationId, submission: SubmissionId) => sql`
          delete from self_identification
          where submission_id = ${submission}::uuid and organization_id = ${organization}::int`,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
