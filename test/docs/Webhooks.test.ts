/** Checks the table of events and the test vector of docs/webhooks.md against the code. */
import { assert, it } from "@effect/vitest"
import { signatureHeaders, signingKey } from "../../src/webhooks/deliveries/Signature.ts"
import { catalogue, eventTypes } from "../../src/webhooks/events/WebhookEvent.ts"
import { codeWith, pageAt } from "./pages.ts"

it("docs/webhooks.md explains every event and every status, in the order of the code", () => {
  const [, section = ""] = /^## What each event means\n([\s\S]*?)\n\n[^|]/m.exec(pageAt("docs/webhooks.md")) ?? []
  assert.deepStrictEqual(
    [...section.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name),
    eventTypes.flatMap((type) => [type, ...catalogue[type].statuses.map(({ name }) => name)]),
  )
})

it("docs/webhooks.md has a test vector with the signature that the service sends", () => {
  const [secret = "", body = "", signature = ""] = codeWith("docs/webhooks.md", "\nt=").split("\n")
  const timestamp = Number(/t=(\d+)/.exec(signature)?.[1])
  const headers = signatureHeaders({ eventId: "", timestamp, body: Buffer.from(body), keys: [signingKey(secret)] })
  assert.strictEqual(headers["x-webhook-signature"], signature)
})
