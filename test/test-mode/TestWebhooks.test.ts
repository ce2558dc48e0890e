/** Webhooks of test mode reach a receiver as those of live mode do, with the id of the test space (docs/test-mode.md). */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { verifyWebhook } from "../../src/sdk/VerifyWebhook.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { loopback } from "../port/receivers.ts"
import * as Api from "../support/Api.ts"
import * as Receiver from "../support/Receiver.ts"
import * as Scenario from "../support/Scenario.ts"
import { rounds } from "../support/Webhooks.ts"

const stage = Layer.unwrap(Effect.map(WebhookTransport, ({ post }) => Api.layer({ receive: post }))).pipe(
  Layer.provide(
    UndiciWebhookTransport.layer({ allowed: loopback, timeout: Duration.seconds(30), connectionsPerOrigin: 4 }),
  ),
)

layer(stage, { timeout: "60 seconds" })("webhooks of test mode", (it) => {
  it.effect("arrive signed, with the test space's id and without is_test, and none at live endpoints", () =>
    Effect.gen(function* () {
      const { id: live } = yield* Scenario.organization()
      const space = yield* (yield* Organizations).openTestSpace(operator(live))
      const { key } = yield* Api.keyOf(space)
      const receiver = yield* Receiver.start({ answer: () => Effect.succeed(204) })
      yield* Scenario.endpoint(live, { url: `${receiver.url}/live` })
      const { secret } = yield* Scenario.endpoint(space, { url: `${receiver.url}/test` })
      const { id } = yield* Api.results<{ id: string }>(201, "POST", Api.paths.createSet, {
        key,
        json: {
          title: "Baker",
          iai_questions: [{ content: "Why bread?", question_mode: "interview", question_type: "text" }],
          iai_requirements: [{ title: "Baking", cfg_importance_id: 273 }],
        },
      })
      const [invited] = yield* Api.results<ReadonlyArray<{ invitation: { id: string } }>>(
        200,
        "POST",
        Api.paths.invite,
        {
          key,
          json: { com_interview_set_id: id, candidates: [{ email: "bea@example.com" }] },
        },
      )
      yield* Api.results(200, "POST", `/company/integration/test/v1/invitations/${invited?.invitation.id}/complete`, {
        key,
      })
      yield* rounds
      assert.lengthOf(receiver.receiptsAt("/live"), 0)
      const receipts = receiver.receiptsAt("/test")
      const types: Array<string> = []
      for (const { body, headers } of receipts) {
        const now = new Date(Number(/t=(\d+)/.exec(String(headers["x-webhook-signature"]))?.[1]) * 1000)
        const event = yield* Effect.promise(() => verifyWebhook({ headers, body, secret: Redacted.value(secret), now }))
        assert.strictEqual(event.organization_id, Number(space))
        assert.notProperty(event, "is_test")
        types.push(event.event_type)
      }
      assert.includeMembers(types, ["interview.status.update"])
      assert.isAtLeast(receipts.length, 4)
    }),
  )
})
