/** The webhook receiver of `npm start`. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as App from "../../src/App.ts"
import * as ReceiverPages from "../../src/dev/ReceiverPages.ts"
import { OrganizationId } from "../../src/values/Ids.ts"
import { signatureHeaders, signingKey } from "../../src/webhooks/deliveries/Signature.ts"
import * as Api from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

// a fresh database numbers organizations from 1
const services = Api.Server.layer.pipe(
  Layer.provide(App.serve(ReceiverPages.layer({ organizationId: OrganizationId.make(1) }))),
  Layer.provideMerge(Pod.services({ settings: { PORT: "0" } })),
  Layer.provideMerge(TestDatabase.layer),
)

layer(services, { excludeTestServices: true })("The receiver of npm start", (it) => {
  it.effect("accepts deliveries of every endpoint with its URL, and of no other", () =>
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      assert.strictEqual(id, 1)
      const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const body = Buffer.from('{"event_type":"x","data":{}}')
      const deliver = Effect.fnUntraced(function* ({ secret }: { readonly secret: Redacted.Redacted }) {
        const headers = signatureHeaders({ eventId: "x", timestamp, body, keys: [signingKey(Redacted.value(secret))] })
        return (yield* Api.call("POST", "/receiver", { raw: body, headers })).status
      })
      const first = yield* Scenario.endpoint(id, { url: "https://interviews.example/receiver" })
      const second = yield* Scenario.endpoint(id, { url: "https://interviews.example/receiver" })
      const other = yield* Scenario.endpoint(id, { url: "https://interviews.example/hooks" })
      assert.strictEqual(yield* deliver(first), 204)
      assert.strictEqual(yield* deliver(second), 204)
      assert.strictEqual(yield* deliver(other), 401)
    }),
  )
})
