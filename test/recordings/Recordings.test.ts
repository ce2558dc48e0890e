/** Spoken answers over HTTP: pieces, takes, playback, the job that stores and transcribes, and the evaluation that waits. */
import { connect } from "node:net"
import { assert, it as vitest } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema, type Scope, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import * as Client from "../../src/Client.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { spokenLimits } from "../../src/interview-sets/QuestionRules.ts"
import { maxText } from "../../src/interviews/AnswerForm.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { transcriptVersion } from "../../src/recordings/Correction.ts"
import { maxBytesOf, maxEmpty, maxPieceBytes, maxPieces, receivedPieceBytes } from "../../src/recordings/Recording.ts"
import { RecordingQueue } from "../../src/recordings/RecordingQueue.ts"
import { Recordings } from "../../src/recordings/Recordings.ts"
import { type Speech, type SpeechTranscriber, TranscriberUnavailable } from "../../src/recordings/Transcriber.ts"
import { createClient } from "../../src/sdk/SdkClient.ts"
import { joined } from "../../src/values/Bytes.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import { keyOf, paths, type Row, results, Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as Workspace from "../support/Workspace.ts"
import {
  begin,
  begun,
  type Candidate,
  candidate,
  correct,
  end,
  piecesOf,
  play,
  record,
  request,
  sample,
  samples,
  sendPiece,
} from "./recording.ts"

const servedWith = ({ settings, ...ports }: Pod.Ports) =>
  Server.layer.pipe(
    Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
    Layer.provideMerge(Pod.layer({ ...ports, settings: { PORT: "0", ...settings } })),
  )
const served = servedWith({})

const it = {
  effect: <E>(
    name: string,
    test: () => Effect.Effect<void, E, Layer.Success<typeof served> | Scope.Scope>,
    ports?: Pod.Ports,
  ) =>
    vitest.effect(name, () =>
      Effect.provide(Effect.scoped(test()), ports === undefined ? served : servedWith(ports), { local: true }),
    ),
}

const rowOf = Effect.fnUntraced(function* (id: string) {
  const { sql } = yield* Database
  const [row] = yield* sql<{
    state: string
    content_type: string | null
    seconds: number | null
    error: string | null
    is_stored: boolean
    pieces: number
    transcript: string | null
    transcript_error: string | null
    is_discarded: boolean
    is_answer: boolean
  }>`
    select state, content_type, seconds::float8, error, blob_id is not null as is_stored,
      (select count(*)::int from recording_piece p where p.recording_id = r.id) as pieces,
      spoken_text(correction, segments) as transcript, transcript_error, discarded_at is not null as is_discarded,
      exists (select from answer a where a.recording_id = r.id) as is_answer
    from recording r where id = ${id}::uuid`
  return yield* Effect.fromNullishOr(row)
})

const work = Effect.flatMap(RecordingQueue, ({ queue }) => runOnce(queue))

/** A signed-in owner, and the page of the candidate's submission. */
const memberOf = Effect.fnUntraced(function* ({ organization, subject }: Candidate) {
  const email = `grace-${subject.submission_id}@example.com`
  yield* Workspace.member(organization, email)
  const { cookie } = yield* Workspace.signIn(email)
  return { cookie, base: `/submissions/${subject.submission_id}` }
})

/** Says what it heard, as a transcriber would. */
const transcribing = (heard: Array<Speech & { readonly bytes: number }>): Pod.Ports => ({
  transcribe: (speech) =>
    Effect.gen(function* () {
      const bytes = joined(yield* Stream.runCollect(speech.content)).length
      heard.push({ ...speech, bytes })
      return {
        language: "en",
        segments: [
          { start: 0, end: 1.5, text: " I ran a billing system " },
          { start: 1.5, end: 3, text: "for four years." },
        ],
      }
    }),
})

it.effect("stores a recording that arrived in pieces, and plays it in ranges", () =>
  Effect.gen(function* () {
    const ada = yield* candidate()
    const content = sample("audio.webm")
    const id = yield* record(ada, content)
    const before = yield* play(ada, id)
    assert.strictEqual(before.status, 200)
    assert.isTrue(before.body.equals(content), "before it is stored")
    assert.strictEqual(yield* work, 1)
    const stored = yield* rowOf(id)
    assert.deepInclude(stored, {
      state: "done",
      content_type: "audio/webm",
      error: null,
      is_stored: true,
      pieces: 0,
      is_answer: true,
    })
    assert.approximately(stored.seconds ?? 0, 3.1, 0.4)
    const whole = yield* play(ada, id)
    assert.strictEqual(whole.headers.get("accept-ranges"), "bytes")
    assert.strictEqual(whole.headers.get("content-type"), "audio/webm")
    const size = whole.body.length
    for (const [range, status, contentRange, bytes] of [
      ["bytes=0-99", 206, `bytes 0-99/${size}`, whole.body.subarray(0, 100)],
      ["bytes=1000-", 206, `bytes 1000-${size - 1}/${size}`, whole.body.subarray(1000)],
      ["bytes=-10", 206, `bytes ${size - 10}-${size - 1}/${size}`, whole.body.subarray(-10)],
      [`bytes=${size}-`, 416, `bytes */${size}`, Buffer.alloc(0)],
      ["bytes=5-2", 200, null, whole.body],
      ["bytes=0-1,5-6", 200, null, whole.body],
    ] as const) {
      const part = yield* play(ada, id, { range })
      assert.strictEqual(part.status, status, range)
      assert.strictEqual(part.headers.get("content-range"), contentRange, range)
      assert.isTrue(part.body.equals(bytes), range)
    }
  }),
)

