/** Spoken answers in Chromium, with its fake microphone and camera. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import { RecordingQueue } from "../../../src/recordings/RecordingQueue.ts"
import { catalogues } from "../../../src/texts/Texts.ts"
import { missing, visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const words = catalogues.en.spoken

const questions = (attributes: object) => ({
  iai_questions: [
    {
      title: "Tell us about a system that you ran.",
      question_mode: "interview" as const,
      question_type: "text" as const,
      attributes: { answer_with: ["audio", "video"], ...attributes },
    },
    { title: "Why us?", question_mode: "interview" as const, question_type: "text" as const },
  ],
})

const recordingsOf = Effect.fnUntraced(function* ({ subject }: Pick<stage.Candidate, "subject">) {
  const { sql } = yield* Database
  return yield* sql<{ kind: string; state: string; seconds: number | null; error: string | null; is_answer: boolean }>`
    select kind, state, seconds::float8, error, exists (select from answer a where a.recording_id = r.id) as is_answer
    from recording r where content_type is not null and submission_id = ${subject.submission_id}::uuid`
})

const denial = `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"))`

/** A candidate at the first question; the browser may use the microphone and the camera, if `isAllowed`. */
const atQuestion = Effect.fnUntraced(function* (attributes: object = {}, isAllowed = true) {
  const candidate = yield* stage.candidate(questions(attributes))
  const visit = yield* visitor()
  const page = yield* Effect.promise(async () => {
    const opened = await visit.newPage()
    if (!isAllowed) await opened.addInitScript(denial)
    await opened.goto(`/i/${candidate.token}`)
    await steps.start(opened)
    return opened
  })
  return { candidate, token: candidate.token, visit, page }
})

const startRecording = async (page: Page, kind: "audio" | "video" = "audio") => {
  await page.getByRole("button", { name: words[kind] }).click()
  await page.getByRole("timer").filter({ hasText: "Recording – " }).waitFor()
}

const saved = (page: Page) => page.getByText(words.keptShort).waitFor()

/** Recordings and pieces that the device keeps. */
const keptOnDevice = `new Promise((resolve) => {
  const opened = indexedDB.open("interview", 1)
  opened.onsuccess = () => {
    const stores = ["recordings", "pieces"]
    const reading = opened.result.transaction(stores)
    const counts = stores.map((name) => reading.objectStore(name).count())
    reading.oncomplete = () => {
      opened.result.close()
      resolve(counts[0].result + counts[1].result)
    }
  }
})`
const kept = async (page: Page) => Number(await page.evaluate(keptOnDevice))

const work = Effect.flatMap(RecordingQueue, ({ queue }) => runOnce(queue))

describe.skipIf(missing !== undefined)(["spoken answers in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect.each(["audio", "video"] as const)("records %s, saves it when it is stopped, and plays it", (kind) =>
      Effect.gen(function* () {
        const { candidate, page } = yield* atQuestion()
        yield* Effect.promise(async () => {
          await startRecording(page, kind)
          await page.waitForTimeout(1_500)
          await page.getByRole("button", { name: words.stop }).click()
          await saved(page)
        })
        yield* work
        const [row] = yield* recordingsOf(candidate)
        assert.deepInclude(row, { kind, state: "done", error: null, is_answer: true })
        assert.isAbove(row?.seconds ?? 0, 1)
        yield* Effect.promise(async () => {
          await page.reload()
          const length = await page.evaluate(`new Promise((resolve, reject) => {
              const player = document.querySelector(".recorded")
              player.onerror = () => reject(player.error)
              if (player.readyState > 0) resolve(player.duration)
              player.onloadedmetadata = () => resolve(player.duration)
            })`)
          assert.approximately(Number(length), row?.seconds ?? 0, 0.2)
          await page.getByText("1 of 2 answered").waitFor()
          await page.getByRole("button", { name: "Next" }).click()
          await page.waitForURL(/questions\/2$/)
        })
      }),
    )

    it.effect("keeps recording without a network, and sends what was said when it is back", () =>
      Effect.gen(function* () {
        const { candidate, page, visit } = yield* atQuestion()
        yield* Effect.promise(async () => {
          await startRecording(page)
          await page.waitForTimeout(500)
          await visit.setOffline(true)
          await page.waitForTimeout(4_500)
          await page.getByRole("button", { name: words.stop }).click()
          await page.getByText(words.waiting).waitFor()
          await visit.setOffline(false)
          await saved(page)
        })
        yield* work
        const [row] = yield* recordingsOf(candidate)
        assert.deepInclude(row, { state: "done", error: null, is_answer: true })
        assert.isAbove(row?.seconds ?? 0, 4.5)
      }),
    )

    it.effect("keeps what was recorded before the page was closed", () =>
      Effect.gen(function* () {
        const { candidate, page, token, visit } = yield* atQuestion()
        const again = yield* Effect.promise(async () => {
          await startRecording(page)
          await page.waitForTimeout(5_000)
          await page.close({ runBeforeUnload: false })
          const opened = await visit.newPage()
          await opened.goto(`/i/${token}/questions/1`)
          await saved(opened)
          return opened
        })
        yield* work
        const [row] = yield* recordingsOf(candidate)
        assert.deepInclude(row, { state: "done", error: null, is_answer: true })
        assert.isAtLeast(row?.seconds ?? 0, 3.5)
        yield* Effect.promise(() => again.close())
      }),
    )

    it.effect("keeps nothing of a recording on the device after the interview, and sends what was missing", () =>
      Effect.gen(function* () {
        const { candidate, page, token, visit } = yield* atQuestion()
        yield* Effect.promise(async () => {
          await visit.route("**/pieces/*", (route) => route.abort())
          await startRecording(page)
          await page.waitForTimeout(5_000)
          assert.isAbove(await kept(page), 1)
          await page.close({ runBeforeUnload: false })
          await visit.unroute("**/pieces/*")
        })
        yield* (yield* Interviews).finish(token, [])
        yield* Effect.promise(async () => {
          const closed = await visit.newPage()
          await closed.goto(`/i/${token}`)
          // waitForFunction takes a promise for true
          while ((await kept(closed)) > 0) await closed.waitForTimeout(100)
        })
        yield* work
        const [row] = yield* recordingsOf(candidate)
        assert.deepInclude(row, { state: "done", error: null, is_answer: true })
      }),
    )

    it.effect("waits for the preparation, stops at the limit, and counts the takes", () =>
      Effect.gen(function* () {
        const { candidate, page } = yield* atQuestion({ preparation_seconds: 2, max_seconds: 10, takes: 1 })
        yield* Effect.promise(async () => {
          await page.getByText(words.takes.one).waitFor()
          await page.getByRole("button", { name: words.audio }).click()
          await page.getByText("Recording starts in").waitFor()
          await page.getByText("Recording – 0:0").waitFor()
          await saved(page)
          await page.getByText(words.noTakes).waitFor()
          assert.strictEqual(await page.locator("[data-record]").count(), 0)
        })
        yield* work
        const [row] = yield* recordingsOf(candidate)
        assert.approximately(row?.seconds ?? 0, 10, 1)
      }),
    )

    it.effect("says what to do when the browser does not allow it, and the answer can be typed", () =>
      Effect.gen(function* () {
        const { page } = yield* atQuestion({}, false)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: words.audio }).click()
          await page.getByText(words.denied).waitFor()
          await page.getByText(words.typeInstead).click()
          await page.getByRole("textbox").fill("I ran a billing system.")
          await page.getByRole("button", { name: "Next" }).click()
          await page.waitForURL(/questions\/2$/)
        })
      }),
    )
  })
})
