/** Rehearsals (docs/rehearsals.md) over the API, with receivers on this machine that do it right and wrong. */
import { createHmac } from "node:crypto"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { EndpointId } from "../../src/values/Ids.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { verifyWebhook } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { maxRehearsals, type RehearsalDetail } from "../../src/webhooks/rehearsals/Rehearsal.ts"
import { stepNames } from "../../src/webhooks/rehearsals/RehearsalSteps.ts"
import { Rehearsals } from "../../src/webhooks/rehearsals/Rehearsals.ts"
import { loopback, read, receiver } from "../port/receivers.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as LogWatch from "../support/LogWatch.ts"
import * as Scenario from "../support/Scenario.ts"

const base = "/company/integration/webhooks/v1"

/** The API with the real transport. */
const servicesWith = (timeout: Duration.Duration) =>
  Layer.unwrap(
    Effect.map(WebhookTransport, ({ post }) =>
      Api.layer({
        receive: post,
        settings: { RATE_LIMIT: "0", WEBHOOK_TIMEOUT: `${Duration.toMillis(timeout)} millis` },
      }),
    ),
  ).pipe(Layer.provide(UndiciWebhookTransport.layer({ allowed: loopback, timeout, connectionsPerOrigin: 40 })))

interface Receipt {
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
  readonly event: {
    readonly event_id: string
    readonly event_type: string
    readonly timestamp: string
    readonly is_test?: boolean
    readonly data: Record<string, unknown>
  }
}

/** What a receiver knows when it answers. */
interface Memory {
  readonly secret: string
  /** Of events that were accepted. */
  readonly ids: Set<string>
  /** All requests so far, this one the last. */
  readonly receipts: ReadonlyArray<Receipt>
}

