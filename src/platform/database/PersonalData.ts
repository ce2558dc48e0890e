/**
 * Declarations of tables with data of candidates, each in the repository of its table. privacy/PersonRepository.ts erases and
 * exports all of them, and test/privacy/PersonalData.test.ts fails when a column of text is not declared.
 */
import type { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { CandidateId, OrganizationId } from "../../values/Ids.ts"
import type { Database } from "./Database.ts"
import type { Sql } from "./Sql.ts"

/** The person who is erased. The SQL of declarations reads it as `p`. */
export interface ErasedPerson {
  readonly organization: OrganizationId
  readonly candidate: CandidateId
  readonly submissions: ReadonlyArray<string>
  readonly invitations: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  /** Email addresses. */
  readonly addresses: ReadonlyArray<string>
  readonly at: Statement.Fragment
  /** `at`, or the time of an earlier erasure, since which nothing was stored about the person: it is reported as the erasure. */
  readonly erasedAt: Statement.Fragment
}

/** A list in the export. The SQL names rows `c` candidate, `b` submission, `i` invitation and `m` email. */
interface ExportedList {
  readonly name: string
  /** The table to whose objects the list belongs. */
  readonly of: "candidate" | "submission" | "invitation" | "email"
  /** SQL of the JSON object of each row. */
  readonly row: string
  /** The tables and the condition of the rows. */
  readonly from: string
  readonly order: string
}

/** Without `rows` and `run`, an erasure changes nothing, or a service does. */
export interface PersonalTable {
  readonly table: string
  /** Columns of text (text, jsonb, bytea) that an erasure keeps. */
  readonly kept?: ReadonlyArray<string>
  /** SQL condition for the person's rows `t`. They are deleted if `cleared`, `set` and `compute` name no column. */
  readonly rows?: string
  /** Columns of the primary key; default: `id`. */
  readonly key?: ReadonlyArray<string>
  /** Columns that become null. */
  readonly cleared?: ReadonlyArray<string>
  /** SQL of the value that each column gets; of constants and immutable functions. */
  readonly set?: Readonly<Record<string, string>>
  /** The same for other values, which may read `p` and call any function: Citus refuses some in `set` (docs/citus.md). */
  readonly compute?: Readonly<Record<string, string>>
  /** Columns of text that `run`, or the table's service, changes. */
  readonly personal?: ReadonlyArray<string>
  /** For what one statement cannot do. */
  readonly run?: (database: Database["Service"], person: ErasedPerson) => Effect.Effect<unknown>
  readonly exported?: ExportedList
}

/** Changes the rows that a sub-select finds. Its `offset` keeps Citus from computing it as a part of the statement. */
export const eraseRows = (
  sql: Sql,
  { addresses, at, candidate, erasedAt, files, invitations, organization, submissions }: ErasedPerson,
  { cleared = [], compute = {}, key = ["id"], rows, set = {}, table }: PersonalTable & { readonly rows: string },
) => {
  const found = [
    ...key.map((column) => `t.${column}`),
    ...Object.entries(compute).map(([column, value]) => `${value} as new_${column}`),
  ]
  const values = [
    ...cleared.map((column) => `${column} = null`),
    ...Object.entries(set).map(([column, value]) => `${column} = ${value}`),
    ...Object.keys(compute).map((column) => `${column} = n.new_${column}`),
  ]
  const of = sql`(
    select ${sql.literal(found.join(", "))} from ${sql(table)} t, (
      select ${organization}::int as organization, ${candidate}::uuid as candidate, ${submissions}::uuid[] as submissions,
        ${invitations}::uuid[] as invitations, ${files}::uuid[] as files, ${addresses}::text[] as addresses,
        ${at} as at, ${erasedAt} as erased_at
    ) p
    where t.organization_id = p.organization and ${sql.literal(rows)} offset 0
  ) n where ${sql.literal(key.map((column) => `t.${column} = n.${column}`).join(" and "))}`
  return values.length === 0
    ? sql`delete from ${sql(table)} t using ${of}`
    : sql`update ${sql(table)} t set ${sql.literal(values.join(", "))} from ${of}`
}
