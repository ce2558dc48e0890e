/** SQL fragments about submissions. */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import type { OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { CandidateRef } from "./Candidate.ts"

export type CandidateNames = CandidateRef & { readonly firstname: string | null; readonly lastname: string | null }

export const candidateOf = (sql: PgClient.PgClient) =>
  sql.literal(
    `jsonb_build_object('id', c.id, 'ats_candidate_id', c.ats_candidate_id, 'email', coalesce(c.email, c.cv_email), 'name', c.name,
      'firstname', c.firstname, 'lastname', c.lastname) as candidate`,
  )

export const ofAtsCandidate = (sql: PgClient.PgClient, organization: OrganizationId, id: string) =>
  sql`(select id from candidate where organization_id = ${organization}::int and ats_candidate_id = ${id}::uuid)`

/**
 * Omits the organization when a set is given: the planner could choose the organization's index and read all rows since
 * the set was last used.
 */
export const within = (
  sql: PgClient.PgClient,
  alias: string,
  organization: OrganizationId,
  set: string | null | undefined,
) =>
  set === null || set === undefined
    ? sql`${sql.literal(alias)}.organization_id = ${organization}::int`
    : sql`${sql.literal(alias)}.interview_set_id = (
        select id from interview_set where id = ${set}::uuid and organization_id = ${organization}::int)`

/** Whole minutes; null: no limit. */
export const minutes = (sql: PgClient.PgClient) => sql.literal("ceil(s.interview_duration * b.time_factor)")

/**
 * `due` must lock rows `for no key update`: a stronger lock deadlocks with events about the submission. Submissions are
 * locked before invitations.
 */
export const expire = (sql: PgClient.PgClient, due: Statement.Fragment) => sql<{ readonly id: SubmissionId }>`
  with expired as (
    update submission set status = 'expired' where id = any(array(${due})) returning id
  ), uninvited as (
    update invitation set status = 'expired'
    where submission_id in (select id from expired) and status not in ('failed', 'cancelled', 'expired')
  )
  select id from expired`
