/** The scripted candidate and the emptying of test mode, by test keys (docs/test-mode.md). */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { setTemplates } from "../../src/interview-sets/SetTemplates.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { TestSpaces } from "../../src/test-mode/TestSpaces.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import { keywordEvaluator } from "../support/Computation.ts"
import * as Contract from "../support/Contract.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Tables from "../support/Tables.ts"

const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

const base = "/company/integration"

const evaluate = Effect.repeat(
  Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue)),
  { while: (done) => done > 0 },
)

interface Detail {
  readonly id: string
  readonly status_text: string
  readonly submission: { readonly id: string; readonly status_text: string }
  readonly mails_stopped: boolean
  readonly failure_reason: string | null
}

const question = { content: "What have you done?", question_mode: "interview", question_type: "text" } as const

const begin = Effect.gen(function* () {
  const organization = yield* Scenario.organization()
  const { id: live } = organization
  const space = yield* (yield* Organizations).openTestSpace(operator(live))
  const { key } = yield* Api.keyOf(space, { scopes: ["invite_candidates", "create_set", "manage_privacy"] })
  const invite = Effect.fnUntraced(function* (set: object = {}) {
    const json = {
      title: "Baker",
      iai_questions: [question],
      iai_requirements: [{ title: "PostgreSQL administration", cfg_importance_id: 273 }],
      ...set,
    }
    const { id } = yield* Api.results<{ id: string }>(201, "POST", Api.paths.createSet, { key, json })
    const candidates = [{ email: "bea@example.com", name: "Bea" }]
    const [one] = yield* Api.results<ReadonlyArray<{ invitation: { id: string } }>>(200, "POST", Api.paths.invite, {
      key,
      json: { com_interview_set_id: id, candidates },
    })
    return one?.invitation.id ?? assert.fail("no invitation")
  })
  return { live, organization, space, key, invite }
}).pipe(Effect.orDie)

const path = (invitation: string, action: string) => `${base}/test/v1/invitations/${invitation}/${action}`

const endpointOf = (action: string) =>
  Contract.endpoints.find(({ path: one }) => one.endsWith(`/test/v1/invitations/:id/${action}`)) ?? assert.fail(action)

const act = Effect.fnUntraced(function* (key: string, invitation: string, action: string, json?: object) {
  const answer = yield* Api.call("POST", path(invitation, action), { key, json })
  Contract.documented(endpointOf(action), answer)
  return { status: answer.status, detail: (answer.body as { readonly results: Detail }).results, body: answer.body }
})

const eventsOf = Effect.fnUntraced(function* (space: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ name: string }>`
    select status as name from webhook_event where organization_id = ${space}::int order by seq`
  return rows.map(({ name }) => name)
})

const stage = Layer.unwrap(
  Effect.map(Evaluator, ({ evaluate: rate }) => Api.layer({ mails, evaluate: rate, settings: { RATE_LIMIT: "0" } })),
).pipe(Layer.provide(keywordEvaluator))

