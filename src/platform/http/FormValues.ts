/** What forms and queries of the settings hold, within limits. */
import { Effect, Option, Schema } from "effect"
import { FormId } from "../../values/Ids.ts"
import { ids } from "../NewIds.ts"
import type { Form } from "./FormFields.ts"
import { valueOf } from "./Forms.ts"

/** Characters of a field that a page shows again: more than any field may have, and no page of megabytes. */
const mostShown = 4000

/** What was typed into a field; empty when the form has none of that name. */
export const typed = (form: Form, name: string): string =>
  (valueOf(form, name) ?? "").slice(0, mostShown).toWellFormed()

const readId = Schema.decodeOption(FormId)

/** Gives the reader of the id that a form was given with its page; a form without one is taken for a new one. */
export const formIds = Effect.map(
  ids,
  (newId) => (form: Form) =>
    Option.match(readId(valueOf(form, "id") ?? ""), { onNone: () => newId(FormId), onSome: Effect.succeed }),
)

/** A browser sends line breaks as CR LF, and counts them as one character. */
export const linesOf = (text: string): string => text.replaceAll("\r\n", "\n")

/** What a step is called by in a query; undefined: no step of these. */
export const named = <A>(all: Readonly<Record<string, A>>, name: string | undefined): A | undefined =>
  name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined

/** The number of a page, or how many; 1 for what is none. */
export const numberOf = (text: string | undefined): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 1
