import { assert, describe, it } from "@effect/vitest"
import { reserved, unknownEvent } from "../../src/webhooks/events/UnknownEvent.ts"
import { subscriptions } from "../../src/webhooks/events/WebhookEvent.ts"
import { testable } from "../../src/webhooks/events/WebhookSample.ts"

const message = (name: string) => unknownEvent("#/events", name, subscriptions).message

describe("unknownEvent", () => {
  it.each([
    ["interview.status.updated", "interview.status.update"],
    ["Interview.Status.Update.Completed", "interview.status.update.completed"],
    ["completed", "interview.status.update.completed"],
    ["interview.status.complete", "interview.status.update"],
    ["spam", "invitation.status.update.invitation_email_spam"],
  ])("suggests a name for %s", (name, meant) => {
    assert.strictEqual(message(name), `${name} is not an event or sub-event; did you mean ${meant}?`)
  })

  it.each(["nothing", "*", "x".repeat(100_000)])("suggests nothing for other names", (name) => {
    assert.strictEqual(message(name), `${name} is not an event or sub-event`)
  })

  it("quotes an empty name", () => assert.strictEqual(message(""), '"" is not an event or sub-event'))
})

describe("the reserved sub-event", () => {
  it("can be subscribed to but not tested", () => {
    assert.include(subscriptions, reserved)
    assert.deepStrictEqual(
      subscriptions.filter((name) => !testable.includes(name)),
      [reserved],
    )
  })
})
