import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Duration, Effect, Exit, Layer, Redacted, Tracer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { Embedder } from "../../src/evaluations/Embedder.ts"
import { type EmbedderOptions, layer, make } from "../../src/evaluations/OpenAiEmbedder.ts"
import { userAgent } from "../../src/values/UserAgent.ts"
import { failing, type Reply } from "../port/chatServer.ts"
import { type ClockedServer, failure, runOnClock } from "../port/clockedServer.ts"
import { embedderSuite } from "../port/EmbedderSuite.ts"
import { countsOf, type Embedded, embedding, embeddingsServer } from "../port/embeddingsServer.ts"
import { closed } from "../port/receivers.ts"

const key = "sk-hunter2"
const optionsOf = (url: string): EmbedderOptions => ({
  url,
  key: Redacted.make(key),
  name: "some-model",
  firstRetry: Duration.millis(1),
})

embedderSuite("OpenAI's API", Layer.unwrap(Effect.map(embeddingsServer, ({ url }) => layer(optionsOf(url)))))

const texts = (count: number) => Array.from({ length: count }, (_, at) => `I ran ${at} servers in topic${at * 17}.`)

type Script = (asked: Embedded, count: number) => Reply
const good: Script = ({ input }) => embedding(input.map(countsOf))

/** A server with a script, and an embedder that uses it. */
const withServer = Effect.fnUntraced(function* (reply: Script = good, options: Partial<EmbedderOptions> = {}) {
  const server = yield* embeddingsServer
  server.script.reply = reply
  const embedder = Context.get(yield* Layer.build(layer({ ...optionsOf(server.url), ...options })), Embedder)
  if (embedder === null) return yield* Effect.die("the embedder is off")
  return { ...server, ...embedder }
})

describe("a request", () => {
  it.live("contains model, texts and key, but no trace ids", () =>
    Effect.gen(function* () {
      const { asked, embed, faults, model } = yield* withServer()
      yield* embed(["I ran PostgreSQL.", "I wrote Go."])
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(model, "some-model")
      assert.lengthOf(asked, 1)
      assert.deepInclude(asked[0], {
        path: "/v1/embeddings",
        model: "some-model",
        input: ["I ran PostgreSQL.", "I wrote Go."],
      })
      assert.strictEqual(asked[0]?.headers["authorization"], `Bearer ${key}`)
      assert.isUndefined(asked[0]?.headers["traceparent"])
      assert.strictEqual(asked[0]?.headers["user-agent"], userAgent)
    }).pipe(Effect.scoped),
  )

  it.live("contains no key if none is set, and is not sent without texts", () =>
    Effect.gen(function* () {
      const { asked, embed } = yield* withServer(good, { key: undefined })
      yield* embed([])
      assert.isEmpty(asked)
      yield* embed(texts(1))
      assert.isUndefined(asked[0]?.headers["authorization"])
    }).pipe(Effect.scoped),
  )

  it.live("contains at most 32 texts of 1,000 characters, and at most four run at a time", () =>
    Effect.gen(function* () {
      let [open, mostOpen] = [0, 0]
      const gate = Promise.withResolvers<void>()
      const client = HttpClient.make((request) =>
        Effect.gen(function* () {
          open += 1
          mostOpen = Math.max(mostOpen, open)
          if (open === 4) gate.resolve()
          yield* Effect.promise(() => gate.promise)
          const { body } = request
          const input: ReadonlyArray<string> =
            body._tag === "Uint8Array" ? JSON.parse(Buffer.from(body.body).toString()).input : []
          assert.isAtMost(input.length, 32)
          for (const text of input) assert.isAtMost(text.length, 1_000)
          open -= 1
          const data = input.map((text, index) => ({ index, embedding: countsOf(text) }))
          return HttpClientResponse.fromWeb(request, Response.json({ data }))
        }),
      )
      const { embed } = yield* Effect.provideService(
        make(optionsOf("http://model.test")),
        HttpClient.HttpClient,
        client,
      )
      const many = [...texts(299), "word ".repeat(5_000)]
      const [one, other] = yield* Effect.all([embed(many), embed(many)], { concurrency: 2 })
      assert.strictEqual(mostOpen, 4)
      assert.deepStrictEqual(one, other)
      assert.deepStrictEqual(
        one.slice(0, 299),
        texts(299).map((text) => Float32Array.from(countsOf(text))),
      )
    }),
  )

  it.live("is traced without key and texts", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        },
      })
      const replies: ReadonlyArray<Script> = [
        good,
        ({ input }) => ({ body: JSON.stringify({ data: input }) }),
        ({ input }) => failing(401, {}, { error: { message: `${key} ${input}` } }),
        ({ input }) => failing(400, {}, { error: { message: `${key} ${input}` } }),
        () => "hangup",
        () => "cut",
      ]
      const { embed, script } = yield* withServer()
      const reasons: Array<string> = []
      for (const reply of replies) {
        script.reply = reply
        const exit = yield* Effect.exit(embed(["I ran a billing system."])).pipe(Effect.withTracer(tracer))
        if (Exit.isFailure(exit)) reasons.push(Cause.pretty(exit.cause))
      }
      assert.lengthOf(reasons, 5)
      assert.includeMembers(
        spans.map(({ name }) => name),
        ["OpenAiEmbedder.embed", "POST"],
      )
      // the exported parts of a span
      const exported = spans.map(({ attributes, events, status }) => [
        ...attributes,
        ...events,
        status._tag === "Ended" && Exit.isFailure(status.exit) ? [Cause.pretty(status.exit.cause), status.exit] : [],
      ])
      const text = inspect([exported, reasons], { depth: null, maxArrayLength: null, maxStringLength: null })
      assert.include(text, "not a list of embeddings")
      assert.notInclude(text, "hunter2")
      assert.notInclude(text, "billing")
    }).pipe(Effect.scoped),
  )
})

