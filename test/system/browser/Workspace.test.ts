/** Submission pages in Chromium, with and without scripts, on paper, on both widths and themes. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

let members = 0
const newMember = (
  organization: Parameters<typeof Workspace.member>[0],
  role: Parameters<typeof Workspace.member>[2] = "owner",
) => Workspace.member(organization, `grace${++members}@example.com`, role)

const isNotScripted = `<img src=x onerror="document.title='scripted'"><script>document.title='scripted'</script>`

describe.skipIf(missing !== undefined)(["workspace in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("every page fits and is accessible on both widths and themes", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { sql } = yield* Database
        yield* sql`update cv set notes = '["Hidden text was left out: 12 words in white."]' where submission_id = ${submission}::uuid`
        const { email } = yield* newMember(organization)
        const visit = yield* visitor()
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await page.goto(`/submissions/${submission}`)
          await look(page, "w1-sign-in")
          await page.getByLabel("Email address").fill(email)
          await page.getByLabel("Password").fill("not the password")
          await page.keyboard.press("Enter")
          await page.getByRole("alert").waitFor()
          await look(page, "w1-refused")
          await stage.signIn(page, email)
          await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor()
          await look(page, "w2-holistic")
          await page
            .getByRole("navigation", { name: "Evaluations" })
            .getByText("Interview", { exact: false })
            .last()
            .click()
          await page.getByText("How the score is computed").click()
          await page.getByText("Override score").click()
          await page.getByLabel("Score (0 to 10)").fill("eleven")
          await page.getByLabel("Reason", { exact: true }).fill("short")
          await page.getByRole("button", { name: "Save override" }).click()
          await page.getByRole("alert").getByText("The reason must have at least 10 characters.").waitFor()
          await look(page, "w3-faults")
          await page.getByLabel("Score (0 to 10)").fill("9")
          await page.getByLabel("Reason", { exact: true }).fill("We talked for an hour: deeper than the answers tell.")
          await page.getByRole("button", { name: "Save override" }).click()
          await page.getByRole("status").getByText("The override was saved.").waitFor()
          await look(page, "w4-override")
        })
      }),
    )

    it.effect("the list, empty pages, 404 and 403 pages fit and are accessible", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* newMember(organization)
        const waiting = yield* Scenario.invited(
          yield* Scenario.organization({ ...Dossier.set, title: "A set of another organization" }, "Südlicht"),
        )
        const unread = yield* newMember(waiting.organization)
        const stranger = yield* newMember(organization, "recruiter")
        const page = yield* stage.signedIn(email, "/submissions")
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { level: 1, name: "Submissions" }).waitFor()
          await look(page, "w5-list")
          await page.goto(`/submissions/${waiting.subject.submission_id}`)
          await look(page, "w6-unknown")
          await page.getByRole("button", { name: "Sign out" }).click()
          await stage.signIn(page, unread.email)
          await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
          await page.goto("/submissions")
          await page.getByRole("link", { name: /^Ada/ }).click()
          await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor()
          await look(page, "w7-nothing-yet")
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.goto(`/submissions/${submission}`)
          await stage.signIn(page, stranger.email)
          await page.getByRole("heading", { name: "You may not see this submission" }).waitFor()
          await look(page, "w8-not-allowed")
          await page.getByRole("link", { name: "All submissions" }).click()
          await page.getByText("No submissions yet.").waitFor()
          await look(page, "w9-empty")
          await page.goto("/")
          await look(page, "w0-home")
        })
      }),
    )

    const warnings = [
      { code: "short_answer", message: "The written answers have 2 words in total, too few for a reliable rating." },
      { code: "part_not_read", message: "A part of the text was not read." },
    ]

    it.effect("shows a keyword match of a very short text, fits the screen and is accessible", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { sql } = yield* Database
        yield* sql`update answer set content = 'Yes.' where submission_id = ${submission}::uuid and content is not null`
        yield* sql`
          update evaluation set evaluator = 'keyword/6', result = jsonb_set(jsonb_set(result, '{criteria,0,score}', '0'),
            '{warnings}', ${JSON.stringify(warnings)}::text::jsonb)
          where submission_id = ${submission}::uuid and evaluation_type = 'interview'`
        const { email } = yield* newMember(organization)
        const page = yield* stage.signedIn(email, `/submissions/${submission}?evaluation=interview`)
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { level: 3, name: "Requirements" }).waitFor()
          await page.getByText("The written answers have 2 words in total").waitFor()
          await page.getByText("A part of the text was not read.").waitFor()
          await page.locator("#requirement-1 summary").click()
          await look(page, "w2-keyword-match")
          const [first] = await page.locator(".criterion").allInnerTexts()
          assert.match(
            first ?? "",
            /TypeScript services in production[\s\S]*No match found\s+please read the answers[\s·]+Must Have/,
          )
          await page.locator("#requirement-1").getByRole("link", { name: "read the answers" }).click()
          assert.match(page.url(), /#answers$/)
          const levels = await page
            .getByRole("heading")
            .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])))
          assert.isTrue(
            levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1),
            levels.join(),
          )
        })
      }),
    )

    it.effect("sign-in, reading, an override with its removal, and sign-out work without scripts", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* newMember(organization)
        const page = yield* stage.signedIn(email, `/submissions/${submission}`, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor()
          assert.strictEqual(new URL(page.url()).pathname, `/submissions/${submission}`)
          await page.getByRole("navigation", { name: "Evaluations" }).getByRole("link", { name: "CV 8.1" }).click()
          await page.getByText("CV score", { exact: true }).waitFor()
          await page.getByText("Override score").click()
          await page.getByLabel("Score (0 to 10)").fill("9,5")
          await page.getByLabel("Reason", { exact: true }).fill("The references say so.")
          await page.getByRole("button", { name: "Save override" }).dblclick()
          await page.getByRole("status").waitFor()
          await page.getByText("Change override").click()
          await page.getByRole("button", { name: "Remove override" }).click()
          await page.getByText("The override was removed.").waitFor()
          await page.reload()
          await page.getByRole("button", { name: "Sign out" }).click()
          // going back works only after the page has loaded
          await page.getByRole("heading", { name: "Sign in" }).waitFor()
          await page.goBack()
          await page.getByRole("heading", { name: "Sign in" }).waitFor()
        })
        const { sql } = yield* Database
        const rows =
          yield* sql`select id from evaluation where submission_id = ${submission}::uuid and override is not null`
        assert.deepStrictEqual(rows, [])
      }),
    )

    it.effect("the keyboard reaches the text and every control, and a quote links to its source", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* newMember(organization)
        const visit = yield* visitor()
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await page.goto(`/submissions/${submission}?evaluation=interview`)
          assert.strictEqual(await page.evaluate("document.activeElement.id"), "email")
          await stage.signIn(page, email)
          await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor()
          await page.keyboard.press("Tab")
          await page.keyboard.press("Enter")
          assert.strictEqual(await page.evaluate("document.activeElement.id"), "main")
          const reached: Array<string> = []
          for (let i = 0; i < 100; i++) {
            await page.keyboard.press("Tab")
            reached.push(String(await page.evaluate("document.activeElement.textContent.trim()")))
          }
          for (const name of ["Sign out", "Override score", "How the score is computed", "Download ada.pdf"]) {
            assert.include(reached, name)
          }
          await page.locator("#requirement-1 summary").click()
          await page.locator("#requirement-1").getByRole("link", { name: "A service you built" }).first().click()
          assert.match(page.url(), /#quote-1-1$/)
          assert.match(await page.locator(":target").innerText(), /^I built the payment gateway/)
          await page.getByRole("link", { name: "evidence for requirement 2" }).first().click()
          assert.match(page.url(), /#requirement-2$/)
        })
      }),
    )

    it.effect("the printed page is a report without controls", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* newMember(organization)
        const page = yield* stage.signedIn(email, `/submissions/${submission}?evaluation=interview`)
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor()
          await page.emulateMedia({ media: "print", colorScheme: "dark" })
          for (const text of [
            "TypeScript services in production",
            "I was on call every third week.",
            "Mentored two juniors",
          ]) {
            await page.getByText(text).first().waitFor()
          }
          for (const control of ["button", "summary", "input", "textarea", "nav", ".back"]) {
            assert.strictEqual(await page.locator(control).filter({ visible: true }).count(), 0, control)
          }
          await page.setViewportSize({ width: 794, height: 1123 })
          const pictures = process.env["SCREENSHOTS"]
          if (pictures !== undefined) {
            await page.screenshot({ path: `${pictures}/w2-paper.png`, fullPage: true })
            await page.pdf({ path: `${pictures}/w2-paper.pdf` })
          }
          assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
        })
      }),
    )

    it.effect("user input is shown as text on every page", () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization(
          {
            title: `Title ${isNotScripted}`,
            position: `Position ${isNotScripted}`,
            iai_questions: [{ title: `Question ${isNotScripted}`, question_mode: "interview", question_type: "text" }],
            iai_requirements: [{ title: `Requirement ${isNotScripted}` }],
          },
          `Name ${isNotScripted}`,
        )
        const invited = yield* Scenario.invited(organization)
        const { sql } = yield* Database
        yield* sql`update candidate set name = ${`Candidate ${isNotScripted}`} where id = ${invited.subject.candidate_id}::uuid`
        const interviews = yield* Interviews
        yield* interviews.start(invited.token)
        const { questions } = yield* interviews.view(invited.token)
        const content = `Answer ${isNotScripted}`
        yield* interviews.finish(
          invited.token,
          questions.map(({ id }) => ({ question_id: id, content, option_ids: [] })),
        )
        yield* Dossier.addCv(organization.id, invited.subject.submission_id, {
          text: `CV ${isNotScripted}`,
          notes: [`Note ${isNotScripted}`],
        })
        yield* Dossier.evaluateAll
        const { email } = yield* newMember(organization.id)
        yield* sql`update member set name = ${`Member ${isNotScripted}`} where email = ${email}`
        yield* sql`
          update evaluation set result = replace(result::text, 'Nothing in the texts', ${JSON.stringify(`Rationale ${isNotScripted}`).slice(1, -1)})::jsonb,
            evaluator = ${`Evaluator ${isNotScripted}`}, model = ${`Model ${isNotScripted}`}
          where organization_id = ${organization.id}::int`
        const page = yield* stage.signedIn(email, `/submissions/${invited.subject.submission_id}`)
        yield* Effect.promise(async () => {
          await page.getByText("Override score").click()
          await page.getByLabel("Score (0 to 10)").fill("1")
          await page.getByLabel("Reason", { exact: true }).fill(`Reason ${isNotScripted}`)
          await page.getByRole("button", { name: "Save override" }).click()
          await page.getByText("The override was saved.").waitFor()
          await page.getByText("Evaluation details").click()
          await page.getByText("Technical details").click()
          const text = String(await page.evaluate("document.body.innerText"))
          for (const name of [
            "Title",
            "Position",
            "Question",
            "Requirement",
            "Name",
            "Candidate",
            "Answer",
            "CV",
            "Note",
            "Rationale",
            "Evaluator",
            "Model",
            "Member",
            "Reason",
          ]) {
            assert.include(text, `${name} ${isNotScripted}`)
          }
          assert.notInclude(await page.title(), "scripted –")
          assert.strictEqual(await page.locator("img, main script").count(), 0)
          await page.goto("/submissions")
          // the list cuts long names
          assert.include(
            String(await page.evaluate("document.body.innerText")),
            `Candidate ${isNotScripted.slice(0, 20)}`,
          )
          assert.strictEqual(await page.locator("img, main script").count(), 0)
        })
      }),
    )

    it.effect("the page of twelve questions is under 60 KB without the CV's text", () =>
      Effect.gen(function* () {
        const questions = Array.from({ length: 12 }, (_, i) => ({
          title: `Question ${i} about your work`,
          question_mode: "interview" as const,
          question_type: "text" as const,
        }))
        const requirements = Array.from({ length: 12 }, (_, i) => ({ title: `Requirement ${i} of this role` }))
        const { organization, submission } = yield* Dossier.whole({
          iai_questions: [...Dossier.set.iai_questions, ...questions],
          iai_requirements: [...Dossier.set.iai_requirements, ...requirements],
        })
        const { email } = yield* newMember(organization)
        const { cookie } = yield* Workspace.signIn(email)
        const answer = yield* Workspace.request("GET", `/submissions/${submission}`, { cookie })
        assert.isBelow(answer.bytes.length, 60_000)
      }),
    )
  })
})
