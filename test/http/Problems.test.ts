/** The one error shape, for every failure of every route (contract, HTTP conventions). */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { inject } from "vitest"
import { Database } from "../../src/repository/Database.ts"
import { ApiKeys } from "../../src/service/ApiKeys.ts"
import * as Api from "../support/Api.ts"
import { execute } from "../support/databases.ts"

const { createSet, detail, invite } = Api.paths
const unknownId = "0190b5a2-7c1e-7def-8abc-0123456789ab"
const json = { "content-type": "application/json" }

/** Checks the shape and gives back the problem. */
const problem = (answer: Api.Answer, status: number, code: string) => {
  assert.strictEqual(answer.status, status)
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
  assert.deepInclude(answer.body, { type: "about:blank", status, code })
  const { errors = [], ...rest } = answer.body as Record<"title" | "detail", unknown> & { errors?: unknown }
  assert.isString(rest.title)
  assert.isString(rest.detail)
  return errors as ReadonlyArray<{ pointer: string; code: string; message: string }>
}

const pointers = (errors: ReadonlyArray<{ pointer: string }>) => errors.map(({ pointer }) => pointer)

layer(Api.layer({ settings: { MAX_BODY: "64 KiB" } }), { excludeTestServices: true })("Problems", (it) => {
  it.effect(
    "401: a key that is missing, malformed, unknown, inactive, expired or deleted, before the body is read",
    () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { id, key, organization } = yield* Api.account
        const expired = yield* Api.keyOf(organization, { expiresAt: new Date(Date.now() - 1000) })
        const unknown = `iv_live_zzzzzzzz.${"A".repeat(43)}`
        for (const wrong of [undefined, "", "x", `${key}x`, `${key}, ${key}`, unknown, expired.key]) {
          problem(yield* Api.call("POST", createSet, { key: wrong, raw: "{", headers: json }), 401, "unauthorized")
          problem(yield* Api.call("POST", invite, { key: wrong, raw: "x".repeat(100_000) }), 401, "unauthorized")
          problem(yield* Api.call("GET", detail("x"), { key: wrong }), 401, "unauthorized")
        }
        yield* keys.update(organization, id, { status: "inactive" })
        problem(yield* Api.call("GET", detail(unknownId), { key }), 401, "unauthorized")
        yield* keys.update(organization, id, { status: "active" })
        problem(yield* Api.call("GET", detail(unknownId), { key }), 404, "not_found")
        yield* keys.remove(organization, id)
        problem(yield* Api.call("GET", detail(unknownId), { key }), 401, "unauthorized")
      }),
  )

  it.effect("403: a key with scopes lacks the one that is needed; reading needs any, and no scopes means all", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const creator = (yield* Api.keyOf(organization, { scopes: ["create_set"] })).key
      const inviter = (yield* Api.keyOf(organization, { scopes: ["invite_candidates"] })).key
      const reader = (yield* Api.keyOf(organization, { scopes: ["read"] })).key
      problem(yield* Api.call("POST", createSet, { key: inviter, json: { title: "x" } }), 403, "missing_scope")
      problem(yield* Api.call("POST", createSet, { key: reader, raw: "{", headers: json }), 403, "missing_scope")
      problem(yield* Api.call("POST", invite, { key: creator, json: {} }), 403, "missing_scope")
      for (const able of [key, creator, inviter, reader]) {
        problem(yield* Api.call("GET", detail(unknownId), { key: able }), 404, "not_found")
      }
      for (const able of [key, creator]) {
        assert.strictEqual((yield* Api.call("POST", createSet, { key: able, json: { title: "x" } })).status, 201)
      }
      for (const able of [key, inviter]) {
        problem(yield* Api.call("POST", invite, { key: able, json: {} }), 422, "validation_failed")
      }
    }),
  )

  it.effect("400: a body that is not JSON", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const raw of ["", "{", "{'title':'x'}", "title=x", '{"title":"x"}}']) {
        problem(yield* Api.call("POST", createSet, { key, raw, headers: json }), 400, "bad_request")
      }
      for (const raw of ["null", "[]", '"x"', "1"]) {
        const errors = problem(
          yield* Api.call("POST", createSet, { key, raw, headers: json }),
          422,
          "validation_failed",
        )
        assert.deepStrictEqual(pointers(errors), ["#"])
      }
    }),
  )

  it.effect("404: an unknown path, and an id that is malformed or nobody's", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const path of ["/", "/nothing", "/company/integration/interview/set/v2", detail("a/b")]) {
        problem(yield* Api.call("GET", path, { key }), 404, "not_found")
      }
      for (const id of ["1", "%00", "x".repeat(300), `${unknownId}0`, unknownId]) {
        problem(yield* Api.call("GET", detail(id), { key }), 404, "not_found")
      }
      for (const field of ["com_interview_set_id", "com_project_id"]) {
        const request = { [field]: unknownId, candidates: [{ email: "ada@example.com" }] }
        problem(yield* Api.call("POST", invite, { key, json: request }), 404, "not_found")
      }
    }),
  )

  it.effect("405: a known path with another method, with the methods it takes", () =>
    Effect.gen(function* () {
      for (const [method, path, allow] of [
        ["GET", createSet, "POST"],
        ["PUT", invite, "POST"],
        ["DELETE", detail(unknownId), "GET, HEAD"],
      ] as const) {
        const answer = yield* Api.call(method, path)
        problem(answer, 405, "method_not_allowed")
        assert.strictEqual(answer.headers.get("allow"), allow)
      }
    }),
  )

  it.effect("413 and 415: a body that is too large, or not sent as JSON", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const large = { title: "x", description: "x".repeat(64 * 1024) }
      problem(yield* Api.call("POST", createSet, { key, json: large }), 413, "body_too_large")
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
        const sent = { key, raw: '{"title":"x"}', headers: { "content-type": type } }
        problem(yield* Api.call("POST", createSet, sent), 415, "unsupported_media_type")
      }
      const sent = { key, raw: '{"title":"x"}', headers: { "content-type": "application/json; charset=UTF-8" } }
      assert.strictEqual((yield* Api.call("POST", createSet, sent)).status, 201)
    }),
  )

  it.effect("422: every fault of a set at once, each with its JSON pointer", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const request = {
        position: "x".repeat(1025),
        set_type: 3,
        interview_duration: 0,
        number_of_retakes: -1,
        priority: 2 ** 31,
        project_id: "nope",
        cfg_lingual_ids: [1, "2"],
        iai_questions: [
          { question_mode: "interview", question_type: "video", title: "x".repeat(5001) },
          { question_mode: "screening", question_type: "text", hint: "x".repeat(2001), details: "x".repeat(10_001) },
          { content: "x".repeat(5001) },
        ],
        iai_requirements: [{ title: "x".repeat(5001), hint: "x".repeat(2001) }],
        com_accesses: [
          {},
          { email: "nobody" },
          { email: "a@b.de", fullname: "x".repeat(501), firstname: "x".repeat(251) },
        ],
      }
      const errors = problem(yield* Api.call("POST", createSet, { key, json: request }), 422, "validation_failed")
      assert.sameMembers(pointers(errors), [
        "#/title",
        "#/position",
        "#/set_type",
        "#/interview_duration",
        "#/number_of_retakes",
        "#/priority",
        "#/cfg_lingual_ids/1",
        "#/project_id",
        "#/iai_questions/0/title",
        "#/iai_questions/0/question_type",
        "#/iai_questions/1/hint",
        "#/iai_questions/1/details",
        "#/iai_questions/1/question_mode",
        "#/iai_questions/2/content",
        "#/iai_questions/2/question_mode",
        "#/iai_questions/2/question_type",
        "#/iai_requirements/0/title",
        "#/iai_requirements/0/hint",
        "#/com_accesses/0/email",
        "#/com_accesses/1/email",
        "#/com_accesses/2/fullname",
        "#/com_accesses/2/firstname",
      ])
      for (const { code, message } of errors)
        assert.match(`${code} ${message}`, /^(required is required|invalid must .+)$/)
      assert.notInclude(JSON.stringify(errors), "xxx")
    }),
  )

  it.effect("422: a project that is not of this organization, a blank title, text that can not be kept", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const [fault, pointer] of [
        [{ project_id: unknownId }, "#/project_id"],
        [{ title: " \n" }, "#/title"],
        [{ title: null }, "#/title"],
        [{ description: "a\0b" }, "#/description"],
        [{ iai_requirements: [{ attributes: { a: ["\ud800"] } }] }, "#/iai_requirements/0/attributes/a/0"],
        [{ iai_requirements: [{ attributes: { "\0": 1 } }] }, "#/iai_requirements/0/attributes"],
      ] as const) {
        const answer = yield* Api.call("POST", createSet, { key, json: { title: "x", ...fault } })
        assert.deepStrictEqual(pointers(problem(answer, 422, "validation_failed")), [pointer])
      }
    }),
  )

  it.effect("422: every fault of an invite", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const faults = Effect.fnUntraced(function* (request: unknown) {
        return pointers(problem(yield* Api.call("POST", invite, { key, json: request }), 422, "validation_failed"))
      })
      assert.deepStrictEqual(yield* faults({ candidates: [] }), ["#/com_interview_set_id", "#/candidates"])
      assert.deepStrictEqual(
        yield* faults({
          com_interview_set_id: "1",
          com_project_id: "2",
          com_job_post_id: "3",
          candidates: [{ ats_candidate_id: "4", email: 5 }],
          invitation_message: "too short",
          send_invite: "yes",
        }),
        [
          "#/com_interview_set_id",
          "#/com_project_id",
          "#/com_job_post_id",
          "#/candidates/0/ats_candidate_id",
          "#/candidates/0/email",
          "#/invitation_message",
          "#/send_invite",
        ],
      )
      const entry = { ats_candidate_id: unknownId, email: "ada@example.com" }
      const twice = { ...entry, ats_candidate_id: unknownId.toUpperCase() }
      assert.deepStrictEqual(
        yield* faults({ com_interview_set_id: unknownId, candidates: [entry, twice, { name: "Nobody", email: " " }] }),
        ["#/candidates/1/ats_candidate_id", "#/candidates/2/email"],
      )
      const many = Array.from({ length: 1001 }, () => ({ email: "a@b.de" }))
      assert.deepStrictEqual(yield* faults({ com_interview_set_id: unknownId, candidates: many }), ["#/candidates"])
    }),
  )
})

describe("Problems without a database", () => {
  it.live("503 with Retry-After on every route that needs it", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { sql } = yield* Database
      const [row] = yield* sql<{ name: string }>`select current_database() as name`
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 200)
      yield* execute(inject("postgres").url, `drop database ${row?.name} with (force)`)
      for (const request of [
        Api.call("POST", createSet, { key, json: { title: "x" } }),
        Api.call("POST", invite, { key, json: {} }),
        Api.call("GET", detail(unknownId), { key }),
      ]) {
        const answer = yield* request
        problem(answer, 503, "unavailable")
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
      }
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 503)
      assert.strictEqual((yield* Api.call("GET", "/health/live")).status, 200)
    }).pipe(Effect.provide(Layer.provide(Api.layer(), Layer.succeed(References.MinimumLogLevel, "None")))),
  )
})
