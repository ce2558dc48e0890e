/** Examples of schemas: the values of a story, and the rest from the schema. */
import { Schema, SchemaAST } from "effect"

type Part<A> =
  A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Part<Item>>
    : A extends object
      ? { readonly [Key in keyof A]?: Part<A[Key]> | undefined }
      : A

const fieldsOf = (schema: Schema.Top): Schema.Struct.Fields | undefined => {
  if ("fields" in schema) return schema.fields as Schema.Struct.Fields
  const members = "members" in schema ? (schema.members as ReadonlyArray<Schema.Top>) : []
  return members.map(fieldsOf).find((fields) => fields !== undefined)
}

const absent = (schema: Schema.Top): unknown => {
  const { examples: [example] = [] } = Schema.resolveAnnotations(schema) ?? {}
  if (example !== undefined || SchemaAST.isOptional(schema.ast)) return example
  return [null, false, [], {}].find(Schema.is(schema as Schema.Schema<unknown>))
}

const complete = (schema: Schema.Top, value: unknown): unknown => {
  if (value === undefined) return absent(schema)
  if (Array.isArray(value))
    return "value" in schema ? value.map((item) => complete(schema.value as Schema.Top, item)) : value
  const fields = fieldsOf(schema)
  if (fields === undefined || value === null) return value
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const part = complete(field as Schema.Top, (value as Readonly<Record<string, unknown>>)[name])
      return part === undefined ? [] : [[name, part]]
    }),
  )
}

/**
 * The given values in the order of the schema, without keys that it does not have. A field without a value gets the first of
 * its `examples`, else null, false, or an empty list or object; an optional one without an example is left out.
 */
export const exampleOf = <S extends Schema.Top>(schema: S, values: Part<S["Encoded"]>): S["Encoded"] =>
  complete(schema, values)
