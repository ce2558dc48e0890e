/** Tests the Recruitee connector against a simulator over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { recruitee, reportId } from "./systems.ts"

layer(Simulator.layer())("Recruitee", (it) => {
  conformance(it, recruitee)
})

layer(Simulator.layer())("the ids of Recruitee's reports", (it) => {
  it.effect(
    "are accepted only if they are random and have one spelling, because no organization may guess another's",
    () =>
      Effect.gen(function* () {
        const { connection, id, set } = yield* Simulator.start(recruitee)
        const whole = yield* Simulator.orderBody(connection, { set: set.id })
        for (const report_id of [
          "1",
          "report-1",
          // of the time and the machine
          "c232ab00-9414-11ec-b3c8-9f6bdeced846",
          // of a name
          "5df41881-3aed-3515-88a7-2f4a814cf09e",
          reportId(1).toUpperCase(),
          reportId(1).replaceAll("-", ""),
          `${reportId(1)}/../${reportId(2)}`,
          `${reportId(1)} `,
        ]) {
          const { status } = yield* Simulator.call(connection, "POST", "send_candidate", {
            json: { ...whole, report_id },
          })
          assert.strictEqual(status, 400, report_id)
        }
        assert.strictEqual(yield* Simulator.count("ats_order", id), 0)
        assert.include(
          (yield* Simulator.exchangesOf(connection)).join(),
          "report_id must be a random UUID in lower case",
        )
        for (const report_id of [reportId(1), "01908a2c-7d44-7b60-9c37-5f0e6f3d9a11"]) {
          const { status } = yield* Simulator.call(connection, "POST", "send_candidate", {
            json: { ...whole, report_id },
          })
          assert.strictEqual(status, 200, report_id)
        }
      }),
  )
})
