/** Candidates: one person is found by ats_candidate_id, else by address. */
import { Context, Effect, Layer } from "effect"
import { foldAddress } from "../domain/EmailAddress.ts"
import type { AtsCandidateId, CandidateId, OrganizationId } from "../domain/Ids.ts"
import { Database, recordset, unlessEmpty } from "./Database.ts"

/** A candidate: as it is stored, or as a request names one, with the id of a known candidate or a new one. */
export interface CandidateRow {
  readonly id: CandidateId
  readonly ats_candidate_id: AtsCandidateId | null
  readonly email: string | null
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
}

/** A candidate that was found, or made now: of a new one nothing else is stored yet. */
export interface ResolvedCandidate extends CandidateRow {
  readonly isNew: boolean
}

const columns = "id uuid, ats_candidate_id uuid, email text, email_key text, name text, firstname text, lastname text"

export class Candidates extends Context.Service<
  Candidates,
  {
    /**
     * Waits for, and then keeps out until the transaction ends, every other writer of the organization's candidates:
     * find-or-create is then simply true, for two requests with the same people as for one.
     */
    readonly lock: (organization: OrganizationId) => Effect.Effect<void>
    /**
     * Finds or creates the person of each entry, in the entries' order; what an entry says replaces what was known.
     * Entries must differ in ats_candidate_id, and in address where there is none; an entry that has the id of a known
     * candidate may share it with another. At most three statements for any number.
     */
    readonly resolve: (
      organization: OrganizationId,
      entries: ReadonlyArray<CandidateRow>,
    ) => Effect.Effect<ReadonlyArray<ResolvedCandidate>>
  }
>()("interview-invitations/repository/Candidates") {
  static readonly layer = Layer.effect(
    Candidates,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return Candidates.of({
        lock: Effect.fn("Candidates.lock")(function* (organization) {
          yield* sql`select pg_advisory_xact_lock(hashtext('candidate'), ${organization}::int)`
        }, Effect.orDie),
        resolve: Effect.fn("Candidates.resolve")(function* (organization, entries) {
          const incoming = (rows: ReadonlyArray<CandidateRow>) => {
            const folded = rows.map((row) => ({
              ...row,
              email_key: row.email === null ? null : foldAddress(row.email),
            }))
            return recordset(sql, folded, columns)
          }
          const found = yield* sql<{ entry_id: CandidateId; id: CandidateId; exact: boolean }>`
            select r.id as entry_id, c.id, c.exact from ${incoming(entries)}
            cross join lateral (
              select id, created_at, true as exact from candidate
              where organization_id = ${organization}::int and ats_candidate_id = r.ats_candidate_id
              union all
              select id, created_at, false from candidate
              where organization_id = ${organization}::int and email_key = r.email_key
                and (r.ats_candidate_id is null or ats_candidate_id is null)
              union all
              select id, created_at, false from candidate where organization_id = ${organization}::int and id = r.id
              order by exact desc, created_at, id limit 1
            ) c`
          // two ids of the hiring system are two people, even when only one of them can take over a known address
          const idOf = new Map<CandidateId, CandidateId>()
          const taken = new Set<CandidateId>()
          for (const { entry_id, id } of found.toSorted((a, b) => Number(b.exact) - Number(a.exact))) {
            // an entry that already names its candidate takes it from nobody
            if (entry_id !== id && taken.has(id)) continue
            if (entry_id !== id) taken.add(id)
            idOf.set(entry_id, id)
          }
          const fresh = entries.filter(({ id }) => !idOf.has(id))
          const known = new Map<CandidateId, CandidateRow>()
          for (const entry of entries) {
            const id = idOf.get(entry.id)
            if (id !== undefined && (entry.id !== id || !known.has(id))) known.set(id, { ...entry, id })
          }
          const returning = sql.literal("id, ats_candidate_id, email, name, firstname, lastname")
          const created = yield* unlessEmpty(
            fresh,
            sql<CandidateRow>`
            insert into candidate (id, organization_id, ats_candidate_id, email, email_key, name, firstname, lastname, created_at)
            select r.id, ${organization}::int, r.ats_candidate_id, r.email, r.email_key, r.name, r.firstname, r.lastname, ${yield* now}
            from ${incoming(fresh)} returning ${returning}`,
          )
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
          const rows = new Map<CandidateId, ResolvedCandidate>([
            ...created.map((row) => [row.id, { ...row, isNew: true }] as const),
            ...filled.map((row) => [row.id, { ...row, isNew: false }] as const),
          ])
          return yield* Effect.forEach(entries, ({ id }) => Effect.fromNullishOr(rows.get(idOf.get(id) ?? id)))
        }, Effect.orDie),
      })
    }),
  )
}
