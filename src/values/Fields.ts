/** Field types shared by the requests of hiring systems (contract, HTTP conventions). */
import { Schema, SchemaGetter, SchemaIssue } from "effect"

/** Hiring systems send null for what they leave out: null and absent are the same. */
export const optional = <S extends Schema.Top>(schema: S, description?: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate(description === undefined ? {} : { description }))

/** False for what JSON can say and Postgres can not keep: U+0000, and half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/**
 * A rule on a value: what programs (`code`) and people (`message`) are told of a value that breaks it (values/ValidationErrors.ts).
 */
export const rule = <A>(holds: (value: A) => boolean, code: string, message: string) =>
  Schema.makeFilter(holds, { code, message })

const unstorable = { code: "unstorable_text", message: "must not contain U+0000 or half of a surrogate pair" }
const unsafe = { code: "unsafe_number", message: "must be a number that a double holds as it is written (RFC 7493)" }

/** Text of any length. */
export const anyText = Schema.String.check(Schema.makeFilter(isStorable, unstorable))

/** Text of at most `most` Unicode code points. */
export const text = (most: number) =>
  anyText.check(Schema.isMaxCodePoints(most, { code: "too_long", message: `must have at most ${most} characters` }))

/** Text of at least `least` Unicode code points. */
export const textOfAtLeast = (least: number) =>
  anyText.check(Schema.isMinCodePoints(least, { code: "too_short", message: `must have at least ${least} characters` }))

/**
 * A list of at most `most` items. The length is checked before any item is decoded: a list that is too long is one fault, and
 * its items cost no time.
 */
export const list = <S extends Schema.Top>(item: S, most: number) => {
  const short = Schema.Array(Schema.Unknown).check(
    Schema.makeFilter((items: ReadonlyArray<unknown>) => items.length <= most, {
      code: "too_many",
      message: `must have at most ${most} items`,
      // shows the schema of the items in OpenAPI
      representation: {
        id: "interview-invitations/list",
        payload: { most },
        schemas: [Schema.toEncoded(item).ast],
      },
      toJsonSchema: ({ schemas }) => ({ items: schemas[0], maxItems: most }),
    }),
  )
  return short.pipe(
    Schema.decodeTo(Schema.Array(item), {
      // unchecked: the array's own schema decodes each item next
      decode: SchemaGetter.transform((items) => items as ReadonlyArray<S["Encoded"]>),
      encode: SchemaGetter.passthroughSupertype(),
    }),
  )
}

const int32 = { minimum: -2147483648, maximum: 2147483647 }

/** A JSON integer that a Postgres integer holds, from `least` on. */
export const integer = (least = int32.minimum) =>
  Schema.Number.check(
    Schema.isInt({ code: "wrong_type", message: "must be a whole number" }),
    Schema.isBetween(
      { ...int32, minimum: least },
      { code: "out_of_range", message: `must be from ${least} to ${int32.maximum}` },
    ),
  )

/** JSON.parse makes Infinity of 1e400, and 9007199254740992 of 9007199254740993. */
const isUnsafe = (value: number): boolean =>
  !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))

/** What of a JSON value would not come back as it came, each with its place below it. */
function* notKept(value: unknown, path: ReadonlyArray<PropertyKey> = []): Generator<Schema.FilterIssue> {
  const issue = (why: typeof unsafe) => ({ path, issue: new SchemaIssue.InvalidValue(why) })
  if (typeof value === "string" && !isStorable(value)) yield issue(unstorable)
  else if (typeof value === "number" && isUnsafe(value)) yield issue(unsafe)
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (isStorable(key)) yield* notKept(item, [...path, key])
      else yield issue(unstorable)
    }
  }
}

const kept = Schema.makeFilter((value: unknown) => [...notKept(value)])

/** Any JSON, kept and given back as it came. */
export const AnyJson = Schema.Json.check(kept)

/** Arbitrary metadata, kept and given back as it came. */
export const Attributes = Schema.Record(Schema.String, Schema.Json).check(kept)

/** An RFC 9562 UUID in any version and case; stored and answered in lower case. */
export const uuid = Schema.String.check(
  Schema.isPattern(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, {
    code: "invalid_uuid",
    message: "must be a UUID",
    format: "uuid",
  }),
)
