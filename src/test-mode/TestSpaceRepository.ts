/** Deletes the data of test spaces, in batches, and the spaces themselves. */
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Database, first } from "../platform/database/Database.ts"
import { type OwnedTable, ownedTables } from "../platform/database/OrganizationRowsSql.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"

/** SQL: the file is the organization's logo. */
const isLogo = (table: string, id: string): string =>
  `exists (select from organization_appearance a where a.organization_id = ${table}.organization_id and a.logo_id = ${table}.${id})`

/** Tables with rows that emptying keeps: all of them, or those with this condition (docs/test-mode.md). */
const kept: Readonly<Record<string, string>> = {
  api_key: "true",
  audit_log: "true",
  blob: isLogo("blob", "id"),
  blob_chunk: isLogo("blob_chunk", "blob_id"),
  email_subject: "interview_set_id is null",
  hiring_stage: "true",
  member: "true",
  message_template: "true",
  organization_appearance: "true",
  record_key: "true",
  recording_consent: "true",
  self_identification_form: "true",
  tag: "true",
  webhook_endpoint: "true",
}

const isReferenced = ({ reason }: SqlError.SqlError): boolean => reason._tag === "ConstraintError"

export class TestSpaceRepository extends Context.Service<TestSpaceRepository>()(
  "interview-invitations/test-mode/TestSpaceRepository",
  {
    make: Effect.gen(function* () {
      const { client, now, sql } = yield* Database

      /** `keeps`: rows stay as `kept` says. */
      const isDeleted = (table: string, keeps: boolean) =>
        sql.literal(keeps ? `not (${kept[table] ?? "false"})` : "true")
      return {
        /** Marks the space: a step deletes what one request does not. */
        beginEmptying: Effect.fnUntraced(function* (space: OrganizationId) {
          yield* sql`
            update organization set emptied_since = ${yield* now} where id = ${space}::int and test_of is not null`
        }),
        endEmptying: Effect.fnUntraced(function* (space: OrganizationId) {
          yield* sql`update organization set emptied_since = null where id = ${space}::int`
        }),
        /**
         * The space that waits longest and is not being moved. Puts it behind the others, so that one that is not emptied, because rows
         * keep arriving or its deletion fails, does not hold them up.
         */
        nextToEmpty: Effect.gen(function* () {
          const rows = yield* sql<{ id: OrganizationId }>`
            update organization set emptied_since = ${yield* now} where id = (
              select id from organization
              where emptied_since is not null and id <> all(array(select id from suspended_organization))
              order by emptied_since limit 1 for no key update skip locked)
            returning id`
          return first(rows)?.id
        }),
        /** In an order in which their rows can be deleted. */
        tables: Effect.map(ownedTables(sql), (tables) => tables.filter(({ table }) => kept[table] !== "true")),
        allTables: ownedTables(sql),
        /**
         * Returns how many rows it deleted: at most `limit`, or of a partitioned table all. Undefined: rows of another table, which
         * were made meanwhile, refer to them.
         */
        deleteRows: Effect.fnUntraced(function* (
          space: OrganizationId,
          { isPartitioned, table }: OwnedTable,
          { keeps, limit }: { readonly keeps: boolean; readonly limit: number },
        ) {
          const of = client`organization_id = ${space}::int and ${isDeleted(table, keeps)}`
          const whole = client`delete from ${client(table)} where ${of} returning 1`
          const some = client`
            delete from ${client(table)} where ctid = any(array(
              select ctid from ${client(table)} where ${of} limit ${limit}::int for update skip locked)) returning 1`
          // a ctid names a row of one partition; rows of one table can refer to each other
          const gone = isPartitioned ? whole : Effect.catchIf(some, isReferenced, () => whole)
          return yield* gone.pipe(
            Effect.map((rows): number | undefined => rows.length),
            Effect.catchIf(isReferenced, () => Effect.undefined),
            Effect.orDie,
          )
        }),
        /** Files that nothing kept uses. */
        files: Effect.fnUntraced(function* (
          space: OrganizationId,
          { keeps, limit }: { readonly keeps: boolean; readonly limit: number },
        ) {
          const rows = yield* sql<{ id: BlobId }>`
            select id from blob where organization_id = ${space}::int and ${isDeleted("blob", keeps)}
            limit ${limit}::int`
          return rows.map(({ id }) => ({ id, organization: space }))
        }),
        deleteFiles: Effect.fnUntraced(function* (
          space: OrganizationId,
          files: ReadonlyArray<{ readonly id: BlobId }>,
        ) {
          yield* sql`
            delete from blob where organization_id = ${space}::int and id = any(${files.map(({ id }) => id)}::uuid[])`
        }),
        /** Needs the tables to be empty. */
        deleteSpace: Effect.fnUntraced(function* (space: OrganizationId) {
          yield* sql`
            delete from webhook_endpoint_hour where endpoint_id in (
              select id from webhook_endpoint where organization_id = ${space}::int)`
          yield* sql`delete from organization where id = ${space}::int and test_of is not null`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
