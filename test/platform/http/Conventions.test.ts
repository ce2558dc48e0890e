/** HTTP conventions of the integration API: bodies, paths, methods, errors (docs/api.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Api from "../../support/Api.ts"
import {
  Caller,
  createSet,
  detail,
  faults,
  invite,
  invitedOne,
  newSet,
  nobodys,
  post,
  problem,
  layer as specification,
} from "../../support/Specification.ts"

const json = { "content-type": "application/json" }
const posts = [createSet, invite]

/** A create-set request of this many bytes. */
const bytes = (count: number) => {
  const empty = JSON.stringify({ title: "x", description: "" })
  return empty.replace('""', `"${"x".repeat(count - empty.length)}"`)
}
const maxBody = 2 * 1024 * 1024

layer(specification(), { excludeTestServices: true })("HTTP", (it) => {
  it.effect.each<readonly [quote: string, path: string]>([
    ["POST {api_url}/company/integration/interview/set/v1", "/company/integration/interview/set/v1"],
    [
      "POST {api_url}/company/integration/interview/candidate/invite/v1",
      "/company/integration/interview/candidate/invite/v1",
    ],
  ])("spec: Method and path: %s", ([, path]) =>
    Effect.gen(function* () {
      assert.include(posts, path)
      problem(yield* post(path, {}), 422, "validation_failed")
      problem(yield* post(path.replace(/v1$/, "v2"), {}), 404, "not_found")
    }),
  )

  it.effect("GET {api_url}/company/integration/hiring/submissions/<submission_id>/detail/v1", () =>
    Effect.gen(function* () {
      const { submission } = yield* invitedOne({ com_interview_set_id: yield* newSet() }, { email: "ada@example.com" })
      const path = `/company/integration/hiring/submissions/${submission?.id}/detail/v1`
      const found = yield* Api.results(200, "GET", path, yield* Caller)
      assert.strictEqual(found["id"], submission?.id)
    }),
  )

  it.effect("success is a JSON object { results: … }: 201 for create set, else 200", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const set = yield* Api.call("POST", createSet, { key, json: { title: "x" } })
      const id = (set.body as { results: { id: string } }).results.id
      const request = { com_interview_set_id: id, candidates: [{ email: "ada@example.com" }] }
      const invitation = yield* Api.call("POST", invite, { key, json: request })
      const submission = (invitation.body as { results: ReadonlyArray<{ submission: { id: string } }> }).results[0]
      const found = yield* Api.call("GET", detail(String(submission?.submission.id)), { key })
      assert.deepStrictEqual([set.status, invitation.status, found.status], [201, 200, 200])
      for (const { body, headers } of [set, invitation, found]) {
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.deepStrictEqual(Object.keys(body as object), ["results"])
      }
      assert.isArray((invitation.body as { results: unknown }).results)
    }),
  )

  it.effect.each([
    "",
    " ",
    "{",
    "{'title':'x'}",
    "title=x",
    '{"title":"x"}}',
    '{"title":"x",}',
    "undefined",
    "NaN",
    '{"title":"\n"}',
    "\ufeff",
  ])("contract: 400 body is not JSON: %s", (raw) =>
    Effect.gen(function* () {
      for (const path of posts) problem(yield* post(path, raw), 400, "bad_request")
    }),
  )

  it.effect("returns 400 for bodies that are not UTF-8", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const latin1 = Buffer.from('{"title":"Caf\u00e9"}', "latin1")
      problem(yield* Api.call("POST", createSet, { key, raw: latin1, headers: json }), 400, "bad_request")
      const utf16 = Buffer.from('{"title":"x"}', "utf16le")
      problem(yield* Api.call("POST", createSet, { key, raw: utf16, headers: json }), 400, "bad_request")
    }),
  )

  it.effect.each(["null", "[]", '"x"', "1", "true", '[{"title":"x"}]'])(
    "returns 422 for JSON that is not an object: %s",
    (raw) =>
      Effect.gen(function* () {
        for (const path of posts) assert.deepStrictEqual(yield* faults(path, raw), ["# wrong_type"])
      }),
  )

  it.effect.each<readonly [quote: string, type: string | undefined, status: number]>([
    ["application/json", "application/json", 201],
    ["application/json in any case, with its charset", "Application/JSON; charset=UTF-8", 201],
    ["nothing", undefined, 415],
    ["text/plain", "text/plain", 415],
    ["a form", "application/x-www-form-urlencoded", 415],
    ["XML", "application/xml", 415],
    ["another charset", "application/json; charset=iso-8859-1", 415],
  ])("spec: for bodies, Content-Type: application/json; contract: 415: %s", ([, type, status]) =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const raw = new TextEncoder().encode('{"title":"x"}')
      const answer = yield* Api.call("POST", createSet, {
        key,
        raw,
        headers: type === undefined ? {} : { "content-type": type },
      })
      if (status === 415) problem(answer, 415, "unsupported_media_type")
      else assert.strictEqual(answer.status, status)
    }),
  )

  it.effect("limits bodies to 2 MiB (MAX_BODY)", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* post(createSet, bytes(maxBody))).status, 201)
      problem(yield* post(createSet, bytes(maxBody + 1)), 413, "body_too_large")
      problem(yield* post(invite, bytes(maxBody + 1)), 413, "body_too_large")
    }),
  )

  it.effect.each([
    "/",
    "/nothing",
    "/company/integration",
    "/company/integration/interview/set",
    "/company/integration/interview/set/v2",
    detail("a/b"),
  ])("contract: 404 … unknown path: %s", (path) =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      for (const method of ["GET", "POST"]) problem(yield* Api.call(method, path, { key }), 404, "not_found")
      problem(yield* Api.call("GET", path), 404, "not_found")
    }),
  )

  it.effect.each([
    [createSet, ["GET", "PUT", "PATCH", "DELETE"], "POST"],
    [invite, ["GET", "PUT", "PATCH", "DELETE"], "POST"],
    [detail(nobodys), ["POST", "PUT", "PATCH", "DELETE"], "GET, HEAD"],
  ] as const)("contract: 405: %s", ([path, methods, allow]) =>
    Effect.gen(function* () {
      for (const method of methods) {
        const answer = yield* Api.call(method, path)
        problem(answer, 405, "method_not_allowed")
        assert.strictEqual(answer.headers.get("allow"), allow)
      }
    }),
  )

  it.effect(
    "answers problems of RFC 9457 with type, title, status, detail, code, and for validation errors: [{ pointer, code, message }]",
    () =>
      Effect.gen(function* () {
        const answer = yield* post(createSet, { iai_questions: [{ "a/b": 1 }] })
        problem(answer, 422, "validation_failed")
        const { errors, ...rest } = answer.body as { errors: ReadonlyArray<object> }
        assert.sameMembers(Object.keys(rest), ["type", "title", "status", "detail", "code"])
        assert.lengthOf(errors, 3)
        for (const error of errors) assert.sameMembers(Object.keys(error), ["pointer", "code", "message"])
        const missing = yield* Api.call("GET", detail(nobodys), yield* Caller)
        assert.sameMembers(Object.keys(missing.body as object), ["type", "title", "status", "detail", "code"])
      }),
  )

  it.effect("names any key by a JSON pointer (RFC 6901)", () =>
    Effect.gen(function* () {
      const attributes = { "a/b~c %é": "half \ud800" }
      assert.deepStrictEqual(yield* faults(createSet, { title: "x", iai_requirements: [{ attributes }] }), [
        "#/iai_requirements/0/attributes/a~1b~0c%20%25%C3%A9 unstorable_text",
      ])
    }),
  )
})
