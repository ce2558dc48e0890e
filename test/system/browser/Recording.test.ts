/** Spoken answers in Chromium, with its fake microphone and camera. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import { RecordingQueue } from "../../../src/recordings/RecordingQueue.ts"
import { catalogues } from "../../../src/texts/Texts.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, untilTrue, visitor } from "./chromium.ts"
import { violations } from "./looks.ts"
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

const denial = (name: string) =>
  `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "${name}"))`

/** A candidate at the first question. */
const atQuestion = Effect.fnUntraced(function* (attributes: object = {}) {
  const candidate = yield* stage.candidate(questions(attributes))
  const visit = yield* visitor()
  const page = yield* Effect.promise(async () => {
    const opened = await visit.newPage()
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

/** The button that ends a recording is inside the window. */
const assertInside = async (page: Page) => {
  const box = await page.getByRole("button", { name: words.stop }).boundingBox()
  const { height, width } = page.viewportSize() ?? { height: 0, width: 0 }
  assert.isNotNull(box)
  if (box === null) return
  assert.isAtLeast(Math.min(box.x, box.y), 0)
  assert.isAtMost(box.y + box.height, height)
  assert.isAtMost(box.x + box.width, width)
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

    it.effect.each([false, true])(
      "keeps what is typed and corrected beside a recording that has a transcript; only spoken: %s",
      (isSpeakingOnly) =>
        Effect.gen(function* () {
          const { candidate, page } = yield* atQuestion(
            isSpeakingOnly ? { speaking_only: true } : { answer_with: ["text", "audio"] },
          )
          yield* Effect.promise(async () => {
            await startRecording(page)
            await page.waitForTimeout(1_200)
            await page.getByRole("button", { name: words.stop }).click()
            await saved(page)
          })
          yield* work
          const { sql } = yield* Database
          yield* sql`
            update recording set segments = '[{"start": 0, "end": 1, "text": "I ran a bank"}]'
            where submission_id = ${candidate.subject.submission_id}::uuid`
          yield* Effect.promise(async () => {
            await page.reload()
            await page.getByText(words.understood).first().click()
            await page.getByRole("textbox", { name: words.understood }).fill("I ran a bakery")
            if (!isSpeakingOnly) {
              const typed = page.locator(`textarea[name="answer.${candidate.set.iai_questions[0]?.id}"]`)
              if (!(await typed.isVisible())) await page.getByText(words.addText).click()
              await typed.fill("In addition")
            }
            await page.getByRole("button", { name: "Next" }).click()
            await page.waitForURL(/questions\/2$/)
          })
          assert.deepStrictEqual(
            yield* sql`
              select a.content, r.correction from recording r join answer a on a.recording_id = r.id
              where r.submission_id = ${candidate.subject.submission_id}::uuid`,
            [{ content: isSpeakingOnly ? null : "In addition", correction: "I ran a bakery" }],
          )
        }),
    )

    it.effect("keeps recording without a network, and sends what was said when it is back", () =>
      Effect.gen(function* () {
        const { candidate, page, visit } = yield* atQuestion()
        yield* Effect.promise(async () => {
          await startRecording(page)
          await page.waitForTimeout(500)
          await visit.setOffline(true)
          await page.getByText(words.waiting).waitFor()
          await page.getByRole("button", { name: words.stop }).click()
          // not as if nothing had been recorded
          await page.getByText("0:0").waitFor()
          for (const other of [page.locator("[data-record]"), page.locator("[data-consent]"), page.locator(".others")])
            assert.isFalse(await other.first().isVisible())
          await page.getByText(words.waiting).waitFor()
          assert.deepStrictEqual(await violations(page), [])
          await visit.setOffline(false)
          await saved(page)
        })
        yield* work
        const [row] = yield* recordingsOf(candidate)
        assert.deepInclude(row, { state: "done", error: null, is_answer: true })
        assert.isAbove(row?.seconds ?? 0, 3.5)
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
          const sending = Promise.withResolvers<void>()
          await visit.route("**/recordings/*/end", async (route) => {
            await sending.promise
            await route.continue()
          })
          await opened.goto(`/i/${token}/questions/1`)
          await opened.getByText(words.sending).waitFor()
          assert.isFalse(await opened.locator("[data-record]").first().isVisible())
          sending.resolve()
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
          await page.getByText(words.prepares.replace("{length}", "2 seconds")).waitFor()
          await page.getByRole("button", { name: words.audio }).click()
          await page.getByRole("timer").filter({ hasText: "Time to prepare: 0:0" }).waitFor()
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

    it.effect.each([
      ["denied", denial("NotAllowedError")],
      ["noDevice", denial("NotFoundError")],
      ["busy", denial("NotReadableError")],
      ["insecure", "Object.defineProperty(window, 'isSecureContext', { value: false })"],
      ["unsupported", "delete window.MediaRecorder"],
    ] as const)(
      "says what to do when recording is not possible (%s), before the start and at a question",
      ([key, script]) =>
        Effect.gen(function* () {
          const candidate = yield* stage.candidate(questions({}))
          const visit = yield* visitor()
          yield* Effect.promise(async () => {
            const page = await visit.newPage()
            await page.addInitScript(script)
            await page.goto(candidate.link)
            await page.getByRole("button", { name: words.tryBoth }).click()
            await page.getByRole("alert").filter({ hasText: words[key] }).waitFor()
            assert.deepStrictEqual(await violations(page), [])
            await steps.start(page)
            await page.getByRole("button", { name: words.audio }).click()
            await page.getByRole("alert").filter({ hasText: words[key] }).waitFor()
            await page.getByText(words.typeInstead).click()
            await page.getByRole("textbox").fill("I ran a billing system.")
            assert.deepStrictEqual(await violations(page), [])
            await page.getByRole("button", { name: "Next" }).click()
            await page.waitForURL(/questions\/2$/)
          })
        }),
    )

    it.effect("lets candidates try the microphone and the camera before the start: nothing is sent or stored", () =>
      Effect.gen(function* () {
        const candidate = yield* stage.candidate(questions({}))
        const visit = yield* visitor({ viewport: { width: 390, height: 844 } })
        const sent: Array<string> = []
        visit.on("request", (request) => {
          if (request.method() === "POST") sent.push(new URL(request.url()).pathname)
        })
        yield* Effect.promise(async () => {
          const page = await visit.newPage()
          await page.goto(candidate.link)
          await page.getByText(words.askBoth).waitFor()
          await page.getByText(words.tryText).waitFor()
          await page.getByRole("button", { name: words.tryBoth }).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("status").filter({ hasText: words.heard }).waitFor()
          await page.getByText(words.tryQuestion).waitFor()
          // Chromium has several microphones and one camera
          await page.getByRole("combobox", { name: words.microphone }).selectOption({ label: "Fake Audio Input 2" })
          await untilTrue(
            page,
            `document.querySelector("[data-device] select").selectedOptions[0]?.label === "Fake Audio Input 2"`,
          )
          assert.isFalse(await page.getByRole("combobox", { name: words.camera }).isVisible())
          assert.deepStrictEqual(await violations(page), [])
          await page.getByRole("button", { name: words.practise }).click()
          await page.getByRole("timer").filter({ hasText: "Recording – 0:0" }).waitFor()
          await assertInside(page)
          assert.deepStrictEqual(await violations(page), [])
          // the focus is on it
          await page.waitForTimeout(1_000)
          await page.keyboard.press("Enter")
          const player = page.getByLabel(words.practised)
          await player.waitFor()
          await untilTrue(page, `document.querySelector(".trial .recorded").currentTime > 0`)
          assert.isTrue((await player.getAttribute("src"))?.startsWith("blob:"))
          assert.deepStrictEqual(await violations(page), [])
          await page.getByRole("button", { name: words.endTrial }).click()
          await page.getByRole("button", { name: words.tryBoth }).waitFor()
          assert.strictEqual(await kept(page), 0)
          assert.strictEqual(await page.evaluate("localStorage.length"), 0)
        })
        assert.deepStrictEqual(
          sent.filter((path) => path !== `${candidate.link}/initiated`),
          [],
        )
        assert.deepInclude(yield* stage.stored(candidate), { status: "initiated" })
        assert.deepStrictEqual(yield* recordingsOf(candidate), [])
      }),
    )

    it.effect("says before the start how the questions can be answered, only where some can be spoken", () =>
      Effect.gen(function* () {
        const textOf = Effect.fnUntraced(function* (attributes: object) {
          const candidate = yield* stage.candidate(questions(attributes))
          const visit = yield* visitor()
          return yield* Effect.promise(async () => {
            const page = await visit.newPage()
            await page.goto(candidate.link)
            return await page.getByRole("main").innerText()
          })
        })
        const spoken = yield* textOf({ answer_with: ["audio"], speaking_only: true })
        assert.include(spoken, `${words.askAudio} ${words.mustSpeak}`)
        assert.include(spoken, words.tryAudio)
        assert.include(yield* textOf({ answer_with: ["text", "video"] }), `${words.askVideo} ${words.mayType}`)
        const written = yield* textOf({ answer_with: ["text"] })
        for (const text of [words.askAudio, words.askVideo, words.askBoth, words.tryText])
          assert.notInclude(written, text)
      }),
    )

    it.effect.each([
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ])("keeps Stop inside the window while it records ($width)", (viewport) =>
      Effect.gen(function* () {
        const { page } = yield* atQuestion()
        yield* Effect.promise(async () => {
          await page.setViewportSize(viewport)
          await page.emulateMedia({ colorScheme: "dark" })
          for (const kind of ["audio", "video"] as const) {
            await startRecording(page, kind)
            await page.getByRole("status").filter({ hasText: words.heard }).waitFor()
            await assertInside(page)
            assert.isFalse(await page.getByText(words.consent.slice(20, 60)).isVisible())
            assert.isFalse(await page.getByText(words.typeInstead).isVisible())
            assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
            assert.deepStrictEqual(await violations(page), [])
            const shown = page.waitForEvent("load")
            await page.keyboard.press("Enter")
            await shown
            await saved(page)
            assert.deepStrictEqual(await violations(page), [])
          }
        })
      }),
    )

    it.effect("says that a new recording replaces the saved one and a text is added, and folds the consent", () =>
      Effect.gen(function* () {
        const { page } = yield* atQuestion({ takes: 3 })
        yield* Effect.promise(async () => {
          await startRecording(page)
          await page.waitForTimeout(500)
          await page.getByRole("button", { name: words.stop }).click()
          await saved(page)
          await page.getByText(`${words.replaces} You can record 2 more times`).waitFor()
          const consent = page.getByText(words.consent.slice(20, 60))
          assert.isFalse(await consent.isVisible())
          await page.getByText(words.consentTitle).click()
          await consent.waitFor()
          assert.isFalse(await page.getByRole("textbox").isVisible())
          await page.getByText(words.addText).click()
          await page.getByText(words.adds).waitFor()
          await page.getByRole("textbox").fill("It was in 2024.")
          await page.getByRole("button", { name: "Next" }).click()
          await page.waitForURL(/questions\/2$/)
          await steps.review(page)
          await page.getByText("It was in 2024.").waitFor()
          assert.isAtMost(Number(await page.evaluate(`document.querySelector(".recorded").offsetHeight`)), 192)
          await page.goBack()
          await page.goto(page.url().replace(/questions.*$/, "questions/1"))
          // the field is open, because it has a text
          assert.isTrue(await page.getByRole("textbox").isVisible())
          await page.getByRole("button", { name: words.remove }).click()
          await page.getByRole("button", { name: words.video }).waitFor()
        })
      }),
    )

    it.effect(
      "plays to members at the speed that they choose, without moving the page, and marks what is too long",
      () =>
        Effect.gen(function* () {
          const { candidate, page, token } = yield* atQuestion({ max_seconds: 10 })
          yield* Effect.promise(async () => {
            await startRecording(page, "video")
            await page.waitForTimeout(1_500)
            await page.getByRole("button", { name: words.stop }).click()
            await saved(page)
          })
          yield* (yield* Interviews).finish(token, [])
          yield* work
          const { sql } = yield* Database
          yield* sql`update recording set seconds = 65 where submission_id = ${candidate.subject.submission_id}::uuid`
          const email = "maya@nordlicht.example"
          yield* Workspace.member(candidate.organization, email)
          const workspace = yield* stage.signedIn(email, `/submissions/${candidate.subject.submission_id}`)
          const play = `(async () => {
          const player = document.querySelector("video.recorded")
          player.muted = true
          await player.play()
          return player.playbackRate
        })()`
          yield* Effect.promise(async () => {
            await workspace.getByText("1:05 – longer than the 0:10 that the question allows").waitFor()
            const player = workspace.locator("video.recorded")
            const before = await player.boundingBox()
            assert.strictEqual(await workspace.evaluate(play), 1)
            assert.deepStrictEqual(await player.boundingBox(), before)
            assert.approximately((before?.width ?? 0) / (before?.height ?? 1), 4 / 3, 0.01)
            const faster = workspace.getByRole("button", { name: "1.5×" })
            await faster.focus()
            await workspace.keyboard.press("Enter")
            assert.strictEqual(await faster.getAttribute("aria-pressed"), "true")
            assert.strictEqual(await workspace.evaluate(play), 1.5)
            assert.deepStrictEqual(await violations(workspace), [])
            // also after the page was loaded again
            await workspace.reload()
            assert.strictEqual(await workspace.evaluate(play), 1.5)
          })
        }),
    )

    it.effect("says so when the device was unplugged before the recording began, and records again", () =>
      Effect.gen(function* () {
        const { page } = yield* atQuestion()
        yield* Effect.promise(async () => {
          await page.evaluate(`(() => {
            const { start } = MediaRecorder.prototype
            MediaRecorder.prototype.start = function () {
              MediaRecorder.prototype.start = start
              throw new DOMException("the tracks have ended", "NotSupportedError")
            }
          })()`)
          await page.getByRole("button", { name: words.audio }).click()
          await page.getByRole("alert").filter({ hasText: words.noDevice }).waitFor()
          assert.strictEqual(await kept(page), 0)
          await startRecording(page)
          await page.waitForTimeout(1_200)
          await page.getByRole("button", { name: words.stop }).click()
          await saved(page)
        })
      }),
    )

    it.effect.each([false, true])(
      "shows a new text about recordings before it records, and keeps what is typed; after a recording: %s",
      (isLater) =>
        Effect.gen(function* () {
          const { candidate, page } = yield* atQuestion({ answer_with: ["text", "audio"] })
          const { sql } = yield* Database
          const stopped = async () => {
            await page.waitForTimeout(1_200)
            await page.getByRole("button", { name: words.stop }).click()
          }
          if (isLater)
            yield* Effect.promise(async () => {
              await startRecording(page)
              await stopped()
              await saved(page)
            })
          yield* sql`
            insert into recording_consent (id, organization_id, language, text, created_at)
            values (gen_random_uuid(), ${candidate.organization}::int, 'en', 'We keep it for 30 days.', now())`
          yield* Effect.promise(async () => {
            const answer = page.locator(`textarea[name^="answer."]`)
            if (!(await answer.isVisible())) await page.getByText(isLater ? words.addText : words.typeInstead).click()
            await answer.fill("In addition")
            const button = page.getByRole("button", { name: isLater ? words.again : words.audio })
            await button.click()
            await page.getByRole("alert").filter({ hasText: words.consentChanged }).waitFor()
            assert.isTrue(await page.getByText("We keep it for 30 days.").isVisible())
            assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "We keep it for 30 days.")
            assert.strictEqual(await answer.inputValue(), "In addition")
            assert.deepStrictEqual(await violations(page), [])
            await button.click()
            await page.getByRole("timer").filter({ hasText: "Recording – " }).waitFor()
            await stopped()
            await saved(page)
            assert.strictEqual(await page.locator(`textarea[name^="answer."]`).inputValue(), "In addition")
          })
          const recorded = yield* sql`
            select c.text from recording r left join recording_consent c on c.id = r.consent_id
            where r.submission_id = ${candidate.subject.submission_id}::uuid`
          assert.sameDeepMembers(
            [...recorded],
            [...(isLater ? [{ text: null }] : []), { text: "We keep it for 30 days." }],
          )
        }),
    )

    it.effect("says that the interview has ended when it refuses a recording for that", () =>
      Effect.gen(function* () {
        const { page, token } = yield* atQuestion()
        yield* (yield* Interviews).finish(token, [])
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: words.audio }).click()
          await page.getByRole("alert").filter({ hasText: words.closed }).waitFor()
        })
      }),
    )

    it.effect.each([
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ])("is read from right to left in Arabic, and fits ($width)", (viewport) =>
      Effect.gen(function* () {
        const texts = catalogues.ar
        const candidate = yield* stage.candidate({ ...questions({ takes: 2 }), cfg_lingual_ids: [13] })
        const visit = yield* visitor({ locale: "ar", viewport })
        const assertFits = async (page: Page) => {
          assert.strictEqual(await page.getAttribute("html", "dir"), "rtl")
          assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
          assert.deepStrictEqual(await violations(page), [])
        }
        yield* Effect.promise(async () => {
          const page = await visit.newPage()
          await page.goto(candidate.link)
          await page.getByText(texts.spoken.askBoth).waitFor()
          // the full stop stands after the name, at its left
          const ends = await page.evaluate<
            ReadonlyArray<number>
          >(`[...document.querySelectorAll("section bdi")].map((name) => {
            const dot = document.createRange()
            dot.setStart(name.nextSibling, 0)
            dot.setEnd(name.nextSibling, 1)
            return name.getBoundingClientRect().left - dot.getBoundingClientRect().left
          })`)
          assert.isNotEmpty(ends)
          for (const end of ends) assert.isAtLeast(end, 0)
          const title = await page.evaluate<string>(`getComputedStyle(document.querySelector("h1")).textAlign`)
          assert.strictEqual(title, "right")
          await assertFits(page)
          await page.getByRole("button", { name: texts.spoken.tryBoth }).click()
          await page.getByRole("status").filter({ hasText: texts.spoken.heard }).waitFor()
          await assertFits(page)
          await page.locator("form.start button").click()
          await page.getByRole("button", { name: texts.spoken.video }).waitFor()
          await assertFits(page)
          await page.getByRole("button", { name: texts.spoken.video }).click()
          await page.getByRole("status").filter({ hasText: texts.spoken.heard }).waitFor()
          // Stop is at the end of the line
          const [stop, left] = await Promise.all([
            page.getByRole("button", { name: texts.spoken.stop }).boundingBox(),
            page.locator("[data-left]").boundingBox(),
          ])
          assert.isBelow(stop?.x ?? 0, left?.x ?? 0)
          await assertFits(page)
          const shown = page.waitForEvent("load")
          await page.getByRole("button", { name: texts.spoken.stop }).click()
          await shown
          await page.getByText(texts.spoken.keptShort).waitFor()
          await assertFits(page)
          await page.getByRole("link", { name: texts.page.reviewAndSubmit }).click()
          await page.getByRole("heading", { name: texts.page.yourAnswers, level: 2 }).waitFor()
          await assertFits(page)
        })
      }),
    )
  })
})
