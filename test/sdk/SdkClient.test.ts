/** The client without Effect: requests, retries, errors and pages with scripted responses. */
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { ApiError, ConnectionError, TimeoutError } from "../../src/sdk/Errors.ts"
import { paginate } from "../../src/sdk/Pagination.ts"
import sdkPackage from "../../src/sdk/package.json" with { type: "json" }
import type { ClientOptions } from "../../src/sdk/Requests.ts"
import { makeClient } from "../../src/sdk/SdkClient.ts"

interface Sent {
  readonly url: string
  readonly method: string | undefined
  readonly headers: Headers
  readonly body: unknown
}

type Step = Response | Error | ((init: RequestInit) => Promise<Response>)

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

const results = (value: unknown) => json(200, { results: value })
const problem = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}) =>
  json(status, { type: "about:blank", title: "", status, code, detail: `the ${code}`, ...more }, headers)

/** A client whose requests get the responses or errors of `steps` in order. */
const scripted = (steps: ReadonlyArray<Step>, options: Partial<ClientOptions> = {}) => {
  const sent: Array<Sent> = []
  const delays: Array<number> = []
  const fetch = async (url: string, init: RequestInit) => {
    const step = steps[sent.length]
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : init.body
    sent.push({ url, method: init.method, headers: new Headers(init.headers), body })
    if (step === undefined) return assert.fail(`no response for request ${sent.length}`)
    if (step instanceof Error) throw step
    return step instanceof Response ? step : step(init)
  }
  const client = makeClient(
    { url: "https://interviews.example", apiKey: "k.secret", fetch, ...options },
    {
      sleep: async (ms, signal) => {
        signal?.throwIfAborted()
        delays.push(ms)
      },
      random: () => 0.5,
      now: () => 0,
    },
  )
  return { client, sent, delays, keys: () => sent.map(({ headers }) => headers.get("idempotency-key")) }
}

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("succeeded"),
    (error: unknown) => error,
  )

const base = "https://interviews.example/company/integration"
const lost = () => new TypeError("fetch failed")

describe("warnings", () => {
  const warnings = [{ pointer: "#/send_invites", code: "unknown_field", message: "was ignored" }]
  const answered = () => json(200, { results: [], warnings })
  const request = { candidates: [{ email: "ada@example.com" }] }

  it("are passed to onWarnings with the operation; the method returns results", async () => {
    const seen: Array<unknown> = []
    const { client } = scripted([answered(), results([])], { onWarnings: (...told) => seen.push(told) })
    assert.deepStrictEqual(await client.inviteCandidates(request), [])
    await client.inviteCandidates(request)
    assert.deepStrictEqual(seen, [[warnings, "inviteCandidates"]])
  })

  it("are written to console.warn by default", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
    await scripted([answered()]).client.inviteCandidates(request)
    assert.deepStrictEqual(warn.mock.calls, [["inviteCandidates: #/send_invites was ignored"]])
    warn.mockRestore()
  })
})

describe("a request", () => {
  it("has the method, address, headers and body of its operation; the method returns results", async () => {
    const { client, sent } = scripted([json(201, { results: { id: "a" } }), results([]), results({ id: "x" })], {
      url: new URL("https://interviews.example/"),
    })
    const set = await client.createInterviewSet({ title: "Backend Engineer" }, { requestId: "r-1" })
    assert.strictEqual(set.id, "a")
    await client.listSubmissions({ email: "ada+1@example.com", limit: 2 })
    await client.getInvitation("a/../b")
    assert.deepStrictEqual(
      sent.map(({ method, url }) => [method, url]),
      [
        ["POST", `${base}/interview/set/v1`],
        ["GET", `${base}/hiring/submissions/v1?email=ada%2B1%40example.com&limit=2`],
        ["GET", `${base}/hiring/invitations/v1/a%2F..%2Fb`],
      ],
    )
    assert.deepStrictEqual(sent[0]?.body, { title: "Backend Engineer" })
    assert.strictEqual(sent[0]?.headers.get("x-api-key"), "k.secret")
    assert.strictEqual(sent[0]?.headers.get("content-type"), "application/json")
    assert.strictEqual(sent[0]?.headers.get("x-request-id"), "r-1")
    assert.strictEqual(sent[0]?.headers.get("user-agent"), `interview-invitations-sdk/${sdkPackage.version}`)
    assert.isFalse(sent[1]?.headers.has("content-type"))
  })

  it("follows no redirect, which would receive the API key", async () => {
    const redirect = new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } })
    const { client, sent } = scripted([
      async ({ redirect: mode }) => {
        assert.strictEqual(mode, "manual")
        return redirect
      },
    ])
    assert.deepInclude(await caught(client.getAccount()), { status: 302, code: "invalid_response" })
    assert.lengthOf(sent, 1)
  })
})

