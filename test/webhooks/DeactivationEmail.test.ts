import { assert, describe, it } from "@effect/vitest"
import { EndpointId, OrganizationId } from "../../src/values/Ids.ts"
import { renderDeactivation } from "../../src/webhooks/DeactivationEmail.ts"

const endpoint = {
  id: EndpointId.make("0190b5a2-7c1e-7def-8abc-0123456789ab"),
  organization_id: OrganizationId.make(1),
  name: "ATS <main>",
  url: "https://receiver.example/?a=1&b=2",
  last_error: "The receiver answered 503",
}

describe("renderDeactivation", () => {
  it("names the endpoint, its last error and the command to enable it", () => {
    const { html, subject, text } = renderDeactivation(endpoint, 15)
    assert.strictEqual(subject, "Webhook deactivated: ATS <main>")
    assert.strictEqual(
      text,
      `The webhook “ATS <main>” (https://receiver.example/?a=1&b=2) failed 15 times in a row and was deactivated.

The last error: The receiver answered 503.

Its deliveries are paused. Fix the receiver, then activate the webhook and send them with this command:

webhook enable 0190b5a2-7c1e-7def-8abc-0123456789ab --send-parked
`,
    )
    for (const part of ["ATS &lt;main&gt;", "?a=1&amp;b=2", "answered 503", `${endpoint.id} --send-parked`]) {
      assert.include(html, part)
    }
  })

  it("leaves out a missing error", () => {
    assert.notInclude(renderDeactivation({ ...endpoint, last_error: null }, 1).text, "last error")
  })
})
