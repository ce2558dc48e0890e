/** The pages of deliveries over real HTTP: find, read attempt by attempt, send again. */

import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { SentWebhooks } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { findWebhookFault } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { EndpointSecrets } from "../../src/webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { answered } from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { round, rounds } from "../support/Webhooks.ts"

const hostileAnswer = `${Settings.hostile}${'"'.repeat(4000)}`.slice(0, 4096)

/** The receiver's next response. */
let [status, body] = [200, ""]
const answer = (next: number, text = "") => {
  status = next
  body = text
}

/** Creates an endpoint with `count` deliveries. */
const begin = Effect.fnUntraced(function* (count: number) {
  const all = yield* Settings.begin
  answer(200)
  const { id, secret } = yield* Scenario.endpoint(all.organization.id)
  const candidate = yield* Scenario.invited(all.organization)
  yield* Scenario.publish(candidate, count)
  const path = `/settings/webhooks/${id}`
  return { ...all, id, candidate, path, secret: Redacted.value(secret), browser: Settings.as(all.owner) }
})

const hrefs = (text: string) =>
  [...text.matchAll(/href="(\/settings\/webhooks\/[^"]+\/deliveries\/\d+)"/g)].map(([, href]) => href ?? "")
const unescape = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
const blocks = (text: string, label: string) =>
  [...text.matchAll(new RegExp(`aria-label="${label}">([^<]*)</pre>`, "g"))].map(([, inner]) => unescape(inner ?? ""))

