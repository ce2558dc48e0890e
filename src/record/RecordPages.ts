/** Routes of Settings → Organization → Decision record, and of the record of one submission. */
import { Effect, Layer, Stream } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { download } from "../files/Download.ts"
import { requireId, SubmissionId } from "../values/Ids.ts"
import { recordHref, recordPage, submissionRecordHref, submissionRecordPage } from "./pages/RecordPage.ts"
import { RecordExports } from "./RecordExports.ts"

const idOf = ({ param }: WorkspaceRequest) => requireId(SubmissionId, param("id"), "submission")

const unreadable = ({ message }: { readonly message: string }) =>
  Effect.as(
    Effect.logError(message),
    "the key that signs the record cannot be read: an operator finds advice in the log",
  )

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeSettings
    const recordExports = yield* RecordExports

    const head = Effect.fnUntraced(function* ({ member }: WorkspaceRequest, refusal?: string) {
      const shown = recordPage(member, yield* recordExports.head(member.organizationId), refusal)
      return page(shown, refusal === undefined ? {} : { status: 409 })
    })

    const exportAll = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      return yield* recordExports.exportAll(member).pipe(
        Effect.map((content) =>
          download({
            name: `record-${member.organizationId}.jsonl`,
            type: "application/jsonl",
            content: Stream.encodeText(content),
          }),
        ),
        Effect.catchTags({
          Conflict: ({ reason }) => head(request, reason),
          UnreadableRecordKey: (error) => Effect.flatMap(unreadable(error), (reason) => head(request, reason)),
        }),
      )
    })

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
    yield* get(recordHref, (request) => head(request))
    // POST, because it writes to the audit log and other sites must not request it
    yield* action(`${recordHref}/export`, exportAll, () => recordHref)
    yield* get(submission, (request) => show(request))
    yield* action(`${submission}/export`, exportOne, ({ param }) => submissionRecordHref(param("id")))
  }),
)
