/** Errors of invite requests, each with its pointer and code, all at once. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import {
  counts,
  faults,
  invite,
  invited,
  newSet,
  nobodys,
  none,
  post,
  problem,
  repeated,
  layer as specification,
} from "../support/Specification.ts"

const email = "ada@example.com"
const cv_link = "https://files.example.com/ada.pdf"
const other = "0190b5a2-7c1e-7def-8abc-0123456789ac"

const wrong = {
  text: [1, 0, true, false, [], ["x"], {}],
  boolean: ["true", "", 1, 0, [], {}],
  list: ["x", "", 1, true, {}, { 0: {} }, null],
  object: ["x", 1, true, [], [{}], null],
}

/** A request to an unknown set: validation errors are returned before the set is read. */
const request = (fields: object) => ({ com_interview_set_id: nobodys, candidates: [{ email }], ...fields })
const entry = (fields: object) =>
  request({
    candidates: [
      { email, cv_link },
      { email, cv_link, ...fields },
    ],
  })
const entries = (...candidates: ReadonlyArray<unknown>) => request({ candidates })

layer(specification(), { excludeTestServices: true })("errors of an invite request", (it) => {
  it.effect.each<
    readonly [quote: string, request: (value: unknown) => object, pointer: string, values: ReadonlyArray<unknown>]
  >([
    [
      "com_interview_set_id | UUID",
      (id) => request({ com_interview_set_id: id }),
      "#/com_interview_set_id",
      wrong.text,
    ],
    ["com_project_id | UUID", (id) => request({ com_project_id: id }), "#/com_project_id", wrong.text],
    ["com_job_post_id | UUID", (id) => request({ com_job_post_id: id }), "#/com_job_post_id", wrong.text],
    ["candidates | array of candidate entries", (candidates) => request({ candidates }), "#/candidates", wrong.list],
    ["array of candidate entries", (one) => entries({ email }, one), "#/candidates/1", wrong.object],
    [
      "invitation_message | string",
      (text) => request({ invitation_message: text }),
      "#/invitation_message",
      wrong.text,
    ],
    ["send_invite | boolean", (send_invite) => request({ send_invite }), "#/send_invite", wrong.boolean],
    ["ats_candidate_id | UUID", (id) => entry({ ats_candidate_id: id }), "#/candidates/1/ats_candidate_id", wrong.text],
    ["email | string", (value) => entry({ email: value }), "#/candidates/1/email", wrong.text],
    ["name | string", (name) => entry({ name }), "#/candidates/1/name", wrong.text],
    ["firstname | string", (firstname) => entry({ firstname }), "#/candidates/1/firstname", wrong.text],
    ["lastname | string", (lastname) => entry({ lastname }), "#/candidates/1/lastname", wrong.text],
    ["cv_link | string (URL)", (link) => entry({ cv_link: link }), "#/candidates/1/cv_link", wrong.text],
  ])("report another type: %s", ([, request, pointer, values]) =>
    Effect.gen(function* () {
      for (const value of values) {
        const errors = yield* faults(invite, request(value))
        assert.deepStrictEqual(errors, [`${pointer} wrong_type`], JSON.stringify(value))
      }
    }),
  )

  it.effect.each<readonly [quote: string, request: (id: string) => object, pointer: string]>([
    ["com_interview_set_id", (id) => request({ com_interview_set_id: id }), "#/com_interview_set_id"],
    ["com_project_id", (id) => request({ com_project_id: id }), "#/com_project_id"],
    ["com_job_post_id", (id) => request({ com_job_post_id: id }), "#/com_job_post_id"],
    ["ats_candidate_id", (id) => entry({ ats_candidate_id: id }), "#/candidates/1/ats_candidate_id"],
  ])("report what is not a UUID: %s", ([, request, pointer]) =>
    Effect.gen(function* () {
      for (const id of [
        "",
        " ",
        "1",
        `{${nobodys}}`,
        `${nobodys}0`,
        nobodys.replaceAll("-", ""),
        ` ${nobodys}`,
        `${nobodys}\n`,
      ]) {
        assert.deepStrictEqual(yield* faults(invite, request(id)), [`${pointer} invalid_uuid`], id)
      }
    }),
  )

  it.effect.each<readonly [quote: string, request: () => unknown, expected: ReadonlyArray<string>]>([
    ["neither set nor project", () => ({ candidates: [{ email }] }), ["#/com_interview_set_id required"]],
    [
      "neither set nor project (null)",
      () => request({ com_interview_set_id: null, com_project_id: null }),
      ["#/com_interview_set_id required"],
    ],
    [
      "a job post alone",
      () => request({ com_interview_set_id: null, com_job_post_id: nobodys }),
      ["#/com_interview_set_id required"],
    ],
    ["no candidates field", () => ({ com_interview_set_id: nobodys }), ["#/candidates required"]],
    ["an empty list of candidates", () => entries(), ["#/candidates too_few"]],
    [
      "more candidates than the maximum",
      () => entries(...Array.from({ length: 1001 }, () => ({ email }))),
      ["#/candidates too_many"],
    ],
    [
      "an entry with neither e-mail nor cv_link",
      () => entries({}, { name: "Ada" }),
      ["#/candidates/0/email required", "#/candidates/1/email required"],
    ],
    [
      "an entry with e-mail and cv_link null",
      () => entries({ email }, { email: null, cv_link: null }),
      ["#/candidates/1/email required"],
    ],
    [
      "an entry with blank e-mail and cv_link",
      () => entries({ email: " ", cv_link: "\n" }),
      ["#/candidates/0/email required"],
    ],
    [
      "an ats_candidate_id twice",
      () => entries({ email, ats_candidate_id: other }, { email: "bo@example.com", ats_candidate_id: other }),
      ["#/candidates/1/ats_candidate_id duplicate"],
    ],
    [
      "duplicates of an ats_candidate_id in any case, each after the first",
      () =>
        entries(
          ...[other, other.toUpperCase(), nobodys, other].map((ats_candidate_id) => ({ cv_link, ats_candidate_id })),
        ),
      ["#/candidates/1/ats_candidate_id duplicate", "#/candidates/3/ats_candidate_id duplicate"],
    ],
  ])("%s", ([, request, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faults(invite, request()), [...expected])
    }),
  )

  it.effect("report entries without cv_link for a CV set", () =>
    Effect.gen(function* () {
      const set = yield* newSet({ set_type: 2 })
      for (const nothing of [{}, { cv_link: null }, { cv_link: " " }]) {
        const request = {
          com_interview_set_id: set,
          candidates: [
            { email, cv_link },
            { email: "bo@example.com", ...nothing },
          ],
        }
        assert.deepStrictEqual(yield* faults(invite, request), ["#/candidates/1/cv_link required"])
      }
      assert.deepStrictEqual(yield* counts(set), none)
    }),
  )

  it.effect.each(["x", "\u{1F600}", "e\u0301", "\u0643\u0628\u05e9", "\u{1F469}\u200d\u{1F680}", " "])(
    "count code points of invitation_message: %s",
    (alphabet) =>
      Effect.gen(function* () {
        const set = yield* newSet()
        const text = (count: number) => {
          const points = [...alphabet]
          return Array.from({ length: count }, (_, i) => points[i % points.length]).join("")
        }
        const withMessage = (count: number) => ({
          com_interview_set_id: set,
          candidates: [{ email: `${count}@example.com` }],
          invitation_message: text(count),
        })
        assert.deepStrictEqual(yield* faults(invite, withMessage(9)), ["#/invitation_message too_short"])
        assert.deepStrictEqual(yield* faults(invite, withMessage(0)), ["#/invitation_message too_short"])
        yield* invited(withMessage(10))
        yield* invited(withMessage(5000))
        const { sql } = yield* Database
        const stored =
          yield* sql`select message from invitation where interview_set_id = ${set}::uuid order by length(message)`
        assert.deepStrictEqual(stored, [{ message: text(10) }, { message: text(5000) }])
      }),
  )

  it.effect("list the known tokens for an unknown one", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const withMessage = (invitation_message: string) => ({
        com_interview_set_id: set,
        candidates: [{ email: "ada@example.com" }],
        invitation_message,
      })
      for (const token of [
        "{{foo}}",
        "{{ Name }}",
        "{{first.name}}",
        "{{prénom}}",
        "{{{bar}}}",
        "{{toString}}",
        "{{}}",
        "{{two words}}",
        "{{fo\u200bo}}",
        "{{#name}}",
      ])
        assert.deepStrictEqual(yield* faults(invite, withMessage(`Hello {{name}} and ${token}`)), [
          "#/invitation_message unknown_token",
        ])
      const known = ["name", "firstname", "lastname", "interview", "organization", "deadline"]
      const list = known.map((name) => `{{${name}}}`).join(", ")
      const [fault] = problem(
        yield* post(invite, withMessage("Hello {{name}},\r\n{{foo}} and {{bar}}")),
        422,
        "validation_failed",
      )
      assert.strictEqual(
        fault?.message,
        `must have no words in double braces other than ${list}: it has {{foo}} in line 2, {{bar}} in line 2`,
      )
      yield* invited(withMessage(`${known.map((name) => `{{${name}}} {{ ${name} }}`).join("")} { {foo} } {{foo`))
    }),
  )

  it.effect("treat null as absent and ignore unknown keys", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const nulls = { com_project_id: null, com_job_post_id: null, invitation_message: null, send_invite: null }
      const unknown = { unknown_field: "\0", "": [{ deep: 5 }], Candidates: 1 }
      const names = { ats_candidate_id: null, name: null, firstname: null, lastname: null }
      const candidates = [
        { email, cv_link: null, ...names, ...unknown },
        { email: null, cv_link, ...names, ...unknown },
      ]
      const [first, second] = yield* invited({ com_interview_set_id: set, candidates, ...nulls, ...unknown })
      assert.deepInclude(first?.invitation, { email, status_text: "pending" })
      assert.deepInclude(second?.submission, { status_text: "cv_processing" })
    }),
  )

  it.effect("allow 1,000 candidates, with one result for each in order", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const emails = Array.from({ length: 1000 }, (_, i) => `candidate-${i}@example.com`)
      const request = { com_interview_set_id: set, candidates: emails.map((email) => ({ email })) }
      const results = yield* invited(request)
      assert.deepStrictEqual(
        results.map(({ email_address }) => email_address),
        emails,
      )
      assert.deepStrictEqual(yield* invited(request), repeated(results))
      const thousand = { candidates: 1000, submissions: 1000, invitations: 1000, mails: 1000 }
      assert.deepStrictEqual(yield* counts(set), { ...none, ...thousand })
    }),
  )

  it.effect.each<readonly [quote: string, request: unknown, expected: ReadonlyArray<string>]>([
    [
      "of the schema and of the rules",
      {
        candidates: [
          { ats_candidate_id: other, email: 5 },
          { ats_candidate_id: other.toUpperCase(), email },
          { name: "Nobody" },
        ],
      },
      [
        "#/com_interview_set_id required",
        "#/candidates/0/email wrong_type",
        "#/candidates/1/ats_candidate_id duplicate",
        "#/candidates/2/email required",
      ],
    ],
    [
      "of every field",
      {
        com_interview_set_id: "1",
        com_project_id: 2,
        com_job_post_id: [],
        candidates: [
          { ats_candidate_id: "x", email: [], name: 1, firstname: {}, lastname: true, cv_link: 0 },
          "x",
          { email, name: "nul \0" },
        ],
        invitation_message: "too short",
        send_invite: "yes",
      },
      [
        "#/com_interview_set_id invalid_uuid",
        "#/com_project_id wrong_type",
        "#/com_job_post_id wrong_type",
        "#/candidates/0/ats_candidate_id invalid_uuid",
        "#/candidates/0/email wrong_type",
        "#/candidates/0/name wrong_type",
        "#/candidates/0/firstname wrong_type",
        "#/candidates/0/lastname wrong_type",
        "#/candidates/0/cv_link wrong_type",
        "#/candidates/1 wrong_type",
        "#/candidates/2/name unstorable_text",
        "#/invitation_message too_short",
        "#/send_invite wrong_type",
      ],
    ],
    ["an empty request", {}, ["#/candidates required", "#/com_interview_set_id required"]],
    [
      "an empty list beside a short message",
      request({ candidates: [], invitation_message: "" }),
      ["#/candidates too_few", "#/invitation_message too_short"],
    ],
  ])("are reported at once: %s", ([, request, expected]) =>
    Effect.gen(function* () {
      assert.sameMembers(yield* faults(invite, request), [...expected])
    }),
  )

  it.effect("leave nothing stored", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      yield* faults(invite, { com_interview_set_id: set, candidates: [{ email, cv_link }, {}] })
      assert.deepStrictEqual(yield* counts(set), none)
    }),
  )
})
