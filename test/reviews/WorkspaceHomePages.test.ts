/** The workspace's home over HTTP: funnels, scores, pending submissions, failures, first steps, access. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { funnelOf } from "../../src/submissions/Funnel.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { keyOf, Server } from "../support/Api.ts"
import { get, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

/** Interviews of a set: `milestones` names the milestone of each. Scores rise from 0.5 in steps of 1. */
const interviews = Effect.fnUntraced(function* (
  organization: OrganizationId,
  set: string,
  name: string,
  milestones: ReadonlyArray<number>,
) {
  const { sql } = yield* Database
  yield* sql`
    with c as (
      insert into candidate (id, organization_id, email, email_key, name)
      select gen_random_uuid(), ${organization}::int, ${name} || n || '@example.com', ${name} || n || '@example.com', ${name} || ' ' || n
      from generate_series(1, ${milestones.length}::int) n returning id, name
    ), b as (
      insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at,
        completed_at, reviewed_at, decision, decided_at, candidate_milestone,
        milestone)
      select gen_random_uuid(), ${organization}::int, ${set}::uuid, c.id, 'interview',
        case when milestone > 2 then 'evaluated' when milestone = 2 then 'started' else 'need_interview' end, now(), at,
        case when milestone > 2 then at end, case when milestone > 3 then at + interval '1 hour' end,
        case when milestone > 4 then 'hold' end, case when milestone > 4 then at end, least(milestone, 3), milestone
      from (select id, n, (${[...milestones]}::int[])[n] as milestone, '2026-10-30T09:42:00Z'::timestamptz + n * interval '1 minute' as at
        from (select id, substring(name from '[0-9]+$')::int as n from c) c) c
      returning id, milestone, created_at
    )
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluated_at, state, due_at)
    select gen_random_uuid(), ${organization}::int, b.id, 'interview', 1, jsonb_build_object('score',
      (row_number() over (order by created_at) - 1) % 10 + 0.5, 'score_status', 'scored'), now(), 'done', null
    from b where milestone > 2`
})

/** Figures of all sets: [milestone, count, list]. */
const cells = (text: string) =>
  [...text.matchAll(/<td><a href="([^"]*)"><span class="reached">([^<]*) <\/span><b>(\d+)</g)].map(
    ([, href, name, count]) => [name, Number(count), href?.replaceAll("&amp;", "&")] as const,
  )

const namesIn = (text: string, id: string) => {
  const part = text.slice(text.indexOf(`<h2 id="${id}">`)).split("</section>")[0] ?? ""
  return [...part.matchAll(/<span class="row-name" dir="auto">([^<]*)</g)].map(([, name]) => name)
}

const titles = (text: string) => [...text.matchAll(/<h2 id="[a-z]+">([^<]*)</g)].map(([, title]) => title)

describe("the funnel", () => {
  it("counts what happened, also decisions about candidates who did not answer", () => {
    const counts = [
      { candidate_milestone: 0, is_reviewed: false, is_decided: false, count: 1 },
      { candidate_milestone: 1, is_reviewed: false, is_decided: true, count: 2 },
      { candidate_milestone: 3, is_reviewed: false, is_decided: true, count: 4 },
      { candidate_milestone: 3, is_reviewed: true, is_decided: false, count: 8 },
    ]
    assert.deepStrictEqual(
      funnelOf(counts).map(({ count, milestone }) => [milestone, count]),
      [
        ["invited", 15],
        ["opened", 14],
        ["started", 12],
        ["submitted", 12],
        ["reviewed", 8],
        ["decided", 6],
      ],
    )
    assert.deepStrictEqual(
      funnelOf([]).map(({ share }) => share),
      [0, 0, 0, 0, 0, 0],
    )
  })
})

