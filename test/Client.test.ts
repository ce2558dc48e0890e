/** The typed client against the service over real HTTP. */
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import * as Client from "../src/Client.ts"
import { SubmissionId } from "../src/values/Ids.ts"
import * as Api from "./support/Api.ts"

/** A client of a new organization, through the current HttpClient. */
const client = Effect.gen(function* () {
  const { url } = yield* Api.Server
  const { key } = yield* Api.account
  return yield* Client.make({ url, apiKey: Redacted.make(key) })
})

/** Drops answers after the service has sent them: every `nth` one arrives. */
const lossy = (nth: number) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const inner = yield* HttpClient.HttpClient
      let sent = 0
      return HttpClient.transform(inner, (effect, request) =>
        Effect.flatMap(effect, (response) => {
          if (++sent % nth === 0) return Effect.succeed(response)
          const reason = new HttpClientError.TransportError({ request, description: "the connection was lost" })
          return Effect.andThen(response.text, Effect.fail(new HttpClientError.HttpClientError({ reason })))
        }),
      )
    }),
  ).pipe(Layer.provide(FetchHttpClient.layer))

/** A clock whose sleeps end at once. */
const instant: Clock.Clock = Object.create(Clock.Clock.defaultValue(), { sleep: { value: () => Effect.void } })
/** Records the sleeps in milliseconds, each of which ends at once. */
const recording = (sleeps: Array<number>): Clock.Clock =>
  Object.create(Clock.Clock.defaultValue(), {
    sleep: { value: (duration: Duration.Duration) => Effect.sync(() => void sleeps.push(Duration.toMillis(duration))) },
  })
const atOnce = Effect.provideService(Clock.Clock, instant)