const heardOf: Array<Speech & { readonly bytes: number }> = []

it.effect(
  "stores, measures and transcribes what each browser records",
  () =>
    Effect.gen(function* () {
      for (const name of samples) {
        const kind = name.includes("video") ? "video" : "audio"
        const ada = yield* candidate({ answer_with: [kind] })
        const id = yield* record(ada, sample(name), kind)
        assert.strictEqual(yield* work, 1)
        const row = yield* rowOf(id)
        assert.deepInclude(
          row,
          { state: "done", error: null, transcript_error: null, pieces: 0, is_stored: true },
          name,
        )
        assert.approximately(row.seconds ?? 0, 3.1, 0.4, name)
        assert.isNotNull(row.transcript, name)
        const played = yield* play(ada, id, { range: "bytes=0-9" })
        assert.strictEqual(played.status, 206, name)
        const container = name.split(".").at(-1)
        assert.strictEqual(played.headers.get("content-type"), `${kind}/${container}`, name)
        // the sound alone
        const { bytes, contentType } = heardOf.at(-1) ?? assert.fail()
        assert.match(contentType, /^audio\//, name)
        if (kind === "video") assert.isBelow(bytes, sample(name).length, name)
      }
    }),
  transcribing(heardOf),
)

it.effect("gives many pieces to the process that reads them, and leaves no listener of each on its input", () =>
  Effect.gen(function* () {
    const warnings: Array<string> = []
    const note = ({ message }: Error) => void warnings.push(message)
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("warning", note)),
      () => Effect.sync(() => process.off("warning", note)),
    )
    const ada = yield* candidate()
    const id = yield* begun(ada)
    // each is larger than the pipe, so that the next one waits until the process has read it
    const content = wav(24)
    const pieces = Array.from({ length: 20 }, (_, at) => content.subarray(at * 200_000, (at + 1) * 200_000))
    for (const [at, bytes] of pieces.entries()) assert.strictEqual((yield* sendPiece(ada, id, at, bytes)).status, 200)
    assert.strictEqual((yield* end(ada, id, pieces.length)).status, 200)
    assert.strictEqual(yield* work, 1)
    assert.strictEqual((yield* rowOf(id)).state, "done")
    assert.notInclude(warnings.join(), "listeners added")
  }),
)

it.effect("takes pieces twice and in any order, and names those that are missing", () =>
  Effect.gen(function* () {
    const ada = yield* candidate()
    const pieces = piecesOf(sample("video.webm"))
    const id = yield* begun(ada, "video")
    const last = pieces.length - 1
    for (const at of [last, 0, 2, 0])
      assert.strictEqual((yield* sendPiece(ada, id, at, pieces[at] ?? Buffer.alloc(0))).status, 200)
    const early = yield* end(ada, id, pieces.length)
    assert.strictEqual(early.status, 409)
    const missing = pieces.flatMap((_, at) => (at === 0 || at === 2 || at === last ? [] : [at]))
    assert.deepStrictEqual(JSON.parse(early.body.toString()), { reason: "missing", ordinals: missing })
    const other = yield* sendPiece(ada, id, 2, Buffer.from("something else"))
    assert.deepStrictEqual([other.status, other.body.toString()], [409, '{"reason":"conflict"}'])
    for (const at of missing) yield* sendPiece(ada, id, at, pieces[at] ?? Buffer.alloc(0))
    assert.strictEqual((yield* end(ada, id, pieces.length)).status, 200)
    assert.strictEqual((yield* end(ada, id, pieces.length)).status, 200, "repeated")
    assert.isTrue((yield* play(ada, id)).body.equals(sample("video.webm")))
    const late = yield* sendPiece(ada, id, pieces.length, Buffer.from("late"))
    assert.deepStrictEqual([late.status, late.body.toString()], [409, '{"reason":"ended"}'])
  }),
)

