/** Members, accounts, audit log and personal data in Chromium, with and without scripts, on both widths. */

import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted, Ref } from "effect"
import type { Page } from "playwright-core"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { Setup } from "../../../src/accounts/sign-in/Setup.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../../src/emails/EmailSender.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

const layerOfPages = stage.layerOf({ mails })

/** The path of the link in the latest email. */
const newestLink = Effect.gen(function* () {
  yield* runOnce((yield* EmailQueue).queue)
  const mail = (yield* Ref.get(mails)).at(-1)
  return /(\/password\/[\w-]{44})\n/.exec(mail?.text ?? "")?.[1] ?? assert.fail("no link")
})

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const follow = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first().click()
const headed = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
const statusShown = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor()

const begin = Effect.fnUntraced(function* (email: string, options: Parameters<typeof visitor>[0] = {}) {
  const page = yield* stage.signedIn(email, "/account", options)
  yield* Effect.promise(async () => {
    await headed(page, "Your account")
  })
  return page
})

describe.skipIf(missing !== undefined)(["members in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("an empty installation is set up without scripts, and a member whom the owner invites signs in", () =>
      Effect.gen(function* () {
        const visit = yield* visitor({ javaScriptEnabled: false })
        const page = yield* Effect.promise(() => visit.newPage())
        const looking = yield* visitor({})
        const seen = yield* Effect.promise(() => looking.newPage())
        const code = Redacted.value(yield* (yield* Setup).code)
        yield* Effect.promise(async () => {
          await seen.goto("/sign-in")
          await headed(seen, "Your organization")
          await look(seen, "m01-setup")
          await seen.getByLabel("Your email address").fill("grace@nordlicht.example")
          await press(seen, "Create the organization")
          await seen.getByRole("alert").waitFor()
          await look(seen, "m02-setup-fault")
          await page.goto("/setup")
          await page.getByLabel("Setup code").fill(code)
          await page.getByLabel("Name of the organization").fill("Nordlicht")
          await page.getByLabel("Your name").fill("Grace Hopper")
          await page.getByLabel("Your email address").fill("grace@nordlicht.example")
          await page.getByLabel("Password").fill(Workspace.password)
          await press(page, "Create the organization")
          await headed(page, "Home")
          await follow(page, /^Invite colleagues/)
          await page.getByLabel("Email address").fill("ann@nordlicht.example")
          await page.getByLabel("Admin").check()
          await press(page, "Send the invitation")
          await statusShown(page, "The invitation is on its way")
        })
        const link = yield* newestLink
        yield* Effect.promise(async () => {
          await seen.goto(link)
          await headed(seen, "Welcome")
          await look(seen, "m03-welcome")
          await seen.getByLabel("Your name").fill("Ann Lee")
          await seen.getByLabel("Password").fill(Workspace.password)
          await press(seen, "Save and sign in")
          await headed(seen, "Home")
          await look(seen, "m04-first-steps")
          await page.reload()
          assert.isTrue(await page.getByRole("link", { name: "Ann Lee", exact: true }).isVisible())
          await page.goto(link)
          await headed(page, "This link no longer works")
        })
      }),
    )

    it.effect("every page fits and is accessible on both widths and themes", () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization({}, "Westwind")
        const { id } = organization
        const add = (email: string, role: "owner" | "admin" | "recruiter") => Workspace.member(id, email, role)
        yield* add("olga@westwind.example", "owner")
        yield* add("a.very.long.address.of.a.recruiter@subsidiary.westwind.example", "recruiter")
        const { subject } = yield* Scenario.invited(organization, "ada.lovelace@example.com")
        yield* (yield* Organizations).update(operator(id), { contact: "jobs@westwind.example" })
        const page = yield* begin("olga@westwind.example")
        yield* begin("olga@westwind.example", { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Safari/604.1" })
        yield* Effect.promise(async () => {
          await page.reload()
          await look(page, "m10-account")
          await page.getByText("Change password", { exact: true }).click()
          await page.getByLabel("New password").fill("short")
          await press(page, "Save new password")
          await page.getByRole("alert").waitFor()
          await look(page, "m11-account-fault")
          await page.goto("/settings/organization")
          await look(page, "m12-organization")
          await page.goto("/settings/reasons")
          await press(page, "Pay expectation")
          await page.getByLabel("Reasons for rejecting a candidate, 1").press("Enter")
          await page.keyboard.type("Moved away")
          await page.getByRole("button", { name: "Remove" }).first().click()
          await look(page, "m12-reasons")
          await press(page, "Save reasons")
          await statusShown(page, "The reasons were saved")
          assert.strictEqual(await page.locator("#reject_reasons").inputValue(), "Moved away")
          await page.goto("/settings/members/new")
          await page.getByLabel("Email address").fill("ben@westwind.example")
          await press(page, "Send the invitation")
          await statusShown(page, "The invitation is on its way")
          await look(page, "m13-members")
          await follow(page, "Invite a member")
          await press(page, "Send the invitation")
          await page.getByRole("alert").waitFor()
          await look(page, "m14-invite-fault")
          await page.goto("/settings/members")
          await follow(page, /^ben@/)
          await headed(page, "ben@westwind.example")
          await look(page, "m15-member")
          await page.getByLabel("Admin").check()
          await press(page, "Save")
          await statusShown(page, "The role was saved")
          await follow(page, "Remove…")
          await look(page, "m16-remove")
          await page.goto("/settings/members")
          await follow(page, /^Edit olga@/)
          await page.getByLabel("Recruiter").check()
          await press(page, "Save")
          await page.getByText("This is the last owner").first().waitFor()
          await look(page, "m17-last-owner")
          await page.goto("/settings/audit")
          await look(page, "m18-audit")
          await page.getByLabel("What").selectOption("All: API keys")
          await press(page, "Filter")
          await page.getByText("No entries match").waitFor()
          await look(page, "m19-audit-none")
          await page.goto("/settings/people")
          await page.getByLabel("Name or email").fill("ada")
          await press(page, "Search")
          await look(page, "m20-people")
          await follow(page, /^Ada/)
          await look(page, "m21-person")
          const download = page.waitForEvent("download")
          await press(page, "Download the data")
          assert.strictEqual((await download).suggestedFilename(), `candidate-${subject.candidate_id}.json`)
          await follow(page, "Erase…")
          await press(page, "Erase the data")
          await page.getByText("Type the word").first().waitFor()
          await look(page, "m22-erase")
          await page.getByLabel("Are you sure?").fill("erase")
          await press(page, "Erase the data")
          await statusShown(page, "The personal data was erased")
          await look(page, "m23-erased")
          await page.goto("/settings/members")
          await press(page, "Sign out")
          await follow(page, "Lost your password?")
          await look(page, "m24-forgot")
          await page.getByLabel("Email address").fill("olga@westwind.example")
          await press(page, "Send the link")
          await headed(page, "Check your inbox")
          await look(page, "m25-asked")
        })
        const link = yield* newestLink
        yield* Effect.promise(async () => {
          await page.goto(link)
          await look(page, "m26-new-password")
          await page.getByLabel("Password").fill("one more good password")
          await press(page, "Save and sign in")
          await headed(page, "Home")
          await page.goto(link)
          await look(page, "m27-dead")
        })
        const recruiter = yield* begin("a.very.long.address.of.a.recruiter@subsidiary.westwind.example")
        yield* Effect.promise(async () => {
          assert.strictEqual(await recruiter.getByRole("link", { name: "Settings" }).count(), 0)
          for (const path of ["members", "organization", "audit", "people"]) {
            const answer = await recruiter.goto(`/settings/${path}`)
            assert.strictEqual(answer?.status(), 403)
          }
          await look(recruiter, "m28-refused")
        })
      }),
    )
  })
})
