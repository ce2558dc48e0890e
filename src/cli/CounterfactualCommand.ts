/** `evaluation counterfactual`: whether hints at sex, origin or age move the scores of a set (docs/counterfactual-audit.md). */
import { Clock, Console, DateTime, Effect, Layer, Option, Ref, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { evaluation } from "../Adapters.ts"
import * as App from "../App.ts"
import { Config } from "../config/Config.ts"
import { emptyContent, meanOf, type SubmissionOutcome, withSubmission } from "../counterfactual/CounterfactualAudit.ts"
import { CounterfactualAuditRepository } from "../counterfactual/CounterfactualAuditRepository.ts"
import { maxRequestingSample, maxSample } from "../counterfactual/CounterfactualAudits.ts"
import { auditHeader, auditLines } from "../counterfactual/pages/AuditTable.ts"
import { kindLabels, kindOf, kindsText, legalNote, swapLabel } from "../counterfactual/pages/SwapLabels.ts"
import { swapKinds } from "../counterfactual/Swap.ts"
import { SwapEvaluations } from "../counterfactual/SwapEvaluations.ts"
import { TrialEvaluationRepository } from "../trial-evaluations/TrialEvaluationRepository.ts"
import { TrialEvaluations } from "../trial-evaluations/TrialEvaluations.ts"
import { formatCsv } from "../values/Csv.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { explain, type Input, lines, requireFound, table } from "./CommandKit.ts"
import { CommandFailed, local } from "./Environment.ts"
import * as Flags from "./Flags.ts"

/** Submissions evaluated at once: as many as there are processes that compute. */
const concurrency = 2

const services = SwapEvaluations.layer.pipe(
  Layer.provideMerge(TrialEvaluations.layer),
  Layer.provideMerge(evaluation(false)),
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ isDev: false })),
)

const input = {
  set: Flags.text("set", "The interview set's id").pipe(Flag.withSchema(InterviewSetId)),
  kinds: Flag.Literals("kind", swapKinds).pipe(
    Flag.withDescription("What is swapped; can be repeated; default all"),
    Flag.atLeast(0),
  ),
  sample: Flags.integer("sample", 1, maxSample).pipe(
    Flag.withDescription(
      `Evaluate so many submissions, chosen by chance, the same ones each time; default all. Needed, and at most ${maxRequestingSample}, for an evaluator that sends requests to a server`,
    ),
    Flag.optional,
  ),
  yes: Flags.boolean(
    "yes",
    "Send the requests to the evaluator's server; without it, their number is printed; default off",
  ),
  csv: Flags.boolean("csv", "Print CSV, with the method, instead of text; default off"),
  json: Flags.json,
}

const rounded = (number: number | null): number | null =>
  number === null ? null : Math.round(number * 10_000) / 10_000

