/** Two organizations connect every hiring system and invite the same candidate: no data reaches the wrong one. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type ReportJob, ReportRepository } from "../../src/ats/ReportRepository.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Ids } from "../../src/platform/NewIds.ts"
import { newClaim } from "../../src/platform/queue/QueueSql.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Simulator from "./Simulator.ts"
import { greenhouse, systems, workable } from "./systems.ts"

const connected = Effect.fnUntraced(function* (name: string, number: number) {
  const organization = yield* Scenario.organization({}, name)
  const plays = yield* Effect.forEach(systems, (play) => Simulator.connect(organization.id, play, name))
  return { ...organization, number, plays }
})

layer(Simulator.layer())("all hiring systems at once", (it) => {
  it.effect("let one connection use some of the queue only", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.now() + 60_000)
      const { sql } = yield* Database
      yield* sql`delete from ats_report`
      const { id, set } = yield* Scenario.organization({}, "busy")
      const [slow, other] = [
        yield* Simulator.connect(id, greenhouse, "slow"),
        yield* Simulator.connect(id, workable, "other"),
      ]
      for (let number = 1; number <= 7; number++) {
        const { submission } = yield* Simulator.placed(number === 7 ? other : slow, {
          set: set.id,
          number,
          email: `person${number}@example.com`,
        })
        yield* (yield* Interviews).start(yield* Simulator.tokenOf(submission))
      }
      const reports = yield* ReportRepository
      const claim = Effect.flatMap(Ids, (ids) => newClaim(ids, 20, Duration.minutes(1))).pipe(Effect.provide(Ids.layer))
      const countOf = (jobs: ReadonlyArray<ReportJob>, play: Simulator.Play) =>
        jobs.filter(({ connection_id }) => connection_id === play.id).length
      const first = yield* reports.claim(yield* claim, 4, new Map())
      assert.deepStrictEqual([countOf(first, slow), countOf(first, other)], [4, 1])
      assert.lengthOf(yield* reports.claim(yield* claim, 4, new Map([[slow.id, 4]])), 0)
      assert.lengthOf(yield* reports.claim(yield* claim, 4, new Map([[slow.id, 3]])), 1)
    }),
  )

  it.effect("report each order only to the hiring system that ordered it", () =>
    Effect.gen(function* () {
      const { received } = yield* Simulator.Simulator
      yield* TestClock.setTime(Date.now() + 60_000)
      yield* (yield* Database).sql`delete from ats_report`
      const organizations = [yield* connected("one", 1), yield* connected("two", 2)]
      const orders = yield* Effect.forEach(organizations, ({ number, plays, set }) =>
        Effect.forEach(plays, (play) =>
          Effect.map(Simulator.placed(play, { set: set.id, number }), (placed) => ({ play, placed })),
        ),
      )
      for (const [at, { id }] of organizations.entries()) {
        assert.deepStrictEqual(
          yield* Effect.forEach(["ats_order", "submission", "candidate", "email"], (table) =>
            Simulator.count(table, id),
          ),
          [systems.length, 1, 1, 1],
        )
        assert.strictEqual(new Set(orders[at]?.map(({ placed }) => placed.submission)).size, 1)
      }
      yield* Simulator.report
      received.length = 0
      for (const all of orders) {
        yield* (yield* Interviews).start(yield* Simulator.tokenOf(all[0]?.placed.submission ?? ""))
      }
      assert.strictEqual(yield* Simulator.report, 2 * systems.length)
      assert.lengthOf(received, 2 * systems.length)
      for (const { placed, play } of orders.flat()) {
        // `told` asserts the credentials, which contain the organization's name or are its connection's key
        assert.strictEqual((yield* Simulator.told(play, placed)).state, "Started")
        assert.lengthOf(yield* Simulator.reportsOf(play, placed), 1)
      }
      for (const { number, set } of organizations) {
        const others = organizations.find((one) => one.number !== number)
        for (const play of others?.plays ?? []) {
          const { status } = yield* Simulator.order(play, { set: set.id, number: 3, email: "eve@example.com" })
          assert.strictEqual(status, play.play.goneStatus, play.play.system)
        }
      }
      assert.deepStrictEqual(
        yield* Effect.forEach(organizations, ({ id }) => Simulator.count("ats_order", id)),
        organizations.map(() => systems.length),
      )
    }),
  )
})
