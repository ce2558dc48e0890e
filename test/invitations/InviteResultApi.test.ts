/** Errors of one candidate: in that candidate's result, and in an event. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { emptyReference } from "../../src/values/ExternalReference.ts"
import type * as Api from "../support/Api.ts"
import {
  Caller,
  counts,
  errorsOf,
  invited,
  invitedOne,
  newSet,
  none,
  type Result,
  repeated,
  layer as specification,
} from "../support/Specification.ts"

const cv_link = "https://files.example.com/ada.pdf"
const steps = ["invitation", "application", "submission", "candidate_entry"] as const
type Step = (typeof steps)[number]

const suppress = Effect.fnUntraced(function* (email: string) {
  const { sql } = yield* Database
  const { organization } = yield* Caller
  yield* sql`insert into suppression (organization_id, email, reason) values (${organization}::int, ${email}, 'unsubscribe')
    on conflict do nothing`
})

/** Checks that exactly these steps failed, and that error_message contains each reason. */
const failed = (result: Result, ...expected: ReadonlyArray<Step>) => {
  const messages: Readonly<Record<string, unknown>> = { ...result }
  const fields = expected.map((step) => `${step}_error_message`)
  assert.sameMembers(errorsOf(result), expected.length === 0 ? [] : ["error_message", ...fields])
  for (const field of fields) {
    assert.match(String(messages[field]), /\S/)
    assert.include(String(messages["error_message"]), String(messages[field]))
  }
}

/** `data` and reason of the events of a set. */
const eventsOf = Effect.fnUntraced(function* (set: string) {
  const { sql } = yield* Database
  const rows = yield* sql<{ event_type: string; data: Api.Row }>`
    select e.event_type, e.body::jsonb -> 'data' as data from webhook_event e join submission b on b.id = e.submission_id
    where b.interview_set_id = ${set}::uuid order by e.seq`
  for (const { event_type } of rows) assert.strictEqual(event_type, "invitation.status.update")
  return rows.map(({ data }) => data)
})

const email = "ada@example.com"
const unsubscribed = "Gone@Example.com"

