/** Starts two pods on one database, a probe that sends requests to both, and an idle server as control. */
import { execFileSync } from "node:child_process"
import { Effect, Redacted } from "effect"
import { migrate } from "../../../src/migrate.ts"
import * as Processes from "../../support/Processes.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import { start } from "../support/child.ts"
import { sendCommand } from "../support/control.ts"
import * as Postgres from "../support/postgres.ts"
import { type Account, member, seed } from "./accounts.ts"
import * as Protocol from "./protocol.ts"
import { form, send } from "./send.ts"
import { metricsToken, pod } from "./settings.ts"

/** What the probe measured while a task ran, in milliseconds. */
export interface Window<A> {
  readonly result: A
  /** The longest response time of either pod, minus the control's longest in the same window. */
  readonly block: number
  /** The longest event loop delay that either pod reports. */
  readonly lag: number
  /** The longest response time of the control. */
  readonly control: number
  /** The number of responses of both pods. */
  readonly answers: number
}

export interface Stage {
  readonly url: string
  /** The attacked pod and the other one. */
  readonly pods: readonly [Processes.Pod, Processes.Pod]
  readonly account: Account
  /** A member's session cookie. */
  readonly cookie: string
  readonly watched: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<Window<A>, E | BenchFailed, R>
}

/** Sampling interval of the pods' event loop lag in milliseconds; part of every reported value. */
const resolution = 20

/** Returns the longest event loop lag since the last reading, in milliseconds. Reading resets the metric. */
const lagOf = async ({ url }: Processes.Pod): Promise<number> => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.text()) ?? []
  return Math.max(0, Number(seconds ?? Number.NaN) * 1000 - resolution)
}

export const residentMegabytes = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024

const signIn = async (origin: string): Promise<string> => {
  const [answer] = await send(origin, [
    { method: "POST", path: "/sign-in", headers: { "content-type": form }, body: String(new URLSearchParams(member)) },
  ])
  const cookies = [answer?.headers["set-cookie"] ?? []].flat()
  return cookies.map((one) => one.split(";")[0]).find((one) => one?.startsWith("session=")) ?? ""
}

export const open = Effect.fnUntraced(function* (postgres: string) {
  const url = yield* Postgres.database(postgres, "hostile")
  yield* migrate({ url: Redacted.make(url) })
  const account = yield* seed(url)
  const settings = { ...pod, DATABASE_URL: url }
  const pods = yield* Effect.all([Processes.start(settings), Processes.start(settings)], { concurrency: 2 })
  const control = yield* start(new URL("../servers/idle.ts", import.meta.url), {})
  const probe = yield* start(new URL("../servers/probe.ts", import.meta.url), {})
  const addresses = [...pods.map((one) => `${one.url}/health/live`), `${control}/health/live`]
  const lags = Effect.promise(() => Promise.all(pods.map(lagOf)))

  const watched = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* lags
      yield* sendCommand(probe, Protocol.watch, { addresses })
      yield* Effect.sleep("30 millis")
      const result = yield* work
      yield* Effect.sleep("30 millis")
      const found = yield* sendCommand(probe, Protocol.stop, {})
      const stopped = pods.find((one) => !one.isRunning())
      if (stopped !== undefined)
        return yield* new BenchFailed({ message: `a pod ended: ${stopped.log().slice(-2000)}` })
      const [first, second, idle] = found.map(({ longest }) => longest)
      const [reference = 0] = [idle]
      return {
        result,
        block: Math.max(0, Math.max(first ?? 0, second ?? 0) - reference),
        lag: Math.max(...(yield* lags)),
        control: reference,
        answers: found.slice(0, 2).reduce((sum, { answers }) => sum + answers, 0),
      } satisfies Window<A>
    })

  const cookie = yield* Effect.promise(() => signIn(pods[0].url))
  if (cookie === "") return yield* new BenchFailed({ message: "the member could not sign in" })
  // warm-up: V8 compiles the code, database pools fill
  yield* Effect.promise(() =>
    Promise.all(
      pods.flatMap((one) =>
        Array.from({ length: 20 }, () =>
          send(one.url, [
            { method: "GET", path: `/i/${account.token}` },
            { method: "GET", path: "/sign-in" },
            { method: "GET", path: "/submissions", headers: { cookie } },
          ]),
        ),
      ),
    ),
  )
  return { url, pods, account, cookie, watched } satisfies Stage
})
