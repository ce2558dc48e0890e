/** Test mode in Chromium: the switch, the strip, the mailbox, the scripted candidate and emptying. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../../src/emails/EmailQueue.ts"
import { InterviewSets } from "../../../src/interview-sets/InterviewSets.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

describe.skipIf(missing !== undefined)(["test mode in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layerOf({}))((it) => {
    it.effect("is entered and left in the header, and each of its pages fits and is accessible", () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization({}, "Nordlicht")
        const { email } = yield* Workspace.member(organization.id, "owner@nordlicht.example", "owner")
        const page = yield* stage.signedIn(email, "/home", {})
        const press = (name: string | RegExp) => page.getByRole("button", { name }).click()
        const strip = page.getByText("Leave test mode")
        yield* Effect.promise(async () => {
          await page.setViewportSize({ width: 1280, height: 800 })
          await page.goto("/test-mode")
          await look(page, "test-mode-live")
          await page.setViewportSize({ width: 1280, height: 800 })
          assert.strictEqual(await strip.count(), 0)
          await page.goto("/home")
          await page.locator(".mode button").click()
          await strip.waitFor()
          await look(page, "test-home")
          await page.goto("/test-mode")
          await look(page, "test-mode-empty-mailbox")
          await page.goto("/settings/integrations/api-keys")
          await strip.waitFor()
          await look(page, "test-keys")
          await page.goto("/settings/members")
          await page.getByRole("heading", { name: "Members are only in live mode" }).waitFor()
          await look(page, "test-members")
        })
        const space = yield* Effect.fromNullishOr(yield* (yield* Organizations).testSpace(operator(organization.id)))
        const set = yield* (yield* InterviewSets).create(operator(space), {
          title: "Baker",
          iai_questions: [{ content: "Why bread?", question_mode: "interview", question_type: "text" }],
          iai_requirements: [{ title: "Baking", cfg_importance_id: 273 }],
        })
        const [invited] = yield* Scenario.invite(
          operator(space),
          InviteRequest.make({ com_interview_set_id: set.id, candidates: [{ email: "bea@example.com", name: "Bea" }] }),
        )
        yield* runOnce((yield* EmailQueue).queue)
        yield* Effect.promise(async () => {
          await page.setViewportSize({ width: 1280, height: 800 })
          await page.goto("/test-mode")
          await look(page, "test-mode-mailbox")
          await page.getByRole("link", { name: /bea@example\.com/ }).click()
          await page.getByRole("heading", { level: 1, name: /Baker/ }).waitFor()
          await look(page, "test-mail")
          await page.goto(`/submissions/${invited?.submission?.id}`)
          await page.getByRole("heading", { name: "Act as the candidate" }).waitFor()
          await look(page, "test-invitation")
          await press("Do it")
          await page.getByRole("status").filter({ hasText: "The scripted candidate has done it." }).waitFor()
          await look(page, "test-completed")
          await page.goto("/test-mode/empty")
          await look(page, "test-empty")
          await press("Empty test mode")
          await page.getByRole("status").filter({ hasText: "Test mode is empty." }).waitFor()
          await look(page, "test-emptied")
          await press("Leave test mode")
          await page.waitForURL("**/home")
          assert.strictEqual(await strip.count(), 0)
        })
      }).pipe(Effect.orDie),
    )
  })
})
