/** Cursors of other lists and unknown parameters. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Api from "../../support/Api.ts"
import * as Contract from "../../support/Contract.ts"
import * as Scenario from "../../support/Scenario.ts"
import { Caller, invite, newSet, layer as specification } from "../../support/Specification.ts"

/** Lists of an organization, of one of its webhook endpoints, and of a submission. */
const lists = Effect.gen(function* () {
  const { key, organization } = yield* Caller
  const { id } = yield* Scenario.endpoint(organization)
  const json = { com_interview_set_id: yield* newSet(), candidates: [{ email: "mae@example.com" }] }
  const [invited] = yield* Api.results<ReadonlyArray<{ submission: { id: string } }>>(200, "POST", invite, {
    key,
    json,
  })
  return Contract.endpoints
    .filter(({ parameters }) => parameters.includes("cursor"))
    .map((endpoint) => ({
      ...endpoint,
      path: endpoint.path.replace("/submissions/:id/", `/submissions/${invited?.submission.id}/`).replace(":id", id),
    }))
})

layer(specification(), { excludeTestServices: true })("lists of the API", (it) => {
  it.effect("accept their own cursors and refuse those of other lists", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      yield* newSet()
      const candidates = [{ email: "ada@example.com" }, { email: "grace@example.com" }]
      yield* Api.results(200, "POST", invite, { key, json: { com_interview_set_id: yield* newSet(), candidates } })
      yield* Scenario.endpoint((yield* Caller).organization)
      const own = yield* lists
      const cursors = new Map<string, string>()
      for (const { name, path } of own) {
        const { body } = yield* Api.call("GET", `${path}?limit=1`, { key })
        const { next_cursor } = body as { readonly next_cursor: string | null }
        if (next_cursor !== null) cursors.set(name, next_cursor)
      }
      assert.includeMembers(
        [...cursors.keys()],
        ["interviewSets.list", "invitations.list", "submissions.list", "events.list", "webhookEndpoints.list"],
      )
      for (const endpoint of own) {
        for (const [of, cursor] of cursors) {
          const answer = yield* Api.call("GET", `${endpoint.path}?cursor=${cursor}`, { key })
          const errors = Contract.documented(endpoint, answer)
          if (of === endpoint.name) assert.strictEqual(answer.status, 200, of)
          else {
            Contract.problem(answer, 422, "validation_failed")
            assert.deepStrictEqual(
              errors.map(({ code, pointer }) => [pointer, code]),
              [["#/cursor", "invalid_cursor"]],
              `${of} at ${endpoint.name}`,
            )
          }
        }
      }
    }),
  )

  it.effect.each([
    ["2030-01-01T00:00:00+15:59", 200],
    ["2030-01-01T00:00:00-15:59", 200],
    ["2030-01-01T00:00:00-00:00", 200],
    ["2030-01-01T18:00:00.123456789Z", 200],
    ["0001-01-01T00:00:00+15:59", 200],
    ["9999-12-31T23:59:59-15:59", 200],
    ["2030-01-01T00:00:00+16:00", 422],
    ["2030-01-01T00:00:00-23:59", 422],
    ["0000-06-01T00:00:00Z", 422],
    ["2030-01-01T00:00:00.[1 × 300]Z", 422],
  ] as const)("answer to the time %s with %s", ([time, status]) =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const value = encodeURIComponent(time.replace("[1 × 300]", "1".repeat(300)))
      const asked: Array<string> = []
      for (const endpoint of yield* lists) {
        for (const name of endpoint.parameters.filter((parameter) => parameter.endsWith("since"))) {
          asked.push(`${endpoint.name} ${name}`)
          const answer = yield* Api.call("GET", `${endpoint.path}?${name}=${value}`, { key })
          const errors = Contract.documented(endpoint, answer)
          assert.strictEqual(answer.status, status, `${endpoint.name} ${name}`)
          if (status === 422)
            assert.deepStrictEqual(
              errors.map(({ code }) => code),
              ["invalid_date"],
            )
        }
      }
      assert.sameMembers(asked, [
        "interviewSets.list updated_since",
        "invitations.list updated_since",
        "submissions.list updated_since",
        "events.list since",
        "requests.list since",
      ])
    }),
  )

  it.effect.each([
    ["limit=1&limit=1", "#/limit duplicate is given twice: send it once"],
    ["status=sent&status=sent&status=sent", "#/status duplicate is given 3 times: send it once"],
    [
      "email=ada+1@example.com",
      '#/email invalid_email must not contain a space; a "+" in a URL is a space: send it as %2B',
    ],
    ["email=ada%2B1@example.com", undefined],
    ["email=+ada@example.com+", undefined],
    [
      "updated_since=2030-01-01T00:00:00+01:00",
      '#/updated_since invalid_date must be an ISO 8601 time with its zone, such as 2030-01-31T18:00:00Z; a "+" in a URL is a space: send it as %2B',
    ],
    ["updated_since=2030-01-01T00:00:00%2B01:00", undefined],
    [
      "since=2030-01-01T00:00:00+01:00",
      '#/since invalid_date must be an ISO 8601 time with its zone, such as 2030-01-31T18:00:00Z; a "+" in a URL is a space: send it as %2B',
      "events.list",
    ],
    ["since=2030-01-01T00:00:00%2B01:00", undefined, "events.list"],
    ["interview_set=1", /did you mean interview_set_id\?$/],
  ] as const)("answer to ?%s with the cause", ([query, expected, list = "invitations.list"]) =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const endpoint = Contract.endpointOf(list)
      const answer = yield* Api.call("GET", `${endpoint.path}?${query}`, { key })
      const shown = Contract.documented(endpoint, answer).map(
        (error) => `${error.pointer} ${error.code} ${error.message}`,
      )
      if (expected instanceof RegExp) assert.match(shown.join(), expected)
      else assert.deepStrictEqual(shown, expected === undefined ? [] : [expected])
    }),
  )

  it.effect("refuse cursors of other filters", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      yield* newSet()
      yield* newSet()
      const { path } = Contract.endpointOf("interviewSets.list")
      const first = yield* Api.call("GET", `${path}?limit=1&set_type=1`, { key })
      const { next_cursor } = first.body as { readonly next_cursor: string }
      for (const [query, status] of [
        ["set_type=1", 200],
        ["limit=2&set_type=1", 200],
        ["set_type=2", 422],
        ["limit=1", 422],
        ["set_type=1&external_id=x", 422],
      ] as const) {
        const answer = yield* Api.call("GET", `${path}?${query}&cursor=${next_cursor}`, { key })
        assert.strictEqual(answer.status, status, query)
      }
    }),
  )

  it.effect("report unknown parameters together with other errors", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      for (const endpoint of yield* lists) {
        const answer = yield* Api.call("GET", `${endpoint.path}?limit=0&intervew_set_id=1&Status=sent`, { key })
        const errors = Contract.documented(endpoint, answer)
        Contract.problem(answer, 422, "validation_failed")
        assert.sameDeepMembers(
          errors.map(({ code, pointer }) => [pointer, code]),
          [
            ["#/limit", "out_of_range"],
            ["#/intervew_set_id", "unknown_parameter"],
            ["#/Status", "unknown_parameter"],
          ],
          endpoint.name,
        )
        const unknown = errors.find(({ pointer }) => pointer === "#/Status")
        assert.match(
          unknown?.message ?? "",
          /^is not one of the parameters: limit, cursor(, \w+)*(; did you mean (status|state)\?)?$/,
          endpoint.name,
        )
      }
    }),
  )
})