// no private address is allowed for CV links
layer(specification({ settings: { OUTBOUND_ALLOW: "" } }), { excludeTestServices: true })(
  "a candidate's errors",
  (it) => {
    it.effect.each<
      readonly [
        quote: string,
        project: "none" | "whole" | "without a post" | "without a set",
        candidate: object,
        failing: ReadonlyArray<Step>,
      ]
    >([
      ["invitation_ (bad … address)", "none", { email: "nobody" }, ["invitation"]],
      ["invitation_ (bad … address), with a CV", "none", { email: "nobody@", cv_link }, ["invitation"]],
      ["invitation_ (… unsubscribed address)", "none", { email: unsubscribed }, ["invitation"]],
      [
        "candidate_entry_ (cv_link not https)",
        "none",
        { cv_link: "http://files.example.com/ada.pdf" },
        ["candidate_entry"],
      ],
      [
        "candidate_entry_ (cv_link not https), with an address",
        "none",
        { email, cv_link: "ftp://files.example.com/ada.pdf" },
        ["candidate_entry"],
      ],
      [
        "candidate_entry_ (… at an address that is not public)",
        "none",
        { cv_link: "https://10.0.0.1/ada.pdf" },
        ["candidate_entry"],
      ],
      [
        "invitation_ and candidate_entry_",
        "none",
        { email: "nobody", cv_link: "https://localhost/ada.pdf" },
        ["invitation", "candidate_entry"],
      ],
      ["application_ (project without a job post)", "without a post", { email }, ["application"]],
      ["application_ (project without a job post), a CV alone", "without a post", { cv_link }, ["application"]],
      ["application_ and invitation_", "without a post", { email: "nobody" }, ["application", "invitation"]],
      [
        "application_, invitation_, candidate_entry_",
        "without a post",
        { email: unsubscribed, cv_link: "x" },
        ["application", "invitation", "candidate_entry"],
      ],
      ["none: `invitation_error_message`", "without a set", { email }, ["invitation"]],
      [
        "none: `invitation_error_message`, and a CV that can not be read",
        "without a set",
        { email, cv_link: "x" },
        ["invitation", "candidate_entry"],
      ],
      ["none: a CV alone has no submission either", "without a set", { cv_link }, ["invitation", "submission"]],
      ["omitted unless that step failed", "none", { email, cv_link }, []],
      ["omitted unless that step failed, in a project", "whole", { email, cv_link }, []],
      ["omitted unless that step failed, a CV alone", "whole", { cv_link }, []],
    ])("are present when their step fails: %s", ([, kind, candidate, failing]) =>
      Effect.gen(function* () {
        yield* suppress("gone@example.com")
        const projects = yield* Projects
        const project = kind === "none" ? null : yield* projects.create(operator((yield* Caller).organization), "P")
        if (project !== null && kind !== "without a post")
          yield* projects.createJobPost(operator((yield* Caller).organization), project, "J")
        const set = kind === "without a set" ? null : yield* newSet({ project_id: project })
        const target = project === null ? { com_interview_set_id: set } : { com_project_id: project }
        const result = yield* invitedOne(target, candidate)
        failed(result, ...failing)
        const [again] = yield* invited({ ...target, candidates: [candidate] })
        assert.deepStrictEqual(again, repeated([result])[0])
        // an existing invitation fails only because of its address
        if (set !== null && failing.includes("invitation")) {
          assert.strictEqual(result.invitation?.status_text, "failed")
          assert.strictEqual(result.submission?.status_text, "need_interview")
          assert.deepInclude(yield* counts(set), { invitations: 1, mails: 0, events: 1 })
        } else if (set === null) assert.deepStrictEqual([result.invitation, result.submission], [null, null])
      }),
    )

    it.effect.each<readonly [quote: string, email: string, reason: string]>([
      ["Invalid address: … reason `invalid_email`", "nobody", "invalid_email"],
      ["Invalid address: … reason `invalid_email`", "ada@example", "invalid_email"],
      ["Invalid address: … reason `invalid_email`", `${"a".repeat(65)}@example.com`, "invalid_email"],
      ["Address on the organization's suppression list: reason `unsubscribed`", "gone@example.com", "unsubscribed"],
      [
        "Address on the organization's suppression list: reason `unsubscribed` (in any case)",
        unsubscribed,
        "unsubscribed",
      ],
    ])("%s: %s", ([, address, reason]) =>
      Effect.gen(function* () {
        yield* suppress("gone@example.com")
        const { sql } = yield* Database
        const set = yield* newSet({ title: "Backend Engineer" })
        const ats_candidate_id = crypto.randomUUID()
        const result = yield* invitedOne({ com_interview_set_id: set }, { email: address, ats_candidate_id })
        const [row] = yield* sql<{ candidate_id: string }>`
        select candidate_id from submission where id = ${String(result.submission?.id)}::uuid`
        assert.deepStrictEqual(yield* eventsOf(set), [
          {
            interview_set_id: set,
            candidate_id: row?.candidate_id,
            candidate_email: address,
            status: "invitation_email_failed",
            reason,
            interview_name: "Backend Engineer",
            invitation_id: result.invitation?.id,
            submission_id: result.submission?.id,
            ats_candidate_id,
            ...emptyReference,
          },
        ])
      }),
    )

    it.effect.each([
      " ada@example.com\u200b",
      "Ada Lovelace <ada@example.com>",
      "mailto:ada@example.com?subject=Hello",
      "[ada@example.com](mailto:ada@example.com)",
      "'ada@example.com';",
      "ada＠example.com",
    ])("are none for an address with what was copied along: %j", (address) =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const set = yield* newSet()
        const result = yield* invitedOne({ com_interview_set_id: set }, { email: address })
        failed(result)
        assert.strictEqual(result.invitation?.status_text, "pending")
        const rows = yield* sql<{ email: string; sent: string }>`
          select c.email, i.email as sent from invitation i join candidate c on c.id = i.candidate_id
          where i.interview_set_id = ${set}::uuid`
        assert.deepStrictEqual(rows, [{ email: "ada@example.com", sent: "ada@example.com" }])
      }),
    )

    it.effect("ignore suppressions of other organizations, and of addresses without a mail", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        yield* sql`insert into suppression (organization_id, email, reason)
        select id, 'theirs@example.com', 'unsubscribe' from organization where id <> ${(yield* Caller).organization}::int`
        yield* suppress("gone@example.com")
        const set = yield* newSet()
        failed(yield* invitedOne({ com_interview_set_id: set }, { email: "theirs@example.com" }))
        for (const address of ["nobody", unsubscribed]) {
          const result = yield* invitedOne({ com_interview_set_id: set, send_invite: false }, { email: address })
          failed(result)
          assert.isNull(result.invitation)
        }
        const cvSet = yield* newSet({ set_type: 2 })
        for (const address of ["nobody", unsubscribed]) {
          failed(
            yield* invitedOne({ com_interview_set_id: cvSet }, { email: address, cv_link: `${cv_link}?${address}` }),
          )
        }
        assert.deepStrictEqual([yield* eventsOf(set), yield* eventsOf(cvSet)], [[], []])
      }),
    )

    it.effect.each([
      "http://files.example.com/ada.pdf",
      "ftp://files.example.com/ada.pdf",
      "file:///etc/passwd",
      "data:text/plain,ada",
      "files.example.com/ada.pdf",
      "not a link",
      "https://",
      "https://10.0.0.1/ada.pdf",
      "https://127.0.0.1/ada.pdf",
      "https://0x7f.1/ada.pdf",
      "https://2130706433/ada.pdf",
      "https://169.254.169.254/latest/meta-data",
      "https://[::1]/ada.pdf",
      "https://[::ffff:10.0.0.1]/ada.pdf",
      "https://100.64.0.1/",
      "https://localhost/ada.pdf",
      "https://metadata.google.internal/",
      "https://user:secret@files.example.com/ada.pdf",
      "https://files.example.com:22/",
    ])("report a CV link that is not https or not public: %s", (link) =>
      Effect.gen(function* () {
        const set = yield* newSet()
        const cvSet = yield* newSet({ set_type: 2 })
        const [alone, withAddress, good] = yield* invited({
          com_interview_set_id: set,
          candidates: [{ cv_link: link }, { email, cv_link: link }, { cv_link }],
        })
        const inCvSet = yield* invitedOne({ com_interview_set_id: cvSet }, { email, cv_link: link })
        for (const result of [alone, withAddress, inCvSet]) {
          assert.isDefined(result)
          if (result === undefined) return
          failed(result, "candidate_entry")
          assert.strictEqual(result.cv_link, link)
        }
        for (const result of [alone, inCvSet]) assert.deepInclude(result, { invitation: null, submission: null })
        assert.strictEqual(withAddress?.invitation?.status_text, "pending")
        assert.strictEqual(good?.submission?.status_text, "cv_processing")
        const expected = { candidates: 2, submissions: 2, invitations: 1, mails: 1, cvs: 1 }
        assert.deepStrictEqual(yield* counts(set), { ...none, ...expected })
        assert.deepStrictEqual(yield* counts(cvSet), none)
      }),
    )

    it.effect.each<readonly [quote: string, candidate: object, failing: ReadonlyArray<Step>]>([
      ["an address of 321 characters", { email: `${"a".repeat(309)}@example.com` }, ["invitation"]],
      ["an address of 100,000 characters", { email: `${"a".repeat(100_000)}@example.com` }, ["invitation"]],
      ["a link of 4,097 characters", { email, cv_link: `${cv_link}?${"x".repeat(4097)}` }, ["candidate_entry"]],
      ["a name of 501 characters", { email, name: "x".repeat(501) }, []],
      ["a first name of 251 characters", { email, firstname: "x".repeat(251) }, []],
      ["a last name of 251 characters", { email, lastname: "x".repeat(251) }, []],
    ])("do not stop other candidates: %s", ([, candidate, failing]) =>
      Effect.gen(function* () {
        const candidates = [candidate, { email: "bo@example.com" }]
        const [first, second] = yield* invited({ com_interview_set_id: yield* newSet(), candidates })
        assert.strictEqual(second?.invitation?.status_text, "pending")
        if (first !== undefined && failing.length > 0) failed(first, ...failing)
      }),
    )
  },
)
