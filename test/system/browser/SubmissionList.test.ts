/** The list of submissions in Chromium: table and cards, keyboard, updates while it is open, bulk decisions. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Database } from "../../../src/platform/database/Database.ts"
import { Decisions } from "../../../src/reviews/Decisions.ts"
import type { OrganizationId, SubmissionId } from "../../../src/values/Ids.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Members from "../../support/Members.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, untilTrue } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

let members = 0

const signedIn = Effect.fnUntraced(function* (organization: OrganizationId, path: string, scripts = true) {
  const { email, id } = yield* Workspace.member(organization, `list${++members}@example.com`)
  const page = yield* stage.signedIn(email, path, { javaScriptEnabled: scripts })
  yield* Effect.promise(async () => {
    await page.getByRole("heading", { level: 1, name: "Submissions" }).waitFor()
  })
  return { page, member: Members.viewer(organization, { id, email }) }
})

const people = ["Ada Lovelace", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov", "Niklaus Wirth", "Radia Perlman"]

/** Submissions of six candidates with different states, named by the candidate; the last is the newest. */
const six = Effect.gen(function* () {
  const { organization, submission } = yield* Dossier.whole()
  const { sql } = yield* Database
  const [{ set } = { set: "" }] = yield* sql<{ set: string }>`
    select interview_set_id as set from submission where id = ${submission}::uuid`
  yield* sql`
    update submission set created_at = at, initiated_at = at, started_at = at, completed_at = at, declined_at = null
    from (select '2026-10-01T00:00:00Z'::timestamptz as at) t where id = ${submission}::uuid`
  const rows = people.map((name, n) => ({
    name,
    n,
    status: ["evaluated", "completed", "need_interview", "evaluated", "withdrawn", "evaluated"][n],
  }))
  yield* sql`
    with r as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(name text, n int, status text)
    ), c as (
      insert into candidate (id, organization_id, email, email_key, name)
      select gen_random_uuid(), ${organization}::int, lower(replace(name, ' ', '.')) || '@example.com',
        lower(replace(name, ' ', '.')) || '@example.com', name from r returning id, name
    ), b as (
      insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at, started_at, completed_at)
      select gen_random_uuid(), ${organization}::int, ${set}::uuid, c.id, 'interview', r.status, now() + interval '30 days',
        at, case when r.status in ('evaluated', 'completed') then at end,
        case when r.status in ('evaluated', 'completed') then at + interval '1 hour' end
      from c join r using (name), lateral (select '2026-10-02'::timestamptz + r.n * interval '1 day' as at) t returning id, candidate_id, status, created_at
    ), i as (
      insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, status, expires_at)
      select gen_random_uuid(), ${organization}::int, ${set}::uuid, b.candidate_id, b.id, 'a@example.com',
        case when b.status = 'need_interview' then 'delivered' else 'clicked' end, now() + interval '30 days' from b
    )
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluator, evaluated_at, state, due_at)
    select gen_random_uuid(), ${organization}::int, b.id, 'interview', 1, jsonb_build_object('score', 4.5 + extract(day from b.created_at) / 2,
      'score_status', 'scored', 'criteria', '[{"score": 10}, {"score": 5}, {"score": 0}, {"score": null}]'::jsonb),
      case when extract(day from b.created_at)::int % 2 = 0 then 'keyword/6' else 'model/2' end, now(), 'done', null
    from b where b.status = 'evaluated'`
  const ids = yield* sql<{ id: SubmissionId; name: string }>`
    select b.id, c.name from submission b join candidate c on c.id = b.candidate_id where b.organization_id = ${organization}::int`
  const idOf = (name: string) => ids.find((row) => row.name === name)?.id ?? assert.fail(name)
  return { organization, set, idOf }
})

const names = (page: Page) => page.locator("#list tbody th a").allInnerTexts()
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent.trim()")

