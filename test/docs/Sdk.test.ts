/** Runs the webhook receiver of docs/sdk.md for Node, and checks its list of events. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { survivesBadRequests } from "../support/receiverProcess.ts"
import { blocks } from "./pages.ts"

const root = join(import.meta.dirname, "../..")

it("names the type of every event, and the package exports them", () => {
  const read = (file: string) => readFileSync(join(root, file), "utf8")
  const [, union = ""] = /readonly WebhookEvent: (.+);/.exec(read("src/sdk/Contract.ts")) ?? []
  const [, listed = ""] = /a `WebhookEvent`:([^.]+)\./.exec(read("docs/sdk.md")) ?? []
  const types = [...union.matchAll(/\["(\w+Event)"\]/g)].map(([, name]) => name)
  assert.deepStrictEqual(
    [...listed.matchAll(/`(\w+Event)`/g)].map(([, name]) => name),
    types,
  )
  assert.isAtLeast(types.length, 4)
  const [, exported = ""] = /export type \{([^}]+)\} from ".\/Contract.ts"/.exec(read("src/sdk/VerifyWebhook.ts")) ?? []
  assert.includeMembers(exported.match(/\w+/g) ?? [], types)
})

it.effect("the receiver for Node survives requests that end early or are too large", () => {
  const found = blocks.filter(({ code, path }) => path === "docs/sdk.md" && code.includes("createServer("))
  assert.lengthOf(found, 1)
  const program = (found[0]?.code ?? "")
    .replace('"@interview-invitations/sdk/webhooks"', JSON.stringify(join(root, "src/sdk/VerifyWebhook.ts")))
    .replace('process.env.WEBHOOK_SECRET ?? ""', '"whsec_0123"')
    .replace(
      ".listen(3000)",
      '.listen(0, "127.0.0.1", function () { console.log("http://127.0.0.1:" + this.address().port) })',
    )
  const node = join(root, "node_modules/.bin/node")
  return survivesBadRequests(node, ["--input-type=module-typescript", "--eval", program])
})
