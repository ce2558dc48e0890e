/**
 * Measures candidates who record their answers at once on two pods with one Postgres: memory and CPU of a recording, requests
 * of a hiring system meanwhile, bytes that did not arrive, and the time from the end of a recording to its transcript.
 */
import { ConfigProvider, Console, Effect, Layer, Redacted, Schedule } from "effect"
import { request } from "undici"
import * as App from "../../src/App.ts"
import { ApiKeys } from "../../src/accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Config } from "../../src/config/Config.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invite } from "../../src/invitations/Invite.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { migrate } from "../../src/migrate.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { transcriptionServer } from "../port/transcriptionServer.ts"
import { paths } from "../support/Api.ts"
import * as Processes from "../support/Processes.ts"
import * as Protocol from "./recordings/protocol.ts"
import { crowd, limits, long, reads } from "./recordings/settings.ts"
import { BenchFailed } from "./support/BenchFailed.ts"
import { start } from "./support/child.ts"
import { sendCommand } from "./support/control.ts"
import * as Postgres from "./support/postgres.ts"
import { usageOf, watched } from "./support/processUsage.ts"
import { atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"
import { percentile } from "./support/statistics.ts"

export const description =
  "candidates who record at once: memory, CPU, other requests meanwhile, time to the transcript"

const settings = { SECRET_KEY: Processes.secretKey, APP_URL: "https://interviews.example", EMAIL: "mailbox", PORT: "0" }

/** An organization with running interviews of spoken answers, and one more submission that a hiring system reads. */
const seed = (url: string) =>
  Effect.gen(function* () {
    const organization = yield* (yield* Organizations).create("Acme")
    const viewer = operator(organization)
    const { value } = yield* (yield* ApiKeys).create(viewer, {})
    const attributes = { answer_with: ["text", "video"], max_seconds: long.seconds }
    const titles = ["Tell us about a system that you ran.", ...Array.from({ length: long.recordings }, () => "Why?")]
    const { id, iai_questions } = yield* (yield* InterviewSets).create(viewer, {
      title: "Backend Engineer",
      iai_questions: titles.map((title) => ({ title, question_mode: "interview", question_type: "text", attributes })),
    })
    const candidates = Array.from({ length: crowd.candidates + 1 }, (_, i) => ({ email: `candidate.${i}@example.com` }))
    const { results } = yield* (yield* Invite).invite(
      viewer,
      InviteRequest.make({ com_interview_set_id: id, candidates }),
    )
    const interviews = yield* Interviews
    const tokens: Array<string> = []
    for (const { submission } of results) {
      const link = yield* Effect.fromNullishOr(submission?.interview_url)
      const token = link.slice(link.lastIndexOf("/") + 1)
      yield* interviews.start(token)
      tokens.push(token)
    }
    const submission = yield* Effect.fromNullishOr(results[0]?.submission?.id)
    return { key: Redacted.value(value), tokens, submission, questions: iai_questions.map(({ id: one }) => one) }
  }).pipe(
    Effect.provide(
      App.foundation.pipe(
        Layer.provideMerge(Database.layer({ url: Redacted.make(url), maxConnections: 3 })),
        Layer.provideMerge(Config.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))),
      ),
      { local: true },
    ),
  )

