/** Settings → Integrations → API requests over real HTTP, as in a browser without scripts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { RequestLog } from "../../src/accounts/requests/RequestLog.ts"
import * as Api from "../support/Api.ts"
import * as Settings from "../support/Settings.ts"
import { nobodys } from "../support/Specification.ts"

const base = "/settings/integrations/requests"
const sets = "/company/integration/hiring/interview-sets/v1"

const write = Effect.flatMap(RequestLog, (requestLog) => requestLog.write)

/** The hrefs of rows. */
const rowsOf = (text: string) =>
  [...text.matchAll(/href="(\/settings\/integrations\/requests\/[0-9a-f-]{36})"/g)].map(([, href = ""]) => href)

layer(Settings.layer())("the pages of API requests", (it) => {
  it.effect("lists requests with their status, filters them, and names the most frequent failures", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      assert.include((yield* browser.get(base)).text, "No requests in the last 7 days")
      const { id, key } = yield* Api.keyOf(organization.id, { name: Settings.hostile })
      const other = yield* Api.keyOf(organization.id, { name: "Portal" })
      yield* Api.call("GET", sets, { key })
      yield* Api.call("POST", Api.paths.createSet, { key: other.key, json: {} })
      yield* Api.call("GET", Api.paths.detail(nobodys), { key, headers: { "x-request-id": "ours-7" } })
      yield* write
      const all = (yield* browser.get(base)).text
      assert.lengthOf(rowsOf(all), 3)
      for (const part of ["200 OK", "404 Refused", "422 Refused", "validation_failed", "Portal", "frequent failures"])
        assert.include(all, part)
      assert.notInclude(all, Settings.hostile)
      for (const [query, count] of [
        ["?status=2xx", 1],
        ["?status=failed", 2],
        ["?operation=listInterviewSets", 1],
        [`?key=${id}`, 2],
        ["?problem=not_found", 1],
        ["?id=ours-7", 1],
        ["?id=unknown", 0],
        ["?to=2020-01-01T00:00", 0],
        ["?from=2020-01-01T00:00&status=4xx", 2],
        ["?status=x&key=y&operation=%3Cb%3E&problem=%00&from=z&cursor=a", 3],
      ] as const) {
        const { status, text } = yield* browser.get(`${base}${query}`)
        assert.strictEqual(status, 200, query)
        assert.lengthOf(rowsOf(text), count, query)
      }
      assert.include((yield* browser.get(`/settings/integrations/api-keys/${id}`)).text, `${base}?key=${id}`)
    }),
  )

  it.effect("shows a request with its error, what to do, and the request as curl", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { key } = yield* Api.keyOf(organization.id, { name: "Portal" })
      const headers = { "x-request-id": "twice", "idempotency-key": "k" }
      yield* Api.call("POST", `${Api.paths.invite}?email=a`, { key, headers, json: { candidates: [{ email: 1 }] } })
      yield* Api.call("GET", `${sets}?external_id=a&limit=2&zoe=1`, { key, headers: { "x-request-id": "twice" } })
      yield* write
      const hrefs = rowsOf((yield* browser.get(base)).text)
      const [list, invite] = yield* Effect.forEach(hrefs, (href) => Effect.map(browser.get(href), ({ text }) => text))
      for (const part of [
        "422 Refused",
        "Invite candidates",
        "Correct the fields in the table",
        "/docs/errors#validation_failed",
        "#/candidates/0/email",
        "not of the expected JSON type",
        `X-API-Key: $API_KEY`.replaceAll('"', "&quot;"),
        "Idempotency-Key: $(date +%s)",
        "com_interview_set_id",
        "Other requests with this id",
      ])
        assert.include(invite, part)
      assert.notInclude(invite, key.split(".")[1] ?? "")
      assert.include(invite, "The body is not that of the request")
      assert.include(list, "The same request as curl")
      assert.include(list, "limit=2&amp;external_id=NOT_LOGGED")
      assert.notInclude(list, "-d &#39;")
      const stranger = Settings.as((yield* Settings.begin).owner)
      assert.strictEqual((yield* stranger.get(hrefs[0] ?? "")).status, 404)
      assert.strictEqual((yield* browser.get(`${base}/nothing`)).status, 404)
    }),
  )
})
