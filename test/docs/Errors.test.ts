/** Checks that docs/errors.md lists exactly the errors and warnings of the code. */
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import type { Document } from "../../src/api-reference/OpenApiDocument.ts"
import { problemOf } from "../../src/platform/http/ProblemApi.ts"
import { fieldErrorCodes } from "../../src/values/Problem.ts"
import { warningCodes } from "../../src/values/Warning.ts"
import { pageAt } from "./pages.ts"

const { components }: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

const [, problems = "", fields = "", warnings = ""] = pageAt("docs/errors.md").split(/^## /m)

const codesOf = (section: string) => [...section.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, code]) => code)

describe("docs/errors.md", () => {
  it("lists exactly the statuses and codes of problems", () => {
    const listed = [...problems.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`)
    const documented = Object.values(components.responses).flatMap(({ content }) =>
      Object.values(content ?? {}).flatMap(({ examples }) =>
        Object.values(examples ?? {}).map(({ value }) => value as { readonly status: number; readonly code: string }),
      ),
    )
    const answered = [...documented, problemOf(405), problemOf(431)]
    assert.sameMembers(listed, [...new Set(answered.map(({ code, status }) => `${status} ${code}`))])
    const codes = [...new Set(answered.map(({ code }) => code))]
    assert.sameMembers(components.schemas["Problem"]?.properties?.["code"]?.enum?.map(String) ?? [], codes)
    // statuses without a row of their own use known codes
    for (const status of [418, 507]) assert.include(codes, problemOf(status).code)
  })

  it("lists exactly the codes of validation errors and of warnings", () => {
    assert.sameMembers(codesOf(fields), [...fieldErrorCodes])
    assert.sameMembers(codesOf(warnings), [...warningCodes])
  })

  it("says to retry exactly the errors after which the same request can succeed", () => {
    const retried = [...problems.matchAll(/^\| \d{3} \| `(\w+)` \|.*\| yes[^|]*\|$/gm)].map(([, code]) => code)
    assert.deepStrictEqual(retried, [
      "request_timeout",
      "request_in_progress",
      "rate_limited",
      "internal_error",
      "unavailable",
    ])
  })
})
