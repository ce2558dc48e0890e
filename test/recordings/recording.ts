/** A candidate who answers by speaking, and the requests of the script that records (recorder.js). */
import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Interviews } from "../../src/interviews/Interviews.ts"
import type { RecordingKind } from "../../src/recordings/Recording.ts"
import { Server } from "../support/Api.ts"
import * as Scenario from "../support/Scenario.ts"

/** Three seconds as Chromium records them, and in the containers and codecs of Safari and Firefox (samples/README.md). */
export const samples = [
  ...(["audio.webm", "video.webm", "audio.mp4", "video.mp4"] as const),
  ...(["safari-audio.mp4", "safari-video.mp4", "firefox-audio.ogg", "firefox-video.webm"] as const),
] as const

export const sample = (name: (typeof samples)[number]): Buffer =>
  readFileSync(new URL(`samples/${name}`, import.meta.url))

export const candidate = Effect.fnUntraced(function* (
  attributes: Readonly<Record<string, Schema.Json>> = { answer_with: ["audio", "video"] },
  changes: object = {},
) {
  const invited = yield* Scenario.invited(
    yield* Scenario.organization({
      iai_questions: [
        { title: "Tell us about yourself", question_mode: "interview", question_type: "text", attributes },
        { title: "Why?", question_mode: "interview", question_type: "text" },
      ],
      ...changes,
    }),
  )
  yield* (yield* Interviews).start(invited.token)
  const [spoken, written] = invited.set.iai_questions.map(({ id }) => id)
  assert.isDefined(spoken)
  assert.isDefined(written)
  return { ...invited, spoken, written }
})
export type Candidate = Effect.Success<ReturnType<typeof candidate>>

export const request = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const { url } = yield* Server
  return yield* Effect.promise(async () => {
    const response = await fetch(url + path, {
      redirect: "manual",
      ...init,
      headers: { accept: "application/json", ...init.headers },
    })
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
  })
})

const Id = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))

/** `consent`: the value of the page's field; empty: it shows the service's own text. */
export const begin = (
  { spoken, token }: Candidate,
  kind: RecordingKind = "audio",
  question: string = spoken,
  consent = "",
) =>
  request(`/i/${token}/recordings`, {
    method: "POST",
    body: new URLSearchParams({ question, kind, attempt: "1", consent }),
  })

export const begun = Effect.fnUntraced(function* (by: Candidate, kind: RecordingKind = "audio", consent = "") {
  const { body, status } = yield* begin(by, kind, by.spoken, consent)
  assert.strictEqual(status, 201)
  return Schema.decodeUnknownSync(Id)(body.toString()).id
})

export const sendPiece = ({ token }: Candidate, id: string, ordinal: number | string, bytes: Uint8Array) =>
  request(`/i/${token}/recordings/${id}/pieces/${ordinal}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(bytes),
  })

export const end = ({ token }: Candidate, id: string, pieces: number) =>
  request(`/i/${token}/recordings/${id}/end`, {
    method: "POST",
    body: new URLSearchParams({ pieces: String(pieces) }),
  })

/** Bytes of a piece: a sample has several. */
const pieceLength = 4_000

export const piecesOf = (content: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(content.length / pieceLength) }, (_, at) =>
    content.subarray(at * pieceLength, (at + 1) * pieceLength),
  )

/** Records the whole content. Returns the recording's id. */
export const record = Effect.fnUntraced(function* (
  by: Candidate,
  content: Uint8Array = sample("audio.webm"),
  kind: RecordingKind = "audio",
  consent = "",
) {
  const id = yield* begun(by, kind, consent)
  const pieces = piecesOf(content)
  for (const [ordinal, bytes] of pieces.entries())
    assert.strictEqual((yield* sendPiece(by, id, ordinal, bytes)).status, 200)
  assert.strictEqual((yield* end(by, id, pieces.length)).status, 200)
  return id
})

/** As the script saves a corrected transcript. `known`: the version that its page showed. */
export const correct = (
  { token }: Pick<Candidate, "token">,
  id: string,
  fields: { readonly transcript: string; readonly known: string },
  attempt = "1",
) =>
  request(`/i/${token}/recordings/${id}/transcript`, {
    method: "POST",
    body: new URLSearchParams({ ...fields, attempt }),
  })

export const play = ({ token }: Candidate, id: string, headers: Record<string, string> = {}) =>
  request(`/i/${token}/recordings/${id}`, { headers })
