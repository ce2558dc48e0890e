/** What an invite creates for a candidate, by the fields of its entry. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import {
  Caller,
  counts,
  detail,
  errorsOf,
  invited,
  invitedOne,
  newSet,
  none,
  layer as specification,
  uuid,
} from "../support/Specification.ts"

const email = "ada@example.com"
const cv_link = "https://files.example.com/cv/ada.pdf?v=1"
const interviewUrl = /^http:\/\/localhost:8080\/i\/[\w-]{44}$/

type Counts = Partial<typeof none>

/** The rows that an interview and a CV create. */
const invitedRows: Counts = { candidates: 1, submissions: 1, invitations: 1, mails: 1 }
const submissionRows: Counts = { candidates: 1, submissions: 1 }
const cv: Counts = { candidates: 1, submissions: 1, cvs: 1 }

type State = "pending" | "need_interview" | "cv_processing"

layer(specification(), { excludeTestServices: true })("an invite's flows", (it) => {
  it.effect.each<
    readonly [
      quote: string,
      set: object,
      request: object,
      candidate: object,
      invitation: State | null,
      submission: State,
      expected: Counts,
    ]
  >([
    ["an email address: an invitation", {}, {}, { email }, "pending", "need_interview", invitedRows],
    [
      "an address and a CV: an invitation and a CV evaluation",
      {},
      {},
      { email, cv_link },
      "pending",
      "need_interview",
      { ...invitedRows, cvs: 1 },
    ],
    ["a CV without an address: CV processing", {}, {}, { cv_link }, null, "cv_processing", cv],
    ["a CV with a null address: CV processing", {}, {}, { email: null, cv_link }, null, "cv_processing", cv],
    ["a CV with a blank address: CV processing", {}, {}, { email: " ", cv_link }, null, "cv_processing", cv],
    ["a CV set, with an address: CV processing", { set_type: 2 }, {}, { email, cv_link }, null, "cv_processing", cv],
    ["a CV set, without an address: CV processing", { set_type: 2 }, {}, { cv_link }, null, "cv_processing", cv],
    [
      "without send_invite: an invitation",
      {},
      { send_invite: null },
      { email },
      "pending",
      "need_interview",
      invitedRows,
    ],
    ["send_invite true: an invitation", {}, { send_invite: true }, { email }, "pending", "need_interview", invitedRows],
    [
      "send_invite false: no invitation and no mail",
      {},
      { send_invite: false },
      { email },
      null,
      "need_interview",
      submissionRows,
    ],
    [
      "send_invite false with a CV: a submission and a queued CV",
      {},
      { send_invite: false },
      { email, cv_link },
      null,
      "need_interview",
      { ...submissionRows, cvs: 1 },
    ],
    [
      "send_invite false and a CV alone: CV processing",
      {},
      { send_invite: false },
      { cv_link },
      null,
      "cv_processing",
      cv,
    ],
    [
      "send_invite false and a CV set: CV processing",
      { set_type: 2 },
      { send_invite: false },
      { email, cv_link },
      null,
      "cv_processing",
      cv,
    ],
  ])("%s", ([, fields, request, candidate, invitation, submission, expected]) =>
    Effect.gen(function* () {
      const set = yield* newSet(fields)
      const result = yield* invitedOne({ com_interview_set_id: set, ...request }, candidate)
      assert.deepStrictEqual(errorsOf(result), [])
      assert.strictEqual(result.invitation?.status_text ?? null, invitation)
      assert.strictEqual(result.submission?.status_text, submission)
      // `submission.interview_url` is the link; with true, `invitation.interview_url` holds it too
      if (submission === "need_interview") assert.match(result.submission?.interview_url ?? "", interviewUrl)
      else assert.isNull(result.submission?.interview_url)
      if (result.invitation !== null) {
        assert.strictEqual(result.invitation.interview_url, result.submission?.interview_url)
        assert.strictEqual(result.invitation.email, email)
      }
      assert.deepStrictEqual(yield* counts(set), { ...none, ...expected })
    }),
  )

  it.effect("returns the fields of a result", () =>
    Effect.gen(function* () {
      const result = yield* invitedOne({ com_interview_set_id: yield* newSet() }, { email, cv_link })
      assert.sameMembers(Object.keys(result), ["email_address", "cv_link", "candidate", "invitation", "submission"])
      assert.deepInclude(result, { email_address: email, cv_link })
      assert.sameMembers(Object.keys(result.invitation ?? {}), [
        "id",
        "email",
        "status_text",
        "is_new",
        "email_status",
        "interview_url",
      ])
      assert.sameMembers(Object.keys(result.submission ?? {}), ["id", "status_text", "interview_url"])
      for (const id of [result.invitation?.id, result.submission?.id]) assert.match(String(id), uuid)
      const nothing = yield* invitedOne({ com_interview_set_id: yield* newSet() }, { cv_link: ` ${cv_link} ` })
      assert.deepInclude(nothing, { email_address: null, cv_link: ` ${cv_link} `, invitation: null })
    }),
  )

  it.effect.each<readonly [quote: string, candidate: object, known: object]>([
    [
      "ats_candidate_id, email, name, firstname, lastname",
      {
        ats_candidate_id: "0190B5A2-7C1E-7DEF-8ABC-000000000001",
        email,
        name: "Ada L.",
        firstname: "Ada",
        lastname: "Lovelace",
      },
      {
        ats_candidate_id: "0190b5a2-7c1e-7def-8abc-000000000001",
        email,
        name: "Ada L.",
        firstname: "Ada",
        lastname: "Lovelace",
      },
    ],
    [
      "name | string | no",
      { email: "b@example.com", name: "  עדה\u{1F600} " },
      { email: "b@example.com", name: "עדה\u{1F600}" },
    ],
    [
      "firstname | string | no | first name override",
      { email: "c@example.com", firstname: "Ada" },
      { firstname: "Ada", name: null },
    ],
    [
      "lastname | string | no | last name override",
      { email: "d@example.com", lastname: "O'Neil" },
      { lastname: "O'Neil", name: null },
    ],
    [
      "ats_candidate_id | UUID | no",
      { cv_link, ats_candidate_id: "0190b5a2-7c1e-7def-8abc-000000000002" },
      { ats_candidate_id: "0190b5a2-7c1e-7def-8abc-000000000002", email: null },
    ],
    [
      "email | string | no (as it was written)",
      { email: "Ada.Lovelace+X@Example.COM" },
      { email: "Ada.Lovelace+X@Example.COM" },
    ],
  ])("stores %s", ([, candidate, known]) =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const { sql } = yield* Database
      const { submission } = yield* invitedOne({ com_interview_set_id: yield* newSet() }, candidate)
      const [row] = yield* sql`
        select c.ats_candidate_id, c.email, c.name, c.firstname, c.lastname
        from candidate c join submission b on b.candidate_id = c.id where b.id = ${String(submission?.id)}::uuid`
      assert.deepInclude({ ...row }, known)
      const { candidate: shown } = yield* Api.results(200, "GET", detail(String(submission?.id)), { key })
      const { ats_candidate_id, email } = { ...row }
      assert.deepInclude(shown as Api.Row, { ats_candidate_id, email })
    }),
  )

  it.effect("treats each candidate separately", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const ats_candidate_id = "0190b5a2-7c1e-7def-8abc-000000000003"
      const results = yield* invited({
        com_interview_set_id: set,
        candidates: [
          { email: "one@example.com" },
          { email: "no address" },
          { cv_link: `${cv_link}&2` },
          { cv_link: "ftp://files.example.com/ada.pdf" },
          { ats_candidate_id, email: "two@example.com", cv_link: "https://10.0.0.1/ada.pdf" },
          { email: "three@example.com", cv_link },
        ],
      })
      assert.deepStrictEqual(
        results.map((one) => [one.invitation?.status_text, one.submission?.status_text, errorsOf(one).length]),
        [
          ["pending", "need_interview", 0],
          ["failed", "need_interview", 2],
          [undefined, "cv_processing", 0],
          [undefined, undefined, 2],
          ["pending", "need_interview", 2],
          ["pending", "need_interview", 0],
        ],
      )
      const expected = { candidates: 5, submissions: 5, invitations: 4, mails: 3, cvs: 2, events: 1 }
      assert.deepStrictEqual(yield* counts(set), { ...none, ...expected })
    }),
  )

  it.effect("invites to the set of com_interview_set_id", () =>
    Effect.gen(function* () {
      const title = 'A set of an unusual title \u{1F680} "<>'
      const { key } = yield* Caller
      const set = yield* newSet({ title })
      const { submission } = yield* invitedOne({ com_interview_set_id: set }, { email })
      const found = yield* Api.results(200, "GET", detail(String(submission?.id)), { key })
      assert.deepStrictEqual(found["interview_set"], { id: set, title, external_id: null })
    }),
  )
})
