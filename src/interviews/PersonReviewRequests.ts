/** A candidate asks for a person instead of the evaluator, or after its result, and withdraws the request. */
import { Context, Effect, Layer } from "effect"
import { PersonReviews } from "../person-reviews/PersonReviews.ts"
import { Database } from "../platform/database/Database.ts"
import { InterviewRepository } from "./InterviewRepository.ts"
import { InterviewNotOpen, type InterviewState, makeOpenInterview, stateOf } from "./InterviewView.ts"

/** States in which a candidate can ask: until the interview ended without answers. */
export const mayAskForPerson = (state: InterviewState): boolean =>
  state === "open" || state === "running" || state === "time_over" || state === "completed"

export class PersonReviewRequests extends Context.Service<PersonReviewRequests>()(
  "interview-invitations/interviews/PersonReviewRequests",
  {
    make: Effect.gen(function* () {
      const { transaction } = yield* Database
      const { lockPerson } = yield* InterviewRepository
      const openInterview = yield* makeOpenInterview
      const personReviews = yield* PersonReviews

      const ask = Effect.fn("PersonReviewRequests.ask")(function* (token: string, text: string) {
        const row = yield* openInterview(token)
        const state = stateOf(row)
        if (!mayAskForPerson(state) || !(yield* lockPerson(row.organization_id, row.submission_id)))
          return yield* new InterviewNotOpen({ state })
        yield* personReviews.request(row, text)
      }, transaction)

      const withdraw = Effect.fn("PersonReviewRequests.withdraw")(function* (token: string) {
        yield* personReviews.withdraw(yield* openInterview(token))
      }, transaction)

      return { ask, withdraw }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
