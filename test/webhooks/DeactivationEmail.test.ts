import { assert, describe, it } from "@effect/vitest"
import { EndpointId, OrganizationId } from "../../src/values/Ids.ts"
import { renderDeactivation, renderRecovery } from "../../src/webhooks/endpoints/DeactivationEmail.ts"

const endpoint = {
  id: EndpointId.make("0190b5a2-7c1e-7def-8abc-0123456789ab"),
  organization_id: OrganizationId.make(1),
  name: "ATS <main>",
  url: "https://receiver.example/?a=1&b=2",
  last_error: "The receiver answered 503",
  inactive_reason: "failures",
  consecutive_failures: 15,
  next: "nothing",
  appUrl: "https://app.example",
  unsubscribeUrl: "https://app.example/notifications/x/webhooks",
} as const

const link = `https://app.example/settings/webhooks/${endpoint.id}`

describe("renderDeactivation", () => {
  it("names the endpoint, its last error and its page", () => {
    const { html, subject, text } = renderDeactivation(endpoint)
    assert.strictEqual(subject, "Webhook deactivated: ATS <main>")
    assert.strictEqual(
      text,
      `The webhook “ATS <main>” (https://receiver.example/?a=1&b=2) failed 15 times in a row and was deactivated.

The last error: The receiver answered 503.

Its deliveries are paused, not lost. Fix the receiver or the address, then activate the webhook on its page and send them:

${link}

--
Get no more such emails
https://app.example/notifications/x/webhooks
`,
    )
    for (const part of ["ATS &lt;main&gt;", "?a=1&amp;b=2", "answered 503", `<a href="${link}">`]) {
      assert.include(html, part)
    }
  })

  it("says that the service keeps trying", () => {
    assert.include(
      renderDeactivation({ ...endpoint, next: "probes" }).text,
      "The service keeps trying with one delivery",
    )
  })

  it("gives 410 Gone as the reason, without a count", () => {
    const { text } = renderDeactivation({ ...endpoint, inactive_reason: "gone" })
    assert.include(text, "the receiver answered 410 Gone")
    assert.notInclude(text, "in a row")
  })

  it("leaves out a missing error", () => {
    assert.notInclude(renderDeactivation({ ...endpoint, last_error: null, consecutive_failures: 1 }).text, "last error")
  })
})

describe("renderRecovery", () => {
  it("says that the webhook is active again", () => {
    const { subject, text } = renderRecovery(endpoint)
    assert.strictEqual(subject, "Webhook works again: ATS <main>")
    assert.include(text, "is active again")
    assert.include(text, link)
  })
})
