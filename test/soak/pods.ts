/** Starts, kills, stops and replaces pods. The first pod is never killed: the soak measures its memory. */
import { execFileSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { Effect, Exit, Scope } from "effect"
import * as Processes from "../support/Processes.ts"
import { settings } from "./stage.ts"

export interface Pods {
  /** URLs of the pods that listen. */
  readonly urls: () => ReadonlyArray<string>
  readonly survivor: Processes.Pod
  /** Kills a pod, which may still be starting, and starts another without waiting. Returns false when none runs. */
  readonly kill: Effect.Effect<boolean>
  /** Sends SIGTERM to a pod that listens and starts another, without waiting. Returns false when none listens. */
  readonly retire: Effect.Effect<boolean>
  /** Sends SIGTERM to all pods. Returns the exit codes of all pods that got one, also earlier. */
  readonly stop: Effect.Effect<ReadonlyArray<number | null>>
  readonly killed: () => number
  /** The number of pods that run now. */
  readonly running: () => number
  /** Pods that ended before they listened, for example because Postgres was down. Each was replaced. */
  readonly neverListened: () => number
  /** Log lines at this level, of pods that listened. */
  readonly logged: (level: "ERROR" | "FATAL") => ReadonlyArray<string>
}

interface Place {
  readonly environment: Record<string, string>
  pod: Processes.StartingPod
  url: string | undefined
}

/** Pause before a pod that ended before it listened is replaced. */
const startPause = "500 millis"

/** Starts the survivor and a pod for each of the other database URLs. */
export const start = Effect.fnUntraced(function* (survivorsUrl: string, otherUrls: ReadonlyArray<string>) {
  const scope = yield* Effect.scope
  const survivor = yield* Processes.start({ ...settings, DATABASE_URL: survivorsUrl })
  const logs = [survivor.log]
  const retired: Array<Processes.StartingPod> = []
  let killed = 0
  let neverListened = 0

  /** Starts pods until one listens, or until another call puts its pod in `place`. */
  const occupy = (place: Place): Effect.Effect<void> =>
    Effect.gen(function* () {
      const pod = yield* Processes.begin(place.environment).pipe(Effect.provideService(Scope.Scope, scope))
      place.pod = pod
      place.url = undefined
      const listening = yield* Effect.exit(pod.listening)
      if (Exit.isSuccess(listening)) {
        logs.push(pod.log)
        if (place.pod === pod) place.url = listening.value
        return
      }
      if (place.pod !== pod) return
      neverListened++
      yield* Effect.sleep(startPause)
      if (place.pod === pod) yield* occupy(place)
    })
  const replace = (place: Place) => Effect.as(Effect.forkIn(occupy(place), scope, { startImmediately: true }), true)

  const places = yield* Effect.forEach(
    otherUrls,
    Effect.fnUntraced(function* (url) {
      const environment = { ...settings, DATABASE_URL: url }
      const place: Place = { environment, pod: yield* Processes.begin(environment), url: undefined }
      place.url = yield* place.pod.listening
      logs.push(place.pod.log)
      return place
    }),
    { concurrency: "unbounded" },
  )
  const anyOf = (some: ReadonlyArray<Place>): Place | undefined => some[randomInt(Math.max(1, some.length))]

  return {
    urls: () => [survivor.url, ...places.flatMap(({ url }) => url ?? [])],
    survivor,
    kill: Effect.suspend(() => {
      const place = anyOf(places.filter(({ pod }) => pod.isRunning()))
      if (place === undefined) return Effect.succeed(false)
      place.pod.signal("SIGKILL")
      killed++
      return replace(place)
    }),
    retire: Effect.suspend(() => {
      const place = anyOf(places.filter(({ pod, url }) => url !== undefined && pod.isRunning()))
      if (place === undefined) return Effect.succeed(false)
      place.pod.signal("SIGTERM")
      retired.push(place.pod)
      return replace(place)
    }),
    stop: Effect.gen(function* () {
      const last = places.filter(({ url }) => url !== undefined).map(({ pod }) => pod)
      for (const pod of [survivor, ...last]) pod.signal("SIGTERM")
      return yield* Effect.all([...retired, ...last, survivor].map(({ ended }) => ended))
    }),
    killed: () => killed,
    running: () => [survivor, ...places.map(({ pod }) => pod)].filter((pod) => pod.isRunning()).length,
    neverListened: () => neverListened,
    logged: (level) =>
      logs.flatMap((log) =>
        log()
          .split("\n")
          .filter((line) => line.includes(`"level":"${level}"`)),
      ),
  } satisfies Pods
})

/** Megabytes of memory that a process occupies. */
export const residentMegabytes = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024
