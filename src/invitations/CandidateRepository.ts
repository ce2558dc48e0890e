/** Candidates: one person is found by ats_candidate_id, else by address. */
import { Context, Effect, Layer } from "effect"
import { suppressedHash } from "../emails/SuppressionRepository.ts"
import { Database, recordset, unlessEmpty } from "../platform/database/Database.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { ApplicationId, AtsCandidateId, CandidateId, JobPostId, OrganizationId } from "../values/Ids.ts"

/** A candidate: as it is stored, or as a request names one, with the id of a known candidate or a new one. */
export interface CandidateRow {
  readonly id: CandidateId
  readonly ats_candidate_id: AtsCandidateId | null
  readonly email: string | null
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
}

/** A candidate that was found, or one that is still to be recorded (Invites.record), and what is known beside. */
export interface ResolvedCandidate extends CandidateRow {
  readonly isNew: boolean
  /** The organization must not write to the address of the entry. */
  readonly isSuppressed: boolean
  /** The candidate's application on the job post that was asked for. */
  readonly application_id: ApplicationId | null
}

/** What is stored about an entry; without `id` it is somebody new. */
interface Found {
  readonly entry_id: CandidateId
  readonly id: CandidateId | null
  /** Found by ats_candidate_id. */
  readonly exact: boolean | null
  readonly application_id: ApplicationId | null
  readonly suppressed: boolean
}

const columns =
  "id uuid, ats_candidate_id uuid, email text, email_key text, email_hash text, name text, firstname text, lastname text"

export class CandidateRepository extends Context.Service<
  CandidateRepository,
  {
    /**
     * Finds the person of each entry, in the entries' order; what an entry says replaces what was known, and who is not
     * found gets the id of the entry. Entries must differ in ats_candidate_id, and in address where there is none; an
     * entry that has the id of a known candidate may share it with another. At most two statements for any number.
     */
    readonly resolve: (
      organization: OrganizationId,
      jobPost: JobPostId | undefined,
      entries: ReadonlyArray<CandidateRow>,
    ) => Effect.Effect<ReadonlyArray<ResolvedCandidate>>
  }
>()("interview-invitations/invitations/CandidateRepository") {
  static readonly layer = Layer.effect(
    CandidateRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      return CandidateRepository.of({
        resolve: Effect.fnUntraced(function* (organization, jobPost, entries) {
          const incoming = (rows: ReadonlyArray<CandidateRow>) => {
            const folded = rows.map((row) => ({
              ...row,
              email_key: row.email === null ? null : foldAddress(row.email),
              email_hash: row.email === null ? null : suppressedHash(organization, foldAddress(row.email)),
            }))
            return recordset(sql, folded, columns)
          }
          const rows = yield* sql<Found>`
            select r.id as entry_id, c.id, c.exact, a.id as application_id, exists (
                select from suppression x where x.organization_id = ${organization}::int and x.email in (r.email_key, r.email_hash)
              ) as suppressed
            from ${incoming(entries)}
            left join lateral (
              select id, created_at, true as exact from candidate
              where organization_id = ${organization}::int and ats_candidate_id = r.ats_candidate_id
              union all
              select id, created_at, false from candidate
              where organization_id = ${organization}::int and email_key = r.email_key
                and (r.ats_candidate_id is null or ats_candidate_id is null)
              union all
              select id, created_at, false from candidate where organization_id = ${organization}::int and id = r.id
              order by exact desc, created_at, id limit 1
            ) c on true
            left join application a on a.candidate_id = c.id and a.job_post_id = ${jobPost ?? null}::uuid`
          const found = new Map(rows.map((row) => [row.entry_id, row]))
          // two ids of the hiring system are two people, even when only one of them can take over a known address
          const idOf = new Map<CandidateId, CandidateId>()
          const taken = new Set<CandidateId>()
          for (const { entry_id, id } of rows.toSorted((a, b) => Number(b.exact) - Number(a.exact))) {
            if (id === null) continue
            // an entry that already names its candidate takes it from nobody
            if (entry_id !== id && taken.has(id)) continue
            if (entry_id !== id) taken.add(id)
            idOf.set(entry_id, id)
          }
          const known = new Map<CandidateId, CandidateRow>()
          for (const entry of entries) {
            const id = idOf.get(entry.id)
            if (id !== undefined && (entry.id !== id || !known.has(id))) known.set(id, { ...entry, id })
          }
          const filled = yield* unlessEmpty(
            [...known],
            sql<CandidateRow>`
            update candidate c set
              ats_candidate_id = coalesce(c.ats_candidate_id, r.ats_candidate_id), email = coalesce(r.email, c.email),
              email_key = coalesce(r.email_key, c.email_key),
              name = coalesce(r.name, c.name), firstname = coalesce(r.firstname, c.firstname),
              lastname = coalesce(r.lastname, c.lastname)
            from ${incoming([...known.values()])} where c.id = r.id and c.organization_id = ${organization}::int
            returning c.id, c.ats_candidate_id, c.email, c.name, c.firstname, c.lastname`,
          )
          const stored = new Map(filled.map((row) => [row.id, row]))
          return entries.map((entry): ResolvedCandidate => {
            const { application_id = null, suppressed: isSuppressed = false } = found.get(entry.id) ?? {}
            const row = stored.get(idOf.get(entry.id) ?? entry.id)
            return row === undefined
              ? { ...entry, isNew: true, isSuppressed, application_id: null }
              : { ...row, isNew: false, isSuppressed, application_id }
          })
        }, Effect.orDie),
      })
    }),
  )
}
