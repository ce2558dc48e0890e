/** Projections of results: the same as encoding them with their schema, in values and in the order of fields. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { InterviewSetDetail } from "../../../src/interview-sets/InterviewSet.ts"
import { InviteResult } from "../../../src/invitations/InviteResult.ts"
import { projection } from "../../../src/platform/http/Projection.ts"
import { SubmissionDetail } from "../../../src/submissions/SubmissionDetail.ts"

/** The value with a field that its schema does not have in each of its objects, as stored JSON may have. */
const withMore = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withMore)
  if (typeof value !== "object" || value === null) return value
  return { more: 1, ...Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withMore(field)])) }
}

describe("a projection", () => {
  const schemas: ReadonlyArray<readonly [string, Schema.Codec<unknown, unknown>]> = [
    ["a submission", Schema.revealCodec(SubmissionDetail)],
    ["an interview set", Schema.revealCodec(InterviewSetDetail)],
    ["the results of an invite", Schema.revealCodec(Schema.Array(InviteResult))],
  ]
  for (const [name, schema] of schemas) {
    const encode = Schema.encodeSync(schema)
    const project = projection(schema)
    it.effect.prop(
      `of ${name} has the text of its encoding`,
      [schema],
      ([value]) => Effect.sync(() => assert.strictEqual(JSON.stringify(project(value)), JSON.stringify(encode(value)))),
      { arbitrary: { runs: 200 } },
    )
  }

  it.effect.prop(
    "leaves out what the schema does not have, also in lists",
    [SubmissionDetail],
    ([detail]) =>
      Effect.sync(() => {
        const stored = withMore(detail) as SubmissionDetail
        // any keys are allowed in metadata
        const { metadata } = detail.candidate
        const projected = projection(SubmissionDetail)({ ...stored, candidate: { ...stored.candidate, metadata } })
        assert.strictEqual(JSON.stringify(projected), JSON.stringify(Schema.encodeSync(SubmissionDetail)(detail)))
      }),
    { arbitrary: { runs: 50 } },
  )

  it("is refused for a schema that changes values, and for a union of objects", () => {
    assert.throws(() => projection(Schema.NumberFromString), "a transformation")
    assert.throws(() => projection(Schema.Struct({ at: Schema.NumberFromString })), "a transformation")
    assert.throws(
      () => projection(Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.String })])),
      "a union of objects",
    )
    assert.throws(() => projection(Schema.Date), "values of its own kind")
  })
})
