/**
 * The form of a request, from the request's schema: names and labels of inputs (values/Fields.ts `labelsOf`), the request that
 * they make, errors beside them.
 */
import { type Schema, SchemaAST } from "effect"
import { labelsOf } from "../../values/Fields.ts"
import type { FieldError } from "../../values/Problem.ts"
import { type FieldErrors, fieldErrors } from "./FormControls.ts"
import type { Form } from "./Forms.ts"

/** The texts of inputs, as typed. Lists have inputs of one name, lists of objects have rows of inputs (`headers.0.name`). */
export type FormTexts<Request> = { readonly [Name in keyof Request]-?: Texts<NonNullable<Request[Name]>> }
type Texts<Value> = Value extends ReadonlyArray<infer Item> ? ReadonlyArray<ItemTexts<Item>> : string
type ItemTexts<Item> = Item extends string | number ? string : FormTexts<Item>

type Row = Readonly<Record<string, string>>
type AnyTexts = Readonly<Record<string, string | ReadonlyArray<string | Row>>>

interface Field extends ReturnType<typeof labelsOf> {
  readonly isRequired: boolean
  readonly isNumber: boolean
  readonly isList: boolean
  /** Of the objects of a list. */
  readonly fields: ReadonlyArray<Field>
}

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<Field> =>
  ast._tag !== "Objects"
    ? []
    : ast.propertySignatures.map((property) => {
        const { type } = property
        const value = type._tag === "Union" ? type.types.find(({ _tag }) => _tag !== "Null") : type
        const item = value?._tag === "Arrays" ? value.rest[0] : undefined
        return {
          ...labelsOf(property),
          isRequired: !SchemaAST.isOptional(type),
          isNumber: (item ?? value)?._tag === "Number",
          isList: item !== undefined,
          fields: item === undefined ? [] : fieldsOf(item),
        }
      })

/** The inputs of a request. */
export const formFields = (schema: Schema.Top) => fieldsOf(SchemaAST.toType(schema.ast))

const isRow = (item: string | Row): item is Row => typeof item !== "string"

/** Positions in the form of the rows that have a text. */
const filledRows = (texts: AnyTexts[string] = []): ReadonlyArray<number> =>
  [...texts].flatMap((row, at) => (isRow(row) && Object.values(row).some((text) => text.trim() !== "") ? [at] : []))

/** Another text than a number stays for the schema to refuse. */
const valueOf = ({ isNumber }: Field, text: string): unknown =>
  isNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text

const requestOf = (fields: ReadonlyArray<Field>, texts: AnyTexts): object =>
  Object.fromEntries(
    fields.flatMap((field): ReadonlyArray<readonly [string, unknown]> => {
      const given = texts[field.name] ?? ""
      if (typeof given === "string") {
        const text = given.trim()
        return text === "" && !field.isRequired ? [] : [[field.name, valueOf(field, text)]]
      }
      const filled = filledRows(given)
      const items = given.flatMap((item, at) => {
        if (!isRow(item)) return [valueOf(field, item)]
        return filled.includes(at) ? [requestOf(field.fields, item)] : []
      })
      return [[field.name, items]]
    }),
  )

const textsOf = (fields: ReadonlyArray<Field>, record: Readonly<Record<string, unknown>>): AnyTexts =>
  Object.fromEntries(
    fields.map(({ fields: inner, isList, name }) => {
      const value = record[name]
      const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
      const text = (item: unknown) => (inner.length === 0 ? String(item) : (textsOf(inner, Object(item)) as Row))
      return [name, isList ? items.map(text) : String(value ?? "")]
    }),
  )

const rowNumbers = (form: Form, list: string): ReadonlyArray<string> => {
  const row = new RegExp(`^${list}\\.(\\d{1,4})\\.`)
  return [...new Set(form.flatMap(([name]) => row.exec(name)?.[1] ?? []))]
}

export const requestForm = <S extends Schema.Top>(schema: S) => {
  const fields = formFields(schema)
  type Typed = FormTexts<S["Type"]>
  return {
    /** The texts of a posted form; "" and [] for fields that it lacks. Rows are in the order in which they were sent. */
    read: (form: Form): Typed => {
      const sent = Map.groupBy(form, ([name]) => name)
      const all = (name: string) =>
        (sent.get(name) ?? []).map(([, text]) => text.replaceAll("\r\n", "\n").toWellFormed())
      const texts = (some: ReadonlyArray<Field>, prefix: string): AnyTexts =>
        Object.fromEntries(
          some.map(({ fields: inner, isList, name }) => {
            if (inner.length === 0) return [name, isList ? all(prefix + name) : (all(prefix + name)[0] ?? "")]
            return [name, rowNumbers(form, name).map((number) => texts(inner, `${name}.${number}.`) as Row)]
          }),
        )
      return texts(fields, "") as Typed
    },

    /** The texts of a stored record; of `{}`, those of an empty form. */
    textsOf: (record: { readonly [Name in keyof S["Type"]]?: unknown }): Typed => textsOf(fields, record) as Typed,

    /** The request, not decoded yet: without empty rows and empty optional texts, with numbers where the texts are numbers. */
    requestOf: (texts: Typed) => requestOf(fields, texts as AnyTexts) as S["Type"],

    /** Errors of the request, by the input's name: that of the row for an error in a list of objects, else of the list. */
    errorsOf: (texts: Typed, errors: ReadonlyArray<FieldError>): FieldErrors => {
      const given = texts as AnyTexts
      const inputOf = ({ pointer }: FieldError) => {
        const [, list = "", index, name] = pointer.split("/")
        return name === undefined ? list : `${list}.${filledRows(given[list])[Number(index)]}.${name}`
      }
      const subjects = fields.flatMap(({ fields: inner, name, subject }) => [
        [name, subject],
        ...filledRows(given[name]).flatMap((at) => inner.map((part) => [`${name}.${at}.${part.name}`, part.subject])),
      ])
      const ofInputs = errors.map((error) => ({ ...error, pointer: `#/${inputOf(error)}` }))
      return fieldErrors(ofInputs, Object.fromEntries(subjects))
    },

    /** Options of the `field` for a text of the request. */
    input: (name: keyof S["Type"] & string, texts: Typed, errors: FieldErrors) => {
      const { isRequired = false, label = name } = fields.find((field) => field.name === name) ?? {}
      return { name, label, isRequired, value: String(texts[name]), errors }
    },
  }
}