it.effect("refuses what is no recording of the kind, pieces that are too large, and other people's recordings", () =>
  Effect.gen(function* () {
    const [ada, eve] = [yield* candidate(), yield* candidate({ answer_with: ["audio"], max_seconds: 10 })]
    const id = yield* begun(ada)
    for (const [content, status, reason] of [
      [Buffer.from("%PDF-1.7 is no sound"), 415, "type"],
      [Buffer.alloc(0), 413, "too_large"],
      [Buffer.alloc(maxPieceBytes + 1), 413, undefined],
    ] as const) {
      const answer = yield* sendPiece(ada, id, 0, content)
      assert.strictEqual(answer.status, status)
      if (reason !== undefined) assert.deepStrictEqual(JSON.parse(answer.body.toString()), { reason })
    }
    // an Ogg holds no picture
    const video = yield* begun(ada, "video")
    assert.strictEqual((yield* sendPiece(ada, video, 0, Buffer.from("OggS\0\x02"))).status, 415)
    assert.strictEqual((yield* sendPiece(ada, id, maxPieces - 1, sample("audio.webm"))).status, 200)
    for (const ordinal of [maxPieces, 1e15])
      assert.strictEqual((yield* sendPiece(ada, id, ordinal, sample("audio.webm"))).status, 413)
    assert.strictEqual((yield* end(ada, id, maxPieces + 1)).status, 404)
    for (const ordinal of ["-1", "1.5", "x"])
      assert.strictEqual((yield* sendPiece(ada, id, ordinal, Buffer.from("a"))).status, 404)
    assert.strictEqual((yield* sendPiece(eve, id, 0, sample("audio.webm"))).status, 404)
    assert.strictEqual((yield* end(eve, id, 0)).status, 404)
    assert.strictEqual((yield* play(eve, id)).status, 404)
    assert.strictEqual((yield* begin(eve, "video")).status, 404, "the question allows sound only")
    assert.strictEqual((yield* begin(ada, "audio", ada.written)).status, 404, "the question is answered in writing")
    // ten seconds of sound have at most 2.5 MB
    const long = yield* begun(eve)
    const first = Buffer.concat([sample("audio.webm"), Buffer.alloc(maxPieceBytes - 100_000)])
    const statuses: Array<number> = []
    for (const at of [0, 1, 2, 3]) statuses.push((yield* sendPiece(eve, long, at, first)).status)
    assert.deepStrictEqual(statuses, [200, 200, 413, 413])
  }),
)

vitest("takes the largest recording in its pieces, also where the operator allows any size", () => {
  const largest = maxBytesOf("video", spokenLimits.max_seconds.most, Number.POSITIVE_INFINITY, null)
  assert.isAtLeast(maxPieces * receivedPieceBytes, largest)
})

it.effect("counts takes, replaces the earlier one, and removes one", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["text", "audio"], takes: 2 })
    const question = request(`/i/${ada.token}/questions/1`, { headers: { accept: "text/html" } })
    const consent = "Your face, your voice and your emotions are not analysed."
    assert.include((yield* question).body.toString(), consent)
    const unused = yield* begun(ada)
    const first = yield* record(ada)
    yield* work
    const second = yield* record(ada)
    assert.deepInclude(yield* rowOf(first), { is_discarded: true, is_stored: false, pieces: 0, is_answer: false })
    assert.deepInclude(yield* rowOf(second), { is_discarded: false, is_answer: true })
    const third = yield* begin(ada)
    assert.deepStrictEqual([third.status, third.body.toString()], [409, '{"reason":"takes"}'])
    const { sql } = yield* Database
    assert.lengthOf(yield* sql`select from blob b where not exists (select from recording r where r.blob_id = b.id)`, 0)
    const page = yield* question
    assert.include(page.body.toString(), "You have used all recordings of this question.")
    const removed = yield* request(`/i/${ada.token}/recordings/remove`, {
      method: "POST",
      headers: { accept: "text/html" },
      body: new URLSearchParams({ question: ada.spoken, attempt: "1", page: "questions/1" }),
    })
    assert.deepStrictEqual([removed.status, removed.headers.get("location")], [303, `/i/${ada.token}/questions/1`])
    assert.deepInclude(yield* rowOf(second), { is_discarded: true, is_answer: false })
    assert.strictEqual((yield* rowOf(unused)).state, "recording")
    assert.strictEqual((yield* end(ada, unused, 0)).status, 200)
    assert.lengthOf(yield* sql`select from recording where id = ${unused}::uuid`, 0)
  }),
)

/** Sends the form of a browser that does not record, with a chosen file. */
const sendFile = ({ spoken, token }: Candidate, content: Buffer, accept = "text/html", attempt = "1") => {
  const form = new FormData()
  form.set("question", spoken)
  form.set("attempt", attempt)
  form.set("go", "stay")
  form.set(`consent.${spoken}`, "")
  form.set(`recording.${spoken}`, new Blob([new Uint8Array(content)]), "answer.bin")
  return request(`/i/${token}/answers`, { method: "POST", headers: { accept }, body: form })
}

const recordingsOf = Effect.fnUntraced(function* ({ subject }: Candidate) {
  const { sql } = yield* Database
  return yield* sql<{ id: string; state: string }>`
    select id, state from recording where submission_id = ${subject.submission_id}::uuid`
})

const finish = Effect.fnUntraced(function* ({ token }: Candidate) {
  yield* (yield* Interviews).finish(token, [])
})