describe.skipIf(missing !== undefined)(["the list in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("the table, its cards, a selection and the confirmation of a decision fit and are accessible", () =>
      Effect.gen(function* () {
        const { idOf, organization } = yield* six
        const { member, page } = yield* signedIn(organization, "/submissions")
        const decisions = yield* Decisions
        const decide = (name: string, decision: "advance" | "hold" | "reject") =>
          decisions.decide(member, idOf(name), 0, { decision, reason: "" })
        yield* Effect.all([
          decide("Ada Lovelace", "advance"),
          decide("Barbara Liskov", "hold"),
          decide("Radia Perlman", "reject"),
        ])
        yield* Effect.promise(async () => {
          await page.goto("/submissions?order=last_submitted&status=evaluated")
          await look(page, "l1-table")
          await page.goto("/submissions")
          await page.getByRole("checkbox", { name: "Grace Hopper" }).check()
          await page.getByRole("checkbox", { name: "Ada Lovelace" }).check()
          await page.getByText("2 selected").waitFor()
          await page.getByText("More", { exact: true }).click()
          await page.getByText("More filters").click()
          await look(page, "l2-selected")
          // the cards are still a table for screen readers
          await page.setViewportSize({ width: 360, height: 740 })
          assert.strictEqual(await page.getByRole("row").count(), 8)
          assert.strictEqual(await page.getByRole("row").last().getByRole("cell").count(), 8)
          assert.strictEqual(await page.getByRole("rowheader").count(), 7)
          await page.setViewportSize({ width: 1280, height: 900 })
          await page.getByRole("button", { name: "Reject" }).click()
          await page.getByRole("heading", { level: 1, name: "Reject 2 candidates?" }).waitFor()
          await look(page, "l3-question")
          await page.getByLabel("Reason").fill("x".repeat(2001))
          await page.getByRole("button", { name: "Reject 2 candidates" }).click()
          await page.getByText("The reason must have at most 2000 characters.").first().waitFor()
          await page.getByLabel("Reason").fill("Too little experience.")
          await page.getByRole("button", { name: "Reject 2 candidates" }).click()
          await page.getByText("Rejected: 2 candidates.").waitFor()
          await look(page, "l4-decided")
          await page.getByRole("button", { name: "Undo" }).click()
          await page.getByText("The last decision about 2 candidates was undone.").waitFor()
          assert.strictEqual(
            await page
              .getByRole("row", { name: /Ada Lovelace/ })
              .getByText("Advanced")
              .count(),
            1,
          )
        })
      }),
    )

    it.effect("the keyboard moves, selects, searches and opens; other members' changes appear without a reload", () =>
      Effect.gen(function* () {
        const { idOf, organization } = yield* six
        const { member, page } = yield* signedIn(organization, "/submissions")
        const decisions = yield* Decisions
        const { sql } = yield* Database
        const press = (...all: ReadonlyArray<string>) =>
          Effect.promise(async () => {
            for (const key of all) await page.keyboard.press(key)
          })
        yield* press("j", "j", "k", "j", "x")
        assert.strictEqual(yield* Effect.promise(() => focused(page)), "Niklaus Wirth")
        yield* press("j", "x")
        yield* Effect.promise(async () => {
          await page.getByText("2 selected").waitFor()
          await page.evaluate("document.body.dataset.same = ''")
        })
        // a decision of another member about one of the selected rows, and a new row
        yield* decisions.decide(member, idOf("Niklaus Wirth"), 0, { decision: "hold", reason: "" })
        yield* sql`update submission set created_at = '2026-10-30T00:00:00Z' where id = ${idOf("Ada Lovelace")}::uuid`
        yield* Effect.promise(async () => {
          await page.clock.fastForward(6000)
          await page
            .getByRole("row", { name: /Niklaus Wirth/ })
            .getByText("On hold")
            .waitFor()
          assert.deepStrictEqual((await names(page)).slice(0, 2), ["Ada Lovelace", "Radia Perlman"])
          await page.getByText("1 selected").waitFor()
          assert.isTrue(await page.getByRole("checkbox", { name: "Barbara Liskov" }).isChecked())
          assert.strictEqual(await focused(page), "Barbara Liskov")
          assert.include(
            await page.locator("#said").innerText(),
            "No longer selected, because the decision changed: Niklaus Wirth.",
          )
          assert.strictEqual(await page.evaluate("document.body.dataset.same"), "")
          await page.keyboard.press("/")
          await page.keyboard.type("xj?")
          assert.strictEqual(await page.getByLabel("Search").inputValue(), "xj?")
          await page.getByLabel("Search").fill("liskov")
          await page.keyboard.press("Enter")
          await page.waitForURL(/\?q=liskov$/)
          await page.getByText("Keyboard").waitFor()
          await page.keyboard.press("?")
          await page.getByText("Next and previous row").waitFor()
          await page.keyboard.press("j")
          await page.keyboard.press("Enter")
          await page.waitForURL(/\/submissions\/[0-9a-f-]{36}\?list=q%3Dliskov$/)
        })
      }),
    )

    it.effect("updates come at longer intervals while the service fails, and every 5 seconds after a success", () =>
      Effect.gen(function* () {
        const { organization } = yield* six
        const { page } = yield* signedIn(organization, "/submissions")
        yield* Effect.promise(async () => {
          let isDown = true
          await page.addInitScript(`
            globalThis.delays = []
            const original = setTimeout
            globalThis.setTimeout = (run, delay) => {
              if (delay >= 5000) delays.push(delay / 1000)
              return original(run, delay)
            }`)
          await page.reload()
          await page.route(/\/submissions$/, (route) => (isDown ? route.fulfill({ status: 503 }) : route.continue()))
          const wanted = [5, 10, 20, 40, 80, 80, 5, 5]
          for (const [index, delay] of wanted.entries()) {
            await untilTrue(page, `delays.length > ${index}`)
            assert.strictEqual(await page.evaluate(`delays[${index}]`), delay, String(index))
            isDown = index < 5
            await page.clock.fastForward(delay * 1000)
          }
        })
      }),
    )

    it.effect("a saved view is named, and its link is inside the window of a phone", () =>
      Effect.gen(function* () {
        const { organization } = yield* six
        const { page } = yield* signedIn(organization, "/submissions?status=evaluated")
        yield* Effect.promise(async () => {
          await page.getByText("Save view").first().click()
          await page.getByRole("textbox", { name: "Name", exact: true }).fill("Evaluated, to look at")
          await page.getByRole("button", { name: "Save view" }).click()
          await page.getByRole("status").filter({ hasText: "The view “Evaluated, to look at” is saved" }).waitFor()
          await page.setViewportSize({ width: 390, height: 844 })
          await page.reload()
          const box = await page.locator(".views [aria-current]").boundingBox()
          assert.isAtLeast(box?.x ?? -1, 0)
          assert.isAtMost((box?.x ?? 391) + (box?.width ?? 0), 390)
          assert.strictEqual(await page.evaluate("scrollY"), 0)
        })
      }),
    )

    it.effect("filters, sorting and decisions work without scripts", () =>
      Effect.gen(function* () {
        const { organization } = yield* six
        const { page } = yield* signedIn(organization, "/submissions", false)
        yield* Effect.promise(async () => {
          await page.getByLabel("State").selectOption("Evaluated")
          await page.getByRole("button", { name: "Filter" }).click()
          await page.getByRole("link", { name: "Score" }).click()
          assert.deepStrictEqual(await names(page), ["Radia Perlman", "Barbara Liskov", "Ada Lovelace"])
          await page.getByRole("checkbox", { name: "Barbara Liskov" }).check()
          await page.getByRole("button", { name: "Advance" }).click()
          await page.getByText("Advanced: 1 candidate.").waitFor()
          assert.strictEqual(await page.locator("td b.advance").count(), 1)
        })
      }),
    )
  })
})
