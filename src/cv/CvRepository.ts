/** Stores CVs and their queue. */
import { Context, Effect, Layer } from "effect"
import { languagesOf } from "../interview-sets/InterviewSetSql.ts"
import { Database, first, recordset } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import * as Queue from "../platform/queue/QueueSql.ts"
import type { BlobId, CvId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { EvaluationWarning } from "../values/Warning.ts"

export interface CvJob extends Queue.Claimed {
  readonly id: CvId
  readonly organization_id: OrganizationId
  readonly submission_id: SubmissionId
  readonly link: string
  /** Of the interview set, BCP 47. */
  readonly languages: ReadonlyArray<string>
}

/** Contacts are stored only where the candidate has none. */
export interface CvSettlement extends Queue.Settlement {
  readonly id: CvId
  readonly state: "queued" | "read" | "failed"
  readonly text: string | null
  readonly notes: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<EvaluationWarning>
  readonly error: string | null
  readonly blob_id: BlobId | null
  readonly file_type: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/** The newest CV of a submission; null: none was provided. */
export interface NewestCv {
  readonly link: string | null
  readonly state: CvSettlement["state"] | null
  readonly is_erased: boolean
}

export const personalCvs: PersonalTable = {
  table: "cv",
  rows: "t.submission_id = any(p.submissions)",
  exported: {
    name: "cvs",
    of: "submission",
    row: `to_jsonb(v) - 'organization_id' - 'submission_id' - 'claim_id' - 'claimed_by' - 'leased_until' - 'blob_id'
      - 'due_at' - 'attempts' || jsonb_build_object('file', case when v.blob_id is not null then
        jsonb_build_object('blob_id', v.blob_id, 'type', v.file_type, 'size', f.size, 'sha256', encode(f.sha256, 'hex'),
          'path', concat('/submissions/', b.id, '/cv')) end)`,
    from: "cv v left join blob f on f.id = v.blob_id where v.submission_id = b.id",
    order: "v.created_at",
  },
}

export class CvRepository extends Context.Service<CvRepository>()("interview-invitations/cv/CvRepository", {
  make: Effect.gen(function* () {
    const { now, sql } = yield* Database
    return {
      claim: Effect.fnUntraced(function* (claim: Queue.Claim, saturated: ReadonlyArray<OrganizationId>) {
        const at = yield* now
        const due = sql`
            select ctid from cv q where due_at is not null and due_at <= ${at} and ${Queue.isFree(sql, "q", at, claim.claimer.ended)}
              and organization_id <> all(${saturated.map(Number)}::int[]) and ${Queue.isClaimable(sql, claim)}
            order by due_at limit ${claim.limit}::int for update skip locked`
        return yield* sql<CvJob>`
            with claimed as (${Queue.claimRows(sql, "cv", claim, at, due)})
            select v.id, v.claim_id, v.attempts, v.unended_attempts, v.alone, v.organization_id, v.submission_id, v.link,
              v.traceparent, ${languagesOf(sql)}
            from claimed v join submission b on b.id = v.submission_id join interview_set s on s.id = b.interview_set_id
            order by v.created_at, v.id`
      }),
      settleJobs: Effect.fnUntraced(function* (organization: OrganizationId, settlement: CvSettlement) {
        const { email, name, phone, ...row } = settlement
        const at = yield* now
        const rows = yield* sql`
            with settled as (${Queue.settleRows(sql, "cv", [row], at, {
              columns: "text text, notes jsonb, warnings jsonb, error text, blob_id uuid, file_type text",
              set: sql`text = r.text, notes = r.notes, warnings = r.warnings, error = r.error, blob_id = r.blob_id, file_type = r.file_type,
                read_at = case when r.state = 'read' then r.now end`,
            })}), known as (
              update candidate c set cv_email = case when c.email is null then coalesce(c.cv_email, r.email) else c.cv_email end,
                phone = coalesce(c.phone, r.phone),
                name = case when coalesce(c.name, c.firstname, c.lastname) is null then r.name else c.name end
              from settled v join submission b on b.id = v.submission_id,
                ${recordset(sql, [{ email, name, phone }], "email text, name text, phone text")}
              where c.id = b.candidate_id and c.organization_id = ${organization}::int
                and num_nonnulls(r.email, r.name, r.phone) > 0
            )
            select id from settled where organization_id = ${organization}::int`
        return rows.length > 0
      }),
      /** Locks the submission, so that concurrent corrections see each other's CV. */
      lockNewest: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
        const locked = yield* sql`
            select from submission where id = ${submission}::uuid and organization_id = ${organization}::int
            for no key update`
        if (locked.length === 0) return undefined
        // a separate statement: it sees the changes that the lock waited for
        return first(
          yield* sql<NewestCv>`
              select v.link, v.state, c.erased_at is not null as is_erased
              from submission b join candidate c on c.id = b.candidate_id
                left join cv v on v.id = (
                  select n.id from cv n where n.submission_id = b.id order by n.created_at desc, n.id desc limit 1)
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int`,
        )
      }),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
