/** Fragments of statements that read and change submissions: the candidate, the set, the clock, expiry. */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import type { OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { CandidateRef } from "./Candidate.ts"

/** A candidate with all that a name is made of. */
export type CandidateNames = CandidateRef & { readonly firstname: string | null; readonly lastname: string | null }

/** The column `candidate` of a statement with candidate `c`. */
export const candidateOf = (sql: PgClient.PgClient) =>
  sql.literal(
    `jsonb_build_object('id', c.id, 'ats_candidate_id', c.ats_candidate_id, 'email', coalesce(c.email, c.cv_email), 'name', c.name,
      'firstname', c.firstname, 'lastname', c.lastname) as candidate`,
  )

/** The candidate that a hiring system knows by its own id; null when there is none. */
export const ofAtsCandidate = (sql: PgClient.PgClient, organization: OrganizationId, id: string) =>
  sql`(select id from candidate where organization_id = ${organization}::int and ats_candidate_id = ${id}::uuid)`

/**
 * The records of `alias` that belong to the organization, or to one set of it. With a set, the organization's own index
 * must not look like a choice: it is better ordered on disk, and a planner that takes it for cheaper walks through all
 * that came after the set was last used.
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

/** Whole minutes that the candidate of submission `b` has for a set `s`, in exact decimals; null: no limit. */
export const minutes = (sql: PgClient.PgClient) => sql.literal("ceil(s.interview_duration * b.time_factor)")

/**
 * Ends submissions that nobody started in time, and their invitations. `due` selects their ids and locks them: submissions
 * before invitations, as whoever changes both does, and no stronger than an update does, or an event about one of them
 * would wait for this while this waits for the event's invitation.
 */
export const expire = (sql: PgClient.PgClient, due: Statement.Fragment) => sql<{ readonly id: SubmissionId }>`
  with expired as (
    update submission set status = 'expired' where id = any(array(${due})) returning id
  ), uninvited as (
    update invitation set status = 'expired'
    where submission_id in (select id from expired) and status not in ('failed', 'cancelled', 'expired')
  )
  select id from expired`
