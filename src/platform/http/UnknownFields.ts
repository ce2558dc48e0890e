/**
 * Finds fields of a request body that its schema does not have, which decoding ignores, and suggests the fields that were
 * probably meant: in warnings of accepted requests, and in errors about missing fields. Objects with any keys
 * (`attributes`, `metadata`) have no unknown fields.
 */
import { SchemaAST } from "effect"
import { likelyField } from "../../values/LikelyField.ts"
import type { FieldError } from "../../values/Problem.ts"
import { keysOf, pointer } from "../../values/ValidationErrors.ts"
import { type Warning, warning } from "../../values/Warning.ts"

/** Different unknown fields of a request that are reported. Each is compared with all fields of its object. */
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

/** The field that was probably meant by an unknown one. */
const meantBy = (name: string, shape: ObjectShape): string | undefined =>
  likelyField(name, shape.fields.keys()) ?? fieldWithValue(name, shape)

const messageOf = ({ more, name, shape }: Found, objects: ReadonlyArray<ObjectShape>): string => {
  const known = [...shape.fields.keys()]
  const likely = meantBy(name, shape)
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

/** UTF-16 code units of an unknown field that an error names. */
const maxNamed = 100

/** An object of a request that lacks a field. */
interface Lacking {
  readonly object: object
  readonly shape: ObjectShape
  /** Undefined: one of the fields that the error's message names. */
  readonly field: string | undefined
}

/** The object in which `path` ends, or which it leads to. */
const lacking = (request: unknown, root: Shape, path: ReadonlyArray<string>): Lacking | undefined => {
  let shape = root
  let value = request
  for (const [index, key] of path.entries()) {
    if (shape === undefined || typeof value !== "object" || value === null) return undefined
    if (shape._tag === "Object" && index === path.length - 1) return { object: value, shape, field: key }
    value = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
    shape = shape._tag === "List" ? shape.item : shape.fields.get(key)
  }
  if (shape?._tag !== "Object" || typeof value !== "object" || value === null) return undefined
  return { object: value, shape, field: undefined }
}

/**
 * Returns the errors of a refused request, where those with the code `required` name the unknown field that was probably
 * meant. The message of a rule about several fields names them, so it gets the unknown field that means one of them.
 */
export const withMisspelt = (schema: {
  readonly ast: SchemaAST.AST
}): ((request: unknown, errors: ReadonlyArray<FieldError>) => ReadonlyArray<FieldError>) => {
  const root = shapeOf(SchemaAST.toType(schema.ast), "the request")
  return (request, errors) => {
    const compared = new Map<ObjectShape, Map<string, string | undefined>>()
    let count = 0
    const meant = (name: string, shape: ObjectShape): string | undefined => {
      const ofShape = compared.get(shape) ?? new Map<string, string | undefined>()
      compared.set(shape, ofShape)
      if (!ofShape.has(name) && count < maxUnknownFields) {
        count += 1
        ofShape.set(name, meantBy(name, shape))
      }
      return ofShape.get(name)
    }
    return errors.map((error) => {
      const found = error.code === "required" ? lacking(request, root, keysOf(error.pointer)) : undefined
      if (found === undefined) return error
      const { field, object, shape } = found
      const given = new Map(Object.entries(object).filter(([, value]) => value !== null))
      const candidates = new Set([field, ...(error.message.match(/\w+/g) ?? [])])
      for (const name of given.keys()) {
        if (shape.fields.has(name) || name.length > maxNamed) continue
        const likely = meant(name, shape)
        if (likely === undefined || given.has(likely) || !candidates.has(likely)) continue
        const message = `${error.message}; ${name} is not a field of ${shape.place}: did you mean ${likely}?`
        return { ...error, message }
      }
      return error
    })
  }
}
