/** The rows of files in a BlobStore: store, size and digest. */
import { Context, Effect, Layer } from "effect"
import { Database, first, recordset } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"

export interface BlobRef {
  readonly organization: OrganizationId
  readonly id: BlobId
}

export type BlobLocation = "postgres" | "s3"

export interface BlobRow extends BlobRef {
  readonly store: BlobLocation
  /** Null until the upload is complete. */
  readonly sha256: Uint8Array | null
}

/** The row of an erased file is deleted after its content. */
export const personalFiles: PersonalTable = {
  table: "blob",
  kept: ["sha256", "store"],
  rows: "t.id = any(p.files)",
  set: { erased: "true" },
}

export class BlobRepository extends Context.Service<BlobRepository>()("interview-invitations/files/BlobRepository", {
  make: Effect.gen(function* () {
    const { now, sql } = yield* Database
    const isUnused = sql.literal(
      `not exists (select from answer a where a.blob_id = b.id) and not exists (select from cv v where v.blob_id = b.id)
       and not exists (select from recording r where r.blob_id = b.id)
       and not exists (select from organization_appearance p where p.logo_id = b.id)`,
    )
    return {
      /** Call it before the content is stored, so that a crash leaves no orphan. */
      begin: Effect.fnUntraced(function* ({ id, organization }: BlobRef) {
        yield* sql`
            insert into blob (id, organization_id, created_at) values (${id}::uuid, ${organization}::int, ${yield* now})`
      }),
      finish: (
        { id, organization }: BlobRef,
        { sha256, size }: { readonly size: number; readonly sha256: Uint8Array },
      ) => sql`
            update blob set size = ${size}::int, sha256 = ${sha256}::bytea
            where id = ${id}::uuid and organization_id = ${organization}::int`,
      setLocation: ({ id, organization }: BlobRef, store: BlobLocation) => sql`
            update blob set store = ${store} where id = ${id}::uuid and organization_id = ${organization}::int`,
      find: (blobs: ReadonlyArray<BlobRef>) => sql<BlobRow>`
            select b.id, b.organization_id as organization, b.store, b.sha256
            from ${recordset(sql, blobs, "id uuid, organization int")}
              join blob b on b.id = r.id and b.organization_id = r.organization`,
      /** Bytes; undefined: no such file, or its upload is not complete. */
      sizeOf: Effect.fnUntraced(function* ({ id, organization }: BlobRef) {
        const rows = yield* sql<{ size: number | null }>`
            select size from blob where id = ${id}::uuid and organization_id = ${organization}::int`
        return first(rows)?.size ?? undefined
      }),
      unused: (blobs: ReadonlyArray<BlobRef>) => sql<BlobRef>`
            select b.id, b.organization_id as organization
            from ${recordset(sql, blobs, "id uuid, organization int")}
              join blob b on b.id = r.id and b.organization_id = r.organization
            where ${isUnused}`,
      /**
       * Returns the unreferenced ones among the next `limit` files older than a day; concurrent calls get none. Cursor:
       * blob_sweep.
       */
      abandoned: Effect.fnUntraced(function* (limit: number) {
        return yield* sql<BlobRef>`
            with place as (
              select created_at, blob_id from blob_sweep for update skip locked
            ), piece as materialized (
              select id, organization_id, created_at from blob
              where (created_at, id) > ((select created_at from place), (select blob_id from place))
                and created_at <= ${yield* now} - interval '1 day'
              order by created_at, id limit ${limit}::int
            ), moved as (
              update blob_sweep set created_at = coalesce(l.created_at, '-infinity'),
                blob_id = coalesce(l.id, '00000000-0000-0000-0000-000000000000')
              from place left join (
                select created_at, id from piece order by created_at, id offset ${limit}::int - 1
              ) l on true
            )
            select b.id, b.organization_id as organization from piece b
            where ${isUnused} and b.organization_id <> all(array(select id from suspended_organization))`
      }),
      erased: (limit: number) => sql<BlobRef>`
            select b.id, b.organization_id as organization from blob b
            where b.erased and ${isUnused} and b.organization_id <> all(array(select id from suspended_organization))
            order by b.id limit ${limit}::int`,
      /** Call it after the content is removed. */
      forget: (blobs: ReadonlyArray<BlobRef>) => sql`
            delete from blob b using ${recordset(sql, blobs, "id uuid, organization int")}
            where b.id = r.id and b.organization_id = r.organization and ${isUnused}`,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
