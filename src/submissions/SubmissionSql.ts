/** Parts of statements that answers about invitations and submissions share: whom they are for, and to which set. */
import type { PgClient } from "@effect/sql-pg"
import type { CandidateRef } from "../invitations/Invitation.ts"
import type { OrganizationId } from "../values/Ids.ts"

/** A candidate with all that a name is made of. */
export type CandidateNames = CandidateRef & { readonly firstname: string | null; readonly lastname: string | null }

/** The column `interview_set` of a statement with interview_set `s`. */
export const setOf = (sql: PgClient.PgClient) =>
  sql.literal("jsonb_build_object('id', s.id, 'title', s.title) as interview_set")

/** The column `candidate` of a statement with candidate `c`. */
export const candidateOf = (sql: PgClient.PgClient) =>
  sql.literal(
    `jsonb_build_object('id', c.id, 'ats_candidate_id', c.ats_candidate_id, 'email', coalesce(c.email, c.cv_email), 'name', c.name,
      'firstname', c.firstname, 'lastname', c.lastname) as candidate`,
  )

/** The column `languages` of a statement with interview_set `s`: BCP 47 tags of its known languages, in its order. */
export const languagesOf = (sql: PgClient.PgClient) =>
  sql.literal(
    `coalesce((select array_agg(l.tag order by array_position(s.cfg_lingual_ids, l.id)) from language l
      where l.id = any(s.cfg_lingual_ids)), '{}') as languages`,
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
