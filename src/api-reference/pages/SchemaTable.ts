/** Renders JSON schemas as tables of fields. */
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import type { Parameter, SchemaObject } from "../OpenApiDocument.ts"
import { nameOf } from "../OpenApiSchemas.ts"
import type { ApiReference } from "../Reference.ts"
import { inlineText } from "./MarkdownText.ts"

const formats: Readonly<Record<string, string>> = {
  uuid: "UUID",
  "date-time": "time",
  uri: "URL",
  email: "email address",
}

/** Adds a separator between values. */
const joined = (values: ReadonlyArray<HtmlValue>, separator: string): ReadonlyArray<HtmlValue> =>
  values.flatMap((value, index) => (index === 0 ? [value] : [separator, value]))

const schemaLink = (schema: SchemaObject, reference: ApiReference): Html => {
  const name = nameOf(schema)
  return html`<a href="${reference.schemaHref(name)}">${name}</a>`
}

export const typeText = (schema: SchemaObject, reference: ApiReference): HtmlValue => {
  const { anyOf, format = "", items, oneOf, type } = schema
  if (schema.$ref !== undefined) return schemaLink(schema, reference)
  const choices = anyOf ?? oneOf
  if (choices !== undefined)
    return joined(
      choices.map((each) => typeText(each, reference)),
      " or ",
    )
  if (type === undefined) return schema.const === undefined ? "any JSON" : "string"
  const names = [type].flat().map((name): HtmlValue => {
    if (name === "array") return html`list of ${items === undefined ? "values" : typeText(items, reference)}`
    return name === "string" ? (formats[format] ?? name) : name
  })
  return joined(names, " or ")
}

const int32 = 2 ** 31 - 1
const count = (number: number): string => number.toLocaleString("en")

/** "1 to 100", "at least 1"; ignores the bounds of 32 bits. */
const rangeText = (min: number | undefined, max: number | undefined): string | undefined => {
  const from = min === undefined || min <= -int32 ? undefined : count(min)
  const to = max === undefined || max >= int32 ? undefined : count(max)
  if (from !== undefined && to !== undefined) return `${from} to ${to}`
  return from !== undefined ? `at least ${from}` : to !== undefined ? `at most ${to}` : undefined
}

/** A text, and values in code after it. */
interface Rule {
  readonly text: string
  readonly values?: ReadonlyArray<unknown>
}

const amount = (range: string | undefined, unit = ""): ReadonlyArray<Rule> =>
  range === undefined ? [] : [{ text: `${range}${unit}` }]

const rulesOf = (schema: SchemaObject): ReadonlyArray<Rule> => {
  const { description = "", items, maxItems, maxLength, minItems, minLength } = schema
  const values = (schema.enum ?? items?.enum ?? []).filter((value) => value !== null)
  const isTold = maxLength !== undefined && description.includes(count(maxLength))
  return [
    ...amount(rangeText(schema.minimum, schema.maximum)),
    ...(isTold ? [] : amount(rangeText(minLength, maxLength), " characters")),
    ...amount(rangeText(minItems, maxItems), " items"),
    ...(schema.default === undefined ? [] : [{ text: `default ${String(schema.default)}` }]),
    ...(schema.const === undefined ? [] : [{ text: "only ", values: [schema.const] }]),
    ...(values.length === 0 ? [] : [{ text: "one of ", values }]),
  ]
}

const ruleText = ({ text, values = [] }: Rule, index: number): HtmlValue => {
  const codes = values.map((value) => html`<code>${String(value)}</code>`)
  return [index === 0 ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text, ...joined(codes, ", ")]
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Description and constraints as sentences. */
const meaning = (schema: SchemaObject, description = schema.description): HtmlValue => {
  const rules = rulesOf(schema)
  return joined(
    [
      ...(description === undefined || description === "" ? [] : [inlineText(sentence(description))]),
      ...(rules.length === 0 ? [] : [html`<span class="rule">${joined(rules.map(ruleText), "; ")}.</span>`]),
    ],
    " ",
  )
}

/** On a phone, a long name breaks after an underscore or a full stop. */
const breakable = (name: string): ReadonlyArray<HtmlValue> =>
  name.split(/(?<=[_.])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))

interface Row {
  readonly name: string
  readonly note: string
  readonly schema: SchemaObject
  readonly description?: string
}

const table = (caption: string, rows: ReadonlyArray<Row>, reference: ApiReference): Html =>
  html`<table class="fields">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${rows[0]?.note.match(/^(path|query|header)/) ? "Parameter" : "Field"}</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.map(
  ({ description, name, note, schema }) =>
    html`<tr><th scope="row"><code>${breakable(name)}</code> <span>${typeText(schema, reference)}${note === "" ? null : `, ${note}`}</span></th><td>${meaning(schema, description)}</td></tr>\n`,
)}</tbody>
</table>`

/** Fields of nested objects without a name follow their object, as `data.status`. */
const rowsOf = (schema: SchemaObject, isRequest: boolean, prefix = ""): ReadonlyArray<Row> =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true
    const note = isRequest ? (isRequired ? "required" : "") : isRequired ? "" : "may be missing"
    const row: Row = { name: `${prefix}${name}`, note, schema: field }
    const inner = field.properties === undefined ? field.items : field
    const suffix = field.properties === undefined ? "[]." : "."
    return [row, ...(inner === undefined ? [] : rowsOf(inner, isRequest, `${prefix}${name}${suffix}`))]
  })

/** The fields of an object, or what another schema accepts. `isRequest`: names required fields, not optional ones. */
export const schemaTable = (
  name: string,
  schema: SchemaObject,
  reference: ApiReference,
  isRequest: boolean,
): ReadonlyArray<Html> => {
  const rows = rowsOf(schema, isRequest)
  if (rows.length > 0) return [table(`Fields of ${name}`, rows, reference)]
  return [html`<p>${typeText(schema, reference)}: ${meaning(schema)}</p>`]
}

export const parameterTable = (
  operation: string,
  parameters: ReadonlyArray<Parameter>,
  reference: ApiReference,
): Html =>
  table(
    `Parameters: ${operation}`,
    parameters.map(({ description = "", in: place, name, required, schema }) => ({
      name,
      note: `${place}${required ? ", required" : ""}`,
      schema,
      description,
    })),
    reference,
  )