it.effect(
  "goes on without scripts and without a chosen file, and stores the longest text that is typed beside it",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["text", "audio"] })
      const typed = "ä".repeat(maxText)
      const fields = { attempt: "1", question: ada.spoken, [`answer.${ada.spoken}`]: typed }
      const part = (disposition: string, value: string) =>
        `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
      const body = [
        ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
        // as browsers send an input without a file
        part(`name="recording.${ada.spoken}"; filename=""\r\nContent-Type: application/octet-stream`, ""),
        part('name="go"', "next"),
        "--edge--\r\n",
      ].join("")
      const saved = yield* request(`/i/${ada.token}/answers`, {
        method: "POST",
        headers: { accept: "text/html", "content-type": "multipart/form-data; boundary=edge" },
        body,
      })
      assert.strictEqual(saved.status, 303)
      assert.strictEqual(saved.headers.get("location"), `/i/${ada.token}/questions/2`)
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select content from answer where question_id = ${ada.spoken}::uuid`, [
        { content: typed },
      ])
    }),
)

it.effect("takes a chosen file from a browser that does not record", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio", "video"], takes: 1 })
    const send = (content: Buffer) => sendFile(ada, content)
    const refused = yield* send(Buffer.from("MZ is a program"))
    assert.strictEqual(refused.status, 422)
    assert.include(refused.body.toString(), "The recording could not be saved.")
    assert.strictEqual((yield* send(sample("video.mp4"))).status, 303)
    yield* work
    const { sql } = yield* Database
    const [row] = yield* sql<{ id: string; kind: string }>`select id, kind from recording where ended_at is not null`
    assert.strictEqual(row?.kind, "video")
    assert.isTrue((yield* play(ada, row?.id ?? "")).body.equals(sample("video.mp4")))
    assert.strictEqual((yield* send(sample("audio.mp4"))).status, 422, "it was the only one")
  }),
)

const heard: Array<Speech & { readonly bytes: number }> = []
it.effect(
  "evaluates the transcript, sends the sound of a video only, and keeps a candidate's correction",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["video"] })
      const id = yield* record(ada, sample("video.webm"), "video")
      yield* work
      assert.deepInclude(yield* rowOf(id), {
        transcript: "I ran a billing system for four years.",
        content_type: "video/webm",
      })
      assert.deepInclude(heard[0], { contentType: "audio/webm", language: null })
      assert.isBelow(heard[0]?.bytes ?? 0, sample("video.webm").length / 2)
      const known = transcriptVersion("I ran a billing system for four years.")
      const corrected = yield* correct(ada, id, { transcript: "I ran a billing system for five years.", known })
      assert.strictEqual(corrected.status, 200)
      yield* (yield* Interviews).finish(ada.token, [])
      assert.strictEqual(yield* runOnce((yield* EvaluationQueue).queue), 1)
      const { sql } = yield* Database
      const [row] = yield* sql<{ text: string }>`
        select input -> 'sources' -> 0 ->> 'text' as text from evaluation where state = 'done'`
      assert.strictEqual(row?.text, "I ran a billing system for five years.")
      const { base, cookie } = yield* memberOf(ada)
      const page = yield* request(base, { headers: { cookie, accept: "text/html" } })
      const html = page.body.toString()
      assert.include(html, `src="${base}/recordings/${id}"`)
      assert.include(html, "The candidate corrected the transcript.")
      const captions = yield* request(`${base}/recordings/${id}/captions`, { headers: { cookie } })
      assert.strictEqual(
        captions.body.toString(),
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nI ran a billing system\n\n00:00:01.500 --> 00:00:03.000\nfor four years.\n\n",
      )
      const part = yield* request(`${base}/recordings/${id}`, { headers: { cookie, range: "bytes=0-9" } })
      assert.deepStrictEqual([part.status, part.body.length], [206, 10])
      // another organization's member
      const eve = yield* memberOf(yield* candidate())
      for (const path of ["", "/captions"])
        assert.strictEqual(
          (yield* request(`${base}/recordings/${id}${path}`, { headers: { cookie: eve.cookie } })).status,
          404,
        )
    }),
  transcribing(heard),
)

it.effect(
  "evaluates once the last recording is transcribed, also one that the candidate never ended",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["audio"] })
      const id = yield* begun(ada)
      const pieces = piecesOf(sample("audio.webm"))
      for (const [at, bytes] of pieces.entries()) yield* sendPiece(ada, id, at, bytes)
      yield* (yield* Interviews).finish(ada.token, [])
      const evaluations = (yield* EvaluationQueue).queue
      assert.strictEqual(yield* runOnce(evaluations), 0, "it waits")
      const { endIdle } = yield* Recordings
      assert.strictEqual(yield* endIdle, 0)
      yield* TestClock.adjust("3 minutes")
      assert.strictEqual(yield* endIdle, 1)
      assert.strictEqual(yield* work, 1)
      assert.deepInclude(yield* rowOf(id), {
        state: "done",
        is_answer: true,
        transcript: "I ran a billing system for four years.",
      })
      assert.strictEqual(yield* runOnce(evaluations), 1)
    }),
  transcribing([]),
)

