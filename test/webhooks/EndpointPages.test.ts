/** Settings → Webhooks over real HTTP, without scripts: endpoints, secrets, tests, signature checks. */

import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { FormIdempotency } from "../../src/platform/http/FormIdempotency.ts"
import type { EndpointId, OrganizationId } from "../../src/values/Ids.ts"
import { EndpointId as EndpointIdOf } from "../../src/values/Ids.ts"
import { signatureHeaders, signingKey } from "../../src/webhooks/deliveries/Signature.ts"
import { EndpointSecrets } from "../../src/webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { eventTypes } from "../../src/webhooks/events/WebhookEvent.ts"
import { answered } from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { requests, round } from "../support/Webhooks.ts"

const base = "/settings/webhooks"
const url = "https://receiver.example/hook"

const listed = Effect.fnUntraced(function* (organization: OrganizationId) {
  return yield* (yield* Endpoints).list(operator(organization))
})
const secretOf = Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
  return Redacted.value(yield* (yield* EndpointSecrets).read(operator(organization), id))
})

type Browser = ReturnType<typeof Settings.as>
type Fields = ReadonlyArray<readonly [string, string]>

/** Adds an endpoint with the form. */
const add = Effect.fnUntraced(function* (browser: Browser, fields: Fields = [["events", "interview.status.update"]]) {
  const form = yield* browser.get(`${base}/new`)
  const id = EndpointIdOf.make(Settings.hidden(form.text, "id"))
  const sent: Fields = [["id", id], ...fields, ["name", "ATS"], ["url", url], ["description", ""]]
  return { id, sent, path: `${base}/${id}`, added: yield* browser.post(base, sent) }
})

const refusing = () => Effect.succeed(answered(503, Settings.hostile.repeat(50)))

