/** Addresses that get no emails, over the API (docs/mails.md). */

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Scenario from "../support/Scenario.ts"

const base = "/company/integration/suppressions/v1"

const listOf = ({ body }: Api.Answer) =>
  body as { readonly results: ReadonlyArray<Api.Row>; readonly next_cursor: string | null }

layer(Api.layer({ settings: { RATE_LIMIT: "0" } }), { excludeTestServices: true })(
  "suppressions over the API",
  (it) => {
    it.effect("stop invitations to an address, in any spelling, until it is released", () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization()
        const { key } = yield* Api.keyOf(organization.id)
        const suppress = (email: string) => Api.results(200, "POST", base, { key, json: { email } })
        const first = yield* suppress(" <Ada@Bücher.example> ")
        assert.deepInclude(first, { email: "ada@xn--bcher-kva.example", reason: "manual" })
        // listed already
        assert.deepStrictEqual(yield* suppress("ADA@xn--bcher-kva.example"), first)
        const invite = Effect.gen(function* () {
          const json = { com_interview_set_id: organization.set.id, candidates: [{ email: "Ada@bücher.example" }] }
          const [invited] = yield* Api.results<ReadonlyArray<{ readonly invitation: Api.Row }>>(
            200,
            "POST",
            Api.paths.invite,
            { key, json },
          )
          return invited?.invitation
        })
        assert.deepInclude(yield* invite, { status_text: "failed" })
        const path = `${base}/${first["id"]}`
        assert.deepStrictEqual(yield* Api.results(200, "DELETE", path, { key }), { id: first["id"], deleted: true })
        Contract.problem(yield* Api.call("DELETE", path, { key }), 404, "not_found")
        assert.deepInclude(yield* invite, { status_text: "pending" })

        const { sql } = yield* Database
        const log = yield* sql<{ action: string; record_id: string; detail: object }>`
        select action, record_id, detail from audit_log
        where organization_id = ${organization.id}::int and record_type = 'suppression' order by id`
        assert.deepStrictEqual(
          log.map(({ action, detail, record_id }) => [action, record_id, detail]),
          [
            ["suppression.add", first["id"], {}],
            ["suppression.release", first["id"], { reason: "manual" }],
          ],
        )
      }),
    )

    it.effect(
      "are listed page by page, newest first, by address and reason, without the address of an erased person",
      () =>
        Effect.gen(function* () {
          const { sql } = yield* Database
          const organization = yield* Scenario.organization()
          const { key } = yield* Api.keyOf(organization.id)
          const candidate = yield* Scenario.invited(organization, "bo@example.com")
          yield* sql`
        insert into suppression (organization_id, email, reason, created_at) values
          (${organization.id}::int, 'ada@example.com', 'spam', '2026-01-01'),
          (${organization.id}::int, 'bo@example.com', 'unsubscribed', '2026-01-03'),
          (${organization.id}::int, 'cy@example.com', 'unsubscribed', '2026-01-02')`
          const list = (query: string) => Effect.map(Api.call("GET", base + query, { key }), listOf)
          const emails = ({ results }: ReturnType<typeof listOf>) => results.map(({ email }) => email)
          const first = yield* list("?limit=2")
          const second = yield* list(`?limit=2&cursor=${first.next_cursor}`)
          assert.deepStrictEqual(
            [...emails(first), ...emails(second)],
            ["bo@example.com", "cy@example.com", "ada@example.com"],
          )
          assert.notMatch(Buffer.from(first.next_cursor ?? "", "base64url").toString(), /@/)
          assert.isNull(second.next_cursor)
          assert.deepStrictEqual(emails(yield* list("?reason=spam")), ["ada@example.com"])
          assert.deepStrictEqual(emails(yield* list("?email=BO@example.com")), ["bo@example.com"])
          yield* (yield* People).erase(operator(organization.id), CandidateId.make(candidate.subject.candidate_id))
          const [erased] = (yield* list("?email=bo@example.com")).results
          assert.deepInclude(erased, { email: null, reason: "unsubscribed" })
          // no second entry for an address whose hash is stored
          const again = yield* Api.results(200, "POST", base, { key, json: { email: "bo@example.com" } })
          assert.deepStrictEqual(again, erased)
          assert.lengthOf((yield* list("")).results, 3)
          for (const wrong of ["?reason=x", "?email=a%20b", "?cursor=x", "?limit=101", "?address=x"]) {
            Contract.problem(yield* Api.call("GET", base + wrong, { key }), 422, "validation_failed")
          }
        }),
    )

    it.effect("are stored once when requests run at once; need manage_emails, and refuse what is no address", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { key, organization } = yield* Api.account
        const one = Api.call("POST", base, { key, json: { email: "same@example.com" } })
        const answers = yield* Effect.all([one, one, one, one], { concurrency: "unbounded" })
        assert.deepStrictEqual([...new Set(answers.map(({ body }) => JSON.stringify(body)))].length, 1)
        const log =
          yield* sql`select id from audit_log where organization_id = ${organization}::int and action = 'suppression.add'`
        assert.lengthOf(log, 1)
        for (const email of [
          "",
          "ada",
          "ada@",
          "a b@example.com",
          "a@example.com, b@example.com",
          "sha256:00@",
          `${"x".repeat(400)}@example.com`,
        ]) {
          const refused = yield* Api.call("POST", base, { key, json: { email } })
          assert.deepStrictEqual(
            Contract.problem(refused, 422, "validation_failed").errors?.map(
              ({ code, pointer }) => `${pointer} ${code}`,
            ),
            ["#/email invalid_email"],
            email,
          )
        }
        const reads = (yield* Api.keyOf(organization, { scopes: ["read"] })).key
        assert.strictEqual((yield* Api.call("GET", base, { key: reads })).status, 200)
        Contract.problem(
          yield* Api.call("POST", base, { key: reads, json: { email: "x@example.com" } }),
          403,
          "missing_scope",
        )
        const manages = (yield* Api.keyOf(organization, { scopes: ["manage_emails"] })).key
        assert.strictEqual(
          (yield* Api.call("POST", base, { key: manages, json: { email: "x@example.com" } })).status,
          200,
        )
      }),
    )
  },
)
