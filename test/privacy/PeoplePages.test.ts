/** Search, export and erasure of a person over HTTP, verified in every table. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Stream } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { CandidateRef, EventCandidate } from "../../src/candidates/Candidate.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { BlobStore } from "../../src/files/BlobStore.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { emptyInvite } from "../../src/invitations/InviteDraft.ts"
import { draftForm } from "../../src/invitations/InviteForms.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { FormIdempotency } from "../../src/platform/http/FormIdempotency.ts"
import { FormIdempotencyRepository } from "../../src/platform/http/FormIdempotencyRepository.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import type { Ratings } from "../../src/reviews/Review.ts"
import { Reviews } from "../../src/reviews/Reviews.ts"
import { type BlobId, FormId, InterviewSetId, QuestionId, SubmissionId } from "../../src/values/Ids.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import * as Api from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { placesOf } from "../support/Tables.ts"
import { rounds } from "../support/Webhooks.ts"

const base = "/settings/people"
const ats = "7d1f2a54-51d2-4f6c-9a70-1c1f0a4be001"

/** Identifying values, which occur nowhere else in the tests. */
const person = {
  email: "Zelda.Quillfeather@Mail.Example",
  name: "Zelda Quillfeather",
  phone: "+49 555 0102030",
  answer: "I am Zelda Quillfeather, and ran a lighthouse.",
  cv: "ZELDA QUILLFEATHER\nKeeper of lighthouses\nzelda.quillfeather@mail.example",
}
const traces = ["quillfeather", "zelda", "555 0102030", "lighthouse", ats]

const external_id = 'Lighthouse "4711"'
/** Keys equal those of an event; values contain the ends of strings and objects. */
const metadata = { candidate_email: 'zelda"}', external_id: "quillfeather\\", lighthouse: '","metadata":{}' }

const portfolio = Buffer.from("%PDF-1.7\n% Zelda Quillfeather, keeper of a lighthouse\n%%EOF\n")

/** The columns that contain an identifying value. */
const found = placesOf(traces)

const evaluate: Evaluator["Service"]["evaluate"] = (input) =>
  Effect.map(Pod.strong(input), (said) => ({
    ...said,
    summary: "Zelda Quillfeather kept a lighthouse.",
    strengths: ["lighthouse"],
    raw: { said: "Zelda Quillfeather" },
  }))

const set = {
  iai_questions: [
    { content: "What did you run?", question_mode: "interview", question_type: "text" },
    { content: "Show us.", question_mode: "interview", question_type: "file" },
  ],
  iai_requirements: [{ title: "PostgreSQL" }, { title: "PostgreSQL" }],
} as const

const invitedOf = { email: person.email, name: person.name, ats_candidate_id: ats, external_id, metadata }

