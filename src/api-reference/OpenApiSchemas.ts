/**
 * Component schemas. Simplifies generated schemas without changing the values they accept. Only removes
 * `additionalProperties: false`: requests may have unknown keys, responses gain keys over time.
 */
import { otherCodes } from "../platform/http/ProblemApi.ts"
import { definedOnly } from "../values/definedOnly.ts"
import { catalogue, eventTypes } from "../webhooks/events/WebhookEvent.ts"
import type { Generated, SchemaObject } from "./OpenApiDocument.ts"

const maxInt32 = 2_147_483_647

export const simplify = (schema: SchemaObject): SchemaObject => {
  const { allOf = [], ...own } = withEnum(schema)
  // titles are labels of pages
  const { additionalProperties, anyOf, items, properties, required, title: _, ...rest } = merge(own, allOf)
  // generators take an object without properties for an empty one
  const isOpen = rest.type === "object" && properties === undefined
  return nullable({
    ...short(rest),
    ...definedOnly({
      additionalProperties: additionalProperties || isOpen || undefined,
      items: items && simplify(items),
      properties: properties && simplifyAll(properties),
      required,
      anyOf: anyOf?.map(simplify),
    }),
  })
}

const simplifyAll = (schemas: Readonly<Record<string, SchemaObject>>): Record<string, SchemaObject> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, simplify(schema)]))

/** Effect generates a union of literals with descriptions as alternatives. */
const withEnum = (schema: SchemaObject): SchemaObject => {
  const { anyOf = [], ...rest } = schema
  const isOfLiterals = anyOf.length > 0 && anyOf.every((one) => one.enum?.length === 1)
  return isOfLiterals ? { type: "string", enum: anyOf.flatMap((one) => one.enum ?? []), ...rest } : schema
}

/** Effect generates string checks and annotations of references as parts of an `allOf`. */
const merge = (own: SchemaObject, parts: ReadonlyArray<SchemaObject>): SchemaObject => Object.assign({}, own, ...parts)

const short = ({ enum: choices, maximum, minimum, type, ...rest }: SchemaObject): SchemaObject => ({
  ...definedOnly({
    type: type === "number" && choices?.every(Number.isInteger) === true ? "integer" : type,
    const: choices?.length === 1 ? choices[0] : undefined,
    enum: choices?.length === 1 ? undefined : choices,
    // without it, generators take 32 bits
    format: type === "integer" && maximum !== undefined && maximum > maxInt32 ? "int64" : undefined,
  }),
  ...rest,
  ...definedOnly({ minimum, maximum }),
})

const isNull = ({ type }: SchemaObject) => type === "null"

/** A type that a list of types may contain: a range constrains only the numbers among them. */
const isSimple = ({ type, ...rest }: SchemaObject): boolean =>
  typeof type === "string" &&
  Object.keys(rest).every((key) => type === "integer" && ["format", "minimum", "maximum"].includes(key))

/** Turns a union with null into `type: [string, "null"]`, except a union with any JSON. */
const nullable = ({ anyOf, ...schema }: SchemaObject): SchemaObject => {
  if (anyOf === undefined) return schema
  const others = anyOf.filter((one) => !isNull(one))
  const [first = {}] = others
  if (others.some((one) => Object.keys(one).length === 0)) return schema
  if (others.length > 1) {
    return others.every(isSimple)
      ? { ...Object.assign({}, ...others), type: anyOf.flatMap((one) => one.type ?? []), ...schema }
      : { ...schema, anyOf }
  }
  const { enum: choices, type, ...rest } = first
  if (type === undefined) return { ...schema, anyOf }
  return {
    type: [...(typeof type === "string" ? [type] : type), "null"],
    ...definedOnly({ enum: choices && [...choices, null] }),
    ...rest,
    ...schema,
  }
}

const ref = (name: string) => `#/components/schemas/${name}`

/**
 * Constraints that are checked outside the request schemas. Descriptions state default values: with `default`, generators
 * make a field required.
 */
const rules: Readonly<Record<string, Readonly<Record<string, SchemaObject>>>> = {
  CreateInterviewSet: { title: { pattern: "\\S" } },
  CreateRequirement: { cfg_importance_id: { type: ["integer", "null"], minimum: 0, maximum: 2_147_483_647 } },
  InviteRequest: { candidates: { minItems: 1, maxItems: 1000 } },
}

