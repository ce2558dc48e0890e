/** The steps of inviting candidates to a set: the form, the check, and the results; columns are in InviteColumnsPages.ts. */
import { Effect, Layer, Result } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { unusablePreviewPage } from "../accounts/pages/LivePreview.ts"
import { TrialPlaces } from "../accounts/TrialPlaces.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Config } from "../config/Config.ts"
import { InterviewSets, type SetRecord } from "../interview-sets/InterviewSets.ts"
import { Projects } from "../interview-sets/Projects.ts"
import { setsHref, submissionsHref } from "../interview-sets/pages/SetLabels.ts"
import { type FieldErrors, hasErrors, type Notice } from "../platform/http/FormControls.ts"
import { FormIdempotency } from "../platform/http/FormIdempotency.ts"
import { named, numberOf, valueOf } from "../platform/http/Forms.ts"
import { mailView, seeOther } from "../platform/http/Pages.ts"
import { readUploadForm, type SmallFile } from "../platform/http/UploadForms.ts"
import { Ids } from "../platform/NewIds.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { numberText } from "../texts/Formats.ts"
import { pageLimit } from "../values/Cursor.ts"
import { FormId } from "../values/Ids.ts"
import { decodeText, type NotText, notTextOf } from "../values/TextFile.ts"
import { previewHeaders } from "./InvitationPreview.ts"
import { Invite } from "./Invite.ts"
import { type CheckedEntry, InviteCheck, isTaken, outcomeOf } from "./InviteCheck.ts"
import {
  columnsOf,
  draftEntries,
  emptyInvite,
  emptyRow,
  type InviteDraft,
  maxTable,
  needsColumns,
  noTable,
  readInvite,
  tableOf,
  withFile,
  withRow,
} from "./InviteDraft.ts"
import { checkedRequest, draftErrors, messageError } from "./InviteDraftErrors.ts"
import { inviteForm, makeInviteDrafts } from "./InviteForms.ts"
import { MessageTemplates } from "./MessageTemplates.ts"
import { checkPage } from "./pages/InviteCheckPage.ts"
import { draftHref, inviteHref, invitePage, inviteResultsPage, inviteRunningPage } from "./pages/InvitePage.ts"
import { templatesHref } from "./pages/MessageTemplatePage.ts"

const notices: Readonly<Record<string, string>> = {
  lost: "What you entered is no longer stored. Enter it again; no one was invited.",
}

const archived = { text: "This set is archived: unarchive it before you invite to it.", isError: true }

interface Shown {
  readonly base?: string
  readonly template?: string
  readonly errors?: FieldErrors
  readonly notice?: Notice | undefined
  readonly status?: number
}

const notTexts: Readonly<Record<NotText, string>> = {
  empty: "The file is empty. Choose another.",
  workbook: "The file is a workbook (.xlsx, .xls or .ods). Save it as CSV in the spreadsheet, and choose that file.",
  binary: "The file is not a text file. Save the table as CSV, and choose that file.",
}

/** Bytes; UTF-16 takes two for each character of the table. */
const maxFile = 2 * maxTable

const maxFileName = 200

/** The draft with the file's table, or the error to show beside the field. */
const readFile = (draft: InviteDraft, { bytes, name }: SmallFile): Result.Result<InviteDraft, string> => {
  if (draft.table.trim() !== "") {
    return Result.fail("The table already has rows. Clear it, then choose the file again.")
  }
  if (bytes.length > maxFile) {
    const [size, max] = [bytes.length, maxFile].map((count) => numberText("en", Math.ceil(count / 1000)))
    return Result.fail(
      `The file has ${size} KB; at most ${max} KB are read at once. Split it and invite in several steps.`,
    )
  }
  const decoded = decodeText(bytes)
  const reason = notTextOf(bytes, decoded.text)
  if (reason !== undefined) return Result.fail(notTexts[reason])
  return Result.succeed(withFile(draft, name.slice(0, maxFileName).toWellFormed(), decoded, bytes))
}

const nextStep = (set: string, base: string, draft: InviteDraft) => {
  const table = tableOf(draft)
  const step = Result.isSuccess(table) && needsColumns(draft, table.success) ? "columns" : "check"
  return seeOther(draftHref(set, base, step))
}

