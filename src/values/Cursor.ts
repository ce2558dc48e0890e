/**
 * Cursors and pages of lists, newest first. A cursor holds the position of the last record read, so added or removed
 * records neither repeat nor skip others (docs/api.md).
 */
import { Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"

export const pageLimit = { min: 1, max: 100, default: 50 } as const

export type ListName =
  | "projects"
  | "job-posts"
  | "interview-sets"
  | "invitations"
  | "submissions"
  | "comments"
  | `submissions.${string}`
  | "webhook-endpoints"
  | "suppressions"
  | "members"
  | "candidates"
  | "webhook-deliveries"
  | "requests"
  | "webhook-rehearsals"

/** `at`: the creation time in microseconds, or the value of another order. */
export const Position = Schema.Struct({ at: Schema.String, id: Schema.String })
export type Position = typeof Position.Type

/** `after`: undefined starts with the newest. `filters`: a short hash of the list's filters, which its cursors contain. */
export interface PageRequest {
  readonly filters?: string | undefined
  readonly limit: number
  readonly after: Position | undefined
}

export interface Page<A> {
  readonly results: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/** The page with its records in another form. */
export const pageAs =
  <A, B>(form: (record: A) => B) =>
  ({ next_cursor, results }: Page<A>): Page<B> => ({ results: results.map(form), next_cursor })

const positionForm = /^(\S+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

const scopeOf = (list: ListName, filters: string | undefined) => (filters === undefined ? list : `${list}?${filters}`)

/** `place`: where the next page begins, in a form that the list chooses. */
export const cursorAt = (list: ListName, place: string, filters?: string): string =>
  Base64Url.encode(`${scopeOf(list, filters)} ${place}`)

/** Undefined: invalid, or of another list, order or filters. */
export const placeOf = (list: ListName, cursor: string, filters?: string): string | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const prefix = `${scopeOf(list, filters)} `
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined
}

export const cursorOf = (list: ListName, { at, id }: Position, filters?: string): string =>
  cursorAt(list, `${at} ${id}`, filters)

/** Undefined: as `placeOf`. `isPlace` checks `at`. */
export const positionOf = (
  list: ListName,
  cursor: string,
  isPlace: (at: string) => boolean = isMoment,
  filters?: string,
): Position | undefined => {
  const [, at, id] = positionForm.exec(placeOf(list, cursor, filters) ?? "") ?? []
  return at === undefined || id === undefined || !isPlace(at) ? undefined : { at, id }
}

/** Postgres has no year 0; Date reads the 30th of February as the 2nd of March. */
const isMoment = (at: string): boolean => {
  if (!momentForm.test(at)) return false
  const millis = Date.parse(at)
  return !Number.isNaN(millis) && !at.startsWith("0000") && new Date(millis).toISOString().startsWith(at.slice(0, 23))
}

/** `rows`: at most `page.limit + 1`; the last means that there is a next page. */
export const pageOf = <Row extends { readonly position: Position }, A>(
  list: ListName,
  rows: ReadonlyArray<Row>,
  { filters, limit }: PageRequest,
  item: (row: Row) => A,
): Page<A> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next_cursor = rows.length > limit && last ? cursorOf(list, last.position, filters) : null
  return { results: shown.map(item), next_cursor }
}
