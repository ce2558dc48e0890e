/** `evaluation`: commands for evaluations. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { ConfigProvider, Console, Effect, Layer, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { evaluation } from "../Adapters.ts"
import * as App from "../App.ts"
import { operator } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { Evaluator } from "../evaluations/Evaluator.ts"
import { Overrides } from "../reviews/Overrides.ts"
import { defaultSample, maxSample, notComputed, outcomeOf, type TrialOutcome } from "../trial-evaluations/Trial.ts"
import type { Direction } from "../trial-evaluations/TrialEvaluation.ts"
import { TrialEvaluationRepository } from "../trial-evaluations/TrialEvaluationRepository.ts"
import { TrialEvaluations } from "../trial-evaluations/TrialEvaluations.ts"
import { formatCsv } from "../values/Csv.ts"
import { InterviewSetId, SubmissionId } from "../values/Ids.ts"
import { explain, type Input, print, recordServices, requireFound, requireOrganization } from "./CommandKit.ts"
import { counterfactual } from "./CounterfactualCommand.ts"
import { CommandFailed, local } from "./Environment.ts"
import * as Flags from "./Flags.ts"

/** Evaluated at once: as many as there are processes that compute. */
const concurrency = 2

const compareHeader = [
  "submission",
  "direction",
  "score_before",
  "score_after",
  "place_before",
  "place_after",
  "met_before",
  "met_after",
  "reason",
]

const rounded = (value: number): number => Math.round(value * 100) / 100

/** From 1, by descending score; equal scores have equal places. Only submissions with a score on both sides have one. */
const placesOf = (
  outcomes: ReadonlyArray<TrialOutcome>,
  side: "before" | "after",
): ReadonlyMap<SubmissionId, number> => {
  const scored = outcomes.filter(({ direction }) => direction !== "not_comparable")
  const sorted = scored.toSorted((one, other) => (other[side] ?? 0) - (one[side] ?? 0))
  const places = new Map<SubmissionId, number>()
  for (const [at, one] of sorted.entries()) {
    const previous = sorted[at - 1]
    const isEqual = previous !== undefined && previous[side] === one[side]
    places.set(one.submission_id, isEqual ? (places.get(previous.submission_id) ?? at + 1) : at + 1)
  }
  return places
}

const usage = "give a submission's id, or --organization with --not-scored and --since"

const againInput = {
  submission: Argument.String("submission").pipe(
    Argument.withDescription("The submission's id; without it, give --organization, --not-scored and --since"),
    Argument.withSchema(SubmissionId),
    Argument.optional,
  ),
  organization: Flags.organization.pipe(Flag.optional),
  notScored: Flags.boolean(
    "not-scored",
    "Repeat all evaluations without a score because the evaluator was unavailable; default off",
  ),
  since: Flags.since.pipe(
    Flag.withDescription(`Repeat evaluations that ended since ${Flags.timeFormats}`),
    Flag.optional,
  ),
  json: Flags.json,
}

const evaluateAgain = Effect.fn("EvaluationCommand.evaluateAgain")(
  function* ({ json, notScored, organization, since, submission }: Input<typeof againInput>) {
    const overrides = yield* Overrides
    if (Option.isSome(submission)) {
      if (notScored || Option.isSome(organization) || Option.isSome(since)) {
        return yield* new CommandFailed({ message: usage })
      }
      const id = submission.value
      const repository = yield* EvaluationRepository
      const owner = yield* requireFound("submission", yield* repository.organizationOf(id))
      return yield* print(json, { id, types: yield* overrides.evaluateAgain(operator(owner), id) })
    }
    if (!notScored || Option.isNone(organization) || Option.isNone(since)) {
      return yield* new CommandFailed({ message: usage })
    }
    yield* requireOrganization(organization.value)
    yield* print(json, { queued: yield* overrides.evaluateUnanswered(operator(organization.value), since.value) })
  },
  explain,
  Effect.provide(recordServices),
)

const again = Command.make("again", againInput, evaluateAgain).pipe(
  Command.withDescription(
    "Repeat the evaluation of a submission, or of all submissions of an organization that the evaluator was unavailable for",
  ),
)

const compareInput = {
  set: Flag.String("set").pipe(
    Flag.withDescription("The interview set's id, in its address in the workspace"),
    Flag.withSchema(InterviewSetId),
  ),
  evaluator: Flag.Literals("evaluator", ["keyword", "model"]).pipe(
    Flag.withDescription("In place of EVALUATOR in the settings; model needs MODEL_URL and MODEL_NAME"),
    Flag.optional,
  ),
  sample: Flags.integer("sample", 1, maxSample).pipe(
    Flag.withDescription(
      `Submissions to evaluate, the same ones each time; default ${defaultSample} for an evaluator that sends requests, else all`,
    ),
    Flag.optional,
  ),
  yes: Flags.boolean("yes", "Send the requests of the evaluator; without it, only their number is printed"),
  csv: Flags.boolean("csv", "Print a line for each submission as CSV instead of the counts; default off"),
  json: Flags.json,
}

