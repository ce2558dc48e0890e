/** The workspace's home and the comparison of candidates in Chromium. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../../src/values/Ids.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

/** Copies the submission `count` times, as candidates at all milestones. */
const crowd = Effect.fnUntraced(function* (organization: OrganizationId, submission: string, count: number) {
  const { sql } = yield* Database
  yield* sql`
    with c as (
      insert into candidate (id, organization_id, email, email_key, name)
      select gen_random_uuid(), ${organization}::int, n || '@example.com', n || '@example.com', 'Candidate ' || n
      from generate_series(1, ${count}::int) n returning id, substring(name from 11)::int as n
    ), b as (
      insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at,
        completed_at, reviewed_at, decision, decided_at, milestone)
      select gen_random_uuid(), ${organization}::int, o.interview_set_id, c.id, 'interview',
        case when n % 7 > 2 then 'evaluated' else 'need_interview' end, now(), o.created_at - n * interval '1 day',
        case when n % 7 > 2 then o.created_at - n * interval '7 hours' end,
        case when n % 7 in (5, 6) then o.created_at - n * interval '1 hour' end,
        case when n % 7 = 6 then 'hold' end, case when n % 7 = 6 then o.created_at end, least(n % 7, 5)
      from c, submission o where o.id = ${submission}::uuid returning id, milestone
    )
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluated_at, state, due_at)
    select gen_random_uuid(), ${organization}::int, id, 'interview', 1,
      jsonb_build_object('score', (row_number() over (order by id) * 37 % 101) / 10.0, 'score_status', 'scored'), now(), 'done', null
    from b where milestone > 2`
  yield* sql`
    update submission b set milestone = 4 where organization_id = ${organization}::int and milestone = 5 and decision is null`
})

/** Another candidate of the set, with an answer in many lines. */
const another = Effect.fnUntraced(function* (whole: Effect.Success<ReturnType<typeof Dossier.whole>>, name: string) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ id: string }>`
    with c as (
      insert into candidate (id, organization_id, email, email_key, name)
      values (gen_random_uuid(), ${whole.organization}::int, ${`${name}@example.com`}, ${`${name}@example.com`}, ${name}) returning id
    ), b as (
      insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at,
        completed_at, milestone)
      select gen_random_uuid(), o.organization_id, o.interview_set_id, c.id, 'interview', 'evaluated', o.expires_at,
        o.created_at, o.completed_at, 3
      from c, submission o where o.id = ${whole.submission}::uuid returning id
    ), a as (
      insert into answer (organization_id, submission_id, attempt, question_id, content, option_ids)
      select a.organization_id, b.id, 1, a.question_id, repeat(a.content || ' ', 20), a.option_ids
      from b, answer a where a.submission_id = ${whole.submission}::uuid
    ), e as (
      insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluated_at, state, due_at)
      select gen_random_uuid(), e.organization_id, b.id, 'interview', 1, e.result, e.evaluated_at, 'done', null
      from b, evaluation e where e.submission_id = ${whole.submission}::uuid and e.evaluation_type = 'interview' and e.state = 'done' limit 1
    ) select id from b`
  return row?.id ?? ""
})

