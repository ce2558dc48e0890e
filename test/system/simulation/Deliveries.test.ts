/** Simulates hours of webhook delivery: the service's queue and worker in several processes, tables in memory. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestApp from "../../support/TestApp.ts"
import { amount } from "../../support/thorough.ts"
import { check } from "./check.ts"
import { plans } from "./plan.ts"
import { run } from "./run.ts"
import { memory } from "./world.ts"

it.live("every event is delivered, or failed after six attempts, under any faults", () =>
  check("test/system/simulation/Deliveries.test.ts", plans, (plan) => run(plan, memory), {
    runs: amount(300, 3000),
  }).pipe(Effect.provide(TestApp.config())),
)
