/** Reads invitations with whom they are for and how far they got. */
import { Context, Effect, Layer } from "effect"
import type { InvitationId, OrganizationId } from "../domain/Ids.ts"
import type { InvitationDetail, InvitationStatus } from "../domain/Invitation.ts"
import type { PageRequest } from "../domain/Page.ts"
import { Database, first } from "./Database.ts"
import { iso, type Positioned, paging, when } from "./Paging.ts"
import { type CandidateNames, candidateOf, ofAtsCandidate, setOf, within } from "./Refs.ts"

/** Which invitations are listed; what is left out does not matter. Ids are UUIDs. */
export interface InvitationFilter {
  readonly interview_set_id?: string | null | undefined
  readonly status?: InvitationStatus | null | undefined
  readonly candidate_id?: string | null | undefined
  readonly ats_candidate_id?: string | null | undefined
  readonly submission_id?: string | null | undefined
  /** Only those of sets whose access list has this address. */
  readonly reader?: string | undefined
}

/** The stored part of a detail; the rest is derived. */
export type InvitationDetailRow = Omit<InvitationDetail, "interview_url" | "candidate" | "mails_stopped"> & {
  readonly candidate: CandidateNames
}

export class InvitationDetails extends Context.Service<
  InvitationDetails,
  {
    readonly find: (organization: OrganizationId, id: InvitationId) => Effect.Effect<InvitationDetailRow | undefined>
    /** One invitation more than asked, if there is one (domain/Page.ts). */
    readonly list: (
      organization: OrganizationId,
      filter: InvitationFilter,
      page: PageRequest,
    ) => Effect.Effect<ReadonlyArray<Positioned<InvitationDetailRow>>>
  }
>()("interview-invitations/repository/InvitationDetails") {
  static readonly layer = Layer.effect(
    InvitationDetails,
    Effect.gen(function* () {
      const { sql } = yield* Database
      // of an invitation `i`: its set `s`, candidate `c`, submission `b`
      const joins = sql.literal(
        `join interview_set s on s.id = i.interview_set_id join candidate c on c.id = i.candidate_id
         join submission b on b.id = i.submission_id`,
      )
      const shown = sql`i.id, i.status as status_text, i.email, i.failure_reason, ${setOf(sql)}, ${candidateOf(sql)},
        jsonb_build_object('id', b.id, 'status_text', b.status) as submission,
        ${iso(sql, "i.expires_at")} as expires_at, b.time_factor::float8 as time_factor, ${iso(sql, "i.sent_at")} as sent_at,
        ${iso(sql, "i.delivered_at")} as delivered_at, ${iso(sql, "i.opened_at")} as opened_at,
        ${iso(sql, "i.clicked_at")} as clicked_at, ${iso(sql, "i.failed_at")} as failed_at,
        ${iso(sql, "i.cancelled_at")} as cancelled_at,
        ${iso(sql, "b.declined_at")} as declined_at, ${iso(sql, "i.created_at")} as created_at`
      return InvitationDetails.of({
        find: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<InvitationDetailRow>`
              select ${shown} from invitation i ${joins}
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        list: Effect.fnUntraced(function* (organization, filter, page) {
          const { behind, newestFirst, position } = paging(sql, "i", page)
          // the page first, so that nothing is looked up for an invitation that is not on it
          return yield* sql<Positioned<InvitationDetailRow>>`
            select ${shown}, ${position} from (
              select * from invitation i where ${within(sql, "i", organization, filter.interview_set_id)} and ${behind}
                and ${when(sql, filter.status, (status) => sql`i.status = ${status}`)}
                and ${when(sql, filter.candidate_id, (candidate) => sql`i.candidate_id = ${candidate}::uuid`)}
                and ${when(sql, filter.ats_candidate_id, (ats) => sql`i.candidate_id = ${ofAtsCandidate(sql, organization, ats)}`)}
                and ${when(sql, filter.submission_id, (submission) => sql`i.submission_id = ${submission}::uuid`)}
                and ${when(
                  sql,
                  filter.reader,
                  (reader) => sql`i.interview_set_id = any(array(select a.interview_set_id from set_access a
                    where a.organization_id = ${organization}::int and lower(a.email) = lower(${reader})))`,
                )}
              ${newestFirst}
            ) i ${joins} where i.organization_id = ${organization}::int ${newestFirst}`
        }, Effect.orDie),
      })
    }),
  )
}