layer(Layer.merge(Api.layer(), FetchHttpClient.layer), { excludeTestServices: true })("Client", (it) => {
  it.effect("creates, invites, lists, reads, resends, cancels", () =>
    Effect.gen(function* () {
      const { account, events, interviewSets, invitations, projects, submissions } = yield* client
      const { results: set } = yield* interviewSets.create({
        payload: { title: "Backend Engineer", iai_requirements: [{ title: "SQL", cfg_importance_id: 273 }] },
      })
      const { results } = yield* invitations.invite({
        payload: { com_interview_set_id: set.id, candidates: [{ email: "ada@example.com" }, { email: "nobody" }] },
      })
      const [ada, nobody] = results
      assert.strictEqual(ada?.invitation?.status_text, "pending")
      assert.isString(nobody?.invitation_error_message)
      assert.strictEqual((yield* account.me({})).results.organization.name, "Nordlicht")
      assert.strictEqual((yield* interviewSets.list({ query: { set_type: 1 } })).results[0]?.id, set.id)
      assert.deepInclude((yield* interviewSets.read({ params: { id: set.id } })).results, set)
      const first = yield* invitations.list({ query: { limit: 1 } })
      const second = yield* invitations.list({ query: { limit: 1, cursor: first.next_cursor ?? "" } })
      assert.deepStrictEqual([first, second].flatMap((page) => page.results.map(({ email }) => email)).sort(), [
        "ada@example.com",
        "nobody",
      ])
      assert.isNull(second.next_cursor)
      const id = yield* Effect.fromNullishOr(ada?.invitation?.id)
      assert.strictEqual((yield* invitations.resend({ params: { id } })).results.id, id)
      assert.strictEqual((yield* invitations.cancel({ params: { id } })).results.status_text, "cancelled")
      const withdrawn = yield* submissions.list({ query: { status: "withdrawn" } })
      assert.deepStrictEqual(
        withdrawn.results.map((one) => one.id),
        [ada?.submission?.id],
      )
      // transactions of other tests on the same server may delay it
      const told = yield* Effect.repeat(events.list({ query: {} }), { until: ({ results }) => results.length > 0 })
      assert.lengthOf(told.results, 1)
      assert.deepStrictEqual(yield* projects.list({ query: {} }), { results: [], next_cursor: null })
    }),
  )

  it.effect("returns every problem as an error with its own tag and all validation errors", () =>
    Effect.gen(function* () {
      const { interviewSets, submissions } = yield* client
      const refused = yield* Effect.flip(
        interviewSets.create({ payload: { title: "x", project_id: crypto.randomUUID() } }),
      )
      assert.strictEqual(refused._tag, "Unprocessable")
      if (refused._tag === "Unprocessable") {
        assert.deepStrictEqual(
          refused.errors.map(({ pointer }) => pointer),
          ["#/project_id"],
        )
      }
      const id = SubmissionId.make(crypto.randomUUID())
      assert.strictEqual((yield* Effect.flip(submissions.detail({ params: { id } })))._tag, "NotFound")
      const { url } = yield* Api.Server
      const stranger = yield* Client.make({ url, apiKey: Redacted.make("nothing") })
      assert.strictEqual((yield* Effect.flip(stranger.account.me({})))._tag, "Unauthorized")
    }),
  )

  it.effect("retries a request without an answer, which is performed once", () =>
    Effect.gen(function* () {
      const { interviewSets } = yield* Effect.provide(client, lossy(3))
      const { results } = yield* interviewSets.create({ payload: { title: "once" } })
      const listed: Array<string> = []
      // each answer is lost twice, so the list needs its retries too
      for (const one of (yield* interviewSets.list({ query: {} })).results) listed.push(one.id)
      assert.deepStrictEqual(listed, [results.id])
    }).pipe(atOnce),
  )

  it.effect("retries while the first try is still running", () =>
    Effect.gen(function* () {
      const inner = yield* HttpClient.HttpClient
      let asked = 0
      const busy = HttpClient.transform(inner, (effect, request) =>
        ++asked < 3
          ? Effect.succeed(
              HttpClientResponse.fromWeb(request, new Response("{}", { status: 409, headers: { "retry-after": "1" } })),
            )
          : effect,
      )
      const { interviewSets } = yield* Effect.provideService(client, HttpClient.HttpClient, busy)
      assert.strictEqual((yield* interviewSets.create({ payload: { title: "once" } })).results.title, "once")
      assert.strictEqual(asked, 3)
    }).pipe(atOnce),
  )

  it.effect.each([
    [503, {}, [250, 500, 1000], 0.2],
    [409, { "retry-after": "1" }, [1000, 2000, 4000], 0],
  ] as const)("waits longer before each retry after %s", ([status, headers, expected, jitter]) =>
    Effect.gen(function* () {
      const refusing = HttpClient.make((request) =>
        Effect.sync(() => {
          return HttpClientResponse.fromWeb(request, new Response("", { status, headers }))
        }),
      )
      const sleeps: Array<number> = []
      const { interviewSets } = yield* Effect.provideService(client, HttpClient.HttpClient, refusing)
      yield* Effect.exit(interviewSets.create({ payload: { title: "x" } })).pipe(
        Effect.provideService(Clock.Clock, recording(sleeps)),
      )
      assert.lengthOf(sleeps, expected.length)
      for (const [i, delay] of expected.entries()) assert.approximately(sleeps[i] ?? 0, delay, delay * jitter)
    }),
  )

  it.effect("fails after its retries, and does not retry a refusal", () =>
    Effect.gen(function* () {
      const { url } = yield* Api.Server
      let sent = 0
      const unavailable = HttpClient.make((request) =>
        Effect.sync(() => {
          sent++
          return HttpClientResponse.fromWeb(request, new Response("", { status: 503 }))
        }),
      )
      const asked = Effect.gen(function* () {
        const { account } = yield* Client.make({ url, apiKey: Redacted.make("x"), retries: 2 })
        return yield* Effect.flip(account.me({}))
      }).pipe(Effect.provideService(HttpClient.HttpClient, unavailable))
      yield* asked
      assert.strictEqual(sent, 3)
    }).pipe(atOnce),
  )
})
