/** What a set is made of, written in the order of the lists: the same for a set that is made and for one that is changed. */
import type { PgClient } from "@effect/sql-pg"
import type { OrganizationId } from "../domain/Ids.ts"
import type { InterviewSet } from "../domain/InterviewSet.ts"
import { recordset } from "./Database.ts"

const ordinals = <A extends object>(items: ReadonlyArray<A>) => items.map((item, ordinal) => ({ ...item, ordinal }))

/** Inserts the questions of a set. */
export const insertQuestions = (sql: PgClient.PgClient, organization: OrganizationId, set: InterviewSet) => sql`
  insert into question (id, organization_id, interview_set_id, ordinal, title, content, hint, details,
    cfg_question_mode_id, cfg_question_type_id, priority, options, attributes)
  select r.id, ${organization}::int, ${set.id}::uuid, r.ordinal, r.title, r.content, r.hint, r.details,
    r.cfg_question_mode_id, r.cfg_question_type_id, r.priority, r.options, r.attributes
  from ${recordset(
    sql,
    ordinals(set.iai_questions),
    `id uuid, ordinal int, title text, content text, hint text, details text, cfg_question_mode_id int,
     cfg_question_type_id int, priority int, options jsonb, attributes jsonb`,
  )}`

/** Inserts the requirements of a set. */
export const insertRequirements = (sql: PgClient.PgClient, organization: OrganizationId, set: InterviewSet) => sql`
  insert into requirement (id, organization_id, interview_set_id, ordinal, title, content, hint,
    cfg_importance_id, tal_skill_ids, priority, attributes)
  select r.id, ${organization}::int, ${set.id}::uuid, r.ordinal, r.title, r.content, r.hint,
    r.cfg_importance_id, r.tal_skill_ids, r.priority, r.attributes
  from ${recordset(
    sql,
    ordinals(set.iai_requirements),
    `id uuid, ordinal int, title text, content text, hint text, cfg_importance_id int, tal_skill_ids int[],
     priority int, attributes jsonb`,
  )}`

/** Inserts the access list of a set. */
export const insertAccesses = (sql: PgClient.PgClient, organization: OrganizationId, set: InterviewSet) => sql`
  insert into set_access (id, organization_id, interview_set_id, ordinal, email, fullname, firstname, lastname,
    priority, attributes)
  select r.id, ${organization}::int, ${set.id}::uuid, r.ordinal, r.email, r.fullname, r.firstname, r.lastname,
    r.priority, r.attributes
  from ${recordset(
    sql,
    ordinals(set.com_accesses),
    `id uuid, ordinal int, email text, fullname text, firstname text, lastname text, priority int, attributes jsonb`,
  )}`
