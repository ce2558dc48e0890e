import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { cvFileName, download } from "../files/Download.ts"
import { notFound } from "../platform/http/ApiRequests.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import * as Contract from "./FileApi.ts"
import { type OpenFile, Submissions } from "./Submissions.ts"

const send = ({ content, size, type }: OpenFile, name: string) => {
  const sent = type !== null && Contract.fileTypes.includes(type) ? type : "application/octet-stream"
  return download({ content, name, type: sent, ...(size === null ? {} : { size }) })
}

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Files),
  "files",
  Effect.fnUntraced(function* (handlers) {
    const submissions = yield* Submissions
    return handlers.handleAll({
      answer: Effect.fnUntraced(
        function* ({ params, query }) {
          const attempt = query.attempt === undefined ? undefined : Number(query.attempt)
          const file = yield* submissions.uploadedFile(yield* CurrentPrincipal, params.id, params.question, attempt)
          return send(file, file.name ?? "file")
        },
        Effect.catchTag("NotFound", notFound),
      ),
      cv: Effect.fnUntraced(
        function* ({ params }) {
          const file = yield* submissions.cvFile(yield* CurrentPrincipal, params.id)
          return send(file, file.name ?? cvFileName(file.type))
        },
        Effect.catchTags({ NotAllowed: () => notFound({ record: "submission" }), NotFound: notFound }),
      ),
    })
  }),
)
