/** Lookup, export and erasure of candidates over the API (docs/personal-data.md). */

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Scenario from "../support/Scenario.ts"

const base = "/company/integration/hiring/candidates/v1"
const ats = "0190b5a2-7c1e-7def-8abc-000000000042"

const nothing = {
  submissions: 0,
  invitations: 0,
  emails: 0,
  answers: 0,
  files: 0,
  cvs: 0,
  evaluations: 0,
  events: 0,
}

const listOf = ({ body }: Api.Answer) =>
  body as { readonly results: ReadonlyArray<Api.Row>; readonly next_cursor: string | null }

/** An organization with a candidate who has answered. */
const answered = Effect.gen(function* () {
  const { sql } = yield* Database
  const organization = yield* Scenario.organization()
  const { key } = yield* Api.keyOf(organization.id)
  const invited = yield* Scenario.invited(organization)
  yield* Scenario.completed(invited)
  const { candidate_id: id, submission_id: submission } = invited.subject
  yield* sql`update candidate set ats_candidate_id = ${ats}::uuid, name = 'Ada Lovelace' where id = ${id}::uuid`
  yield* sql`update submission set external_id = 'application-7' where id = ${submission}::uuid`
  const file = yield* Dossier.addFile(organization.id, "my portfolio")
  yield* sql`
    update answer set blob_id = ${file}::uuid, file_name = 'portfolio.pdf', file_type = 'application/pdf'
    where submission_id = ${submission}::uuid`
  const [row] = yield* sql<{ email: string }>`select email from candidate where id = ${id}::uuid`
  return { organization, key, id, submission, file, email: row?.email ?? "", path: `${base}/${id}` }
})