describe("an invalid argument", () => {
  const request = (options: Partial<ClientOptions>) => () => scripted([], options)

  it.each([
    ["apiKey", request({ apiKey: "k.s3cret\nx: y" })],
    ["apiKey", request({ apiKey: "k.s3cret–" })],
    ["apiKey", request({ apiKey: "" })],
    ["apiKey", request(JSON.parse('{ "apiKey": null }'))],
    ["url", request({ url: "" })],
    ["url", request({ url: "s3cret.example" })],
    ["url", request({ url: "https://ada:s3cret@interviews.example" })],
    ["url", request({ url: "https://interviews.example/?s3cret" })],
    ["url", request({ url: "ftp://s3cret.example" })],
  ])("%s makes createClient throw a TypeError without the value", (name, create) => {
    assert.throws(create, TypeError, new RegExp(`^${name} must be (?!.*s3cret)`))
  })

  it("says that the API key is empty, as without its environment variable", () => {
    assert.throws(request({ apiKey: "" }), TypeError, "is its environment variable set?")
  })

  it.each([
    ["requestId", { requestId: "s3cret\n" }],
    ["requestId", { requestId: "" }],
    ["idempotencyKey", { idempotencyKey: "s3cret é" }],
    ["idempotencyKey", { idempotencyKey: "" }],
  ])("%s throws a TypeError without the value, and nothing is sent", async (name, options) => {
    const { client, delays, sent } = scripted([])
    const error = await caught(client.createInterviewSet({ title: "x" }, options))
    assert.instanceOf(error, TypeError)
    assert.strictEqual(String(error), `TypeError: ${name} must be visible ASCII`)
    assert.isUndefined(error.cause)
    assert.deepStrictEqual([sent, delays], [[], []])
  })

  it.each(["", ".", "..", ...JSON.parse("[null, 17, {}]")])("throws a TypeError for the id %j", async (id) => {
    const { client, sent } = scripted([])
    const errors = await Promise.all([
      caught(client.getWebhookEndpoint(id)),
      caught(client.deleteWebhookEndpoint(id)),
      caught(client.resendWebhookDelivery("a", id)),
    ])
    assert.deepStrictEqual(errors.map(String), [
      "TypeError: id must be an id",
      "TypeError: id must be an id",
      "TypeError: delivery must be an id",
    ])
    assert.deepStrictEqual(sent, [])
  })
})

describe("a POST", () => {
  it("has a new Idempotency-Key for each call, which its retries keep", async () => {
    const busy = problem(409, "request_in_progress", { "retry-after": "2" })
    const { client, delays, keys } = scripted([lost(), problem(503, "unavailable"), busy, results([]), results([])])
    const request = { com_interview_set_id: "a", candidates: [] }
    await client.inviteCandidates(request)
    await client.inviteCandidates(request)
    const [first, second, third, fourth, other] = keys()
    assert.match(first ?? "", /^[0-9a-f-]{36}$/)
    assert.deepStrictEqual([second, third, fourth], [first, first, first])
    assert.notStrictEqual(other, first)
    assert.deepStrictEqual(delays, [250, 500, 2000])
  })

  it("has the caller's Idempotency-Key", async () => {
    const { client, keys } = scripted([lost(), json(201, { results: {} })])
    await client.createInterviewSet({ title: "x" }, { idempotencyKey: "mine" })
    assert.deepStrictEqual(keys(), ["mine", "mine"])
  })

  it("that ignores Idempotency-Key is sent once, without one", async () => {
    const { client, keys } = scripted([problem(503, "unavailable")])
    assert.deepInclude(await caught(client.testWebhookEndpoint("a")), { status: 503 })
    assert.deepStrictEqual(keys(), [null])
  })
})

describe("an error", () => {
  it("has the problem's fields, request id and Retry-After", async () => {
    const errors = [{ pointer: "#/title", code: "required", message: "is required" }]
    const { client } = scripted(
      [
        problem(422, "validation_failed", { "x-request-id": "r-7" }, { errors }),
        problem(429, "rate_limited", { "retry-after": "61" }),
      ],
      { retries: 0 },
    )
    const error = await caught(client.createInterviewSet({ title: "" }))
    assert.instanceOf(error, ApiError)
    assert.deepInclude(error, { status: 422, code: "validation_failed", errors, requestId: "r-7", name: "ApiError" })
    assert.strictEqual(String(error), "ApiError: 422 validation_failed: the validation_failed; #/title is required")
    assert.deepInclude(await caught(client.getAccount()), { status: 429, retryAfter: 61, requestId: undefined })
  })

  it("is an ApiError invalid_response when the response is not from the API", async () => {
    const { client } = scripted([new Response("<h1>Sign in</h1>"), json(200, { ok: true }), new Response("no")], {
      retries: 0,
    })
    for (const _ of [1, 2, 3]) {
      assert.deepInclude(await caught(client.getAccount()), { code: "invalid_response", type: undefined })
    }
  })

  it("is a ConnectionError when the response is missing or incomplete after all retries", async () => {
    const half = () => new Response(new ReadableStream({ start: (stream) => stream.error(new Error("reset")) }))
    const { client, sent } = scripted([lost(), half(), lost(), lost()])
    const error = await caught(client.getAccount())
    assert.instanceOf(error, ConnectionError)
    assert.instanceOf(error.cause, TypeError)
    assert.lengthOf(sent, 4)
  })
})