/** Returns a status, or answers itself. */
type Behaviour = (
  receipt: Receipt,
  memory: Memory,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>

const isGenuine = ({ body, headers }: Receipt, secret: string): boolean => {
  try {
    verifyWebhook({ body, header: headers["x-webhook-signature"], secrets: [secret] })
    return true
  } catch {
    return false
  }
}

/** As docs/webhooks.md says. */
const right: Behaviour = (receipt, { ids, secret }) => {
  if (!isGenuine(receipt, secret)) return 401
  ids.add(receipt.event.event_id)
  return 204
}

const listenerOf =
  (behaviour: Behaviour, memory: Memory & { receipts: Array<Receipt> }): RequestListener =>
  async (request, response) => {
    const body = await read(request)
    const receipt: Receipt = { headers: request.headers, body, event: JSON.parse(body.toString()) }
    memory.receipts.push(receipt)
    const status = await behaviour(receipt, memory, response)
    if (status !== undefined) response.writeHead(status).end()
  }

const steps = Effect.flatMap(Rehearsals, ({ step }) => Effect.repeat(step, { while: (done) => done > 0 }))

/** An endpoint whose receiver behaves like this. */
const begin = Effect.fnUntraced(function* (behaviour: Behaviour, fields: object = {}) {
  const memory = { secret: "", ids: new Set<string>(), receipts: [] as Receipt[] }
  const { url } = yield* receiver(listenerOf(behaviour, memory))
  const organization = yield* Scenario.organization()
  const { key } = yield* Api.keyOf(organization.id)
  const made = yield* Api.results(201, "POST", base, { key, json: { name: "ATS", url, ...fields } })
  memory.secret = String(made["secret"])
  LogWatch.secret(memory.secret)
  const path = `${base}/${made["id"]}/rehearsals`
  const reportOf = (id: unknown) => Api.results<RehearsalDetail>(200, "GET", `${path}/${id}`, { key })
  return {
    ...memory,
    endpoint: EndpointId.make(String(made["id"])),
    key,
    organization: organization.id,
    path,
    reportOf,
  }
})

const rehearsed = Effect.fnUntraced(function* (behaviour: Behaviour, fields: object = {}) {
  const begun = yield* begin(behaviour, fields)
  const { key, path, reportOf } = begun
  const { id } = yield* Api.results(202, "POST", path, { key })
  yield* steps
  return { ...begun, report: yield* reportOf(id) }
})

/** The steps with this result. */
const named = ({ steps: all }: RehearsalDetail, result: string) =>
  all.filter((step) => step.result === result).map(({ name }) => name)

const stepOf = ({ steps: all }: RehearsalDetail, name: string) =>
  all.find((step) => step.name === name) ?? assert.fail(`no step ${name}`)

const refusals = ["wrong_signature", "changed_body", "old_signature", "missing_signature"]

const sentAt = ({ headers }: Receipt | { readonly headers: Readonly<Record<string, string>> }): number =>
  Number(headers["webhook-timestamp"])

layer(servicesWith(Duration.seconds(30)), { excludeTestServices: true })("a rehearsal", (it) => {
  it.effect("of a receiver written as docs/webhooks.md says passes all steps", () =>
    Effect.gen(function* () {
      const { endpoint, key, organization, receipts, report } = yield* rehearsed(right)
      assert.deepStrictEqual(named(report, "passed"), stepNames.slice(0, -1))
      assert.deepStrictEqual(named(report, "skipped"), ["retry"])
      assert.deepInclude(report, {
        state: "done",
        reason: null,
        counts: { passed: 12, warning: 0, failed: 0, skipped: 1 },
      })
      assert.strictEqual(receipts.length, 42)
      for (const { event } of receipts) assert.isTrue(event.is_test)
      assert.deepStrictEqual(
        report.steps.map(({ name, requests }) => [name, requests]).filter(([, count]) => count !== 1),
        [
          ["order", 2],
          ["burst", 30],
          ["retry", 0],
        ],
      )
      assert.match(stepOf(report, "burst").finding, /^All 30 events were accepted, 95 % of them within \d+ ms\.$/)
      assert.isNumber(stepOf(report, "burst").p95_ms)
      const list = yield* Api.call("GET", `${base}/${endpoint}/deliveries`, { key })
      assert.deepStrictEqual((list.body as { readonly results: unknown }).results, [])
      const { consecutive_failures, last_success_at } = yield* (yield* Endpoints).show(operator(organization), endpoint)
      assert.deepStrictEqual([consecutive_failures, last_success_at], [0, null])
    }),
  )

  it.effect("sends what each step is about", () =>
    Effect.gen(function* () {
      const { receipts, report, secret } = yield* rehearsed(() => 204)
      const [valid, duplicate, later, earlier, late, field, unknown, two, wrong, changed, old, missing, ...burst] =
        receipts
      assert(
        valid && duplicate && later && earlier && late && field && unknown && two && wrong && changed && old && missing,
      )
      const at = Date.parse(report.created_at)
      const ago = ({ event }: Receipt) => at - Date.parse(event.timestamp)
      assert.isTrue(duplicate.body.equals(valid.body))
      assert.deepStrictEqual([later.event.data["status"], earlier.event.data["status"]], ["completed", "started"])
      assert.deepStrictEqual([ago(later), ago(earlier), ago(late), ago(valid)], [60_000, 120_000, 3_600_000, 0])
      assert.deepStrictEqual(field.event.data["added_later"], { example: true })
      assert.strictEqual(unknown.event.event_type, "rehearsal.unknown.update")
      for (const one of [valid, duplicate, later, earlier, late, field, unknown, two, ...burst]) {
        assert.isTrue(isGenuine(one, secret), one.event.event_type)
      }
      for (const one of [wrong, changed, old, missing]) assert.isFalse(isGenuine(one, secret))
      assert.strictEqual(String(two.headers["x-webhook-signature"]).split("v1=").length, 3)
      assert.strictEqual(String(two.headers["webhook-signature"]).split(" ").length, 2)
      verifyWebhook({ body: old.body, header: old.headers["x-webhook-signature"], secrets: [secret], now: sentAt(old) })
      assert.approximately(sentAt(valid) - sentAt(old), 600, 60)
      assert.isUndefined(missing.headers["x-webhook-signature"])
      assert.isUndefined(missing.headers["webhook-signature"])
      assert.strictEqual(new Set(receipts.map(({ event }) => event.event_id)).size, receipts.length - 1)
      for (const step of report.steps) {
        for (const exchange of step.exchanges) {
          const receipt = receipts.find(({ event }) => event.event_id === exchange.event_id)
          assert.strictEqual(exchange.body, receipt?.body.toString())
          assert.strictEqual(exchange.headers["webhook-id"], exchange.event_id)
        }
      }
    }),
  )

  it.effect("sends events to which the endpoint subscribes, with its own headers, which the report masks", () =>
    Effect.gen(function* () {
      const value = "Bearer of-the-gateway"
      LogWatch.secret(value)
      const { receipts, report } = yield* rehearsed(right, {
        events: ["submission.decision.update.reject"],
        headers: [{ name: "Authorization", value }],
      })
      assert.deepStrictEqual(named(report, "failed"), [])
      assert.deepStrictEqual(
        [...new Set(receipts.map(({ event }) => event.event_type))],
        ["submission.decision.update", "rehearsal.unknown.update"],
      )
      assert.isTrue(receipts.every(({ headers }) => headers.authorization === value))
      assert.strictEqual(stepOf(report, "valid").exchanges[0]?.headers["Authorization"], "****")
    }),
  )

  const html = "<!doctype html><title>502 Bad Gateway</title>"
  const answering =
    (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
    (_, __, response) => {
      response.writeHead(status, headers).end(body)
      return undefined
    }
  const skippedWith = (...tried: ReadonlyArray<string>) => stepNames.filter((name) => !tried.includes(name))

  interface Wrong {
    readonly behaviour: Behaviour
    readonly failed?: ReadonlyArray<string>
    readonly warning?: ReadonlyArray<string>
    readonly skipped?: ReadonlyArray<string>
    /** Of the first step that is not passed. */
    readonly finding: RegExp
    readonly advice: RegExp
  }

  const wrong: Readonly<Record<string, Wrong>> = {
    "accepts any signature": {
      behaviour: () => 204,
      failed: refusals,
      finding: /accepted an event that is signed with another secret: it answered 204/,
      advice: /answer 401 if none is equal/,
    },
    "answers before it verifies": {
      behaviour: (receipt, { secret }, response) => {
        response.writeHead(202).end()
        isGenuine(receipt, secret)
        return undefined
      },
      failed: refusals,
      finding: /it answered 202/,
      advice: /Verify the signature before the answer/,
    },
    "does not check the time": {
      behaviour: ({ body, headers }, { secret }) => {
        const header = String(headers["x-webhook-signature"])
        const [, t = ""] = /t=(\d+)/.exec(header) ?? []
        const digest = createHmac("sha256", secret.slice(6)).update(`${t}.`).update(body).digest("hex")
        return header.includes(`v1=${digest}`) ? 200 : 401
      },
      failed: ["old_signature"],
      finding: /signed 10 minutes ago/,
      advice: /more than five minutes from the receiver’s clock/,
    },
    "reads only the first v1": {
      behaviour: (receipt, memory, response) => {
        const header = String(receipt.headers["x-webhook-signature"]).split(",").slice(0, 2).join(",")
        return right({ ...receipt, headers: { ...receipt.headers, "x-webhook-signature": header } }, memory, response)
      },
      failed: ["two_signatures"],
      finding: /answered 401/,
      advice: /Compare with each v1/,
    },
    "compares the age with the timestamp of the body": {
      behaviour: (receipt, memory, response) =>
        Date.now() - Date.parse(receipt.event.timestamp) > 300_000 ? 400 : right(receipt, memory, response),
      failed: ["late"],
      finding: /answered 400/,
      advice: /the time t of X-Webhook-Signature/,
    },
    "answers 409 to an event that it has": {
      behaviour: (receipt, memory, response) =>
        memory.ids.has(receipt.event.event_id) ? 409 : right(receipt, memory, response),
      failed: ["duplicate"],
      finding: /answered 409/,
      advice: /Answer 2xx to an event_id that is stored already/,
    },
    "refuses an older event": {
      behaviour: (receipt, memory, response) => {
        const newest = memory.receipts.slice(0, -1).find(({ event }) => event.data["status"] === "completed")
        return newest !== undefined && receipt.event.data["status"] === "started"
          ? 409
          : right(receipt, memory, response)
      },
      failed: ["order"],
      finding: /answered 409/,
      advice: /sort by timestamp/,
    },
    "refuses unknown fields and events": {
      behaviour: (receipt, memory, response) =>
        "added_later" in receipt.event || receipt.event.event_type.startsWith("rehearsal.")
          ? 422
          : right(receipt, memory, response),
      failed: ["unknown_field"],
      warning: ["unknown_event"],
      finding: /answered 422/,
      advice: /Ignore fields that the receiver does not know/,
    },
    "fails for an unknown event": {
      behaviour: (receipt, memory, response) =>
        receipt.event.event_type.startsWith("rehearsal.") ? 500 : right(receipt, memory, response),
      warning: ["unknown_event"],
      skipped: ["retry"],
      finding: /answered 500/,
      advice: /an event_type that the receiver does not know/,
    },
    "crashes at an unknown event": {
      behaviour: (receipt, memory, response) => {
        if (!receipt.event.event_type.startsWith("rehearsal.")) return right(receipt, memory, response)
        response.destroy()
        return undefined
      },
      warning: ["unknown_event"],
      skipped: ["retry"],
      finding: /connection was closed before an answer came/,
      advice: /Answer with a status/,
    },
    "throws for a wrong signature": {
      behaviour: (receipt, { secret }) => (isGenuine(receipt, secret) ? 200 : 500),
      warning: refusals,
      finding: /It was not accepted, but the receiver answered 500/,
      advice: /Answer 401/,
    },
    "closes the connection without a signature": {
      behaviour: (receipt, memory, response) => {
        if (receipt.headers["x-webhook-signature"] !== undefined) return right(receipt, memory, response)
        response.destroy()
        return undefined
      },
      failed: ["missing_signature"],
      finding: /connection was closed before an answer came/,
      advice: /Answer 401/,
    },
    redirects: {
      behaviour: answering(308, "", { location: "https://ats.example/hooks/" }),
      failed: ["valid"],
      skipped: skippedWith("valid"),
      finding: /answered 308, a redirect to https:\/\/ats\.example\/hooks\/\./,
      advice: /as the webhook’s address: redirects are not followed/,
    },
    "refuses everything": {
      behaviour: () => 401,
      failed: ["valid"],
      skipped: skippedWith("valid"),
      finding: /answered 401/,
      advice: /raw bytes of the body/,
    },
    "always fails": {
      behaviour: () => 500,
      failed: ["valid", "retry"],
      skipped: skippedWith("valid", "retry"),
      finding: /answered 500/,
      advice: /Look in the receiver’s log for this event_id/,
    },
    "answers an error page": {
      behaviour: answering(502, html),
      failed: ["valid", "retry"],
      skipped: skippedWith("valid", "retry"),
      finding: /answered 502 with a web page/,
      advice: /a proxy or the framework wrote it/,
    },
    "answers a web page to anything": {
      behaviour: answering(200, html.replace("502 Bad Gateway", "Welcome")),
      failed: refusals,
      warning: ["valid"],
      finding: /Answered 200 with a web page/,
      advice: /the webhook’s address is that of the receiver/,
    },
    "closes the connection": {
      behaviour: (_, __, response) => {
        response.destroy()
        return undefined
      },
      failed: ["valid", "retry"],
      skipped: skippedWith("valid", "retry"),
      finding: /The connection was closed before an answer came\./,
      advice: /Answer with a status before the connection is closed/,
    },
    "answers an enormous body": {
      behaviour: (receipt, { secret }, response) => {
        if (!isGenuine(receipt, secret)) return 401
        response.writeHead(200).end("x".repeat(5_000_000))
        return undefined
      },
      warning: ["valid"],
      finding: /a body that is longer than 16 KiB/,
      advice: /Answer with an empty body/,
    },
    "accepts ten at once": {
      behaviour: overloaded(429),
      warning: ["burst"],
      finding: /^20 of 30 events that arrived at once were not accepted\. The receiver answered 429\.$/,
      advice: /“Attempts per minute”/,
    },
    "fails with more than ten at once": {
      behaviour: overloaded(500),
      failed: ["burst"],
      finding: /^20 of 30 events that arrived at once were not accepted\. The receiver answered 500\.$/,
      advice: /Store each event in a queue or a table and answer 2xx at once/,
    },
    "fails the first time": {
      behaviour: (receipt, memory, response) => (memory.receipts.length === 1 ? 503 : right(receipt, memory, response)),
      failed: ["valid"],
      finding: /answered 503/,
      advice: /as soon as the event is stored/,
    },
  }

  it.effect.each(Object.keys(wrong))("says what to change in a receiver that %s", (name) =>
    Effect.gen(function* () {
      const { advice, behaviour, failed = [], finding, skipped, warning = [] } = wrong[name] ?? assert.fail(name)
      const { report } = yield* rehearsed(behaviour)
      assert.strictEqual(report.state, "done")
      assert.sameMembers(named(report, "failed"), [...failed])
      assert.sameMembers(named(report, "warning"), [...warning])
      if (skipped !== undefined) assert.sameMembers(named(report, "skipped"), [...skipped])
      const [first] = report.steps.filter(({ result }) => result === "failed" || result === "warning")
      assert.match(first?.finding ?? "", finding)
      assert.match(first?.advice ?? "", advice)
    }),
  )

  it.effect("sends an event again that failed, and goes on when it is then accepted", () =>
    Effect.gen(function* () {
      const { receipts, report } = yield* rehearsed((receipt, memory, response) =>
        memory.receipts.length === 1 ? 503 : right(receipt, memory, response),
      )
      const [first, again] = receipts
      assert.strictEqual(again?.event.event_id, first?.event.event_id)
      assert.isTrue(again?.body.equals(first?.body ?? Buffer.alloc(0)))
      assert.deepStrictEqual(
        report.steps.slice(0, 3).map(({ name, result }) => [name, result]),
        [
          ["valid", "failed"],
          ["retry", "passed"],
          ["duplicate", "passed"],
        ],
      )
      assert.deepStrictEqual(named(report, "skipped"), [])
    }),
  )

  it.effect("gives the advice about repeated events when an event that was stored before the failure gets 409", () =>
    Effect.gen(function* () {
      const { report } = yield* rehearsed((receipt, memory, response) => {
        if (memory.ids.has(receipt.event.event_id)) return 409
        const status = right(receipt, memory, response)
        return memory.receipts.length === 1 ? 500 : status
      })
      const { advice, finding, result } = stepOf(report, "retry")
      assert.strictEqual(result, "failed")
      assert.match(finding, /answered 409/)
      assert.match(advice ?? "", /Answer 2xx to an event_id that is stored already/)
    }),
  )

  it.effect("is one at a time of an endpoint, of which the last 20 are kept", () =>
    Effect.gen(function* () {
      const { key, path, reportOf } = yield* begin(right)
      const { id } = yield* Api.results(202, "POST", path, { key })
      const second = yield* Api.call("POST", path, { key })
      assert.include(Contract.problem(second, 409, "conflict").detail, "wait for its end")
      yield* steps
      const { sql } = yield* Database
      yield* sql`
        insert into rehearsal (id, organization_id, endpoint_id, url, state, created_at, ended_at)
        select gen_random_uuid(), organization_id, endpoint_id, url, 'done', created_at - n * interval '1 minute', now()
        from rehearsal, generate_series(1, ${maxRehearsals}::int) n where id = ${String(id)}::uuid`
      const { id: newest } = yield* Api.results(202, "POST", path, { key })
      yield* steps
      const listed = yield* Api.call("GET", `${path}?limit=15`, { key })
      const page = listed.body as { readonly results: ReadonlyArray<Api.Row>; readonly next_cursor: string }
      assert.deepStrictEqual(
        page.results.slice(0, 2).map((row) => row["id"]),
        [newest, id],
      )
      assert.isUndefined(page.results[0]?.["steps"])
      const rest = (yield* Api.call("GET", `${path}?cursor=${page.next_cursor}`, { key })).body as typeof page
      assert.strictEqual(page.results.length + rest.results.length, maxRehearsals)
      assert.deepInclude(yield* reportOf(newest), { state: "done" })
    }),
  )

  it.effect("is refused when the endpoint began 20 in the last 10 minutes", () =>
    Effect.gen(function* () {
      const { key, path } = yield* begin(right)
      const { id } = yield* Api.results(202, "POST", path, { key })
      const { sql } = yield* Database
      yield* sql`update rehearsal set state = 'cancelled', next_at = null, ended_at = created_at where id = ${String(id)}::uuid`
      yield* sql`
        insert into rehearsal (id, organization_id, endpoint_id, url, state, created_at, ended_at)
        select gen_random_uuid(), organization_id, endpoint_id, url, 'done', created_at - n * interval '1 second', now()
        from rehearsal, generate_series(1, ${maxRehearsals - 1}::int) n where id = ${String(id)}::uuid`
      const refused = yield* Api.call("POST", path, { key })
      assert.include(Contract.problem(refused, 409, "conflict").detail, "in the last 10 minutes")
      yield* sql`
        update rehearsal set created_at = created_at - interval '10 minutes'
        where endpoint_id = (select endpoint_id from rehearsal where id = ${String(id)}::uuid)`
      yield* Api.results(202, "POST", path, { key })
      yield* steps
    }),
  )

  it.effect("goes on where a process stopped, with the same events", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      let isHeld = true
      const { key, path, receipts, reportOf } = yield* begin((receipt, memory, response) => {
        if (memory.receipts.length === 5 && isHeld) {
          Effect.runSync(Deferred.succeed(arrived, undefined))
          return undefined
        }
        return right(receipt, memory, response)
      })
      const { id } = yield* Api.results(202, "POST", path, { key })
      const stopped = yield* Effect.forkChild(steps)
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(stopped)
      isHeld = false
      const before = yield* reportOf(id)
      assert.deepStrictEqual(
        [before.state, before.steps.map(({ name }) => name)],
        ["running", ["valid", "duplicate", "order"]],
      )
      yield* steps
      const report = yield* reportOf(id)
      assert.deepStrictEqual(named(report, "passed"), stepNames.slice(0, -1))
      assert.strictEqual(receipts.length, 43)
      assert.isTrue(receipts[4]?.body.equals(receipts[5]?.body ?? Buffer.alloc(0)))
    }),
  )

  it.effect("is taken over from a process that died when its lease has ended", () =>
    Effect.gen(function* () {
      const { key, path, receipts, reportOf } = yield* begin(right)
      const { id } = yield* Api.results(202, "POST", path, { key })
      const { sql } = yield* Database
      yield* sql`
        update rehearsal set claim_id = gen_random_uuid(), leased_until = now() + interval '1 minute'
        where id = ${String(id)}::uuid`
      yield* steps
      assert.lengthOf(receipts, 0)
      yield* sql`update rehearsal set leased_until = now() - interval '1 second' where id = ${String(id)}::uuid`
      yield* steps
      assert.deepInclude(yield* reportOf(id), { state: "done" })
    }),
  )

  it.effect("is stopped when the endpoint gets another address", () =>
    Effect.gen(function* () {
      const { endpoint, key, path, receipts, reportOf } = yield* begin(right)
      const { id } = yield* Api.results(202, "POST", path, { key })
      yield* Api.results(200, "PATCH", `${base}/${endpoint}`, { key, json: { url: "http://127.0.0.1:9/other" } })
      yield* steps
      const report = yield* reportOf(id)
      assert.deepInclude(report, {
        state: "stopped",
        reason: "The address of the webhook was changed during the rehearsal.",
      })
      assert.lengthOf(receipts, 0)
      assert.isNotNull(report.ended_at)
    }),
  )

  it.effect("is stopped when the endpoint is deleted", () =>
    Effect.gen(function* () {
      const { endpoint, key, path, receipts } = yield* begin(right)
      const { id } = yield* Api.results(202, "POST", path, { key })
      yield* Api.results(200, "DELETE", `${base}/${endpoint}`, { key })
      yield* steps
      const { sql } = yield* Database
      const [row] = yield* sql<{ state: string }>`select state from rehearsal where id = ${String(id)}::uuid`
      assert.strictEqual(row?.state, "stopped")
      assert.lengthOf(receipts, 0)
      Contract.problem(yield* Api.call("GET", `${path}/${id}`, { key }), 404, "not_found")
    }),
  )

  it.effect("is stopped when no key decrypts the secret", () =>
    Effect.gen(function* () {
      const { endpoint, key, path, reportOf } = yield* begin(right)
      const { id } = yield* Api.results(202, "POST", path, { key })
      const { sql } = yield* Database
      yield* sql`update webhook_endpoint set secret = 'x' where id = ${endpoint}::uuid`
      yield* steps
      const { reason, state } = yield* reportOf(id)
      assert.strictEqual(state, "stopped")
      assert.match(reason ?? "", /^This service cannot decrypt the secret/)
    }),
  )

  it.effect("is of an inactive endpoint, too, and noted in the audit log", () =>
    Effect.gen(function* () {
      const { endpoint, key, organization, path, reportOf } = yield* begin(right)
      yield* Api.results(200, "PATCH", `${base}/${endpoint}`, { key, json: { status: "inactive" } })
      const { id } = yield* Api.results(202, "POST", path, { key })
      yield* steps
      assert.deepInclude((yield* reportOf(id)).counts, { failed: 0, warning: 0 })
      const { sql } = yield* Database
      const noted = yield* sql<{ action: string }>`
        select action from audit_log where organization_id = ${organization}::int and action = 'webhook_endpoint.rehearse'`
      assert.lengthOf(noted, 1)
    }),
  )
})

