/**
 * A server runs without the last commits: a promoted standby that never got them, or a server on an old copy of the disk
 * (docs/operate.md, "Restore to a moment").
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "../../support/baseBackup.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import * as Standby from "../../support/Standby.ts"
import { isThorough } from "../../support/thorough.ts"
import { survive } from "./earlierMoment.ts"
import { timeout } from "./stage.ts"

/** Copies the server's files at one moment, as a copy of the disk does: all its processes are suspended meanwhile. */
const copyDisk = (data: string, to: string) =>
  Effect.gen(function* () {
    const [postmaster = ""] = (yield* Effect.promise(() => readFile(join(data, "postmaster.pid"), "utf8"))).split("\n")
    const suspended: Array<number> = []
    const suspend = (pid: number) => {
      process.kill(pid, "SIGSTOP")
      suspended.push(pid)
    }
    yield* Effect.ensuring(
      Effect.gen(function* () {
        suspend(Number(postmaster))
        const { stdout } = yield* run("pgrep", "--parent", postmaster)
        for (const pid of stdout.trim().split("\n")) suspend(Number(pid))
        yield* run("cp", "-a", data, to)
        yield* run("rm", join(to, "postmaster.pid"))
      }),
      Effect.sync(() => {
        for (const pid of suspended) process.kill(pid, "SIGCONT")
      }),
    )
  })

// test/system/faults/Restore.test.ts proves the same of a restored server
describe("a server that lost its last commits under load: no reader misses an event, a request is carried out once", () => {
  it.live.skipIf(!isThorough)(
    "after an asynchronous standby is promoted, pods that stay up send again only emails that were queued",
    () =>
      Effect.gen(function* () {
        const { files, stop, url } = yield* OwnPostgres.start
        const standby = yield* Standby.start(url, files)
        const podsUrl = new URL(url)
        yield* survive(
          {
            url,
            podsUrl: url.replace(podsUrl.host, `${podsUrl.host},${new URL(standby.url).host}`),
            moment: Effect.andThen(standby.catchUp, standby.stop),
            lose: Effect.gen(function* () {
              yield* stop
              yield* standby.start
              yield* standby.promote
              return standby.url
            }),
          },
          { podsStay: true },
        )
      }).pipe(Effect.scoped),
    2 * timeout,
  )

  it.live.skipIf(!isThorough)(
    "after a start on an old copy of the disk and mark-sent, no email is sent twice",
    () =>
      Effect.gen(function* () {
        const { files, start, stop, url } = yield* OwnPostgres.start
        const directory = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(tmpdir(), "interview-disk-"))),
          (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
        )
        const [copy, lost] = [join(directory, "copy"), join(directory, "lost")]
        yield* survive(
          {
            url,
            podsUrl: url,
            moment: copyDisk(files.data, copy),
            lose: Effect.gen(function* () {
              yield* stop
              yield* run("mv", files.data, lost)
              yield* run("mv", copy, files.data)
              yield* start
              return url
            }),
          },
          { podsStay: false },
        )
      }).pipe(Effect.scoped),
    2 * timeout,
  )
})
