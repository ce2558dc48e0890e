/** What every answer and every list of the API share. */
import { Schema } from "effect"
import { pageLimit } from "../../values/Page.ts"

/** A success body. */
export const results = <S extends Schema.Top>(schema: S) => Schema.Struct({ results: schema })

/** One page of a list. */
export const page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    results: Schema.Array(item),
    next_cursor: Schema.NullOr(Schema.String).annotate({
      description: "Send it as cursor for the next page; null: this is the last one",
    }),
  })

/** A query parameter that may be left out. */
export const parameter = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description })

/** Query parameters of every list. */
export const pageQuery = {
  limit: parameter(
    Schema.String.check(Schema.isPattern(/^[0-9]{1,9}$/, { code: "wrong_type", message: "must be a whole number" }))
      .pipe(Schema.decodeTo(Schema.NumberFromString))
      .check(
        Schema.isInt(),
        Schema.isBetween(
          { minimum: pageLimit.least, maximum: pageLimit.most },
          { code: "out_of_range", message: `must be from ${pageLimit.least} to ${pageLimit.most}` },
        ),
      ),
    `Records on a page, ${pageLimit.least} to ${pageLimit.most}; ${pageLimit.usual} when left out`,
  ),
  cursor: parameter(Schema.String, "next_cursor of the page before"),
}
