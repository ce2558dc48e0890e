/** SQL of the table `candidate` that several repositories share. */
import { Schema } from "effect"
import { suppressedHash } from "../emails/SuppressionRepository.ts"
import { recordset } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { Sql } from "../platform/database/Sql.ts"
import { cleanAddress, foldAddress } from "../values/EmailAddress.ts"
import { referenceNames } from "../values/ExternalReference.ts"
import { uuid } from "../values/Fields.ts"
import type { CandidateId, InterviewSetId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { CandidateFields, CandidateRef, EventCandidate } from "./Candidate.ts"

export interface CandidateRow extends CandidateFields {
  readonly id: CandidateId
}

export type CandidateNames = CandidateRef & Pick<CandidateFields, "firstname" | "lastname">

const isUuid = Schema.is(uuid)

const types: Record<keyof CandidateFields | "email_key", "uuid" | "text"> = {
  ats_candidate_id: "uuid",
  email: "text",
  email_key: "text",
  name: "text",
  firstname: "text",
  lastname: "text",
}

const names = Object.keys(types)
const recordColumns = `id uuid, ${Object.entries(types)
  .map((column) => column.join(" "))
  .join(", ")}, email_hash text`

/** The rows with the folded address (`email_key`) and its suppression hash (`email_hash`). */
export const folded = (organization: OrganizationId, rows: ReadonlyArray<CandidateRow>) =>
  rows.map((row) => {
    const email_key = row.email === null ? null : foldAddress(row.email)
    return { ...row, email_key, email_hash: email_key === null ? null : suppressedHash(organization, email_key) }
  })

/** The rows of `folded` as `r`. */
export const incoming = (sql: Sql, organization: OrganizationId, rows: ReadonlyArray<CandidateRow>) =>
  recordset(sql, folded(organization, rows), recordColumns)

/** CandidateRow of candidate `c`. */
export const storedOf = (sql: Sql) => sql.literal(["id", ...names].map((name) => `c.${name}`).join(", "))

/** The columns of ExternalReference, of the submission `alias`; and as arguments of jsonb_build_object. */
export const referenceColumns = (alias: string) => referenceNames.map((name) => `${alias}.${name}`).join(", ")
export const referencePairs = (alias: string) => referenceNames.map((name) => `'${name}', ${alias}.${name}`).join(", ")

/** `candidate` as CandidateNames, of candidate `c` and submission `b`. */
export const candidateOf = (sql: Sql) =>
  sql.literal(
    `jsonb_build_object('id', c.id, 'ats_candidate_id', c.ats_candidate_id,
      ${referencePairs("b")}, 'email', coalesce(c.email, c.cv_email), 'name', c.name,
      'firstname', c.firstname, 'lastname', c.lastname) as candidate`,
  )

/** The columns that every event about a submission needs. */
export interface SubjectRow extends EventCandidate {
  readonly organization_id: OrganizationId
  readonly submission_id: SubmissionId
  readonly interview_set_id: InterviewSetId
  readonly candidate_id: CandidateId
}

/** Columns of a SubjectRow, of submission `b` and candidate `c`. */
export const subjectColumns = `b.organization_id, b.id as submission_id, b.interview_set_id, b.candidate_id,
  c.ats_candidate_id, ${referenceColumns("b")}`

/** The parameters of `candidateQuery`. */
export interface CandidateFilter {
  readonly candidate_id?: string | null | undefined
  readonly ats_candidate_id?: string | null | undefined
  readonly email?: string | null | undefined
  readonly external_id?: string | null | undefined
}

/** Condition for a list's filter. `submission`: the submission's id, in a table that also has `candidate_id`. */
export const isOfCandidate = (
  sql: Sql,
  submission: "b.id" | "i.submission_id",
  organization: OrganizationId,
  { ats_candidate_id, candidate_id, email, external_id }: CandidateFilter,
) => {
  const candidate = sql.literal(`${submission.split(".")[0]}.candidate_id`)
  return sql`${when(sql, candidate_id, (id) => sql`${candidate} = ${id}::uuid`)}
    and ${when(
      sql,
      ats_candidate_id,
      (id) => sql`${candidate} = (
        select id from candidate where organization_id = ${organization}::int and ats_candidate_id = ${id}::uuid)`,
    )}
    and ${when(
      sql,
      email,
      (address) => sql`${candidate} = any(array(
        select id from candidate where organization_id = ${organization}::int and email_key in (${foldAddress(address)}, ${foldAddress(cleanAddress(address))})
        union all select id from candidate where organization_id = ${organization}::int and email is null
          and lower(cv_email) = lower(${cleanAddress(address)})))`,
    )}
    and ${when(
      sql,
      external_id,
      // with a join the planner may read all rows in the order of the list
      (id) => sql`${sql.literal(submission)} = any(array(
        select id from submission where organization_id = ${organization}::int and external_id = ${id}))`,
    )}`
}

/** Candidates whose id, ats_candidate_id or external_id is `text`. */
export const withId = (sql: Sql, organization: OrganizationId, text: string) => {
  const id = isUuid(text) ? text : null
  return sql`select id from candidate
    where organization_id = ${organization}::int and (id = ${id}::uuid or ats_candidate_id = ${id}::uuid)
    union all select candidate_id from submission
    where organization_id = ${organization}::int and external_id = ${text}`
}

const personalColumns = [...names, "phone", "cv_email"]

export const personalCandidates: PersonalTable = {
  table: "candidate",
  rows: "t.id = p.candidate",
  cleared: personalColumns,
  compute: { erased_at: "p.erased_at" },
}

/** SQL: the row has data that an erasure removes. */
export const isIdentified = `num_nonnulls(${personalColumns.join(", ")}) > 0`

/** What the export of candidate `c` has of the row. */
export const exportedCandidate = "to_jsonb(c) - 'organization_id' - 'email_key'"

export const personalApplications: PersonalTable = {
  table: "application",
  exported: {
    name: "applications",
    of: "candidate",
    row: "jsonb_build_object('id', a.id, 'job_post', p.title, 'created_at', a.created_at)",
    from: "application a join job_post p on p.id = a.job_post_id where a.candidate_id = c.id",
    order: "a.created_at",
  },
}
