/** Uploaded files and CVs over the API (docs/submissions.md). */

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Scenario from "../support/Scenario.ts"

const nobodys = "0190b5a2-7c1e-7def-8abc-0123456789ab"

/** A submission with an uploaded file and a CV. */
const submitted = Effect.gen(function* () {
  const { sql } = yield* Database
  const organization = yield* Scenario.organization()
  const { key } = yield* Api.keyOf(organization.id)
  const invited = yield* Scenario.invited(organization)
  yield* Scenario.completed(invited)
  const { candidate_id: candidate, submission_id: submission } = invited.subject
  const [answer] = yield* sql<{ question: string }>`
    select question_id as question from answer where submission_id = ${submission}::uuid`
  const question = answer?.question ?? assert.fail("no answer")
  const file = yield* Dossier.addFile(organization.id, "my portfolio")
  yield* sql`
    update answer set blob_id = ${file}::uuid, file_name = 'Über “mich”; \r\n.svg', file_type = 'image/svg+xml'
    where submission_id = ${submission}::uuid`
  yield* sql`
    insert into cv (id, organization_id, submission_id, link, blob_id, file_type, state, due_at)
    values (gen_random_uuid(), ${organization.id}::int, ${submission}::uuid, 'https://cv.example/ada',
      ${yield* Dossier.addFile(organization.id, "my CV")}::uuid, 'application/pdf', 'read', null)`
  const base = `/company/integration/hiring/submissions/${submission}`
  const paths = { file: `${base}/answers/${question}/file/v1`, cv: `${base}/cv/v1` }
  return { organization: organization.id, key, candidate, submission, question, paths }
})

layer(Api.layer({ settings: { RATE_LIMIT: "0" } }), { excludeTestServices: true })("files over the API", (it) => {
  it.effect("are sent as downloads that no browser runs, at the addresses of the submission's detail", () =>
    Effect.gen(function* () {
      const { key, paths, submission } = yield* submitted
      const detail = yield* Api.results<{
        readonly answers: ReadonlyArray<{ readonly file: { readonly url: string; readonly size: number } }>
        readonly cv_file: { readonly url: string; readonly size: number; readonly type: string }
      }>(200, "GET", Api.paths.detail(submission), { key })
      const [{ file } = assert.fail("no answer")] = detail.answers
      assert.isTrue(file.url.endsWith(`${paths.file}?attempt=1`), file.url)
      assert.isTrue(detail.cv_file.url.endsWith(paths.cv), detail.cv_file.url)
      assert.deepInclude(detail.cv_file, { type: "application/pdf", size: 5 })
      const sent = yield* Api.call("GET", new URL(file.url).pathname + new URL(file.url).search, { key })
      assert.deepStrictEqual([sent.status, sent.body], [200, "my portfolio"])
      // a type with scripts is not named
      const headers = {
        "content-type": "application/octet-stream",
        "content-length": "12",
        "content-disposition":
          "attachment; filename=\"_ber _mich__ __.svg\"; filename*=UTF-8''%C3%9Cber%20%E2%80%9Cmich%E2%80%9D%3B%20%0D%0A.svg",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
      }
      for (const [name, value] of Object.entries(headers)) assert.strictEqual(sent.headers.get(name), value, name)
      const cv = yield* Api.call("GET", paths.cv, { key })
      assert.deepStrictEqual([cv.status, cv.body], [200, "my CV"])
      assert.strictEqual(cv.headers.get("content-type"), "application/pdf")
      assert.match(cv.headers.get("content-disposition") ?? "", /^attachment; filename="CV\.pdf"/)
    }),
  )

  it.effect("return 404 without a file, for an unsubmitted attempt, a deleted CV and an erased candidate", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { candidate, key, organization, paths, question, submission } = yield* submitted
      const get = (path: string) => Api.call("GET", path, { key })
      for (const path of [
        `${paths.file}?attempt=2`,
        paths.file.replace(question, nobodys),
        paths.file.replace(submission, nobodys),
        paths.cv.replace(submission, nobodys),
      ]) {
        Contract.problem(yield* get(path), 404, "not_found")
      }
      for (const wrong of ["?attempt=0", "?attempt=x", "?attempt=1&attempt=2", "?x=1"]) {
        Contract.problem(yield* get(paths.file + wrong), 422, "validation_failed")
      }
      // answers that are not submitted are private
      yield* sql`update submission set status = 'started' where id = ${submission}::uuid`
      Contract.problem(yield* get(paths.file), 404, "not_found")
      yield* sql`update submission set status = 'completed' where id = ${submission}::uuid`
      assert.strictEqual((yield* get(paths.file)).status, 200)
      yield* sql`update cv set blob_id = null where submission_id = ${submission}::uuid`
      Contract.problem(yield* get(paths.cv), 404, "not_found")
      const detail = yield* Api.results(200, "GET", Api.paths.detail(submission), { key })
      assert.isNull(detail["cv_file"])
      yield* (yield* People).erase(operator(organization), CandidateId.make(candidate))
      Contract.problem(yield* get(paths.file), 404, "not_found")
    }),
  )

  it.effect("are sent to keys of the organization that may read or decide, only", () =>
    Effect.gen(function* () {
      const { organization, paths } = yield* submitted
      const other = (yield* Api.account).key
      const reads = (yield* Api.keyOf(organization, { scopes: ["read"] })).key
      const decides = (yield* Api.keyOf(organization, { scopes: ["review_submissions"] })).key
      const invites = (yield* Api.keyOf(organization, { scopes: ["invite_candidates"] })).key
      for (const path of [paths.file, paths.cv]) {
        Contract.problem(yield* Api.call("GET", path, { key: other }), 404, "not_found")
        for (const key of [reads, decides]) assert.strictEqual((yield* Api.call("GET", path, { key })).status, 200)
        Contract.problem(yield* Api.call("GET", path, { key: invites }), 403, "missing_scope")
      }
    }),
  )
})
