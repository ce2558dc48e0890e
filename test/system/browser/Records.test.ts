/** Sets, invitations, submissions and projects in Chromium, with and without scripts, on both widths and themes. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { operator } from "../../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../../src/emails/EmailQueue.ts"
import { InterviewSets } from "../../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, untilTrue, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor()

/** Creates a set with two questions, which it reorders, and one requirement. */
const makeSet = async (page: Page, looks: (name: string) => Promise<void>) => {
  await page.getByRole("link", { name: "Interview sets", exact: true }).click()
  await page.getByRole("link", { name: "New interview set" }).click()
  await page.getByLabel("Title", { exact: true }).fill("Backend Engineer")
  await page.getByLabel("Role that you hire for").fill("Senior Backend Engineer, Payments")
  await page.getByLabel("Description").fill("Half an hour about what you built.")
  const entry = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) })
  await entry("Question 1").getByLabel("Question", { exact: true }).fill("A service you built")
  await page.getByRole("button", { name: "Add a question" }).click()
  await entry("Question 2").getByLabel("Question", { exact: true }).fill("What have you run in production?")
  await entry("Question 2").getByLabel("Answer type").selectOption("Choice of several")
  // hidden for other types, and open once it is needed, where scripts run
  const options = entry("Question 2").getByLabel("One per line")
  if (!(await options.isVisible())) await entry("Question 2").getByText("Options to choose from").click()
  await entry("Question 2").getByLabel("One per line").fill("PostgreSQL\nKubernetes | any version")
  await page.getByRole("button", { name: "Move up question 2" }).click()
  await page.getByText("Moved: now question 1 of 2.").waitFor({ state: "attached" })
  // without scripts the browser focuses the card some time after it has parsed the page
  await untilTrue(page, "document.activeElement.closest('.card')?.id.startsWith('q') === true")
  assert.match(await page.evaluate<string>("document.activeElement.closest('.card').textContent"), /^\s*Question 1/)
  assert.strictEqual(
    await entry("Question 1").getByLabel("Question", { exact: true }).inputValue(),
    "What have you run in production?",
  )
  assert.strictEqual(await page.getByLabel("Title", { exact: true }).inputValue(), "Backend Engineer")
  await entry("Requirement 1").getByLabel("Requirement", { exact: true }).fill("PostgreSQL: query plans and indexes")
  await entry("Requirement 1").getByLabel("Weight").selectOption("Must Have, counts 4×")
  await page.getByLabel("Minutes to answer").fill("half an hour")
  await page.getByRole("button", { name: "Create set" }).click()
  await page.getByText("The time must be a whole number.").first().waitFor()
  await looks("r2-set-faults")
  await page.getByLabel("Minutes to answer").fill("30")
  // Enter submits the form and presses no button of a row
  await page.getByLabel("Minutes to answer").press("Enter")
  await page.getByText("The set was created.").waitFor()
}