layer(pages)("the workspace's home", (it) => {
  it.effect("shows the funnel of each set in a table, and its scores also as text", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* interviews(id, set.id, "Ada", [0, 0, 1, 2, 3, 3, 4, 5])
      const { text } = yield* get("/home", cookie)
      const list = `/submissions?set=${set.id}`
      assert.deepStrictEqual(cells(text), [
        ["Invited", 8, list],
        ["Opened", 6, `${list}&reached=opened`],
        ["Started", 5, `${list}&reached=started`],
        ["Submitted", 4, `${list}&reached=submitted`],
        ["Reviewed", 2, `${list}&reached=reviewed`],
        ["Decided", 1, `${list}&reached=decided`],
      ])
      assert.include(text, '<desc id="h0-d">0 to under 1: 1, 1 to under 2: 1, 2 to under 3: 1, 3 to under 4: 1</desc>')
    }),
  )

  it.effect("counts an override instead of the evaluator's score, and only the newest 500 submissions", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      const { sql } = yield* Database
      yield* interviews(id, set.id, "Old", [5])
      yield* sql`update submission set created_at = created_at - interval '1 year' where organization_id = ${id}::int`
      yield* interviews(
        id,
        set.id,
        "New",
        Array.from({ length: 500 }, () => 0),
      )
      assert.include((yield* get("/home", cookie)).text, "No scores yet.")
      yield* sql`delete from submission b using candidate c where c.id = b.candidate_id and c.name = 'New 500' and b.organization_id = ${id}::int`
      assert.include((yield* get("/home", cookie)).text, '<desc id="h0-d">0 to under 1: 1</desc>')
      yield* sql`update evaluation set override = '{"score": 10}' where organization_id = ${id}::int`
      assert.include((yield* get("/home", cookie)).text, '<desc id="h0-d">9 to 10: 1</desc>')
    }),
  )

  it.effect("lists pending submissions, longest waiting time first, without erased persons", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* interviews(id, set.id, "Ada", [...Array.from({ length: 12 }, () => 3), 4, 5])
      const { sql } = yield* Database
      yield* sql`update candidate set erased_at = now() where organization_id = ${id}::int and name = 'Ada 1'`
      const { bytes, text } = yield* get("/home", cookie)
      assert.deepStrictEqual(
        namesIn(text, "review"),
        Array.from({ length: 10 }, (_, i) => `Ada ${i + 2}`),
      )
      assert.deepStrictEqual(namesIn(text, "decide"), ["Ada 13"])
      assert.deepStrictEqual(titles(text), [
        "11 submissions waiting for review",
        "1 reviewed submission waiting for a decision",
        "Interview sets",
      ])
      assert.include(text, "waiting 2 days")
      assert.include(text, 'href="/submissions?status=waiting&amp;order=first_submitted"')
      // their results have a score only, which the page of a submission cannot show
      yield* sql`delete from evaluation where organization_id = ${id}::int`
      /** Neighbours on the page that the row of `name` links to. */
      const around = Effect.fnUntraced(function* (name: string) {
        const [, href = ""] =
          new RegExp(`<a class="row" href="([^"]*)"><span class="row-head"><span[^>]*>${name}<`).exec(text) ?? []
        const page = yield* get(href.replaceAll("&amp;", "&"), cookie)
        const found = [...page.text.matchAll(/<a href="\/submissions\/([0-9a-f-]{36})[^"]*" rel="(prev|next)"/g)]
        const all = yield* sql<{ id: string; name: string }>`
          select b.id, c.name from submission b join candidate c on c.id = b.candidate_id where b.organization_id = ${id}::int`
        return found.map(([, one, rel]) => `${rel} ${all.find((row) => row.id === one)?.name}`)
      })
      assert.deepStrictEqual(yield* around("Ada 3"), ["prev Ada 2", "next Ada 4"])
      assert.deepStrictEqual(yield* around("Ada 13"), [])
      assert.isBelow(bytes.length, 60_000)
    }),
  )

  it.effect("counts at most 200 pending submissions and shows at most 8 sets, in less than 60 KB", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* interviews(
        id,
        set.id,
        "Ada",
        Array.from({ length: 201 }, () => 3),
      )
      for (let n = 1; n <= 9; n++) {
        yield* TestClock.adjust("1 minute")
        const title = `Set ${n} ${"W".repeat(200)}`
        const other = yield* (yield* InterviewSets).create(operator(id), { title })
        yield* interviews(id, other.id, `${"N".repeat(100)} ${n}0`, [0, 1, 2, 3, 4, 5, 3, 3, 3, 3, 3, 3])
      }
      const { bytes, text } = yield* get("/home", cookie)
      assert.include(text, "More than 200 submissions waiting for review")
      assert.lengthOf([...text.matchAll(/<td class="scores">/g)], 8)
      assert.include(text, "The 8 most recently active.")
      assert.isBelow(bytes.length, 60_000)
    }),
  )

  it.effect("shows failed emails of 30 days, and failing webhooks to owners and admins only", () =>
    Effect.gen(function* () {
      const invited = yield* Scenario.invited(yield* Scenario.organization())
      const { organization: id } = invited
      const owner = yield* signedIn(id)
      const recruiter = yield* signedIn(id, "recruiter")
      const { sql } = yield* Database
      const endpoint = yield* Scenario.endpoint(id)
      yield* Scenario.endpoint(id, { url: "https://fine.example/hook" })
      yield* sql`update webhook_endpoint set consecutive_failures = 7 where id = ${endpoint.id}::uuid`
      yield* sql`insert into set_access (id, organization_id, interview_set_id, ordinal, email)
        values (gen_random_uuid(), ${id}::int, ${invited.set.id}::uuid, 1, ${recruiter.email})`
      const failed = (days: number) => sql`
        update invitation set status = 'failed', failure_reason = 'invalid_email',
          failed_at = '2026-11-02T09:42:00Z'::timestamptz - ${days}::int * interval '1 day' where organization_id = ${id}::int`
      yield* failed(29)
      const { text } = yield* get("/home", owner.cookie)
      assert.includeMembers(titles(text), ["1 failed invitation", "1 failing or inactive webhook"])
      assert.include(text, "the address takes no email")
      assert.include(text, "Failing: 7 failures in a row")
      assert.notInclude(text, "fine.example")
      const seen = (yield* get("/home", recruiter.cookie)).text
      assert.include(seen, "1 failed invitation")
      assert.notInclude(seen, "inactive webhook")
      assert.notInclude(seen, "receiver.example")
      yield* failed(31)
      assert.notInclude((yield* get("/home", owner.cookie)).text, "1 failed invitation")
    }),
  )

  it.effect("shows hiring systems with failed and waiting reports to owners and admins only", () =>
    Effect.gen(function* () {
      const { organization: id } = yield* Scenario.invited(yield* Scenario.organization())
      const owner = yield* signedIn(id)
      const recruiter = yield* signedIn(id, "recruiter")
      const { sql } = yield* Database
      const connection = Effect.fnUntraced(function* (
        name: string,
        reports: ReadonlyArray<readonly [string, number, string | null]>,
        of = id,
      ) {
        const [row] = yield* sql<{ id: string }>`
          insert into ats_connection (id, organization_id, system, name, key_hash, credentials)
          values (gen_random_uuid(), ${of}::int, 'greenhouse', ${name}, ${new TextEncoder().encode(name)}, 'x') returning id`
        for (const [state, attempts, error] of reports) {
          yield* sql`
            insert into ats_report (id, organization_id, connection_id, state, due_at, attempts, last_error)
            values (gen_random_uuid(), ${of}::int, ${row?.id ?? ""}::uuid, ${state},
              case when ${state} = 'queued' then now() end, ${attempts}::int, ${error})`
        }
        return row?.id ?? ""
      })
      const down = yield* connection("Of Berlin", [
        ["failed", 36, "Greenhouse answered 503"],
        ["failed", 36, "Greenhouse answered 503"],
        ["queued", 5, "Greenhouse answered 503"],
        ["queued", 1, "Greenhouse answered 500"],
        ["reported", 1, null],
      ])
      yield* connection("Of Paris", [["queued", 1, "Greenhouse answered 500"]])
      const foreign = yield* Scenario.organization()
      yield* connection("Of others", [["failed", 36, "Greenhouse answered 403"]], foreign.id)
      const { text } = yield* get("/home", owner.cookie)
      assert.include(titles(text), "1 hiring system with failed or waiting reports")
      assert.deepStrictEqual(namesIn(text, "reports"), ["Of Berlin"])
      assert.include(text, "2 failed reports, 1 waiting report · <bdi>Greenhouse answered 503</bdi>")
      assert.include(text, `href="/settings/integrations/hiring-systems/${down}"`)
      assert.notInclude((yield* get("/home", recruiter.cookie)).text, "Of Berlin")
      yield* sql`update ats_connection set status = 'paused' where organization_id = ${id}::int`
      assert.notInclude((yield* get("/home", owner.cookie)).text, "Of Berlin")
    }),
  )

  it.effect("shows recruiters only sets that they may read, and nothing of other organizations", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ title: "Backend" })
      const secret = yield* (yield* InterviewSets).create(operator(id), { title: "Secret" })
      yield* interviews(id, set.id, "Ada", [3, 4, 0])
      yield* interviews(id, secret.id, "Hidden", [3, 4, 5, 0])
      const { sql } = yield* Database
      yield* sql`update invitation set status = 'failed' where organization_id = ${id}::int`
      const other = yield* signedIn((yield* Scenario.organization({}, "Other")).id)
      const recruiter = yield* signedIn(id, "recruiter")
      assert.notMatch((yield* get("/home", other.cookie)).text, /Ada|Hidden|Backend|Secret/)
      assert.notMatch((yield* get("/home", recruiter.cookie)).text, /Ada|Hidden|Backend|Secret/)
      yield* sql`insert into set_access (id, organization_id, interview_set_id, ordinal, email)
        values (gen_random_uuid(), ${id}::int, ${set.id}::uuid, 1, upper(${recruiter.email}))`
      const { text } = yield* get("/home", recruiter.cookie)
      assert.notMatch(text, /Hidden|Secret/)
      assert.deepStrictEqual(namesIn(text, "review"), ["Ada 1"])
      assert.deepStrictEqual(namesIn(text, "decide"), ["Ada 2"])
      assert.deepStrictEqual(cells(text)[0]?.slice(0, 2), ["Invited", 3])
      // the decision in the other set does not end the recruiter's first steps
      assert.include(text, "Get started")
    }),
  )

  it.effect("lists the first steps of the member's role until the first decision", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { sql } = yield* Database
      yield* sql`update interview_set set deleted_at = now() where id = ${set.id}::uuid`
      const { cookie } = yield* signedIn(id)
      const steps = Effect.map(get("/home", cookie), ({ text }) =>
        [
          ...(text.split('<ol class="rows checklist">')[1] ?? "").matchAll(
            /row-name">([^<]*)<\/span>( <span class="tag on">Done)?/g,
          ),
        ].map(([, name, done]) => (done === undefined ? name : `${name}: done`)),
      )
      const empty = (yield* get("/home", cookie)).text
      assert.deepStrictEqual(titles(empty), ["Get started"])
      assert.include(empty, "0 of 7 done")
      yield* sql`update interview_set set deleted_at = null where id = ${set.id}::uuid`
      assert.include((yield* get("/home", cookie)).text, `href="/interview-sets/${set.id}/invite"`)
      yield* interviews(id, set.id, "Ada", [3, 4])
      const recruiter = yield* signedIn(id, "recruiter")
      assert.deepStrictEqual(yield* steps, [
        "Create an interview set: done",
        "Invite candidates: done",
        "Get the first answers: done",
        "Review a submission: done",
        "Decide",
        "Connect your hiring system",
        "Invite colleagues: done",
      ])
      // a key that nothing uses connects nothing
      yield* keyOf(id)
      assert.include(yield* steps, "Connect your hiring system")
      yield* sql`update api_key set last_used_at = now() where organization_id = ${id}::int`
      assert.include(yield* steps, "Connect your hiring system: done")
      const shown = (yield* get("/home", recruiter.cookie)).text
      assert.notMatch(shown, /hiring system|colleagues<|href="\/settings/)
      assert.include(shown, "Get access to an interview set")
      assert.include(shown, `Ask a colleague to add ${recruiter.email} to a set`)
      assert.notInclude(shown, ">Create an interview set<")
      yield* interviews(id, set.id, "Bo", [5])
      assert.deepStrictEqual(yield* steps, [])
    }),
  )
})