layer(Settings.layer({ receive: refusing }))("EndpointPages", (it) => {
  it.effect("adds an endpoint; shows its secret on the secret page only", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const empty = yield* browser.get(base)
      assert.include(empty.text, "No webhooks yet")
      const { added, id, path, sent } = yield* add(browser, [
        ["name", Settings.hostile],
        ["description", Settings.hostile],
        ["events", "interview.status.update"],
        ["events", "interview.status.update.started"],
        ["events", "interview.evaluation.update.scored"],
      ])
      assert.strictEqual(added.location, `${path}/secret?done=added`)
      // the same form again adds no second one
      assert.strictEqual((yield* browser.post(base, sent)).location, added.location)
      const [one, ...more] = yield* listed(organization.id)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(
        { ...one },
        {
          id,
          name: Settings.hostile,
          description: Settings.hostile,
          url,
          events: ["interview.status.update", "interview.evaluation.update.scored"],
        },
      )
      const secret = yield* secretOf(organization.id, id)
      assert.include((yield* browser.get(added.location ?? "")).text, secret)
      for (const page of [base, path, `${path}/edit`, `${path}/test`, `${path}/delete`, `${path}/resend`]) {
        const { status, text } = yield* browser.get(page)
        assert.strictEqual(status, 200, page)
        assert.notInclude(text, "whsec_", page)
      }
      const edit = yield* browser.get(`${path}/edit`)
      const checked = [...edit.text.matchAll(/name="events" value="([^"]+)" checked/g)].map(([, name]) => name)
      assert.deepStrictEqual(checked, ["interview.status.update", "interview.evaluation.update.scored"])
      assert.include((yield* browser.get(base)).text, "Interviews, Evaluations: Scored · nothing delivered yet")
      assert.notInclude(JSON.stringify(yield* Settings.audit(organization.id)), secret)
    }),
  )

  it.effect("keeps, changes and removes headers with the form, and never shows a stored value", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { id, path } = yield* add(browser, [
        ["events", "interview.status.update"],
        ["headers.0.name", "Authorization"],
        ["headers.0.value", "Bearer first-secret"],
        ["headers.1.name", "X-Tenant"],
        ["headers.1.value", "acme"],
        ["max_per_minute", "600"],
      ])
      const shown = Effect.flatMap(Endpoints, (endpoints) => endpoints.show(operator(organization.id), id))
      assert.deepInclude({ ...(yield* shown) }, { header_names: ["Authorization", "X-Tenant"], max_per_minute: 600 })
      const edit = yield* browser.get(`${path}/edit`)
      const page = yield* browser.get(path)
      assert.match(page.text, /<dt>Attempts per minute<\/dt><dd>at most 600<\/dd>/)
      assert.include(page.text, "<code>Authorization</code>")
      for (const { text } of [edit, page]) {
        assert.notInclude(text, "first-secret")
        assert.notInclude(text, "acme&")
      }
      assert.include(edit.text, 'name="headers.0.name" value="Authorization"')
      assert.match(edit.text, /name="max_per_minute"[^>]* value="600"/)
      const common: Fields = [
        ["name", "ATS"],
        ["url", url],
        ["events", "interview.status.update"],
      ]
      // blank keeps; the box removes; the limit is removed by an empty field
      const saved = yield* browser.post(path, [
        ...common,
        ["headers.0.name", "Authorization"],
        ["headers.0.value", ""],
        ["headers.1.name", "X-Tenant"],
        ["headers.1.remove", "yes"],
        ["headers.2.name", "X-New"],
        ["headers.2.value", "new-secret"],
        ["max_per_minute", ""],
      ])
      assert.strictEqual(saved.location, `${path}?done=saved`)
      assert.deepInclude({ ...(yield* shown) }, { header_names: ["Authorization", "X-New"], max_per_minute: null })
      yield* browser.post(`${path}/test`, [["event", "interview.status.update.started"]])
      const [last] = (yield* requests).slice(-1)
      assert.deepInclude(last?.headers, { Authorization: "Bearer first-secret", "X-New": "new-secret" })
      assert.notInclude(JSON.stringify(yield* Settings.audit(organization.id)), 'secret"')

      const wrong = yield* browser.post(path, [
        ...common,
        ["headers.0.name", "Authorization"],
        ["headers.0.remove", "yes"],
        ["headers.1.name", "X-New"],
        ["headers.1.value", "é"],
        ["headers.2.name", "Content-Type"],
        ["headers.2.value", "typed before"],
        ["headers.3.name", "X-Empty"],
        ["max_per_minute", "60001"],
      ])
      assert.strictEqual(wrong.status, 422)
      for (const error of ["headers.1.value", "headers.2.name", "headers.3.value", "max_per_minute"]) {
        assert.include(wrong.text, `id="${error}-error"`, error)
      }
      assert.include(wrong.text, "The name must not be Content-Type, which the service or the connection sets.")
      assert.include(wrong.text, "The number must be from 0 to 60000.")
      assert.include(wrong.text, 'value="typed before"')
      assert.include(wrong.text, 'name="headers.0.remove" value="yes" checked')
      assert.deepInclude({ ...(yield* shown) }, { header_names: ["Authorization", "X-New"] })
    }),
  )

  it.effect("finds sets among 1,000 by words of their titles, and keeps the other input", () =>
    Effect.gen(function* () {
      const { organization, other, owner } = yield* Settings.begin
      const { sql } = yield* Database
      yield* sql`
        insert into interview_set (id, organization_id, title, created_at)
        select gen_random_uuid(), ${organization.id}::int, 'Role ' || n || case when n % 400 = 7 then ' platform' else '' end, now()
        from generate_series(1, 1000) n`
      yield* sql`insert into interview_set (id, organization_id, title) values (gen_random_uuid(), ${other.id}::int, 'Foreign platform')`
      yield* sql`insert into project (id, organization_id, name) values (gen_random_uuid(), ${organization.id}::int, 'Platform team')`
      const browser = Settings.as(owner)
      const { id, path } = yield* add(browser)
      const boxes = (text: string, name: string) =>
        [...text.matchAll(new RegExp(`name="${name}" value="([^"]+)"( checked)?`, "g"))].map(
          ([, id = "", checked]) => ({
            id,
            isChecked: checked !== undefined,
          }),
        )
      const fresh = yield* browser.get(`${path}/edit`)
      assert.lengthOf(boxes(fresh.text, "interview_set_ids"), 20)
      assert.include(fresh.text, "The newest 20 of each are shown")
      const typed: Fields = [
        ["name", "Typed before"],
        ["url", "not yet a url"],
        ["events", "interview.status.update.started"],
        ["headers.0.name", "X-Key"],
        ["headers.0.value", "typed"],
        ["max_per_minute", "abc"],
      ]
      const searched = yield* browser.post(path, [...typed, ["find", "Platform"], ["found", ""], ["do", "find"]])
      assert.strictEqual(searched.status, 200)
      const found = boxes(searched.text, "interview_set_ids")
      assert.lengthOf(found, 3)
      const [project] = boxes(searched.text, "project_ids")
      const bySigns = yield* browser.post(path, [...typed, ["find", "\u{1f389}"], ["found", ""], ["do", "find"]])
      assert.isEmpty([...boxes(bySigns.text, "interview_set_ids"), ...boxes(bySigns.text, "project_ids")])
      assert.notInclude(searched.text, "Foreign")
      for (const value of ["Typed before", "not yet a url", "X-Key", "typed", "abc", "Platform"]) {
        assert.include(searched.text, `value="${value}"`)
      }
      assert.include(searched.text, 'value="interview.status.update.started" checked')
      // Enter in the field presses the form's default button
      const choice: Fields = [
        ["interview_set_ids", found[0]?.id ?? ""],
        ["project_ids", project?.id ?? ""],
      ]
      const again = yield* browser.post(path, [...typed, ...choice, ["find", "Role 12"], ["found", "Platform"]])
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(
        boxes(again.text, "interview_set_ids").filter(({ isChecked }) => isChecked),
        [{ id: found[0]?.id ?? "", isChecked: true }],
      )
      const saved = yield* browser.post(path, [
        ["name", "ATS"],
        ["url", url],
        ["events", "interview.status.update"],
        ...choice,
        ["find", "Role 12"],
        ["found", "Role 12"],
      ])
      assert.strictEqual(saved.location, `${path}?done=saved`)
      assert.deepInclude(
        { ...(yield* (yield* Endpoints).show(operator(organization.id), id)) },
        { interview_set_ids: [found[0]?.id ?? ""], project_ids: [project?.id ?? ""] },
      )
      assert.include((yield* browser.get(path)).text, "<bdi>Platform team</bdi>, <bdi>Role ")
      yield* sql`update interview_set set deleted_at = now() where id = ${found[0]?.id ?? ""}::uuid`
      assert.include((yield* browser.get(`${path}/edit`)).text, "deleted: it has no new events")
      assert.include((yield* browser.get(path)).text, "(deleted)")
      // another organization's
      const [foreign] = yield* sql<{ id: string }>`select id from interview_set where title = 'Foreign platform'`
      for (const set of [foreign?.id ?? "", "no id"]) {
        const refused = yield* browser.post(path, [
          ["name", "ATS"],
          ["url", url],
          ["events", "interview.status.update"],
          ["interview_set_ids", set],
        ])
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, 'id="choices-error"')
      }
    }),
  )

  it.effect("shows errors beside their fields and keeps the input", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const wrong: ReadonlyArray<readonly [Fields, string, string]> = [
        [[["name", " "]], "name", "The name must not be blank."],
        [[["name", "n".repeat(201)]], "name", "The name must have at most 200 characters."],
        [[["url", "http://receiver.example/"]], "url", "https"],
        [[["url", `https://10.0.0.1/${Settings.hostile}`]], "url", "private"],
        [[["url", ""]], "url", "This is not a valid URL."],
        [[["description", "d".repeat(2001)]], "description", "at most 2000 characters"],
      ]
      for (const [fields, field, fault] of wrong) {
        const { added } = yield* add(browser, [...fields, ["events", "interview.status.update"]])
        assert.strictEqual(added.status, 422, field)
        assert.include(added.text, `id="${field}-error"`)
        assert.include(added.text, fault)
        assert.include(added.text, 'value="interview.status.update" checked')
      }
      // several errors at once; a form without events is an error, unlike a command without events
      const { added } = yield* add(browser, [
        ["name", ""],
        ["url", "ftp://x"],
      ])
      for (const field of ["name", "url", "events"]) assert.include(added.text, `id="${field}-error"`)
      assert.include(added.text, "choose at least one event")
      assert.deepStrictEqual(yield* listed(organization.id), [])

      const { path } = yield* add(browser)
      const fields = { name: "CRM", url, description: "" }
      const without = yield* browser.post(path, fields)
      assert.strictEqual(without.status, 422)
      assert.include(without.text, "Not saved – ")
      assert.include(without.text, 'value="CRM"')
      assert.include(without.text, "choose at least one event")
      const unknown = yield* browser.post(path, { ...fields, events: "interview" })
      assert.strictEqual(unknown.status, 422)
      const events = eventTypes.map((name) => ["events", name] as const)
      const saved = yield* browser.post(path, [...Object.entries(fields), ...events])
      assert.strictEqual(saved.location, `${path}?done=saved`)
      assert.include((yield* browser.get(base)).text, "All events")
    }),
  )

  it.effect("replaces a secret once when the form is sent twice; removes the old one", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { id, path } = yield* add(browser)
      const first = yield* secretOf(organization.id, id)
      yield* TestClock.adjust("1 minute")
      const seen = Settings.hidden((yield* browser.get(`${path}/secret`)).text, "seen")
      const replaced = yield* browser.post(`${path}/secret/regenerate`, { seen })
      assert.strictEqual(replaced.location, `${path}/secret?done=regenerated`)
      const second = yield* secretOf(organization.id, id)
      assert.notStrictEqual(second, first)
      assert.strictEqual((yield* browser.post(`${path}/secret/regenerate`, { seen })).location, replaced.location)
      assert.strictEqual(yield* secretOf(organization.id, id), second)
      const overlapping = yield* browser.get(`${path}/secret`)
      assert.include(overlapping.text, second)
      assert.notInclude(overlapping.text, first)
      assert.include(overlapping.text, "The old secret still signs")
      // without the choice to end both, as from a form of the time before
      const plain = { seen: Settings.hidden(overlapping.text, "seen") }
      assert.strictEqual((yield* browser.post(`${path}/secret/regenerate`, plain)).location, `${path}/secret`)
      assert.strictEqual(yield* secretOf(organization.id, id), second)
      yield* browser.post(`${path}/secret/regenerate`, { ...plain, end: "yes" })
      assert.notStrictEqual(yield* secretOf(organization.id, id), second)
      const ended = yield* browser.get(`${path}/secret`)
      assert.notInclude(ended.text, "The old secret still signs")
      yield* TestClock.adjust("1 minute")
      yield* browser.post(`${path}/secret/regenerate`, { seen: Settings.hidden(ended.text, "seen") })
      assert.strictEqual((yield* browser.post(`${path}/secret/remove-old`)).location, `${path}/secret?done=removed`)
      yield* browser.post(`${path}/secret/remove-old`)
      assert.include((yield* browser.get(`${path}/secret`)).text, "secret/regenerate")
      assert.deepStrictEqual(
        (yield* Settings.audit(organization.id)).map(({ action, member_id }) => [action, member_id]),
        ["create", ...Array.from({ length: 3 }, () => "regenerate_secret"), "remove_old_secret"].map((deed) => [
          `webhook_endpoint.${deed}`,
          owner.id,
        ]),
      )
    }),
  )

  it.effect("tells why an endpoint is inactive and when it is tried again, without a count beyond the limit", () =>
    Effect.gen(function* () {
      const { admin, organization } = yield* Settings.begin
      const browser = Settings.as(admin)
      const { id, path } = yield* add(browser)
      yield* Scenario.publish(yield* Scenario.invited(organization), 1)
      const { sql } = yield* Database
      yield* sql`
        update webhook_endpoint set status = 'inactive', consecutive_failures = 17, deactivated_at = now(), inactive_reason = 'failures',
          next_probe_at = now() + interval '4 minutes', failed_probes = 1 where id = ${id}::uuid`
      yield* round
      const textOf = Effect.map(browser.get(path), ({ text }) => text.replaceAll(/\s+/g, " "))
      const probed = yield* textOf
      for (const part of [
        "17 failures in a row",
        "1 try has failed since. The next try with one delivery is in ",
        "The service tries until ",
        "Stop trying",
      ]) {
        assert.include(probed, part)
      }
      assert.include((yield* browser.get(base)).text, "17 failures in a row")
      assert.notMatch(probed, /deactivated at 15/)
      const stopped = yield* browser.post(`${path}/disable`)
      assert.strictEqual(stopped.location, `${path}?done=disabled`)
      const manual = yield* textOf
      assert.include(manual, "This webhook was deactivated manually")
      assert.notInclude(manual, "Stop trying")
      yield* sql`update webhook_endpoint set deactivated_at = now(), inactive_reason = 'gone' where id = ${id}::uuid`
      const gone = yield* textOf
      assert.include(gone, "The receiver answered 410 Gone")
      assert.include(gone, "If it has moved, edit the address")
      assert.notInclude(gone, "next try")
    }),
  )

  it.effect("deactivates, activates with or without sending parked deliveries, and deletes", () =>
    Effect.gen(function* () {
      const { admin, organization, owner } = yield* Settings.begin
      const browser = Settings.as(admin)
      const { id, path } = yield* add(browser)
      const candidate = yield* Scenario.invited(organization)
      const off = yield* browser.post(`${path}/disable`)
      assert.strictEqual(off.location, `${path}?done=disabled`)
      assert.include((yield* browser.get(path)).text, "This webhook was deactivated manually")
      yield* Scenario.publish(candidate, 3)
      yield* round
      assert.include((yield* browser.get(path)).text, "3 deliveries are paused, not lost")
      assert.include((yield* browser.get(`${path}/enable`)).text, "3 deliveries were paused meanwhile")
      const kept = yield* browser.post(`${path}/enable`, { parked: "keep" })
      assert.strictEqual(kept.location, `${path}?done=enabled`)
      assert.include((yield* browser.get(path)).text, "3 deliveries are paused from a time")
      assert.strictEqual((yield* browser.get(`${path}/enable`)).location, path)
      const sent = yield* browser.post(`${path}/send-parked`)
      assert.strictEqual(sent.location, `${path}?done=unparked&count=3`)
      assert.include((yield* browser.get(sent.location ?? "")).text, "Sending 3 deliveries.")
      assert.strictEqual((yield* browser.post(`${path}/send-parked`)).location, `${path}?done=unparked&count=0`)
      yield* browser.post(`${path}/disable`)
      const on = yield* browser.post(`${path}/enable`, { parked: "send" })
      assert.strictEqual(on.location, `${path}?done=enabled&count=3`)
      // sent twice: nothing is left to send
      assert.strictEqual((yield* browser.post(`${path}/enable`, { parked: "send" })).location, `${path}?done=enabled`)
      assert.include((yield* browser.get(`${path}/delete`)).text, "Nothing was ever delivered to it")
      assert.strictEqual((yield* Settings.as(owner).post(`${path}/delete`)).location, `${base}?done=deleted`)
      assert.strictEqual((yield* Settings.as(owner).post(`${path}/delete`)).location, `${base}?done=gone`)
      assert.deepStrictEqual(yield* listed(organization.id), [])
      const noted = yield* Settings.audit(organization.id)
      assert.deepStrictEqual(
        noted.map(({ action, member_id, record_id }) => [action.split(".")[1], member_id, record_id]),
        [
          ["create", admin.id, id],
          ["disable", admin.id, id],
          ["enable", admin.id, id],
          ["send_parked", admin.id, id],
          ["disable", admin.id, id],
          ["enable", admin.id, id],
          ["send_parked", admin.id, id],
          ["delete", owner.id, id],
        ],
      )
      assert.deepStrictEqual(noted.at(-1)?.detail, { name: "ATS", host: "receiver.example" })
    }),
  )

  it.effect("sends a test once, shows the response, and does not count it", () =>
    Effect.gen(function* () {
      const { admin, organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { id, path } = yield* add(browser)
      const freshId = "01980000-0000-7000-8000-0000000000f1"
      const before = (yield* requests).length
      const form = yield* browser.get(`${path}/test`)
      assert.include(form.text, '<option value="interview.status.update.initiated" selected>')
      const fields = { id: Settings.hidden(form.text, "id"), event: "interview.evaluation.update.scored" }
      const twice = yield* Effect.all([browser.post(`${path}/test`, fields), browser.post(`${path}/test`, fields)], {
        concurrency: 2,
      })
      const href = `${path}/test/${fields.id}`
      for (const { location } of twice) assert.strictEqual(location, `${href}#answer`)
      const sent = yield* browser.get(href)
      assert.strictEqual(sent.status, 200)
      assert.include(sent.text, "Not delivered")
      assert.include(sent.text, "The receiver answered 503.")
      assert.include(sent.text, "The receiver failed. Check its log")
      assert.include(sent.text, "&lt;script&gt;alert(1)")
      assert.include(sent.text, "&quot;is_test&quot;:true")
      // reloading the result, or sending the form again, sends no second test
      assert.include((yield* browser.get(href)).text, "The receiver answered 503.")
      assert.strictEqual((yield* browser.post(`${path}/test`, fields)).location, `${href}#answer`)
      assert.notStrictEqual(Settings.hidden(sent.text, "id"), fields.id)
      assert.lengthOf(yield* requests, before + 1)
      for (const event of ["", "nothing", "invitation.status.update.invitation_email_accepted"]) {
        assert.strictEqual((yield* browser.post(`${path}/test`, { event })).status, 422)
      }
      // a rejected form can be corrected and sent
      assert.strictEqual((yield* browser.post(`${path}/test`, { ...fields, id: freshId, event: "" })).status, 422)
      yield* browser.post(`${path}/test`, { ...fields, id: freshId })
      assert.lengthOf(yield* requests, before + 2)
      // the result is for this webhook and member, for an hour
      const other = yield* add(browser)
      assert.strictEqual((yield* browser.get(`${other.path}/test/${fields.id}`)).location, `${other.path}/test`)
      assert.strictEqual((yield* Settings.as(admin).get(href)).location, `${path}/test`)
      assert.strictEqual((yield* browser.get(`${path}/test/nothing`)).location, `${path}/test`)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* browser.get(href)).location, `${path}/test`)
      const { sql } = yield* Database
      yield* Effect.flatMap(FormIdempotency, ({ forget }) => forget)
      assert.deepStrictEqual(yield* sql`select from form_idempotency where form_id = ${fields.id}::uuid`, [])
      const [endpoint] = (yield* listed(organization.id)).filter((one) => one.id === id)
      assert.strictEqual(endpoint?.consecutive_failures, 0)
    }),
  )

  it.effect("checks a signature step by step without sending anything", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { id } = yield* add(browser)
      const second = yield* add(browser, [
        ["name", "Other one"],
        ["events", "interview.status.update"],
      ])
      const sign = Effect.fnUntraced(function* (endpoint: EndpointId, body: string, t: number) {
        const keys = [signingKey(yield* secretOf(organization.id, endpoint))]
        const headers = signatureHeaders({ eventId: "e", timestamp: t, body: Buffer.from(body), keys })
        return headers["x-webhook-signature"] ?? ""
      })
      const now = Date.parse("2026-11-02T09:42:00Z") / 1000
      const body = '{"a":1,"b":"</textarea><script>alert(1)</script>"}'
      const right = yield* sign(id, body, now)
      const before = (yield* requests).length
      const cases = [
        [right, body, "The signature is valid"],
        [`X-Webhook-Signature: ${right}`, body, "The signature is valid"],
        [yield* sign(id, body, now - 300), body, "Signed 5 minutes ago.</p>"],
        [yield* sign(id, body, now + 300), body, "The signature is valid"],
        [yield* sign(id, body, now - 301), body, "It was valid when it was sent"],
        [yield* sign(id, body, now + 301), body, "in the future"],
        [yield* sign(id, body, now - 7200), body, "Signed 2 hours ago. It was valid when it was sent"],
        [yield* sign(id, body, now + 7200), body, "The time t is 2 hours in the future"],
        [yield* sign(id, body, now * 1000), body, "in seconds, not milliseconds"],
        ["", body, "A proxy before your system removes the header"],
        ["v1=00", body, "Paste the whole value"],
        [right, JSON.stringify(JSON.parse(body), null, 2), "the body was parsed and serialized again"],
        [right, `${body}\r\n`, "without leading and trailing whitespace"],
        [right, body.replace("1", "2"), "No v1 matches"],
        [yield* sign(second.id, body, now), body, "the secret of another webhook, “Other one”"],
      ] as const
      for (const [header, text, expected] of cases) {
        const answer = yield* browser.post(`${base}/check`, { endpoint: id, header, body: text })
        assert.strictEqual(answer.status, 200, expected)
        assert.include(answer.text, expected)
        assert.notInclude(answer.text, "whsec_")
      }
      yield* (yield* EndpointSecrets).regenerate(operator(organization.id), id)
      const old = yield* browser.post(`${base}/check`, { endpoint: id, header: right, body })
      assert.include(old.text, "Signed with the old secret only")
      for (const text of ["", '"'.repeat(100_000)]) {
        const answer = yield* browser.post(`${base}/check`, { endpoint: id, header: right, body: text })
        assert.strictEqual(answer.status, 422)
        assert.include(answer.text, 'id="body-error"')
      }
      assert.lengthOf(yield* requests, before)
      assert.include((yield* browser.get(`${base}/check?endpoint=${second.id}`)).text, `value="${second.id}" selected`)
    }),
  )

  it.effect("does not add a webhook with another organization's id, or check a signature with its secret", () =>
    Effect.gen(function* () {
      const { foreigner, organization, owner } = yield* Settings.begin
      const { id } = yield* add(Settings.as(owner))
      const before = yield* listed(organization.id)
      const theirs = Settings.as(foreigner)
      yield* theirs.post(base, { id, name: "X", url, events: "interview.status.update" })
      const check = yield* theirs.post(`${base}/check`, { endpoint: id, header: "t=1,v1=00", body: "x" })
      assert.strictEqual(check.status, 404)
      assert.deepStrictEqual(yield* listed(organization.id), before)
    }),
  )

  it.effect("lists a hundred endpoints with long names page by page", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const endpoints = yield* Endpoints
      const long = { name: "&".repeat(200), url: `https://receiver.example/?${"&".repeat(1500)}` }
      yield* Effect.forEach(Array.from({ length: 100 }), () => endpoints.create(operator(organization.id), long))
      const browser = Settings.as(owner)
      const pages = yield* Effect.forEach(["", "?page=5", "?page=6"], (query) => browser.get(`${base}${query}`))
      assert.deepStrictEqual(
        pages.map(({ text }) => text.split('<li><a class="row endpoint"').length - 1),
        [20, 20, 20],
      )
      const check = yield* browser.post(`${base}/check`, {
        endpoint: String((yield* listed(organization.id))[0]?.id),
        header: '"'.repeat(2000),
        body: '"'.repeat(4000),
      })
      assert.strictEqual(check.status, 200)
    }),
  )
})

