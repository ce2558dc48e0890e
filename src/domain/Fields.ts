/** Field types shared by the requests of hiring systems (contract, HTTP conventions). */
import { Schema } from "effect"

/** Hiring systems send null for what they leave out: null and absent are the same. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Text of at most `most` Unicode code points. */
export const text = (most: number) =>
  Schema.String.check(
    // UTF-16 has at least as many units as the text has code points, so counting is for long texts only
    Schema.makeFilter(
      (value) => value.length <= most || codePoints(value) <= most || `must have at most ${most} characters`,
    ),
  )

/** Text of at least `least` Unicode code points. */
export const textOfAtLeast = (least: number) =>
  Schema.String.check(
    Schema.makeFilter((value) => codePoints(value) >= least || `must have at least ${least} characters`),
  )

/** A JSON integer that a Postgres integer holds. */
export const integer = Schema.Int.check(Schema.isBetween({ minimum: -2147483648, maximum: 2147483647 }))

/** Arbitrary metadata, kept and given back as it came. */
export const Attributes = Schema.Record(Schema.String, Schema.Json)

/** An RFC 9562 UUID in any version and case; stored and answered in lower case. */
export const uuid = Schema.String.check(
  Schema.isPattern(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, { message: "must be a UUID" }),
)