/** Waits until 30 requests have come at once, then accepts ten of them. */
function overloaded(status: number): Behaviour {
  let arrived = 0
  const waiting: Array<() => void> = []
  return async (receipt, memory, response) => {
    const isOfBurst = memory.receipts.length > 12 && arrived < 30
    if (!isOfBurst) return right(receipt, memory, response)
    const number = ++arrived
    if (number === 30) for (const resolve of waiting.splice(0)) resolve()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return number > 10 ? status : right(receipt, memory, response)
  }
}

layer(servicesWith(Duration.millis(400)), { excludeTestServices: true })("a rehearsal of a slow receiver", (it) => {
  it.effect("says to answer first when no answer comes in time", () =>
    Effect.gen(function* () {
      const { report } = yield* rehearsed(() => undefined)
      assert.sameMembers(named(report, "failed"), ["valid", "retry"])
      const { advice, exchanges, finding } = stepOf(report, "valid")
      assert.strictEqual(finding, "The receiver did not answer within 0.4 seconds.")
      assert.match(advice ?? "", /Store the event, answer 2xx, and process it after the answer/)
      assert.deepInclude(exchanges[0], {
        status: null,
        answer: null,
        error: "The receiver did not answer within 0.4 seconds",
      })
    }),
  )
})

layer(Api.layer({ receive: () => Effect.die(new Error("no transport")), settings: { RATE_LIMIT: "0" } }), {
  excludeTestServices: true,
})("a rehearsal during a failure of this service", (it) => {
  it.effect("is tried again, and stopped after five failures in a row", () =>
    Effect.gen(function* () {
      const { key, path, reportOf } = yield* begin(right)
      const { id } = yield* Api.results(202, "POST", path, { key })
      const { sql } = yield* Database
      const states: Array<string> = []
      for (let failure = 1; failure <= 5; failure++) {
        yield* steps
        states.push((yield* reportOf(id)).state)
        yield* sql`update rehearsal set next_at = created_at where id = ${String(id)}::uuid and next_at is not null`
      }
      assert.deepStrictEqual(states, ["running", "running", "running", "running", "stopped"])
      assert.match((yield* reportOf(id)).reason ?? "", /^This service failed several times in a row/)
    }),
  )
})
