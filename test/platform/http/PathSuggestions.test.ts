/** Suggestions for wrong paths and methods of the API. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { pathSuggestions } from "../../../src/platform/http/PathSuggestions.ts"
import * as Api from "../../support/Api.ts"
import * as Contract from "../../support/Contract.ts"

const operations = Contract.endpoints.map(({ method, name, path }) => ({ method, path, summary: name }))
const suggest = pathSuggestions(operations)

const textOf = ({ method, path, summary }: (typeof operations)[number]): string =>
  `to ${summary}, use ${method} ${path.replaceAll(/:\w+/g, "<id>")}`

const base = "/company/integration"
const id = "0190b5a2-7c1e-7def-8abc-0123456789ab"

/** Requests, and the operations that they meant. */
const meant: ReadonlyArray<readonly [method: string, path: string, name: string]> = [
  // another method
  ["GET", `${base}/interview/set/v1`, "interviewSets.list"],
  ["POST", `${base}/hiring/interview-sets/v1`, "interviewSets.create"],
  ["PUT", `${base}/interview/set/v1`, "interviewSets.create"],
  ["PUT", `${base}/webhooks/v1/${id}`, "webhookEndpoints.update"],
  ["POST", `${base}/webhooks/v1/${id}`, "webhookEndpoints.update"],
  ["GET", `${base}/webhooks/v1/${id}/rotate-secret`, "webhookEndpoints.rotateSecret"],
  ["POST", `${base}/me/v1`, "account.me"],
  ["HEAD", `${base}/interview/set/v1`, "interviewSets.list"],
  // singular and plural
  ["GET", `${base}/hiring/interview-set/v1`, "interviewSets.list"],
  ["GET", `${base}/hiring/submission/v1`, "submissions.list"],
  ["GET", `${base}/event/v1`, "events.list"],
  ["POST", `${base}/webhook/v1`, "webhookEndpoints.create"],
  ["POST", `${base}/interview/candidates/invite/v1`, "invitations.invite"],
  // the version is missing or in another place
  ["GET", `${base}/me`, "account.me"],
  ["POST", `${base}/interview/set`, "interviewSets.create"],
  ["GET", `${base}/v1/events`, "events.list"],
  ["GET", `${base}/hiring/v1/interview-sets`, "interviewSets.list"],
  ["GET", `${base}/hiring/invitations/${id}`, "invitations.read"],
  ["GET", `${base}/hiring/submissions/v1/${id}/detail`, "submissions.detail"],
  ["GET", `${base}/hiring/submissions/v1/${id}`, "submissions.detail"],
  ["GET", `${base}/hiring/submissions/${id}/v1`, "submissions.detail"],
  ["GET", `${base}/hiring/submissions/${id}`, "submissions.detail"],
  ["POST", `${base}/hiring/invitations/${id}/resend/v1`, "invitations.resend"],
  ["GET", `${base}/events/v2`, "events.list"],
  // the prefix is missing, doubled or different
  ["GET", "/events/v1", "events.list"],
  ["GET", "/hiring/submissions/v1", "submissions.list"],
  ["POST", "/interview/set/v1", "interviewSets.create"],
  ["GET", "/api/v1/me", "account.me"],
  ["GET", "/integration/hiring/projects/v1", "projects.list"],
  ["GET", `${base}${base}/me/v1`, "account.me"],
  ["GET", "/companies/integrations/me/v1", "account.me"],
  ["GET", `/api${base}/me/v1`, "account.me"],
  // slashes, order, case, spelling
  ["GET", `${base}/me/v1/`, "account.me"],
  ["GET", `${base}//me/v1`, "account.me"],
  ["POST", `${base}/set/interview/v1`, "interviewSets.create"],
  ["GET", `${base}/Hiring/InterviewSets/v1`, "interviewSets.list"],
  ["GET", `${base}/hiring/job_posts/v1`, "projects.jobPosts"],
  ["GET", `${base}/hiring/submisions/v1?limit=1`, "submissions.list"],
  ["POST", `${base}/interview/candidate/invte/v1`, "invitations.invite"],
  ["GET", `${base}/sets`, "interviewSets.list"],
  ["GET", `${base}/invitations`, "invitations.list"],
  ["POST", `${base}/webhooks/v1/:id/rotate`, "webhookEndpoints.rotateSecret"],
]