describe.skipIf(missing !== undefined)(["records in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect(
      "a set is created, previewed and invited to, an invitation is followed; pages fit and are accessible",
      () =>
        Effect.gen(function* () {
          const { organization } = yield* Dossier.whole()
          const { email } = yield* Workspace.member(organization, "grace1@example.com")
          const page = yield* stage.signedIn(email, "/submissions")
          const looks = (name: string) => look(page, name)
          yield* Effect.promise(async () => {
            await looks("r0-submissions")
            await page.goto("/interview-sets/new")
            await looks("r1-new-set")
            await makeSet(page, looks)
            await looks("r3-set")
            await page.getByRole("link", { name: "Preview" }).click()
            await heading(page, "Backend Engineer")
            await looks("r4-preview")
            await page.getByRole("button", { name: /^Start/ }).click()
            await page.getByLabel("PostgreSQL").check()
            await looks("r4-preview-question")
            await page.getByRole("button", { name: "Next" }).click()
            await page.getByLabel("A service you built").fill("Text.")
            await page.getByRole("button", { name: /Review/ }).click()
            await page.getByRole("button", { name: "Submit answers" }).waitFor()
            await page.getByRole("link", { name: "Back to the interview set" }).click()
            await page.getByRole("link", { name: "Invite candidates" }).click()
            await looks("r5-invite")
            await page.getByLabel("Name of candidate 1").fill("Ada")
            await page.getByLabel("Email address of candidate 1").fill("ada2@example.com")
            await page.getByText("Paste", { exact: true }).click()
            await page.getByLabel("Table").fill("Name;E-Mail\nGrace;grace2@example.com\nNobody;no address")
            await page.getByLabel("Personal message").fill("Short")
            await page.getByRole("button", { name: "Check candidates" }).click()
            await page.getByText("The message must have at least 10 characters.").first().waitFor()
            await looks("r5-invite-faults")
            await page.getByLabel("Personal message").fill("We look forward to your answers, {{firstname}}.")
            await page.getByRole("button", { name: "Save as template" }).click()
            await heading(page, "New template")
            await page.getByLabel("Name", { exact: true }).fill("Short and warm")
            await looks("r5-template")
            await page.getByRole("button", { name: "Create template" }).click()
            await page.getByRole("combobox", { name: "Template" }).selectOption("Short and warm")
            await page.frameLocator("iframe:not([hidden])").getByText("ada2@example.com").waitFor()
            await looks("r5-email")
            await page.getByRole("button", { name: "Check candidates" }).click()
            await heading(page, "Check candidates")
            await page.getByText("The address must be a valid email address: it has no @.").waitFor()
            await looks("r5-check")
            await page.getByRole("link", { name: "Back to edit" }).click()
            await page.getByText("Paste", { exact: true }).click()
            await page.getByLabel("Table").fill("")
            await page.getByText("CSV file", { exact: true }).first().click()
            await page
              .getByLabel("CSV file")
              .and(page.locator("[type=file]"))
              .setInputFiles({
                name: "Kandidaten.csv",
                mimeType: "text/csv",
                buffer: Buffer.from(
                  "Name;E-Mail;Team;Telefon\r\nGrace;grace2@example.com;Müller;1\r\nGrace;grace2@example.com;;",
                  "latin1",
                ),
              })
            await page.getByRole("button", { name: "Check candidates" }).click()
            await heading(page, "Table columns")
            await page.getByRole("combobox", { name: "Contents of Team" }).selectOption("Metadata")
            await looks("r5-columns")
            await page.getByRole("button", { name: "Continue" }).click()
            await page.getByText("Confirm that these columns are left out").last().waitFor()
            await looks("r5-columns-faults")
            await page.getByRole("checkbox", { name: "Leave out every column" }).check()
            await page.getByRole("button", { name: "Continue" }).click()
            await heading(page, "Check candidates")
            await looks("r5-checked")
            await page.getByRole("button", { name: "Invite 2 candidates" }).dblclick()
            await heading(page, "2 candidates invited")
            await looks("r6-results")
            await page.reload()
            await page.getByRole("link", { name: "Show submissions" }).click()
            await page.locator(".tabs [aria-current]").getByText("Submissions").waitFor()
          })
          const { sql } = yield* Database
          assert.lengthOf(yield* sql`select from email where recipient like '%2@example.com'`, 2)
          yield* runOnce((yield* EmailQueue).queue)
          yield* Effect.promise(async () => {
            await page.reload()
            await page.getByRole("link", { name: /^Ada/ }).first().click()
            await page.getByText("Timeline").click()
            await page.getByText("Give more time", { exact: true }).click()
            await looks("r8-invitation")
            // the field shows the organization's time zone
            assert.strictEqual(await page.getByLabel("Deadline to start").inputValue(), "2026-12-02T11:04")
            await page.getByLabel("Deadline to start").fill("2026-12-24T18:00")
            await page.getByLabel("Time to answer").selectOption("1.5× time (45 minutes)")
            await page.getByRole("button", { name: "Save", exact: true }).click()
            await page.getByText("Saved. The candidate gets an email").waitFor()
            await page.getByRole("link", { name: "Cancel invitation" }).click()
            await looks("r9-cancel")
            await page.getByRole("button", { name: "Cancel the invitation" }).dblclick()
            await page.getByText("The invitation was cancelled.").first().waitFor()
            await looks("r9-cancelled")
          })
          const [stored] = yield* sql<{ until: Date }>`
          select b.expires_at as until from invitation i join submission b on b.id = i.submission_id where i.email = 'ada2@example.com'`
          assert.deepStrictEqual(stored?.until, new Date("2026-12-24T18:00:00Z"))
        }),
    )

    it.effect("all of it works without scripts", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* Scenario.organization({}, "Nordlicht")
        const { email } = yield* Workspace.member(organization, "rec1@example.com", "recruiter")
        const page = yield* stage.signedIn(email, "/interview-sets", { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await page.getByText("No sets are shared with you yet.").waitFor()
          await makeSet(page, async () => {})
          await page.getByRole("main").getByText(email).waitFor()
          await page.getByRole("link", { name: "Invite candidates" }).click()
          await page.getByRole("button", { name: "Add a row" }).click()
          await page.getByLabel("Email address of candidate 3").fill("new@example.com")
          await page.getByRole("button", { name: "Check candidates" }).click()
          await page.getByRole("button", { name: "Invite 1 candidate", exact: true }).dblclick()
          await heading(page, "1 candidate invited")
          await page.getByRole("link", { name: "new", exact: true }).click()
          await page.getByText("Give more time", { exact: true }).click()
          await page.getByLabel("Deadline to start").fill("2026-12-24T18:00")
          await page.getByRole("button", { name: "Save", exact: true }).click()
          await page.getByText("Saved. The candidate gets an email").waitFor()
          await page.getByText("24 Dec 2026, 18:00 UTC").first().waitFor()
          await page.goBack()
          await page.getByRole("link", { name: "Submissions", exact: true }).click()
          await page.getByRole("link", { name: /new/ }).waitFor()
        })
      }),
    )

    it.effect("lists, empty pages, projects and a set in use fit and are accessible", () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization(Dossier.set, "Nordlicht")
        const { email } = yield* Workspace.member(one.id, "grace3@example.com")
        const recruiter = yield* Workspace.member(one.id, "rec3@example.com", "recruiter")
        const page = yield* stage.signedIn(email, "/submissions")
        yield* Effect.promise(async () => {
          await look(page, "s0-no-submissions")
          await page.goto("/projects")
          await look(page, "s1-no-projects")
          await page.getByLabel("New project").fill("Payments platform")
          await page.getByRole("button", { name: "Create project" }).click()
          await page.getByText("The project was created.").waitFor()
          await page.getByText("New job post", { exact: true }).click()
          await page.getByLabel("Title of the new job post").fill("Backend Engineer, Hamburg")
          await page.getByRole("button", { name: "Create job post" }).click()
          await page.getByText("Backend Engineer, Hamburg").click()
          await look(page, "s2-project")
          await page.getByRole("button", { name: "Close job post" }).click()
          await page.getByText("Closed").waitFor()
          await page.goto("/projects")
          await look(page, "s1-projects")
          await page.goto("/interview-sets")
          await look(page, "s3-sets")
          await page.goto("/interview-sets?q=nothing")
          await look(page, "s3-no-set")
        })
        const invited = yield* Scenario.invited(one)
        yield* (yield* Interviews).start(invited.token)
        yield* Effect.promise(async () => {
          await page.goto(`/interview-sets/${one.set.id}/edit`)
          await page.getByText("A candidate has started this interview").waitFor()
          await look(page, "s4-begun")
          await page.getByRole("button", { name: "Duplicate to change" }).click()
          await page.getByText("This is a saved copy of the set").waitFor()
          await look(page, "s5-copy")
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.goto("/projects")
          await stage.signIn(page, recruiter.email)
          await look(page, "s6-not-allowed")
        })
      }),
    )

    it.effect("the editor moves, copies and removes questions, previews them and keeps unsaved changes", () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization(
          {
            title: "Backend Engineer",
            iai_questions: (["Alpha", "Bravo", "Charlie", "Delta"] as const).map((title) => ({
              title,
              question_mode: "interview" as const,
              question_type: "text" as const,
            })),
            iai_requirements: [{ title: "PostgreSQL" }],
          },
          "Nordlicht",
        )
        const { email } = yield* Workspace.member(one.id, "grace5@example.com")
        const visit = yield* visitor({ viewport: { width: 1280, height: 800 } })
        const page = yield* Effect.promise(() => visit.newPage())
        const path = `/interview-sets/${one.set.id}/edit`
        const order = async () => (await page.locator("[data-rows=q] > .card [data-title]").allTextContents()).join()
        const said = (text: string) =>
          page.locator("[data-said]").filter({ hasText: text }).waitFor({ state: "attached" })
        const focused = () => page.evaluate<string>("document.activeElement.textContent")
        const unsaved = page.getByRole("status").filter({ hasText: "Unsaved changes" })
        yield* Effect.promise(async () => {
          await page.goto(path)
          await stage.signIn(page, email)
          await page.goto(path)
          assert.strictEqual(await page.locator(".card details[open]").count(), 0)
          assert.strictEqual(await unsaved.count(), 0)
          await look(page, "t0-closed")
          await page.setViewportSize({ width: 1280, height: 800 })
          // by buttons: the focus stays on the card, the move is announced
          await page.getByRole("button", { name: "Move down question 1" }).click()
          await said("Moved: now question 2 of 4.")
          assert.strictEqual(await order(), "Bravo,Alpha,Charlie,Delta")
          assert.strictEqual(await focused(), "↓")
          await page.keyboard.press("Enter")
          await page.keyboard.press("Enter")
          await said("Moved: now question 4 of 4.")
          assert.strictEqual(await order(), "Bravo,Charlie,Delta,Alpha")
          assert.match(await focused(), /^Question 4 Alpha/)
          await unsaved.waitFor()
          // by dragging
          const grip = page.locator(".card", { hasText: "Alpha" }).locator(".grip")
          await page.getByRole("heading", { name: "Questions" }).scrollIntoViewIfNeeded()
          await grip.scrollIntoViewIfNeeded()
          const from = await grip.boundingBox()
          const to = await page.locator(".card", { hasText: "Bravo" }).boundingBox()
          await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10)
          await page.mouse.down()
          await page.mouse.move((from?.x ?? 0) + 10, (to?.y ?? 0) + 200, { steps: 5 })
          await page.mouse.move((from?.x ?? 0) + 10, (to?.y ?? 0) + 2, { steps: 5 })
          await page.mouse.up()
          await said("Moved: now question 1 of 4.")
          assert.strictEqual(await order(), "Alpha,Bravo,Charlie,Delta")
          // the fields of an answer type
          const card = (name: string) => page.locator(".card", { hasText: name })
          await card("Bravo").getByRole("heading").click()
          assert.isFalse(await card("Bravo").getByText("Options to choose from").isVisible())
          await card("Bravo").getByLabel("Answer type").selectOption("File upload")
          assert.isFalse(await card("Bravo").getByText("Options to choose from").isVisible())
          await card("Bravo").getByLabel("Excel").uncheck()
          await card("Bravo").getByLabel("PowerPoint").uncheck()
          // the preview beside the form
          const preview = page.frameLocator("iframe")
          await preview.getByText("A file of at most 10 MB: .pdf, .docx").waitFor()
          await preview.getByText("Question 2 of 4", { exact: true }).waitFor()
          assert.strictEqual(await preview.getByText("A file of at most 10 MB").count(), 1)
          await look(page, "t2-file")
          await page.setViewportSize({ width: 1280, height: 800 })
          // a copy, and a question that is removed and kept
          await page.getByRole("button", { name: "Duplicate question 2" }).click()
          await said("Added a copy, now question 3 of 5.")
          assert.strictEqual(await card("Question 3").getByLabel("Excel").isChecked(), false)
          await card("Question 3").getByLabel("Question", { exact: true }).fill("Echo")
          await page.getByRole("button", { name: "Remove question 4" }).click()
          await said("Removed question 4.")
          assert.strictEqual(await order(), "Alpha,Bravo,Echo,Delta")
          await page.keyboard.press("Enter")
          assert.strictEqual(await order(), "Alpha,Bravo,Echo,Charlie,Delta")
          await page.getByRole("button", { name: "Remove question 1" }).click()
          // leaving keeps the draft
          await page.getByText("Unsaved changes, kept as your draft").waitFor()
          await page.getByRole("link", { name: "Cancel" }).click()
          await page.getByRole("link", { name: "Edit", exact: true }).click()
          await page.getByText("This is your draft, saved").waitFor()
          assert.strictEqual(await order(), "Bravo,Echo,Charlie,Delta")
          // a failed save loses nothing
          await visit.setOffline(true)
          await page.getByRole("button", { name: "Save changes" }).click()
          await page.getByText("Not saved: no connection to the service.").waitFor()
          await look(page, "t3-offline")
          await visit.setOffline(false)
          await page.getByLabel("Minutes to answer").fill("soon")
          await page.getByRole("button", { name: "Save changes" }).click()
          await page.getByText("The time must be a whole number.").last().waitFor()
          assert.strictEqual(await order(), "Bravo,Echo,Charlie,Delta")
          await unsaved.waitFor()
          await page.getByLabel("Minutes to answer").fill("45")
          await page.getByRole("button", { name: "Save changes" }).click()
          await page.getByText("Your changes were saved.").waitFor()
          await page.goto(path)
          assert.strictEqual(await unsaved.count(), 0)
          assert.strictEqual(await order(), "Bravo,Echo,Charlie,Delta")
        })
        const set = yield* (yield* InterviewSets).find(operator(one.id), one.set.id)
        assert.deepStrictEqual(
          set.iai_questions.map(({ allowed_file_types, title }) => [title, allowed_file_types]),
          [
            ["Bravo", ["pdf", "word", "image", "text"]],
            ["Echo", ["pdf", "word", "image", "text"]],
            ["Charlie", null],
            ["Delta", null],
          ],
        )
        assert.strictEqual(set.iai_questions[0]?.id, one.set.iai_questions[1]?.id)
      }),
    )

    it.effect("the editor shows what other members saved, copies from other sets, and works without scripts", () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization(Dossier.set, "Nordlicht")
        const { email } = yield* Workspace.member(one.id, "grace6@example.com")
        const sets = yield* InterviewSets
        yield* sets.create(operator(one.id), {
          title: "Platform Engineer",
          iai_questions: ["Kafka in production", "An incident that you solved"].map((title) => ({
            title,
            question_mode: "interview" as const,
            question_type: "text" as const,
          })),
        })
        const scripted = yield* visitor()
        const other = yield* Effect.promise(() => scripted.newPage())
        const path = `/interview-sets/${one.set.id}/edit`
        const page = yield* stage.signedIn(email, path, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await page.goto(path)
          await page.getByLabel("Role that you hire for").fill("Typed here")
          await page.getByRole("button", { name: "Remove question 1" }).click()
          await page.getByText("Unsaved changes").waitFor()
          const title = page.getByLabel("Question", { exact: true }).first()
          await page.locator("#q0").getByRole("heading").click()
          await title.fill("Typed question")
          await page.locator("#q0").getByRole("button", { name: "Preview this question" }).click()
          const preview = await page
            .context()
            .waitForEvent("page", { predicate: () => true })
            .catch(() => page.context().pages().at(-1))
          await preview?.getByText("This is a preview of one question").waitFor()
          await preview?.getByText("Typed question").first().waitFor()
          if (preview !== undefined) await preview.close()
          await page.getByRole("button", { name: "Add from another set" }).first().click()
          await page.getByLabel("Search").fill("kafka")
          await page.keyboard.press("Enter")
          await page.getByLabel(/Kafka in production/).check()
          await page.getByRole("button", { name: "Add to set" }).click()
          await page.getByText("1 copy was added.").waitFor()
          assert.strictEqual(await page.getByLabel("Role that you hire for").inputValue(), "Typed here")
          await other.goto(path)
          await stage.signIn(other, email)
          await other.goto(path)
          await other.getByLabel("Role that you hire for").fill("Typed elsewhere")
          await other.getByRole("button", { name: "Save changes" }).click()
          await other.getByText("Your changes were saved.").waitFor()
          await page.getByRole("button", { name: "Save changes" }).click()
          await page.getByText("the set was saved while you were editing it").waitFor()
          await page.getByText("Typed elsewhere").waitFor()
          assert.strictEqual(await page.getByLabel("Role that you hire for").inputValue(), "Typed here")
          await page.getByRole("button", { name: "Save my version anyway" }).click()
          await page.getByText("Your changes were saved.").waitFor()
          await page.getByText("Kafka in production").waitFor()
          // the same pages, seen with scripts
          await other.goto(path)
          await other.getByRole("button", { name: "Add from another set" }).first().click()
          await other.getByLabel("Search").waitFor()
          await look(other, "t4-library")
          await other.getByRole("button", { name: "Back", exact: true }).click()
          await other.getByLabel("Role that you hire for").fill("Typed later")
          await page.goto(path)
          await page.getByLabel("Role that you hire for").fill("Saved first")
          await page.getByLabel("Description").fill("Saved first")
          await page.getByRole("button", { name: "Save changes" }).click()
          await page.getByText("Your changes were saved.").waitFor()
          await other.getByRole("button", { name: "Save changes" }).click()
          await other.getByText("Saved first").first().waitFor()
          assert.strictEqual(await other.evaluate("document.activeElement.id"), "error")
          await look(other, "t5-outdated")
          const opened = other.context().waitForEvent("page")
          await other.getByRole("link", { name: "Open the saved version" }).click()
          const saved = await opened
          assert.strictEqual(await saved.getByLabel("Role that you hire for").inputValue(), "Saved first")
          await saved.close()
          await scripted.setOffline(true)
          await other.getByRole("button", { name: "Save my version anyway" }).click()
          await other.getByText("Not saved: no connection to the service.").waitFor()
          await scripted.setOffline(false)
          await other.getByRole("button", { name: "Save my version anyway" }).click()
          await other.getByText("Your changes were saved.").waitFor()
          await other.getByText("Typed later").waitFor()
        })
      }),
    )

    it.effect("user input is shown as text", () =>
      Effect.gen(function* () {
        const hostile = `<img src=x onerror="document.title='scripted'"><script>document.title='scripted'</script>`
        const one = yield* Scenario.organization(
          {
            title: `Title ${hostile}`,
            position: `Position ${hostile}`,
            description: `Description ${hostile}`,
            iai_questions: [
              {
                title: `Question ${hostile}`,
                question_mode: "interview",
                question_type: "radio",
                options: [{ title: `Option ${hostile}` }],
              },
            ],
            iai_requirements: [{ title: `Requirement ${hostile}` }],
            com_accesses: [{ email: "x@example.com", fullname: `Access ${hostile}` }],
          },
          `Name ${hostile}`,
        )
        const invited = yield* Scenario.invited(one)
        const { sql } = yield* Database
        yield* sql`update candidate set name = ${`Candidate ${hostile}`} where id = ${invited.subject.candidate_id}::uuid`
        yield* sql`update invitation set message = ${`Message ${hostile}`} where id = ${invited.subject.invitation_id ?? ""}::uuid`
        const { email } = yield* Workspace.member(one.id, "grace4@example.com")
        const page = yield* stage.signedIn(email, "/interview-sets")
        const set = `/interview-sets/${one.set.id}`
        yield* Effect.promise(async () => {
          for (const [path, names] of [
            ["/interview-sets", ["Title", "Position"]],
            [set, ["Title", "Position", "Description", "Question", "Requirement", "Access"]],
            [`${set}/edit`, []],
            [`${set}/invite`, ["Title"]],
            [`/i/preview/${one.set.id}`, ["Title", "Position", "Description"]],
            [`/i/preview/${one.set.id}/questions/1`, ["Question", "Option"]],
            [`/invitations/${invited.subject.invitation_id}`, ["Title", "Candidate"]],
            [`/invitations/${invited.subject.invitation_id}/cancel`, ["Title", "Candidate"]],
            ["/submissions", []],
          ] as const) {
            await page.goto(path)
            const text = String(await page.evaluate("document.body.innerText"))
            for (const name of names) assert.include(text, `${name} ${hostile}`, path)
            assert.notStrictEqual(await page.title(), "scripted")
            assert.strictEqual(await page.locator("img, main script").count(), 0, path)
          }
        })
      }),
    )
  })
})
