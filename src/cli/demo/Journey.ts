/** The steps of the demo, over HTTP. Each prints its result; a failed step ends the demo. */
import { Console, Effect, Schedule } from "effect"
import * as Client from "../../Client.ts"
import { clip } from "../../evaluations/Evaluation.ts"
import { SubmissionId } from "../../values/Ids.ts"
import { CommandFailed } from "../Environment.ts"
import { interviewSet, type StartData } from "../StartData.ts"
import { isGenuine, type Receiver } from "./Receiver.ts"

const answers: Record<string, string | ReadonlyArray<string>> = {
  "Where are you based?": ["In the European Union"],
  "Which of these have you run in production?": ["PostgreSQL", "Kubernetes"],
  "A service you built":
    "For four years I built and ran a TypeScript service that delivers notifications for 300 shops. It handles 2,000 requests a second in production. I designed the message queue with retries and wrote automated tests for every failure we had seen.",
  "A database problem":
    "A PostgreSQL query took nine seconds. The query plan showed a sequential scan, so I added a partial index and rewrote the join. It fell to 12 milliseconds, and I watched it with pg_stat_statements for a week.",
  "Working with others":
    "I mentored two junior colleagues for a year. We paired every week, and one of them now leads the deployments on Kubernetes.",
}

const expectedEvents = [
  "invitation.status.update invitation_email_failed",
  "invitation.status.update invitation_email_delivered",
  "invitation.status.update invitation_email_opened",
  "invitation.status.update invitation_email_clicked",
  "interview.status.update initiated",
  "interview.status.update started",
  "interview.status.update completed",
  "interview.evaluation.update scored",
]

/** Only the CV has this name; the invite request does not. */
const nameInCv = "Grace Hopper"

interface Event {
  readonly event_id: string
  readonly event_type: string
  readonly data: {
    readonly status?: string
    readonly score_status?: string
    readonly evaluation_type?: string
    readonly submission_id: string
  }
}

const nameOf = ({ data, event_type }: Event) => `${event_type} ${data.status ?? data.score_status}`

const expect: (condition: boolean, message: string) => asserts condition = (condition, message) => {
  if (!condition) throw new Error(message)
}

const runStep = <A, E>(name: string, effect: Effect.Effect<A, E>): Effect.Effect<A, CommandFailed> =>
  Effect.andThen(
    Console.log(`\n${name}`),
    Effect.mapError(effect, (error) => {
      const message = error instanceof Error ? error.message : String(error)
      return new CommandFailed({ message: `step "${name}" failed: ${message}` })
    }),
  )

const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: (error) => error })

const step = <A>(name: string, run: () => Promise<A>): Effect.Effect<A, CommandFailed> => runStep(name, attempt(run))

const check = (run: () => void) => Effect.try({ try: run, catch: (error) => error })

const say = (line: string) => Console.log(`  ${line}`)

const waitFor = <A, E>(name: string, look: Effect.Effect<A | undefined, E>): Effect.Effect<A, CommandFailed> =>
  look.pipe(
    Effect.mapError(String),
    Effect.flatMap((found) => (found === undefined ? Effect.fail("nothing yet") : Effect.succeed(found))),
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 300 }),
    Effect.mapError((error) => new CommandFailed({ message: `step "${name}" failed: waited 30 seconds: ${error}` })),
  )