const failing: { reply: SpeechTranscriber["transcribe"] } = {
  reply: () => Effect.fail(new TranscriberUnavailable({ reason: "it is away", retryable: true })),
}
it.effect(
  "retries while the transcriber is away, then evaluates with a warning",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["audio"] })
      const id = yield* record(ada)
      yield* (yield* Interviews).finish(ada.token, [])
      assert.strictEqual(yield* work, 1)
      assert.deepInclude(yield* rowOf(id), {
        state: "queued",
        is_stored: true,
        pieces: 0,
        transcript_error: "it is away",
      })
      assert.strictEqual(yield* work, 0)
      failing.reply = () => Effect.fail(new TranscriberUnavailable({ reason: "it refused the key", retryable: false }))
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* work, 1)
      assert.deepInclude(yield* rowOf(id), { state: "done", transcript: null, transcript_error: "it refused the key" })
      assert.strictEqual(yield* runOnce((yield* EvaluationQueue).queue), 1)
      const { sql } = yield* Database
      const [row] = yield* sql<{ warnings: string; criteria: string }>`
        select result ->> 'warnings' as warnings, result ->> 'criteria' as criteria from evaluation where state = 'done'`
      assert.include(row?.warnings, "listen to them")
      assert.include(row?.criteria, "The answers are recordings without a transcript. Listen to them.")
    }),
  { transcribe: (speech) => failing.reply(speech) },
)

it.effect("stores no chosen file before the start, for another attempt, after submitting and after an erasure", () =>
  Effect.gen(function* () {
    const early = yield* candidate()
    const { sql } = yield* Database
    yield* sql`update submission set status = 'initiated', started_at = null where id = ${early.subject.submission_id}::uuid`
    assert.strictEqual((yield* sendFile(early, sample("audio.webm"))).status, 409)
    assert.isEmpty(yield* recordingsOf(early))

    const ada = yield* candidate()
    const refused = yield* sendFile(ada, sample("audio.mp4"), "application/json", "2")
    assert.deepStrictEqual([refused.status, refused.body.toString()], [409, '{"state":"completed"}'])
    assert.isEmpty(yield* recordingsOf(ada))
    const id = yield* record(ada)
    yield* finish(ada)
    for (const status of ["completed", "evaluated"]) {
      yield* sql`update submission set status = ${status} where id = ${ada.subject.submission_id}::uuid`
      const late = yield* sendFile(ada, sample("video.mp4"), "application/json")
      assert.deepStrictEqual([late.status, late.body.toString()], [409, '{"state":"completed"}'], status)
      assert.isTrue((yield* play(ada, id)).body.equals(sample("audio.webm")), status)
      assert.lengthOf(yield* recordingsOf(ada), 1, status)
    }

    const bo = yield* candidate()
    const begunBefore = yield* begun(bo)
    yield* (yield* People).erase(operator(bo.organization), CandidateId.make(bo.subject.candidate_id))
    yield* sql`update submission set status = 'started' where id = ${bo.subject.submission_id}::uuid`
    for (const status of [
      (yield* sendFile(bo, sample("audio.webm"), "application/json")).status,
      (yield* begin(bo)).status,
      (yield* sendPiece(bo, begunBefore, 0, sample("audio.webm"))).status,
    ])
      assert.include([404, 409], status)
    assert.isEmpty(yield* recordingsOf(bo))
  }),
)

it.effect("keeps the submitted recording when another one that was begun before arrives after it", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio"] })
    const id = yield* record(ada)
    const other = yield* begun(ada)
    assert.strictEqual((yield* sendPiece(ada, other, 0, sample("audio.webm"))).status, 200)
    yield* finish(ada)
    for (const answer of [yield* sendPiece(ada, other, 1, Buffer.from("more")), yield* end(ada, other, 1)])
      assert.deepStrictEqual([answer.status, answer.body.toString()], [409, '{"reason":"ended"}'])
    assert.deepInclude(yield* rowOf(id), { is_answer: true, is_discarded: false })
    assert.isTrue((yield* play(ada, id)).body.equals(sample("audio.webm")))
  }),
)

it.effect("takes the rest of the only recording until two minutes after submitting, and no longer", () =>
  Effect.gen(function* () {
    const [ada, bo] = [yield* candidate({ answer_with: ["audio"] }), yield* candidate({ answer_with: ["audio"] })]
    const pieces = piecesOf(sample("audio.webm"))
    const ids = [yield* begun(ada), yield* begun(bo)] as const
    for (const [at, by] of [ada, bo].entries()) {
      assert.strictEqual((yield* sendPiece(by, ids[at] ?? "", 0, pieces[0] ?? Buffer.alloc(0))).status, 200)
      yield* finish(by)
    }
    yield* TestClock.adjust("1 minute")
    for (const [at, bytes] of pieces.entries())
      assert.strictEqual((yield* sendPiece(ada, ids[0], at, bytes)).status, 200)
    assert.strictEqual((yield* sendPiece(bo, ids[1], 1, pieces[1] ?? Buffer.alloc(0))).status, 200)
    assert.strictEqual((yield* end(ada, ids[0], pieces.length)).status, 200)
    assert.deepInclude(yield* rowOf(ids[0]), { is_answer: true })
    assert.strictEqual((yield* begin(ada)).status, 409)
    // a new piece each minute does not keep it open
    yield* TestClock.adjust("1 minute")
    for (const answer of [yield* sendPiece(bo, ids[1], 2, pieces[2] ?? Buffer.alloc(0)), yield* end(bo, ids[1], 2)])
      assert.deepStrictEqual([answer.status, answer.body.toString()], [409, '{"reason":"ended"}'])
  }),
)

