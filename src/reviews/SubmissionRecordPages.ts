/** Routes of the record of one submission (pages/SubmissionRecordPage.ts). */
import { Effect, Layer, Stream } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { download } from "../files/Download.ts"
import { RecordExports } from "../record/RecordExports.ts"
import { unreadable } from "../record/RecordPages.ts"
import { requireId, SubmissionId } from "../values/Ids.ts"
import { submissionRecordHref, submissionRecordPage } from "./pages/SubmissionRecordPage.ts"

const idOf = ({ param }: WorkspaceRequest) => requireId(SubmissionId, param("id"), "submission")

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeSettings
    const recordExports = yield* RecordExports

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest, refusal?: string) {
      const { member } = request
      const id = yield* idOf(request)
      const shown = submissionRecordPage(member, id, yield* recordExports.show(member.organizationId, id), refusal)
      return page(shown, refusal === undefined ? {} : { status: 409 })
    })

    const exportOne = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const id = yield* idOf(request)
      return yield* recordExports.bundle(request.member, id).pipe(
        Effect.map((text) =>
          download({
            name: `decision-${id}.json`,
            type: "application/json",
            content: Stream.encodeText(Stream.make(text)),
          }),
        ),
        Effect.catchTags({
          Conflict: ({ reason }) => show(request, reason),
          UnreadableRecordKey: (error) => Effect.flatMap(unreadable(error), (reason) => show(request, reason)),
        }),
      )
    })

    const submission = "/submissions/:id/record"
    yield* get(submission, (request) => show(request))
    // POST, because it writes to the audit log and other sites must not request it
    yield* action(`${submission}/export`, exportOne, ({ param }) => submissionRecordHref(param("id")))
  }),
)
