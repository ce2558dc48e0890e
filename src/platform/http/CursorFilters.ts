/** Requested pages of lists: a cursor is valid only with the filters of the page before. */
import { Effect } from "effect"
import { type ListName, type PageRequest, pageLimit, positionOf } from "../../values/Cursor.ts"
import { shortHashOf } from "../crypto/ShortHash.ts"
import * as Body from "./Body.ts"

interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** A short hash of the filters; undefined without filters, so these cursors are those of earlier versions. */
export const filtersOf = ({
  cursor: _,
  limit: __,
  ...filters
}: PageQuery & Record<string, unknown>): string | undefined => {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  if (given.length === 0) return undefined
  return shortHashOf(given.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

export const cursorRefused = Effect.suspend(() =>
  Effect.fail(
    Body.invalid([
      {
        pointer: "#/cursor",
        code: "invalid_cursor",
        message: "must be a next_cursor of this list with the same filters",
      },
    ]),
  ),
)

/** Fails when the cursor is of another list, or of other filters. */
export const pageRequest = (list: ListName, query: PageQuery) => {
  const filters = filtersOf({ ...query })
  const after = query.cursor === undefined ? undefined : positionOf(list, query.cursor, undefined, filters)
  const page: PageRequest = { filters, limit: query.limit ?? pageLimit.default, after }
  return query.cursor !== undefined && after === undefined ? cursorRefused : Effect.succeed(page)
}