it.effect(
  "shows, plays, corrects and waits for a recording that a retake kept",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["audio"] }, { number_of_retakes: 1 })
      const id = yield* record(ada)
      yield* finish(ada)
      yield* (yield* Interviews).reopen(ada.token)
      assert.isTrue((yield* play(ada, id)).body.equals(sample("audio.webm")))
      yield* finish(ada)
      const evaluations = (yield* EvaluationQueue).queue
      assert.strictEqual(yield* runOnce(evaluations), 0, "it waits for the transcript")
      assert.strictEqual(yield* work, 1)
      assert.isAbove(yield* runOnce(evaluations), 0)
      const { base, cookie } = yield* memberOf(ada)
      const page = (yield* request(base, { headers: { cookie, accept: "text/html" } })).body.toString()
      const answer = page.slice(page.indexOf(`id="answer-2-${ada.spoken}"`))
      assert.isAbove(page.indexOf(`id="answer-2-${ada.spoken}"`), 0)
      assert.include(answer.slice(0, answer.indexOf("</article>")), `src="${base}/recordings/${id}"`)
      assert.notInclude(page, "Another take")
    }),
  transcribing([]),
)

it.effect(
  "corrects the transcript of a recording that a retake kept",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["audio"] }, { number_of_retakes: 1 })
      const id = yield* record(ada)
      yield* work
      yield* finish(ada)
      yield* (yield* Interviews).reopen(ada.token)
      const known = transcriptVersion("I ran a billing system for four years.")
      const corrected = yield* correct(ada, id, { transcript: "I ran it for five years.", known }, "2")
      assert.strictEqual(corrected.status, 200)
      assert.strictEqual((yield* rowOf(id)).transcript, "I ran it for five years.")
    }),
  transcribing([]),
)

/** Sound that is not compressed, of CD quality: 176,400 bytes a second. */
const wav = (seconds: number): Buffer => {
  const content = Buffer.alloc(44 + 176_400 * seconds)
  content.write("RIFF")
  content.write("WAVEfmt ", 8)
  return content
}

it.effect("keeps nothing of a chosen file that it refuses, which is no take, and takes uncompressed sound", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio"], takes: 1, max_seconds: 10 })
    assert.strictEqual((yield* sendFile(ada, wav(60))).status, 422)
    assert.isEmpty(yield* recordingsOf(ada))
    assert.strictEqual((yield* sendFile(ada, wav(30))).status, 303)
    assert.lengthOf(yield* recordingsOf(ada), 1)
  }),
)

it.effect("answers a piece that stalls so that the script sends it again", () =>
  Effect.gen(function* () {
    const ada = yield* candidate()
    const id = yield* begun(ada)
    const { url } = yield* Server
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.write(
      `POST /i/${ada.token}/recordings/${id}/pieces/0 HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 50000\r\n\r\n\x1a\x45`,
    )
    yield* Effect.repeat(Effect.andThen(TestClock.adjust("20 seconds"), rowOf(id)), { until: () => text !== "" })
    socket.destroy()
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.strictEqual((yield* sendPiece(ada, id, 0, sample("audio.webm"))).status, 200)
  }),
)

