/** A recruiter's day by keyboard alone in Chromium: from the sign-in to the board. The focus is always in view and not covered. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { focusFault } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

describe.skipIf(missing !== undefined)(
  ["a tour by keyboard in Chromium", ...(missing ? [missing] : [])].join(": "),
  () => {
    layer(layerOfPages)((it) => {
      it.effect.each([
        { width: 1280, height: 900 },
        { width: 390, height: 844 },
      ])("signs in, filters, rates, writes, sends, decides and moves a card, at $width px", ({ height, width }) =>
        Effect.gen(function* () {
          const { organization, set } = yield* Dossier.whole()
          const next = yield* Scenario.invited({ id: organization, set }, "next@tour.example")
          const { sql } = yield* Database
          yield* sql`update candidate set name = 'Grace Hopper' where id = ${next.subject.candidate_id}::uuid`
          yield* sql`update candidate set name = 'Ada Lovelace' where organization_id = ${organization}::int and name = 'Ada'`
          yield* (yield* Interviews).start(next.token)
          yield* Dossier.answerAll(next)
          yield* Dossier.evaluateAll
          const { email } = yield* Workspace.member(organization, `tour${width}@tour.example`)
          const visit = yield* visitor({ reducedMotion: "reduce", viewport: { width, height } })
          yield* Effect.promise(async () => {
            const page = await visit.newPage()
            const { keyboard } = page
            const check = async () => assert.isNull(await page.evaluate(focusFault), page.url())
            const to = (name: RegExp) => stage.tabTo(page, name, check)
            const press = async (...keys: ReadonlyArray<string>) => {
              for (const key of keys) {
                await keyboard.press(key)
                await check()
              }
            }
            const heading = async (name: string | RegExp) => {
              await page.getByRole("heading", { level: 1, name }).waitFor()
              await page.waitForLoadState()
            }
            /** On narrow screens, the places are in a menu. */
            const place = async (name: RegExp) => {
              if (width < 960) {
                await to(/^Menu$/)
                await press("Enter")
              }
              await to(name)
              await keyboard.press("Enter")
            }

            await page.goto("/sign-in")
            await to(/^Email address$/)
            await keyboard.type(email)
            await to(/^Password/)
            await keyboard.type(Workspace.password)
            await keyboard.press("Enter")
            await heading("Home")

            await place(/^Submissions$/)
            await heading(/^Submissions/)
            await press("/")
            await keyboard.type("ada")
            await keyboard.press("Enter")
            await page.waitForURL(/q=ada/)
            await heading(/^Submissions/)
            await press("Escape")
            await to(/^Ada Lovelace/)
            await keyboard.press("Enter")
            await heading("Ada Lovelace")

            await to(/TypeScript services in production –Not rated$/)
            await press("ArrowLeft", "ArrowLeft")
            assert.isTrue(await page.getByLabel("Yes", { exact: true }).first().isChecked())
            await press("3")
            await to(/^Note$/)
            await keyboard.type("Explains what went wrong, and what changed after it.")
            await check()
            await to(/^Send review$/)
            await keyboard.press("Enter")
            await page.getByText("Your review was sent.").waitFor()
            await page.waitForLoadState()

            await press("a")
            await keyboard.type("Invite to a talk.")
            await keyboard.press("Control+Enter")
            await page.getByText("The decision was saved.").waitFor()
            await check()

            await place(/^Submissions$/)
            await heading(/^Submissions/)
            await to(/^Waiting for review/)
            await keyboard.press("Enter")
            await page.waitForURL(/status=waiting/)
            await to(/^Grace Hopper/)
            await keyboard.press("Enter")
            await heading("Grace Hopper")
            await to(/^Hold$/)
            await keyboard.press("Enter")
            await page.getByText("The decision was saved.").waitFor()

            await place(/^Interview sets$/)
            await heading("Interview sets")
            await to(/^Backend Engineer/)
            await keyboard.press("Enter")
            await heading(/Backend Engineer/)
            await to(/^Board$/)
            await keyboard.press("Enter")
            await page.locator(".tabs [aria-current]").getByText("Board").waitFor()
            await page.waitForLoadState()
            await to(/^Move Grace Hopper$/)
            await keyboard.press("Enter")
            await page.getByRole("dialog").waitFor()
            await press("Space", "ArrowDown")
            assert.isTrue(await page.getByRole("dialog").getByLabel("On site").isChecked())
            await keyboard.press("Enter")
            await page.getByText("Grace Hopper: moved to On site.").first().waitFor()
            await check()
          })
          const rows = yield* sql`
          select c.name, b.decision, h.name as stage, (select count(*)::int from review v where v.submission_id = b.id
            and v.sent_at is not null) as reviews
          from submission b join candidate c on c.id = b.candidate_id left join hiring_stage h on h.id = b.stage_id
          where b.organization_id = ${organization}::int order by c.name`
          assert.deepStrictEqual(rows, [
            { name: "Ada Lovelace", decision: "advance", stage: null, reviews: 1 },
            { name: "Grace Hopper", decision: "hold", stage: "On site", reviews: 0 },
          ])
        }),
      )
    })
  },
)