/** A person with answers, a file, a CV, evaluations, mails, reports, events and deliveries. */
const everything = Effect.gen(function* () {
  const { sql } = yield* Database
  const world = yield* Settings.begin
  const { id } = world.organization
  const { key } = yield* Api.keyOf(id)
  const made = yield* Api.results<{ id: string }>(201, "POST", Api.paths.createSet, {
    key,
    json: { title: "Keeper", ...set },
  })
  yield* Scenario.endpoint(id)
  yield* Scenario.endpoint(id, { url: "https://receiver.example/moved" })
  const candidates = [invitedOf]
  const json = { com_interview_set_id: made.id, candidates }
  const [result] = yield* Api.results<ReadonlyArray<{ submission: { id: string; interview_url: string } }>>(
    200,
    "POST",
    Api.paths.invite,
    { key, json, headers: { "idempotency-key": "a-key-of-the-ats" } },
  )
  const url = result?.submission.interview_url ?? assert.fail("not invited")
  const token = url.slice(url.lastIndexOf("/") + 1)
  const submission = SubmissionId.make(result?.submission.id ?? "")
  const mails = (yield* EmailQueue).queue
  yield* runOnce(mails)
  const [again] = yield* Scenario.invite(
    operator(id),
    InviteRequest.make({ com_interview_set_id: world.organization.set.id, candidates }),
  )
  yield* runOnce(mails)
  yield* TestClock.adjust("1 hour")
  const invitation = `/invitations/${again?.invitation?.id}`
  const owner = Settings.as(world.owner)
  for (const [step, fields] of [
    ["resend", {}],
    ["extend", { until: "2026-12-20T10:00", factor: "1" }],
    ["cancel", {}],
  ] as const) {
    const answer = yield* owner.post(`${invitation}/${step}`, fields)
    assert.strictEqual(answer.status, 303, answer.text)
  }
  const interviews = yield* Interviews
  yield* interviews.start(token)
  const { questions } = yield* interviews.view(token)
  const [text, file] = questions.map((one) => QuestionId.make(one.id))
  if (text === undefined || file === undefined) return assert.fail("no questions")
  yield* (yield* Uploads).attach({ token, question: file }, "Quillfeather.pdf", Stream.make(portfolio))
  yield* interviews.finish(token, [{ question_id: text, content: person.answer, option_ids: [] }])
  yield* Dossier.addCv(id, submission, { text: person.cv, notes: ["Zelda"] })
  yield* Dossier.evaluateAll
  yield* (yield* Overrides).evaluateAgain(operator(id), submission)
  yield* Dossier.evaluateAll
  const reviewer = Members.viewer(id, world.owner)
  yield* (yield* Overrides).override(reviewer, {
    submission,
    evaluation_type: "interview",
    score: 7,
    reason: "Zelda convinced me with the lighthouse.",
  })
  const reason = (at: string) => ({ decision: "hold", reason: `Zelda was called ${at}.` }) as const
  const decisions = yield* Decisions
  yield* decisions.decide(reviewer, submission, 0, reason("once"))
  yield* decisions.decide(reviewer, submission, 1, reason("twice"))
  const rated = yield* sql<{ id: string }>`
    select id from requirement where interview_set_id = ${made.id}::uuid order by ordinal`
  const ratings: Ratings = Object.fromEntries(rated.map((one, index) => [one.id, index === 0 ? 0 : 4]))
  const review = { ratings, note: "Zelda writes clearly.", mentioned: [], changes: 0, isSent: true }
  yield* (yield* Reviews).save(reviewer, submission, review)
  yield* rounds
  yield* sql`update candidate set phone = ${person.phone}, firstname = 'Zelda', lastname = 'Quillfeather',
    cv_email = 'zelda.quillfeather@cv.example'
    where organization_id = ${id}::int and ats_candidate_id = ${ats}::uuid`
  yield* sql`update evaluation set error = 'no answer about Zelda' where id = (
    select id from evaluation where submission_id = ${submission}::uuid order by created_at limit 1)`
  yield* sql`
    insert into email_event (organization_id, email_id, provider, provider_event_id, kind, body)
    select ${id}::int, m.id, 'sendgrid', ${`report ${submission}`}, 'bounce', '{"email":"zelda.quillfeather@mail.example"}' from email m
    where m.organization_id = ${id}::int limit 1`
  yield* sql`insert into suppression (organization_id, email, reason)
    values (${id}::int, 'zelda.quillfeather@mail.example', 'unsubscribed')`
  yield* sql`
    insert into audit_log (organization_id, action, record_type, record_id, detail, created_at)
    select i.organization_id, 'invitation.resend', 'invitation', i.id::text, jsonb_build_object('email', i.email), i.created_at
    from invitation i where i.submission_id = ${submission}::uuid`
  yield* sql`update invitation set message = 'Dear {{name}}, hello Zelda' where submission_id = ${submission}::uuid`
  yield* sql`update cv set link = 'https://cv.example/quillfeather.pdf' where submission_id = ${submission}::uuid`
  const [row] = yield* sql<{ id: string }>`select candidate_id as id from submission where id = ${submission}::uuid`
  return { ...world, key, made, token, submission, candidate: row?.id ?? "" }
})

