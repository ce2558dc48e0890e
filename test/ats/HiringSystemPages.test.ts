/** Settings → Integrations → Hiring systems over real HTTP, as in a browser without scripts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { connectors } from "../../src/ats/Connectors.ts"
import { HiringSystem, systemNames } from "../../src/ats/HiringSystem.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { pageAt } from "../docs/pages.ts"
import * as Api from "../support/Api.ts"
import * as Settings from "../support/Settings.ts"
import { basic } from "./Simulator.ts"
import { kombo } from "./systems.ts"

const base = "/settings/integrations/hiring-systems"
const key = /ih_[\w-]{43}/

type Browser = ReturnType<typeof Settings.as>

let accounts = 0

/** Fields of the form, each time of another account. The texts of secrets begin with "secret-of". */
const credentialsOf = (system: HiringSystem): Record<string, string> =>
  Object.fromEntries(
    connectors[system].credentials.map(({ isKnown, name, options: [option] = [] }) => [
      `credential-${name}`,
      option ?? (name === "integration_id" ? "workday:1" : isKnown ? `account-${++accounts}` : `secret-of-${name}`),
    ]),
  )

const connect = Effect.fnUntraced(function* (
  browser: Browser,
  system: HiringSystem,
  fields: Record<string, string> = {},
) {
  const id = Settings.hidden((yield* browser.get(`${base}/new?system=${system}`)).text, "id")
  const sent = { id, system, name: `Account at ${systemNames[system]}`, ...credentialsOf(system), ...fields }
  const response = yield* browser.post(base, sent)
  const [href = ""] = new RegExp(`${base}/[0-9a-f-]{36}`).exec(response.text) ?? []
  return { sent, response, href, key: key.exec(response.text)?.[0] }
})

const listTests = (key: string | undefined) =>
  Effect.map(
    Api.call("GET", "/hiring-systems/greenhouse/list_tests", { headers: { authorization: basic(key ?? "") } }),
    ({ status }) => status,
  )

