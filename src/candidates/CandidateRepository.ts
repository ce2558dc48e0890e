/** Finds and updates the candidates of an invite (rules: CandidateIdentity.ts). */
import { Context, Effect, Layer } from "effect"
import { Database, first, unlessEmpty } from "../platform/database/Database.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { ApplicationId, CandidateId, JobPostId, OrganizationId } from "../values/Ids.ts"
import type { CandidateFields } from "./Candidate.ts"
import { assignCandidates, type Match, precedence } from "./CandidateIdentity.ts"
import { type CandidateRow, incoming, storedOf } from "./CandidateSql.ts"

export interface ResolvedCandidate extends CandidateRow {
  /** InviteRepository.record stores it. */
  readonly isNew: boolean
  /** No emails may be sent to the address. */
  readonly isSuppressed: boolean
  readonly application_id: ApplicationId | null
}

type StoredValues = Pick<CandidateFields, "email" | "firstname" | "lastname" | "name">

export interface FoundCandidate extends Match, StoredValues {
  readonly application_id: ApplicationId | null
  readonly suppressed: boolean
}

export interface LockedCandidate {
  readonly email: string | null
  readonly email_key: string | null
  readonly ats_candidate_id: string | null
}

const merged = Object.entries({ ...precedence, email_key: precedence.email })
  .map(([column, kept]) =>
    kept === "request"
      ? `${column} = coalesce(r.${column}, c.${column})`
      : `${column} = coalesce(c.${column}, r.${column})`,
  )
  .join(", ")

export class CandidateRepository extends Context.Service<CandidateRepository>()(
  "interview-invitations/candidates/CandidateRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const find = (
        organization: OrganizationId,
        jobPost: JobPostId | undefined,
        entries: ReadonlyArray<CandidateRow>,
      ) => {
        // a candidate that another entry names is not found by its address
        const named = entries.flatMap(({ ats_candidate_id }) => ats_candidate_id ?? [])
        return sql<FoundCandidate>`
            select r.id as entry_id, c.id, c.exact, c.email, c.name, c.firstname, c.lastname, a.id as application_id, exists (
                select from suppression x where x.organization_id = ${organization}::int and x.email in (r.email_key, r.email_hash)
              ) as suppressed
            from ${incoming(sql, organization, entries)}
            left join lateral (
              select id, created_at, true as exact, email, name, firstname, lastname from candidate
              where organization_id = ${organization}::int and ats_candidate_id = r.ats_candidate_id
              union all
              select id, created_at, false, email, name, firstname, lastname from candidate
              where organization_id = ${organization}::int and email_key = r.email_key
                and (ats_candidate_id is null
                  or (r.ats_candidate_id is null and ats_candidate_id <> all(${named}::uuid[])))
              union all
              select id, created_at, false, email, name, firstname, lastname from candidate
              where organization_id = ${organization}::int and id = r.id
              order by exact desc, created_at, id limit 1
            ) c on true
            left join application a on a.candidate_id = c.id and a.job_post_id = ${jobPost ?? null}::uuid`
      }
      return {
        /** Blocks an erasure, and other changes of the candidate, until the transaction ends. */
        lock: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          return first(
            yield* sql<LockedCandidate>`
              select email, email_key, ats_candidate_id from candidate
              where id = ${id}::uuid and organization_id = ${organization}::int for no key update`,
          )
        }),
        /** Other candidates with the address. */
        others: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId, email: string) {
          return yield* sql<Pick<LockedCandidate, "ats_candidate_id"> & { readonly id: CandidateId }>`
            select id, ats_candidate_id from candidate
            where organization_id = ${organization}::int and email_key = ${foldAddress(email)} and id <> ${id}::uuid`
        }),
        setAddress: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId, email: string) {
          yield* sql`
            update candidate set email = ${email}, email_key = ${foldAddress(email)}
            where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
        /** Finds the stored candidates, in the order of the rows, and changes nothing. `id` undefined: a new candidate. */
        match: Effect.fnUntraced(function* (organization: OrganizationId, entries: ReadonlyArray<CandidateRow>) {
          const rows = yield* find(organization, undefined, entries)
          const found = new Map(rows.map((row) => [row.entry_id, row]))
          const assigned = assignCandidates(rows)
          return entries.map(({ id }) => ({
            id: assigned.get(id),
            stored: assigned.has(id) ? found.get(id) : undefined,
            isSuppressed: found.get(id)?.suppressed ?? false,
          }))
        }),
        /** Keeps the order. Entries must differ in ats_candidate_id or, without one, in address. */
        resolve: Effect.fnUntraced(function* (
          organization: OrganizationId,
          jobPost: JobPostId | undefined,
          entries: ReadonlyArray<CandidateRow>,
        ) {
          const rows = yield* find(organization, jobPost, entries)
          const found = new Map(rows.map((row) => [row.entry_id, row]))
          const assigned = assignCandidates(rows)
          const updates = new Map<CandidateId, CandidateRow>()
          for (const entry of entries) {
            const id = assigned.get(entry.id)
            if (id !== undefined && (entry.id !== id || !updates.has(id))) updates.set(id, { ...entry, id })
          }
          const updated = yield* unlessEmpty(
            [...updates],
            sql<CandidateRow>`
              update candidate c set ${sql.literal(merged)}
              from ${incoming(sql, organization, [...updates.values()])}
              where c.id = r.id and c.organization_id = ${organization}::int
              returning ${storedOf(sql)}`,
          )
          const stored = new Map(updated.map((row) => [row.id, row]))
          return entries.map((entry): ResolvedCandidate => {
            const { application_id = null, suppressed: isSuppressed = false } = found.get(entry.id) ?? {}
            const row = stored.get(assigned.get(entry.id) ?? entry.id)
            return row === undefined
              ? { ...entry, isNew: true, isSuppressed, application_id: null }
              : { ...row, isNew: false, isSuppressed, application_id }
          })
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
