/** The API of test mode: the scripted candidate, and emptying. For test keys only. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { InvitationDetail } from "../invitations/Invitation.ts"
import { results } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound } from "../platform/http/ProblemApi.ts"
import { InvitationId } from "../values/Ids.ts"
import { type BodilessAct, type TestActName, testActs } from "./TestActs.ts"

const params = { id: InvitationId.annotateKey({ description: "The id of the candidate's invitation" }) }

export const EmptiedTestMode = Schema.Struct({
  is_empty: Schema.Boolean.annotate({
    description:
      "All data is deleted; false: the service deletes the rest within minutes. Repeat the request to learn whether it is done",
  }),
}).annotate({ identifier: "EmptiedTestMode" })

const keyNote = "Needs a test key with the scope `invite_candidates`; 404 for a live key."

const onInvitation = (description: string) => results(InvitationDetail, description)

const path = "/test/v1/invitations/:id"

const textsOf = (name: TestActName) => {
  const { description, operationId: identifier, summary } = testActs[name]
  return OpenApi.annotations({ identifier, summary, description: `${description} ${keyNote}` })
}

const act = <const Name extends BodilessAct>(name: Name) =>
  HttpApiEndpoint.post(name, `${path}/${testActs[name].path}`, {
    params,
    success: onInvitation(testActs[name].result),
    error: [NotFound, Conflict],
  })
    .middleware(Idempotency)
    .annotateMerge(textsOf(name))

const actWithBody = <const Name extends Exclude<TestActName, BodilessAct>>(name: Name) =>
  HttpApiEndpoint.post(name, `${path}/${testActs[name].path}`, {
    params,
    payload: testActs[name].payload,
    success: onInvitation(testActs[name].result),
    error: [...bodyProblems, NotFound, Conflict],
  })
    .middleware(Idempotency)
    .annotateMerge(textsOf(name))

const empty = HttpApiEndpoint.post("empty", "/test/v1/empty", {
  success: results(EmptiedTestMode, "Whether all data is deleted"),
  error: [NotFound],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "emptyTestMode",
    summary: "Empty test mode",
    description:
      "Deletes all data of the test space: candidates, interview sets, projects, submissions, events, emails, deliveries, suppressed addresses, logged requests and stored idempotency keys. API keys, webhooks, settings and the audit log stay: /docs/test-mode has the whole list. Records that are made while it is being emptied may be deleted, too. Takes no body. Needs a test key with the scope `manage_privacy`; 404 for a live key.",
  }),
)

export const TestMode = HttpApiGroup.make("testMode")
  .add(
    actWithBody("complete"),
    act("open"),
    actWithBody("decline"),
    act("expire"),
    act("bounce"),
    act("complain"),
    empty,
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Test mode",
      description:
        "What candidates and their mail servers do, by one call each. For test keys, which begin with `iv_test_`.",
    }),
  )