layer(Api.layer({ settings: { RATE_LIMIT: "0" } }), { excludeTestServices: true })("candidates over the API", (it) => {
  it.effect(
    "are found by id, ats_candidate_id, external_id and address, also one of a CV or of a former invitation",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { email, id, key, organization, path } = yield* answered
        const other = yield* Scenario.invited(organization, "bo@example.com")
        const find = (query: string) =>
          Effect.map(Api.call("GET", base + query, { key }), (answer) => listOf(answer).results.map((one) => one["id"]))
        const both = [other.subject.candidate_id, id]
        assert.sameMembers(yield* find(""), both)
        for (const query of [
          `?candidate_id=${id.toUpperCase()}`,
          `?ats_candidate_id=${ats}`,
          "?external_id=application-7",
          `?email=${email.toUpperCase()}`,
          `?email=${email}&external_id=application-7`,
        ]) {
          assert.deepStrictEqual(yield* find(query), [id], query)
        }
        assert.deepStrictEqual(yield* find(`?email=bo@example.com&candidate_id=${id}`), [])
        assert.deepStrictEqual(yield* find("?external_id=application-8"), [])
        yield* sql`update candidate set cv_email = 'Ada@cv.example' where id = ${id}::uuid`
        yield* sql`update invitation set email = 'ada@former.example' where candidate_id = ${id}::uuid`
        assert.deepStrictEqual(yield* find("?email=ada@cv.example"), [id])
        assert.deepStrictEqual(yield* find("?email=ada@former.example"), [id])
        const first = listOf(yield* Api.call("GET", `${base}?limit=1`, { key }))
        const second = listOf(yield* Api.call("GET", `${base}?limit=1&cursor=${first.next_cursor}`, { key }))
        assert.sameMembers(
          [...first.results, ...second.results].map((one) => one["id"]),
          both,
        )
        for (const wrong of ["?candidate_id=x", "?ats_candidate_id=1", "?email=a%20b@example.com", "?name=Ada"]) {
          Contract.problem(yield* Api.call("GET", base + wrong, { key }), 422, "validation_failed")
        }
        assert.deepInclude(yield* Api.results(200, "GET", path, { key }), {
          id,
          ats_candidate_id: ats,
          name: "Ada Lovelace",
          email,
          submissions: 1,
          erased_at: null,
          is_on_legal_hold: false,
          stored: {
            submissions: 1,
            invitations: 1,
            emails: 1,
            answers: 1,
            files: 1,
            cvs: 0,
            evaluations: 1,
            events: 3,
          },
        })
      }),
  )

  it.effect("are exported with their files, noted in the audit log, only with manage_privacy", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { email, id, key, organization, path } = yield* answered
      const exported = yield* Api.results<{
        readonly candidate: Api.Row
        readonly submissions: ReadonlyArray<Api.Row>
      }>(200, "GET", `${path}/export`, { key })
      assert.deepInclude(exported.candidate, { id, email, name: "Ada Lovelace" })
      assert.include(JSON.stringify(exported), Buffer.from("my portfolio").toString("base64"))
      assert.notMatch(JSON.stringify(exported), /blob_id|claim_id/)
      const log = yield* sql`
        select id from audit_log where record_id = ${id} and action = 'candidate.export' and api_key is not null`
      assert.lengthOf(log, 1)
      const misspelt = yield* Api.call("GET", `${path}/export?fromat=json`, { key })
      const { results, warnings } = misspelt.body as { readonly results: unknown; readonly warnings: unknown }
      assert.deepStrictEqual(results, exported)
      assert.include(JSON.stringify(warnings), "fromat")
      const { key: reads } = yield* Api.keyOf(organization.id, { scopes: ["read", "review_submissions"] })
      assert.strictEqual((yield* Api.call("GET", path, { key: reads })).status, 200)
      Contract.problem(yield* Api.call("GET", `${path}/export`, { key: reads }), 403, "missing_scope")
      const json = { confirm: id }
      Contract.problem(yield* Api.call("POST", `${path}/erase`, { key: reads, json }), 403, "missing_scope")
      const { key: foreign } = yield* Api.account
      Contract.problem(yield* Api.call("GET", `${path}/export`, { key: foreign }), 404, "not_found")
      Contract.problem(yield* Api.call("POST", `${path}/erase`, { key: foreign, json }), 404, "not_found")
    }),
  )

  it.effect("are erased once confirmed by id or address, and then found by id without data", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { email, file, id, key, path } = yield* answered
      const erase = (confirm: unknown) => Api.call("POST", `${path}/erase`, { key, json: { confirm } })
      for (const wrong of ["", "erase", "x@example.com", "0190b5a2-7c1e-7def-8abc-0123456789ab", `${id}x`]) {
        const refused = Contract.problem(yield* erase(wrong), 422, "validation_failed")
        assert.deepStrictEqual(
          refused.errors?.map(({ code, pointer }) => `${pointer} ${code}`),
          ["#/confirm invalid"],
        )
      }
      assert.deepInclude(yield* Api.results(200, "GET", path, { key }), { email, erased_at: null })
      const erased = yield* erase(` ${email.toUpperCase()} `)
      assert.strictEqual(erased.status, 200, JSON.stringify(erased.body))
      const { erased_at, ...results } = (erased.body as { results: Api.Row }).results
      assert.deepInclude(results, {
        id,
        erased: true,
        previously_erased_at: null,
        removed: {
          ...nothing,
          submissions: 1,
          invitations: 1,
          emails: 1,
          answers: 1,
          files: 1,
          evaluations: 1,
          events: 3,
        },
      })
      const after = yield* Api.results(200, "GET", path, { key })
      assert.deepInclude(after, { email: null, name: null, ats_candidate_id: null, submissions: 1 })
      assert.isString(after["erased_at"])
      assert.strictEqual(after["erased_at"], erased_at)
      assert.deepStrictEqual(listOf(yield* Api.call("GET", `${base}?email=${email}`, { key })).results, [])
      assert.isEmpty(yield* sql`select id from blob where id = ${file}::uuid`)
      assert.isEmpty(yield* sql`select blob_id from blob_chunk where blob_id = ${file}::uuid`)
      // by id only: there is no address to compare
      const unnamed = Contract.problem(yield* erase(email), 422, "validation_failed")
      assert.include(unnamed.errors?.[0]?.message, `must be the id of the candidate in the path, who is erased already`)
      const submission = sql`
        select cv_deleted_at, answers_deleted_at, updated_at::text as updated_at from submission where candidate_id = ${id}::uuid`
      const unchanged = yield* submission
      const again = yield* erase(id)
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual((again.body as { results: Api.Row }).results, {
        id,
        erased: true,
        erased_at: after["erased_at"],
        previously_erased_at: after["erased_at"],
        removed: nothing,
      })
      assert.deepStrictEqual(yield* Api.results(200, "GET", path, { key }), after)
      assert.deepStrictEqual(yield* submission, unchanged)
      const exported = yield* Api.call("GET", `${path}/export`, { key })
      assert.notInclude(JSON.stringify(exported.body), email)
    }),
  )

  it.effect("keep the time of their erasure until another one removes data that was stored since", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id, key, path } = yield* answered
      const erase = Api.results<{ readonly erased_at: string; readonly previously_erased_at: string | null }>(
        200,
        "POST",
        `${path}/erase`,
        { key, json: { confirm: id } },
      )
      let last = yield* erase
      for (const add of [
        sql`update candidate set phone = '+49 30 1234567' where id = ${id}::uuid`,
        sql`update submission set created_at = now() where candidate_id = ${id}::uuid`,
      ]) {
        assert.strictEqual((yield* erase).erased_at, last.erased_at)
        yield* add
        const again = yield* erase
        assert.strictEqual(again.previously_erased_at, last.erased_at)
        assert.isAbove(Date.parse(again.erased_at), Date.parse(last.erased_at))
        assert.deepInclude(yield* Api.results(200, "GET", path, { key }), { erased_at: again.erased_at })
        last = again
      }
      assert.strictEqual((yield* erase).erased_at, last.erased_at)
    }),
  )

  it.effect("are confirmed by the address of a CV, which the list and the candidate show", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id, key, path } = yield* answered
      yield* sql`update candidate set email = null, email_key = null, cv_email = 'Ada@cv.example' where id = ${id}::uuid`
      const [listed] = listOf(yield* Api.call("GET", `${base}?candidate_id=${id}`, { key })).results
      assert.strictEqual(listed?.["email"], "Ada@cv.example")
      assert.deepInclude(yield* Api.results(200, "GET", path, { key }), { email: "Ada@cv.example" })
      const json = { confirm: "ada@cv.example" }
      assert.deepInclude(yield* Api.results(200, "POST", `${path}/erase`, { key, json }), { erased: true })
      assert.deepInclude(yield* Api.results(200, "GET", path, { key }), { email: null })
    }),
  )

  it.effect("are erased once by two requests at a time, and not during a legal hold", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id, key, organization, path } = yield* answered
      const erase = Api.call("POST", `${path}/erase`, { key, json: { confirm: id } })
      yield* sql`
        insert into legal_hold (id, organization_id, candidate_id, reason, placed_at)
        values (gen_random_uuid(), ${organization.id}::int, ${id}::uuid, 'a claim is pending', now())`
      assert.deepInclude(yield* Api.results(200, "GET", path, { key }), { is_on_legal_hold: true })
      assert.match(Contract.problem(yield* erase, 409, "conflict").detail, /release it first/)
      assert.deepInclude(yield* Api.results(200, "GET", path, { key }), { name: "Ada Lovelace", erased_at: null })
      yield* sql`update legal_hold set released_at = now() where candidate_id = ${id}::uuid`
      const answers = yield* Effect.all([erase, erase, erase], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      )
      const removed = answers.map(({ body }) => (body as { results: { removed: Api.Row } }).results.removed["answers"])
      assert.sameMembers(removed, [1, 0, 0])
      assert.deepInclude(yield* Api.results(200, "GET", path, { key }), { name: null })
    }),
  )
})