describe.skipIf(missing !== undefined)(["home in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("opens after sign-in, fits both widths and themes, and is accessible with and without data", () =>
      Effect.gen(function* () {
        const whole = yield* Dossier.whole()
        const { organization, submission } = whole
        yield* Scenario.endpoint(organization)
        const { sql } = yield* Database
        yield* sql`
          with c as (
            insert into ats_connection (id, organization_id, system, name, key_hash, credentials)
            values (gen_random_uuid(), ${organization}::int, 'greenhouse', 'Greenhouse of the office in Berlin', 'h', 'x') returning id
          )
          insert into ats_report (id, organization_id, connection_id, state, due_at, attempts, last_error)
          select gen_random_uuid(), ${organization}::int, c.id, state, case when state = 'queued' then now() end, 36,
            'Greenhouse answered 503'
          from c, unnest(array['failed', 'failed', 'queued']) as state`
        const owner = yield* Workspace.member(organization, "home@acme.example")
        const empty = yield* Workspace.member((yield* Scenario.organization({}, "Empty")).id, "empty@acme.example")
        const page = yield* stage.signedIn(empty.email, "/sign-in")
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Get started" }).waitFor()
          assert.strictEqual(new URL(page.url()).pathname, "/home")
          await look(page, "h1-empty")
          await page.getByRole("link", { name: /^Invite candidates/ }).click()
          await page.waitForURL(/\/invite/)
        })
        yield* crowd(organization, submission, 60)
        yield* sql`update webhook_endpoint set consecutive_failures = 3 where organization_id = ${organization}::int`
        yield* sql`update invitation set status = 'failed', failed_at = '2026-11-02', failure_reason = 'invalid_email'
          where organization_id = ${organization}::int`
        const other = yield* visitor()
        const second = yield* Effect.promise(() => other.newPage())
        yield* Effect.promise(async () => {
          await second.goto("/home")
          await stage.signIn(second, owner.email)
          await second.getByRole("heading", { name: /submissions waiting for review/ }).waitFor()
          await second.getByText("How these are counted").click()
          await look(second, "h2-full")
          await second
            .getByRole("link", { name: /^Submitted/ })
            .first()
            .focus()
          await second.keyboard.press("Enter")
          await second.waitForURL(/\/submissions\?set=.*reached=submitted/)
        })
      }),
    )

    it.effect("leads from sign-in to the first decision and to an invitation by keyboard alone", () =>
      Effect.gen(function* () {
        const { organization } = yield* Dossier.whole()
        const owner = yield* Workspace.member(organization, "keys@acme.example")
        const visit = yield* visitor()
        const page = yield* Effect.promise(() => visit.newPage())
        const { keyboard } = page
        const open = async (name: RegExp) => {
          await stage.tabTo(page, name)
          await keyboard.press("Enter")
        }
        yield* Effect.promise(async () => {
          await page.goto("/sign-in")
          // a browser focuses the first field when it has painted the page
          await page.locator("input:focus").waitFor()
          await keyboard.type(owner.email)
          await stage.tabTo(page, /^Password$/)
          await keyboard.type(Workspace.password)
          await keyboard.press("Enter")
          await page.getByRole("heading", { name: "1 submission waiting for review" }).waitFor()
          await page.waitForLoadState()
          await open(/^Ada waiting/)
          await page.getByRole("heading", { name: "Ada", level: 1 }).waitFor()
          await open(/^Advance$/)
          await page.getByText("The decision was saved. The candidate was not notified.").waitFor()
          // Tab goes from the end of the page to its beginning
          await open(/^Backend Engineer$/)
          await page.getByRole("heading", { name: "Backend Engineer", level: 1 }).waitFor()
          await open(/^Invite candidates$/)
          await page.getByRole("heading", { name: "Candidates", exact: true }).waitFor()
          await stage.tabTo(page, /Name of candidate 1$/)
          await keyboard.type("Grace Hopper")
          await stage.tabTo(page, /Email address of candidate 1$/)
          await keyboard.type("grace@example.com")
          await open(/Check candidates$/)
          await page.getByRole("heading", { name: "Check candidates" }).waitFor()
          await open(/^Invite 1 candidate$/)
          await page.getByRole("heading", { name: "1 candidate invited" }).waitFor()
        })
      }),
    )

    it.effect(
      "compares candidates on both widths and themes, keeps the names in view, and prints without controls",
      () =>
        Effect.gen(function* () {
          const whole = yield* Dossier.whole()
          const ids = [whole.submission, yield* another(whole, "Bo Berg"), yield* another(whole, "Cy Thal")]
          const last = yield* another(whole, "Di Horn")
          const owner = yield* Workspace.member(whole.organization, "compare@acme.example")
          const visit = yield* visitor({ javaScriptEnabled: false })
          const scripted = yield* visitor()
          const page = yield* Effect.promise(() => scripted.newPage())
          const plain = yield* Effect.promise(() => visit.newPage())
          yield* Effect.promise(async () => {
            await page.goto(`/submissions/compare?ids=${ids.slice(0, 2).join(",")}`)
            await stage.signIn(page, owner.email)
            await page.getByRole("heading", { name: "Compare candidates" }).waitFor()
            await look(page, "c1-two")
            await page.goto(`/submissions/compare?ids=${[...ids, last].join(",")}`)
            await look(page, "c2-four")
            await page.goto(`/submissions/compare?ids=${ids[0]}`)
            await look(page, "c3-one")
            // without scripts
            await plain.goto(`/submissions/compare?ids=${ids.join(",")}`)
            await stage.signIn(plain, owner.email)
            await plain.locator(".add-fold summary").click()
            await plain.getByLabel("Add a candidate").selectOption({ label: "Di Horn" })
            await plain.getByRole("button", { name: "Add", exact: true }).click()
            await plain.waitForURL(new RegExp(`ids=${[...ids, last].join(",")}`))
            await plain.getByRole("link", { name: "Remove Bo Berg" }).click()
            await plain.waitForURL(new RegExp(`ids=${[ids[0], ids[2], last].join(",")}`))
            await plain.getByRole("button", { name: "Advance Cy Thal" }).click()
            await plain.getByText("Cy Thal: advanced. The candidate was not notified.").waitFor()
            // the names stay in view beside the last question
            await page.goto(`/submissions/compare?ids=${ids.join(",")}`)
            await page.setViewportSize({ width: 1280, height: 800 })
            await page.locator(".compared").last().scrollIntoViewIfNeeded()
            assert.strictEqual((await page.locator(".side.heads").boundingBox())?.y, 0)
            await page.setViewportSize({ width: 360, height: 740 })
            assert.isBelow((await page.locator(".side.heads").boundingBox())?.y ?? 0, 0)
            const cell = page.locator(".compared .whose")
            assert.isTrue(await cell.first().isVisible())
            const [first, second] = [await cell.nth(0).boundingBox(), await cell.nth(1).boundingBox()]
            assert.isAbove(second?.y ?? 0, first?.y ?? 0)
            await page.emulateMedia({ media: "print", colorScheme: "dark" })
            await page.setViewportSize({ width: 1123, height: 794 })
            for (const control of ["button", "select", "nav", "summary", "a.screen"]) {
              assert.strictEqual(await page.locator(control).filter({ visible: true }).count(), 0, control)
            }
            const pictures = process.env["SCREENSHOTS"]
            if (pictures !== undefined) await page.pdf({ path: `${pictures}/c4-paper.pdf`, preferCSSPageSize: true })
          })
        }),
    )
  })
})
