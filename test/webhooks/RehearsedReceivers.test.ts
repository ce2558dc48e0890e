/** The receivers of the guides, of the demo and of `npm start` pass a rehearsal. */
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { startReceiver } from "../../docs/quickstart/receiver.ts"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import * as Demo from "../../src/cli/demo/Receiver.ts"
import * as ReceiverPages from "../../src/dev/ReceiverPages.ts"
import { Samples } from "../../src/sample/Samples.ts"
import { OrganizationId } from "../../src/values/Ids.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { Rehearsals } from "../../src/webhooks/rehearsals/Rehearsals.ts"
import { blocks } from "../docs/pages.ts"
import { loopback, receiver } from "../port/receivers.ts"
import * as Api from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import { start } from "../support/receiverProcess.ts"
import * as Scenario from "../support/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const root = join(import.meta.dirname, "../..")
const node = join(root, "node_modules/.bin/node")
const sdk = join(root, "src/sdk/VerifyWebhook.ts")

// a fresh database numbers organizations from 1
const services = Layer.unwrap(
  Effect.map(WebhookTransport, ({ post }) =>
    Api.Server.layer.pipe(
      Layer.provide(App.serve(ReceiverPages.layer({ organizationId: OrganizationId.make(1) }))),
      Layer.provideMerge(Pod.services({ receive: post, settings: { PORT: "0" } })),
      Layer.provideMerge(TestDatabase.layer),
    ),
  ),
).pipe(
  Layer.provide(
    UndiciWebhookTransport.layer({ allowed: loopback, timeout: Duration.seconds(30), connectionsPerOrigin: 40 }),
  ),
)

/** `urlOf` starts the receiver, which knows the secret. */
const passes = Effect.fnUntraced(function* <E, R>(
  urlOf: (secret: string) => Effect.Effect<string, E, R>,
  organization?: OrganizationId,
) {
  const owner = organization ?? (yield* Scenario.organization()).id
  const { id, secret } = yield* Scenario.endpoint(owner)
  const url = yield* urlOf(Redacted.value(secret))
  yield* (yield* Endpoints).update(operator(owner), id, { url })
  const rehearsals = yield* Rehearsals
  const rehearsal = yield* rehearsals.begin(operator(owner), id)
  yield* Effect.repeat(rehearsals.stepOne(rehearsal), { while: (done) => done > 0 })
  const { counts, steps } = yield* rehearsals.find(operator(owner), id, rehearsal)
  assert.deepStrictEqual(
    steps
      .filter(({ result }) => result === "failed" || result === "warning")
      .map(({ finding, name }) => [name, finding]),
    [],
  )
  assert.deepInclude(counts, { passed: 12, skipped: 1 })
})

const codeOf = (path: string, part: string): string => {
  const found = blocks.filter((block) => block.path === path && block.code.includes(part))
  assert.lengthOf(found, 1)
  return found[0]?.code ?? ""
}

/** A program that prints the URL of a node:http server called `server`. */
const program = (code: string) =>
  Effect.map(start(node, ["--input-type=module-typescript", "--eval", code]), ({ url }) => url)

const listening = `server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port))`

