import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { type components, routes } from "../../src/sdk/Contract.ts"
import { createClient } from "../../src/sdk/SdkClient.ts"

type Schemas = components["schemas"]

const root = join(import.meta.dirname, "../..")

it("src/sdk/Contract.ts is what npm run docs writes", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "test/docs/sdkContract.ts"), "--print"])
  // strictEqual would print both files
  assert.isTrue(readFileSync(join(root, "src/sdk/Contract.ts"), "utf8") === stdout, "run npm run docs")
})

it("types have as many extensible enums as the document", () => {
  const document = JSON.stringify(OpenApi.fromApi(Api))
  const types = readFileSync(join(root, "src/sdk/Contract.ts"), "utf8")
  const count = document.split('"x-extensible-enum":').length - 1
  assert.isAbove(count, 3)
  assert.lengthOf(types.split("(string & {})"), count + 1)
})

it("extensible enums accept later values, and null only where the document does", () => {
  const scopes: Schemas["ApiKey"]["scopes"] = ["read", "a_later_scope"]
  const reasons: ReadonlyArray<Schemas["Invitation"]["failure_reason"]> = ["bounce", "a_later_reason", null]
  // @ts-expect-error: a problem has a code
  const code: Schemas["Problem"]["code"] = null
  assert.deepStrictEqual([scopes.length, reasons.length, code], [2, 3, null])
})

it("the client has a method for each operation, and readEvents", () => {
  const methods = Object.keys(createClient({ url: "https://interviews.example", apiKey: "k.secret" }))
  assert.sameMembers(methods, [...Object.keys(routes), "readEvents"])
})
