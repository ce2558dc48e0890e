/** Checks the table of events in docs/webhooks.md against the events of the code. */
import { assert, it } from "@effect/vitest"
import { catalogue, eventTypes } from "../../src/webhooks/WebhookEvent.ts"
import { pageAt } from "./pages.ts"

it("docs/webhooks.md explains every event and every status, in the order of the code", () => {
  const [, section = ""] = /^## What each event means\n([\s\S]*?)\n\n[^|]/m.exec(pageAt("docs/webhooks.md")) ?? []
  assert.deepStrictEqual(
    [...section.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name),
    eventTypes.flatMap((type) => [type, ...catalogue[type].statuses.map(({ name }) => name)]),
  )
})
