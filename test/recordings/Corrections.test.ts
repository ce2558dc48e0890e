/** Candidates correct the transcripts of their recordings: nothing that they typed is lost, and no other text is stored. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { transcriptVersion } from "../../src/recordings/Correction.ts"
import { maxTranscriptLength } from "../../src/recordings/Transcript.ts"
import * as Settings from "../support/Settings.ts"
import { type Candidate, candidate, correct, record, request } from "./recording.ts"

const heard = "I ran a bank"

/** A candidate whose recording was transcribed. */
const speaker = Effect.gen(function* () {
  const ada = yield* candidate({ answer_with: ["text", "audio"] })
  const id = yield* record(ada)
  const { sql } = yield* Database
  yield* sql`
    update recording set state = 'done', due_at = null, segments = '[{"start": 0, "end": 1, "text": "I ran a bank"}]'
    where id = ${id}::uuid`
  return { ada, id }
})

const stored = Effect.fnUntraced(function* ({ spoken, subject }: Candidate) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ content: string | null; correction: string | null }>`
    select a.content, r.correction from answer a left join recording r on r.id = a.recording_id
    where a.submission_id = ${subject.submission_id}::uuid and a.question_id = ${spoken}::uuid`
  return row
})

interface Typed {
  readonly transcript: string
  readonly known: string
  readonly text?: string
  readonly go?: string
}

/** The form of the page, as browsers send it without scripts. */
const sendForm = ({ spoken, token }: Candidate, id: string, { go = "next", known, text, transcript }: Typed) => {
  const form = new FormData()
  form.set("question", spoken)
  form.set("attempt", "1")
  form.set(`known.${id}`, known)
  form.set(`transcript.${id}`, transcript)
  if (text !== undefined) form.set(`answer.${spoken}`, text)
  form.set(`consent.${spoken}`, "")
  form.set("go", go)
  return Effect.map(
    request(`/i/${token}/answers`, { method: "POST", headers: { accept: "text/html" }, body: form }),
    ({ body, headers, status }) => ({ status, text: body.toString(), location: headers.get("location") }),
  )
}

const fieldOf = (page: string): string | undefined =>
  /<textarea name="transcript\.[^>]*>\n([^<]*)<\/textarea>/.exec(page)?.[1]