export const journey = Effect.fn("Demo.journey")(function* (demo: StartData, url: string, receiver: Receiver) {
  const client = yield* Client.make({ url, apiKey: demo.apiKey })
  const page = async (path: string): Promise<string> => {
    const response = await fetch(new URL(path, url))
    const text = await response.text()
    expect(response.ok, `${path} answered ${response.status}`)
    return text
  }
  const post = async (address: string, fields: ReadonlyArray<readonly [string, string]> = []) => {
    const body = new URLSearchParams()
    for (const [name, value] of fields) body.append(name, value)
    const response = await fetch(address, { method: "POST", body, redirect: "manual" })
    await response.text()
    expect(response.status < 400, `POST ${new URL(address).pathname} answered ${response.status}`)
  }

  const { results: set } = yield* runStep(
    "Create an interview set over REST, with the typed client",
    client.interviewSets.create({ payload: { ...interviewSet, title: "Backend Engineer, Berlin" } }),
  )
  yield* say(
    `"${set.title}" with ${set.iai_questions.length} questions and ${set.iai_requirements.length} requirements`,
  )

  const invited = yield* runStep(
    "Invite three candidates",
    Effect.gen(function* () {
      const { results } = yield* client.invitations.invite({
        payload: {
          com_interview_set_id: set.id,
          invitation_message: "Hello {{name}}, we liked your profile and would like to hear more.",
          candidates: [
            { name: "Ada Lovelace", email: "ada@example.com" },
            { name: "Charles Babbage", email: "charles@example" },
            { cv_link: `${url}/sample-cv` },
          ],
        },
      })
      yield* check(() => {
        expect(results.length === 3, `${results.length} results for 3 candidates`)
        expect(results[0]?.invitation?.status_text === "pending", "the first candidate's invitation is not pending")
        expect(results[1]?.invitation_error_message !== undefined, "the invalid address was not reported")
        expect(results[2]?.submission?.status_text === "cv_processing", "the CV was not queued")
      })
      return results
    }),
  )
  for (const result of invited) {
    const who = result.email_address ?? result.cv_link
    yield* say(
      `${who}: ${result.error_message ?? `invitation ${result.invitation?.status_text ?? "none"}, submission ${result.submission?.status_text}`}`,
    )
  }

  const mailStep = "Wait for the email and open it in the mailbox"
  const mail = yield* Effect.andThen(
    Console.log(`\n${mailStep}`),
    waitFor(
      mailStep,
      attempt(async () => /\/mailbox\/[0-9a-f-]{36}/.exec(await page("/mailbox"))?.[0]),
    ),
  )
  const link = yield* step("Follow its link", async () => {
    const shown = await page(mail)
    expect(shown.includes("Ada Lovelace"), "the message does not name the candidate")
    const [first] = /\/mailbox\/[0-9a-f-]{36}\/links\/\d+/.exec(shown) ?? []
    expect(first !== undefined, "the email has no link")
    const response = await fetch(new URL(first, url), { redirect: "manual" })
    const location = response.headers.get("location")
    expect(location !== null, `the link answered ${response.status} without a location`)
    return location
  })
  yield* say(link)

  yield* step("Open the interview and start it", async () => {
    const before = await page(link)
    expect(before.includes(set.title), "the page does not name the interview")
    await post(`${link}/initiated`)
    await post(`${link}/start`)
    const running = await page(link)
    for (const { title } of set.iai_questions) expect(running.includes(title ?? ""), `the page does not ask "${title}"`)
  })

  const filled = set.iai_questions.flatMap(({ id, options, title }): ReadonlyArray<readonly [string, string]> => {
    const answer = answers[title ?? ""] ?? ""
    if (typeof answer === "string") return [[`answer.${id}`, answer]]
    return options.flatMap((option) =>
      answer.includes(option.title ?? "") ? [[`option.${id}`, String(option.id)] as const] : [],
    )
  })
  yield* step("Answer every question and submit", async () => {
    await post(`${link}/answers`, filled)
    await post(`${link}/finish`, filled)
  })
  for (const { title } of set.iai_questions) {
    const answer = answers[title ?? ""] ?? ""
    yield* say(`${title}  ${typeof answer === "string" ? `${answer.slice(0, 60)} ...` : answer.join(", ")}`)
  }

  const eventStep = "Receive the webhooks and verify each signature"
  const events = yield* Effect.andThen(
    Console.log(`\n${eventStep}`),
    waitFor(
      eventStep,
      Effect.sync(() => {
        const received = receiver.deliveries.map(({ body }) => JSON.parse(body.toString("utf8")) as Event)
        const isRated = ["cv", "interview"].every((type) => received.some(({ data }) => data.evaluation_type === type))
        return isRated && expectedEvents.every((name) => received.some((event) => nameOf(event) === name))
          ? received
          : undefined
      }),
    ),
  )
  yield* step("Check the signatures", async () => {
    const forged = receiver.deliveries.filter((delivery) => !isGenuine(demo.webhookSecret, delivery))
    expect(forged.length === 0, `${forged.length} of ${receiver.deliveries.length} signatures are wrong`)
  })
  for (const event of events) yield* say(`verified  ${nameOf(event)}`)

  const evaluated = events.find(({ data }) => data.evaluation_type === "interview")
  const submission = SubmissionId.make(evaluated?.data.submission_id ?? "")
  const detail = yield* runStep(
    "Read the submission's evaluation",
    Effect.gen(function* () {
      const { results: found } = yield* client.submissions.detail({ params: { id: submission } })
      yield* check(() => {
        expect(found.score_status === "scored" && found.score !== null, `score_status is ${found.score_status}`)
        expect(found.criteria.length === set.iai_requirements.length, "a requirement was not rated")
        expect(found.answers.length === set.iai_questions.length, "an answer is missing")
      })
      return found
    }),
  )
  yield* say(`score ${detail.score?.toFixed(1)} of 10, status ${detail.status_text}`)
  yield* say(detail.summary ?? "")
  for (const { evidence, score, title, weight } of detail.criteria) {
    yield* say(`${(score === null ? "—" : score.toFixed(1)).padStart(4)} × ${weight}  ${title}`)
    if (evidence[0] !== undefined) yield* say(`           "${clip(evidence[0].quote, 90)} ..."`)
  }

  const cvSubmission = SubmissionId.make(invited[2]?.submission?.id ?? "")
  const cv = yield* runStep(
    "Read the CV's evaluation",
    Effect.gen(function* () {
      const { results: found } = yield* client.submissions.detail({ params: { id: cvSubmission } })
      yield* check(() => {
        expect(found.score_status === "scored" && found.score !== null, `score_status is ${found.score_status}`)
        expect(found.candidate.name === nameInCv, `the candidate's name is ${found.candidate.name}`)
        expect(found.cv_notes.length === 1, "the hidden line was not noted")
      })
      return found
    }),
  )
  yield* say(
    `${cv.candidate.name}, ${cv.candidate.email}: score ${cv.score?.toFixed(1)} of 10, status ${cv.status_text}`,
  )
  for (const note of cv.cv_notes) yield* say(note)

  const lastStep = "Read the events back and compare: no webhook was lost"
  const delivered = new Set(events.map(({ event_id }) => event_id))
  const listed = yield* runStep(
    lastStep,
    waitFor(
      lastStep,
      // the API lists an event when all earlier transactions have ended
      Effect.map(client.events.list({ query: { limit: 100 } }), ({ results }) =>
        results.length >= delivered.size && results.every(({ event_id }) => delivered.has(event_id))
          ? results
          : undefined,
      ),
    ),
  )
  yield* say(`${listed.length} events, ${listed.length} delivered`)
  yield* Console.log("\nEvery step works.")
})