/** Whose email is previewed: the first candidate who gets one, else the first without an error. */
const firstMailed = (checked: ReadonlyArray<CheckedEntry>): CheckedEntry | undefined =>
  checked.find((one) => outcomeOf(one) === "ok" && one.entry.email) ??
  checked.find((one) => outcomeOf(one) !== "wrong" && one.entry.email)

/** Redirects GET requests for the address that sends. */
const toCheck = ({ param }: WorkspaceRequest) => draftHref(param("id"), param("draft"), "check")

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace

    const config = yield* Config
    const formIdempotency = yield* FormIdempotency
    const ids = yield* Ids
    const { findDraft, lost, recordOf, storeDraft } = yield* makeInviteDrafts
    const interviewSets = yield* InterviewSets
    const { inviteToSet } = yield* Invite
    const inviteCheck = yield* InviteCheck
    const messageTemplates = yield* MessageTemplates
    const projects = yield* Projects
    const submissions = yield* Submissions
    const trial = yield* TrialPlaces

    const showForm = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      record: SetRecord,
      draft: InviteDraft,
      { base = "", errors = {}, notice, status = 200, template = "" }: Shown,
    ) {
      const { invitationExpires: expires, inviteMaxCandidates: maxCandidates } = config
      const project = record.set.com_project_id
      const posts =
        project === null
          ? []
          : (yield* projects.listJobPosts(member, { project_id: project }, { limit: pageLimit.max, after: undefined }))
              .results
      const jobPosts = posts.flatMap(({ id, status: state, title }) =>
        state === "open" ? [[id, title.slice(0, 100)] as const] : [],
      )
      const templates = yield* messageTemplates.list(member, "invitation")
      const languages = yield* interviewSets.languages
      const form = { base, draft, template, errors, jobPosts, languages, templates, maxCandidates, expires, notice }
      return page(invitePage(member, record, form), { status, framesFiles: true })
    })

    /** The candidate of the submission, to invite the person again; an empty row for a member who may not see it. */
    const rowOf = Effect.fnUntraced(
      function* (member: Member, submission: string) {
        const { email, name } = (yield* submissions.read(member, submission)).detail.candidate
        // without a name, it is the beginning of the address, which is no name to store
        return { name: name === null || name === email?.split("@")[0] ? "" : name, email: email ?? "", cv: "" }
      },
      Effect.catchTags({ NotAllowed: () => Effect.succeed(emptyRow), NotFound: () => Effect.succeed(emptyRow) }),
    )

    const begin = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const record = yield* recordOf(request)
      const text = named(notices, request.query("done"))
      const again = request.query("again")
      const empty = emptyInvite(yield* ids.make(FormId))
      const rows = again === undefined ? empty.rows : [yield* rowOf(request.member, again), emptyRow]
      const notice = record.standing.archived_at !== null ? archived : text === undefined ? undefined : { text }
      return yield* showForm(request, record, { ...empty, rows }, { notice })
    })

    const edit = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const record = yield* recordOf(request)
      const base = request.param("draft")
      const draft = yield* findDraft(request, record, base)
      if (draft === undefined) return lost(record.set.id)
      return yield* showForm(request, record, draft, { base })
    })

    /** Adds the template's text to the message; keeps what was typed. */
    const withTemplate = Effect.fnUntraced(function* ({ member }: WorkspaceRequest, draft: InviteDraft, id: string) {
      const templates = yield* messageTemplates.list(member, "invitation")
      const chosen = templates.find((one) => one.id === id)
      if (chosen === undefined) return draft
      const typed = draft.message.trim()
      const isReplaced = typed === "" || templates.some(({ text }) => text === typed)
      return { ...draft, message: isReplaced ? chosen.text : `${draft.message.trimEnd()}\n\n${chosen.text}` }
    })

    const submit = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { inviteMaxCandidates, outboundAllow } = config
      const { file, form } = yield* readUploadForm(request.http)
      const record = yield* recordOf(request)
      const { id } = record.set
      const base = valueOf(form, "base") ?? ""
      const before = base === "" ? undefined : yield* findDraft(request, record, base)
      const typed = readInvite(yield* ids.make(FormId), form, before)
      const read = file === undefined ? Result.succeed(typed) : readFile(typed, file)
      const draft = Result.getOrElse(read, () => typed)
      const fileErrors: FieldErrors = Result.isFailure(read) ? { file: read.failure } : {}
      const template = valueOf(form, "template") ?? ""
      const again = (shown: InviteDraft, errors: FieldErrors, status: number) =>
        showForm(request, record, shown, { base: before === undefined ? "" : base, template, errors, status })
      if (hasErrors(fileErrors)) return yield* again(draft, fileErrors, 422)
      switch (valueOf(form, "do")) {
        case "add":
          return yield* again(withRow(draft), {}, 200)
        case "use":
          return yield* again(yield* withTemplate(request, draft, template), {}, 200)
        case "template": {
          const stored = yield* storeDraft(request, record, draft)
          return seeOther(`${templatesHref}/new?set=${id}&draft=${stored}`)
        }
        default: {
          const errors = draftErrors(draft, record.set.set_type === 2, outboundAllow, inviteMaxCandidates)
          if (hasErrors(errors)) return yield* again(draft, errors, 422)
          if (record.standing.archived_at !== null) {
            return yield* showForm(request, record, draft, { base, template, notice: archived, status: 409 })
          }
          return nextStep(id, yield* storeDraft(request, record, draft), draft)
        }
      }
    })

    const checkedDraft = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      { set }: SetRecord,
      draft: InviteDraft,
    ) {
      const table = Result.getOrElse(tableOf(draft), () => noTable)
      const entries = draftEntries(draft, table)
      const checked = yield* inviteCheck.check(member, set.id, entries, draft.send)
      return { table, checked }
    })

    const showCheck = Effect.fnUntraced(function* (
      request: WorkspaceRequest,
      record: SetRecord,
      draft: InviteDraft,
      { notice, status = 200 }: { readonly notice?: Notice; readonly status?: number } = {},
    ) {
      const { member, param, query } = request
      const { set } = record
      const { checked, table } = yield* checkedDraft(request, record, draft)
      const first = firstMailed(checked)
      const email =
        draft.send && set.set_type === 1 && first !== undefined && outcomeOf(first) === "ok"
          ? yield* inviteCheck.preview(member, set.id, draft, first.entry)
          : undefined
      const view = {
        draft: param("draft"),
        checked,
        table,
        columns: columnsOf(draft, table),
        email,
        isMailed: draft.send,
        notice,
        periods: yield* inviteCheck.periods(member, set.id),
        page: Math.max(1, numberOf(query("page"))),
      }
      return page(checkPage(member, record, view), { status, framesFiles: true })
    })

    const check = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const record = yield* recordOf(request)
      const draft = yield* findDraft(request, record, request.param("draft"))
      if (draft === undefined) return lost(record.set.id)
      const table = tableOf(draft)
      if (Result.isSuccess(table) && needsColumns(draft, table.success)) {
        return seeOther(draftHref(record.set.id, request.param("draft"), "columns"))
      }
      return yield* showCheck(request, record, draft)
    })

    const previewOf = Effect.fnUntraced(function* (request: WorkspaceRequest, record: SetRecord) {
      const draft = yield* findDraft(request, record, request.param("draft"))
      if (draft === undefined) return undefined
      const { checked } = yield* checkedDraft(request, record, draft)
      return yield* inviteCheck.preview(request.member, record.set.id, draft, firstMailed(checked)?.entry)
    })

    /** The email that the check frames. */
    const emailFrame = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const record = yield* recordOf(request)
      const preview = yield* previewOf(request, record)
      return preview === undefined ? lost(record.set.id) : mailView(preview.html)
    })

    const showEmail = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      { set }: SetRecord,
      draft: InviteDraft,
    ) {
      const first = inviteCheck.firstTyped(draft, set.set_type === 2)
      const preview = yield* inviteCheck.preview(member, set.id, draft, first)
      return mailView(preview.html, previewHeaders(preview))
    })

    /** The email that the form frames, as a sample candidate gets it. */
    const emptyEmail = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const record = yield* recordOf(request)
      return yield* showEmail(request, record, emptyInvite(yield* ids.make(FormId)))
    })

    /** The email as the form is typed. Nothing is stored. */
    const typedEmail = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { file, form } = yield* readUploadForm(request.http)
      const record = yield* recordOf(request)
      const typed = readInvite(yield* ids.make(FormId), form, undefined)
      const wrong = messageError(typed.message)
      if (wrong !== undefined) return page(unusablePreviewPage([wrong]), { status: 422, mayBeFramed: true })
      const draft = file === undefined ? typed : Result.getOrElse(readFile(typed, file), () => typed)
      return yield* showEmail(request, record, draft)
    })

    const send = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { inviteMaxCandidates, outboundAllow } = config
      const { member } = request
      const record = yield* recordOf(request)
      const { id, set_type } = record.set
      const base = request.param("draft")
      const draft = yield* findDraft(request, record, base)
      if (draft === undefined) return lost(id)
      const results = seeOther(`${inviteHref(id)}/${draft.id}`)
      if ((yield* formIdempotency.find(member, draft.id, inviteForm(id))) !== undefined) return results
      const read = tableOf(draft)
      // a draft that was stored without having been checked
      const isUnready = Result.isSuccess(read) && needsColumns(draft, read.success)
      const errors = draftErrors(draft, set_type === 2, outboundAllow, inviteMaxCandidates)
      if (hasErrors(errors)) return yield* showForm(request, record, draft, { base, errors, status: 422 })
      if (isUnready) return seeOther(draftHref(id, base, "columns"))
      const { checked } = yield* checkedDraft(request, record, draft)
      const taken = checked.filter(isTaken)
      const invite = checkedRequest(
        draft,
        id,
        taken.map(({ entry }) => entry),
      )
      if (invite === undefined || taken.length === 0) {
        return yield* showCheck(request, record, draft, {
          notice: { text: "There are no candidates to invite.", isError: true },
          status: 422,
        })
      }
      const work = Effect.map(inviteToSet(member, invite), (found) => ({
        results: found,
        origins: taken.map(({ origin }) => origin),
        before: taken.flatMap(({ plan }, i) => (plan._tag === "InvitedBefore" ? [i] : [])),
        leftOut: checked.flatMap((one) => (isTaken(one) || one.plan._tag === "Repeated" ? [] : [one.origin])),
        repeated: checked.flatMap(({ origin, plan }) =>
          plan._tag === "Repeated" ? [{ origin, first: plan.first }] : [],
        ),
      }))
      return yield* formIdempotency.run(member, draft.id, inviteForm(id), work).pipe(
        Effect.as(results),
        Effect.catchTags({
          Invalid: ({ errors: [first] }) =>
            showForm(request, record, draft, {
              base,
              errors: { "": `The request was refused: ${first?.pointer} ${first?.message}.` },
              status: 422,
            }),
          Conflict: ({ reason }) =>
            showCheck(request, record, draft, {
              notice: { text: `No one was invited: ${reason}.`, isError: true },
              status: 409,
            }),
          NotFound: () =>
            showForm(request, record, draft, {
              base,
              errors: { job_post: "This job post no longer exists." },
              status: 422,
            }),
        }),
      )
    })

    const results = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const record = yield* recordOf(request)
      const { id } = record.set
      const sent = yield* formIdempotency.find(member, param("form"), inviteForm(id))
      if (sent === undefined) return seeOther(submissionsHref(id))
      if (sent._tag !== "Answered") return page(inviteRunningPage(member, record, sent._tag === "Running"))
      return page(inviteResultsPage(member, record, sent.answer, trial))
    })

    const invite = `${setsHref}/:id/invite`
    yield* get(invite, begin)
    yield* post(invite, submit)
    yield* get(`${invite}/preview`, emptyEmail)
    yield* post(`${invite}/preview`, typedEmail)
    yield* get(`${invite}/:form`, results)
    yield* get(`${invite}/:draft/edit`, edit)
    yield* get(`${invite}/:draft/check`, check)
    yield* get(`${invite}/:draft/email/frame`, emailFrame)
    yield* action(`${invite}/:draft/send`, send, toCheck)
  }),
)
