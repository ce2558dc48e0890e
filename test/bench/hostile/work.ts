/** Measures the most expensive valid input: the largest interview, and a CV of 2 MB that decompresses to 2 GB. */
import { createServer } from "node:http"
import { Effect, Schedule, Schema } from "effect"
import { setLimits } from "../../../src/interview-sets/InterviewSet.ts"
import { zipBomb } from "../../port/cvFiles/office.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import { portOf } from "../support/control.ts"
import * as Postgres from "../support/postgres.ts"
import { countOf, type Figure } from "./measure.ts"
import { form, type Hostile, send } from "./send.ts"
import { limits, workSeconds } from "./settings.ts"
import type { Stage, Window } from "./stage.ts"

const api = "/company/integration"

const { questions, requirements } = setLimits
const requirementCharacters = 5_000
const answerCharacters = 20_000

/** Simultaneous requests of candidates of the largest set. */
const crowdSize = 100

const words =
  "I ran PostgreSQL in production for six years, found slow queries with pg_stat_statements, wrote TypeScript services, " +
  "led a team of three and spoke with customers; migration of two million invoices took one night without an outage. "

const textOf = (characters: number, from: number): string => {
  const all = words.slice(from % words.length) + words.repeat(Math.ceil(characters / words.length))
  return all.slice(0, characters).trim()
}

const Created = Schema.fromJsonString(
  Schema.Struct({
    results: Schema.Struct({ id: Schema.String, iai_questions: Schema.Array(Schema.Struct({ id: Schema.String })) }),
  }),
)
const Invited = Schema.fromJsonString(
  Schema.Struct({
    results: Schema.Array(
      Schema.Struct({ submission: Schema.Struct({ id: Schema.String, interview_url: Schema.NullOr(Schema.String) }) }),
    ),
  }),
)

const decode = <A>(schema: Schema.Codec<A, unknown>, text: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(schema)(text),
    () => new BenchFailed({ message: `valid input was refused: ${text.slice(0, 500)}` }),
  )

const sendOne = (origin: string, request: Hostile) =>
  Effect.flatMap(
    Effect.promise(() => send(origin, [request])),
    ([answer]) => Effect.fromNullishOr(answer),
  )

const figureOf = (name: string, worst: string, statuses: string, isDone: boolean, window: Window<unknown>): Figure => ({
  name,
  worst,
  statuses,
  block: window.block,
  lag: window.lag,
  control: window.control,
  limit: limits.member,
  reached: window.block <= limits.member && isDone,
})

/** Waits until a query returns a count above zero. Returns false after `workSeconds`. */
const waitForRow = (url: string, statement: string) =>
  Effect.map(
    Postgres.query<{ count: number }>(url, statement).pipe(
      Effect.repeat({ until: ({ count }) => count > 0, schedule: Schedule.spaced("500 millis") }),
      Effect.timeoutOption(`${workSeconds} seconds`),
    ),
    ({ _tag }) => _tag === "Some",
  )

const inviteOf = (set: string, candidate: object) =>
  JSON.stringify({ com_interview_set_id: set, candidates: [candidate] })

