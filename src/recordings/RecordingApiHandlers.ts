import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { playback } from "../files/Playback.ts"
import { notFound, withHeaders } from "../platform/http/ApiRequests.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { RangeNotSatisfiable } from "../platform/http/ProblemApi.ts"
import { Submissions } from "../submissions/Submissions.ts"
import * as Contract from "./RecordingApi.ts"
import { Recordings } from "./Recordings.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Recordings),
  "recordings",
  Effect.fnUntraced(function* (handlers) {
    const { contentOf } = yield* Recordings
    const submissions = yield* Submissions
    return handlers.handleAll({
      read: Effect.fnUntraced(
        function* ({ params, query, request }) {
          const principal = yield* CurrentPrincipal
          const attempt = query.attempt === undefined ? undefined : Number(query.attempt)
          const recording = yield* submissions.answerRecording(principal, params.id, params.question, attempt)
          const { blob_id, content_type: type, id, size } = recording
          const response = playback(request, {
            type,
            size,
            id: blob_id ?? id,
            content: (range) => contentOf(recording, principal.organizationId, range),
          })
          if (response.status !== 416) return response
          yield* withHeaders({ "content-range": `bytes */${size}` })
          return yield* new RangeNotSatisfiable({ detail: `the recording has ${size} bytes, and none of the range` })
        },
        Effect.catchTag("NotFound", notFound),
      ),
    })
  }),
)
