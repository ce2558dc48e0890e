/** Finds what a reference of the API's document leads to. */
import type { Document, Parameter, Reference, Response, SchemaObject } from "../document/Document.ts"

export interface Lookup {
  readonly parameter: (parameter: Parameter | Reference) => Parameter
  readonly response: (response: Response | Reference) => Response
  /** The schema itself; what stands beside a reference goes before what it leads to. */
  readonly schema: (schema: SchemaObject) => SchemaObject
}

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1)

const find = <A>(kind: string, all: Readonly<Record<string, A>>, $ref: string): A => {
  const found = all[nameOf($ref)]
  if (found === undefined) throw new Error(`the API's document has no ${kind} ${$ref}`)
  return found
}

export const lookupIn = ({ components: { parameters, responses, schemas } }: Document): Lookup => ({
  parameter: (parameter) => ("$ref" in parameter ? find("parameter", parameters, parameter.$ref) : parameter),
  response: (response) => ("$ref" in response ? find("response", responses, response.$ref) : response),
  schema: ({ $ref, ...own }) => ($ref === undefined ? own : { ...find("schema", schemas, $ref), ...own }),
})