const withRules = (name: string, schema: SchemaObject): SchemaObject => {
  const own = rules[name]
  if (own === undefined) return schema
  const properties = Object.entries({ ...schema.properties }).map(([key, value]) => [key, { ...value, ...own[key] }])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** One schema: problems differ only in their codes. */
const problemSchema = (schemas: ReadonlyArray<SchemaObject>): SchemaObject => {
  const codes = schemas.flatMap(({ properties }) => {
    const code = properties?.["code"]
    return code?.enum ?? [code?.const]
  })
  const all = [...new Set([...codes, ...otherCodes])].sort()
  return {
    type: "object",
    description: "An error (RFC 9457). `code` is for programs, `detail` for people",
    properties: {
      type: {
        type: "string",
        format: "uri-reference",
        description: "Leads, from the address of the API, to the documentation of the error",
      },
      title: { type: "string", description: "The reason phrase of the status" },
      status: { type: "integer", minimum: 400, maximum: 599, description: "The response's status" },
      detail: { type: "string", description: "The reason, for people" },
      code: {
        type: "string",
        enum: all,
        "x-extensible-enum": all,
        description: "The kind of error, for programs. More codes may be added: handle an unknown one by `status`",
      },
      errors: {
        type: "array",
        items: { $ref: ref("FieldError") },
        maxItems: 100,
        description: "Only with status 422: all validation errors of the request, at most 100",
      },
    },
    required: ["type", "title", "status", "detail", "code"],
  }
}

const event: SchemaObject = {
  description:
    "An event in the envelope of webhooks; `event_type` selects the schema. More types may be added: skip unknown ones",
  oneOf: eventTypes.map((type) => ({ $ref: ref(catalogue[type].identifier) })),
  discriminator: {
    propertyName: "event_type",
    mapping: Object.fromEntries(eventTypes.map((type) => [type, ref(catalogue[type].identifier)])),
  },
}

export const nameOf = ({ $ref = "" }: SchemaObject): string => $ref.replace(/^.*\/|Encoded$/g, "")

/** `InterviewSetPage` for a page of `InterviewSetSummary`, `InviteResults` and `TagsResponse` for lists, `InvitationResponse` for a record. */
const bodyName = ({ properties: { next_cursor, results } = {} }: SchemaObject): string | undefined => {
  if (results?.$ref !== undefined) return `${nameOf(results)}Response`
  if (results?.items?.$ref === undefined) return undefined
  const item = nameOf(results.items)
  if (next_cursor !== undefined) return `${item.replace(/Summary$/, "")}Page`
  return item.endsWith("Result") ? `${item}s` : `${item.replace(/Ref$/, "")}sResponse`
}

const isInline = ({ $ref }: SchemaObject) => $ref === undefined

/** Component schemas of inline success bodies, by name. */
const bodiesOf = ({ paths }: Generated): ReadonlyArray<readonly [string, SchemaObject]> =>
  Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => content?.["application/json"]?.schema ?? [])
    .filter(isInline)
    .flatMap(({ description: _, ...schema }) => {
      const name = bodyName(schema)
      return name === undefined ? [] : [[name, simplify(schema)]]
    })

/** A reference to the schema of a success body. */
export const bodyReference = (schema: SchemaObject): SchemaObject => {
  const name = isInline(schema) ? bodyName(schema) : undefined
  return name === undefined ? simplify(schema) : { $ref: ref(name) }
}

/** By name. `problems`: the error classes that become the schema `Problem`. */
export const schemasOf = (generated: Generated, problems: ReadonlySet<string>): Record<string, SchemaObject> => {
  const own = [...Object.entries(simplifyAll(generated.components.schemas)), ...bodiesOf(generated)]
  const isProblem = (name: string) => problems.has(name.replace(/Encoded$/, ""))
  const kept = own.filter(([name]) => !isProblem(name)).map(([name, schema]) => [name, withRules(name, schema)])
  const problem = problemSchema(own.flatMap(([name, schema]) => (isProblem(name) ? [schema] : [])))
  const all: Record<string, SchemaObject> = { ...Object.fromEntries(kept), WebhookEvent: event, Problem: problem }
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)))
}
