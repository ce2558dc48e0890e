/**
 * Schemas as they are generated, said as a person would say them: the same values, fewer words. One thing they say is
 * taken back: `additionalProperties: false`, for requests may hold unknown keys and answers gain keys over time.
 */
import type { SchemaObject } from "./Document.ts"

const safeInteger = Number.MAX_SAFE_INTEGER

/** The tidy form of a schema and of all that it holds. */
export const tidy = (schema: SchemaObject): SchemaObject => {
  const { allOf = [], anyOf, items, properties, required, ...own } = schema
  const { additionalProperties, ...rest } = merge(own, allOf)
  return nullable({
    ...short(rest),
    ...(additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }),
    ...(items === undefined ? {} : { items: tidy(items) }),
    ...(properties === undefined ? {} : { properties: each(properties) }),
    ...(required === undefined ? {} : { required }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(tidy) }),
  })
}

export const each = (schemas: Readonly<Record<string, SchemaObject>>): Record<string, SchemaObject> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema)]))

/** Each check of a string and each annotation of a reference comes as a part of an `allOf`; none repeats another. */
const merge = (own: SchemaObject, parts: ReadonlyArray<SchemaObject>): SchemaObject => Object.assign({}, own, ...parts)

const short = ({ enum: choices, maximum, minimum, type, ...rest }: SchemaObject): SchemaObject => ({
  ...(type === undefined
    ? {}
    : { type: type === "number" && choices?.every(Number.isInteger) === true ? "integer" : type }),
  ...(choices === undefined ? {} : choices.length === 1 ? { const: choices[0] } : { enum: choices }),
  ...rest,
  ...(minimum === undefined || minimum === -safeInteger ? {} : { minimum }),
  ...(maximum === undefined || maximum === safeInteger ? {} : { maximum }),
})

const isNull = ({ type }: SchemaObject) => type === "null"

/** `type: [string, "null"]` instead of two schemas; JSON of any kind has null among it. */
const nullable = ({ anyOf, ...schema }: SchemaObject): SchemaObject => {
  if (anyOf === undefined) return schema
  const others = anyOf.filter((one) => !isNull(one))
  const [first = {}] = others
  if (others.some((one) => Object.keys(one).length === 0)) return schema
  if (others.length > 1) {
    return others.every(({ type, ...rest }) => typeof type === "string" && Object.keys(rest).length === 0)
      ? { type: anyOf.flatMap(({ type = [] }) => type), ...schema }
      : { ...schema, anyOf }
  }
  const { enum: choices, type, ...rest } = first
  if (type === undefined) return { ...schema, anyOf }
  return {
    type: [...(typeof type === "string" ? [type] : type), "null"],
    ...(choices === undefined ? {} : { enum: [...choices, null] }),
    ...rest,
    ...schema,
  }
}