layer(Settings.layer({ receive: () => Effect.sync(() => answered(status, body)) }))("DeliveryPages", (it) => {
  it.effect("shows each attempt with its headers, body and response, and the time of the next one", () =>
    Effect.gen(function* () {
      const { browser, path, secret } = yield* begin(1)
      answer(401, Settings.hostile)
      const waiting = yield* browser.get(path)
      assert.include(waiting.text, "first attempt is due now")
      assert.include(waiting.text, "no attempts yet")
      yield* round
      const list = yield* browser.get(path)
      const [href = ""] = hrefs(list.text)
      assert.include(list.text, "1 failure in a row, deactivated at 15")
      assert.include(list.text, "1 attempt · The receiver answered 401 · 7 ms · next attempt in 2 minutes")
      const first = yield* browser.get(href)
      assert.include(first.text, 'id="delivery" data-refresh')
      assert.include(first.text, "The receiver answered 401.")
      assert.include(first.text, "The receiver rejected the signature")
      assert.include(first.text, " · 7 ms")
      assert.deepStrictEqual(blocks(first.text, "Response"), [Settings.hostile])
      const [request] = (yield* Effect.flatten(SentWebhooks)).slice(-1)
      const shown = Object.fromEntries(
        [...(blocks(first.text, "Headers")[0] ?? "").matchAll(/^(\S+): (.*)$/gm)].map(([, name, value]) => [
          name,
          value,
        ]),
      )
      // traceparent is sent but not shown
      const { traceparent: _, ...headers } = request?.headers ?? {}
      assert.deepStrictEqual(shown, headers)
      const sent = new TextDecoder().decode(request?.body)
      assert.include(unescape(first.text), sent)
      // the curl command has a fresh signature
      yield* TestClock.adjust("2 hours")
      const [, header = ""] =
        /X-Webhook-Signature: (t=[^&]+)/i.exec((yield* browser.get(href)).text.split('id="curl"')[1] ?? "") ?? []
      const now = Date.parse("2026-11-02T11:42:00Z") / 1000
      assert.isUndefined(findWebhookFault({ secrets: [secret], header, body: sent, now }))
      answer(204)
      yield* round
      const done = yield* browser.get(href)
      assert.notInclude(done.text, 'id="delivery" data-refresh')
      assert.include(done.text, "2 attempts")
      assert.include(done.text, "The response had no body")
      assert.include((yield* browser.get(path)).text, "2 attempts · answered 204 · 7 ms")
    }),
  )

  it.effect("names the webhook's limit for deliveries that wait for it", () =>
    Effect.gen(function* () {
      const { browser, id, organization, path } = yield* begin(2)
      yield* (yield* Endpoints).update(operator(organization.id), id, { max_per_minute: 1 })
      yield* round
      const list = yield* browser.get(path)
      const waiting = "first attempt is sent when the limit of 1 attempt per minute allows it"
      assert.lengthOf(list.text.split(waiting), 2)
      assert.notInclude(list.text, "attempt is due now")
      const [href = ""] = hrefs(list.text)
      assert.include((yield* browser.get(href)).text, waiting)
    }),
  )

  it.effect("names the candidate with a link, also after an erasure", () =>
    Effect.gen(function* () {
      const { browser, candidate, organization, path } = yield* begin(1)
      const href = `/submissions/${candidate.subject.submission_id}`
      yield* round
      const list = yield* browser.get(path)
      assert.include(list.text, `<a class="whose" href="${href}"><bdi>Ada</bdi></a> · 1 attempt · answered 200 · 7 ms`)
      const [delivery = ""] = hrefs(list.text)
      assert.include((yield* browser.get(delivery)).text, `href="${href}"><bdi>Ada</bdi>`)
      assert.strictEqual((yield* browser.get(href)).status, 200)
      const { sql } = yield* Database
      yield* sql`update candidate set name = null where id = ${candidate.subject.candidate_id}::uuid`
      assert.include((yield* browser.get(path)).text, "<bdi>ada@example.com</bdi>")
      yield* (yield* People).erase(operator(organization.id), candidate.subject.candidate_id)
      for (const page of [path, delivery]) {
        const { text } = yield* browser.get(page)
        assert.include(text, `href="${href}"><bdi>Erased person</bdi>`)
        assert.notInclude(text, "Ada")
      }
      yield* sql`update webhook_event set submission_id = null`
      assert.notInclude((yield* browser.get(path)).text, 'class="whose"')
    }),
  )

  it.effect("shows JSON formatted, and the exact bytes", () =>
    Effect.gen(function* () {
      const { browser, path } = yield* begin(1)
      answer(503, '{"error":"away","large":12345678901234567890}')
      yield* round
      const [href = ""] = hrefs((yield* browser.get(path)).text)
      const { text } = yield* browser.get(href)
      const blockOf = (id: string) => unescape(new RegExp(`<pre id="${id}"[^>]*>([^<]*)</pre>`).exec(text)?.[1] ?? "")
      const [request] = (yield* Effect.flatten(SentWebhooks)).slice(-1)
      const sent = new TextDecoder().decode(request?.body)
      assert.strictEqual(blockOf("bytes"), sent)
      assert.strictEqual(blockOf("bytes-formatted"), JSON.stringify(JSON.parse(sent), null, 2))
      assert.strictEqual(blockOf("response-1"), body)
      assert.include(blockOf("response-1-formatted"), '{\n  "error": "away"')
      for (const id of ["bytes", "bytes-formatted", "response-1", "response-1-formatted"]) {
        assert.include(text, `data-copy="${id}" hidden`)
      }
    }),
  )

  it.effect("retries a waiting delivery now, once for a form that is sent twice", () =>
    Effect.gen(function* () {
      const { browser, organization, path } = yield* begin(1)
      answer(503)
      yield* round
      const [href = ""] = hrefs((yield* browser.get(path)).text)
      const page = yield* browser.get(href)
      assert.include(page.text, ">Retry now</button>")
      assert.include(page.text, "It counts as attempt 2.")
      const seen: ReadonlyArray<readonly [string, string]> = [["seen", Settings.hidden(page.text, "seen")]]
      const sent = yield* browser.post(`${href}/send-now`, seen)
      assert.strictEqual(sent.location, `${href}?done=due`)
      const due = yield* browser.get(`${href}?done=due`)
      assert.include(due.text, "The next attempt is due now")
      assert.include(due.text, "next attempt is due now")
      assert.notInclude(due.text, ">Retry now</button>")
      const twice = yield* browser.post(`${href}/send-now`, seen)
      assert.strictEqual(twice.status, 409)
      assert.include(twice.text, "The delivery was not sent: the delivery is already due.")
      yield* round
      const late = yield* browser.post(`${href}/send-now`, seen)
      assert.include(late.text, "another attempt was made meanwhile")
      // finished, of another endpoint, of another organization
      answer(200)
      yield* TestClock.adjust("1 hour")
      yield* round
      assert.notInclude((yield* browser.get(href)).text, "send-now")
      assert.include((yield* browser.post(`${href}/send-now`, [])).text, "the delivery is already delivered")
      const foreign = yield* Scenario.endpoint(organization.id, { url: "https://b.example/" })
      const elsewhere = href.replace(path, `/settings/webhooks/${foreign.id}`)
      assert.strictEqual((yield* browser.post(`${elsewhere}/send-now`, [])).status, 404)
      const entry = (yield* Settings.audit(organization.id)).filter(
        ({ action }) => action === "webhook_delivery.send_now",
      )
      assert.lengthOf(entry, 1)
      assert.isNotNull(entry[0]?.member_id)
    }),
  )

  it.effect("sends a paused delivery once although the webhook is inactive", () =>
    Effect.gen(function* () {
      const { browser, foreigner, id, organization, path, recruiter } = yield* begin(2)
      yield* (yield* Endpoints).disable(operator(organization.id), id)
      const [href = ""] = hrefs((yield* browser.get(path)).text)
      const page = yield* browser.get(href)
      assert.include(page.text, ">Send this delivery now</button>")
      assert.include(page.text, "Makes one attempt although the webhook is inactive.")
      for (const member of [foreigner, recruiter]) {
        const { status } = yield* Settings.as(member).post(`${href}/send-now`, [["seen", "0"]])
        assert.include([403, 404], status)
      }
      assert.strictEqual(yield* round, 0)
      yield* browser.post(`${href}/send-now`, [["seen", "0"]])
      yield* rounds
      assert.include((yield* browser.get(href)).text, ">Delivered</span>")
      assert.strictEqual(yield* (yield* Endpoints).parked(operator(organization.id), id), 1)
    }),
  )

  it.effect("charts the attempts of the last 24 hours, with a table", () =>
    Effect.gen(function* () {
      const { browser, id, path } = yield* begin(3)
      yield* rounds
      const { sql } = yield* Database
      yield* TestClock.adjust("5 seconds")
      // the next claim begins to write
      yield* round
      yield* Effect.repeat(sql`select 1 from webhook_endpoint_hour where endpoint_id = ${id}::uuid`, {
        until: (found) => found.length > 0,
      })
      const { text } = yield* browser.get(path)
      assert.include(text, "3 attempts in the last 24 hours, none failed")
      assert.match(
        text,
        /<tr><th scope="row"><time[^>]*>2 Nov 2026, 09:00 UTC<\/time><\/th><td>3<\/td><td>0<\/td><\/tr>/,
      )
      const list = yield* browser.get("/settings/webhooks")
      assert.include(list.text, 'aria-label="3 attempts in the last 24 hours, none failed"')
    }),
  )

  it.effect("shows no headers of attempts before the secret was replaced", () =>
    Effect.gen(function* () {
      const { browser, id, organization, path } = yield* begin(1)
      answer(500)
      yield* round
      yield* TestClock.adjust("1 minute")
      yield* (yield* EndpointSecrets).regenerate(operator(organization.id), id)
      yield* TestClock.adjust("10 minutes")
      yield* round
      const [href = ""] = hrefs((yield* browser.get(path)).text)
      const { text } = yield* browser.get(href)
      assert.include(text, "the secret has been replaced since")
      const [headers = "", ...more] = blocks(text, "Headers")
      assert.deepStrictEqual(more, [])
      const [request] = (yield* Effect.flatten(SentWebhooks)).slice(-1)
      assert.include(headers, String(request?.headers["x-webhook-signature"]))
      assert.strictEqual(headers.split("v1=").length, 3, "both secrets sign")
    }),
  )

  it.effect("finds deliveries by state, event and time, page by page", () =>
    Effect.gen(function* () {
      const { browser, candidate, path } = yield* begin(60)
      yield* rounds
      yield* TestClock.adjust("1 day")
      answer(503)
      yield* Scenario.publish(candidate, 2)
      yield* rounds
      const count = (query: string) => Effect.map(browser.get(`${path}?${query}`), ({ text }) => hrefs(text).length)
      const first = yield* browser.get(path)
      assert.lengthOf(hrefs(first.text), 50)
      const [, older = ""] = /href="([^"]+)">Older/.exec(first.text) ?? []
      const second = yield* browser.get(unescape(older))
      const all = new Set([...hrefs(first.text), ...hrefs(second.text)])
      assert.strictEqual(all.size, 62)
      assert.include(second.text, ">Newest</a>")
      assert.notInclude(second.text, 'id="list" data-refresh')
      assert.strictEqual(yield* count("state=queued"), 2)
      assert.strictEqual(yield* count("state=delivered&event=interview.status.update"), 50)
      assert.strictEqual(yield* count("state=parked"), 0)
      assert.strictEqual(yield* count("event=interview.status.update.started&from=2026-11-03T00:00"), 2)
      assert.strictEqual(yield* count("event=interview.status.update.completed"), 0)
      assert.strictEqual(yield* count("event=interview.evaluation.update"), 0)
      assert.strictEqual(yield* count("to=2026-11-02T09:42"), 0)
      assert.strictEqual(yield* count("from=2026-11-02T09:42&to=2026-11-02T09:43&state=delivered"), 50)
      // times are those of the organization's time zone
      const zone = { name: "Acme", contact: "", privacy_contact: "", time_zone: "Asia/Tokyo" }
      assert.strictEqual((yield* browser.post("/settings/organization", zone)).status, 303)
      assert.strictEqual(yield* count("to=2026-11-02T18:42"), 0)
      assert.strictEqual(yield* count("from=2026-11-02T18:42&to=2026-11-02T18:43&state=delivered"), 50)
      assert.strictEqual(yield* count("from=2026-11-03T18:42&to=2026-11-03T18:43"), 2)
      // malformed parameters are ignored
      for (const query of [
        "done=__proto__",
        "done=constructor",
        "state=x",
        "event=%00",
        "from=soon",
        "to=2026-99-99T00:00",
        "before=-1",
        "before=%3Cscript%3E",
      ]) {
        assert.strictEqual(yield* count(query), 50, query)
      }
      const none = yield* browser.get(`${path}?state=failed&event=interview.status.update`)
      assert.include(none.text, "No deliveries match")
      assert.include(none.text, 'value="failed" selected')
    }),
  )

  it.effect("searches five thousand deliveries for an event, then older ones", () =>
    Effect.gen(function* () {
      const { browser, id, organization, path } = yield* begin(0)
      const { sql } = yield* Database
      const event = (status: string, event: string) => sql`
          insert into webhook_event (id, organization_id, event_type, status, body, created_at, xid)
          values (${event}::uuid, ${organization.id}::int, 'interview.status.update', ${status}, '{}', now(), pg_current_xact_id())`
      const [rare, usual] = ["01980000-0000-7000-8000-0000000000a1", "01980000-0000-7000-8000-0000000000a2"]
      yield* Effect.orDie(event("completed", rare))
      yield* Effect.orDie(event("started", usual))
      yield* Effect.orDie(sql`
          insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at,
            finished_at, state, attempts)
          select i, ${organization.id}::int, ${id}::uuid,
            case when i in (700001, 705400) then ${rare}::uuid else ${usual}::uuid end, '[]', now(), now(), 'delivered', 1
          from generate_series(700001, 705500) i`)
      const search = `${path}?event=interview.status.update.completed`
      const first = yield* browser.get(search)
      assert.deepStrictEqual(hrefs(first.text), [`${path}/deliveries/705400`])
      const [, older = ""] = /href="([^"]+)">Older/.exec(first.text) ?? []
      assert.deepStrictEqual(hrefs((yield* browser.get(unescape(older))).text), [`${path}/deliveries/700001`])
      const none = yield* browser.get(`${path}?event=interview.evaluation.update`)
      assert.include(none.text, "None of the 5000 newest deliveries match.")
      const [, further = ""] = /href="([^"]+)">Search older/.exec(none.text) ?? []
      assert.include((yield* browser.get(unescape(further))).text, "There are no older deliveries.")
    }),
  )

  it.effect("sends a delivery again once when the form is sent twice", () =>
    Effect.gen(function* () {
      const { browser, id, organization, owner, path } = yield* begin(1)
      const [waiting = ""] = hrefs((yield* browser.get(path)).text)
      assert.notInclude((yield* browser.get(waiting)).text, "Send again")
      const early = yield* browser.post(`${waiting}/resend`, { seen: "" })
      assert.strictEqual(early.status, 409)
      assert.include(early.text, "Not sent again: the delivery is queued")
      yield* round
      const seen = Settings.hidden((yield* browser.get(waiting)).text, "seen")
      const again = yield* browser.post(`${waiting}/resend`, { seen })
      assert.match(again.location ?? "", new RegExp(`^${path}/deliveries/\\d+\\?done=resent$`))
      assert.strictEqual((yield* browser.post(`${waiting}/resend`, { seen })).location, `${waiting}?done=again`)
      assert.include((yield* browser.get(again.location ?? "")).text, "The event was sent again, as this new delivery")
      assert.lengthOf(hrefs((yield* browser.get(path)).text), 2)
      // the reloaded form sends it once more
      const once = Settings.hidden((yield* browser.get(waiting)).text, "seen")
      assert.match((yield* browser.post(`${waiting}/resend`, { seen: once })).location ?? "", /done=resent$/)
      const noted = yield* Settings.audit(organization.id)
      const number = waiting.split("/").at(-1) ?? ""
      assert.deepStrictEqual(
        noted.slice(-2).map(({ action, member_id, record_id }) => [action, member_id, record_id]),
        Array.from({ length: 2 }, () => ["webhook_delivery.resend", owner.id, number]),
      )
      yield* (yield* Endpoints).disable(operator(organization.id), id)
      const off = yield* browser.post(`${waiting}/resend`, {})
      assert.strictEqual(off.status, 409)
      assert.include((yield* browser.get(waiting)).text, "activate the webhook")
    }),
  )

  it.effect("counts failed deliveries and sends them again", () =>
    Effect.gen(function* () {
      const { browser, id, organization, path } = yield* begin(2)
      answer(503, hostileAnswer)
      for (let attempt = 1; attempt <= 6; attempt++) {
        yield* round
        yield* TestClock.adjust("3 hours")
      }
      const list = yield* browser.get(`${path}?state=failed`)
      const [href = ""] = hrefs(list.text)
      assert.lengthOf(hrefs(list.text), 2)
      assert.include(list.text, "6 attempts · The receiver answered 503")
      // six responses of 4 KiB, six bytes a character when escaped: only the chosen one is shown in full
      for (const query of ["", "?attempt=1", "?attempt=6", "?attempt=0", "?attempt=x"]) yield* browser.get(href + query)
      const whole = blocks((yield* browser.get(`${href}?attempt=2`)).text, "Response")
      assert.isAbove(whole.at(-2)?.length ?? 0, whole[0]?.length ?? 0)
      const page = yield* browser.get(`${path}/resend?since=24h`)
      assert.include(page.text, "<strong>2 deliveries</strong> failed")
      assert.include(
        (yield* browser.get(`${path}/resend?since=1h`)).text,
        "No failed deliveries to send again in this time",
      )
      // the last attempts failed 3 hours ago
      const now = yield* Clock.currentTimeMillis
      const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString().slice(0, 16)
      const between = (from: string, to: string) =>
        Effect.map(browser.get(`${path}/resend?${new URLSearchParams({ since: "1h", from, to })}`), ({ text }) => text)
      const outage = yield* between(ago(240), ago(120))
      assert.include(outage, "<strong>2 deliveries</strong> failed")
      assert.include(outage, `<input type="hidden" name="to" value="${ago(120)}">`)
      assert.include(yield* between(ago(240), ago(200)), "No failed deliveries")
      assert.include(yield* between(ago(120), ""), "No failed deliveries")
      assert.include(yield* between("x", "<"), "No failed deliveries")
      const before = { since: "24h", from: "", to: ago(200) }
      assert.strictEqual((yield* browser.post(`${path}/resend`, before)).location, `${path}?done=failed&count=0`)
      const sent = yield* browser.post(`${path}/resend`, { since: "1h", from: ago(240), to: ago(120) })
      assert.strictEqual(sent.location, `${path}?done=failed&count=2`)
      assert.include((yield* browser.get(sent.location ?? "")).text, "Sending 2 deliveries again.")
      assert.strictEqual(
        (yield* browser.post(`${path}/resend`, { since: "24h" })).location,
        `${path}?done=failed&count=0`,
      )
      assert.lengthOf(hrefs((yield* browser.get(`${path}?state=queued`)).text), 2)
      assert.deepInclude((yield* Settings.audit(organization.id)).at(-1), {
        action: "webhook_endpoint.resend_failed",
      })
      yield* (yield* Endpoints).disable(operator(organization.id), id)
      assert.strictEqual((yield* browser.post(`${path}/resend`, { since: "24h" })).location, path)
    }),
  )

  it.effect("returns 404 for another webhook's delivery; shows why a webhook was deactivated", () =>
    Effect.gen(function* () {
      const { browser, organization, path } = yield* begin(15)
      const { id } = yield* Scenario.endpoint(organization.id, { url: "https://other.example/" })
      const [href = ""] = hrefs((yield* browser.get(path)).text)
      const elsewhere = href.replace(path, `/settings/webhooks/${id}`)
      assert.strictEqual((yield* browser.get(elsewhere)).status, 404)
      assert.strictEqual((yield* browser.post(`${elsewhere}/resend`, {})).status, 404)
      assert.strictEqual((yield* browser.get(`${path}/deliveries/0`)).status, 404)
      answer(503, "down")
      yield* rounds
      const { text } = yield* browser.get(path)
      assert.include(text, "Deactivated")
      assert.include(text, "15 failures in a row deactivated this webhook")
      assert.include(text, "15 deliveries are paused, not lost")
      assert.include((yield* browser.get("/settings/webhooks")).text, "15 failures in a row</strong>")
    }),
  )
})