/** Milliseconds of a hiring system's requests for one submission, at a steady rate, alternately to the pods. */
const readSteadily = (pods: ReadonlyArray<Processes.Pod>, submission: string, key: string) =>
  Effect.forEach(
    Array.from({ length: reads.perSecond * reads.seconds }, (_, n) => n),
    (n) =>
      Effect.sleep((n * 1000) / reads.perSecond).pipe(
        Effect.andThen(
          Effect.promise(async () => {
            const path = paths.detail(submission)
            const sent = performance.now()
            const response = await request(`${pods[n % pods.length]?.url}${path}`, { headers: { "x-api-key": key } })
            await response.body.dump()
            if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}`)
            return performance.now() - sent
          }),
        ),
      ),
    { concurrency: "unbounded" },
  )

/** Seconds. */
const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const begun = performance.now()
    return Effect.map(effect, () => (performance.now() - begun) / 1000)
  })

const transcribed = (url: string, count: number) =>
  Postgres.query<{ done: number }>(url, "select count(*)::int as done from recording where segments is not null").pipe(
    Effect.repeat({ until: ({ done }) => done >= count, schedule: Schedule.spaced("100 millis") }),
    Effect.timeout("5 minutes"),
    Effect.mapError(() => new BenchFailed({ message: `${count} recordings were not transcribed within five minutes` })),
  )

const columns = ["p50 ms", "p99 ms"]

/** Takes about four minutes. */
export const run = Effect.gen(function* () {
  const postgres = yield* Postgres.server
  const machine = yield* machineOf(postgres)
  const url = yield* Postgres.database(postgres, "recordings")
  yield* migrate({ url: Redacted.make(url) })
  const { key, questions, submission, tokens } = yield* seed(url)
  const [question = "", ...longQuestions] = questions
  const transcriber = yield* transcriptionServer
  const pods = yield* Effect.all(
    Array.from({ length: 2 }, () =>
      Processes.start({
        ...settings,
        ...{ DATABASE_URL: url, RATE_LIMIT: "0" },
        ...{ TRANSCRIBE_URL: transcriber.url, TRANSCRIBE_NAME: "stub" },
      }),
    ),
    { concurrency: 2 },
  )
  const pids = pods.map(({ pid }) => pid)
  const origin = (n: number) => pods[n % pods.length]?.url ?? ""
  const browsers = yield* start(new URL("./servers/candidates.ts", import.meta.url), {})
  const [first = "", ...others] = tokens
  const read = readSteadily(pods, submission, key)
  const usage = Effect.gen(function* () {
    const used = yield* Effect.forEach(pids, usageOf)
    return {
      podMillis: used.reduce((sum, { cpuMillis }) => sum + cpuMillis, 0),
      postgresMillis: yield* Postgres.cpuMillis(url),
    }
  })

  yield* Console.error("warming up ...")
  yield* read
  yield* Console.error("reading a submission without recordings ...")
  const idle = yield* watched(pids, read)
  const [before, quietEnd] = [yield* usage, yield* Effect.andThen(read, usage)]

  yield* Console.error(`${crowd.candidates} candidates record for ${crowd.seconds} s ...`)
  const candidates = others.map((token, n) => ({ origin: origin(n), token, question }))
  const recorded = yield* watched(
    pids,
    Effect.all([sendCommand(browsers, Protocol.record, { isPaced: true, seconds: crowd.seconds, candidates }), read], {
      concurrency: 2,
    }),
  )
  const [sent, meanwhile] = recorded.result
  const [all, during] = [yield* timed(transcribed(url, crowd.candidates)), yield* usage]
  const arrived = yield* Postgres.query<{ bytes: number }>(
    url,
    "select sum(received_bytes)::float8 as bytes from recording",
  )

  yield* Console.error(`one candidate sends ${long.recordings} recordings of ${long.seconds} s ...`)
  const sendLong = Effect.forEach(longQuestions, (one) =>
    sendCommand(browsers, Protocol.record, {
      isPaced: false,
      seconds: long.seconds,
      candidates: [{ origin: origin(0), token: first, question: one }],
    }).pipe(Effect.andThen(timed(transcribed(url, crowd.candidates + longQuestions.indexOf(one) + 1)))),
  )
  const longest = yield* watched(pids, sendLong)

  const seconds = crowd.candidates * crowd.seconds
  const idleMillis = quietEnd.podMillis - before.podMillis
  const idlePostgres = quietEnd.postgresMillis - before.postgresMillis
  const figures = {
    idleMegabytes: idle.peaks,
    recordingMegabytes: recorded.peaks,
    longMegabytes: longest.peaks,
    /** Of the pods and of Postgres for a second of video, with storing it and without the reads. */
    podMillisEach: (during.podMillis - quietEnd.podMillis - idleMillis) / seconds,
    postgresMillisEach: (during.postgresMillis - quietEnd.postgresMillis - idlePostgres) / seconds,
    megabytesEach: sent.bytes / crowd.candidates / 1e6,
    lostBytes: sent.bytes - arrived.bytes,
    secondsToTranscripts: all,
    secondsToLongTranscripts: longest.result,
  }
  const above = Math.max(...recorded.peaks.map((peak, i) => peak - (idle.peaks[i] ?? 0)))
  const p99 = percentile(meanwhile, 0.99)
  const targets = [
    atMost("bytes that did not arrive", figures.lostBytes, 0),
    atMost(`p99 of a submission meanwhile at most ${limits.p99} ms`, p99, limits.p99),
    atMost(`megabytes of a pod above its own at most ${limits.megabytes}`, above, limits.megabytes),
    atMost(`seconds until the last of ${crowd.candidates} transcripts at most ${limits.seconds}`, all, limits.seconds),
  ]
  const line = (name: string, values: ReadonlyArray<number>) =>
    lineOf(columns, `  ${name}`, [percentile(values, 0.5), percentile(values, 0.99)].map(digits))
  const megabytes = (peaks: ReadonlyArray<number>) => peaks.map(digits).join(" and ")
  const text = [
    lineOf(columns, `a submission, ${reads.perSecond} requests/s to two pods`, columns),
    line("without recordings", idle.result),
    line(`while ${crowd.candidates} record video`, meanwhile),
    line("a piece of a recording", sent.latencies),
    "",
    `a second of video takes ${digits(figures.podMillisEach)} ms of CPU in the pods and ${digits(figures.postgresMillisEach)} in Postgres`,
    `most MB of each pod with its children: ${megabytes(idle.peaks)} idle, ${megabytes(recorded.peaks)} while they record, ${megabytes(longest.peaks)} with recordings of ten minutes`,
    `seconds from the end of the last recording to all transcripts: ${digits(all)}; of ten minutes: ${longest.result.map(digits).join(", ")}`,
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, figures, targets }, text }
}).pipe(Effect.scoped)
