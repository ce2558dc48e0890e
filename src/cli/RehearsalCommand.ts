/** `webhook rehearse`: sends samples to an endpoint, and says what its receiver has to change. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import type { Viewer } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import type { EndpointId, RehearsalId } from "../values/Ids.ts"
import type { RehearsalDetail, RehearsalStep } from "../webhooks/rehearsals/Rehearsal.ts"
import { Rehearsals } from "../webhooks/rehearsals/Rehearsals.ts"
import { endpointId, explain, type Input, onOneLine, operatorOfEndpoint, webhookServices } from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"

/** While another process works on it. */
const pollInterval = "500 millis"

const names = { passed: "passed ", warning: "warning", failed: "FAILED ", skipped: "skipped" } as const

const stepText = ({ advice, documentation, finding, result, title }: RehearsalStep, appUrl: string): string =>
  [
    `${names[result]}  ${title}. ${onOneLine(finding)}`,
    ...(advice === null ? [] : [`         ${onOneLine(advice)} ${appUrl}${documentation}`]),
  ].join("\n")

/** Works on it until its end, together with the processes that serve. */
const follow = Effect.fnUntraced(function* (
  viewer: Viewer,
  endpoint: EndpointId,
  id: RehearsalId,
  tell: (step: RehearsalStep) => Effect.Effect<void>,
) {
  const rehearsals = yield* Rehearsals
  let known = 0
  let rehearsal: RehearsalDetail
  do {
    const worked = yield* rehearsals.stepOne(id)
    rehearsal = yield* rehearsals.find(viewer, endpoint, id)
    yield* Effect.forEach(rehearsal.steps.slice(known), tell, { discard: true })
    known = rehearsal.steps.length
    if (worked === 0 && rehearsal.state === "running") yield* Effect.sleep(pollInterval)
  } while (rehearsal.state === "running")
  return rehearsal
})

const input = { id: endpointId, json: Flags.json }

const run = Effect.fn("RehearsalCommand.rehearse")(
  function* ({ id: endpoint, json }: Input<typeof input>) {
    const { appUrl } = yield* Config
    const rehearsals = yield* Rehearsals
    const viewer = yield* operatorOfEndpoint(endpoint)
    const id = yield* rehearsals.begin(viewer, endpoint)
    const rehearsal = yield* follow(viewer, endpoint, id, (step) =>
      json ? Effect.void : Console.log(stepText(step, appUrl)),
    ).pipe(Effect.onInterrupt(() => Effect.ignore(rehearsals.cancel(viewer, endpoint, id))))
    const { counts, reason, state } = rehearsal
    if (json) yield* Console.log(JSON.stringify(rehearsal))
    else
      yield* Console.log(
        `\n${counts.passed} passed, ${counts.warning} warnings, ${counts.failed} failed, ${counts.skipped} skipped`,
      )
    if (state !== "done") {
      return yield* new CommandFailed({ message: `the rehearsal was ${state}${reason === null ? "" : `: ${reason}`}` })
    }
    if (counts.failed > 0) {
      const steps = `${counts.failed} step${counts.failed === 1 ? "" : "s"}`
      return yield* new CommandFailed({ message: `the receiver failed ${steps}` })
    }
  },
  explain,
  Effect.provide(webhookServices),
)

export const rehearse = Command.make("rehearse", input, run).pipe(
  Command.withDescription(
    "Send signed samples to the endpoint's receiver, also of an inactive one, and say what it has to change; nothing is listed or counted. Exits with 1 if a step fails",
  ),
)
