/** Messages about events in channels of Slack and Teams: their texts, and deliveries to a real receiver. */
import { createServer } from "node:http"
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import { bodyOf, messageOf } from "../../src/webhooks/chat/ChatMessage.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { loopback } from "../port/receivers.ts"
import { call, keyOf } from "../support/Api.ts"
import { listen } from "../support/listen.ts"
import { fieldsOf, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { rounds } from "../support/Webhooks.ts"

const appUrl = "https://app.example"

const submitted = { event_type: "interview.status.update", data: { status: "completed", submission_id: "1" } } as const

describe("a message", () => {
  it("in Slack has no mentions and no links but its own, and is one line", () => {
    const message = messageOf(submitted, { candidate: "<!channel> & <@U1>\n*Ada*", interview: "R&D" }, appUrl)
    assert.deepStrictEqual(JSON.parse(bodyOf("slack", message)), {
      text: "&lt;!channel&gt; &amp; &lt;@U1&gt; *Ada* submitted R&amp;D\n<https://app.example/submissions/1|Open the submission>",
      unfurl_links: false,
    })
  })

  it("in Teams is a card whose text has no markup", () => {
    const message = messageOf(
      submitted,
      { candidate: "[x](https://evil.example) <at>all</at>", interview: "R&D" },
      appUrl,
    )
    assert.deepStrictEqual(JSON.parse(bodyOf("teams", message)), {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "RichTextBlock",
                inlines: [{ type: "TextRun", text: "[x](https://evil.example) <at>all</at> submitted R&D" }],
              },
            ],
            actions: [
              { type: "Action.OpenUrl", title: "Open the submission", url: "https://app.example/submissions/1" },
            ],
          },
        },
      ],
    })
  })

  it("tells of decisions and failed invitations, and of nothing more", () => {
    const subject = { candidate: "Ada", interview: "Backend" }
    const textOf = (event_type: Parameters<typeof messageOf>[0]["event_type"], data: Record<string, string | object>) =>
      messageOf({ event_type, data: { ...data } as never }, subject, appUrl).text
    const decision = { decision: "reject", reason: "Too young.", decided_by: { id: "1", name: "Rita" } }
    assert.strictEqual(textOf("submission.decision.update", decision), "Rita decided to reject Ada (Backend)")
    const cleared = { decision: "cleared", decided_by: { id: "1", name: "Rita" } }
    assert.strictEqual(textOf("submission.decision.update", cleared), "Rita removed the decision about Ada (Backend)")
    const failed = { status: "invitation_email_failed", reason: "bounce" }
    assert.strictEqual(
      textOf("invitation.status.update", failed),
      "The invitation of Ada to Backend did not arrive: the mailbox does not exist or refuses it",
    )
    const long = messageOf(submitted, { candidate: "x".repeat(500), interview: null }, appUrl).text
    assert.strictEqual(long, `${"x".repeat(150)}… submitted an interview`)
    const test = messageOf({ ...submitted, is_test: true }, { candidate: null, interview: null }, appUrl).text
    assert.strictEqual(test, "Test: A candidate submitted an interview")
  })
})

interface Receipt {
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** The service with its own client. */
const services = Layer.unwrap(Effect.map(WebhookTransport, ({ post }) => Settings.layer({ receive: post }))).pipe(
  Layer.provide(
    UndiciWebhookTransport.layer({ allowed: loopback, timeout: Duration.seconds(10), connectionsPerOrigin: 1 }),
  ),
)

/** A channel that answers with these statuses in order, then with 200. */
const channel = Effect.fnUntraced(function* (...statuses: ReadonlyArray<number>) {
  const receipts: Array<Receipt> = []
  const url = yield* listen(
    createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += String(chunk)
      })
      request.on("end", () => {
        const status = statuses[receipts.length] ?? 200
        receipts.push({ path: request.url ?? "", body, headers: request.headers })
        response.writeHead(status, status === 429 ? { "retry-after": "600" } : {}).end(status === 200 ? "ok" : "no")
      })
    }),
  )
  return { url: `${url}/services/T0/B0/secret-path`, receipts }
})

const form = "/settings/webhooks/channels"

const added = Effect.fnUntraced(function* (url: string, changes: Readonly<Record<string, string>> = {}) {
  const all = yield* Settings.begin
  const browser = Settings.as(all.owner)
  const fields = fieldsOf((yield* browser.get(`${form}/new`)).text, form)
  const sent = withFields(fields, { name: "Hiring", url, ...changes })
  const answer = yield* browser.post(form, sent)
  assert.strictEqual(answer.status, 303, answer.text)
  const path = (answer.location ?? "").replace(/\?.*/, "")
  return { ...all, browser, path, sent }
})

