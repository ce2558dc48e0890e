/** Types of an OpenAPI 3.1 document: the parts that this API's document uses. */

/** JSON Schema 2020-12. */
export interface SchemaObject {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly default?: unknown
  readonly examples?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: SchemaObject
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | SchemaObject
  readonly anyOf?: ReadonlyArray<SchemaObject>
  readonly oneOf?: ReadonlyArray<SchemaObject>
  readonly allOf?: ReadonlyArray<SchemaObject>
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

export interface Reference {
  readonly $ref: string
}

export interface Example {
  readonly summary: string
  readonly value: unknown
}

export type ExampleMap = Readonly<Record<string, Example>>

export interface MediaType {
  readonly schema: SchemaObject
  readonly examples?: ExampleMap
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required: boolean
  readonly schema: SchemaObject
  readonly example?: unknown
}

export interface Header {
  readonly description: string
  readonly schema: SchemaObject
  readonly example: unknown
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface RequestBody {
  readonly description?: string
  readonly required: boolean
  readonly content: Readonly<Record<string, MediaType>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters: ReadonlyArray<Parameter | Reference>
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response | Reference>>
}

export type PathItem = Readonly<Record<string, Operation>>

export interface Tag {
  readonly name: string
  readonly description: string
}

export interface Components {
  readonly schemas: Readonly<Record<string, SchemaObject>>
  readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly headers: Readonly<Record<string, Header>>
  readonly responses: Readonly<Record<string, Response>>
}

export interface Document {
  readonly openapi: string
  readonly info: Readonly<Record<"title" | "version" | "summary" | "description", string>> & {
    readonly license: Readonly<Record<string, string>>
  }
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<Tag>
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** What effect generates from the contract. Parameters and responses are inline. */
export interface Generated {
  readonly openapi: string
  readonly tags: ReadonlyArray<Tag>
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          Operation & {
            readonly parameters: ReadonlyArray<Parameter>
            readonly responses: Readonly<Record<string, Response>>
          }
        >
      >
    >
  >
  readonly components: Pick<Components, "schemas" | "securitySchemes">
}
