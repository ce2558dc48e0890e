/** What JSON can say and Postgres can not keep: U+0000, and half of a surrogate pair. */
import { Schema } from "effect"

const issue = "must not contain U+0000 or half of a surrogate pair"

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const issuesOf = (value: unknown, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Schema.FilterIssue> => {
  if (typeof value === "string") return isStorable(value) ? [] : [{ path, issue }]
  if (Array.isArray(value)) return value.flatMap((item, i) => issuesOf(item, [...path, i]))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    isStorable(key) ? issuesOf(item, [...path, key]) : [{ path, issue }],
  )
}

/** Refuses every such text of a request, names in arbitrary metadata included. */
export const storable = Schema.makeFilter((request: object) => issuesOf(request, []))
