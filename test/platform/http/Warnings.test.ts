/** Unknown fields and parameters (docs/api.md): warnings of every operation with a body, and errors about missing fields. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Api as Contract } from "../../../src/Api.ts"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { CreateInterviewSet } from "../../../src/interview-sets/InterviewSet.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import { maxUnknownFields, unknownFields } from "../../../src/platform/http/UnknownFields.ts"
import { likelyField } from "../../../src/values/LikelyField.ts"
import type { Warning } from "../../../src/values/Warning.ts"
import { CreateEndpoint, UpdateEndpoint } from "../../../src/webhooks/endpoints/Endpoint.ts"
import * as Api from "../../support/Api.ts"
import {
  Caller,
  createSet,
  invite,
  newSet,
  post,
  problem,
  layer as specification,
} from "../../support/Specification.ts"
import { round } from "../../support/Webhooks.ts"

const base = "/company/integration"

const shown = (warnings: ReadonlyArray<Warning>) => warnings.map(({ message, pointer }) => `${pointer} ${message}`)

describe("unknown fields", () => {
  it("are found in every object with fixed fields, and in no open one", () => {
    const find = unknownFields(CreateInterviewSet)
    const open = { anything: { a: [{ b: 1 }] } }
    const known = {
      title: "x",
      metadata: { source: "fair" },
      iai_questions: [
        { question_mode: "interview", attributes: open, options: [{ id: 1, titles: { de: "Ja" }, contents: open }] },
      ],
      iai_requirements: [{ title: "x", attributes: open, cfg_importance_id: { any: 1 } }],
      com_accesses: [{ email: "ada@example.com", attributes: open }],
    }
    assert.deepStrictEqual(find(known), [])
    const warnings = find({
      ...known,
      Title: "x",
      duration: 30,
      iai_questions: [{ options: [{}, { Contents_: "x" }], kind: "text" }],
      iai_requirements: [{}, { importance: 273 }],
      com_accesses: [{ name: "Ada", set_type: 1 }],
    })
    assert.deepStrictEqual(shown(warnings), [
      "#/iai_questions/0/options/1/Contents_ is not a field of an item of options and was ignored: did you mean contents?",
      "#/iai_questions/0/kind is not a field of an item of iai_questions and was ignored: the fields of an item of iai_questions are title, content, hint, details, question_mode, question_type, priority, options, allowed_file_types, attributes",
      "#/iai_requirements/1/importance is not a field of an item of iai_requirements and was ignored: did you mean cfg_importance_id?",
      "#/com_accesses/0/name is not a field of an item of com_accesses and was ignored: the fields of an item of com_accesses are email, fullname, firstname, lastname, priority, attributes",
      "#/com_accesses/0/set_type is not a field of an item of com_accesses and was ignored: it is a field of the request",
      "#/Title is not a field of the request and was ignored: did you mean title?",
      "#/duration is not a field of the request and was ignored: did you mean interview_duration?",
    ])
    assert.deepStrictEqual(shown(unknownFields(CreateEndpoint)({ headers: [{ key: "a", value: "b" }] })), [
      "#/headers/0/key is not a field of an item of headers and was ignored: the fields of an item of headers are name, value",
    ])
  })

  it("with the value null are absent; one warning counts all items with the same field", () => {
    const find = unknownFields(InviteRequest)
    const candidates = Array.from({ length: 1000 }, (_, i) => ({
      email: `${i}@example.com`,
      phone: i === 0 ? null : "1",
    }))
    assert.deepStrictEqual(shown(find({ candidates, dry_run: null })), [
      "#/candidates/1/phone is not a field of an item of candidates and was ignored, and 998 more times: the fields of an item of candidates are ats_candidate_id, external_id, metadata, email, name, firstname, lastname, cv_link",
    ])
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${"x".repeat(300)}${i}`, i]))
    assert.lengthOf(find(many), maxUnknownFields)
    assert.deepStrictEqual(
      find(JSON.parse('{"__proto__":1,"constructor":{},"toString":2}')).map(({ pointer }) => pointer),
      ["#/__proto__", "#/constructor", "#/toString"],
    )
  })

  it.each([
    ["send_invites", "send_invite"],
    ["sendInvite", "send_invite"],
    ["interview_set_id", "com_interview_set_id"],
    ["jobPostId", "com_job_post_id"],
    ["message", "invitation_message"],
    ["candidate", "candidates"],
    ["canddiates", "candidates"],
    ["applicants", undefined],
    ["id", undefined],
  ])("%s probably means %s", (name, likely) => {
    assert.strictEqual(likelyField(name, Object.keys(InviteRequest.fields)), likely)
  })

  it("with two letters swapped, or the name of a value, suggest the field", () => {
    assert.deepStrictEqual(shown(unknownFields(InviteRequest)({ candidates: [{ emial: "ada@example.com" }] })), [
      "#/candidates/0/emial is not a field of an item of candidates and was ignored: did you mean email?",
    ])
    assert.deepStrictEqual(shown(unknownFields(UpdateEndpoint)({ active: false })), [
      "#/active is not a field of the request and was ignored: did you mean status?",
    ])
  })
})

layer(specification({ settings: { OUTBOUND_ALLOW: "127.0.0.0/8", WEBHOOK_RETRY_TIMES: "0" } }), {
  excludeTestServices: true,
})("warnings over REST", (it) => {
  interface Answered {
    readonly results: Api.Row
    readonly warnings?: ReadonlyArray<Warning>
  }

  const send = Effect.fnUntraced(function* (
    method: string,
    path: string,
    json: unknown,
    headers = {},
    testKey?: string,
  ) {
    const { key } = yield* Caller
    const answer = yield* Api.call(method, path, { key: testKey ?? key, json, headers })
    assert.isBelow(answer.status, 300, JSON.stringify(answer.body))
    return { ...(answer.body as Answered), replayed: answer.headers.get("idempotency-replayed") }
  })

  it.effect("are beside the results of every operation that reads a body or takes none", () =>
    Effect.gen(function* () {
      const surplus = { surplus: true }
      const done: Array<string> = []
      const warned = Effect.fnUntraced(function* (
        name: string,
        method: string,
        path: string,
        body: object,
        testKey?: string,
      ) {
        const json = { ...body, ...surplus }
        const { results, warnings = [] } = yield* send(method, `${path}?dry_run=1`, json, {}, testKey)
        assert.deepStrictEqual(
          warnings.map(({ code, pointer }) => `${pointer} ${code}`),
          ["#/dry_run unknown_parameter", "#/surplus unknown_field"],
          name,
        )
        done.push(name)
        return results
      })
      const set = yield* warned("interviewSets.create", "POST", createSet, { title: "x" })
      const ofSet = `${base}/hiring/interview-sets/v1/${set["id"]}`
      yield* warned("interviewSetChanges.archive", "POST", `${ofSet}/archive`, {})
      const { version } = yield* warned("interviewSetChanges.unarchive", "POST", `${ofSet}/unarchive`, {})
      yield* warned("interviewSetChanges.update", "PATCH", ofSet, { version, title: "y" })
      const projects = `${base}/hiring/projects/v1`
      const { id: project_id } = yield* warned("projects.create", "POST", projects, { name: "x" })
      yield* warned("projects.rename", "PATCH", `${projects}/${project_id}`, { name: "y" })
      const posts = `${base}/hiring/job-posts/v1`
      const { id: post } = yield* warned("projects.createJobPost", "POST", posts, { project_id, title: "x" })
      yield* warned("projects.updateJobPost", "PATCH", `${posts}/${post}`, { title: "y" })
      const hooks = `${base}/webhooks/v1`
      const fields = { name: "x", url: "http://127.0.0.1:9/x" }
      const { id: hook } = yield* warned("webhookEndpoints.create", "POST", hooks, fields)
      const results = yield* warned("invitations.invite", "POST", invite, {
        com_interview_set_id: set["id"],
        candidates: [{ email: "ada@example.com" }, { email: "invalid" }],
      })
      const [{ invitation, submission }] = results as unknown as [
        { readonly invitation: { readonly id: string }; readonly submission: { readonly id: string } },
      ]
      const ofSubmission = `${base}/hiring/submissions/${submission.id}`
      yield* warned("decisions.decide", "POST", `${ofSubmission}/decision/v1`, { decision: "hold", version: 0 })
      yield* warned("decisions.undo", "POST", `${ofSubmission}/decision/undo/v1`, { version: 1 })
      const still = { stage_id: null, version: 0, decision_version: 2 }
      yield* warned("decisions.move", "POST", `${ofSubmission}/stage/v1`, still)
      const ofInvitation = `${base}/hiring/invitations/v1/${invitation.id}`
      const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString()
      yield* warned("invitations.extend", "POST", `${ofInvitation}/extend`, { expires_at })
      yield* warned("invitations.resend", "POST", `${ofInvitation}/resend`, {})
      yield* warned("invitations.correct", "POST", `${ofInvitation}/correct`, { email: "ada@example.com" })
      yield* warned("invitations.cancel", "POST", `${ofInvitation}/cancel`, {})
      yield* warned("webhookEndpoints.update", "PATCH", `${hooks}/${hook}`, { description: "y" })
      yield* warned("webhookEndpoints.test", "POST", `${hooks}/${hook}/test`, {})
      yield* warned("webhookEndpoints.rotateSecret", "POST", `${hooks}/${hook}/rotate-secret`, {})
      yield* round
      const { key } = yield* Caller
      const [delivery] = (
        (yield* Api.call("GET", `${hooks}/${hook}/deliveries`, { key })).body as {
          readonly results: ReadonlyArray<Api.Row>
        }
      ).results
      for (const path of [
        `${base}/me/v1`,
        `${base}/hiring/interview-sets/v1/${set["id"]}`,
        ofInvitation,
        Api.paths.detail(submission.id),
        `${hooks}/${hook}`,
      ]) {
        const { warnings = [] } = (yield* Api.call("GET", `${path}?expand=1`, { key })).body as Answered
        assert.deepStrictEqual(shown(warnings), ["#/expand was ignored: the operation takes no query parameters"], path)
      }
      yield* warned("webhookDeliveries.resend", "POST", `${hooks}/${hook}/deliveries/${delivery?.["id"]}/resend`, {})
      yield* warned("webhookRehearsals.begin", "POST", `${hooks}/${hook}/rehearsals`, {})
      const since = new Date(Date.now() - 3_600_000).toISOString()
      yield* warned("webhookDeliveries.resendFailed", "POST", `${hooks}/${hook}/resend-failed`, { since })
      const suppressions = `${base}/suppressions/v1`
      const { id: suppression } = yield* warned("suppressions.suppress", "POST", suppressions, {
        email: "x@example.com",
      })
      yield* warned("suppressions.release", "DELETE", `${suppressions}/${suppression}`, {})
      const { candidate } = yield* Api.results<{ readonly candidate: { readonly id: string } }>(
        200,
        "GET",
        Api.paths.detail(submission.id),
        { key },
      )
      const erase = `${base}/hiring/candidates/v1/${candidate.id}/erase`
      yield* warned("candidates.erase", "POST", erase, { confirm: candidate.id })
      yield* warned("webhookEndpoints.remove", "DELETE", `${hooks}/${hook}`, {})
      const { organization } = yield* Caller
      const space = yield* (yield* Organizations).openTestSpace(operator(organization))
      const { key: testKey } = yield* Api.keyOf(space)
      const iai_questions = [{ content: "x", question_mode: "interview", question_type: "text" }]
      const { id: testSet } = yield* Api.results(201, "POST", createSet, {
        key: testKey,
        json: { title: "x", iai_questions },
      })
      const actions = { complete: "complete", open: "open", decline: "decline", expire: "expire", bounce: "bounce" }
      for (const [name, action] of Object.entries({ ...actions, complain: "complaint" })) {
        const [invited] = yield* Api.results<ReadonlyArray<{ readonly invitation: { readonly id: string } }>>(
          200,
          "POST",
          invite,
          { key: testKey, json: { com_interview_set_id: testSet, candidates: [{ email: `${name}@example.com` }] } },
        )
        const path = `${base}/test/v1/invitations/${invited?.invitation.id}/${action}`
        yield* warned(`testMode.${name}`, "POST", path, {}, testKey)
      }
      yield* warned("testMode.empty", "POST", `${base}/test/v1/empty`, {}, testKey)
      const changing: Array<string> = []
      HttpApi.reflect(Contract, {
        onGroup: () => {},
        onEndpoint: ({ endpoint: { identifier, method }, group }) => {
          if (method !== "GET") changing.push(`${group.identifier}.${identifier}`)
        },
      })
      assert.sameMembers(done, changing)
    }),
  )

  it.effect("are absent without a reason, and the same in replays", () =>
    Effect.gen(function* () {
      assert.notProperty(yield* send("POST", createSet, { title: "x", position: null, surplus: null }), "warnings")
      const headers = { "idempotency-key": "with-warnings" }
      const first = yield* send("POST", createSet, { title: "x", number_of_retake: 1 }, headers)
      const again = yield* send("POST", createSet, { title: "x", number_of_retake: 1 }, headers)
      assert.strictEqual(again.replayed, "true")
      assert.deepStrictEqual(again.warnings, first.warnings)
      assert.deepStrictEqual(shown(first.warnings ?? []), [
        "#/number_of_retake is not a field of the request and was ignored: did you mean number_of_retakes?",
      ])
    }),
  )

  it.effect("are not in errors about missing fields, which name the unknown field that was probably meant", () =>
    Effect.gen(function* () {
      const refused = Effect.fnUntraced(function* (path: string, json: unknown) {
        const errors = problem(yield* post(path, json), 422, "validation_failed")
        return errors.map(({ message, pointer }) => `${pointer} ${message}`)
      })
      const question = { content: "x", question_mode: "interview" }
      assert.deepStrictEqual(
        yield* refused(createSet, {
          titel: "x",
          description: "y",
          iai_questions: [
            { ...question, questiontype: "text" },
            { ...question, question_type: null, kind: "text" },
          ],
          com_accesses: [{ emial: "ada@example.com" }, { emial: null }, { email: "x", emial: "ada@example.com" }],
        }),
        [
          "#/title is required; titel is not a field of the request: did you mean title?",
          "#/iai_questions/0/question_type is required; questiontype is not a field of an item of iai_questions: did you mean question_type?",
          "#/iai_questions/1/question_type must be text or checkbox or radio or file",
          "#/com_accesses/0/email is required; emial is not a field of an item of com_accesses: did you mean email?",
          "#/com_accesses/1/email is required",
          "#/com_accesses/2/email must be a valid email address",
        ],
      )
      // as many as one request may compare
      const many = Object.fromEntries(Array.from({ length: maxUnknownFields }, (_, i) => [`x${i}`, i]))
      assert.deepStrictEqual(yield* refused(createSet, { ...many, titel: "x" }), ["#/title is required"])
      assert.deepStrictEqual(yield* refused(createSet, { [`title_${"x".repeat(100)}`]: "x" }), ["#/title is required"])

      // rules about several fields, with requests that the schema accepts and refuses
      const oneOf = "#/com_interview_set_id com_interview_set_id or com_project_id is required"
      const meant = (name: string, likely: string) =>
        `email or cv_link is required; ${name} is not a field of an item of candidates: did you mean ${likely}?`
      for (const send_invite of [true, "yes"]) {
        assert.deepStrictEqual(
          yield* refused(invite, {
            com_projct_id: "0190b5a2-7c1e-7def-8abc-0123456789ab",
            send_invite,
            candidates: [{ emial: "ada@example.com" }, { frist_name: "Ada" }, { "cv-link": "https://example.com/cv" }],
          }),
          [
            ...(send_invite === true ? [] : ["#/send_invite must be true or false"]),
            `${oneOf}; com_projct_id is not a field of the request: did you mean com_project_id?`,
            `#/candidates/0/email ${meant("emial", "email")}`,
            "#/candidates/1/email email or cv_link is required",
            `#/candidates/2/email ${meant("cv-link", "cv_link")}`,
          ],
        )
      }
      // a rule that needs the stored records
      const cvSet = yield* newSet({ set_type: 2 })
      assert.deepStrictEqual(
        yield* refused(invite, {
          com_interview_set_id: cvSet,
          candidates: [{ email: "ada@example.com", cvLink: "https://example.com/cv" }],
        }),
        [
          "#/candidates/0/cv_link is required for a CV set; cvLink is not a field of an item of candidates: did you mean cv_link?",
        ],
      )
      const com_interview_set_id = yield* newSet({ iai_questions: [{ ...question, question_type: "text" }] })
      const [invited] = yield* Api.results<ReadonlyArray<{ readonly invitation: { readonly id: string } }>>(
        200,
        "POST",
        invite,
        { ...(yield* Caller), json: { com_interview_set_id, candidates: [{ email: "ada@example.com" }] } },
      )
      assert.deepStrictEqual(
        yield* refused(`${base}/hiring/invitations/v1/${invited?.invitation.id}/extend`, {
          expire_at: "2099-01-01T00:00:00Z",
        }),
        [
          "# must have expires_at, time_factor or both; expire_at is not a field of the request: did you mean expires_at?",
        ],
      )
    }),
  )
})
