/** Shared by the browser tests: the service on a local port, a candidate, and what the service stores. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { BrowserContextOptions, Page } from "playwright-core"
import * as App from "../../../src/App.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import type { CreateInterviewSet } from "../../../src/interview-sets/InterviewSet.ts"
import { Invitations } from "../../../src/invitations/Invitations.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { Server } from "../../support/Api.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { Chromium, origin, visitor } from "./chromium.ts"
import * as steps from "./steps.ts"

/** The service on a weekday morning. Tests advance its clock. */
export const layerOf = ({ settings, ...options }: Parameters<typeof Pod.layer>[0] = {}) =>
  Chromium.layer.pipe(
    Layer.provideMerge(Server.layer),
    Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages, App.dev))),
    Layer.provideMerge(
      Pod.layer({ ...options, settings: { PORT: "0", APP_URL: origin, API_URL: origin, ...settings } }),
    ),
    Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
  )

export const layer = layerOf()

/** Fills the form of the sign-in page, and waits until the page that the member asked for has run its scripts. */
export const signIn = async (page: Page, email: string) => {
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(Workspace.password)
  await page.keyboard.press("Enter")
  // in the menu, which is closed on phones
  await page.locator('form[action="/sign-out"]').waitFor({ state: "attached" })
  await page.waitForLoadState()
}

/** A new visitor's page at `path`, after the sign-in. */
export const signedIn = Effect.fnUntraced(function* (email: string, path: string, options: BrowserContextOptions = {}) {
  const visit = yield* visitor(options)
  return yield* Effect.promise(async () => {
    const page = await visit.newPage()
    await page.goto(path)
    await signIn(page, email)
    return page
  })
})

/** Presses Tab until the focused element has the name or text. `check` runs after each press. */
export const tabTo = async (page: Page, wanted: RegExp, check: () => Promise<void> = async () => {}) => {
  const seen: Array<string> = []
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab")
    await check()
    const name = String(
      await page.evaluate(`(() => {
        const { activeElement: one } = document
        const label = one.labels?.[0]?.textContent ?? one.getAttribute("aria-label") ?? one.textContent
        return [one.closest("fieldset")?.querySelector("legend")?.textContent ?? "", label].join(" ").replaceAll(/\\s+/g, " ").trim()
      })()`),
    )
    if (wanted.test(name)) return
    seen.push(name)
  }
  assert.fail(`${wanted} was not reached: ${seen.join(" | ")}`)
}

export type It = Vitest.MethodsNonLive<Layer.Success<typeof layer>>

/** Radio, checkbox and text questions, 30 minutes. */
export const interview = {
  title: "Backend Engineer",
  position: "Senior Backend Engineer, Payments",
  description: "You keep the payments of 300 shops running.\nWe would like to hear how you work.",
  interview_duration: 30,
  iai_questions: [
    {
      title: "Where are you based?",
      question_mode: "pre_screening",
      question_type: "radio",
      options: [{ title: "In the European Union" }, { title: "Elsewhere", content: "We help with the move." }],
    },
    {
      title: "What have you run in production?",
      question_mode: "pre_screening",
      question_type: "checkbox",
      options: [{ title: "PostgreSQL" }, { title: "Kubernetes" }, { title: "Kafka" }],
    },
    {
      title: "A service you built",
      content: "What did it do, and what was your part in it?",
      hint: "Numbers help: requests, people, years.",
      details: "There is no right answer. We talk about it when we meet.",
      question_mode: "interview",
      question_type: "text",
    },
    { title: "A database problem", question_mode: "interview", question_type: "text" },
  ],
} satisfies Partial<CreateInterviewSet>

export const portfolio = {
  title: "Your portfolio",
  hint: "Three pieces are enough.",
  question_mode: "interview",
  question_type: "file",
} as const

/** An invited candidate; `link` is the path from the email. */
export const candidate = Effect.fnUntraced(function* (changes: Partial<CreateInterviewSet> = {}) {
  const invited = yield* Scenario.invited(yield* Scenario.organization({ ...interview, ...changes }, "Nordlicht"))
  return { ...invited, link: `/i/${invited.token}` }
})

export type Candidate = Effect.Success<ReturnType<typeof candidate>>

/** A new visitor, on the first question of the candidate's interview. */
export const begun = Effect.fnUntraced(function* (candidate: Candidate, options: BrowserContextOptions = {}) {
  const visit = yield* visitor(options)
  return { visit, page: yield* Effect.promise(() => steps.begin(visit, candidate)) }
})

export const cancel = Effect.fnUntraced(function* ({ organization, subject }: Scenario.Invited) {
  yield* (yield* Invitations).cancel(operator(organization), yield* Effect.fromNullishOr(subject.invitation_id))
}, Effect.orDie)

export const stored = Effect.fnUntraced(function* ({ subject }: Scenario.Invited) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ status: string; attempt: number; statuses: ReadonlyArray<string> }>`
    select b.status, b.attempt, (
      select coalesce(jsonb_agg(e.status order by e.seq), '[]') from webhook_event e
      where e.event_type = 'interview.status.update' and e.submission_id = b.id
    ) as statuses
    from submission b where b.id = ${subject.submission_id}::uuid`
  const answers = yield* sql<{ content: string | null; option_ids: ReadonlyArray<string> }>`
    select a.content, a.option_ids from answer a where a.submission_id = ${subject.submission_id}::uuid`
  return { ...(yield* Effect.fromNullishOr(row)), answers }
}, Effect.orDie)

export const texts = (of: Scenario.Invited) =>
  Effect.map(stored(of), ({ answers }) => answers.flatMap(({ content }) => content ?? []))
