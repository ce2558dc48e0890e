/** The content of files, in chunks, so that no statement holds a whole file. */
import { Context, Effect, Layer } from "effect"
import { Database, recordset } from "../platform/database/Database.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"

interface Key {
  readonly organization: OrganizationId
  readonly id: BlobId
}

export interface Chunk {
  readonly ordinal: number
  readonly bytes: Uint8Array
}

export class BlobChunkRepository extends Context.Service<
  BlobChunkRepository,
  {
    readonly append: (key: Key, chunk: Chunk, isLast: boolean) => Effect.Effect<void>
    readonly isWhole: (key: Key) => Effect.Effect<boolean>
    readonly after: (key: Key, ordinal: number, limit: number) => Effect.Effect<ReadonlyArray<Chunk>>
    readonly remove: (keys: ReadonlyArray<Key>) => Effect.Effect<void>
  }
>()("interview-invitations/files/BlobChunkRepository") {
  static readonly layer = Layer.effect(
    BlobChunkRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      return BlobChunkRepository.of({
        append: Effect.fnUntraced(function* ({ id, organization }, { bytes, ordinal }, isLast) {
          yield* sql`
            insert into blob_chunk (blob_id, organization_id, ordinal, bytes, is_last)
            values (${id}::uuid, ${organization}::int, ${ordinal}::int, ${bytes}::bytea, ${isLast}::bool)`
        }),
        isWhole: Effect.fnUntraced(function* ({ id, organization }) {
          const rows = yield* sql`
            select from blob_chunk where blob_id = ${id}::uuid and organization_id = ${organization}::int and is_last`
          return rows.length > 0
        }),
        after: Effect.fnUntraced(function* ({ id, organization }, ordinal, limit) {
          return yield* sql<Chunk>`
            select ordinal, bytes from blob_chunk
            where blob_id = ${id}::uuid and organization_id = ${organization}::int and ordinal > ${ordinal}::int
            order by ordinal limit ${limit}::int`
        }),
        remove: Effect.fnUntraced(function* (keys) {
          yield* sql`
            delete from blob_chunk c using ${recordset(sql, keys, "id uuid, organization int")}
            where c.blob_id = r.id and c.organization_id = r.organization`
        }),
      })
    }),
  )
}
