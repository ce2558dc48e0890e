/** The test of every example: one invitation by email, one evaluated CV, webhooks for both. */

import { readFile } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import { assert } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"

/** The CV behind every link of the hiring system. */
export const cv = `# Grace Hopper

- Designed **PostgreSQL** schemas, tuned slow queries with indexes and ran migrations in production for six years.
`

export interface HiringSystem {
  readonly url: string
  /** Ids of the received events, one for each request. */
  readonly events: ReadonlyArray<string>
  readonly cvRequests: () => number
  /** Sets whether the first request of each event is refused. */
  readonly refuseOnce: (isRefused: boolean) => void
}

/** A server that serves the CV and receives webhooks. */
export const hiringSystemWith = Effect.fnUntraced(function* (file: string | Uint8Array) {
  const events: Array<string> = []
  let [cvRequests, refuses] = [0, false]
  const server = createServer((request: IncomingMessage, response) => {
    request.resume()
    if (request.method === "GET") {
      cvRequests += 1
      response.end(file)
      return
    }
    const event = String(request.headers["webhook-id"])
    response.writeHead(refuses && !events.includes(event) ? 503 : 200).end()
    events.push(event)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const system: HiringSystem = {
    url: `http://127.0.0.1:${port}`,
    events,
    cvRequests: () => cvRequests,
    refuseOnce: (isRefused) => {
      refuses = isRefused
    },
  }
  return system
})

export const hiringSystem = hiringSystemWith(cv)

const base = "/company/integration"
const Created = Schema.Struct({ results: Schema.Struct({ id: Schema.String }) })
const Events = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      event_id: Schema.String,
      event_type: Schema.String,
      data: Schema.Struct({ submission_id: Schema.String }),
    }),
  ),
})

export const waitFor = <A>(read: () => Promise<A | undefined>) =>
  Effect.tryPromise(async () => {
    const found = await read()
    if (found === undefined) throw new Error("no value yet")
    return found
  }).pipe(Effect.retry(Schedule.spaced("50 millis")), Effect.orDie)

const caller =
  (url: string, key: string) =>
  async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { "x-api-key": key, "content-type": "application/json" }
    const response = await fetch(url + base + path, { method, headers, ...init })
    const text = await response.text()
    assert.isTrue(response.ok, text)
    return JSON.parse(text)
  }

/** Invites two candidates and waits until the CV is evaluated; returns the events and the submission's details. */
export const journey = Effect.fnUntraced(function* (url: string, key: string, cvLink: string) {
  const call = caller(url, key)
  const requirement = {
    title: "PostgreSQL",
    content: "Designs schemas, tunes slow queries with indexes and runs migrations in production.",
    cfg_importance_id: 273,
  }
  const set = yield* Effect.promise(() =>
    call("POST", "/interview/set/v1", { title: "Backend engineer", iai_requirements: [requirement] }),
  )
  const { results } = Schema.decodeUnknownSync(Created)(set)
  const candidates = [{ email: "ada@example.com", name: "Ada Lovelace" }, { cv_link: cvLink }]
  yield* Effect.promise(() =>
    call("POST", "/interview/candidate/invite/v1", { com_interview_set_id: results.id, candidates }),
  )
  const events = yield* waitFor(async () => {
    const { results } = Schema.decodeUnknownSync(Events)(await call("GET", "/events/v1"))
    const names = results.map(({ event_type }) => event_type)
    return ["interview.evaluation.update", "invitation.status.update"].every((name) => names.includes(name))
      ? results
      : undefined
  })
  const rated = events.find(({ event_type }) => event_type === "interview.evaluation.update")
  const detail = yield* Effect.promise(() => call("GET", `/hiring/submissions/${rated?.data.submission_id}/detail/v1`))
  return { events: events.map(({ event_id }) => event_id), detail: JSON.stringify(detail) }
})

const Invited = Schema.Struct({ results: Schema.Struct({ interview_url: Schema.String }) })
const InvitationList = Schema.Struct({
  results: Schema.Array(Schema.Struct({ id: Schema.String, email: Schema.NullOr(Schema.String) })),
})
const NewSet = Schema.Struct({
  results: Schema.Struct({ id: Schema.String, iai_questions: Schema.Array(Schema.Struct({ id: Schema.String })) }),
})
const NewRecording = Schema.Struct({ id: Schema.String })

/** Invites a candidate, who answers by speaking. Returns the candidate's link. */
export const spokenAnswer = async (url: string, key: string): Promise<string> => {
  const call = caller(url, key)
  const question = {
    title: "What did you run?",
    question_mode: "interview",
    question_type: "text",
    attributes: { answer_with: ["audio"] },
  }
  const set = Schema.decodeUnknownSync(NewSet)(
    await call("POST", "/interview/set/v1", { title: "Spoken", iai_questions: [question] }),
  )
  const email = "edsger@example.com"
  await call("POST", "/interview/candidate/invite/v1", {
    com_interview_set_id: set.results.id,
    candidates: [{ email, name: "Edsger Dijkstra" }],
  })
  const { results } = Schema.decodeUnknownSync(InvitationList)(await call("GET", "/hiring/invitations/v1"))
  const invitation = results.find((one) => one.email === email)
  const read = await call("GET", `/hiring/invitations/v1/${invitation?.id}`)
  const { interview_url } = Schema.decodeUnknownSync(Invited)(read).results
  const candidate = url + new URL(interview_url).pathname
  const post = async (path: string, body: RequestInit["body"]): Promise<unknown> => {
    const headers = { accept: "application/json" }
    const response = await fetch(candidate + path, { method: "POST", redirect: "manual", headers, body: body ?? null })
    assert.isBelow(response.status, 400, path)
    return response.status === 303 ? undefined : await response.json()
  }
  await post("/start", new URLSearchParams())
  const [first] = set.results.iai_questions
  const begun = await post(
    "/recordings",
    new URLSearchParams({ question: first?.id ?? "", kind: "audio", attempt: "1", consent: "" }),
  )
  const { id } = Schema.decodeUnknownSync(NewRecording)(begun)
  const sound = await readFile(new URL("../../recordings/samples/audio.webm", import.meta.url))
  await post(`/recordings/${id}/pieces/0`, new Blob([new Uint8Array(sound)]))
  await post(`/recordings/${id}/end`, new URLSearchParams({ pieces: "1" }))
  return candidate
}
