/** Texts of responses whose values may grow within v1 (docs/api.md). */
import { Schema } from "effect"

/**
 * Accepts any text, so that clients of this version can read values of later versions. /openapi.json lists `values` as
 * `enum` and as `x-extensible-enum`.
 */
export const extensibleEnum = (values: ReadonlyArray<string>) =>
  Schema.String.check(
    Schema.makeFilter((_: string) => true, {
      representation: { id: "interview-invitations/extensibleEnum", payload: { values } },
      toJsonSchema: () => ({ enum: values, "x-extensible-enum": values }),
    }),
  )
