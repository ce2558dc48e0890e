/** Component schemas that the contract does not have word for word: one problem for all, one event for all. */
import { otherCodes } from "../../platform/http/ProblemApi.ts"
import type { SchemaObject } from "./Document.ts"
import { each } from "./Tidy.ts"
import { eventNames } from "./WebhookEvents.ts"

const ref = (name: string) => `#/components/schemas/${name}`

/** What the service checks beside the schemas of its requests. */
const rules: Readonly<Record<string, Readonly<Record<string, SchemaObject>>>> = {
  CreateInterviewSet: { title: { pattern: "\\S" }, set_type: { default: 1 } },
  CreateRequirement: { cfg_importance_id: { type: ["integer", "null"] } },
  InviteRequest: { candidates: { minItems: 1, maxItems: 1000 }, send_invite: { default: true } },
}

const withRules = (name: string, schema: SchemaObject): SchemaObject => {
  const own = rules[name]
  if (own === undefined) return schema
  const properties = Object.entries({ ...schema.properties }).map(([key, value]) => [key, { ...value, ...own[key] }])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Problems differ in their codes alone: one schema, with every code. */
const problemOf = (schemas: ReadonlyArray<SchemaObject>): SchemaObject => {
  const codes = schemas.flatMap(({ properties }) => {
    const code = properties?.["code"]
    return code?.enum ?? [code?.const]
  })
  return {
    type: "object",
    description: "What went wrong (RFC 9457). `code` is for programs, `detail` for people",
    properties: {
      type: { type: "string", const: "about:blank" },
      title: { type: "string", description: "The status in words" },
      status: { type: "integer", description: "The answer's status" },
      detail: { type: "string", description: "What is wrong here, for people" },
      code: {
        type: "string",
        enum: [...new Set([...codes, ...otherCodes])].sort(),
        description: "What is wrong, for programs",
      },
      errors: {
        type: "array",
        items: { $ref: ref("Fault") },
        maxItems: 100,
        description: "Only with status 422: every fault of the request, at most 100",
      },
    },
    required: ["type", "title", "status", "detail", "code"],
  }
}

/** An event is what a webhook carries. */
const event: SchemaObject = {
  description: "What happened, in the envelope that webhooks deliver; `event_type` says which",
  oneOf: Object.values(eventNames).map((name) => ({ $ref: ref(name) })),
  discriminator: {
    propertyName: "event_type",
    mapping: Object.fromEntries(Object.entries(eventNames).map(([type, name]) => [type, ref(name)])),
  },
}

/** The component that a reference in the contract's document leads to. */
export const nameOf = ({ $ref = "" }: SchemaObject): string => $ref.replace(/^.*\/|Encoded$/g, "")

/** The component schemas by name; `problems` are the classes that one schema tells of. */
export const schemasOf = (
  generated: Readonly<Record<string, SchemaObject>>,
  problems: ReadonlySet<string>,
): Record<string, SchemaObject> => {
  const own = Object.entries(each(generated))
  const isProblem = (name: string) => problems.has(name.replace(/Encoded$/, ""))
  const kept = own.filter(([name]) => !isProblem(name)).map(([name, schema]) => [name, withRules(name, schema)])
  const problem = problemOf(own.flatMap(([name, schema]) => (isProblem(name) ? [schema] : [])))
  const all: Record<string, SchemaObject> = { ...Object.fromEntries(kept), Event: event, Problem: problem }
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)))
}
