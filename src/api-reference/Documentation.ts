/**
 * What the API's document says beside its operations. `{api_url}` in it stands for the address of the API, other names
 * in braces for settings of the service (api-reference/DocsNumbers.ts).
 */
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { complete } from "./document/Complete.ts"
import { guide } from "./document/Guide.ts"
import { EvaluationEvent, InterviewStatusEvent, InvitationStatusEvent } from "./document/WebhookEvents.ts"

const info = {
  title: "Interview Invitations",
  version: "1.0.0",
  summary: "Asynchronous candidate interviews: create a set, invite candidates, read the evaluation",
  description: guide,
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
}

export const documentation = Context.merge(
  OpenApi.annotations({
    transform: ({ components, openapi, paths, tags }) => ({ ...complete({ components, openapi, paths, tags }, info) }),
  }),
  Context.make(HttpApi.AdditionalSchemas, [InvitationStatusEvent, InterviewStatusEvent, EvaluationEvent]),
)
