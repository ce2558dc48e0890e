/** The content of files, in chunks, so that no statement holds a whole file. */
import { Context, Effect, Layer } from "effect"
import { Database, first, recordset } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"

interface Key {
  readonly organization: OrganizationId
  readonly id: BlobId
}

export interface Chunk {
  readonly ordinal: number
  readonly bytes: Uint8Array
}

/** BlobStore removes the contents of erased files. */
export const personalChunks: PersonalTable = { table: "blob_chunk", personal: ["bytes"] }

export class BlobChunkRepository extends Context.Service<BlobChunkRepository>()(
  "interview-invitations/files/BlobChunkRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        append: ({ id, organization }: Key, { bytes, ordinal }: Chunk, isLast: boolean) => sql`
            insert into blob_chunk (blob_id, organization_id, ordinal, bytes, is_last)
            values (${id}::uuid, ${organization}::int, ${ordinal}::int, ${bytes}::bytea, ${isLast}::bool)`,
        isWhole: Effect.fnUntraced(function* ({ id, organization }: Key) {
          const rows = yield* sql`
            select from blob_chunk where blob_id = ${id}::uuid and organization_id = ${organization}::int and is_last`
          return rows.length > 0
        }),
        after: ({ id, organization }: Key, ordinal: number, limit: number) => sql<Chunk>`
            select ordinal, bytes from blob_chunk
            where blob_id = ${id}::uuid and organization_id = ${organization}::int and ordinal > ${ordinal}::int
            order by ordinal limit ${limit}::int`,
        /** The chunk with the byte at `position`, and the position of its first byte; undefined: beyond the end. */
        chunkWith: Effect.fnUntraced(function* ({ id, organization }: Key, position: number) {
          // reads no content: the length is part of the row
          return first(
            yield* sql<{ ordinal: number; start: number }>`
              select ordinal, start::float8 as start from (
                select ordinal, length, sum(length) over (order by ordinal) - length as start from (
                  select ordinal, octet_length(bytes) as length from blob_chunk
                  where blob_id = ${id}::uuid and organization_id = ${organization}::int) c) c
              where ${position}::float8 >= start and ${position}::float8 < start + length`,
          )
        }),
        remove: (keys: ReadonlyArray<Key>) => sql`
            delete from blob_chunk c using ${recordset(sql, keys, "id uuid, organization int")}
            where c.blob_id = r.id and c.organization_id = r.organization`,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
