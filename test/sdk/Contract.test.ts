import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { routes } from "../../src/sdk/Contract.ts"
import { createClient } from "../../src/sdk/SdkClient.ts"

const root = join(import.meta.dirname, "../..")

it("src/sdk/Contract.ts is what npm run docs writes", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "test/docs/sdkContract.ts"), "--print"])
  // strictEqual would print both files
  assert.isTrue(readFileSync(join(root, "src/sdk/Contract.ts"), "utf8") === stdout, "run npm run docs")
})

it("the client has a method for each operation, and readEvents", () => {
  const methods = Object.keys(createClient({ url: "https://interviews.example", apiKey: "" }))
  assert.sameMembers(methods, [...Object.keys(routes), "readEvents"])
})