const slow = Effect.runSync(Latch.make())

layer(Settings.layer({ receive: () => Effect.as(slow.await, answered(200, "taken at last")) }))(
  "EndpointPages, a slow receiver",
  (it) => {
    it.effect("shows that a test is running, and that the result is unknown after the process died", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* Settings.begin
        const browser = Settings.as(owner)
        const { path } = yield* add(browser)
        const fields = {
          id: Settings.hidden((yield* browser.get(`${path}/test`)).text, "id"),
          event: "interview.status.update.started",
        }
        const sending = yield* Effect.forkChild(browser.post(`${path}/test`, fields))
        const href = `${path}/test/${fields.id}`
        const running = yield* browser.get(href).pipe(Effect.repeat({ while: ({ status }) => status === 303 }))
        assert.include(running.text, "Sending the test")
        assert.include(running.text, "data-refresh")
        assert.strictEqual((yield* browser.post(`${path}/test`, fields)).location, `${href}#answer`)
        yield* slow.open
        assert.strictEqual((yield* Fiber.join(sending)).location, `${href}#answer`)
        assert.include((yield* browser.get(href)).text, "taken at last")
        assert.lengthOf(yield* requests, 1)
        // the process died while it sent the test
        const { sql } = yield* Database
        yield* sql`update form_idempotency set response = null where organization_id = ${organization.id}::int`
        yield* TestClock.adjust("2 minutes")
        assert.include((yield* browser.get(href)).text, "The result is unknown")
      }),
    )
  },
)
