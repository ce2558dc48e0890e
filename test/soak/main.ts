/**
 * `npm run soak`: runs pods under load for ten minutes, with faults of pods and of Postgres (podSoak.ts), or with `--failover`
 * with faults of a Postgres cluster (failoverSoak.ts). Then accounts for every candidate and delivery. Exits with 1 when a
 * check fails.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, References } from "effect"
import { Command, Flag } from "effect/cli"
import { failoverSoak } from "./failoverSoak.ts"
import { podSoak } from "./podSoak.ts"

const command = Command.make(
  "soak",
  {
    minutes: Flag.Finite("minutes").pipe(Flag.withDescription("Minutes of faults"), Flag.withDefault(10)),
    failover: Flag.Boolean("failover").pipe(
      Flag.withDescription("Cause faults of three Postgres nodes under Patroni instead of faults of pods; needs root"),
      Flag.withDefault(false),
    ),
  },
  ({ failover, minutes }) =>
    Effect.scoped(failover ? failoverSoak(minutes) : podSoak(minutes)).pipe(
      Effect.provideService(References.MinimumLogLevel, "None"),
    ),
).pipe(Command.withDescription("Runs four pods under load and faults, then accounts for every candidate and delivery"))

NodeRuntime.runMain(command.pipe(Command.run({ version: "0.1.0" }), Effect.provide(NodeServices.layer)))