const audit = Effect.fn("CounterfactualCommand.audit")(
  function* ({ csv, json, kinds: chosen, sample: size, set: id, yes }: Input<typeof input>) {
    const repository = yield* CounterfactualAuditRepository
    const swapEvaluations = yield* SwapEvaluations
    const trialRepository = yield* TrialEvaluationRepository
    const trialEvaluations = yield* TrialEvaluations
    const organization = yield* requireFound("interview set", (yield* trialRepository.findSet(id))?.organization_id)
    const set = (yield* repository.sets(organization)).find((one) => one.id === id)
    if (set === undefined) return yield* new CommandFailed({ message: "the interview set has no evaluated submission" })
    const kinds = chosen.length === 0 ? swapKinds : swapKinds.filter((kind) => chosen.includes(kind))
    const sample = Option.getOrUndefined(size)
    const submissions = trialEvaluations.submissions(organization, id, { texts: "current", sample })
    if (trialEvaluations.requests > 0) {
      if (sample === undefined || sample > maxRequestingSample)
        return yield* new CommandFailed({
          message: `the evaluator sends requests to a server: give --sample, 1 to ${maxRequestingSample}`,
        })
      if (!yes) {
        const evaluations = yield* Stream.runFoldEffect(
          submissions,
          () => 0,
          (sum, submission) => Effect.map(swapEvaluations.countEvaluations(submission, kinds), (count) => sum + count),
        )
        return yield* new CommandFailed({
          message: `the audit would send about ${evaluations * trialEvaluations.requests} requests for ${evaluations} evaluations: add --yes to send them`,
        })
      }
    }
    const begun = yield* Clock.currentTimeMillis
    const evaluator = yield* Ref.make<string | null>(null)
    const moved = yield* Ref.make<ReadonlyArray<Record<string, unknown>>>([])
    const note = (outcome: SubmissionOutcome) =>
      Effect.andThen(
        Ref.update(evaluator, (known) => known ?? outcome.evaluator),
        Ref.update(moved, (all) => [
          ...all,
          ...outcome.swaps.flatMap(({ moves: own, swap }) =>
            own.map((move) => ({ submission: outcome.submission_id, swap, ...move })),
          ),
        ]),
      )
    const content = yield* submissions.pipe(
      Stream.mapEffect((submission) => swapEvaluations.audit(submission, kinds), { concurrency }),
      Stream.tap((outcome) => (outcome === undefined ? Effect.void : note(outcome))),
      Stream.runFold(() => emptyContent(kinds), withSubmission),
      Effect.catchTag("EvaluatorUnavailable", ({ reason }) =>
        Effect.fail(new CommandFailed({ message: `the evaluator is unavailable: ${reason}` })),
      ),
    )
    const ended = yield* Clock.currentTimeMillis
    const name = yield* Ref.get(evaluator)
    const moves = yield* Ref.get(moved)
    const facts = {
      interview_set: set.title,
      swapped: kindsText(kinds),
      selection: sample === undefined ? "all" : "random sample",
      evaluator: name,
      submissions: content.submissions,
      not_computed: content.not_computed,
      evaluations: content.evaluations,
      seconds: Math.round((ended - begun) / 1000),
      differing_repetitions: content.noisy,
    }
    if (csv) {
      const about = [
        ["Interview set", set.title],
        ["Swapped", kindsText(kinds)],
        ["Selection", sample === undefined ? "all submissions with an evaluation" : "a random sample of them"],
        ["Evaluator", name],
        ["Ended (UTC)", DateTime.toDateUtc(DateTime.makeUnsafe(ended))],
      ] as const
      return yield* Console.log(formatCsv([auditHeader, ...auditLines(content, kinds, about)]).trimEnd())
    }
    const swaps = content.swaps.map(({ scored, sum, ...one }) => ({ ...one, mean: rounded(meanOf({ scored, sum })) }))
    if (json) {
      const { requirements } = content
      return yield* Console.log(JSON.stringify({ ...facts, noise: content.noise, swaps, requirements, moves }))
    }
    yield* Console.log(lines(facts))
    yield* Console.log("")
    yield* Console.log(
      table(
        swaps.map(({ asked, changed, largest, mean, swap, tested }) => ({
          kind: kindLabels[kindOf(swap)],
          swap: swapLabel(swap),
          tested,
          moved: changed,
          moved_as_asked: asked,
          largest_move: largest,
          mean_move: mean,
        })),
        "",
      ),
    )
    yield* Console.log("")
    yield* Console.log(
      table(
        moves.map(({ requirement_id: _, swap, ...move }) => ({ swap: swapLabel(String(swap)), ...move })),
        "no score moved",
      ),
    )
    yield* Console.log(`\n${legalNote}`)
  },
  explain,
  Effect.provide(services),
)

export const counterfactual = Command.make("counterfactual", input, audit).pipe(
  Command.withDescription(
    "Evaluate the submissions of a set with another name, sex, place, age or school, and print which scores move; stores nothing",
  ),
)
