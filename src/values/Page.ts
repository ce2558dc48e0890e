/**
 * Lists are read page by page, newest first. A cursor names the last record that was read, so what is added or removed
 * meanwhile neither repeats nor hides another (contract, Beyond the spec). It says of which list it is, and in which order:
 * a cursor of another one is refused, and not taken for a place that nobody has read to.
 */
import { Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"

/** Sizes of a page. */
export const pageLimit = { least: 1, most: 100, usual: 50 } as const

/** The lists, and those of their orders that are not newest first. */
export type ListName =
  | "projects"
  | "job-posts"
  | "interview-sets"
  | "invitations"
  | "submissions"
  | "submissions.best"
  | "submissions.weakest"

/** Where a record stands in a list: when it was made, to the microsecond as Postgres tells it, and its id. */
export const Position = Schema.Struct({ at: Schema.String, id: Schema.String })
export type Position = typeof Position.Type

/** Which page: at most `limit` records, beginning behind `after`; undefined: from the newest on. */
export interface PageRequest {
  readonly limit: number
  readonly after: Position | undefined
}

/** One page; `next_cursor` is null on the last one. */
export interface Page<A> {
  readonly results: ReadonlyArray<A>
  readonly next_cursor: string | null
}

const form = /^(\S+) (\S+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

/** A position as callers carry it; what is inside is nobody's business but ours. */
export const cursorOf = (list: ListName, { at, id }: Position): string => Base64Url.encode(`${list} ${at} ${id}`)

/**
 * The position that a cursor of the list names; undefined when it is another list's, or this service did not make it.
 * `isPlace` knows an `at` of the list: a moment, unless it is said.
 */
export const positionOf = (
  list: ListName,
  cursor: string,
  isPlace: (at: string) => boolean = isMoment,
): Position | undefined => {
  const [, of, at, id] = form.exec(Result.getOrElse(Base64Url.decodeString(cursor), () => "")) ?? []
  return of !== list || at === undefined || id === undefined || !isPlace(at) ? undefined : { at, id }
}

/**
 * Of what has the form, Postgres has no year 0 and no 30th of February; Date reads the latter as the 2nd of March.
 */
const isMoment = (at: string): boolean => {
  if (!momentForm.test(at)) return false
  const millis = Date.parse(at)
  return !Number.isNaN(millis) && !at.startsWith("0000") && new Date(millis).toISOString().startsWith(at.slice(0, 23))
}

/** Makes a page of rows that were read with a limit one higher than asked: the one too many tells that there is more. */
export const pageOf = <Row extends { readonly position: Position }, A>(
  list: ListName,
  rows: ReadonlyArray<Row>,
  limit: number,
  item: (row: Row) => A,
): Page<A> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { results: shown.map(item), next_cursor: rows.length > limit && last ? cursorOf(list, last.position) : null }
}
