/** `evaluation`: commands for evaluations. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { operator } from "../accounts/Viewer.ts"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { Overrides } from "../reviews/Overrides.ts"
import { SubmissionId } from "../values/Ids.ts"
import { explain, type Input, print, recordServices, requireFound, requireOrganization } from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const usage = "give a submission's id, or --organization with --not-scored and --since"

const againInput = {
  submission: Argument.String("submission").pipe(
    Argument.withDescription("The submission's id; without it, give --organization, --not-scored and --since"),
    Argument.withSchema(SubmissionId),
    Argument.optional,
  ),
  organization: Flags.organization.pipe(Flag.optional),
  notScored: Flag.Boolean("not-scored").pipe(
    Flag.withDescription("Repeat all evaluations without a score because the evaluator was unavailable; default off"),
    Flag.withDefault(false),
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

export const evaluationCommand = Command.make("evaluation").pipe(
  Command.withDescription("Repeat evaluations of CVs and interviews"),
  Command.withSubcommands([again]),
)