layer(Settings.layer())("the pages of hiring systems", (it) => {
  it.effect("link to the guide, which has a section for each system, as the operator's has", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { body: guide } = yield* Api.call("GET", "/docs/hiring-systems", { headers: { accept: "text/html" } })
      for (const system of HiringSystem.literals) {
        assert.include((yield* connect(browser, system)).response.text, `href="/docs/hiring-systems#${system}"`)
        assert.include(String(guide), `id="${system}"`)
        assert.include(pageAt("docs/hiring-system-partners.md"), `\n## ${systemNames[system]}\n`)
      }
    }),
  )

  it.effect("ask an administrator for the operator's credentials last, and say whose they are", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const note = "The operator of this service has the following"
      for (const system of HiringSystem.literals) {
        const { text } = yield* Settings.as(owner).get(`${base}/new?system=${system}`)
        const [own = "", ofOperator = ""] = text.split(note)
        for (const { isPartner, name } of connectors[system].credentials) {
          assert.include(isPartner ? ofOperator : own, `name="credential-${name}"`, system)
        }
      }
    }),
  )

  it.effect("connects each hiring system, shows its addresses, and shows its key only once", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { text: empty } = yield* browser.get(base)
      for (const system of HiringSystem.literals) assert.include(empty, `${base}/new?system=${system}`)
      for (const system of HiringSystem.literals) {
        assert.include((yield* browser.get(`${base}/new`)).text, `${base}/new?system=${system}`)
        const { href, key: shown, response, sent } = yield* connect(browser, system)
        assert.strictEqual(response.status, 200, system)
        assert.strictEqual(shown === undefined, connectors[system].authentication._tag === "Signature")
        assert.include(response.text, `/hiring-systems/${system}/`)
        assert.include(response.text, "not certified by the vendor")
        assert.notInclude(response.text, "secret-of")
        // after a double click, the key is still shown
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(key.exec((yield* browser.post(base, sent)).text)?.[0], shown)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* browser.post(base, sent)).location, `${href}?done=repeated`)
        const page = yield* browser.get(href)
        assert.strictEqual(page.status, 200)
        assert.notMatch(page.text, key)
        assert.notInclude(page.text, "secret-of")
        assert.include((yield* browser.get(base)).text, sent.name)
      }
      assert.lengthOf((yield* browser.get(base)).text.match(/class="row-name"/g) ?? [], HiringSystem.literals.length)
    }),
  )

  it.effect("shows each error beside its field, and keeps the typed name but no secret", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      for (const [fields, field] of [
        [{ name: " " }, "name"],
        [{ "credential-api_key": "x".repeat(501) }, "credential-api_key"],
        [{ "credential-region": "mars" }, "credential-region"],
      ] as const) {
        const { response } = yield* connect(browser, "kombo", { ...fields })
        assert.strictEqual(response.status, 422)
        assert.include(response.text, `id="${field}-error"`)
        assert.notInclude(response.text, "secret-of")
        if (field !== "name") assert.include(response.text, 'value="Account at Kombo"')
      }
      const { response } = yield* connect(browser, "kombo", { name: " ", "credential-api_key": "\u0007" })
      for (const field of ["name", "credential-api_key"]) assert.include(response.text, `id="${field}-error"`)
      const { href } = yield* connect(browser, "ashby")
      const refused = yield* browser.post(`${href}/credentials`, { "credential-api_key": "" })
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, 'href="#credentials"')
      const saved = yield* browser.post(`${href}/credentials`, { "credential-api_key": "secret-of-later" })
      assert.strictEqual(saved.location, `${href}?done=saved`)
    }),
  )

  it.effect("connects without all credentials, and lists the missing ones", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const later = { "credential-api_key": "", "credential-webhook_secret": "" }
      const { href, response } = yield* connect(browser, "kombo", later)
      assert.include(response.text, "/order-received")
      assert.include(response.text, "Kombo is almost connected")
      assert.include((yield* browser.get(base)).text, "Credentials missing")
      const until = "nothing is sent to it until these credentials are entered: "
      assert.include((yield* browser.get(href)).text, `${until}Kombo API key, Webhook secret.`)
      const refused = yield* browser.post(`${href}/test`)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "Nothing was done: enter these credentials first: Kombo API key, Webhook secret.")
      yield* browser.post(`${href}/credentials`, { "credential-region": "", "credential-api_key": "secret-of-kombo" })
      const text = (yield* browser.get(href)).text
      assert.include(text, `Orders of Kombo are refused, and ${until}Webhook secret.`)
      yield* browser.post(`${href}/credentials`, { "credential-webhook_secret": "secret-of-webhook_secret" })
      assert.notInclude((yield* browser.get(href)).text, until)
      const { sql } = yield* Database
      yield* Effect.orDie(sql`update ats_connection set credentials = 'x' where id = ${href.slice(-36)}::uuid`)
      assert.include((yield* browser.get(href)).text, "The stored credentials cannot be decrypted")
      assert.strictEqual((yield* browser.post(`${href}/test`)).status, 409)
    }),
  )

  it.effect(
    "tells the operator's steps from the administrator's, and asks for nothing that the vendor does not have",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* Settings.begin
        const browser = Settings.as(owner)
        for (const [system, words, absent] of [
          ["greenhouse", ["account manager at Greenhouse"], ["Enter the key in Greenhouse", '/test"']],
          ["ashby", ["candidatesWrite", "apiKeysRead", '/test"'], []],
          ["kombo", ["Kombo Connect", '/test"'], []],
          ["workable", ["Base address", `/hiring-systems/workable</pre>`], ['/test"']],
          ["teamtailor", ["Marketplace", "HIRING_SYSTEM_PARTNERS", `/hiring-systems/teamtailor</pre>`], ['/test"']],
          ["hibob", ["Grant access", "Redirect address", "not tried with HiBob"], ["Base address", '/test"']],
          ["recruitee", ["urls.send_candidate", "HIRING_SYSTEM_PARTNERS"], ["Base address", '/test"']],
        ] as const) {
          const { href, response } = yield* connect(browser, system)
          const { text } = yield* browser.get(href)
          for (const page of [response.text, text]) {
            const [before = "", after = ""] = page.split("Once, by the operator of this service")
            assert.include(before, `Set up ${systemNames[system]}`)
            assert.notInclude(before, "partner team")
            assert.include(after, "/hiring-systems/")
            assert.include(after, "These addresses begin with http://")
          }
          for (const word of words) assert.include(text, word, system)
          for (const word of absent) assert.notInclude(text, word, system)
        }
      }),
  )

  it.effect("shows that Kombo sends orders of another integration, until one of this connection arrives", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { href } = yield* connect(browser, "kombo")
      const send = (number: number, integration_id: string) => {
        const data = {
          id: `order-${number}`,
          package_id: organization.set.id,
          integration_id,
          candidate: { email: "ada@example.com" },
        }
        const raw = JSON.stringify({ data })
        const headers = { "content-type": "application/json", ...kombo.authenticate("secret-of-webhook_secret", raw) }
        return Api.call("POST", `/hiring-systems/kombo/${href.slice(-36)}/order-received`, { headers, raw })
      }
      assert.strictEqual((yield* send(1, "workday:2")).status, 200)
      const { text } = yield* browser.get(href)
      assert.include(text, "is of the integration <bdi>workday:2</bdi>, not of this connection")
      assert.strictEqual((yield* send(2, "workday:1")).status, 200)
      assert.notInclude((yield* browser.get(href)).text, "is of the integration")
    }),
  )

  it.effect("sends failed reports again", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { href } = yield* connect(browser, "kombo")
      const { sql } = yield* Database
      const state = sql<{ state: string }>`
        select state from ats_report where organization_id = ${organization.id}::int`.pipe(Effect.orDie)
      yield* Effect.orDie(sql`
        update ats_report set state = 'failed', due_at = null where organization_id = ${organization.id}::int`)
      assert.include((yield* browser.get(href)).text, `action="${href}/send-failed"`)
      assert.strictEqual((yield* browser.post(`${href}/send-failed`)).location, `${href}?done=sent`)
      assert.deepStrictEqual(yield* state, [{ state: "queued" }])
      assert.notInclude((yield* browser.get(href)).text, `action="${href}/send-failed"`)
      yield* browser.post(`${href}/pause`)
      assert.strictEqual((yield* browser.post(`${href}/send-failed`)).status, 409)
    }),
  )

  it.effect("tests, pauses, resumes and removes a connection, and replaces its key once per form", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { href, key: first } = yield* connect(browser, "greenhouse")
      assert.strictEqual(yield* listTests(first), 200)
      const tested = yield* browser.post(`${href}/test`)
      assert.strictEqual(tested.status, 409)
      assert.include(tested.text, "Greenhouse documents no request that tests credentials")
      const { text } = yield* browser.get(href)
      assert.notInclude(text, `action="${href}/test"`)
      assert.match(text, />list_tests<\/td><td[^>]*>200<\/td>/)
      assert.strictEqual((yield* browser.post(`${href}/pause`)).location, `${href}?done=paused`)
      assert.strictEqual(yield* listTests(first), 503)
      assert.strictEqual((yield* browser.post(`${href}/resume`)).location, `${href}?done=resumed`)
      assert.strictEqual(yield* listTests(first), 200)
      const form = { id: Settings.hidden((yield* browser.get(`${href}/key`)).text, "id") }
      const replaced = yield* browser.post(`${href}/key`, form)
      const second = key.exec(replaced.text)?.[0]
      assert.deepStrictEqual([yield* listTests(first), yield* listTests(second)], [401, 200])
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* browser.post(`${href}/key`, form)).location, `${href}?done=repeated`)
      assert.strictEqual(yield* listTests(second), 200)
      assert.strictEqual((yield* browser.get(`${href}/credentials`)).location, href)
      const kombo = yield* connect(browser, "kombo")
      assert.strictEqual((yield* browser.get(`${kombo.href}/key`)).location, kombo.href)
      const other = { id: Settings.hidden((yield* browser.get(`${base}/new?system=kombo`)).text, "id") }
      assert.strictEqual((yield* browser.post(`${kombo.href}/key`, other)).status, 409)
      assert.include((yield* browser.get(`${href}/delete`)).text, "submissions remain")
      assert.strictEqual((yield* browser.post(`${href}/delete`)).location, `${base}?done=removed`)
      assert.strictEqual((yield* browser.get(href)).status, 404)
      assert.strictEqual((yield* browser.post(`${href}/delete`)).location, `${base}?done=gone`)
    }),
  )

  it.effect("is open to admins", () =>
    Effect.gen(function* () {
      const { admin, owner } = yield* Settings.begin
      const { href } = yield* connect(Settings.as(owner), "ashby")
      for (const path of [base, `${base}/new`, href, `${href}/key`, `${href}/credentials`, `${href}/delete`])
        assert.strictEqual((yield* Settings.as(admin).get(path)).status, 200, path)
    }),
  )

  it.effect("shows on the submission's page who ordered the interview, and links only web addresses", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { href, key: user } = yield* connect(browser, "greenhouse", { name: Settings.hostile })
      const send = Effect.fnUntraced(function* (number: number, profile: string) {
        const { body, status } = yield* Api.call("POST", "/hiring-systems/greenhouse/send_test", {
          headers: { authorization: basic(user ?? "") },
          json: {
            partner_test_id: organization.set.id,
            candidate: {
              first_name: "Ada",
              last_name: "Lovelace",
              email: `ada${number}@example.com`,
              greenhouse_profile_url: profile,
            },
            sent_by: "sender@acme.example",
            url: `https://app.greenhouse.io/tests/${number}`,
          },
        })
        assert.strictEqual(status, 200)
        const id = (body as { partner_interview_id: string }).partner_interview_id
        return { id, text: (yield* browser.get(`/submissions/${id}`)).text }
      })
      const { id, text } = yield* send(1, "https://app.greenhouse.io/people/17")
      assert.include(text, "Ordered by")
      assert.include((yield* browser.get(href)).text, `<a href="/submissions/${id}" dir="auto">Ada Lovelace</a>`)
      assert.include(text, "sender@acme.example")
      assert.include(text, '<a href="https://app.greenhouse.io/people/17" rel="noreferrer">')
      const { sql } = yield* Database
      yield* Effect.orDie(
        sql`update ats_order set cancelled_at = now(), profile_url = 'javascript:alert(1)' where submission_id = ${id}::uuid`,
      )
      const cancelled = yield* browser.get(`/submissions/${id}`)
      assert.include(cancelled.text, "<dt>Cancelled</dt>")
      assert.notInclude(cancelled.text, "javascript:")
    }),
  )
})
