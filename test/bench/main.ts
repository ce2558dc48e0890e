/** `npm run bench` runs all benches, `npm run bench api` one. A missed target is reported; the exit status stays 0. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as api from "./api.ts"
import * as cells from "./cells.ts"
import * as deliveries from "./deliveries.ts"
import * as evaluation from "./evaluation.ts"
import * as growth from "./growth.ts"
import * as horizon from "./horizon.ts"
import * as hostile from "./hostile.ts"
import * as isolation from "./isolation.ts"
import * as lists from "./lists.ts"
import * as move from "./move.ts"
import * as orders from "./orders.ts"
import * as recordings from "./recordings.ts"
import * as reports from "./reports.ts"

const benches = {
  api,
  deliveries,
  isolation,
  growth,
  horizon,
  lists,
  move,
  cells,
  orders,
  recordings,
  reports,
  evaluation,
  hostile,
}
const names = Object.keys(benches) as ReadonlyArray<keyof typeof benches>

const bench = Command.make(
  "bench",
  {
    name: Argument.Literals("name", names).pipe(
      Argument.withDescription(names.map((name) => `${name}: ${benches[name].description}`).join("; ")),
      Argument.variadic(),
    ),
    ablations: Flag.Boolean("ablations").pipe(
      Flag.withDescription("evaluation: also measure the keyword evaluator without each of its parts"),
      Flag.withDefault(false),
    ),
    write: Flag.Boolean("write").pipe(
      Flag.withDescription("evaluation: write the tables of docs/evaluation.md"),
      Flag.withDefault(false),
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false)),
  },
  Effect.fn(
    function* ({ json, name: chosen }) {
      const results: Partial<Record<keyof typeof benches, object>> = {}
      for (const name of chosen.length === 0 ? names : chosen) {
        yield* Console.error(`${name}: ${benches[name].description}`)
        const result = yield* benches[name].run
        if (json) results[name] = result.json
        else yield* Console.log(result.text)
      }
      if (json) yield* Console.log(JSON.stringify(results))
    },
    (effect, options) => Effect.provideService(effect, evaluation.EvaluationOptions, options),
  ),
)

NodeRuntime.runMain(bench.pipe(Command.run({ version: "0.1.0" }), Effect.provide(NodeServices.layer)))