/** The evaluator that the flag names, else the program's. */
const chosenEvaluator = (name: Option.Option<"keyword" | "model">) =>
  Option.isNone(name)
    ? Layer.empty
    : Layer.effect(
        ConfigProvider.ConfigProvider,
        Effect.map(ConfigProvider.ConfigProvider, (provider) =>
          ConfigProvider.orElse(ConfigProvider.fromEnvRecord({ EVALUATOR: name.value }), provider),
        ),
      )

const compareServices = (name: Option.Option<"keyword" | "model">) =>
  TrialEvaluations.layer.pipe(
    Layer.provideMerge(evaluation(Option.isSome(name))),
    Layer.provideMerge(App.repositories),
    Layer.provideMerge(NodeCrypto.layer),
    Layer.provideMerge(Config.layer),
    Layer.provideMerge(local({ isDev: false })),
    Layer.provide(chosenEvaluator(name)),
  )

const compareEvaluators = Effect.fn("EvaluationCommand.compare")(function* ({
  csv,
  json,
  sample,
  set,
  yes,
}: Input<typeof compareInput>) {
  const evaluator = yield* Evaluator
  const repository = yield* TrialEvaluationRepository
  const trialEvaluations = yield* TrialEvaluations
  const { organization_id } = yield* requireFound("interview set", yield* repository.findSet(set))
  const hasRequests = (evaluator.requests ?? 0) > 0
  const size = Option.getOrUndefined(sample) ?? (hasRequests ? defaultSample : undefined)
  const requests = yield* trialEvaluations.requestsFor(organization_id, set, size)
  if (requests > 0 && !yes) {
    return yield* new CommandFailed({
      message: `this sends about ${requests} requests to the server of the evaluator: add --yes to send them, or a smaller --sample`,
    })
  }
  const outcomes = yield* trialEvaluations.submissions(organization_id, set, { sample: size }).pipe(
    Stream.mapEffect(
      (submission) =>
        trialEvaluations.evaluate(submission, { evaluator }).pipe(
          Effect.map(({ parts }) => outcomeOf(submission, parts)),
          Effect.catchTag("NotComputable", ({ reason }) => Effect.succeed(notComputed(submission, reason))),
        ),
      { concurrency },
    ),
    Stream.runCollect,
    Effect.catchTag("EvaluatorUnavailable", ({ reason }) =>
      Effect.fail(new CommandFailed({ message: `the evaluator is unavailable: ${reason}` })),
    ),
  )
  if (csv) {
    const [before, after] = [placesOf(outcomes, "before"), placesOf(outcomes, "after")]
    const rows = outcomes.map((one) => [
      one.submission_id,
      one.direction,
      one.before,
      one.after,
      before.get(one.submission_id) ?? null,
      after.get(one.submission_id) ?? null,
      one.met_before,
      one.met_after,
      one.reason,
    ])
    return yield* Console.log(formatCsv([compareHeader, ...rows]).trimEnd())
  }
  const count = (direction: Direction) => outcomes.filter((one) => one.direction === direction).length
  const moved = outcomes.flatMap(({ after, before, direction }) =>
    direction === "not_comparable" || after === null || before === null ? [] : [Math.abs(after - before)],
  )
  yield* print(json, {
    submissions: outcomes.length,
    up: count("up"),
    down: count("down"),
    unchanged: count("unchanged"),
    not_comparable: count("not_comparable"),
    largest_change: rounded(moved.reduce((most, one) => Math.max(most, one), 0)),
    mean_change: rounded(moved.reduce((sum, one) => sum + one, 0) / Math.max(1, moved.length)),
  })
}, explain)

const compare = Command.make("compare", compareInput, (input) =>
  compareEvaluators(input).pipe(Effect.provide(compareServices(input.evaluator))),
).pipe(
  Command.withDescription(
    "Evaluate the submissions of a set again, with the evaluator of the settings or another one, and compare the scores; stores nothing",
  ),
)

export const evaluationCommand = Command.make("evaluation").pipe(
  Command.withDescription("Repeat and audit evaluations of CVs and interviews, and compare evaluators"),
  Command.withSubcommands([again, compare, counterfactual]),
)