it.effect("refuses an upload by its announced length, before it arrives", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio"] })
    const id = yield* begun(ada)
    const { url } = yield* Server
    const { hostname, port } = new URL(url)
    const announce = (path: string, type: string, length: number) =>
      Effect.callback<string>((resume) => {
        const socket = connect(Number(port), hostname)
        socket.on("data", (chunk) => {
          socket.destroy()
          resume(Effect.succeed(String(chunk).slice(0, 12)))
        })
        const head = `host: ${hostname}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
        socket.write(`POST /i/${ada.token}/${path} HTTP/1.1\r\n${head}`)
      })
    const piece = yield* announce(`recordings/${id}/pieces/0`, "application/octet-stream", maxPieceBytes + 1)
    assert.strictEqual(piece, "HTTP/1.1 413")
    // less than RECORDING_MAX_SIZE, and more than three minutes of sound
    const file = yield* announce("answers", "multipart/form-data; boundary=x", 100_000_000)
    assert.strictEqual(file, "HTTP/1.1 413")
  }),
)

it.effect("limits the recordings of an interview that have begun without content", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio"] })
    const ids = yield* Effect.forEach(Array.from({ length: maxEmpty }), () => begun(ada))
    const refused = yield* begin(ada)
    assert.strictEqual(refused.status, 429)
    assert.include(refused.body.toString(), "10 recordings have begun without content.")
    assert.strictEqual((yield* sendPiece(ada, ids[0] ?? "", 0, sample("audio.webm"))).status, 200)
    assert.strictEqual((yield* begin(ada)).status, 201)
    assert.strictEqual((yield* begin(yield* candidate({ answer_with: ["audio"] }))).status, 201)
    yield* TestClock.adjust("16 minutes")
    yield* (yield* Recordings).endIdle
    assert.strictEqual((yield* begin(ada)).status, 201)
  }),
)

it.effect("marks a recording that is clearly longer than its question allows", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio"], max_seconds: 60 })
    const id = yield* record(ada)
    yield* work
    yield* (yield* Interviews).finish(ada.token, [])
    const { base, cookie } = yield* memberOf(ada)
    const { sql } = yield* Database
    const shown = Effect.fnUntraced(function* (seconds: number) {
      yield* sql`update recording set seconds = ${seconds} where id = ${id}::uuid`
      return (yield* request(base, { headers: { cookie, accept: "text/html" } })).body.toString()
    })
    // the browser stops late on a busy device
    assert.notInclude(yield* shown(90), "longer than")
    assert.include(yield* shown(91), "1:31 – longer than the 1:00 that the question allows")
  }),
)

const Checked = Schema.fromJsonString(
  Schema.Struct({
    checks: Schema.Struct({
      recordings: Schema.optionalKey(Schema.Struct({ status: Schema.String, detail: Schema.String })),
    }),
  }),
)

it.effect(
  "warns when the recordings in Postgres have more than the size of the setting",
  () =>
    Effect.gen(function* () {
      const { checkStorage } = yield* Recordings
      const check = Effect.map(
        request("/health/ready"),
        ({ body }) => Schema.decodeUnknownSync(Checked)(body.toString()).checks.recordings,
      )
      const ada = yield* candidate({ answer_with: ["audio"] })
      yield* record(ada)
      yield* work
      yield* checkStorage
      assert.isUndefined(yield* check)
      const eve = yield* candidate({ answer_with: ["audio"] })
      yield* record(eve)
      yield* work
      yield* checkStorage
      const warning = yield* check
      assert.strictEqual(warning?.status, "large")
      assert.match(warning?.detail ?? "", /^recordings have 2\d KB in Postgres: set BLOB_STORE=s3/)
      yield* (yield* People).erase(operator(eve.organization), CandidateId.make(eve.subject.candidate_id))
      yield* checkStorage
      assert.isUndefined(yield* check)
    }),
  { settings: { RECORDINGS_WARN_SIZE: "20 KiB" } },
)

it.effect("counts takes also of recordings that were begun at once", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio"], takes: 1 })
    const ids = [yield* begun(ada), yield* begun(ada)] as const
    const content = sample("audio.webm")
    const sent = yield* Effect.forEach(ids, (id) => sendPiece(ada, id, 0, content), { concurrency: 2 })
    assert.deepStrictEqual(sent.map(({ status }) => status).toSorted(), [200, 409])
    const refused = sent.find(({ status }) => status === 409)
    assert.strictEqual(refused?.body.toString(), '{"reason":"takes"}')
    assert.strictEqual((yield* begin(ada)).status, 409)
  }),
)

it.effect("limits the bytes of all recordings of a question, with discarded ones", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["audio"], max_seconds: 10 })
    const piece = Buffer.concat([sample("audio.webm"), Buffer.alloc(maxPieceBytes - 100_000)])
    // each may have 2.5 MB, and all together 7.5 MB
    const whole = Effect.gen(function* () {
      const id = yield* begun(ada)
      const first = yield* sendPiece(ada, id, 0, piece)
      const second = yield* sendPiece(ada, id, 1, piece)
      if (second.status === 200) assert.strictEqual((yield* end(ada, id, 2)).status, 200)
      return [first.status, second.status]
    })
    const statuses: Array<ReadonlyArray<number>> = []
    for (let at = 0; at < 5; at++) statuses.push(yield* whole)
    assert.deepStrictEqual(statuses, [
      [200, 200],
      [200, 200],
      [200, 200],
      [200, 200],
      [413, 413],
    ])
  }),
)

it.effect("keeps a damaged recording as it came, and says so", () =>
  Effect.gen(function* () {
    const ada = yield* candidate({ answer_with: ["video"] })
    const damaged = Buffer.concat([sample("video.webm").subarray(0, 300), Buffer.from("nothing of a picture")])
    const id = yield* record(ada, damaged, "video")
    yield* work
    assert.deepInclude(yield* rowOf(id), { state: "done", error: "The recording is damaged and cannot be played." })
    assert.isTrue((yield* play(ada, id)).body.equals(damaged))
    const page = yield* request(`/i/${ada.token}/review`, { headers: { accept: "text/html" } })
    assert.include(page.body.toString(), "This recording cannot be played. Please record again.")
  }),
)

it.effect(
  "gives the hiring system the transcript and the file, also of an earlier attempt, and nothing about other answers",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["audio"] })
      const id = yield* record(ada)
      yield* work
      yield* (yield* Interviews).finish(ada.token, [{ question_id: ada.written, content: "Because.", option_ids: [] }])
      const { key } = yield* keyOf(ada.organization)
      const { answers } = yield* results<{ answers: ReadonlyArray<Row> }>(
        200,
        "GET",
        paths.detail(ada.subject.submission_id),
        { key },
      )
      const [spoken, written] = answers
      const path = `/company/integration/hiring/submissions/${ada.subject.submission_id}/answers/${ada.spoken}/recording/v1`
      assert.deepStrictEqual(spoken?.["recording"], {
        duration_seconds: 3,
        content_type: "audio/webm",
        url: `http://localhost:0${path}?attempt=1`,
      })
      assert.strictEqual(spoken?.["transcript"], "I ran a billing system for four years.")
      assert.notProperty(written, "recording")
      assert.notProperty(written, "transcript")

      const ask = (query = "", headers: Record<string, string> = {}) =>
        request(path + query, { headers: { "x-api-key": key, ...headers } })
      const whole = yield* ask()
      assert.deepStrictEqual([whole.status, whole.headers.get("content-type")], [200, "audio/webm"])
      assert.isTrue(whole.body.equals((yield* play(ada, id)).body))
      const etag = whole.headers.get("etag") ?? ""
      const size = whole.body.length
      for (const [headers, status, contentRange, bytes] of [
        [{ range: "bytes=0-9" }, 206, `bytes 0-9/${size}`, whole.body.subarray(0, 10)],
        [{ range: "bytes=0-9", "if-range": etag }, 206, `bytes 0-9/${size}`, whole.body.subarray(0, 10)],
        [{ range: "bytes=0-9", "if-range": '"another"' }, 200, null, whole.body],
      ] as const) {
        const part = yield* ask("?attempt=1", headers)
        assert.deepStrictEqual([part.status, part.headers.get("content-range")], [status, contentRange])
        assert.isTrue(part.body.equals(bytes))
      }
      const behind = yield* ask("", { range: `bytes=${size}-` })
      assert.deepStrictEqual([behind.status, behind.headers.get("content-range")], [416, `bytes */${size}`])
      assert.strictEqual(JSON.parse(behind.body.toString()).code, "range_not_satisfiable")
      assert.strictEqual((yield* ask("?attempt=2")).status, 404)
      assert.strictEqual((yield* ask("?attempt=x")).status, 422)
      const other = yield* request(path.replace(ada.spoken, ada.written), { headers: { "x-api-key": key } })
      assert.strictEqual(other.status, 404)
      const client = createClient({ url: (yield* Server).url, apiKey: key })
      const file = yield* Effect.promise(() => client.getRecording(ada.subject.submission_id, ada.spoken))
      assert.deepStrictEqual([file.type, file.size], ["audio/webm", size])
      const typed = yield* Client.make({ url: (yield* Server).url, apiKey: Redacted.make(key) }).pipe(
        Effect.provide(FetchHttpClient.layer),
      )
      const named = { id: ada.subject.submission_id, question: ada.spoken }
      const parted = yield* typed.recordings.read({ params: named, query: {}, headers: { range: "bytes=0-9" } })
      assert.isTrue(parted instanceof Uint8Array && parted.length === 10)
    }),
  transcribing([]),
)

