/** Deliveries.test.ts with the repositories on Postgres, where statements of several processes overlap. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import * as Pod from "../../support/Pod.ts"
import { addMembers } from "../../support/Webhooks.ts"
import { check } from "./check.ts"
import { plans } from "./plan.ts"
import { postgres } from "./postgres.ts"
import { run } from "./run.ts"

it.live("every event is delivered, or failed after six attempts, on Postgres", () =>
  Effect.gen(function* () {
    const organization = yield* (yield* Organizations).create("Acme")
    yield* addMembers(organization, "acme.example")
    const world = postgres(organization, 2)
    yield* check("test/system/simulation/DeliveriesOnPostgres.test.ts", plans, (plan) => run(plan, world), {
      runs: 100,
      maxShrinks: 30,
    })
  }).pipe(Pod.provide()),
)