describe("a response", () => {
  const recovered: ReadonlyArray<[string, Script]> = [
    ["in another order", ({ input }) => embedding(input.map(countsOf), [2, 0, 1])],
    ["after 500", (asked, count) => (count === 1 ? failing(500) : good(asked, count))],
    ["after 429", (asked, count) => (count <= 2 ? failing(429) : good(asked, count))],
    ["after a cut connection", (asked, count) => (count === 1 ? "cut" : good(asked, count))],
    ["after a closed connection", (asked, count) => (count === 1 ? "hangup" : good(asked, count))],
    ["after an endless body", (asked, count) => (count === 1 ? "endless" : good(asked, count))],
    ["after HTML", (asked, count) => (count === 1 ? { body: "<html>" } : good(asked, count))],
  ]
  it.live.each(recovered)("%s is read", ([, script]) =>
    Effect.gen(function* () {
      const { embed } = yield* withServer(script)
      assert.deepStrictEqual(
        yield* embed(texts(3)),
        texts(3).map((text) => Float32Array.from(countsOf(text))),
      )
    }).pipe(Effect.scoped),
  )
})

describe("the error", () => {
  const two = texts(2)
  const quota = { error: { message: `${key} is out`, code: "insufficient_quota" } }
  const cases: ReadonlyArray<[string, Script, { retryable: boolean; requests: number; reason: RegExp }]> = [
    [
      "a wrong key",
      () => failing(401, {}, { error: key }),
      { retryable: false, requests: 1, reason: /EMBEDDINGS_KEY \(401\)/ },
    ],
    [
      "a key without permission",
      () => failing(403),
      { retryable: false, requests: 1, reason: /EMBEDDINGS_KEY lacks permission \(403\)/ },
    ],
    [
      "a wrong address",
      () => failing(404),
      { retryable: false, requests: 1, reason: /check EMBEDDINGS_URL and EMBEDDINGS_NAME/ },
    ],
    [
      "a redirect that is not followed",
      () => failing(307, { location: "/v2" }),
      { retryable: false, requests: 1, reason: /redirect \(307\): set EMBEDDINGS_URL/ },
    ],
    [
      "a refusal",
      ({ input }) => failing(400, {}, { error: { message: String(input), code: "context_length_exceeded" } }),
      { retryable: false, requests: 1, reason: /\(400, context_length_exceeded\)/ },
    ],
    ["a used up quota", () => failing(429, {}, quota), { retryable: true, requests: 1, reason: /quota/ }],
    ["too many requests", () => failing(429), { retryable: true, requests: 3, reason: /too many requests \(429\)/ }],
    [
      "a long Retry-After",
      () => failing(429, { "retry-after": "3600" }),
      { retryable: true, requests: 1, reason: /too many requests/ },
    ],
    ["a broken server", () => failing(502), { retryable: true, requests: 3, reason: /502/ }],
    ["cut connections", () => "cut", { retryable: true, requests: 3, reason: /connection broke/ }],
    ["closed connections", () => "hangup", { retryable: true, requests: 3, reason: /cannot be reached/ }],
    ["endless bodies", () => "endless", { retryable: false, requests: 3, reason: /too long/ }],
    ["HTML", () => ({ body: "<html>" }), { retryable: false, requests: 3, reason: /not a list of embeddings/ }],
    [
      "texts instead of numbers",
      () => ({ body: '{"data":[{"index":0,"embedding":["1"]}]}' }),
      { retryable: false, requests: 3, reason: /not a list of embeddings/ },
    ],
    [
      "empty embeddings",
      () => embedding([[], []]),
      { retryable: false, requests: 3, reason: /not a list of embeddings/ },
    ],
    [
      "too few embeddings",
      () => embedding([[1]]),
      { retryable: false, requests: 3, reason: /one embedding for each text/ },
    ],
    [
      "too many embeddings",
      () => embedding([[1], [2], [3]]),
      { retryable: false, requests: 3, reason: /one embedding for each text/ },
    ],
    [
      "a duplicate index",
      () => embedding([[1], [2]], [0, 0]),
      { retryable: false, requests: 3, reason: /one embedding for each text/ },
    ],
    [
      "embeddings of two dimensions",
      () => embedding([[1], [1, 2]]),
      { retryable: false, requests: 1, reason: /differ in dimension/ },
    ],
    [
      "numbers that are too large",
      () => embedding([[1e300], [1]]),
      { retryable: false, requests: 3, reason: /not finite/ },
    ],
  ]
  it.live.each(cases)("of %s states the reason and whether to retry", ([, script, { reason, requests, retryable }]) =>
    Effect.gen(function* () {
      const { asked, embed } = yield* withServer(script)
      const error = yield* Effect.flip(embed(two))
      assert.match(error.reason, reason)
      assert.match(error.reason, /^The embeddings server: /)
      assert.notMatch(error.reason, /hunter2|topic/)
      assert.strictEqual(error.retryable, retryable)
      assert.lengthOf(asked, requests)
    }).pipe(Effect.scoped),
  )

  it.live("of a server that never answers comes after the timeout and closes the connections", () =>
    Effect.gen(function* () {
      const { connections, embed } = yield* withServer(() => "silent", { timeout: Duration.millis(50) })
      const error = yield* Effect.flip(embed(two))
      assert.deepInclude({ ...error }, { retryable: true, reason: "The embeddings server: no answer within 50ms" })
      for (const socket of connections) yield* closed(socket)
    }).pipe(Effect.scoped),
  )

  it.live("of a refused connection is retryable", () =>
    Effect.gen(function* () {
      const { embed } = yield* withServer(good, { url: "http://127.0.0.1:9/v1" })
      const error = yield* Effect.flip(embed(two))
      assert.isTrue(error.retryable)
      assert.match(error.reason, /cannot be reached/)
    }).pipe(Effect.scoped),
  )
})

