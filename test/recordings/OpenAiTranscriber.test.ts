/** The transcriber over OpenAI's API, against a server on this machine. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Redacted, Stream } from "effect"
import { layer, type TranscriberOptions } from "../../src/recordings/OpenAiTranscriber.ts"
import { type Speech, Transcriber } from "../../src/recordings/Transcriber.ts"
import { userAgent } from "../../src/values/UserAgent.ts"
import { failing } from "../port/chatServer.ts"
import { transcriberSuite } from "../port/TranscriberSuite.ts"
import { type Transcribed, transcription, transcriptionServer } from "../port/transcriptionServer.ts"

const optionsOf = (url: string): TranscriberOptions => ({
  url,
  key: Redacted.make("sk-hunter2"),
  name: "whisper",
  firstRetry: Duration.millis(1),
})

transcriberSuite("OpenAI's API", Layer.unwrap(Effect.map(transcriptionServer, ({ url }) => layer(optionsOf(url)))))

const speech = (rest: Partial<Speech> = {}): Speech => ({
  content: Stream.make(new Uint8Array(10), new Uint8Array(5)),
  size: 15,
  contentType: "audio/webm",
  language: "de-AT",
  ...rest,
})

const withServer = Effect.fnUntraced(function* (options: Partial<TranscriberOptions> = {}) {
  const server = yield* transcriptionServer
  const transcriber = Context.get(yield* Layer.build(layer({ ...optionsOf(server.url), ...options })), Transcriber)
  if (transcriber === null) return yield* Effect.die("the transcriber is off")
  return { ...server, ...transcriber }
})

describe("a request", () => {
  it.live("has the file with an ending, the model, the language and the key, but no trace ids", () =>
    Effect.gen(function* () {
      const { asked, faults, transcribe } = yield* withServer()
      assert.deepStrictEqual(yield* transcribe(speech()), {
        language: "en",
        segments: [
          { start: 0, end: 1.5, text: " I ran" },
          { start: 1.5, end: 3, text: " a billing system." },
        ],
      })
      assert.deepStrictEqual(faults, [])
      assert.deepInclude(asked[0], {
        path: "/v1/audio/transcriptions",
        fields: {
          model: "whisper",
          language: "de",
          response_format: "verbose_json",
          "timestamp_granularities[]": "segment",
        },
        file: { name: "answer.webm", type: "audio/webm", bytes: 15 },
      })
      assert.strictEqual(asked[0]?.headers["authorization"], "Bearer sk-hunter2")
      assert.strictEqual(asked[0]?.headers["user-agent"], userAgent)
      assert.isUndefined(asked[0]?.headers["traceparent"])
    }).pipe(Effect.scoped),
  )

  it.live("names no language that is not known, and no key if there is none", () =>
    Effect.gen(function* () {
      const { asked, transcribe } = yield* withServer({ key: undefined })
      yield* transcribe(speech({ language: null, contentType: "audio/mp4" }))
      const [only] = asked as ReadonlyArray<Transcribed>
      assert.notProperty(only?.fields, "language")
      assert.strictEqual(only?.file.name, "answer.m4a")
      assert.isUndefined(only?.headers["authorization"])
    }).pipe(Effect.scoped),
  )

  it.live("is not sent for more than 25 MiB, the API's limit", () =>
    Effect.gen(function* () {
      const { asked, transcribe } = yield* withServer()
      const error = yield* Effect.flip(transcribe(speech({ size: 26 * 1024 * 1024 })))
      assert.deepInclude(error, { retryable: false, reason: "The sound of the recording has more than 25 MiB." })
      assert.lengthOf(asked, 0)
    }).pipe(Effect.scoped),
  )
})

describe("a response", () => {
  it.live.each([
    [
      "without segments",
      transcription([], { segments: undefined }),
      [{ start: 0, end: 3, text: "I ran a billing system." }],
      "en",
    ],
    ["without times", { body: JSON.stringify({ text: "Hello." }) }, [{ start: 0, end: 0, text: "Hello." }], null],
    ["of silence", { body: JSON.stringify({ text: " ", language: "de", segments: [] }) }, [], "de"],
  ] as const)("%s is read", ([, reply, segments, language]) =>
    Effect.gen(function* () {
      const { script, transcribe } = yield* withServer()
      script.reply = () => reply
      assert.deepStrictEqual(yield* transcribe(speech()), { language, segments })
    }).pipe(Effect.scoped),
  )

  it.live.each([
    ["a wrong key", failing(401), false, "The transcription server: it refused TRANSCRIBE_KEY (401)", 1],
    [
      "a wrong address",
      failing(404),
      false,
      "The transcription server: address or model not found (404): check TRANSCRIBE_URL and TRANSCRIBE_NAME",
      1,
    ],
    ["a broken server", failing(503), true, "The transcription server: it answered 503", 3],
    ["another document", { body: "<html>" }, false, "The transcription server: its response is not a transcription", 3],
  ] as const)("of %s is an error for operators", ([, reply, retryable, reason, requests]) =>
    Effect.gen(function* () {
      const { asked, script, transcribe } = yield* withServer()
      script.reply = () => reply
      assert.deepInclude(yield* Effect.flip(transcribe(speech())), { retryable, reason })
      assert.lengthOf(asked, requests)
    }).pipe(Effect.scoped),
  )
})
