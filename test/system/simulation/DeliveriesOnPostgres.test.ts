/** Deliveries.test.ts with the repositories on Postgres, where statements of several processes overlap. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { QuickLook } from "../../../src/webhooks/deliveries/ClaimPlan.ts"
import * as Pod from "../../support/Pod.ts"
import { amount } from "../../support/thorough.ts"
import { addMembers } from "../../support/Webhooks.ts"
import { check } from "./check.ts"
import { plans } from "./plan.ts"
import { postgres } from "./postgres.ts"
import { run } from "./run.ts"

const simulate = (runs: number) =>
  Effect.gen(function* () {
    const organization = yield* (yield* Organizations).create("Acme")
    yield* addMembers(organization, "acme.example")
    const world = postgres(organization, 2)
    yield* check("test/system/simulation/DeliveriesOnPostgres.test.ts", plans, (plan) => run(plan, world), {
      runs,
      maxShrinks: 30,
    })
  }).pipe(Pod.provide())

it.live("every event is delivered, or failed after six attempts, on Postgres", () => simulate(amount(15, 100)))

it.live("every event is delivered, or failed after six attempts, when claims read from a watermark", () =>
  simulate(amount(5, 30)).pipe(Effect.provideService(QuickLook, -1n)),
)