layer(services, { excludeTestServices: true })("a rehearsal is passed by the receiver", (it) => {
  it.effect("of npm start", () =>
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      assert.strictEqual(id, 1)
      const { url } = yield* Api.Server
      yield* passes(() => Effect.succeed(`${url}/receiver`), id)
    }),
  )

  it.effect("of the sample of npm start", () =>
    Effect.gen(function* () {
      const { url } = yield* Api.Server
      const sample = yield* (yield* Samples).create
      yield* passes(() => Effect.succeed(`${url}${ReceiverPages.sampleReceiverPath}`), sample)
    }),
  )

  it.effect("of the demo", () =>
    passes((secret) =>
      Effect.map(Demo.startReceiver, (demo) => {
        demo.setSecret(Redacted.make(secret))
        return demo.url
      }),
    ),
  )

  it.effect("of the quickstart in TypeScript", () =>
    passes((secret) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.promise(() => startReceiver(0)),
          (quickstart) => Effect.sync(quickstart.close),
        ),
        (quickstart) => {
          quickstart.setSecret(secret)
          return quickstart.url
        },
      ),
    ),
  )

  it.effect("of the quickstart in Python", () =>
    passes((secret) =>
      Effect.map(
        start("python3", [
          "-c",
          `import sys, time
sys.path.insert(0, ${JSON.stringify(join(root, "docs/quickstart"))})
sys.dont_write_bytecode = True
from receiver import Receiver
receiver = Receiver(0)
receiver.listen(${JSON.stringify(secret)})
print(receiver.url, flush=True)
time.sleep(600)`,
        ]),
        ({ url }) => url,
      ),
    ),
  )

  it.effect("of docs/sdk.md for Node", () =>
    passes((secret) =>
      program(
        codeOf("docs/sdk.md", "createServer(")
          .replace('"@interview-invitations/sdk/webhooks"', JSON.stringify(sdk))
          .replace('process.env.WEBHOOK_SECRET ?? ""', JSON.stringify(secret))
          .replace(
            ".listen(3000)",
            '.listen(0, "127.0.0.1", function () { console.log("http://127.0.0.1:" + this.address().port) })',
          ),
      ),
    ),
  )

  it.effect("of docs/sdk.md with a Request", () =>
    passes((secret) =>
      program(`${codeOf("docs/sdk.md", "export const handle").replace('"@interview-invitations/sdk/webhooks"', JSON.stringify(sdk))}
import { createServer } from "node:http"
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const answer = await handle(new Request("http://receiver.example", { method: "POST", headers: request.headers, body }), ${JSON.stringify(secret)})
  response.writeHead(answer.status).end(await answer.text())
})
${listening}`),
    ),
  )

  it.effect("that is written from docs/webhooks.md alone", () =>
    passes((secret) =>
      program(`${codeOf("docs/webhooks.md", "export function isGenuine(secret, header")}
import { createServer } from "node:http"
const events = new Map()
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (!isGenuine(${JSON.stringify(secret)}, request.headers["x-webhook-signature"] ?? "", body)) return response.writeHead(401).end()
  const event = JSON.parse(body)
  events.set(event.event_id, event)
  response.writeHead(204).end()
})
${listening}`),
    ),
  )

  it.effect("that verifies with interview-invitations/webhooks", () =>
    passes((secret) =>
      program(`import { createServer } from "node:http"
import { verifyWebhook } from ${JSON.stringify(join(root, "src/webhooks/deliveries/WebhookVerification.ts"))}
const server = createServer(async (request, response) => {
  try {
    verifyWebhook({ body: Buffer.concat(await request.toArray()), header: request.headers["x-webhook-signature"], secrets: [${JSON.stringify(secret)}] })
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
})
${listening}`),
    ),
  )

  it.effect("that verifies with a library of Standard Webhooks", () =>
    passes(
      Effect.fnUntraced(function* (secret) {
        const { Webhook } = yield* Effect.promise(() => import("standardwebhooks"))
        const { url } = yield* receiver(async (request, response) => {
          try {
            new Webhook(secret).verify(
              Buffer.concat(await request.toArray()),
              request.headers as Record<string, string>,
            )
            response.writeHead(204).end()
          } catch {
            response.writeHead(401).end()
          }
        })
        return url
      }),
    ),
  )

  it.effect("that verifies with Stripe's library", () =>
    passes(
      Effect.fnUntraced(function* (secret) {
        const { default: Stripe } = yield* Effect.promise(() => import("stripe"))
        const { webhooks } = new Stripe("sk_test")
        const { url } = yield* receiver(async (request, response) => {
          try {
            const header = request.headers["x-webhook-signature"] ?? ""
            webhooks.constructEvent(Buffer.concat(await request.toArray()), header, secret.replace("whsec_", ""))
            response.writeHead(204).end()
          } catch {
            response.writeHead(401).end()
          }
        })
        return url
      }),
    ),
  )
})