const knownOf = (page: string): string => /name="known\.[^"]*" value="([^"]*)"/.exec(page)?.[1] ?? ""

layer(Settings.layer())("corrections of a transcript", (it) => {
  it.effect("are stored with the answer, by the script or with the form", () =>
    Effect.gen(function* () {
      const { ada, id } = yield* speaker
      const page = (yield* request(`/i/${ada.token}/questions/1`, { headers: { accept: "text/html" } })).body.toString()
      assert.strictEqual(fieldOf(page), heard)
      const first = yield* correct(ada, id, { transcript: "I ran a bakery", known: knownOf(page) })
      const { known } = JSON.parse(first.body.toString())
      assert.deepStrictEqual([first.status, known], [200, transcriptVersion("I ran a bakery")])
      // its response was lost
      assert.strictEqual((yield* correct(ada, id, { transcript: "I ran a bakery", known: knownOf(page) })).status, 200)
      const sent = yield* sendForm(ada, id, { transcript: "I ran\r\ntwo bakeries ", known, text: "In addition" })
      assert.deepStrictEqual([sent.status, sent.location], [303, `/i/${ada.token}/questions/2`])
      assert.deepStrictEqual(yield* stored(ada), { content: "In addition", correction: "I ran\ntwo bakeries" })
      // without a file and without a change
      const again = { transcript: "I ran\r\ntwo bakeries", known: transcriptVersion("I ran\ntwo bakeries"), go: "stay" }
      const stay = yield* sendForm(ada, id, { ...again, text: "More" })
      assert.deepStrictEqual([stay.status, stay.location], [303, `/i/${ada.token}/questions/1?saved`])
      assert.strictEqual((yield* sendForm(ada, id, { ...again, go: "record" })).status, 422)
      // blank: the transcript again
      yield* sendForm(ada, id, { ...again, transcript: "  " })
      assert.deepStrictEqual(yield* stored(ada), { content: "More", correction: null })
    }),
  )

  it.effect("do not replace what another window saved: both are shown", () =>
    Effect.gen(function* () {
      const { ada, id } = yield* speaker
      const known = transcriptVersion(heard)
      yield* correct(ada, id, { transcript: "I ran a bakery", known })
      const second = yield* correct(ada, id, { transcript: "I ran a brewery", known })
      assert.strictEqual(second.status, 412)
      const newer = { known: transcriptVersion("I ran a bakery"), text: "I ran a bakery" }
      assert.deepStrictEqual(JSON.parse(second.body.toString()), newer)
      const form = { transcript: "I ran a <brewery>", known, text: "In addition" }
      const both = yield* sendForm(ada, id, form)
      assert.strictEqual(both.status, 412)
      assert.include(both.text, "You changed this answer in another window or on another device.")
      assert.include(both.text, ">I ran a bakery</div>")
      assert.strictEqual(fieldOf(both.text), "I ran a &lt;brewery&gt;")
      assert.deepStrictEqual(yield* stored(ada), { content: "In addition", correction: "I ran a bakery" })
      // a window with the old transcript that changes only the answer
      yield* sendForm(ada, id, { transcript: heard, known, text: "More" })
      assert.deepStrictEqual(yield* stored(ada), { content: "More", correction: "I ran a bakery" })
      const chosen = yield* sendForm(ada, id, { ...form, known: knownOf(both.text) })
      assert.strictEqual(chosen.status, 303)
      assert.deepStrictEqual(yield* stored(ada), { content: "In addition", correction: "I ran a <brewery>" })
    }),
  )

  it.effect("have at most 100,000 characters; longer ones are refused and shown again", () =>
    Effect.gen(function* () {
      const { ada, id } = yield* speaker
      const known = transcriptVersion(heard)
      const longest = "語".repeat(maxTranscriptLength)
      const json = yield* correct(ada, id, { transcript: `${longest}.`, known })
      assert.strictEqual(json.status, 422)
      assert.include(json.body.toString(), "it has 100,001 characters, and at most 100,000 can be kept")
      const page = yield* sendForm(ada, id, { transcript: `${longest}.`, known, text: "In addition" })
      assert.strictEqual(page.status, 422)
      assert.strictEqual(fieldOf(page.text), `${longest}.`)
      assert.strictEqual(knownOf(page.text), known)
      assert.deepStrictEqual(yield* stored(ada), { content: "In addition", correction: null })
      assert.strictEqual((yield* sendForm(ada, id, { transcript: longest, known })).status, 303)
      assert.strictEqual((yield* stored(ada))?.correction, longest)
      const emoji = "🎤".repeat(maxTranscriptLength)
      assert.strictEqual(
        (yield* correct(ada, id, { transcript: emoji, known: transcriptVersion(longest) })).status,
        200,
      )
      assert.strictEqual((yield* stored(ada))?.correction, emoji)
    }),
  )

  it.effect("are stored without what Postgres does not store", () =>
    Effect.gen(function* () {
      const { ada, id } = yield* speaker
      const known = transcriptVersion(heard)
      const first = yield* correct(ada, id, { transcript: "I\0 ran <b>a\uD800 bakery", known })
      assert.strictEqual(first.status, 200)
      assert.strictEqual((yield* stored(ada))?.correction, "I ran <b>a\uFFFD bakery")
      // the page's text is the stored one
      const same = { transcript: "I ran <b>a\uFFFD bakery\0", known: JSON.parse(first.body.toString()).known }
      assert.strictEqual((yield* sendForm(ada, id, { ...same, transcript: "\0" })).status, 303)
      assert.strictEqual((yield* stored(ada))?.correction, null)
    }),
  )

  it.effect("that come too late, or whose recording was replaced, are shown again", () =>
    Effect.gen(function* () {
      const { ada, id } = yield* speaker
      const known = transcriptVersion(heard)
      const next = yield* record(ada)
      const replaced = yield* sendForm(ada, id, { transcript: "I ran a bakery", known })
      assert.strictEqual(replaced.status, 409)
      assert.include(replaced.text, ">I ran a bakery</div>")
      assert.strictEqual((yield* correct(ada, id, { transcript: "I ran a bakery", known })).status, 404)
      assert.strictEqual((yield* correct(ada, next, { transcript: "x", known })).status, 404, "it has no transcript")
      const eve = yield* speaker
      assert.strictEqual((yield* correct(eve.ada, id, { transcript: "x", known })).status, 404)
      yield* (yield* Interviews).finish(eve.ada.token, [])
      const late = yield* sendForm(eve.ada, eve.id, { transcript: "I ran a bakery", known })
      assert.strictEqual(late.status, 409)
      assert.include(late.text, ">I ran a bakery</div>")
      assert.strictEqual((yield* correct(eve.ada, eve.id, { transcript: "I ran a bakery", known })).status, 409)
      assert.strictEqual((yield* stored(eve.ada))?.correction, null)
    }),
  )
})