const nothing = [
  ...["/", "", "/nothing", "/settings/webhooks", "/settings/webhooks/v1", "/settings/integrations/api-keys"],
  ...["/assets/app.css", "/assets/v1/events", "/assets/company/integration/me/v1", "/health/live", "/health/events/v1"],
  ...["/i/token", "/i/v1", "/sets", "/sets/v1", "/submissions/v1", "/docs/v1", "/events", "/interview", "/me"],
  ...["/hooks/sendgrid/v1", "/projects/v1", "/candidates/v1", "/invitations/v1/x"],
  ...[`${base}/nothing/v1`, `${base}/foo`, base, "/company", "*", `${base}/${"x".repeat(400)}/events/v1`],
]

describe("PathSuggestions", () => {
  it.each(meant)("%s %s means %s", (method, path, name) => {
    const found = operations.find((operation) => operation.summary === name)
    assert(found)
    assert.strictEqual(suggest(method, path), textOf(found))
  })

  it.each(nothing)("suggests nothing for %s", (path) => {
    for (const method of ["GET", "POST", "DELETE"]) assert.isUndefined(suggest(method, path))
  })

  // each word of an operation weighs 1, each unknown word 0.5
  it.each([
    ["/shop/lilac/amber/v1", "2 of 3 words: 0.67", true],
    ["/shop/lilac/amber/one/two/six/ten/v1", "4 unknown words: 0.4", true],
    ["/shop/lilac/amber/one/two/six/ten/odd/v1", "5 unknown words: 0.36", false],
    ["/shop/lilac/v1", "1 of 3 words: 0.33", false],
  ])("requires a similarity of 0.4: %s, %s", (path, _, isFound) => {
    const found = pathSuggestions([
      { method: "GET", path: "/shop/lilac/amber/ochre/v1", summary: "mix colours" },
      { method: "GET", path: "/shop/quartz/v1", summary: "list stones" },
    ])("GET", path)
    assert.strictEqual(found, isFound ? "to mix colours, use GET /shop/lilac/amber/ochre/v1" : undefined)
  })

  const odd: ReadonlyArray<string> = [
    ...["company", "integration", "api", "v1", "v2", "hiring", "interview", "interview-sets", "set", "webhooks"],
    ...["events", "me", ":id", "%00", "%ZZ", "..", "", "*", "?", "#", "__proto__", "constructor", "<script>", id],
    ...["a".repeat(300), `${"a-".repeat(200)}!`, "\ud800"],
  ]
  const pieces = Schema.Union([Schema.String, Schema.Literals(odd)])
  const texts = new Set(operations.map(textOf))

  it.effect.prop(
    "never throws, and suggests only operations of the contract",
    [
      Schema.Union([Schema.String, Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])]),
      Arbitrary.array(Arbitrary.schema(pieces), { maxLength: 30 }),
    ],
    ([method, parts]) =>
      Effect.sync(() => {
        for (const path of [`/${parts.join("/")}`, `${base}/${parts.join("/")}`, parts.join("-")]) {
          const found = suggest(method, path)
          if (found !== undefined) assert.isTrue(texts.has(found), found)
          assert.strictEqual(suggest(method, path), found)
        }
      }),
    { arbitrary: { runs: 2_000 } },
  )

  it("reads the longest paths in a few milliseconds", () => {
    const words = Array.from({ length: 9 }, (_, i) => `${"invitationinterviewhiring".slice(i)}${"xyz".repeat(2)}`)
    const paths = [`${base}/${words.join("/")}`, `${base}/${"a".repeat(40)}!`, `${base}${"/a-b".repeat(60)}`]
    const began = performance.now()
    for (let i = 0; i < 100; i++) for (const path of paths) suggest("GET", path)
    assert.isBelow((performance.now() - began) / 300, 5)
  })
})

layer(Api.layer(), { excludeTestServices: true })("unknown paths and methods", (it) => {
  it.effect("get a detail that suggests the operation and repeats nothing of the request", () =>
    Effect.gen(function* () {
      const list = `to list interview sets, use GET ${base}/hiring/interview-sets/v1`
      const method = yield* Api.call("GET", `${base}/interview/set/v1`)
      assert.strictEqual(
        Contract.problem(method, 405, "method_not_allowed").detail,
        `this path does not have this method; ${list}`,
      )
      assert.strictEqual(method.headers.get("allow"), "POST")
      for (const path of [`${base}/hiring/interview-set/v1`, `${base}/hiring/interview-sets/%3Cscript%3E`]) {
        const { detail } = Contract.problem(yield* Api.call("GET", path), 404, "not_found")
        assert.match(detail, /^no such path; to [a-z ]+, use GET \/company\/integration\/hiring\/interview-sets\/v1/)
        assert.notInclude(detail, "script")
      }
      for (const path of ["/nothing", `${base}/nothing/v1`]) {
        assert.strictEqual(Contract.problem(yield* Api.call("GET", path), 404, "not_found").detail, "no such path")
      }
    }),
  )
})