describe("a deadline or signal", () => {
  afterEach(() => void vi.useRealTimers())

  const never: Step = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))

  it("ends an attempt without a complete response with a TimeoutError", async () => {
    vi.useFakeTimers()
    const { client, sent } = scripted([never, never], { retries: 1, timeout: 100 })
    const error = caught(client.getAccount())
    await vi.advanceTimersByTimeAsync(99)
    assert.lengthOf(sent, 1)
    await vi.advanceTimersByTimeAsync(1)
    assert.lengthOf(sent, 2)
    await vi.advanceTimersByTimeAsync(100)
    assert.instanceOf(await error, TimeoutError)
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("ends an attempt of a fetch that ignores its signal", async () => {
    vi.useFakeTimers()
    const deaf: Step = () => new Promise(() => {})
    const deafBody: Step = async () => new Response(new ReadableStream({}))
    const { client, sent } = scripted([deaf, deafBody], { retries: 1, timeout: 100 })
    const error = caught(client.getAccount())
    await vi.advanceTimersByTimeAsync(200)
    assert.lengthOf(sent, 2)
    assert.instanceOf(await error, TimeoutError)

    const reason = new Error("the user left")
    const controller = new AbortController()
    const aborted = caught(scripted([deaf]).client.getAccount({ signal: controller.signal }))
    controller.abort(reason)
    assert.strictEqual(await aborted, reason)
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("has no timer with the timeout Infinity, and the longest timer with a longer timeout", async () => {
    vi.useFakeTimers()
    const controller = new AbortController()
    const { client } = scripted([never, never])
    const options = { signal: controller.signal, retries: 0 }
    const endless = caught(client.getAccount({ ...options, timeout: Number.POSITIVE_INFINITY }))
    assert.strictEqual(vi.getTimerCount(), 0)
    const long = caught(client.getAccount({ ...options, timeout: 2 ** 31 }))
    await vi.advanceTimersByTimeAsync(86_400_000)
    const reason = new Error("the user left")
    controller.abort(reason)
    assert.deepStrictEqual(await Promise.all([endless, long]), [reason, reason])
  })

  it("ends the request and its retries when the caller's signal aborts", async () => {
    const reason = new Error("the user left")
    const before = scripted([])
    assert.strictEqual(await caught(before.client.getAccount({ signal: AbortSignal.abort(reason) })), reason)

    const controller = new AbortController()
    const during = scripted([never])
    const error = caught(during.client.getAccount({ signal: controller.signal }))
    controller.abort(reason)
    assert.strictEqual(await error, reason)

    const waiting = new AbortController()
    const between = scripted([
      async () => {
        waiting.abort(reason)
        return problem(503, "unavailable")
      },
    ])
    assert.strictEqual(await caught(between.client.getAccount({ signal: waiting.signal })), reason)
  })
})

const page = (ids: ReadonlyArray<string>, next_cursor: string | null) =>
  json(200, { results: ids.map((id) => ({ id, event_id: id })), next_cursor })

describe("paginate", () => {
  it("yields the records of all pages, and requests a page when it is needed", async () => {
    const { client, sent } = scripted([page(["1", "2"], "c1"), page([], "c2"), page(["3"], null)])
    const seen: Array<readonly [string, number]> = []
    for await (const { id } of paginate(client.listSubmissions, { status: "completed" })) seen.push([id, sent.length])
    assert.deepStrictEqual(seen, [
      ["1", 1],
      ["2", 1],
      ["3", 3],
    ])
    assert.deepStrictEqual(
      sent.map(({ url }) => new URL(url).search),
      ["?status=completed", "?status=completed&cursor=c1", "?status=completed&cursor=c2"],
    )
  })

  it("takes only lists whose next_cursor can be null", () => {
    const { client } = scripted([])
    // @ts-expect-error: the newest page of events has a next_cursor too
    paginate(client.listEvents)
    // @ts-expect-error
    paginate((page) => client.listEvents({ ...page, from: "now" }))
  })

  it("ends after a page without next_cursor, or with that of the request", async () => {
    const without = json(200, { results: [{ id: "2" }] })
    for (const last of [without, page(["2"], "c1")]) {
      const { client } = scripted([page(["1"], "c1"), last])
      const seen: Array<string> = []
      for await (const { id } of paginate(client.listSubmissions)) seen.push(id)
      assert.deepStrictEqual(seen, ["1", "2"])
    }
    const { client } = scripted([page([], "c1")])
    for await (const _ of paginate(client.listSubmissions, { cursor: "c1" })) assert.fail("a record")
  })

  it("works with lists that need an id", async () => {
    const { client, sent } = scripted([page(["1"], "c1"), page(["2"], null)])
    const seen: Array<string> = []
    const deliveries = paginate((page) => client.listWebhookDeliveries("a", { ...page, state: "failed" }))
    for await (const { id } of deliveries) seen.push(id)
    assert.deepStrictEqual(seen, ["1", "2"])
    assert.deepStrictEqual(
      sent.map(({ url }) => new URL(url).search),
      ["?state=failed", "?cursor=c1&state=failed"],
    )
  })
})

describe("readEvents", () => {
  const ids = async (events: AsyncIterable<{ readonly event_id: string }>) => {
    const seen: Array<string> = []
    for await (const { event_id } of events) seen.push(event_id)
    return seen
  }

  it("starts since a time, continues with cursors, and ends after the newest event", async () => {
    const { client, sent } = scripted([page(["1", "2"], "c1"), page(["3"], "c2"), page([], "c2")])
    const reader = client.readEvents({ since: "2030-01-31T18:00:00Z", event_type: "interview.status.update" })
    assert.isUndefined(reader.cursor)
    assert.deepStrictEqual(await ids(reader), ["1", "2", "3"])
    assert.strictEqual(reader.cursor, "c2")
    assert.deepStrictEqual(
      sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams)),
      [
        { since: "2030-01-31T18:00:00Z", event_type: "interview.status.update" },
        { event_type: "interview.status.update", cursor: "c1" },
        { event_type: "interview.status.update", cursor: "c2" },
      ],
    )
  })

  it("moves its cursor only after all events of a page were consumed", async () => {
    const { client } = scripted([page(["1", "2"], "c1"), page(["3", "4"], "c2")])
    const reader = client.readEvents({ cursor: "c0" })
    for await (const { event_id } of reader) {
      assert.strictEqual(reader.cursor, event_id < "3" ? "c0" : "c1")
      if (event_id === "3") break
    }
    assert.strictEqual(reader.cursor, "c1")
  })

  it("ends after a page without next_cursor, or with that of the request", async () => {
    const without = json(200, { results: [{ event_id: "2" }] })
    for (const last of [without, page(["2"], "c1")]) {
      const { client } = scripted([page(["1"], "c1"), last])
      const reader = client.readEvents()
      assert.deepStrictEqual([await ids(reader), reader.cursor], [["1", "2"], "c1"])
    }
  })

  it.each([0, -1, 99, Number.NaN])("waits at least 100 ms with a pollEvery of %s", async (pollEvery) => {
    const controller = new AbortController()
    const stop = async () => {
      controller.abort(new Error("stop"))
      return page([], "c1")
    }
    const { client, delays } = scripted([page([], "c1"), page([], "c1"), stop])
    await caught(ids(client.readEvents({}, { pollEvery, signal: controller.signal })))
    assert.deepStrictEqual(delays, [100, 100])
  })

  it("with from: now, gives the cursor of an empty page", async () => {
    const { client, sent } = scripted([page([], "c1"), page(["1"], "c2"), page([], "c2")])
    const reader = client.readEvents({ from: "now" })
    assert.deepStrictEqual([await ids(reader), reader.cursor], [[], "c1"])
    assert.deepStrictEqual(await ids(reader), ["1"])
    assert.strictEqual(new URL(sent[1]?.url ?? "").search, "?cursor=c1")
  })

  it("with pollEvery, waits for more events until the signal aborts", async () => {
    const controller = new AbortController()
    const { client, delays } = scripted([page(["1"], "c1"), page([], "c1"), page([], "c1"), page(["2"], "c2")])
    const seen: Array<string> = []
    const { signal } = controller
    const error = await caught(
      (async () => {
        for await (const { next_cursor, results } of client.readEvents({}, { pollEvery: 5000, signal }).pages()) {
          seen.push(...results.map(({ event_id }) => event_id), next_cursor)
          if (next_cursor === "c2") controller.abort(new Error("stop"))
        }
      })(),
    )
    assert.strictEqual(String(error), "Error: stop")
    assert.deepStrictEqual(seen, ["1", "c1", "c1", "c1", "2", "c2"])
    assert.deepStrictEqual(delays, [5000, 5000])
  })
})
