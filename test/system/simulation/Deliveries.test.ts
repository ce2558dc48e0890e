/** The delivery engine in simulated hours: real queue, real worker, several processes; tables in memory (plan.ts). */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestApp from "../../support/TestApp.ts"
import { check } from "./check.ts"
import { plans } from "./plan.ts"
import { run } from "./run.ts"
import { memory } from "./world.ts"

it.live("every event is delivered, or failed after six attempts, whatever happens", () =>
  check("test/system/simulation/Deliveries.test.ts", plans, (plan) => run(plan, memory), { runs: 3000 }).pipe(
    Effect.provide(TestApp.config()),
  ),
)
