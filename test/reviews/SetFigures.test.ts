/** The figures of interview sets over HTTP: in the list of sets, on the page of a set, and in the tabs of its views. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { get, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

/** Submissions of a set; `milestones` has the milestone of each. The n-th was invited and last active on October n. */
const submissions = Effect.fnUntraced(function* (
  organization: OrganizationId,
  set: string,
  milestones: ReadonlyArray<number>,
  flow: "interview" | "cv" = "interview",
) {
  const { sql } = yield* Database
  yield* sql`
    with c as (
      insert into candidate (id, organization_id, email, email_key, name)
      select gen_random_uuid(), ${organization}::int, a, a, n::text
      from generate_series(1, ${milestones.length}::int) n, lateral (select ${set} || n || '@example.com' as a) a
      returning id, name::int as n
    )
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at, reviewed_at,
      decision, decided_at, candidate_milestone, milestone)
    select gen_random_uuid(), ${organization}::int, ${set}::uuid, c.id, ${flow},
      case when m > 2 then 'evaluated' when m = 2 then 'started' when m = 1 then 'initiated' else 'need_interview' end, now(), at,
      case when m > 3 then at end, case when m > 4 then 'hold' end, case when m > 4 then at end, least(m, 3), m
    from (select id, (${[...milestones]}::int[])[n] as m, '2026-09-30T09:42:00Z'::timestamptz + n * interval '1 day' as at from c) c`
})

const text = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Rows of the list: [name, invited, to review, decided, last activity]. */
const rowsOf = (page: string) =>
  [...page.matchAll(/<tr><th scope="row"><a [^>]*>([^<]*)<[\s\S]*?<\/tr>/g)].map(([row, name]) => [
    name,
    ...[...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = ""]) => text(cell)),
  ])

/** Links of the numbers of a page: [number, address]. */
const numbersOf = (page: string) =>
  [...page.matchAll(/<a href="(\/submissions\?set=[^"]*)"[^>]*>(?:<span>[^<]*<\/span> )?<b>(\d+)</g)].map(
    ([, href = "", count]) => [count, href.replaceAll("&amp;", "&")] as const,
  )

layer(pages)("the figures of interview sets", (it) => {
  it.effect(
    "show in the list how many were invited, wait for a review and are decided, as the linked lists count",
    () =>
      Effect.gen(function* () {
        const { id, set } = yield* Scenario.organization({ title: "Nurse" })
        const { cookie } = yield* signedIn(id)
        const sets = yield* InterviewSets
        const cvs = yield* sets.create(operator(id), { title: "CVs", set_type: 2 })
        yield* sets.create(operator(id), { title: "Unused" })
        yield* submissions(id, set.id, [0, 1, 2, 3, 3, 4, 5, 5])
        yield* submissions(id, cvs.id, [3, 5], "cv")
        const { text: page } = yield* get("/interview-sets", cookie)
        assert.deepStrictEqual(rowsOf(page), [
          ["Unused", "–", "–", "–", "–"],
          ["CVs", "2 CVs", "1", "1", "2 Oct 2026"],
          ["Nurse", "8", "2", "2", "8 Oct 2026"],
        ])
        const numbers = numbersOf(page)
        assert.lengthOf(numbers, 5)
        for (const [count, href] of numbers) {
          assert.match((yield* get(href, cookie)).text, new RegExp(`<b>${count}</b> submissions?<`), href)
        }
        // the invite of a set lists the same figures, and opens the invite
        const invite = yield* get("/interview-sets?for=invite", cookie)
        assert.deepStrictEqual(rowsOf(invite.text), rowsOf(page))
        assert.include(invite.text, `<a href="/interview-sets/${set.id}/invite" id=`)
      }),
  )

  it.effect("are those of sets that the recruiter may see, and counts end at 999", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ title: "Nurse" })
      const { cookie, email } = yield* signedIn(id, "recruiter")
      const shared = yield* (yield* InterviewSets).create(operator(id), { title: "Shared", com_accesses: [{ email }] })
      yield* submissions(id, set.id, [3])
      yield* submissions(
        id,
        shared.id,
        Array.from({ length: 1001 }, () => 5),
      )
      const rows = rowsOf((yield* get("/interview-sets", cookie)).text)
      assert.deepStrictEqual(
        rows.map((row) => row.slice(0, 4)),
        [["Shared", "999+", "–", "999+"]],
      )
    }),
  )

  it.effect("show the funnel on the page of a set, as the linked lists count", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ title: "Nurse" })
      const { cookie } = yield* signedIn(id)
      const shown = Effect.map(get(`/interview-sets/${set.id}`, cookie), (page) => page.text)
      assert.notInclude(yield* shown, 'class="card funnel"')
      yield* submissions(id, set.id, [0, 1, 2, 3, 3, 4, 5, 5])
      const page = yield* shown
      const numbers = numbersOf(page)
      assert.deepStrictEqual(
        numbers.map(([count]) => count),
        ["8", "7", "6", "5", "3", "2"],
      )
      for (const [count, href] of numbers) {
        assert.include((yield* get(href, cookie)).text, `<b>${count}</b> submissions`, href)
      }
    }),
  )

  it.effect("are in tabs on each view of a set; a set without an interview has no emails", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ title: "Nurse" })
      const { cookie } = yield* signedIn(id)
      const cvs = yield* (yield* InterviewSets).create(operator(id), { title: "CVs", set_type: 2 })
      yield* submissions(id, set.id, [0, 3])
      const tabsOf = Effect.fnUntraced(function* (path: string) {
        const { text: page } = yield* get(path, cookie)
        const [, tabs = ""] = /<nav class="tabs"[^>]*>([\s\S]*?)<\/nav>/.exec(page) ?? []
        const current = /aria-current="page">([A-Z][a-z]+)/.exec(tabs)?.[1]
        return [/<h1[^>]*>([^<]*)</.exec(page)?.[1], text(tabs), current]
      })
      const tabs = "Overview Submissions 2 Board Emails"
      const href = `/interview-sets/${set.id}`
      assert.deepStrictEqual(yield* tabsOf(href), ["Nurse", tabs, "Overview"])
      assert.deepStrictEqual(yield* tabsOf(`/submissions?set=${set.id}&status=waiting`), ["Nurse", tabs, "Submissions"])
      assert.deepStrictEqual(yield* tabsOf(`${href}/board`), ["Nurse", tabs, "Board"])
      assert.deepStrictEqual(yield* tabsOf(`${href}/email-subjects`), ["Nurse", tabs, "Emails"])
      assert.deepStrictEqual(yield* tabsOf(`/interview-sets/${cvs.id}`), [
        "CVs",
        "Overview Submissions 0 Board",
        "Overview",
      ])
    }),
  )

  it.effect("fit into a page of 60 KB with long titles", () =>
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      for (let n = 0; n < 50; n++) {
        const { id: set } = yield* (yield* InterviewSets).create(operator(id), {
          title: `${"看".repeat(300)}${n}`,
          position: '"&'.repeat(100),
        })
        yield* submissions(id, set, [3, 5])
      }
      assert.isBelow((yield* get("/interview-sets", cookie)).bytes.length, 60_000)
    }),
  )
})
