/** Schemas as people read them: a list of fields, each with its type, its limits and what it means. */

import { type Html, html } from "../../platform/http/Html.ts"
import type { SchemaObject } from "../document/Document.ts"
import type { Lookup } from "./Lookup.ts"
import { inline } from "./Markdown.ts"
import { anchor } from "./Parts.ts"

const formats: Readonly<Record<string, string>> = {
  uuid: "UUID",
  "date-time": "time",
  uri: "URL",
  email: "e-mail address",
}

const int32 = 2 ** 31

const count = (value: number): string => value.toLocaleString("en")

const between = (least: number | undefined, most: number | undefined, unit = ""): string | undefined => {
  if (least === undefined) return most === undefined ? undefined : `at most ${count(most)}${unit}`
  return most === undefined ? `at least ${count(least)}${unit}` : `${count(least)} to ${count(most)}${unit}`
}

const plural = (word: string) => (word.endsWith("s") || word === "any JSON" ? word : `${word}s`)

/** A schema with what it refers to, and whether it may be null. */
interface Read {
  readonly schema: SchemaObject
  readonly types: ReadonlyArray<string>
  readonly isNullable: boolean
}

const read = (lookup: Lookup, given: SchemaObject): Read => {
  const { anyOf, ...schema } = lookup.schema(given)
  const [only] = anyOf?.filter(({ type }) => type !== "null") ?? []
  if (only !== undefined) {
    const inner = read(lookup, only)
    return { ...inner, schema: { ...inner.schema, ...schema }, isNullable: true }
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  return { schema, types: types.filter((type) => type !== "null"), isNullable: types.includes("null") }
}

const typeOf = (lookup: Lookup, { schema, types }: Read): string => {
  if (schema.oneOf !== undefined) return "object"
  if (types.length === 0) return "any JSON"
  if (types[0] === "array") return `list of ${plural(typeOf(lookup, read(lookup, schema.items ?? {})))}`
  return formats[schema.format ?? ""] ?? types.join(" or ")
}

const limitsOf = ({ schema }: Read): ReadonlyArray<Html | string> => {
  const { maximum, minimum } = schema
  const least = minimum === -int32 ? undefined : minimum
  const most = maximum === int32 - 1 ? undefined : maximum
  const choices = schema.enum?.filter((choice) => choice !== null)
  return [
    schema.const === undefined ? undefined : html`always <code>${String(schema.const)}</code>`,
    choices && html`one of ${choices.map((choice, i) => html`${i === 0 ? "" : ", "}<code>${String(choice)}</code>`)}`,
    between(schema.minLength, schema.maxLength, " characters"),
    between(least, most),
    between(schema.minItems, schema.maxItems, " items"),
    schema.default === undefined ? undefined : html`default <code>${String(schema.default)}</code>`,
  ].filter((limit) => limit !== undefined)
}

export interface FieldsOptions {
  readonly lookup: Lookup
  /** In a request null is as good as leaving a field out, and goes without saying. */
  readonly isRequest: boolean
}

const nested = (options: FieldsOptions, { schema, types }: Read, isOpen: boolean): Html | null => {
  const isList = types[0] === "array"
  const inner = isList ? read(options.lookup, schema.items ?? {}).schema : schema
  if (inner.oneOf !== undefined) {
    const { mapping = {} } = inner.discriminator ?? {}
    return html`<p>One of ${Object.keys(mapping).map(
      (name, i) => html`${i === 0 ? "" : ", "}<a href="#${anchor(name)}"><code>${name}</code></a>`,
    )}</p>`
  }
  if (inner.properties === undefined) {
    const limits = isList ? limitsOf(read(options.lookup, schema.items ?? {})) : []
    return limits.length === 0 ? null : html`<p class="limits">Each ${joined(limits)}</p>`
  }
  return html`<details${isOpen ? html` open` : null}><summary>${isList ? "Fields of each" : "Its fields"}</summary>
${fields(options, inner)}</details>`
}

const joined = (limits: ReadonlyArray<Html | string>): Html =>
  html`${limits.map((limit, i) => html`${i === 0 ? "" : "; "}${limit}`)}`

/** What is said of a field beside its schema. */
export interface FieldNotes {
  readonly id?: string
  readonly description?: string | undefined
  /** Shown after the type. */
  readonly note?: string | undefined
  /** Whether what is within it is unfolded. */
  readonly isOpen?: boolean
}

/** One named value: a field, a parameter or a header. */
export const field = (options: FieldsOptions, name: string, given: SchemaObject, notes: FieldNotes): Html => {
  const value = read(options.lookup, given)
  const limits = limitsOf(value)
  const { description = value.schema.description, id, isOpen = false, note } = notes
  const type = `${typeOf(options.lookup, value)}${value.isNullable && !options.isRequest ? " or null" : ""}`
  return html`<li${id === undefined ? null : html` id="${id}"`}><p class="field"><code>${name}</code> <span class="type">${type}</span>${
    note === undefined ? null : html` <span class="note">${note}</span>`
  }</p>
${description ? html`<p>${inline(description)}</p>` : null}
${limits.length === 0 ? null : html`<p class="limits">${joined(limits)}</p>`}
${nested(options, value, isOpen)}</li>\n`
}

/** The fields of an object, those within them folded. */
export const fields = (options: FieldsOptions, given: SchemaObject): Html => {
  const { schema } = read(options.lookup, given)
  const all = Object.entries(schema.properties ?? {})
  return html`<ul class="fields">${all.map(([name, property]) => {
    const isRequired = schema.required?.includes(name) ?? false
    const note = isRequired === options.isRequest ? (isRequired ? "required" : "not always there") : undefined
    return field(options, name, property, { isOpen: all.length <= 2, note })
  })}</ul>`
}