layer(services)("a channel", (it) => {
  it.effect("gets messages about what was chosen, without signature; its address is a secret", () =>
    Effect.gen(function* () {
      const { receipts, url } = yield* channel()
      const { browser, organization, path, sent } = yield* added(url)
      assert.strictEqual((yield* browser.post(form, sent)).status, 303, "the form sent twice")
      const invited = yield* Scenario.invited(organization)
      yield* Scenario.completed(invited)
      const decision = `/submissions/${invited.subject.submission_id}/decision`
      yield* browser.post(decision, { decision: "advance", reason: "Too secret.", changes: "0" })
      yield* rounds
      const texts = receipts.map(({ body }) => String(JSON.parse(body).text)).toSorted()
      assert.lengthOf(texts, 2)
      assert.match(
        texts[0] ?? "",
        /^Ada submitted Backend Engineer\n<http:\/\/[^|]+\/submissions\/[\w-]+\|Open the submission>$/,
      )
      assert.match(texts[1] ?? "", /^owner\d+@example\.com decided to advance Ada \(Backend Engineer\)\n/)
      assert.deepStrictEqual([...new Set(receipts.map((one) => one.path))], ["/services/T0/B0/secret-path"])
      assert.isUndefined(receipts[0]?.headers["x-webhook-signature"])
      assert.isUndefined(receipts[0]?.headers["traceparent"])
      const pages = [path, "/settings/webhooks", `${form}/${path.split("/").at(-1)}`, "/settings/audit", `${path}/test`]
      for (const page of pages) {
        const { status, text } = yield* browser.get(page)
        assert.strictEqual(status, 200)
        assert.notInclude(text, "secret-path", page)
      }
      assert.include((yield* browser.get(path)).text, "Slack")
      assert.strictEqual((yield* browser.get(`${path}/secret`)).status, 404)
      const { sql } = yield* Database
      const [row] = yield* sql<{ url: string; max_per_minute: number; text: string }>`
        select url, max_per_minute, encode(secret, 'escape') as text from webhook_endpoint where name = 'Hiring'`
      assert.strictEqual(row?.url, `${new URL(url).origin}/…`)
      assert.strictEqual(row?.max_per_minute, 60)
      assert.notInclude(row?.text, "secret-path")
    }),
  )

  it.effect("is tested, changed without the address, and gets cards when it is one of Teams", () =>
    Effect.gen(function* () {
      const { receipts, url } = yield* channel()
      const { browser, path } = yield* added(url, { format: "teams" })
      const event = "interview.status.update.completed"
      const test = withFields(fieldsOf((yield* browser.get(`${path}/test`)).text, `${path}/test`), { event })
      const result = yield* browser.post(`${path}/test`, test)
      assert.include((yield* browser.get((result.location ?? "").replace(/#.*/, ""))).text, "Delivered")
      const [card] = JSON.parse(receipts[0]?.body ?? "{}").attachments
      assert.match(card.content.body[0].inlines[0].text, /^Test: Ada Lovelace submitted Backend Engineer$/)
      const edit = `${form}/${path.split("/").at(-1)}`
      assert.strictEqual((yield* browser.get(`${path}/edit`)).location, edit)
      const fields = fieldsOf((yield* browser.get(edit)).text, edit)
      assert.deepInclude(fields, ["url", ""])
      assert.strictEqual((yield* browser.post(edit, withFields(fields, { name: "Hiring 2" }))).status, 303)
      yield* browser.post(`${path}/test`, withFields(test, { id: "018f0000-0000-7000-8000-000000000777" }))
      assert.lengthOf(receipts, 2)
      const refused = yield* browser.post(edit, withFields(fields, { name: "", url: "ftp://nowhere" }))
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, "ftp://nowhere", "nothing typed is lost")
      const without = fields.filter(([name]) => name !== "events")
      assert.include((yield* browser.post(edit, without)).text, "choose at least one message")
    }),
  )

  it.effect("waits as 429 asks, and is deactivated when it is gone, with an email to admins", () =>
    Effect.gen(function* () {
      const { receipts, url } = yield* channel(429, 200, 410)
      const { browser, organization, path } = yield* added(url)
      yield* Scenario.completed(yield* Scenario.invited(organization, "one@example.com"))
      yield* rounds
      assert.lengthOf(receipts, 1)
      yield* TestClock.adjust("9 minutes")
      yield* rounds
      assert.lengthOf(receipts, 1, "Retry-After: 600")
      yield* TestClock.adjust("2 minutes")
      yield* rounds
      assert.lengthOf(receipts, 2)
      yield* Scenario.completed(yield* Scenario.invited(organization, "two@example.com"))
      yield* rounds
      assert.lengthOf(receipts, 3)
      assert.include((yield* browser.get(path)).text, "410 Gone")
      const { sql } = yield* Database
      const mails = yield* sql<{ text: string }>`
        select text from email where kind = 'endpoint_deactivated' and organization_id = ${organization.id}::int`
      assert.lengthOf(mails, 2, "owner and admin")
      assert.notInclude(mails[0]?.text, "secret-path")
    }),
  )

  it.effect("does not exist for the API, other organizations and recruiters", () =>
    Effect.gen(function* () {
      const { url } = yield* channel()
      const { foreigner, organization, path, recruiter } = yield* added(url)
      assert.strictEqual((yield* Settings.as(foreigner).get(path)).status, 404)
      assert.strictEqual((yield* Settings.as(recruiter).get(`${form}/new`)).status, 403)
      const id = path.split("/").at(-1) ?? ""
      const { key } = yield* keyOf(organization.id)
      const api = (method: string, to = "") => call(method, `/company/integration/webhooks/v1${to}`, { key })
      assert.deepStrictEqual((yield* api("GET")).body, { results: [], next_cursor: null })
      for (const [method, to] of [
        ["GET", id],
        ["POST", `${id}/rotate-secret`],
        ["POST", `${id}/test`],
        ["DELETE", id],
      ] as const)
        assert.strictEqual((yield* api(method, `/${to}`)).status, 404, `${method} ${to}`)
    }),
  )
})
