/** The workspace's list of submissions over HTTP: decisions, resends, export and comparison of selected rows. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { strFromU8, unzipSync } from "fflate"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { listColumns, savedViewLimits } from "../../src/reviews/SavedView.ts"
import type { SubmissionStatus } from "../../src/submissions/Submission.ts"
import { parseCsv } from "../../src/values/Csv.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, viewer, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

/** An organization with `count` candidates, named by number, and a member who is signed in. */
const begin = Effect.fnUntraced(function* (count = 3, status: SubmissionStatus = "completed") {
  const organization = yield* Scenario.organization()
  const { id } = organization
  const member = yield* signedIn(id)
  const { sql } = yield* Database
  const submissions = yield* Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) =>
      Effect.gen(function* () {
        const { subject } = yield* Scenario.invited(organization, `c${n}@example.com`)
        yield* sql`update candidate set name = ${`Candidate ${n}`} where id = ${subject.candidate_id}::uuid`
        yield* sql`update submission set created_at = '2026-11-01'::timestamptz + ${n}::int * interval '1 minute',
          status = ${status} where id = ${subject.submission_id}::uuid`
        return subject
      }),
  )
  const decisionsOf = Effect.map(
    sql<{ decision: string | null }>`
      select decision from submission where organization_id = ${id}::int order by created_at`,
    (rows) => rows.map(({ decision }) => decision),
  )
  /** Sends the form of the list at `query` with the selected rows, numbered from the oldest. */
  const send = Effect.fnUntraced(function* (
    action: string,
    selected: ReadonlyArray<number>,
    fields: Readonly<Record<string, string>> = {},
    query = "",
  ) {
    const { text } = yield* get(`/submissions${query}`, member.cookie)
    const values = [...text.matchAll(/name="selected" value="([^"]*)"/g)].map(([, value = ""]) => value).toReversed()
    const sent = [
      ...fieldsOf(text, "/submissions/decide").filter(([name]) => name !== "reason"),
      ...selected.map((n) => ["selected", values[n] ?? ""] as const),
      ...Object.entries(fields),
    ]
    return { sent, ...(yield* post(`/submissions/${action}`, member.cookie, sent)) }
  })
  const follow = (location: string | null) =>
    Effect.map(get(location ?? assert.fail("no redirect"), member.cookie), ({ text }) => text)
  return { ...organization, member, submissions, decisionsOf, send, follow }
})

