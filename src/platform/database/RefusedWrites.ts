/** Whether the disk of the database refuses writes, learned from what processes write anyway. */
import { Context, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { monotonicMillis } from "../Monotonic.ts"
import { plain, sqlStateOf } from "./Connections.ts"

/**
 * True for the statements that every process repeats: claims and beats. Their I/O errors are about the whole disk; another
 * statement may have met one damaged block.
 */
export const IsRepeatedWrite = Context.Reference<boolean>("interview-invitations/platform/database/IsRepeatedWrite", {
  defaultValue: () => false,
})

/** Milliseconds after the last refused write. A full disk refuses new pages only, so a successful write proves nothing. */
const standing = 15_000

/** disk_full */
export const isDiskFull = (error: SqlError.SqlError): boolean => sqlStateOf(error) === "53100"

/** Class 58: system errors, such as 58030 io_error. */
export const isOfSystem = (error: SqlError.SqlError): boolean => sqlStateOf(error)?.startsWith("58") === true

export interface RefusedWrites {
  readonly note: (error: SqlError.SqlError) => Effect.Effect<void>
  /** The last refusal, while it stands. */
  readonly current: Effect.Effect<string | undefined>
}

export const make = (): RefusedWrites => {
  let last: { readonly error: string; readonly at: number } | undefined
  return {
    note: (error) => {
      const isFull = isDiskFull(error)
      if (!isFull && !isOfSystem(error)) return Effect.void
      return Effect.gen(function* () {
        if (!isFull && !(yield* IsRepeatedWrite)) return
        last = { error: `${plain(error)} (${sqlStateOf(error)})`, at: yield* monotonicMillis }
      })
    },
    current: Effect.map(monotonicMillis, (now) =>
      last !== undefined && now - last.at < standing ? last.error : undefined,
    ),
  }
}
