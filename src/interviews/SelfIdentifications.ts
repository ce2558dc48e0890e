/** A candidate answers an organization's voluntary questions after the interview, and withdraws the answers. */
import { Context, Effect, Layer } from "effect"
import {
  readSelfIdentification,
  type SelfIdentification,
  type SelfIdentificationForm,
  type SelfIdentificationList,
} from "../impact/SelfIdentification.ts"
import { SelfIdentificationRepository } from "../impact/SelfIdentificationRepository.ts"
import { makeOpenInterview, stateOf } from "./InterviewView.ts"

/** What the candidate's page shows. */
export interface VoluntaryAnswers {
  readonly form: SelfIdentificationForm
  /** Undefined: none, or withdrawn. */
  readonly answer: SelfIdentification | undefined
  /** The interview is submitted, and the organization asks. */
  readonly canAnswer: boolean
}

export class SelfIdentifications extends Context.Service<SelfIdentifications>()(
  "interview-invitations/interviews/SelfIdentifications",
  {
    make: Effect.gen(function* () {
      const openInterview = yield* makeOpenInterview
      const repository = yield* SelfIdentificationRepository

      const find = Effect.fn("SelfIdentifications.find")(function* (token: string) {
        const row = yield* openInterview(token)
        const form = yield* repository.form(row.organization_id)
        const answer = yield* repository.find(row.organization_id, row.submission_id)
        const canAnswer = stateOf(row) === "completed" && form.asks.length > 0
        return { form, answer, canAnswer } satisfies VoluntaryAnswers
      })

      const withdraw = Effect.fn("SelfIdentifications.withdraw")(function* (token: string) {
        const { organization_id, submission_id } = yield* openInterview(token)
        yield* repository.withdraw(organization_id, submission_id)
      })

      /** `typed`: the chosen category of a list. Answers to none of the questions withdraw what was answered. */
      const save = Effect.fn("SelfIdentifications.save")(function* (
        token: string,
        typed: (list: SelfIdentificationList) => string,
      ) {
        const row = yield* openInterview(token)
        if (stateOf(row) !== "completed") return
        const answer = readSelfIdentification(yield* repository.form(row.organization_id), typed)
        if (answer === undefined) yield* repository.withdraw(row.organization_id, row.submission_id)
        else yield* repository.save(row.organization_id, row.submission_id, answer)
      })

      return { find, save, withdraw }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