layer(pages)("selected submissions", (it) => {
  it.effect("are decided about at once, with the reason, and undone", () =>
    Effect.gen(function* () {
      const { decisionsOf, follow, id, member, send } = yield* begin()
      const done = yield* send(
        "decide",
        [0, 2],
        { decision: "advance", reason: " Fits. " },
        "?order=oldest&decision=undecided",
      )
      assert.match(done.location ?? "", /^\/submissions\?decision=undecided&order=oldest&done=decided&form=/)
      assert.deepStrictEqual(yield* decisionsOf, ["advance", null, "advance"])
      const shown = yield* follow(done.location)
      assert.include(shown, "Advanced: 2 candidates.")
      const { sql } = yield* Database
      const reasons = sql<{ reason: string | null; changes: number }>`
        select decision_reason as reason, decision_changes as changes from submission
        where organization_id = ${id}::int order by created_at`
      assert.deepStrictEqual(yield* reasons, [
        { reason: "Fits.", changes: 1 },
        { reason: null, changes: 0 },
        { reason: "Fits.", changes: 1 },
      ])
      // a double click and a reload
      assert.strictEqual((yield* post("/submissions/decide", member.cookie, done.sent)).location, done.location)
      assert.deepStrictEqual((yield* reasons)[0], { reason: "Fits.", changes: 1 })
      const undo = yield* post("/submissions/undo", member.cookie, fieldsOf(shown, "/submissions/undo"))
      assert.match(undo.location ?? "", /^\/submissions\?decision=undecided&order=oldest&done=undone&form=/)
      assert.include(yield* follow(undo.location), "The last decision about 2 candidates was undone.")
      assert.deepStrictEqual(yield* decisionsOf, [null, null, null])
      // twice
      const again = yield* post("/submissions/undo", member.cookie, [
        ...fieldsOf(shown, "/submissions/undo").filter(([name]) => name !== "id"),
      ])
      assert.include(yield* follow(again.location), "Skipped 2 candidates:")
      assert.deepStrictEqual(yield* decisionsOf, [null, null, null])
    }),
  )

  it.effect("are decided about and resent when the list of the browser's history is sent again", () =>
    Effect.gen(function* () {
      const { decisionsOf, follow, member, send, submissions } = yield* begin()
      const done = yield* send("decide", [0], { decision: "advance" })
      const another = done.sent.map(([name, value]) => {
        return [name, name === "selected" ? `${submissions[1]?.submission_id}:0` : value] as const
      })
      const again = yield* post("/submissions/decide", member.cookie, another)
      assert.notStrictEqual(again.location, done.location)
      assert.include(yield* follow(again.location), "Advanced: 1 candidate.")
      assert.deepStrictEqual(yield* decisionsOf, ["advance", "advance", null])
      const twice = [...another, ...another.filter(([name]) => name === "selected")]
      const resent = yield* post("/submissions/resend", member.cookie, [...twice, ["confirmed", "yes"]])
      assert.match(yield* follow(resent.location), /The invitation of 1 candidate is|Skipped 1 candidate:/)
    }),
  )

  it.effect("are undone while a colleague decides about them, without a deadlock", () =>
    Effect.gen(function* () {
      const { decisionsOf, follow, id, member, send, submissions } = yield* begin(2)
      const colleague = viewer(id, yield* Workspace.member(id, `colleague.${id}@example.com`))
      const [first, last] = submissions.map(({ submission_id }) => submission_id).toSorted()
      // the later id first
      const order = submissions[0]?.submission_id === first ? [1, 0] : [0, 1]
      const shown = yield* follow((yield* send("decide", order, { decision: "advance" })).location)
      const undo = post("/submissions/undo", member.cookie, fieldsOf(shown, "/submissions/undo"))
      const decisions = yield* Decisions
      const decide = (submission: typeof first) =>
        decisions.decide(colleague, submission ?? assert.fail(), 1, { decision: "hold", reason: "" })
      const undone = Result.getOrThrow(yield* overtaken(decide(first), undo, decide(last)))
      assert.include(yield* follow(undone.location), "Skipped 2 candidates:")
      assert.deepStrictEqual(yield* decisionsOf, ["hold", "hold"])
    }),
  )

  it.effect("are skipped one by one, with the candidate and the reason, when another member decided meanwhile", () =>
    Effect.gen(function* () {
      const { decisionsOf, follow, id, member, send, submissions } = yield* begin(4)
      const decisions = yield* Decisions
      const colleague = viewer(id, yield* Workspace.member(id, `colleague.${id}@example.com`), "owner", "Grace")
      const { text } = yield* get("/submissions", member.cookie)
      const values = [...text.matchAll(/name="selected" value="([^"]*)"/g)].map(([, value = ""]) => value).toReversed()
      const submission = (n: number) => submissions[n]?.submission_id ?? assert.fail()
      yield* decisions.decide(colleague, submission(0), 0, { decision: "hold", reason: "" })
      yield* decisions.decide(colleague, submission(1), 0, { decision: "advance", reason: "" })
      const { sql } = yield* Database
      yield* sql`update candidate set erased_at = now() where id = ${submissions[2]?.candidate_id ?? null}::uuid`
      const foreign = yield* begin(1)
      const outcome = yield* post("/submissions/decide", member.cookie, [
        ...values.map((value) => ["selected", value] as const),
        ["selected", `${foreign.submissions[0]?.submission_id}:0`],
        ["selected", "not an id:0"],
        ["decision", "advance"],
        ["list", "https://evil.example/"],
      ])
      assert.match(outcome.location ?? "", /^\/submissions\?/)
      assert.deepStrictEqual(yield* decisionsOf, ["hold", "advance", null, "advance"])
      assert.deepStrictEqual(yield* foreign.decisionsOf, [null])
      const shown = yield* follow(outcome.location)
      assert.include(shown, "Advanced: 1 candidate.")
      assert.include(shown, "Skipped 4 candidates:")
      for (const line of [
        "Candidate 0</a>: Grace chose “Hold” after you opened the list",
        "Candidate 1</a>: the decision and its reason are unchanged",
        "Candidate 2</a>: the candidate&#39;s personal data was erased",
        "A candidate who was deleted or whom you have no access to: it no longer exists, or you have no access to it",
      ]) {
        assert.include(shown, line)
      }
      // other members do not see the outcome
      const [, form = ""] = /form=([\w-]+)/.exec(outcome.location ?? "") ?? []
      assert.notInclude((yield* get(`/submissions?done=decided&form=${form}`, foreign.member.cookie)).text, "Skipped")
      // cleared with the shown decision
      yield* send("decide", [0, 1], { decision: "clear", reason: "ignored" })
      assert.deepStrictEqual(yield* decisionsOf, [null, null, null, "advance"])
    }),
  )

  it.effect("are confirmed before a rejection and before more than 20 decisions", () =>
    Effect.gen(function* () {
      const { decisionsOf, member, send } = yield* begin(21)
      const all = Array.from({ length: 21 }, (_, n) => n)
      const few = yield* send("decide", [1, 2], { decision: "reject", reason: "Too few years" })
      assert.include(few.text, "Reject 2 candidates?")
      assert.include(few.text, "Candidate 1<")
      const many = yield* send("decide", all, { decision: "hold" })
      assert.include(many.text, "Hold 21 candidates?")
      const none = yield* send("decide", [3], { reason: "Enter was pressed" })
      assert.include(none.text, "Decide about 1 candidate")
      assert.deepStrictEqual(new Set(yield* decisionsOf), new Set([null]))
      const fields = fieldsOf(few.text, "/submissions/decide")
      const long = yield* post("/submissions/decide", member.cookie, [
        ...fields.filter(([name]) => name !== "reason"),
        ["reason", "x".repeat(2001)],
        ["decision", "reject"],
      ])
      assert.strictEqual(long.status, 422)
      assert.include(long.text, "The reason must have at most 2000 characters.")
      assert.include(long.text, "x".repeat(2001))
      yield* post("/submissions/decide", member.cookie, [...fields, ["decision", "reject"]])
      yield* post("/submissions/decide", member.cookie, [
        ...fieldsOf(many.text, "/submissions/decide"),
        ["decision", "hold"],
      ])
      const after = yield* decisionsOf
      assert.deepStrictEqual(after.slice(0, 4), ["hold", "reject", "reject", "hold"])
    }),
  )

  it.effect("are confirmed when candidates have not submitted answers", () =>
    Effect.gen(function* () {
      const { decisionsOf, member, send, submissions } = yield* begin(3)
      const { sql } = yield* Database
      for (const [n, status] of [
        [0, "expired"],
        [1, "need_interview"],
      ] as const)
        yield* sql`update submission set status = ${status} where id = ${submissions[n]?.submission_id ?? null}::uuid`
      const asked = yield* send("decide", [0, 1, 2], { decision: "advance" })
      assert.include(asked.text, "Advance 3 candidates?")
      assert.include(
        asked.text,
        "<strong>2 candidates of 3 have not submitted answers.</strong> Expired: 1 · Invited: 1",
      )
      // those without answers are left out, and what was typed is kept
      const narrowed = yield* post("/submissions/decide", member.cookie, [
        ...withFields(fieldsOf(asked.text, "/submissions/decide"), { reason: "Clear answers" }),
        ["submitted", "advance"],
      ])
      assert.include(narrowed.text, "Advance 1 candidate?")
      assert.include(narrowed.text, "Clear answers")
      assert.notInclude(narrowed.text, "not submitted answers")
      assert.deepStrictEqual(yield* decisionsOf, [null, null, null])
      yield* post("/submissions/decide", member.cookie, [
        ...fieldsOf(asked.text, "/submissions/decide"),
        ["decision", "advance"],
      ])
      assert.deepStrictEqual(yield* decisionsOf, ["advance", "advance", "advance"])
      // clearing needs no answers
      yield* send("decide", [0, 1, 2], { decision: "clear" })
      assert.deepStrictEqual(yield* decisionsOf, [null, null, null])
    }),
  )

  it.effect("are all that match the search, which are confirmed again when others match meanwhile", () =>
    Effect.gen(function* () {
      const { decisionsOf, follow, id, member, send, set, submissions } = yield* begin(2)
      const { sql } = yield* Database
      /** Copies a candidate. */
      const add = (count: number) => sql`
        with person as (
          insert into candidate (id, organization_id, name)
          select gen_random_uuid(), ${id}::int, 'Copy ' || n from generate_series(1, ${count}::int) n returning id
        )
        insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at)
        select gen_random_uuid(), ${id}::int, ${set.id}::uuid, id, 'interview', 'evaluated', now(), '2026-11-02' from person`
      const query = "?decision=undecided"
      assert.notInclude((yield* get(`/submissions${query}`, member.cookie)).text, "that match")
      yield* add(58)
      assert.include((yield* get(`/submissions${query}`, member.cookie)).text, "All 60 that match")
      const every = { every: "yes", decision: "hold", reason: "Later" }
      const asked = yield* send("decide", [], every, query)
      assert.include(asked.text, "Hold 60 candidates?")
      const confirm = (text: string) =>
        post("/submissions/decide", member.cookie, [...fieldsOf(text, "/submissions/decide"), ["decision", "hold"]])
      const rita = viewer(id, member)
      yield* (yield* Decisions).decide(rita, submissions[0]?.submission_id ?? "", 0, {
        decision: "advance",
        reason: "",
      })
      const again = yield* confirm(asked.text)
      assert.include(again.text, "The list has changed meanwhile.")
      assert.include(again.text, "Hold 59 candidates?")
      const done = yield* confirm(again.text)
      const shown = yield* follow(done.location)
      assert.include(shown, "On hold: 59 candidates.")
      const counted = Effect.map(decisionsOf, (all) =>
        Object.fromEntries([...Map.groupBy(all, String)].map(([name, { length }]) => [name, length])),
      )
      assert.deepStrictEqual(yield* counted, { advance: 1, hold: 59 })
      assert.strictEqual((yield* confirm(again.text)).location, done.location, "the same form")
      const exported = yield* send("export", [], { every: "yes" }, "?decision=hold")
      assert.strictEqual(exported.location, "/submissions.csv?decision=hold")
      yield* post("/submissions/undo", member.cookie, fieldsOf(shown, "/submissions/undo"))
      assert.deepStrictEqual(yield* counted, { advance: 1, null: 59 })
      yield* add(942)
      const tooMany = yield* send("decide", [], every, query)
      assert.strictEqual(tooMany.status, 422)
      assert.include(tooMany.text, "More than 1000 submissions match.")
    }),
  )

  it.effect("are moved to a stage, except those moved or decided meanwhile", () =>
    Effect.gen(function* () {
      const { follow, id, member, send, submissions } = yield* begin(3)
      const { sql } = yield* Database
      const [offer] = yield* sql<{ id: string }>`
        update hiring_stage set decision = 'advance' where organization_id = ${id}::int and name = 'Offer' returning id`
      const placesOf = Effect.map(
        sql<{ place: string }>`
          select coalesce(h.name, '') || ' ' || coalesce(b.decision, '') as place from submission b
          left join hiring_stage h on h.id = b.stage_id where b.organization_id = ${id}::int order by b.created_at`,
        (rows) => rows.map(({ place }) => place),
      )
      const asked = yield* send("move", [0, 1, 2])
      assert.include(asked.text, "Move 3 candidates to a stage")
      assert.include(asked.text, "Candidate 2<")
      const fields = fieldsOf(asked.text, "/submissions/move")
      const none = yield* post("/submissions/move", member.cookie, fields)
      assert.strictEqual(none.status, 422)
      assert.include(none.text, "Choose a stage.")
      assert.deepStrictEqual(yield* placesOf, [" ", " ", " "])
      // while the page is open, a colleague moves the first and decides about the second
      yield* sql`update submission set stage_changes = 1, stage_id = null where id = ${submissions[0]?.submission_id ?? null}::uuid`
      yield* sql`update submission set decision_changes = 1, decision = 'hold' where id = ${submissions[1]?.submission_id ?? null}::uuid`
      const chosen = [...fields, ["to", offer?.id ?? ""] as const]
      const moved = yield* post("/submissions/move", member.cookie, chosen)
      const shown = yield* follow(moved.location)
      assert.include(shown, "Moved 1 candidate to “Offer”.")
      assert.include(shown, "Skipped 2 candidates:")
      assert.match(shown, /Candidate 1<\/a>: another member has moved the candidate or decided/)
      assert.deepStrictEqual(yield* placesOf, [" ", " hold", "Offer advance"])
      assert.strictEqual((yield* post("/submissions/move", member.cookie, chosen)).location, moved.location)
      yield* sql`update hiring_stage set archived_at = now() where id = ${offer?.id ?? ""}::uuid`
      const archived = yield* post("/submissions/move", member.cookie, [
        ...fieldsOf((yield* send("move", [0])).text, "/submissions/move"),
        ["to", offer?.id ?? ""],
      ])
      assert.strictEqual(archived.status, 422)
    }),
  )

  it.effect("are confirmed before their invitations are resent", () =>
    Effect.gen(function* () {
      const { follow, id, member, send } = yield* begin(3, "need_interview")
      const { sql } = yield* Database
      yield* sql`update email set state = 'sent', due_at = null, sent_at = now() where organization_id = ${id}::int`
      const queued = sql<{ n: number }>`
        select count(*)::int as n from email where organization_id = ${id}::int and state = 'queued'`
      const asked = yield* send("resend", [0, 2], {}, "?order=oldest")
      assert.strictEqual(asked.status, 200)
      assert.include(asked.text, "Send the invitation to 2 candidates again?")
      assert.include(asked.text, "Candidate 2<")
      assert.notInclude(asked.text, "Candidate 1<")
      assert.include(asked.text, 'href="/submissions?order=oldest">Cancel')
      assert.deepStrictEqual(yield* queued, [{ n: 0 }])
      const sent = yield* post("/submissions/resend", member.cookie, fieldsOf(asked.text, "/submissions/resend"))
      assert.include(yield* follow(sent.location), "The invitation of 2 candidates is being sent again")
      assert.deepStrictEqual(yield* queued, [{ n: 2 }])
    }),
  )

  it.effect("have their invitations resent, except refused ones", () =>
    Effect.gen(function* () {
      const { follow, id, member, send, submissions } = yield* begin(3, "need_interview")
      const { sql } = yield* Database
      yield* sql`update email set state = 'sent', due_at = null, sent_at = now() where organization_id = ${id}::int`
      const { invitation_id } = submissions[1] ?? assert.fail()
      yield* sql`update invitation set status = 'cancelled' where id = ${invitation_id}::uuid`
      yield* sql`update submission set status = 'withdrawn' where id = ${submissions[1]?.submission_id ?? null}::uuid`
      const asked = yield* send("resend", [0, 1])
      assert.include(asked.text, "Send to 1 candidate</button>")
      assert.match(asked.text, /Skipped: 1 candidate[\s\S]*Candidate 1<[\s\S]*the invitation was cancelled/)
      const sent = yield* send("resend", [0, 1], { confirmed: "yes" })
      const shown = yield* follow(sent.location)
      assert.include(shown, "The invitation of 1 candidate is being sent again with the same link.")
      assert.match(shown, /Candidate 1<\/a>: [a-z]/)
      const queued = sql<{ n: number }>`
        select count(*)::int as n from email where organization_id = ${id}::int and state = 'queued'`
      assert.deepStrictEqual(yield* queued, [{ n: 1 }])
      yield* sql`update email set state = 'sent', due_at = null, sent_at = now() where organization_id = ${id}::int`
      yield* post("/submissions/resend", member.cookie, sent.sent)
      assert.deepStrictEqual(yield* queued, [{ n: 0 }], "the same form")
    }),
  )

  it.effect("are exported with decisions and reviewers, and compared within a set", () =>
    Effect.gen(function* () {
      const { id, member, send, set, submissions } = yield* begin(5)
      yield* send("decide", [1], { decision: "hold", reason: "=later" })
      const { sql } = yield* Database
      yield* sql`
        insert into review (id, organization_id, submission_id, member_id, sent_at)
        values (gen_random_uuid(), ${id}::int, ${submissions[1]?.submission_id ?? null}::uuid, ${member.id}::uuid, now())`
      const { text } = yield* send("export", [1, 3])
      const rows = Result.getOrThrow(parseCsv(text)).map(({ cells }) => cells)
      assert.deepStrictEqual(
        rows.map(([name]) => name),
        ["Candidate", "Candidate 1", "Candidate 3"],
      )
      const book = yield* send("export", [1, 3], { type: "xlsx" })
      const sheet = strFromU8(unzipSync(book.bytes)["xl/worksheets/sheet1.xml"] ?? assert.fail())
      assert.deepStrictEqual(
        [...sheet.matchAll(/<c r="A\d+"[^>]*>.*?<t[^>]*>([^<]*)</g)].map(([, name]) => name),
        ["Candidate", "Candidate 1", "Candidate 3"],
      )
      // the browser breaks the member's address after "@" only
      const table = (yield* send("decide", [], { decision: "advance" })).text
      assert.include(table, `<bdi>${member.email.replace("@", "@<wbr>")}</bdi>`)
      const [header = []] = rows
      const decided = (row: number) =>
        ["Decision", "Reason", "Decided by", "Decided at (UTC)", "Reviewers"].map(
          (name) => rows[row]?.[header.indexOf(name)],
        )
      assert.deepStrictEqual(decided(1), ["On hold", "'=later", member.email, "2026-11-02 09:42:00", member.email])
      assert.deepStrictEqual(decided(2), ["", "", "", "", ""])
      assert.include(header, `Requirement 1: ${set.iai_requirements[0]?.title}`, "all are of one set")
      const two = yield* send("compare", [0, 2])
      const ids = [0, 2].map((n) => submissions[n]?.submission_id).join(",")
      assert.strictEqual(two.location, `/submissions/compare?ids=${ids}`)
      const other = yield* (yield* InterviewSets).create(operator(id), { title: "Other" })
      yield* Scenario.invited({ id, set: other }, "other@example.com")
      for (const wrong of [[], [1], [0, 1, 2, 3, 4], [0, 5]]) {
        const refused = yield* send("compare", wrong, { reason: "kept" })
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, "To compare, select two to four candidates of one interview set.")
        assert.lengthOf([...refused.text.matchAll(/name="selected"[^>]* checked>/g)], wrong.length)
        assert.include(refused.text, 'value="kept"')
      }
      assert.strictEqual(set.title, "Backend Engineer")
    }),
  )

  it.effect("must be 1 to 200, and readable for the recruiter", () =>
    Effect.gen(function* () {
      const { decisionsOf, id, send, submissions } = yield* begin(1)
      for (const action of ["decide", "move", "resend", "export"]) {
        const none = yield* send(action, [], { decision: "advance" })
        assert.strictEqual(none.status, 422)
        assert.include(none.text, "Select at least one row.")
      }
      const value = `${submissions[0]?.submission_id}:0`
      const recruiter = yield* signedIn(id, "recruiter")
      const own = [["selected", value] as const, ["decision", "advance"] as const]
      const outcome = yield* post("/submissions/decide", recruiter.cookie, own)
      assert.include(
        (yield* get(outcome.location ?? "", recruiter.cookie)).text,
        "A candidate who was deleted or whom you have no access to",
      )
      assert.lengthOf(Result.getOrThrow(parseCsv((yield* post("/submissions/export", recruiter.cookie, own)).text)), 1)
      yield* post("/submissions/resend", recruiter.cookie, own)
      assert.deepStrictEqual(yield* decisionsOf, [null])
      const tooMany = yield* post(
        "/submissions/decide",
        recruiter.cookie,
        Array.from({ length: 201 }, () => ["selected", value] as const),
      )
      assert.include(tooMany.text, "Select at most 200 rows.")
      assert.match((yield* post("/submissions/decide", "", own)).location ?? "", /^\/sign-in/)
      assert.strictEqual((yield* get("/submissions/decide", recruiter.cookie)).location, "/submissions")
    }),
  )

  it.effect("keep the list's ETag until a row changes", () =>
    Effect.gen(function* () {
      const { member, send } = yield* begin(2)
      const read = (tag: string | undefined) =>
        Workspace.request("GET", "/submissions", { cookie: member.cookie, headers: { "if-none-match": tag } })
      const first = yield* read(undefined)
      const tag = first.headers.get("etag") ?? assert.fail("no ETag")
      assert.strictEqual((yield* read(tag)).status, 304)
      yield* send("decide", [0], { decision: "advance" })
      const changed = yield* read(tag)
      assert.strictEqual(changed.status, 200)
      const versions = (text: string) => [...text.matchAll(/data-v="([^"]*)"/g)].map(([, version]) => version)
      const [before, after] = [versions(first.text), versions(changed.text)]
      assert.deepStrictEqual(
        before.map((version, n) => version === after[n]),
        [true, false],
      )
    }),
  )

  it.effect("fit a page of 60 KB with the longest texts", () =>
    Effect.gen(function* () {
      const { id, member, set } = yield* begin(1)
      const { sql } = yield* Database
      yield* sql`update interview_set set title = ${"&".repeat(100)} where organization_id = ${id}::int`
      yield* sql`insert into interview_set (id, organization_id, title, created_at)
        select gen_random_uuid(), ${id}::int, repeat('&', 100), now() + n * interval '1 second' from generate_series(1, 60) n`
      yield* sql`insert into saved_view (id, organization_id, member_id, name, query, is_shared)
        select gen_random_uuid(), ${id}::int, ${member.id}::uuid, n || repeat('&', 38), 'decision=advance', true
        from generate_series(1, ${savedViewLimits.own + savedViewLimits.shared}::int) n`
      yield* sql`insert into tag (id, organization_id, name, key, created_at)
        select gen_random_uuid(), ${id}::int, n || repeat('&', 37), n::text, now() from generate_series(1, 200) n`
      yield* sql`update member set name = ${"𝔸".repeat(100)}, list_columns = ${[...listColumns]} where organization_id = ${id}::int`
      yield* sql`
        with c as (
          insert into candidate (id, organization_id, email, email_key, name)
          select gen_random_uuid(), ${id}::int, n || repeat('a', 200) || '@example.com', n || repeat('a', 200) || '@example.com', repeat('&"', 100)
          from generate_series(1, 50) n returning id
        ), b as (
          insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, completed_at, decision,
            decided_by, decided_at, decision_changes, has_knock_out)
          select gen_random_uuid(), ${id}::int, ${set.id}::uuid, c.id, 'interview', 'need_interview', now(), now(), 'advance',
            jsonb_build_object('id', c.id, 'name', repeat('𝔸', 100)), now(), 12, true from c returning id, candidate_id
        ), i as (
          insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, status, failure_reason, expires_at)
          select gen_random_uuid(), ${id}::int, ${set.id}::uuid, candidate_id, id, 'a', 'failed', repeat('"', 300), now() from b
        ), r as (
          insert into review (id, organization_id, submission_id, member_id, sent_at)
          select gen_random_uuid(), ${id}::int, id, ${member.id}::uuid, now() from b
        )
        insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, evaluator, evaluated_at, state, due_at, result, override)
        select gen_random_uuid(), ${id}::int, b.id, 'interview', 1, 'keyword/6', now(), 'done', null, jsonb_build_object('score', 5.5,
            'score_status', 'scored', 'criteria', (select jsonb_agg(jsonb_build_object('score', n % 3 * 5)) from generate_series(1, 40) n)),
          '{"score": 6.5}' from b`
      for (const query of ["", `?set=${set.id}&status=invitation_failed`]) {
        const { bytes, text } = yield* get(`/submissions${query}`, member.cookie)
        assert.isBelow(bytes.length, 60_000, query)
        assert.lengthOf([...text.matchAll(/<tr data-v/g)], 50)
      }
    }),
  )
})
