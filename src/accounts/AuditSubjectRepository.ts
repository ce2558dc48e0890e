/** Reads the names of the records that the audit log mentions. */
import { Context, Effect, Layer } from "effect"
import { Database, recordset } from "../platform/database/Database.ts"
import type { OrganizationId } from "../values/Ids.ts"
import type { AuditEntry } from "./AuditLogRepository.ts"
import { memberName } from "./members/MemberSql.ts"

export interface AuditSubject {
  readonly type: string
  readonly id: string
  /** Of a record about a candidate, the candidate's; null: the candidate has no name. */
  readonly name: string | null
  /** The title of the interview set of a record about a submission. */
  readonly interview_set: string | null
  readonly submission_id: string | null
  /** The candidate was erased. */
  readonly is_erased: boolean
  /** The record has a page. */
  readonly is_open: boolean
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

type Mentioned = Pick<AuditEntry, "record_type" | "record_id" | "detail">

/** A delivery is named after its webhook. */
const askedOf = ({ detail, record_id, record_type }: Mentioned) => {
  const target = record_type === "webhook_delivery" ? detail["webhook_endpoint_id"] : record_id
  return typeof target === "string" && isUuid(target) ? [{ type: record_type, id: record_id, target }] : []
}

/** As `displayName` of candidates/Candidate.ts. */
const candidateName = `nullif(coalesce(nullif(trim(c.name), ''),
  nullif(trim(concat_ws(' ', trim(c.firstname), trim(c.lastname))), ''), split_part(c.email, '@', 1)), '')`

/** Tables whose rows have a name of their own. `open`: an SQL condition. */
const named = [
  { type: "api_key", table: "api_key", name: "coalesce(nullif(trim(t.name), ''), t.prefix || '.****')", open: "true" },
  { type: "webhook_endpoint", table: "webhook_endpoint", name: "t.name", open: "true" },
  { type: "webhook_delivery", table: "webhook_endpoint", name: "t.name", open: "true" },
  { type: "ats_connection", table: "ats_connection", name: "t.name", open: "true" },
  { type: "hiring_stage", table: "hiring_stage", name: "t.name", open: "t.archived_at is null" },
  { type: "interview_set", table: "interview_set", name: "t.title", open: "true" },
  { type: "saved_view", table: "saved_view", name: "t.name", open: "true" },
  { type: "tag", table: "tag", name: "t.name", open: "true" },
  {
    type: "notice",
    table: "notice",
    name: "coalesce(concat_ws(', ', t.city, t.region, t.country), '')",
    open: "t.withdrawn_at is null",
  },
  { type: "message_template", table: "message_template", name: "t.name", open: "true" },
  { type: "project", table: "project", name: "t.name", open: "t.deleted_at is null" },
  { type: "job_post", table: "job_post", name: "t.title", open: "false" },
] as const

export class AuditSubjectRepository extends Context.Service<AuditSubjectRepository>()(
  "interview-invitations/accounts/AuditSubjectRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const plain = named
        .map(
          ({ name, open, table, type }) => `
          select a.type, a.id, ${name}, null::text, null::text, false, ${open}
          from asked a join ${table} t on t.id = a.target and t.organization_id = a.organization where a.type = '${type}'`,
        )
        .join(" union all ")
      const submission = `join candidate c on c.id = b.candidate_id and c.organization_id = a.organization
          join interview_set s on s.id = b.interview_set_id and s.organization_id = a.organization`
      const about = `${candidateName}, s.title, b.id::text, c.erased_at is not null, true`
      return {
        /** Deleted records are not found. */
        find: Effect.fnUntraced(function* (organization: OrganizationId, entries: ReadonlyArray<Mentioned>) {
          const asked = entries.flatMap(askedOf)
          return yield* sql<AuditSubject>`
            with asked as materialized (
              select distinct r.type, r.id, r.target, ${organization}::int as organization
              from ${recordset(sql, asked, "type text, id text, target uuid")}
            )
            select a.type, a.id, ${sql.literal(memberName)} as name, null::text as interview_set,
              null::text as submission_id, false as is_erased, m.deactivated_at is null as is_open
            from asked a join member m on m.id = a.target and m.organization_id = a.organization where a.type = 'member'
            union all
            select a.type, a.id, ${sql.literal(candidateName)}, null, null, c.erased_at is not null, c.erased_at is null
            from asked a join candidate c on c.id = a.target and c.organization_id = a.organization
            where a.type = 'candidate'
            union all
            select a.type, a.id, ${sql.literal(about)}
            from asked a join submission b on b.id = a.target and b.organization_id = a.organization
              ${sql.literal(submission)}
            where a.type = 'submission'
            union all
            select a.type, a.id, ${sql.literal(about)}
            from asked a join invitation i on i.id = a.target and i.organization_id = a.organization
              join submission b on b.id = i.submission_id and b.organization_id = a.organization
              ${sql.literal(submission)}
            where a.type = 'invitation'
            union all
            select a.type, a.id, ${sql.literal(about)}
            from asked a join evaluation e on e.id = a.target and e.organization_id = a.organization
              join submission b on b.id = e.submission_id and b.organization_id = a.organization
              ${sql.literal(submission)}
            where a.type = 'evaluation'
            union all ${sql.literal(plain)}`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
