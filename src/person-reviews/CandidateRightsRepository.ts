/** Stores what candidates of an organization can see of their result. */
import { Context, Effect, Layer } from "effect"
import { clock, Database, first } from "../platform/database/Database.ts"
import type { OrganizationId } from "../values/Ids.ts"
import type { CandidateRights } from "./CandidateRights.ts"

export interface SavedRights extends CandidateRights {
  readonly version: number
}

export class CandidateRightsRepository extends Context.Service<CandidateRightsRepository>()(
  "interview-invitations/person-reviews/CandidateRightsRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        find: Effect.fnUntraced(function* (organization: OrganizationId) {
          const found = first(
            yield* sql<SavedRights>`
              select person_review_days, result_page, result_shows_score, rights_version as version
              from organization where id = ${organization}::int`,
          )
          return yield* Effect.fromNullishOr(found)
        }, Effect.orDie),
        /** False: another version than `seen` is stored. */
        save: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { person_review_days, result_page, result_shows_score }: CandidateRights,
          seen: number,
        ) {
          const rows = yield* sql`
            update organization o set person_review_days = ${person_review_days}::int, result_page = ${result_page},
              result_shows_score = ${result_shows_score}::bool, rights_version = o.rights_version + 1,
              result_page_since = case when ${result_page} = 'off' then null when o.result_page = 'off' then clock.now
                else o.result_page_since end
            from ${clock(sql, yield* now)}
            where o.id = ${organization}::int and o.rights_version = ${seen}::int
            returning o.id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
