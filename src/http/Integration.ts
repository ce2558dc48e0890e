/** The integration API's handlers. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authentication.ts"
import { NotFound, Unprocessable } from "../api/Problems.ts"
import type * as Problem from "../domain/Problem.ts"
import { InterviewSets } from "../service/InterviewSets.ts"
import { Invite } from "../service/Invite.ts"
import { Submissions } from "../service/Submissions.ts"

const unprocessable = ({ errors }: Problem.Invalid) =>
  Effect.fail(new Unprocessable({ code: "validation_failed", detail: "the request breaks a rule", errors }))

const notFound = ({ record }: Problem.NotFound) =>
  Effect.fail(new NotFound({ code: "not_found", detail: `no such ${record} in this organization` }))

export const layer = HttpApiBuilder.group(
  Api,
  "integration",
  Effect.fn(function* (handlers) {
    const interviewSets = yield* InterviewSets
    const invite = yield* Invite
    const submissions = yield* Submissions
    return handlers.handleAll({
      createInterviewSet: Effect.fn("createInterviewSet")(
        function* ({ payload }) {
          const { organizationId } = yield* CurrentPrincipal
          return { results: yield* interviewSets.create(organizationId, payload) }
        },
        Effect.catchTag("Invalid", unprocessable),
      ),
      inviteCandidates: Effect.fn("inviteCandidates")(
        function* ({ payload }) {
          const { organizationId } = yield* CurrentPrincipal
          return { results: yield* invite.invite(organizationId, payload) }
        },
        Effect.catchTags({ Invalid: unprocessable, NotFound: notFound }),
      ),
      readSubmission: Effect.fn("readSubmission")(
        function* ({ params }) {
          const { organizationId } = yield* CurrentPrincipal
          return { results: yield* submissions.detail(organizationId, params.id) }
        },
        Effect.catchTag("NotFound", notFound),
      ),
    })
  }),
)
