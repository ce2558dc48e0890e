/** Pods ended by kill -9 while a candidate records and while a recording is stored: nothing recorded is lost. */
import { request } from "node:http"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Recording from "../../recordings/recording.ts"
import { Server } from "../../support/Api.ts"
import type { Pod } from "../../support/Processes.ts"
import { endLeasesOf, provide, startPod, timeout, until } from "./stage.ts"

const to =
  ({ url }: Pod) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, Server, { url })

const kill = (pod: Pod) =>
  Effect.andThen(
    Effect.sync(() => pod.signal("SIGKILL")),
    pod.ended,
  )

/** Sends half of a piece and leaves the request open. */
const sendHalf = ({ url }: Pod, { token }: Recording.Candidate, id: string, ordinal: number, bytes: Uint8Array) =>
  Effect.callback<void>((resume) => {
    const sent = request(`${url}/i/${token}/recordings/${id}/pieces/${ordinal}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream", "content-length": bytes.length },
    })
    sent.on("error", () => {})
    sent.write(bytes.subarray(0, bytes.length / 2), () => resume(Effect.void))
  })

/** Locks the submission's row, which blocks the end of the job; returns an effect that unlocks it. */
const lockSubmission = Effect.fnUntraced(function* (submission: string) {
  const { sql, transaction } = yield* Database
  const [locked, letGo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holder = yield* Effect.forkScoped(
    transaction(
      sql`select id from submission where id = ${submission}::uuid for update`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(letGo)),
      ),
    ),
  )
  yield* Deferred.await(locked)
  return Effect.andThen(Deferred.succeed(letGo, undefined), Fiber.join(holder))
})

it.live(
  "a recording whose pod is killed within a piece, and again before it is stored, is stored whole and once",
  () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const content = Recording.sample("video.webm")
      const pieces = Recording.piecesOf(content)
      const ada = yield* Recording.candidate()
      const grace = yield* Recording.candidate()

      const first = yield* startPod()
      const undisturbed = yield* to(first)(Recording.record(grace, content, "video"))
      const storedRows = sql<{
        id: string
        state: string
        seconds: number
        size: number
        sha256: string
        pieces: number
      }>`
        select r.id, r.state, r.seconds::float8, b.size::int, encode(b.sha256, 'hex') as sha256,
          (select count(*)::int from recording_piece p where p.recording_id = r.id) as pieces
        from recording r join blob b on b.id = r.blob_id where r.state = 'done'`
      const stored = (count: number) =>
        until(
          `${count} recordings are stored`,
          Effect.map(storedRows, ({ length }) => length === count),
        )
      yield* stored(1)

      const id = yield* to(first)(Recording.begun(ada, "video"))
      const half = Math.floor(pieces.length / 2)
      for (const [ordinal, bytes] of pieces.slice(0, half).entries())
        assert.strictEqual((yield* to(first)(Recording.sendPiece(ada, id, ordinal, bytes))).status, 200)
      yield* sendHalf(first, ada, id, half, pieces[half] ?? new Uint8Array())
      assert.isNull(yield* kill(first))

      const second = yield* startPod()
      // the script asks at the end which pieces are missing, and sends those again
      const early = yield* to(second)(Recording.end(ada, id, pieces.length))
      assert.strictEqual(early.status, 409)
      const missing: ReadonlyArray<number> = JSON.parse(early.body.toString()).ordinals
      assert.deepStrictEqual(missing, pieces.map((_, ordinal) => ordinal).slice(half))
      for (const ordinal of missing) {
        const bytes = pieces[ordinal] ?? new Uint8Array()
        assert.strictEqual((yield* to(second)(Recording.sendPiece(ada, id, ordinal, bytes))).status, 200)
      }
      assert.strictEqual((yield* to(second)(Recording.end(ada, id, pieces.length))).status, 200)
      const unlock = yield* lockSubmission(ada.subject.submission_id)
      yield* until(
        "the pod has written the file and ends the job",
        Effect.map(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ({ length }) => length > 0,
        ),
      )
      assert.isNull(yield* kill(second))
      yield* unlock

      const third = yield* startPod()
      yield* endLeasesOf("recording")
      yield* stored(2)
      const rows = yield* storedRows
      const [calm] = rows.filter((row) => row.id === undisturbed)
      const [killed] = rows.filter((row) => row.id === id)
      assert.deepStrictEqual({ ...killed, id: "" }, { ...calm, id: "" })
      assert.strictEqual(killed?.pieces, 0)
      const played = yield* to(third)(Recording.play(ada, id))
      assert.strictEqual(played.status, 200)
      assert.strictEqual(played.body.length, killed?.size)
    }).pipe(provide),
  timeout,
)
