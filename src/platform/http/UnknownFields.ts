/**
 * Finds fields of a request body that its schema does not have, which decoding ignores, and suggests the fields that were
 * probably meant. Objects with any keys (`attributes`, `metadata`) have no unknown fields.
 */
import { SchemaAST } from "effect"
import { likelyField } from "../../values/LikelyField.ts"
import { pointer } from "../../values/ValidationErrors.ts"
import { type Warning, warning } from "../../values/Warning.ts"

/** Different unknown fields that are reported. Each is compared with all fields of its object. */
export const maxUnknownFields = 100

type Path = ReadonlyArray<PropertyKey>

/** Undefined: any JSON. */
type Shape =
  | {
      readonly _tag: "Object"
      readonly place: string
      readonly fields: ReadonlyMap<string, Shape>
      readonly values: ReadonlyMap<string, ReadonlySet<string>>
    }
  | { readonly _tag: "List"; readonly item: Shape }
  | undefined

type ObjectShape = Extract<Shape, { readonly _tag: "Object" }>

/** The values of an enum. */
function* textsOf(ast: SchemaAST.AST): Generator<string> {
  if (ast._tag === "Literal" && typeof ast.literal === "string") yield ast.literal
  if (ast._tag === "Union") for (const type of ast.types) yield* textsOf(type)
}

const shapeOf = (ast: SchemaAST.AST, place: string): Shape => {
  switch (ast._tag) {
    case "Objects": {
      const { indexSignatures, propertySignatures } = ast
      if (indexSignatures.length > 0) return undefined
      const fields = propertySignatures.map(({ name, type }) => [String(name), shapeOf(type, String(name))] as const)
      const values = propertySignatures.map(({ name, type }) => [String(name), new Set(textsOf(type))] as const)
      return { _tag: "Object", place, fields: new Map(fields), values: new Map(values) }
    }
    case "Arrays": {
      const [type] = ast.rest
      const item = type === undefined || ast.elements.length > 0 ? undefined : shapeOf(type, `an item of ${place}`)
      return item === undefined ? undefined : { _tag: "List", item }
    }
    case "Union": {
      const [shape, ...others] = ast.types.map((type) => shapeOf(type, place)).filter((one) => one !== undefined)
      return others.length === 0 ? shape : undefined
    }
    default:
      return undefined
  }
}

function* objectsIn(shape: Shape): Generator<ObjectShape> {
  if (shape === undefined) return
  if (shape._tag === "List") return yield* objectsIn(shape.item)
  yield shape
  for (const field of shape.fields.values()) yield* objectsIn(field)
}

interface Found {
  readonly path: Path
  readonly shape: ObjectShape
  readonly name: string
  /** Further objects of the same shape with the field. */
  more: number
}

/** `"active": false` instead of `"status": "inactive"`. */
const fieldWithValue = (name: string, { values }: ObjectShape): string | undefined => {
  const [found, ...others] = [...values].filter(([, texts]) => texts.has(name))
  return others.length === 0 ? found?.[0] : undefined
}

const messageOf = ({ more, name, shape }: Found, objects: ReadonlyArray<ObjectShape>): string => {
  const known = [...shape.fields.keys()]
  const likely = likelyField(name, known) ?? fieldWithValue(name, shape)
  const elsewhere = objects.find(({ fields }) => fields.has(name))
  if (known.length === 0) return "was ignored: the operation takes no body"
  const hint =
    elsewhere !== undefined
      ? `it is a field of ${elsewhere.place}`
      : likely !== undefined
        ? `did you mean ${likely}?`
        : `the fields of ${shape.place} are ${known.join(", ")}`
  const count = more === 0 ? "" : `, and ${more} more times`
  return `is not a field of ${shape.place} and was ignored${count}: ${hint}`
}

/** Returns one warning for each different unknown field of a shape, with the pointer of the first one. */
export const unknownFields = (schema: {
  readonly ast: SchemaAST.AST
}): ((request: unknown) => ReadonlyArray<Warning>) => {
  const root = shapeOf(SchemaAST.toType(schema.ast), "the request")
  const objects = [...objectsIn(root)]
  return (request) => {
    if (root === undefined) return []
    const found = new Map<ObjectShape, Map<string, Found>>()
    let count = 0
    const path: Array<PropertyKey> = []
    const report = (shape: ObjectShape, name: string) => {
      const ofShape = found.get(shape)
      const known = ofShape?.get(name)
      if (known !== undefined) known.more += 1
      else if (count < maxUnknownFields) {
        count += 1
        const first = { path: [...path, name], shape, name, more: 0 }
        if (ofShape === undefined) found.set(shape, new Map([[name, first]]))
        else ofShape.set(name, first)
      }
    }
    const visit = (value: unknown, shape: Shape): void => {
      if (shape === undefined || typeof value !== "object" || value === null) return
      if (shape._tag === "List") {
        if (!Array.isArray(value)) return
        for (const [index, item] of value.entries()) {
          path.push(index)
          visit(item, shape.item)
          path.pop()
        }
        return
      }
      for (const [name, field] of Object.entries(value)) {
        // null means absent
        if (field === null) continue
        if (!shape.fields.has(name)) {
          report(shape, name)
          continue
        }
        const inner = shape.fields.get(name)
        if (inner === undefined) continue
        path.push(name)
        visit(field, inner)
        path.pop()
      }
    }
    visit(request, root)
    return [...found.values()].flatMap((ofShape) =>
      [...ofShape.values()].map((each) => warning(pointer(each.path), "unknown_field", messageOf(each, objects))),
    )
  }
}
