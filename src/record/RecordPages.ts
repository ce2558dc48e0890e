/** Routes of Settings → Organization → Decision record. */
import { Effect, Layer, Stream } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { download } from "../files/Download.ts"
import { recordHref, recordPage } from "./pages/DecisionRecordPage.ts"
import { RecordExports } from "./RecordExports.ts"

/** Why a record whose key cannot be read is not exported. */
export const unreadable = ({ message }: { readonly message: string }) =>
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

    yield* get(recordHref, (request) => head(request))
    // POST, because it writes to the audit log and other sites must not request it
    yield* action(`${recordHref}/export`, exportAll, () => recordHref)
  }),
)