const isEmpty = (value: unknown) => value === null || value === undefined || JSON.stringify(value) === "{}"

const receive: NonNullable<Pod.Ports["receive"]> = ({ url }) =>
  Effect.succeed({
    ...Pod.answered(url.endsWith("/moved") ? 302 : 200, "thanks, zelda.quillfeather@mail.example"),
    location: "https://receiver.example/?of=zelda.quillfeather@mail.example",
  })

layer(Settings.layer({ evaluate, receive }))("personal data in the workspace", (it) => {
  it.effect("finds, exports and erases a person in every table, and keeps the counted rows", () =>
    Effect.gen(function* () {
      const { admin, candidate, organization, submission, token } = yield* everything
      const { sql } = yield* Database
      const browser = Settings.as(admin)
      const path = `${base}/${candidate}`
      const parts = ["quill zel", "zelda.quill", "Zelda@mail.ex", "mail.example"]
      const address = "zelda.quillfeather@mail.example"
      for (const q of [
        ` ${address}`,
        `Zelda <${address}>`,
        `mailto:${address}`,
        "quill",
        "ZELDA",
        ats,
        external_id,
        candidate,
        ...parts,
      ]) {
        assert.include((yield* browser.get(`${base}?q=${encodeURIComponent(q)}`)).text, `href="${path}"`, q)
      }
      for (const q of ["feather", "%", "_elda", "grace@mail.example", "quill grace", "'", "\\", "\0"]) {
        assert.notInclude((yield* browser.get(`${base}?q=${encodeURIComponent(q)}`)).text, `href="${path}"`, q)
      }
      assert.include((yield* browser.get(`/submissions/${submission}`)).text, `href="${path}"`)
      const exported = yield* browser.post(`${path}/export`)
      assert.strictEqual(exported.headers.get("content-type"), "application/json")
      assert.include(exported.headers.get("content-disposition") ?? "", "attachment")
      const all = JSON.parse(exported.text)
      for (const text of [
        person.email,
        person.phone,
        person.answer,
        ats,
        "Quillfeather.pdf",
        "hello Zelda",
        "bounce",
        "called twice",
        "writes clearly",
      ]) {
        assert.include(exported.text, text)
      }
      assert.include(exported.text, JSON.stringify(person.cv).slice(1, -1))
      assert.strictEqual(all.suppressed, true)
      assert.lengthOf(all.submissions, 2)
      const told = all.submissions.find(({ id }: { readonly id: string }) => id === submission)
      assert.isNotEmpty(told.evaluations)
      assert.deepStrictEqual(told.reviews[0]?.ratings, [
        { requirement: "PostgreSQL", rating: 0 },
        { requirement: "PostgreSQL", rating: 4 },
      ])
      assert.isNotEmpty(told.events)
      assert.notMatch(exported.text, /claim_id|blob_id/)
      for (const content of [portfolio, Buffer.from("%PDF-1.7")]) {
        assert.include(exported.text, `"content_base64": "${content.toString("base64")}"`)
      }

      const before = yield* found
      const tables = new Set(before.map((hit) => hit.split(".")[0]))
      for (const table of [
        ...["candidate", "invitation", "answer", "cv", "evaluation", "email", "email_event", "suppression"],
        ...["webhook_event", "idempotency_key", "audit_log", "blob_chunk", "review", "submission", "submission_words"],
      ]) {
        assert.include(tables, table)
      }
      assert.isTrue([...tables].some((table) => table?.startsWith("webhook_delivery")))
      const files = yield* sql<{ id: BlobId }>`
        select id from blob where organization_id = ${organization.id}::int`
      assert.lengthOf(files, 2)
      const counted = sql<Record<string, number>>`
        select (select count(*)::int from submission) as submissions, (select count(*)::int from invitation) as invitations,
          (select count(*)::int from email) as mails, (select count(*)::int from webhook_event) as events,
          (select count(*)::int from evaluation where result ->> 'score' is not null) as scores,
          (select count(*)::int from candidate) as candidates`
      const counts = { ...(yield* counted)[0] }

      const asked = yield* browser.get(`${path}/erase`)
      for (const text of ["2 answers", "1 CV", "2 files", "telephone", "backups"]) assert.include(asked.text, text)
      const unsure = yield* browser.post(`${path}/erase`, { confirm: "yes" })
      assert.strictEqual(unsure.status, 422)
      assert.include(unsure.text, 'id="confirm-error"')
      assert.deepStrictEqual(yield* found, before)

      assert.strictEqual((yield* browser.post(`${path}/erase`, { confirm: " Erase " })).location, `${path}?done=erased`)
      assert.deepStrictEqual(yield* found, [])
      assert.deepStrictEqual({ ...(yield* counted)[0] }, counts)
      const store = yield* BlobStore
      for (const { id } of files) {
        const read = yield* Effect.exit(Stream.runDrain(store.get({ organization: organization.id, id })))
        assert.isTrue(Exit.isFailure(read))
      }
      // erasing again changes nothing, and all pages and responses still work
      const erasedAt = sql`select erased_at::text as at from candidate where id = ${candidate}::uuid`
      const first = yield* erasedAt
      const { location } = yield* browser.post(`${path}/erase`, { confirm: "erase" })
      assert.strictEqual(location, `${path}?done=unchanged`)
      assert.include(
        (yield* browser.get(location ?? "")).text,
        "Nothing was removed: nothing was stored since the erasure",
      )
      assert.deepStrictEqual(yield* erasedAt, first)
      for (const page of [path, `${path}/erase`, "/submissions", `/submissions/${submission}`]) {
        assert.strictEqual((yield* browser.get(page)).status, 200, page)
      }
      assert.strictEqual((yield* browser.post(`${path}/export`)).status, 200)
      assert.deepStrictEqual(yield* found, [])
      const { url } = yield* Api.Server
      const interview = yield* Effect.promise(() => fetch(`${url}/i/${token}`).then((answer) => answer.text()))
      assert.notMatch(interview, /zelda/i)
      const log = (yield* Settings.audit(organization.id)).filter(({ record_id }) => record_id === candidate)
      assert.deepStrictEqual(
        log.map(({ action, member_id }) => [action, member_id]),
        ["export", "erase", "erase", "export"].map((deed) => [`candidate.${deed}`, admin.id]),
      )
    }),
  )

  it.effect("does not perform a request again that named the person, and answers 409", () =>
    Effect.gen(function* () {
      const { admin, candidate, key, made, organization } = yield* everything
      const { sql } = yield* Database
      const json = { com_interview_set_id: made.id, candidates: [invitedOf] }
      const invite = (use: string, body: unknown = json) =>
        Api.call("POST", Api.paths.invite, { key, json: body, headers: { "idempotency-key": use } })
      assert.strictEqual((yield* invite("a-key-of-the-ats")).headers.get("idempotency-replayed"), "true")
      // a key that is the address, of a request whose response does not name the person
      yield* invite(person.email, { com_interview_set_id: made.id, candidates: [] })
      yield* invite("another", { ...json, candidates: [{ email: "bo@example.com", name: "Bo" }] })
      yield* Settings.as(admin).post(`${base}/${candidate}/erase`, { confirm: "erase" })
      const stored = sql`select (select count(*)::int from candidate) as people, (select count(*)::int from email) as mails`
      const before = yield* stored
      const again = yield* invite("a-key-of-the-ats")
      assert.strictEqual(again.status, 409)
      assert.deepInclude(again.body, { code: "conflict" })
      assert.match(JSON.stringify(again.body), /was erased since: it is not performed again/)
      assert.strictEqual((yield* invite("a-key-of-the-ats", { ...json, candidates: [] })).status, 422)
      assert.strictEqual(
        (yield* invite("another", { ...json, candidates: [{ email: "bo@example.com", name: "Bo" }] })).status,
        200,
      )
      assert.deepStrictEqual(yield* stored, before)
      const keys = yield* sql<{ key: string }>`
        select key from idempotency_key where organization_id = ${organization.id}::int order by key`
      assert.deepStrictEqual(
        keys.map((row) => row.key.replace(/[0-9a-f]{64}/, "hash")),
        ["another", "erased hash", "erased hash"].slice(0, keys.length),
      )
      // a day later the key is free, as any key
      yield* TestClock.adjust("25 hours")
      assert.strictEqual((yield* invite("a-key-of-the-ats")).status, 200)
      const [newest] = yield* sql<{
        id: string
      }>`select id from candidate where email is not null order by created_at desc limit 1`
      yield* Settings.as(admin).post(`${base}/${newest?.id}/erase`, { confirm: "erase" })
      assert.strictEqual((yield* invite("a-key-of-the-ats")).status, 409)
    }),
  )

  it.effect("removes the answer to an attempt that is settled while the erasure runs", () =>
    Effect.gen(function* () {
      const { admin, organization } = yield* Settings.begin
      const { sql } = yield* Database
      yield* Scenario.endpoint(organization.id)
      const one = yield* Scenario.invited(organization, person.email)
      yield* sql`delete from webhook_delivery`
      yield* Scenario.publish(one)
      const { queue } = yield* DeliveryQueue
      const outcomes = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
      const erased = yield* overtaken(
        // the erasure reads it after it has removed the answers
        sql`lock table form_idempotency in access exclusive mode`,
        Settings.as(admin).post(`${base}/${one.subject.candidate_id}/erase`, { confirm: "erase" }),
        queue.settle(outcomes),
      )
      assert.strictEqual((yield* Effect.fromResult(erased)).status, 303)
      const attempts = yield* sql`
        select attempt ->> 'status' as status, attempt ->> 'answer' as answer
        from webhook_delivery_history, jsonb_array_elements(attempt_log) as attempt
        where organization_id = ${organization.id}::int`
      assert.deepStrictEqual(attempts, [{ status: "200", answer: null }])
    }),
  )

  it.effect("deletes the stored forms that name the person, and keeps those of others", () =>
    Effect.gen(function* () {
      const { admin, candidate, made, organization } = yield* everything
      const forms = yield* FormIdempotency
      const member = { id: admin.id, organizationId: organization.id }
      const kind = draftForm(InterviewSetId.make(made.id))
      const draft = (changes: object, id = FormId.make(randomUUID())) =>
        Effect.gen(function* () {
          yield* forms.once(member, id, kind, Effect.succeed({ ...emptyInvite(FormId.make(randomUUID())), ...changes }))
          return id
        })
      const row = { name: "", email: "", cv: "" }
      // forms are searched by their id, 20 at a time
      const last = FormId.make(randomUUID().replace(/^.{8}/, "ffffffff"))
      const unreadable = yield* draft({})
      const { sql } = yield* Database
      yield* sql`update form_idempotency set response = '\\x00'::bytea where form_id = ${unreadable}::uuid`
      const many = yield* Effect.forEach(Array.from({ length: 20 }), () => draft({ rows: [row] }))
      const personal = [
        yield* draft({ rows: [{ ...row, email: person.email }] }, last),
        unreadable,
        yield* draft({ rows: [{ ...row, email: " zelda.quillfeather@MAIL.example" }] }),
        yield* draft({ table: "name\tcv\nZELDA  x\nZelda Quillfeather\thttps://a.example" }),
        yield* draft({ rows: [{ ...row, cv: "https://cv.example/quillfeather.pdf" }] }),
      ]
      const others = [
        yield* draft({ rows: [{ ...row, email: "bo@example.com", name: "Zelda Quillfeathersen" }] }),
        ...many,
      ]
      const running = FormId.make(randomUUID())
      yield* (yield* FormIdempotencyRepository).claim({ member, id: running, kind: kind.name }, kind.kept)
      yield* Settings.as(admin).post(`${base}/${candidate}/erase`, { confirm: "erase" })
      const kept = (id: FormId) => Effect.map(forms.find(member, id, kind), (form) => form?._tag)
      assert.deepStrictEqual(
        yield* Effect.forEach(personal, kept),
        personal.map(() => undefined),
      )
      assert.deepStrictEqual(yield* Effect.forEach([...others, running], kept), [
        ...others.map(() => "Answered" as const),
        "Running",
      ])
    }),
  )

  it.effect.each([
    [
      "Thị Hoa",
      "Nguyễn",
      ["Nguyễn Thị Hoa", "Thị Hoa Nguyễn", "Nguyễn\tThị Hoa\t", "NGUYỄN, Thị Hoa"],
      "Nguyễn Thị Hoang",
    ],
    ["太郎", "田中", ["田中太郎", "田中 太郎さん", "太郎 田中"], "田中花子"],
    ["Ada", "Lovelace", ["Lovelace; Ada", "Ada Lovelace", "Ada\tLovelace"], "Ada Lovelaces"],
  ] as const)("deletes forms that name a person in either order: %s %s", ([firstname, lastname, texts, other]) =>
    Effect.gen(function* () {
      const { admin, made, organization } = yield* everything
      const { sql } = yield* Database
      const [{ id } = { id: "" }] = yield* sql<{ id: string }>`
        insert into candidate (id, organization_id, firstname, lastname)
        values (${randomUUID()}::uuid, ${organization.id}::int, ${firstname}, ${lastname}) returning id`
      const forms = yield* FormIdempotency
      const member = { id: admin.id, organizationId: organization.id }
      const kind = draftForm(InterviewSetId.make(made.id))
      const draft = (table: string) =>
        Effect.gen(function* () {
          const form = FormId.make(randomUUID())
          yield* forms.once(member, form, kind, Effect.succeed({ ...emptyInvite(FormId.make(randomUUID())), table }))
          return form
        })
      const named = yield* Effect.forEach(texts, (text) => draft(`x\n${text}\nx`))
      const kept = yield* draft(`x\n${other}\nx`)
      yield* Settings.as(admin).post(`${base}/${id}/erase`, { confirm: "erase" })
      const found = yield* Effect.forEach([...named, kept], (form) => forms.find(member, form, kind))
      assert.deepStrictEqual(
        found.map((form) => form?._tag),
        [...texts.map(() => undefined), "Answered"],
      )
    }),
  )

  it.effect("keeps the API working and the address suppressed", () =>
    Effect.gen(function* () {
      const { admin, candidate, key, made, organization, submission } = yield* everything
      yield* Settings.as(admin).post(`${base}/${candidate}/erase`, { confirm: "erase" })
      const detail = yield* Api.call("GET", Api.paths.detail(submission), { key })
      assert.strictEqual(detail.status, 200)
      assert.notMatch(JSON.stringify(detail.body), /zelda|quillfeather/i)
      for (const list of ["hiring/submissions/v1", "interview/invitations/v1", "events/v1"]) {
        const answer = yield* Api.call("GET", `/company/integration/${list}`, { key })
        assert.isTrue([200, 404].includes(answer.status), list)
        assert.notMatch(JSON.stringify(answer.body), /zelda|quillfeather/i)
      }
      const [again] = yield* Scenario.invite(
        operator(organization.id),
        InviteRequest.make({
          com_interview_set_id: InterviewSetId.make(made.id),
          candidates: [{ email: person.email, name: person.name }],
        }),
      )
      const { sql } = yield* Database
      const [row] = yield* sql<{ candidate_id: string; status: string; failure_reason: string | null }>`
        select candidate_id, status, failure_reason from invitation where organization_id = ${organization.id}::int
        order by created_at desc, id desc limit 1`
      assert.notStrictEqual(row?.candidate_id, candidate)
      assert.deepInclude({ ...row }, { status: "failed", failure_reason: "unsubscribed" })
      assert.isDefined(again)
    }),
  )

  it.effect("empties every field of the candidate in events and responses", () =>
    Effect.gen(function* () {
      const { admin, candidate, key, submission } = yield* everything
      const { sql } = yield* Database
      const fieldsOf = Effect.gen(function* () {
        const rows = yield* sql<{ body: string }>`
          select body from webhook_event where submission_id = ${submission}::uuid`
        const events: ReadonlyArray<Api.Row> = rows.map(({ body }) => JSON.parse(body).data)
        const detail = yield* Api.results(200, "GET", Api.paths.detail(submission), { key })
        assert.isNotEmpty(events)
        return [
          ...Object.keys(EventCandidate.fields).flatMap((name) => events.map((event) => [name, event[name]] as const)),
          ...Object.keys(CandidateRef.fields).flatMap((name) =>
            name === "id" ? [] : [[name, (detail["candidate"] as Api.Row)[name]] as const],
          ),
        ]
      })
      for (const [name, value] of yield* fieldsOf) {
        assert.isFalse(isEmpty(value), `${name}: give the candidate of this test a value`)
      }
      yield* Settings.as(admin).post(`${base}/${candidate}/erase`, { confirm: "erase" })
      for (const [name, value] of yield* fieldsOf) {
        assert.isTrue(isEmpty(value), `${name}: an erasure must empty it (WebhookEvent.ts, CandidateSql.ts)`)
      }
    }),
  )

  it.effect("ends an open interview and cancels queued mails", () =>
    Effect.gen(function* () {
      const { admin, organization } = yield* Settings.begin
      const one = yield* Scenario.invited(organization, person.email)
      const other = yield* Scenario.invited(organization, "other@example.com")
      yield* (yield* Interviews).start(one.token)
      yield* Settings.as(admin).post(`${base}/${one.subject.candidate_id}/erase`, { confirm: "erase" })
      const { sql } = yield* Database
      const rows = yield* sql<{ id: string; status: string; invited: string; mail: string }>`
        select b.id, b.status, i.status as invited, m.state as mail from submission b
          join invitation i on i.submission_id = b.id join email m on m.invitation_id = i.id
        where b.organization_id = ${organization.id}::int`
      const of = (id: string) => ({ ...rows.find((row) => row.id === id) })
      assert.deepInclude(of(one.subject.submission_id), {
        status: "withdrawn",
        invited: "cancelled",
        mail: "cancelled",
      })
      assert.deepInclude(of(other.subject.submission_id), { status: "need_interview", mail: "queued" })
      const finished = yield* Effect.exit((yield* Interviews).finish(one.token, []))
      assert.isTrue(Exit.isFailure(finished))
    }),
  )

  it.effect("changes invitations and submissions after events, so that lists of recent changes show them soon", () =>
    Effect.gen(function* () {
      const { admin, organization } = yield* Settings.begin
      const one = yield* Scenario.invited(organization, person.email)
      yield* Scenario.publish(one)
      const { sql } = yield* Database
      yield* sql`create function note_time() returns trigger language plpgsql as $$
        begin new.resent_at = clock_timestamp(); return new; end $$`
      yield* sql`create trigger note_time before update on webhook_event for each row execute function note_time()`
      yield* Settings.as(admin).post(`${base}/${one.subject.candidate_id}/erase`, { confirm: "erase" })
      yield* sql`drop function note_time cascade`
      const rows = yield* sql`
        select i.updated_at > e.resent_at as invitation, b.updated_at > e.resent_at as submission from submission b
          join invitation i on i.submission_id = b.id join webhook_event e on e.submission_id = b.id
        where b.organization_id = ${organization.id}::int`
      assert.deepStrictEqual(rows, [{ invitation: true, submission: true }])
    }),
  )

  it.effect("shows a hostile name as text", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const { subject } = yield* Scenario.invited(organization)
      const path = `${base}/${subject.candidate_id}`
      const { sql } = yield* Database
      yield* sql`update candidate set name = ${Settings.hostile} where id = ${subject.candidate_id}::uuid`
      for (const page of [path, `${path}/erase`, `${base}?q=${encodeURIComponent("ada@example.com")}`]) {
        assert.include((yield* Settings.as(owner).get(page)).text, "&lt;script&gt;")
      }
    }),
  )
})
