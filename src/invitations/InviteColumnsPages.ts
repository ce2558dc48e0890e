/** The step of inviting candidates in which a member says how a table is read and what its columns mean. */
import { Effect, Layer, Result } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import type { SetRecord } from "../interview-sets/InterviewSets.ts"
import { setsHref } from "../interview-sets/pages/SetLabels.ts"
import { type FieldErrors, hasErrors } from "../platform/http/FormControls.ts"
import { type Form, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import {
  type CandidateTable,
  type Column,
  columnErrors,
  columnName,
  type HeaderChoice,
  ignoredColumns,
  isColumnMeaning,
  suggestedColumns,
} from "./CandidateTable.ts"
import { columnsOf, type InviteDraft, tableOf, withColumns, withEncoding } from "./InviteDraft.ts"
import { makeInviteDrafts } from "./InviteForms.ts"
import { columnsPage, separatorNamed } from "./pages/InviteColumnsPage.ts"
import { draftHref } from "./pages/InvitePage.ts"

const maxKey = 200

const typedColumns = (form: Form, table: CandidateTable): ReadonlyArray<Column> => {
  const fields = new Map(form.toReversed())
  return suggestedColumns(table).map((suggested, i) => {
    const field = fields.get(`column.${i}.field`)
    const key = fields.get(`column.${i}.key`)
    return {
      field: isColumnMeaning(field) ? field : suggested.field,
      key: (key?.trim() ?? suggested.key).slice(0, maxKey).toWellFormed(),
    }
  })
}

const columnFieldErrors = (table: CandidateTable, chosen: ReadonlyArray<Column>, isConfirmed: boolean): FieldErrors => {
  const found = columnErrors(chosen)
  const ignored = ignoredColumns(table, chosen).map((i) => `“${columnName(table, i).slice(0, 60)}”`)
  const fields = [...found.columns].flatMap(([i, { field, key }]) => [
    ...(field === undefined ? [] : [[`column.${i}.field`, field]]),
    ...(key === undefined ? [] : [[`column.${i}.key`, key]]),
  ])
  return {
    ...Object.fromEntries(fields),
    ...(found.table === undefined ? {} : { "": found.table }),
    ...(ignored.length > 0 && !isConfirmed
      ? { confirmed: `Confirm that these columns are left out, or choose what they mean: ${ignored.join(", ")}.` }
      : {}),
  }
}

const isHeaderChoice = (text: string | undefined): text is Exclude<HeaderChoice, "auto"> =>
  text === "yes" || text === "no"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeWorkspace
    const { findDraft, lost, recordOf, storeDraft } = yield* makeInviteDrafts

    const showColumns = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      record: SetRecord,
      base: string,
      draft: InviteDraft,
      shown: {
        readonly table: CandidateTable
        readonly columns: ReadonlyArray<Column>
        readonly errors?: FieldErrors
        readonly status?: number
      },
    ) {
      const { columns, errors = {}, status = 200, table } = shown
      const ignored = ignoredColumns(table, columns).map((i) => columnName(table, i))
      const { encoding, isCertain = true } = draft.source ?? {}
      const reading = { file: draft.file, encoding, isEncodingCertain: isCertain }
      const view = { draft: base, ...reading, table, columns, ignored, errors }
      return page(columnsPage(member, record, view), { status })
    })

    const columns = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const record = yield* recordOf(request)
      const base = request.param("draft")
      const draft = yield* findDraft(request, record, base)
      if (draft === undefined) return lost(record.set.id)
      const table = tableOf(draft)
      if (Result.isFailure(table) || table.success.columns === 0)
        return seeOther(draftHref(record.set.id, base, "edit"))
      return yield* showColumns(request, record, base, draft, {
        table: table.success,
        columns: columnsOf(draft, table.success),
      })
    })

    const chooseColumns = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const record = yield* recordOf(request)
      const base = request.param("draft")
      const draft = yield* findDraft(request, record, base)
      if (draft === undefined) return lost(record.set.id)
      const read = tableOf(draft)
      if (Result.isFailure(read)) return seeOther(draftHref(record.set.id, base, "edit"))
      const table = read.success
      const choice = valueOf(form, "header")
      const header = isHeaderChoice(choice) ? choice : draft.header
      const isHeaderChanged = isHeaderChoice(header) && (header === "yes") !== (table.header !== undefined)
      const separator = separatorNamed(valueOf(form, "separator")) ?? table.separator
      const encoding = valueOf(form, "encoding")
      const isEncodingChanged =
        draft.source !== undefined && encoding !== undefined && encoding !== draft.source.encoding
      if (isHeaderChanged || separator !== table.separator || isEncodingChanged) {
        // what the columns mean depends on how the table is read: a member sees it again
        const source = isEncodingChanged ? withEncoding(draft, encoding) : draft
        const isDivided = separator !== table.separator
        const kept = isHeaderChanged ? header : isDivided ? "auto" : draft.header
        const changed = { ...source, header: kept, columns: null, ...(isDivided ? { separator } : {}) }
        const again = tableOf(changed)
        if (Result.isFailure(again)) {
          const errors = {
            separator: `Line ${again.failure.line}: ${again.failure.reason}. The table is shown as before.`,
          }
          return yield* showColumns(request, record, base, draft, {
            table,
            columns: columnsOf(draft, table),
            errors,
            status: 422,
          })
        }
        return seeOther(draftHref(record.set.id, yield* storeDraft(request, record, changed), "columns"))
      }
      const chosen = typedColumns(form, table)
      const isConfirmed = valueOf(form, "confirmed") === "yes"
      const errors = valueOf(form, "do") === "header" ? {} : columnFieldErrors(table, chosen, isConfirmed)
      if (hasErrors(errors) || valueOf(form, "do") === "header") {
        const status = hasErrors(errors) ? 422 : 200
        return yield* showColumns(request, record, base, draft, { table, columns: chosen, errors, status })
      }
      const stored = yield* storeDraft(request, record, withColumns(draft, table, chosen, isConfirmed))
      return seeOther(draftHref(record.set.id, stored, "check"))
    })

    yield* get(`${setsHref}/:id/invite/:draft/columns`, columns)
    yield* post(`${setsHref}/:id/invite/:draft/columns`, chooseColumns)
  }),
)