it.effect(
  "deletes recordings that are older than the organization keeps them, also those that are still in pieces, and keeps transcripts",
  () =>
    Effect.gen(function* () {
      const ada = yield* candidate({ answer_with: ["audio"] })
      const stored = yield* record(ada)
      yield* work
      yield* (yield* Interviews).finish(ada.token, [])
      const bo = yield* candidate({ answer_with: ["audio"] })
      const pieces = yield* record(bo)
      const { base, cookie } = yield* memberOf(ada)
      const { sql } = yield* Database
      yield* sql`update organization set recordings_kept_days = 30 where id = ${ada.organization}::int`
      const { deleteOld } = yield* Recordings
      yield* TestClock.adjust("29 days")
      assert.strictEqual(yield* deleteOld, 0)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* deleteOld, 1)
      assert.deepInclude(yield* rowOf(stored), {
        is_stored: false,
        pieces: 0,
        transcript: "I ran a billing system for four years.",
      })
      assert.lengthOf(yield* sql`select from blob`, 0)
      assert.lengthOf(yield* sql`select from blob_chunk`, 0)
      const again = yield* Workspace.signIn(`grace-${ada.subject.submission_id}@example.com`)
      const page = yield* request(base, { headers: { cookie: again.cookie, accept: "text/html" } })
      assert.include(page.body.toString(), "The recording was deleted")
      assert.notInclude(page.body.toString(), "<audio")
      assert.strictEqual(
        (yield* request(`${base}/recordings/${stored}`, { headers: { cookie } })).status === 200,
        false,
      )
      assert.isAbove((yield* rowOf(pieces)).pieces, 0, "its organization keeps recordings for 180 days")
      yield* TestClock.adjust("150 days")
      assert.strictEqual(yield* deleteOld, 1)
      assert.deepInclude(yield* rowOf(pieces), { state: "done", pieces: 0 })
      assert.strictEqual(yield* work, 0)
    }),
  transcribing([]),
)
