/** Field types of API requests (docs/api.md). */
import { Schema, type SchemaAST, SchemaGetter, SchemaIssue } from "effect"
import { type FieldError, type FieldErrorCode, fieldError } from "./Problem.ts"

/** null means absent. */
export const optional = <S extends Schema.Top>(schema: S, description?: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))

/**
 * What pages call a field of a request: `label` beside its input or value, `subject` in sentences about its errors. Annotations
 * of the field's key: `title`, and `subject` where it is not "The title".
 */
export const labelsOf = ({ name, type }: SchemaAST.PropertySignature) => {
  const { title = name, subject = `The ${String(title).toLowerCase()}` } = type.context?.annotations ?? {}
  return { name: String(name), label: String(title), subject: String(subject) }
}

/** The labels of each field of a struct. */
export const fieldLabels = ({ ast }: { readonly ast: SchemaAST.AST }) =>
  ast._tag === "Objects" ? ast.propertySignatures.map(labelsOf) : []

/** Postgres stores neither U+0000 nor half of a surrogate pair. */
export const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes("\0")

/** The text without what Postgres does not store: U+0000 is left out, half a surrogate pair becomes U+FFFD. */
export const storable = (value: string): string => value.replaceAll("\0", "").toWellFormed()

const isLine = (value: string): boolean => isStorable(value) && !/\p{Cc}/u.test(value)

export const rule = <A>(holds: (value: A) => boolean, code: FieldErrorCode, message: string) =>
  Schema.makeFilter(holds, { code, message })

const unstorable = { code: "unstorable_text", message: "must not contain U+0000 or half of a surrogate pair" }
const unsafe = { code: "unsafe_number", message: "must be a number that a double represents exactly (RFC 7493)" }

/** Checks the text of a form. `least` and `most`: code points without white space around the text. */
export const textErrors = (
  pointer: string,
  value: string,
  { least = 0, most }: { readonly least?: number; readonly most: number },
): ReadonlyArray<FieldError> => {
  const length = [...value.trim()].length
  if (length < least) return [fieldError(pointer, "too_short", `must have at least ${least} characters`)]
  if (length > most) return [fieldError(pointer, "too_long", `must have at most ${most} characters`)]
  return isStorable(value) ? [] : [fieldError(pointer, "unstorable_text", unstorable.message)]
}

/** Checks a trimmed text of one line, such as a name: line breaks would end mail headers and log lines. `most`: code points. */
export const lineErrors = (
  pointer: string,
  value: string,
  { isRequired, most }: { readonly isRequired: boolean; readonly most: number },
): ReadonlyArray<FieldError> => {
  if (value === "") return isRequired ? [fieldError(pointer, "required", "must not be blank")] : []
  if ([...value].length > most) return [fieldError(pointer, "too_long", `must have at most ${most} characters`)]
  return isLine(value) ? [] : [fieldError(pointer, "unstorable_text", "contains characters that cannot be stored")]
}

export const anyText = Schema.String.check(Schema.makeFilter(isStorable, unstorable))

/** `max`: Unicode code points. */
export const text = (max: number) =>
  anyText.check(Schema.isMaxCodePoints(max, { code: "too_long", message: `must have at most ${max} characters` }))

/** A text of one line, such as a name: line breaks would end mail headers and log lines. `max`: Unicode code points. */
export const line = (max: number) =>
  Schema.String.check(
    Schema.isMaxCodePoints(max, { code: "too_long", message: `must have at most ${max} characters` }),
    rule(isLine, "unstorable_text", "must not contain control characters"),
  )

/** `min`: Unicode code points. */
export const textOfAtLeast = (min: number) =>
  anyText.check(Schema.isMinCodePoints(min, { code: "too_short", message: `must have at least ${min} characters` }))

/** Checks the length before the items: a list that is too long is one error and takes no time. */
export const list = <S extends Schema.Top>(item: S, max: number) => {
  const short = Schema.Array(Schema.Unknown).check(
    Schema.makeFilter((items: ReadonlyArray<unknown>) => items.length <= max, {
      code: "too_many",
      message: `must have at most ${max} items`,
      representation: {
        id: "interview-invitations/list",
        payload: { max },
        schemas: [Schema.toEncoded(item).ast],
      },
      toJsonSchema: ({ schemas }) => ({ items: schemas[0], maxItems: max }),
    }),
  )
  return short.pipe(
    Schema.decodeTo(Schema.Array(item), {
      decode: SchemaGetter.transform((items) => items as ReadonlyArray<S["Encoded"]>),
      encode: SchemaGetter.passthroughSupertype(),
    }),
  )
}

const int32 = { minimum: -2147483648, maximum: 2147483647 }

export const integer = (min = int32.minimum, max = int32.maximum) =>
  Schema.Number.check(
    Schema.isInt({ code: "wrong_type", message: "must be a whole number" }),
    Schema.isBetween(
      { minimum: min, maximum: max },
      { code: "out_of_range", message: `must be from ${min} to ${max}` },
    ),
  )

export const outOf10 = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10 }))

/** JSON.parse returns Infinity for 1e400, and 9007199254740992 for 9007199254740993. */
const isUnsafe = (value: number): boolean =>
  !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))

function* unstorableValues(value: unknown, path: ReadonlyArray<PropertyKey> = []): Generator<Schema.FilterIssue> {
  const issue = (why: typeof unsafe) => ({ path, issue: new SchemaIssue.InvalidValue(why) })
  if (typeof value === "string" && !isStorable(value)) yield issue(unstorable)
  else if (typeof value === "number" && isUnsafe(value)) yield issue(unsafe)
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (isStorable(key)) yield* unstorableValues(item, [...path, key])
      else yield issue(unstorable)
    }
  }
}

const kept = Schema.makeFilter((value: unknown) => [...unstorableValues(value)])

export const AnyJson = Schema.Json.check(kept)

export const Attributes = Schema.Record(Schema.String, Schema.Json).check(kept)

/** RFC 9562, any version and case. */
export const uuidWith = (message: string) =>
  Schema.String.check(
    Schema.isPattern(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, {
      code: "invalid_uuid",
      message,
      format: "uuid",
    }),
  )

export const uuid = uuidWith("must be a UUID")
