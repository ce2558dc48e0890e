/** `evaluation`: commands for evaluations. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Organizations } from "../accounts/Organizations.ts"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { SubmissionId } from "../values/Ids.ts"
import { explain, json, known, organization, print, records, since } from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"

const usage = "give a submission's id, or --organization with --not-scored and --since"

const again = Command.make(
  "again",
  {
    submission: Argument.String("submission").pipe(Argument.withSchema(SubmissionId), Argument.optional),
    organization: organization.pipe(Flag.optional),
    notScored: Flag.Boolean("not-scored").pipe(
      Flag.withDescription("All that ended without a score because the evaluator was unavailable"),
      Flag.withDefault(false),
    ),
    since: since.pipe(
      Flag.withDescription("Ended since a moment, or within so long (2h, 1 day); with --not-scored"),
      Flag.optional,
    ),
    json,
  },
  ({ json, notScored, organization, since, submission }) =>
    Effect.gen(function* () {
      const reviews = yield* Reviews
      if (Option.isSome(submission)) {
        if (notScored || Option.isSome(organization) || Option.isSome(since)) {
          return yield* new CommandFailed({ message: usage })
        }
        const id = submission.value
        const owner = yield* known("submission", yield* (yield* EvaluationRepository).organizationOf(id))
        return yield* print(json, { id, types: yield* reviews.evaluateAgain(owner, id, null) })
      }
      if (!notScored || Option.isNone(organization) || Option.isNone(since)) {
        return yield* new CommandFailed({ message: usage })
      }
      yield* (yield* Organizations).require(organization.value)
      yield* print(json, { queued: yield* reviews.evaluateUnanswered(organization.value, since.value) })
    }).pipe(explain, Effect.provide(records)),
).pipe(
  Command.withDescription(
    "Evaluate again: a submission's CV and answers, or all of an organization that the evaluator was unavailable for",
  ),
)

export const evaluationCommand = Command.make("evaluation").pipe(
  Command.withDescription("Evaluations of CVs and interviews"),
  Command.withSubcommands([again]),
)
