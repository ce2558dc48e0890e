/** Files that are kept somewhere (files/BlobStore.ts): that they are, how large they are, and which of them nobody needs. */
import { Context, Effect, Layer } from "effect"
import { Database, recordset } from "../platform/database/Database.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"

export interface BlobRef {
  readonly organization: OrganizationId
  readonly id: BlobId
}

/** Where content lies. */
export type BlobPlace = "postgres" | "s3"

export interface KeptBlob extends BlobRef {
  readonly store: BlobPlace
  /** SHA-256 of the content, once it is whole. */
  readonly sha256: Uint8Array | null
}

export class BlobRepository extends Context.Service<
  BlobRepository,
  {
    /** Notes that content is about to be kept: whatever becomes of it then, it is found again. */
    readonly begin: (blob: BlobRef) => Effect.Effect<void>
    /** The content is whole. */
    readonly finish: (
      blob: BlobRef,
      facts: { readonly size: number; readonly sha256: Uint8Array },
    ) => Effect.Effect<void>
    /** Notes where the content is about to be kept, if not in this database. */
    readonly place: (blob: BlobRef, store: BlobPlace) => Effect.Effect<void>
    /** What is known of these; nothing of what was never begun, or is forgotten. */
    readonly find: (blobs: ReadonlyArray<BlobRef>) => Effect.Effect<ReadonlyArray<KeptBlob>>
    /** Of these, the ones that nothing refers to. */
    readonly unused: (blobs: ReadonlyArray<BlobRef>) => Effect.Effect<ReadonlyArray<BlobRef>>
    /**
     * Of the next `limit` that were begun more than a day ago, the ones that nothing refers to. The call after goes on
     * behind them, and after the last begins anew: each is looked at again and again, and no call looks at many. Of
     * processes that do this at once, one gets a piece and the others nothing.
     */
    readonly abandoned: (limit: number) => Effect.Effect<ReadonlyArray<BlobRef>>
    /** Some that belonged to people who were erased since, and that nothing refers to. */
    readonly erased: (limit: number) => Effect.Effect<ReadonlyArray<BlobRef>>
    /** Their content is gone. */
    readonly forget: (blobs: ReadonlyArray<BlobRef>) => Effect.Effect<void>
  }
>()("interview-invitations/files/BlobRepository") {
  static readonly layer = Layer.effect(
    BlobRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const isUnused = sql.literal(
        `not exists (select from answer a where a.blob_id = b.id) and not exists (select from cv v where v.blob_id = b.id)`,
      )
      return BlobRepository.of({
        begin: Effect.fnUntraced(function* ({ id, organization }) {
          yield* sql`
            insert into blob (id, organization_id, created_at) values (${id}::uuid, ${organization}::int, ${yield* now})`
        }, Effect.orDie),
        finish: Effect.fnUntraced(function* ({ id, organization }, { sha256, size }) {
          yield* sql`
            update blob set size = ${size}::int, sha256 = ${sha256}::bytea
            where id = ${id}::uuid and organization_id = ${organization}::int`
        }, Effect.orDie),
        place: Effect.fnUntraced(function* ({ id, organization }, store) {
          yield* sql`
            update blob set store = ${store} where id = ${id}::uuid and organization_id = ${organization}::int`
        }, Effect.orDie),
        find: Effect.fnUntraced(function* (blobs) {
          return yield* sql<KeptBlob>`
            select b.id, b.organization_id as organization, b.store, b.sha256
            from ${recordset(sql, blobs, "id uuid, organization int")}
              join blob b on b.id = r.id and b.organization_id = r.organization`
        }, Effect.orDie),
        unused: Effect.fnUntraced(function* (blobs) {
          return yield* sql<BlobRef>`
            select b.id, b.organization_id as organization
            from ${recordset(sql, blobs, "id uuid, organization int")}
              join blob b on b.id = r.id and b.organization_id = r.organization
            where ${isUnused}`
        }, Effect.orDie),
        abandoned: Effect.fnUntraced(function* (limit) {
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
            select b.id, b.organization_id as organization from piece b where ${isUnused}`
        }, Effect.orDie),
        erased: Effect.fnUntraced(function* (limit) {
          return yield* sql<BlobRef>`
            select b.id, b.organization_id as organization from blob b
            where b.erased and ${isUnused} order by b.id limit ${limit}::int`
        }, Effect.orDie),
        forget: Effect.fnUntraced(function* (blobs) {
          yield* sql`
            delete from blob b using ${recordset(sql, blobs, "id uuid, organization int")}
            where b.id = r.id and b.organization_id = r.organization and ${isUnused}`
        }, Effect.orDie),
      })
    }),
  )
}
