/**
 * Projects results on their schema: what encoding with the schema returns, for results whose types TypeScript has checked.
 * It copies the fields that the schema has, in its order, and leaves the others out, such as those of stored JSON. Encoding
 * also checks every value, which took 90 to 146 of the 545 µs of a submission's detail.
 */
import { Schema, type SchemaAST } from "effect"

type Project = (value: unknown) => unknown

const isText = (name: PropertyKey): name is string => typeof name === "string"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const unsupported = (what: string) => new Error(`a result with ${what} must be encoded with its schema`)

/** Undefined: the value itself. */
const projectOf = (ast: SchemaAST.AST): Project | undefined => {
  if (ast === Schema.Json.ast) return undefined
  if (ast.encoding !== undefined) throw unsupported("a transformation")
  switch (ast._tag) {
    case "Objects": {
      const { indexSignatures, propertySignatures } = ast
      if (indexSignatures.length > 0) {
        const parts = [...indexSignatures, ...propertySignatures]
        if (parts.some(({ type }) => projectOf(type) !== undefined)) throw unsupported("any keys and objects as values")
        return undefined
      }
      const fields = propertySignatures.map(({ name, type }) => {
        if (!isText(name)) throw unsupported("a symbol as a key")
        return { name, project: projectOf(type) }
      })
      return (value) => {
        if (!isObject(value)) return value
        const projected: Record<string, unknown> = {}
        for (const { name, project } of fields) {
          const field = value[name]
          if (field !== undefined) projected[name] = project === undefined ? field : project(field)
        }
        return projected
      }
    }
    case "Arrays": {
      const [item] = ast.rest
      if (item === undefined || ast.elements.length > 0 || ast.rest.length > 1) throw unsupported("a tuple")
      const project = projectOf(item)
      return project && ((value) => (Array.isArray(value) ? value.map(project) : value))
    }
    case "Union": {
      const [project, ...others] = ast.types.map(projectOf).filter((one) => one !== undefined)
      if (others.length > 0) throw unsupported("a union of objects")
      return project
    }
    case "Declaration":
    case "Suspend":
      throw unsupported("values of its own kind")
    default:
      return undefined
  }
}

/** Throws when the schema changes values, or has a shape that is not decided by types alone. */
export const projection = <S extends Schema.Top>(schema: S): ((value: S["Type"]) => S["Encoded"]) => {
  const project = projectOf(schema.ast)
  // TypeScript cannot derive that a projection on a schema has its type
  return (value) => (project === undefined ? value : project(value)) as S["Encoded"]
}
