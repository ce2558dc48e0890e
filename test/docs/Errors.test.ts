/** Checks that docs/errors.md lists exactly the errors of the code; test/api-reference/OpenApi.test.ts checks the guide. */
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import type { Document } from "../../src/api-reference/OpenApiDocument.ts"
import { problemCatalogue } from "../../src/api-reference/ProblemCatalogue.ts"
import { fieldErrorCodes } from "../../src/values/Problem.ts"
import { warningCodes } from "../../src/values/Warning.ts"
import { errorsPage, errorTables } from "./errors.ts"

const { components }: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

describe("docs/errors.md", () => {
  it("is what npm run docs writes", () =>
    assert.strictEqual(errorsPage().written.trim(), errorTables().trim(), "run npm run docs"))

  it("lists exactly the codes of problems, of validation errors and of warnings", () => {
    const [problems = "", fields = "", warnings = ""] = errorsPage().written.split(/## Validation errors|## Warnings/)
    const listed = [...problems.matchAll(/^\| \d{3} \| `(\w+)` \|/gm)].map(([, code]) => code)
    assert.sameMembers(listed, components.schemas["Problem"]?.properties?.["code"]?.enum?.map(String) ?? [])
    assert.sameMembers(
      [...fields.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code),
      [...fieldErrorCodes],
    )
    assert.sameMembers(
      [...warnings.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code),
      [...warningCodes],
    )
  })

  it("says to retry exactly the errors after which the same request can succeed", () => {
    const retried = problemCatalogue.filter(({ retry }) => retry.startsWith("yes")).map(({ code }) => code)
    assert.deepStrictEqual(retried, [
      "request_timeout",
      "request_in_progress",
      "rate_limited",
      "internal_error",
      "unavailable",
    ])
  })
})