describe("timing", () => {
  const run = (server: ClockedServer, count = 1) =>
    runOnClock(
      server,
      Effect.flatMap(make({ url: "http://model.test", key: undefined, name: "m" }), ({ embed }) => embed(texts(count))),
    )

  const one = Effect.sync(() => Response.json({ data: [{ index: 0, embedding: [1] }] }))

  it.effect("retries a server error after about 1 and 2 seconds, then fails", () =>
    Effect.gen(function* () {
      const { asked, ended } = yield* run(() => failure(500))
      assert.lengthOf(asked, 3)
      assert.isTrue(asked[1] !== undefined && asked[1] >= 0.8 && asked[1] <= 2, String(asked))
      assert.isTrue(asked[2] !== undefined && asked[2] >= 2.4 && asked[2] <= 5, String(asked))
      assert.isTrue(Exit.isFailure(ended))
    }),
  )

  it.effect.each([
    ["30", 30],
    ["Thu, 01 Jan 2026 00:00:45 GMT", 45],
  ] as const)("retries after the time in Retry-After: %s", ([header, seconds]) =>
    Effect.gen(function* () {
      const { asked, ended } = yield* run((count) => (count === 1 ? failure(429, { "retry-after": header }) : one))
      assert.lengthOf(asked, 2)
      assert.isTrue(asked[1] !== undefined && asked[1] >= seconds && asked[1] <= seconds + 1, String(asked))
      assert.isTrue(Exit.isSuccess(ended))
    }),
  )

  it.effect("ends a request without a response after a minute and does not retry it", () =>
    Effect.gen(function* () {
      const { asked, ended, seconds } = yield* run(() => Effect.never)
      assert.lengthOf(asked, 1)
      assert.isTrue(Exit.isFailure(ended))
      assert.isTrue(seconds >= 60 && seconds <= 62, String(seconds))
    }),
  )

  it.effect("ends all requests of a call within six minutes", () =>
    Effect.gen(function* () {
      const data = Array.from({ length: 32 }, (_, index) => ({ index, embedding: [1] }))
      const slow = Effect.delay(
        Effect.sync(() => Response.json({ data })),
        "50 seconds",
      )
      const { ended, seconds } = yield* run(() => slow, 32 * 40)
      assert.isTrue(Exit.isFailure(ended))
      assert.isAtLeast(seconds, 6 * 60)
      assert.isAtMost(seconds, 6 * 60 + 1)
      assert.isBelow(seconds, Duration.toSeconds("10 minutes"))
    }),
  )
})
