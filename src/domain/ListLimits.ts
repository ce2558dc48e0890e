/** Finds lists that are longer than their schema allows. Pure. */
import type { SchemaAST } from "effect"
import { pointer } from "./Faults.ts"
import type { Fault } from "./Problem.ts"

type Path = ReadonlyArray<PropertyKey>

interface ListLimit {
  readonly max: number
  readonly code: unknown
  readonly message: unknown
}

/** The limit that Schema.isMaxLength sets. */
const limitOf = ({ checks }: SchemaAST.Arrays): ListLimit | undefined => {
  for (const { annotations } of checks ?? []) {
    const { id, payload } = Object(annotations?.["representation"])
    const max = Object(payload).maxLength
    if (id === "effect/schema/isMaxLength" && typeof max === "number") {
      return { max, code: annotations?.["code"], message: annotations?.["message"] }
    }
  }
  return undefined
}

const isRecord = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The faults of lists beyond their maximum. A schema decodes every item before it looks at the length, 7 µs for each item that
 * is faulty, so this comes before the schema.
 */
export const longLists = (ast: SchemaAST.AST, value: unknown, path: Path = []): ReadonlyArray<Fault> => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap((type) => longLists(type, value, path))
    case "Objects":
      return isRecord(value)
        ? ast.propertySignatures.flatMap(({ name, type }) =>
            Object.hasOwn(value, name) ? longLists(type, value[name], [...path, name]) : [],
          )
        : []
    case "Arrays": {
      if (!Array.isArray(value)) return []
      const limit = limitOf(ast)
      if (limit !== undefined && value.length > limit.max) {
        const { code, max, message } = limit
        return [
          {
            pointer: pointer(path),
            code: typeof code === "string" ? code : "too_many",
            message: typeof message === "string" ? message : `must have at most ${max} items`,
          },
        ]
      }
      const [item] = ast.rest
      return item === undefined ? [] : value.flatMap((each, i) => longLists(item, each, [...path, i]))
    }
    default:
      return []
  }
}