export const measureWork = Effect.fnUntraced(function* (stage: Stage) {
  const { account, pods, url, watched } = stage
  const [{ url: origin }] = pods
  const post = (path: string, body: string) =>
    sendOne(origin, {
      method: "POST",
      path: `${api}/interview/${path}`,
      headers: { "content-type": "application/json", "x-api-key": account.key },
      body,
    })
  const figures: Array<Figure> = []

  const creating = yield* watched(
    post(
      "set/v1",
      JSON.stringify({
        title: "The largest interview",
        iai_questions: Array.from({ length: questions }, (_, i) => ({
          title: `A question (${i + 1})`,
          content: textOf(1_000, i),
          question_mode: "interview",
          question_type: "text",
        })),
        iai_requirements: Array.from({ length: requirements }, (_, i) => ({
          title: `A requirement (${i + 1})`,
          content: textOf(requirementCharacters, i * 7),
          cfg_importance_id: 273,
        })),
      }),
    ),
  )
  figures.push(
    figureOf("largest set: created", "API", String(creating.result.status), creating.result.status === 201, creating),
  )
  const { results: set } = yield* decode(Created, creating.result.text)
  const invited = yield* post("candidate/invite/v1", inviteOf(set.id, { email: "largest@example.com" }))
  const { results } = yield* decode(Invited, invited.text)
  const [one] = results
  const submission = one?.submission.id ?? ""
  const token = one?.submission.interview_url?.split("/").at(-1) ?? ""

  const page = (step: string, fields: Record<string, string>): Hostile => ({
    method: "POST",
    path: `/i/${token}/${step}`,
    headers: { "content-type": form },
    body: String(new URLSearchParams(fields)),
  })
  yield* sendOne(origin, page("start", {}))
  const answering = yield* watched(
    Effect.forEach(set.iai_questions, ({ id }, i) =>
      Effect.map(
        sendOne(
          origin,
          page("answers", { question: id, go: "next", [`answer.${id}`]: textOf(answerCharacters, i * 11) }),
        ),
        ({ status }) => status,
      ),
    ),
  )
  figures.push(
    figureOf(
      "largest set: answered",
      `${answerCharacters} characters each`,
      countOf(answering.result),
      answering.result.every((status) => status === 303),
      answering,
    ),
  )
  const [firstQuestion = { id: "" }] = set.iai_questions
  const crowds: Readonly<Record<string, Hostile>> = {
    "saved at once": page("answers", {
      question: firstQuestion.id,
      go: "next",
      [`answer.${firstQuestion.id}`]: "One more word",
    }),
    "opened at once": { method: "GET", path: `/i/${token}/questions/250` },
  }
  for (const [name, request] of Object.entries(crowds)) {
    const crowd = yield* watched(Effect.promise(() => send(origin, Array<Hostile>(crowdSize).fill(request), crowdSize)))
    const statuses = crowd.result.map(({ status }) => status)
    const isDone = statuses.every((status) => status === (request.method === "POST" ? 303 : 200))
    figures.push(figureOf(`largest set: ${name}`, `${crowdSize} requests`, countOf(statuses), isDone, crowd))
  }
  const reading = yield* watched(
    Effect.forEach(["review", "questions/500", "state"], (step) =>
      Effect.map(sendOne(origin, { method: "GET", path: `/i/${token}/${step}` }), ({ status }) => status),
    ),
  )
  figures.push(
    figureOf(
      "largest set: reviewed",
      "pages",
      countOf(reading.result),
      reading.result.every((status) => status === 200),
      reading,
    ),
  )
  const began = performance.now()
  const evaluating = yield* watched(
    Effect.gen(function* () {
      const { status } = yield* sendOne(origin, page("finish", {}))
      const isDone = yield* waitForRow(
        url,
        `select count(*)::int as count from evaluation where submission_id = '${submission}' and state = 'done'`,
      )
      return { status, isDone }
    }),
  )
  figures.push(
    figureOf(
      "largest set: submitted and evaluated",
      `${Math.round((performance.now() - began) / 1000)} s`,
      `${evaluating.result.status}${evaluating.result.isDone ? "" : ", not evaluated"}`,
      evaluating.result.status === 303 && evaluating.result.isDone,
      evaluating,
    ),
  )
  const shown = yield* watched(
    Effect.forEach(
      [
        { path: `/submissions/${submission}`, headers: { cookie: stage.cookie } },
        { path: `${api}/hiring/submissions/${submission}/detail/v1`, headers: { "x-api-key": account.key } },
      ],
      (request) => Effect.map(sendOne(origin, { method: "GET", ...request }), ({ status }) => status),
    ),
  )
  figures.push(
    figureOf(
      "largest set: read",
      "page and API",
      countOf(shown.result),
      shown.result.every((status) => status === 200),
      shown,
    ),
  )

  const bomb = Buffer.from(zipBomb("word/document.xml", 2_000))
  const files = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((_request, response) => response.end(bomb))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      }),
  )
  const unpacking = yield* watched(
    Effect.gen(function* () {
      const { status } = yield* post(
        "candidate/invite/v1",
        inviteOf(account.set, { email: "bomb@example.com", cv_link: `http://127.0.0.1:${portOf(files)}/cv.docx` }),
      )
      const isDone = yield* waitForRow(url, "select count(*)::int as count from cv where state in ('failed', 'read')")
      return { status, isDone }
    }),
  )
  figures.push(
    figureOf(
      "a CV of 2 GB in 2 MB",
      "link",
      `${unpacking.result.status}${unpacking.result.isDone ? "" : ", not read"}`,
      unpacking.result.status === 200 && unpacking.result.isDone,
      unpacking,
    ),
  )
  return figures
})
