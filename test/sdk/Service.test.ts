/** The client without Effect against the service over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { RequestLog } from "../../src/accounts/requests/RequestLog.ts"
import { realEnvironment } from "../../src/sdk/Requests.ts"
import { ApiError, type ClientOptions, createClient, paginate } from "../../src/sdk/Sdk.ts"
import { makeClient } from "../../src/sdk/SdkClient.ts"
import * as Api from "../support/Api.ts"

/** Options of a client of a new organization. */
const account = Effect.gen(function* () {
  const { url } = yield* Api.Server
  const { key } = yield* Api.account
  return { url, apiKey: key } satisfies ClientOptions
})

const all = async <A>(records: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const seen: Array<A> = []
  for await (const record of records) seen.push(record)
  return seen
}

layer(Api.layer(), { excludeTestServices: true })("the client", (it) => {
  it.effect("creates, invites, lists, reads, extends, cancels, and manages endpoints", () =>
    Effect.gen(function* () {
      const client = createClient(yield* account)
      const { write } = yield* RequestLog
      yield* Effect.promise(async () => {
        const set = await client.createInterviewSet({
          title: "Backend Engineer",
          iai_requirements: [{ title: "SQL", cfg_importance_id: 273 }],
        })
        assert.strictEqual((await client.getInterviewSet(set.id)).title, "Backend Engineer")
        const candidates = ["ada", "grace", "alan"].map((name) => ({ email: `${name}@example.com` }))
        const invited = await client.inviteCandidates({ com_interview_set_id: set.id, candidates })
        const listed = await all(paginate(client.listInvitations, { interview_set_id: set.id, limit: 2 }))
        assert.sameMembers(
          listed.map(({ id }) => id),
          invited.map(({ invitation }) => invitation?.id ?? ""),
        )
        const [{ invitation, submission } = assert.fail("no result")] = invited
        assert.strictEqual((await client.getSubmission(submission?.id ?? "")).status_text, "need_interview")
        const id = invitation?.id ?? ""
        assert.strictEqual((await client.getInvitation(id)).email, "ada@example.com")
        const deadline = new Date(Date.now() + 40 * 86_400_000).toISOString()
        assert.strictEqual((await client.extendInvitation(id, { expires_at: deadline })).id, id)
        assert.strictEqual((await client.resendInvitation(id)).id, id)
        assert.strictEqual((await client.correctInvitation(id, { email: "ada@example.com" })).id, id)
        assert.strictEqual((await client.cancelInvitation(id)).status_text, "cancelled")
        assert.lengthOf((await client.listSubmissions({ email: "ada@example.com" })).results, 1)
        assert.deepStrictEqual(await client.listProjects(), { results: [], next_cursor: null })
        assert.deepStrictEqual((await client.listInterviewSets({ set_type: 2 })).results, [])
        assert.strictEqual((await client.getAccount()).organization.name, "Nordlicht")

        const endpoint = await client.createWebhookEndpoint({
          name: "ATS",
          url: "https://ats.acme.example/hooks",
          events: ["interview.status.update"],
        })
        const { secret } = await client.rotateWebhookSecret(endpoint.id)
        assert.notStrictEqual(secret, endpoint.secret)
        assert.strictEqual((await client.updateWebhookEndpoint(endpoint.id, { name: "B" })).name, "B")
        assert.deepStrictEqual(await all(paginate((page) => client.listWebhookDeliveries(endpoint.id, page))), [])
        assert.isTrue((await client.deleteWebhookEndpoint(endpoint.id)).deleted)
      })
      yield* write
      const { results } = yield* Effect.promise(() => client.listRequests({ operation: "getAccount" }))
      assert.match(results[0]?.client ?? "", /^interview-invitations-sdk\/\d/)
    }),
  )

  it.effect("throws ApiError with all validation errors, and with the id of the request", () =>
    Effect.gen(function* () {
      const client = createClient(yield* account)
      const error: unknown = yield* Effect.promise(() =>
        client.createInterviewSet({ title: "", project_id: "x" }, { requestId: "request-17" }).catch((error) => error),
      )
      if (!(error instanceof ApiError)) return assert.fail(String(error))
      assert.deepInclude(error, {
        status: 422,
        code: "validation_failed",
        type: "/docs/errors#validation_failed",
        requestId: "request-17",
      })
      assert.sameMembers(
        error.errors.map(({ pointer }) => pointer),
        ["#/title", "#/project_id"],
      )
    }),
  )

  it.effect("performs a POST once when its responses are lost", () =>
    Effect.gen(function* () {
      let sent = 0
      const options: ClientOptions = {
        ...(yield* account),
        fetch: async (url, init) => {
          const response = await fetch(url, init)
          sent += 1
          if (sent % 3 === 0) return response
          await response.text()
          throw new TypeError("the connection was lost")
        },
      }
      const client = makeClient(options, { ...realEnvironment, sleep: async () => undefined })
      yield* Effect.promise(async () => {
        const { id } = await client.createInterviewSet({ title: "once" })
        assert.strictEqual(sent, 3)
        assert.deepStrictEqual(
          (await client.listInterviewSets()).results.map((set) => set.id),
          [id],
        )
      })
    }),
  )

  it.effect("reads events from a cursor", () =>
    Effect.gen(function* () {
      const client = createClient(yield* account)
      yield* Effect.promise(async () => {
        const reader = client.readEvents({ from: "now" })
        assert.deepStrictEqual(await all(reader), [])
        const { cursor } = reader
        assert.isString(cursor)
        const { id } = await client.createInterviewSet({ title: "Backend Engineer" })
        // an invalid address fails at once, which is an event
        await client.inviteCandidates({ com_interview_set_id: id, candidates: [{ email: "invalid" }] })
        let events = await all(client.readEvents({ cursor }))
        // open transactions of other tests on the same server can delay the event
        while (events.length === 0) events = await all(client.readEvents({ cursor }))
        assert.deepStrictEqual(
          events.map(({ data, event_type }) => [event_type, "status" in data ? data.status : ""]),
          [["invitation.status.update", "invitation_email_failed"]],
        )
      })
    }),
  )
})