layer(stage, { timeout: "120 seconds" })("the scripted candidate", (it) => {
  it.effect("completes an interview with the events of a candidate, and sends no email", () =>
    Effect.gen(function* () {
      const { invite, key, space } = yield* begin
      yield* Ref.set(mails, [])
      const invitation = yield* invite()
      const { detail, status } = yield* act(key, invitation, "complete")
      assert.strictEqual(status, 200)
      assert.strictEqual(detail.status_text, "clicked")
      assert.strictEqual(detail.submission.status_text, "completed")
      yield* evaluate
      const statuses = yield* eventsOf(space)
      const inOrder = ["delivered", "opened", "clicked"].map((name) => `invitation_email_${name}`)
      assert.includeMembers(statuses, [...inOrder, "initiated", "started", "completed"])
      assert.isBelow(statuses.indexOf("invitation_email_delivered"), statuses.indexOf("completed"))
      assert.deepStrictEqual(yield* Ref.get(mails), [])
      const again = yield* act(key, invitation, "complete")
      assert.strictEqual(again.status, 409)
      assert.include(JSON.stringify(again.body), "the interview is completed")
    }),
  )

  it.effect("answers well, halfway or badly: the evaluator rates the answers in that order", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      for (const { key: name, set } of setTemplates) {
        const { invite, key } = yield* begin
        const scores: Array<number> = []
        for (const answers of ["good", "medium", "poor"]) {
          const { detail } = yield* act(key, yield* invite({ ...set, set_type: 1 }), "complete", { answers })
          assert.strictEqual(detail.submission.status_text, "completed", `${name}, ${answers}`)
          yield* evaluate
          const [row] = yield* sql<{ score: number | null }>`
            select score::float8 as score from submission_score where submission_id = ${detail.submission.id}::uuid`
          scores.push(row?.score ?? 0)
        }
        const [good = 0, medium = 0, poor = 0] = scores
        assert.isTrue(good >= 6 && good > medium && medium > poor, `${name}: ${scores.join(", ")}`)
      }
    }),
  )

  it.effect("answers in the first language of the set, and the evaluator rates the answers in the same order", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const sets = [
        [[2], "de", ["Buchhaltung", "Personalführung"]],
        [[3, 1], "fr", ["Comptabilité", "Gestion de projet"]],
        [[4], "es", ["Contabilidad", "Gestión de proyectos"]],
        [[5], "pt", ["Contabilidade", "Gestão de projetos"]],
        // Polish, which the scripted candidate does not write
        [[9, 2], "en", ["Accounting", "Project management"]],
      ] as const
      const openings = {
        en: "For the last",
        de: "In den letzten",
        fr: "Ces huit",
        es: "En los últimos",
        pt: "Nos últimos",
      }
      for (const [cfg_lingual_ids, language, titles] of sets) {
        const { invite, key } = yield* begin
        const iai_requirements = titles.map((title) => ({ title, cfg_importance_id: 273 }))
        const scores: Array<number> = []
        for (const answers of ["good", "medium", "poor"]) {
          const { detail } = yield* act(key, yield* invite({ cfg_lingual_ids, iai_requirements }), "complete", {
            answers,
          })
          yield* evaluate
          const [row] = yield* sql<{ score: number | null; content: string }>`
            select score::float8 as score, content from submission_score c join answer a using (submission_id)
            where submission_id = ${detail.submission.id}::uuid`
          scores.push(row?.score ?? -1)
          if (answers === "good") assert.isTrue(row?.content.startsWith(openings[language]), row?.content)
        }
        const [good = 0, medium = 0, poor = 0] = scores
        assert.isTrue(good >= 6 && good > medium && medium > poor && poor >= 0, `${language}: ${scores.join(", ")}`)
      }
    }),
  )

  it.effect("refuses a question that only video answers, and says what to do", () =>
    Effect.gen(function* () {
      const { invite, key } = yield* begin
      const video = { ...question, attributes: { required: true, answer_with: ["video"], speaking_only: true } }
      const { body, status } = yield* act(key, yield* invite({ iai_questions: [video] }), "complete")
      assert.strictEqual(status, 409)
      assert.include(
        JSON.stringify(body),
        "open interview_url and answer it, or let the set of the test allow audio or typing",
      )
    }),
  )

  it.effect("chooses options, uploads files of the allowed kinds, and speaks where typing is not offered", () =>
    Effect.gen(function* () {
      const { invite, key, space } = yield* begin
      const { sql } = yield* Database
      const options = [{ id: "a" }, { id: "b" }, { id: "c" }]
      const file = (...kinds: ReadonlyArray<string>) => ({
        ...question,
        question_type: "file",
        ...(kinds.length === 0 ? {} : { allowed_file_types: kinds }),
        attributes: { required: true },
      })
      const set = {
        iai_questions: [
          {
            ...question,
            question_mode: "pre_screening",
            question_type: "radio",
            options,
            attributes: { required: true, knock_out: ["a"] },
          },
          {
            ...question,
            question_mode: "pre_screening",
            question_type: "checkbox",
            options,
            attributes: { required: true, knock_out: ["b"] },
          },
          { ...question, attributes: { required: true, answer_with: ["audio"], speaking_only: true } },
          file(),
          ...["pdf", "word", "spreadsheet", "presentation", "image", "text"].map((kind) => file(kind)),
        ],
      }
      const chosen = Effect.fnUntraced(function* (answers: string) {
        const invitation = yield* invite(set)
        const { body, detail, status } = yield* act(key, invitation, "complete", { answers })
        assert.strictEqual(status, 200, JSON.stringify(body))
        const rows = yield* sql<{ option_ids: ReadonlyArray<string>; file: string | null; spoken: boolean }>`
          select a.option_ids, a.file_name as file, a.recording_id is not null as spoken from answer a
          join question q on q.id = a.question_id
          where a.submission_id = ${detail.submission.id}::uuid and a.organization_id = ${space}::int order by q.ordinal`
        return rows
      })
      const good = yield* chosen("good")
      assert.deepStrictEqual(good.map(({ option_ids }) => option_ids).slice(0, 2), [["b"], ["a", "c"]])
      assert.isTrue(good[2]?.spoken)
      assert.lengthOf(
        good.filter(({ file: name }) => name !== null),
        7,
      )
      const poor = yield* chosen("poor")
      assert.deepStrictEqual(poor.map(({ option_ids }) => option_ids).slice(0, 2), [["a"], ["b"]])
    }),
  )

  it.effect("opens, declines, expires, bounces and complains, each with its state and events", () =>
    Effect.gen(function* () {
      const { invite, key, space } = yield* begin
      const { sql } = yield* Database
      const done = Effect.fnUntraced(function* (action: string, json?: object) {
        const invitation = yield* invite()
        const { body, detail, status } = yield* act(key, invitation, action, json)
        assert.strictEqual(status, 200, JSON.stringify(body))
        return detail
      })
      const opened = yield* done("open")
      assert.deepStrictEqual([opened.status_text, opened.submission.status_text], ["clicked", "initiated"])
      const declined = yield* done("decline", { reason: "Another offer" })
      assert.strictEqual(declined.submission.status_text, "withdrawn")
      const [reason] = yield* sql<{ decline_reason: string }>`
        select decline_reason from submission where id = ${declined.submission.id}::uuid`
      assert.strictEqual(reason?.decline_reason, "Another offer")
      const expired = yield* done("expire")
      assert.deepStrictEqual([expired.status_text, expired.submission.status_text], ["expired", "expired"])
      assert.strictEqual((yield* act(key, expired.id, "expire")).status, 200)
      assert.strictEqual((yield* act(key, expired.id, "complete")).status, 409)
      const bounced = yield* done("bounce")
      assert.deepStrictEqual([bounced.status_text, bounced.failure_reason], ["failed", "bounce"])
      const complained = yield* done("complaint")
      assert.isTrue(complained.mails_stopped)
      const statuses = yield* eventsOf(space)
      assert.includeMembers(statuses, ["invitation_email_failed", "invitation_email_spam", "initiated"])
    }),
  )

  it.effect("is for test keys only: a live key gets 404, also for an invitation of its own", () =>
    Effect.gen(function* () {
      const { invite, live, organization } = yield* begin
      const invitation = yield* invite()
      const { key } = yield* Api.keyOf(live)
      const own = yield* Scenario.invited(organization)
      yield* Api.call("GET", `${base}/me/v1`, { key })
      const before = yield* Tables.rowsOf(live)
      const operations = Contract.endpoints.filter(({ name }) => name.startsWith("testMode."))
      assert.isNotEmpty(operations)
      for (const { hasBody, method, path } of operations) {
        const json = hasBody ? {} : undefined
        for (const id of [invitation, own.subject.invitation_id ?? ""]) {
          const answer = yield* Api.call(method, path.replace(":id", id), { key, json })
          assert.include(Contract.problem(answer, 404, "not_found").detail, "iv_test_", path)
        }
      }
      assert.deepStrictEqual(yield* Tables.rowsOf(live), before)
    }),
  )

  it.effect("is emptied in batches: what is beyond one request's share is deleted by the step", () =>
    Effect.gen(function* () {
      const { key, space } = yield* begin
      const { sql } = yield* Database
      const rows = 10_500
      yield* sql`
        insert into suppression (organization_id, email, reason)
        select ${space}::int, n || '@example.com', 'spam' from generate_series(1, ${rows}) n`
      const left = Effect.map(
        sql<{ count: number }>`select count(*)::int as count from suppression where organization_id = ${space}::int`,
        ([row]) => row?.count,
      )
      const { is_empty } = yield* Api.results<{ is_empty: boolean }>(200, "POST", `${base}/test/v1/empty`, { key })
      assert.deepStrictEqual([is_empty, yield* left], [true, 0])
      yield* sql`
        insert into suppression (organization_id, email, reason)
        select ${space}::int, n || '@example.com', 'spam' from generate_series(1, ${rows}) n`
      // as a process leaves it that ends during the request
      yield* sql`update organization set emptied_since = now() where id = ${space}::int`
      const { step } = yield* TestSpaces
      yield* Effect.repeat(step, { while: (done) => done > 0 })
      assert.strictEqual(yield* left, 0)
      const waiting = yield* sql`select from organization where id = ${space}::int and emptied_since is not null`
      assert.lengthOf(waiting, 0)
    }),
  )

  it.effect("is emptied although rows keep arriving in another one", () =>
    Effect.gen(function* () {
      const { space: busy } = yield* begin
      const { space: other } = yield* begin
      const { sql } = yield* Database
      yield* TestClock.adjust("1 hour")
      const now = yield* Clock.currentTimeMillis
      for (const [space, since] of [
        [busy, now - 2000],
        [other, now - 1000],
      ] as const) {
        yield* sql`insert into suppression (organization_id, email, reason) values (${space}::int, 'a@example.com', 'spam')`
        yield* sql`update organization set emptied_since = ${new Date(since)} where id = ${space}::int`
      }
      // a row during each pass, as of a script with a test key
      yield* sql`create function arrive() returns trigger language plpgsql as $$ begin
        insert into suppression (organization_id, email, reason)
        values (${sql.literal(String(busy))}, gen_random_uuid() || '@example.com', 'spam'); return null; end $$`
      yield* sql`create trigger arrive after delete on candidate for each statement execute function arrive()`
      const { step } = yield* TestSpaces
      yield* step
      yield* step
      yield* sql`drop trigger arrive on candidate`
      const left = yield* sql`select from suppression where organization_id = ${other}::int`
      assert.lengthOf(left, 0)
      yield* Effect.repeat(step, { while: (done) => done > 0 })
    }),
  )

  it.effect(
    "is emptied: nothing but keys, webhooks, settings and the audit log stays, and live data is not touched",
    () =>
      Effect.gen(function* () {
        const { invite, key, live, space } = yield* begin
        const { client } = yield* Database
        yield* Scenario.endpoint(space)
        yield* act(key, yield* invite(), "complete")
        yield* act(key, yield* invite({ iai_questions: [{ ...question, question_type: "file" }] }), "complete")
        yield* evaluate
        const before = yield* Tables.rowsOf(live)
        const answer = yield* Api.results<{ is_empty: boolean }>(200, "POST", `${base}/test/v1/empty`, { key })
        assert.isTrue(answer.is_empty)
        const tables = yield* client.unsafe<{ name: string }>(
          `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
         where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace`,
        )
        const left = []
        for (const { name } of tables) {
          const [row] = yield* client.unsafe<{ n: number }>(
            `select count(*)::int as n from ${name} where organization_id = ${space}`,
          )
          if ((row?.n ?? 0) > 0) left.push(name)
        }
        assert.deepStrictEqual(left.sort(), ["api_key", "audit_log", "hiring_stage", "webhook_endpoint"])
        assert.deepStrictEqual(yield* Tables.rowsOf(live), before)
        // the key works on
        const again = yield* act(key, yield* invite(), "complete")
        assert.strictEqual(again.status, 200)

        const spaces = yield* TestSpaces
        yield* spaces.remove(live)
        assert.lengthOf(yield* client.unsafe(`select from organization where id = ${space}`), 0)
        assert.strictEqual((yield* Api.call("GET", `${base}/me/v1`, { key })).status, 401)
        yield* spaces.remove(live).pipe(Effect.flip)
      }),
  )
})
