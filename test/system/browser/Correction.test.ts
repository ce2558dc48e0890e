/** Corrections of a transcript in Chromium: saved while typing, and kept on the device until the service has them. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { catalogues } from "../../../src/texts/Texts.ts"
import { missing, untilTrue } from "./chromium.ts"
import { violations } from "./looks.ts"
import { forwarding } from "./oneText.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const words = catalogues.en.spoken
const { keepSaved, unsent, useUnsent } = catalogues.en.script

const transcript = "I ran a bank"

/** A candidate at the first question, whose recording was transcribed. */
const begun = Effect.gen(function* () {
  const candidate = yield* stage.candidate({
    iai_questions: [
      {
        title: "Tell us about a system that you ran.",
        question_mode: "interview",
        question_type: "text",
        attributes: { answer_with: ["text", "audio"] },
      },
      { title: "Why us?", question_mode: "interview", question_type: "text" },
    ],
  })
  const { page, visit } = yield* stage.begun(candidate)
  const { sql } = yield* Database
  const { organization, subject } = candidate
  yield* sql`
    with spoken as (
      insert into recording (id, organization_id, submission_id, attempt, question_id, kind, content_type, started_at,
        received_at, ended_at, seconds, segments, state)
      values (gen_random_uuid(), ${organization}::int, ${subject.submission_id}::uuid, 1,
        ${candidate.set.iai_questions[0]?.id ?? ""}::uuid, 'audio', 'audio/webm', now(), now(), now(), 1,
        jsonb_build_array(jsonb_build_object('start', 0, 'end', 1, 'text', ${transcript}::text)), 'done')
      returning *
    )
    insert into answer (organization_id, submission_id, attempt, question_id, recording_id, updated_at)
    select organization_id, submission_id, attempt, question_id, id, now() from spoken`
  yield* Effect.promise(() => page.goto(`/i/${candidate.token}/questions/1`))
  return { candidate, page, visit }
})

const stored = Effect.fnUntraced(function* ({ subject }: stage.Candidate) {
  const { sql } = yield* Database
  const rows = yield* sql<{ correction: string | null }>`
    select correction from recording where submission_id = ${subject.submission_id}::uuid`
  return rows.map(({ correction }) => correction)
})

/** The field, which is folded below the recording. */
const field = async (page: Page) => {
  const text = page.getByRole("textbox", { name: words.understood })
  if (!(await text.isVisible())) await page.getByText(words.understood).first().click()
  return text
}

const saves = (page: Page) => page.waitForResponse(/transcript$/)

const another = async (visit: BrowserContext, page: Page) => {
  const opened = await visit.newPage()
  await opened.goto(page.url())
  return opened
}

describe.skipIf(missing !== undefined)(["corrections in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect("are saved while the candidate types, and say so", () =>
      Effect.gen(function* () {
        const { candidate, page, visit } = yield* begun
        yield* Effect.promise(async () => {
          const text = await field(page)
          const saved = saves(page)
          await text.fill("I ran a bakery")
          await visit.clock.fastForward(1_000)
          await saved
          await steps.saved(page)
          assert.deepStrictEqual(await violations(page), [])
        })
        assert.deepStrictEqual(yield* stored(candidate), ["I ran a bakery"])
      }),
    )

    it.effect("with what is typed while a save is on its way", () =>
      Effect.gen(function* () {
        const { candidate, page, visit } = yield* begun
        const fetched = yield* forwarding
        yield* Effect.promise(async () => {
          const typed = Promise.withResolvers<void>()
          const asked = Promise.withResolvers<void>()
          let requests = 0
          await page.route("**/transcript", async (route) => {
            const response = await fetched(route)
            requests += 1
            if (requests === 1) {
              asked.resolve()
              await typed.promise
            }
            await route.fulfill({ response })
          })
          const text = await field(page)
          await text.fill("I ran a bakery")
          await visit.clock.fastForward(1_000)
          await asked.promise
          await text.pressSequentially(" for years")
          await page.getByRole("button", { name: "Next" }).click()
          typed.resolve()
          await page.waitForURL(/questions\/2$/)
        })
        assert.deepStrictEqual(yield* stored(candidate), ["I ran a bakery for years"])
      }),
    )

    it.effect.each(["the question", "the review"])("typed without a network and a closed page: sent from %s", (where) =>
      Effect.gen(function* () {
        const { candidate, page, visit } = yield* begun
        const fetched = yield* forwarding
        yield* Effect.promise(async () => {
          // the service saves the first text, and its response is lost
          let requests = 0
          await page.route("**/transcript", async (route) => {
            requests += 1
            if (requests === 1) await fetched(route)
            await route.abort()
          })
          const text = await field(page)
          const lost = page.waitForEvent("requestfailed")
          await text.fill("I ran a bakery")
          await visit.clock.fastForward(1_000)
          await lost
          await steps.unsaved(page)
          await text.pressSequentially(" for years")
          const url = page.url()
          await page.evaluate("window.fetch = () => Promise.reject(new TypeError())")
          await page.close()
          const opened = await visit.newPage()
          const saved = saves(opened)
          await opened.goto(where === "the review" ? url.replace(/questions.*$/, "review") : url)
          await saved
          if (where === "the review")
            await opened.getByText("I ran a bakery for years").first().waitFor({ state: "attached" })
          else assert.strictEqual(await (await field(opened)).inputValue(), "I ran a bakery for years")
          await untilTrue(opened, "Object.keys(localStorage).every((key) => !key.startsWith('correction.'))")
        })
        assert.deepStrictEqual(yield* stored(candidate), ["I ran a bakery for years"])
      }),
    )

    it.effect.each([useUnsent, keepSaved])("of two windows are both shown, and the candidate chooses: %s", (choice) =>
      Effect.gen(function* () {
        const { candidate, page, visit } = yield* begun
        yield* Effect.promise(async () => {
          const other = await another(visit, page)
          const saved = saves(other)
          await (await field(other)).fill("I ran a brewery")
          await visit.clock.fastForward(1_000)
          await saved
          const text = await field(page)
          const refused = saves(page)
          await text.fill("I ran a bakery")
          await page.getByRole("button", { name: "Next" }).click()
          assert.strictEqual((await refused).status(), 412)
          await page.getByText(unsent).waitFor()
          assert.strictEqual(await text.inputValue(), "I ran a brewery")
          assert.isTrue(await page.locator(".unsent").getByText("I ran a bakery").isVisible())
          assert.deepStrictEqual(await violations(page), [])
          await page.getByRole("button", { name: choice }).click()
          await page.getByRole("button", { name: "Next" }).click()
          await page.waitForURL(/questions\/2$/)
        })
        assert.deepStrictEqual(yield* stored(candidate), [choice === useUnsent ? "I ran a bakery" : "I ran a brewery"])
      }),
    )

    it.effect("that come after the interview was submitted are shown for copying", () =>
      Effect.gen(function* () {
        const { candidate, page, visit } = yield* begun
        yield* Effect.promise(async () => {
          await (await field(page)).fill("I ran a bakery")
        })
        yield* (yield* Interviews).finish(candidate.token, [])
        yield* Effect.promise(async () => {
          await visit.clock.fastForward(1_000)
          await steps.seen(page, steps.receipt)
          await page.locator("[data-forget]").getByText("I ran a bakery").waitFor()
          assert.deepStrictEqual(await violations(page), [])
        })
        assert.deepStrictEqual(yield* stored(candidate), [null])
      }),
    )
  })
})
