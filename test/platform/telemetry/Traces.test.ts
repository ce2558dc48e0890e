/** One trace from an invite request to the webhook receiver, with real pods, a collector and a hiring system. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { pageAt } from "../../docs/pages.ts"
import * as Collector from "../../support/Collector.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as stage from "../../system/faults/stage.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"
const address = "grace.hopper@candidates.example"
const name = "Grace Brewster Hopper"

/** A pod, an organization with a key, and a webhook endpoint. */
const begin = Effect.fnUntraced(function* (settings: Record<string, string> = {}) {
  const collector = yield* Collector.start
  const receiver = yield* Receiver.start({ answer: () => Effect.succeed(200) })
  const pod = yield* stage.startPod({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    ...settings,
  })
  const { url } = pod
  const { id, set } = yield* Scenario.organization()
  const key = Redacted.value((yield* (yield* ApiKeys).create(operator(id), {})).value)
  yield* Scenario.endpoint(id, { url: `${receiver.url}/hook`, events: ["invitation.status.update"] })
  const invite = (headers: Record<string, string> = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}/company/integration/interview/candidate/invite/v1`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json", ...headers },
        body: JSON.stringify({ com_interview_set_id: set.id, candidates: [{ email: address, name }] }),
      })
      const body = await response.text()
      assert.strictEqual(response.status, 200, body)
      return /\/i\/([\w-]+)/.exec(body)?.[1] ?? assert.fail(body)
    })
  return { collector, receiver, pod, url, key, invite }
})

const arrived = (receiver: Receiver.Receiver) => stage.untilSync("the webhook came", () => receiver.receipts.length > 0)

describe.concurrent("a trace", () => {
  it.live(
    "continues from the caller's request over the email to the receiver, without personal data",
    () =>
      stage.provide(
        Effect.gen(function* () {
          const { collector, invite, key, pod, receiver } = yield* begin({
            OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20b",
            OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.version=7",
          })
          const token = yield* invite({ traceparent: `00-${traceId}-${spanId}-01` })
          yield* arrived(receiver)
          assert.deepStrictEqual(yield* stage.stop(pod), [0])

          const spans = collector.spans().filter((span) => span.traceId === traceId)
          const find = (test: (span: Collector.OtlpSpan) => boolean) =>
            spans.find(test) ?? assert.fail(JSON.stringify(spans))
          const request = find(({ parentSpanId }) => parentSpanId === spanId)
          assert.strictEqual(request.name, "POST /company/integration/interview/candidate/invite/v1")
          assert.deepInclude(Collector.attributesOf(request), {
            "http.request.method": "POST",
            "http.route": "/company/integration/interview/candidate/invite/v1",
            "http.response.status_code": 200,
          })
          const parentOf = ({ parentSpanId }: Collector.OtlpSpan) => find((span) => span.spanId === parentSpanId)
          const begins = (span: Collector.OtlpSpan): Collector.OtlpSpan =>
            span.parentSpanId === spanId ? span : begins(parentOf(span))
          const mail = find((span) => span.name === "email attempt")
          const settled = find((span) => span.name === "email settle")
          assert.strictEqual(begins(mail), request)
          assert.strictEqual(begins(settled), request)

          // the webhook names the attempt that sends it, a child of the settlement that queued it
          const [receipt] = receiver.receipts
          const attempt = find((span) => span.name === "webhook_delivery attempt")
          assert.strictEqual(receipt?.headers["traceparent"], `00-${traceId}-${attempt.spanId}-01`)
          const path = (span: Collector.OtlpSpan): ReadonlyArray<string> =>
            span === request ? [span.spanId] : [span.spanId, ...path(parentOf(span))]
          assert.include(path(attempt), settled.spanId)
          assert.deepInclude(Collector.attributesOf(attempt), { "interview.attempt": 1 })

          // statements are exported without parameters
          assert.isTrue(
            spans.some((span) => String(Collector.attributesOf(span)["db.query.text"]).includes("record_new_invite(")),
          )
          assert.deepInclude(collector.resource(), {
            "service.name": "interview-invitations",
            "service.version": "7",
            "deployment.environment.name": "test",
          })
          for (const { headers } of collector.exported) assert.strictEqual(headers["x-collector-key"], "a b")
          assert.isTrue(
            collector.logs().some((line) => line.traceId === traceId && line.body.stringValue === "request"),
          )
          assert.include(pod.log(), `"trace_id":"${traceId}"`)
          // the fields of a request's line are those that the guide lists
          const guide =
            /\n\| Field \| In \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(pageAt("docs/operate.md"))?.[1] ?? ""
          const listed = [...guide.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = ""]) =>
            [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
          )
          const line = pod
            .log()
            .split("\n")
            .find((one) => one.includes('"message":"request"') && one.includes(traceId) && one.includes('"api_key"'))
          const fields = Object.keys(JSON.parse(line ?? "{}"))
          assert.deepStrictEqual([...fields, "cause"].toSorted(), listed.toSorted())
          assert.match(pod.log(), /"request_id":"[0-9a-f-]{36}"/)
          const everything = collector.exported.map(({ body }) => body.toString()).join("\n") + pod.log()
          for (const secret of [address, "Hopper", key.split(".")[1] ?? "", token])
            assert.notInclude(everything, secret)
        }),
      ),
    stage.timeout,
  )

  it.live(
    "starts with a request without a trace; polling starts none, and pages omit their link",
    () =>
      stage.provide(
        Effect.gen(function* () {
          const { collector, invite, pod, receiver, url } = yield* begin()
          const token = yield* invite()
          yield* arrived(receiver)
          const page = yield* Effect.promise(() =>
            fetch(`${url}/i/${token}?from=mail`, { headers: { "user-agent": "x" } }),
          )
          assert.strictEqual(page.status, 200)
          yield* Effect.promise(() => fetch(`${url}/health/ready`))
          yield* stage.stop(pod)
          const spans = collector.spans()
          const server = spans.filter(({ kind }) => kind === 2)
          assert.sameMembers(
            server.map((span) => String(Collector.attributesOf(span)["http.route"])),
            ["/company/integration/interview/candidate/invite/v1", "/i/:token"],
          )
          const [invited] = server
          assert.strictEqual(receiver.receipts[0]?.headers["traceparent"]?.slice(3, 35), invited?.traceId)
          assert.isEmpty(spans.filter((span) => /claim|Worker/.test(span.name)))
          assert.notInclude(JSON.stringify(spans), token)
          assert.notInclude(JSON.stringify(spans), "user_agent")
        }),
      ),
    stage.timeout,
  )

  it.live(
    "is not exported when the caller or the share does not sample it",
    () =>
      stage.provide(
        Effect.gen(function* () {
          const { collector, invite, pod, receiver } = yield* begin({
            OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
            OTEL_TRACES_SAMPLER_ARG: "0",
          })
          yield* invite({ traceparent: `00-${traceId}-${spanId}-00` })
          yield* arrived(receiver)
          yield* invite()
          yield* stage.stop(pod)
          assert.isUndefined(receiver.receipts[0]?.headers["traceparent"])
          assert.isEmpty(collector.spans().filter(({ kind }) => kind !== 1 && kind !== 3))
          const { sql } = yield* Database
          assert.isEmpty(yield* sql`select from webhook_event where traceparent is not null`)
        }),
      ),
    stage.timeout,
  )

  it.live(
    "is sent as protobuf by default, and not at all without a collector",
    () =>
      stage.provide(
        Effect.gen(function* () {
          const { collector, invite, pod, receiver } = yield* begin({
            OTEL_EXPORTER_OTLP_PROTOCOL: "",
            OTEL_LOGS_EXPORTER: "none",
          })
          yield* invite()
          yield* arrived(receiver)
          yield* stage.stop(pod)
          assert.deepStrictEqual([...new Set(collector.exported.map(({ path }) => path))], ["/v1/traces"])
          for (const { headers } of collector.exported)
            assert.strictEqual(headers["content-type"], "application/x-protobuf")

          const other = yield* begin({ OTEL_EXPORTER_OTLP_ENDPOINT: "" })
          yield* other.invite({ traceparent: `00-${traceId}-${spanId}-01` })
          yield* arrived(other.receiver)
          assert.isUndefined(other.receiver.receipts[0]?.headers["traceparent"])
          yield* stage.stop(other.pod)
        }),
      ),
    stage.timeout,
  )
})
