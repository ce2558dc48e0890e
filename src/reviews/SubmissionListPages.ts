/** The list of submissions, at /submissions, /submissions.csv and /submissions.xlsx, and what is done with selected rows. */

import { Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { download } from "../files/Download.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { type FieldErrors, fieldErrors } from "../platform/http/FormControls.ts"
import { FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { type Form, formIds, linesOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import type { Html } from "../platform/http/Html.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { Decision } from "../submissions/Decision.ts"
import { decidedNames, decisionNames } from "../submissions/pages/SubmissionLabels.ts"
import { queryText, searchOf } from "../submissions/SubmissionSearch.ts"
import { type NamedSubmission, Submissions, searchPosition } from "../submissions/Submissions.ts"
import { byteOrderMark, csvFormatFor, formatCsv } from "../values/Csv.ts"
import { FormId, SubmissionId } from "../values/Ids.ts"
import { pageLimit } from "../values/Page.ts"
import { makeXlsxWriter, xlsxType } from "../values/Xlsx.ts"
import { candidateRange, comparisonLimits } from "./ComparisonLimits.ts"
import { Decisions, maxSelected, type Refusal, refusalText, type Selected } from "./Decisions.ts"
import {
  candidatesText,
  decisionQuestionPage,
  errorNotice,
  outcomeNotice,
  progressNotice,
  resendQuestionPage,
} from "./pages/SelectionPage.ts"
import { pageQuery, submissionListPage } from "./pages/SubmissionListPage.ts"
import { hashOf } from "./pages/SubmissionTable.ts"
import { csvColumns, csvHeader, csvLine } from "./SubmissionCsv.ts"

const href = "/submissions"

/** Rejections, and decisions about more submissions than this, need a confirmation page. */
const maxUnconfirmed = 20

/** Maximum number of sets in the filter; for other sets, the set's page links to its submissions. */
const maxSets = 40

/** The outcome of a form about selected submissions, without personal data. */
const Result = Schema.Struct({
  decision: Schema.NullOr(Decision),
  done: Schema.Array(Schema.Struct({ submission: SubmissionId, changes: Schema.Int })),
  refused: Schema.Array(Schema.Struct({ submission: SubmissionId, reason: Schema.String })),
})
type Result = typeof Result.Type

const kindOf = (name: "decide" | "undo" | "resend") => ({
  name: `submission.${name}`,
  answer: Result,
  kept: Duration.hours(1),
})
const kinds = { decided: kindOf("decide"), undone: kindOf("undo"), resent: kindOf("resend") }
type Kind = keyof typeof kinds
const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(kinds, text)

const doneText = (kind: Kind, { decision, done }: Result): string | null => {
  if (done.length === 0) return null
  const count = candidatesText(done.length)
  if (kind === "undone") return `The last decision about ${count} was undone.`
  if (kind === "resent")
    return `The invitation of ${count} is being sent again with the same link${done.length === 1 ? "" : "s"}.`
  return decision === null ? `The decision about ${count} was cleared.` : `${decidedNames[decision]}: ${count}.`
}

interface Shown {
  readonly selected?: ReadonlyArray<string>
  readonly reason?: string
  readonly errors?: FieldErrors
  readonly error?: string
}

type FileType = "csv" | "xlsx"

/** `rows`: below the header. */
const table = <E>(
  { request }: WorkspaceRequest,
  type: FileType,
  columns: ReturnType<typeof csvColumns>,
  rows: Stream.Stream<ReturnType<typeof csvLine>, E>,
) => {
  if (type === "csv") {
    const format = csvFormatFor(request.headers["accept-language"])
    const header = Stream.make(byteOrderMark + formatCsv([csvHeader(columns)], format))
    const lines = Stream.concat(
      header,
      Stream.map(rows, (row) => formatCsv([row], format)),
    )
    return download({ name: "submissions.csv", type: "text/csv; charset=utf-8", content: Stream.encodeText(lines) })
  }
  const content = Stream.suspend(() => {
    const writer = makeXlsxWriter()
    const written = Stream.map(Stream.concat(Stream.make(csvHeader(columns)), rows), (row) => writer.row(row))
    const file = Stream.concat(
      written,
      Stream.suspend(() => Stream.make(writer.end())),
    )
    // most rows wait in the compressor
    return Stream.filter(file, (bytes) => bytes.length > 0)
  })
  return download({ name: "submissions.xlsx", type: xlsxType, content })
}

const parseId = Schema.decodeUnknownOption(SubmissionId)

const parseSelected = (value: string): ReadonlyArray<Selected> => {
  const [, id, changes] = /^([0-9a-f-]{36}):(\d{1,9})$/.exec(value) ?? []
  const submission = Option.getOrUndefined(parseId(id))
  return submission === undefined ? [] : [{ submission, changes: Number(changes) }]
}

interface Selection {
  readonly form: Form
  readonly formId: FormId
  readonly list: string
  readonly values: ReadonlyArray<string>
  readonly selected: ReadonlyArray<Selected>
  /** The selected submissions that exist and that the member may see, in the order of the selection. */
  readonly submissions: ReadonlyArray<NamedSubmission>
}

/** Returns an error text; undefined if the number of selected rows is allowed. */
const errorOf = ({ selected }: Selection): string | undefined => {
  if (selected.length === 0) return "Select at least one row."
  return selected.length > maxSelected ? `Select at most ${maxSelected} rows.` : undefined
}

/** Names who decided after the list was opened. */
const refusalOf = (refusal: Refusal, submission: NamedSubmission | undefined): string => {
  if (refusal !== "changed" || submission === undefined) return refusalText[refusal]
  const { decided_by, decision } = submission.decision
  return `${decided_by?.name ?? "another member"} ${decision === null ? "cleared the decision" : `chose “${decisionNames[decision]}”`} after you opened the list`
}

const isDecision = Schema.is(Decision)

const notAllowed = "you have no access to it"

const resultOf = (
  results: ReadonlyArray<{ readonly submission: SubmissionId; readonly reason: string | undefined }>,
): Result => ({
  decision: null,
  done: results.flatMap(({ reason, submission }) => (reason === undefined ? [{ submission, changes: 0 }] : [])),
  refused: results.flatMap(({ reason, submission }) => (reason === undefined ? [] : [{ submission, reason }])),
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, page, post } = yield* makeWorkspace
    const formIdOf = yield* formIds

    const decisions = yield* Decisions
    const links = yield* EmailLinks
    const formSubmissions = yield* FormSubmissions
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const invitations = yield* Invitations
    const submissions = yield* Submissions

    /** The notice that a redirect's `done` and `form` name; null after an hour. */
    const noticeOf = Effect.fnUntraced(function* (
      { member, query }: WorkspaceRequest,
      list: string,
    ): Effect.fn.Return<Html | null> {
      const kind = query("done")
      if (!isKind(kind)) return null
      const form = query("form") ?? ""
      const sent = yield* formSubmissions.find(member, form, kinds[kind])
      if (sent === undefined) return null
      if (sent._tag === "Running")
        return progressNotice("Your last action is still running. Reload the page to see its result.")
      if (sent._tag === "Lost") return errorNotice("The result of your last action is unknown. Check the rows below.")
      const { done, refused } = sent.answer
      const refusedOnes = yield* submissions.among(
        member,
        refused.map(({ submission }) => submission),
      )
      return outcomeNotice({
        done: doneText(kind, sent.answer),
        refused: refused.map(({ reason, submission }) => ({
          submission: refusedOnes.find(({ id }) => id === submission),
          reason,
        })),
        undo: kind === "decided" && done.length > 0 ? { id: yield* ids.make(FormId), list, of: form } : null,
      })
    })

    /** `query`: of the address, or of the form's `list`. */
    const show = Effect.fnUntraced(function* (
      request: WorkspaceRequest,
      query: WorkspaceRequest["query"],
      { error, errors = {}, reason = "", selected = [] }: Shown = {},
    ) {
      const { member } = request
      const search = searchOf(query)
      const cursor = query("cursor")
      const after = cursor === undefined ? undefined : searchPosition(search.order, cursor)
      if (cursor !== undefined && after === undefined) return seeOther(href)
      const found = yield* submissions.search(member, search, { limit: pageLimit.default, after })
      const tag = `"${hashOf(found)}"`
      // table.js polls whether rows have changed
      if (request.request.headers["if-none-match"] === tag) return HttpServerResponse.empty({ status: 304 })
      const choices = (yield* interviewSets.choices(member))
        .slice(0, maxSets)
        .map(({ id, title }) => [id, title] as const)
      const { set } = search
      const chosen =
        set === undefined || choices.some(([id]) => id === set)
          ? []
          : [[set, (yield* interviewSets.read(member, set)).set.title.slice(0, 100)] as const]
      const list = queryText(pageQuery({ cursor, search }))
      const notice = error === undefined ? yield* noticeOf(request, list) : errorNotice(error)
      const view = {
        search,
        tag,
        cursor,
        sets: [...chosen, ...choices],
        formId: yield* ids.make(FormId),
        selected: new Set(selected.map((one) => one.split(":")[0] ?? "")),
        reason,
        errors,
        notice,
      }
      const response = page(submissionListPage(member, view, found), error === undefined ? {} : { status: 422 })
      return error === undefined ? HttpServerResponse.setHeader(response, "etag", tag) : response
    })

    const list = (request: WorkspaceRequest) => show(request, request.query)

    const exportAll = Effect.fnUntraced(function* (request: WorkspaceRequest, type: FileType) {
      const { member, query } = request
      const search = searchOf(query)
      const columns = csvColumns(
        search.set === undefined ? undefined : (yield* interviewSets.read(member, search.set)).set,
      )
      const rows = Stream.map(submissions.searchAll(member, search), (one) => csvLine(columns, links, one))
      return table(request, type, columns, rows)
    })

    const listQuery = (list: string): WorkspaceRequest["query"] => {
      const parameters = new URLSearchParams(list)
      return (name) => parameters.get(name) ?? undefined
    }

    const readSelection = Effect.fnUntraced(function* ({ member, request }: WorkspaceRequest) {
      const form = yield* readForm(request)
      const selected = form.flatMap(([name, value]) => (name === "selected" ? parseSelected(value) : []))
      const ids = selected.map(({ submission }) => submission)
      const found = yield* submissions.among(member, ids.slice(0, maxSelected))
      return {
        form,
        formId: yield* formIdOf(form),
        list: typed(form, "list"),
        values: selected.map(({ changes, submission }) => `${submission}:${changes}`),
        selected,
        submissions: ids.flatMap((id) => found.find((one) => one.id === id) ?? []),
      } satisfies Selection
    })

    /** Shows the list again, with the selection and the typed reason. */
    const refuse = (request: WorkspaceRequest, { form, list, values }: Selection, error: string) =>
      show(request, listQuery(list), { selected: values, reason: typed(form, "reason"), error })

    const toResult = (list: string, kind: Kind, form: FormId) => {
      const parameters = new URLSearchParams(list)
      parameters.set("done", kind)
      parameters.set("form", form)
      return seeOther(`${href}?${parameters}`)
    }

    /**
     * Performs a form once; returns the form's id. The list of the browser's history can be sent again with other rows: then it
     * is another form.
     */
    const performOnce = Effect.fnUntraced(function* <E, R>(
      { member }: WorkspaceRequest,
      { formId, selected }: Selection,
      kind: Kind,
      decision: Result["decision"],
      perform: (form: FormId) => Effect.Effect<boolean, E, R>,
    ) {
      if (yield* perform(formId)) return formId
      const sent = yield* formSubmissions.find(member, formId, kinds[kind])
      const answer = sent?._tag === "Answered" ? sent.answer : undefined
      const before = new Set([...(answer?.done ?? []), ...(answer?.refused ?? [])].map(({ submission }) => submission))
      const now = new Set(selected.map(({ submission }) => submission))
      const isSame = answer?.decision === decision && before.size === now.size && [...now].every((id) => before.has(id))
      // without an answer, it is still running
      if (isSame || (sent !== undefined && answer === undefined)) return formId
      const another = yield* ids.make(FormId)
      yield* perform(another)
      return another
    })

    const decide = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const selection = yield* readSelection(request)
      const { form, formId, list, selected, submissions, values } = selection
      const error = errorOf(selection)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const choice = valueOf(form, "decision")
      const decision = choice === "clear" ? null : isDecision(choice) ? choice : undefined
      const reason = linesOf(typed(form, "reason"))
      const ask = (errors: FieldErrors, status = 200) =>
        Effect.succeed(
          page(
            decisionQuestionPage(member, { decision, reason, errors, formId, list, selected: values }, submissions),
            {
              status,
            },
          ),
        )
      const isConfirmed = valueOf(form, "confirmed") !== undefined
      if (decision === undefined || (!isConfirmed && (decision === "reject" || selected.length > maxUnconfirmed)))
        return yield* ask({})
      const work = Effect.gen(function* () {
        const { decided, refused } = yield* decisions.decideAll(member, selected, { decision, reason })
        const changesOf = new Map(selected.map(({ changes, submission }) => [submission, changes]))
        return {
          decision,
          done: decided.map((submission) => ({ submission, changes: (changesOf.get(submission) ?? 0) + 1 })),
          refused: refused.map(({ refusal, submission }) => ({
            submission,
            reason: refusalOf(
              refusal,
              submissions.find(({ id }) => id === submission),
            ),
          })),
        }
      })
      return yield* performOnce(request, selection, "decided", decision, (form) =>
        formSubmissions.once(member, form, kinds.decided, work),
      ).pipe(
        Effect.map((form) => toResult(list, "decided", form)),
        Effect.catchTag("Invalid", ({ errors }) => ask(fieldErrors(errors, { reason: "The reason" }), 422)),
      )
    })

    const undo = Effect.fnUntraced(function* ({ member, request }: WorkspaceRequest) {
      const form = yield* readForm(request)
      const formId = yield* formIdOf(form)
      const list = typed(form, "list")
      const sent = yield* formSubmissions.find(member, valueOf(form, "of") ?? "", kinds.decided)
      if (sent?._tag !== "Answered") return seeOther(list === "" ? href : `${href}?${new URLSearchParams(list)}`)
      // in the order of the ids, so that two changes of the same submissions do not deadlock
      const done = sent.answer.done.toSorted((one, other) => (one.submission < other.submission ? -1 : 1))
      const work = Effect.gen(function* () {
        const results = yield* Effect.forEach(done, ({ changes, submission }) =>
          decisions.undo(member, submission, changes).pipe(
            Effect.as({ submission, reason: undefined }),
            Effect.catchTags({
              Conflict: ({ reason }) => Effect.succeed({ submission, reason }),
              NotAllowed: () => Effect.succeed({ submission, reason: notAllowed }),
              NotFound: () => Effect.succeed({ submission, reason: "it no longer exists" }),
            }),
          ),
        )
        return resultOf(results)
      })
      yield* formSubmissions.once(member, formId, kinds.undone, work)
      return toResult(list, "undone", formId)
    })

    const resend = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const selection = yield* readSelection(request)
      const error = errorOf(selection)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const { form: sent, formId, list, selected, submissions, values } = selection
      if (valueOf(sent, "confirmed") === undefined)
        return page(resendQuestionPage(member, { formId, list, selected: values }, submissions))
      const resendOne = (submission: SubmissionId) => {
        const invitation = submissions.find(({ id }) => id === submission)?.invitation
        if (invitation === undefined || invitation === null)
          return Effect.succeed({ submission, reason: "the candidate has no invitation" })
        return invitations.resend(member, invitation.id).pipe(
          Effect.as({ submission, reason: undefined }),
          Effect.catchTags({
            Conflict: ({ reason }) => Effect.succeed({ submission, reason }),
            NotAllowed: () => Effect.succeed({ submission, reason: notAllowed }),
            NotFound: () => Effect.succeed({ submission, reason: "the invitation no longer exists" }),
          }),
        )
      }
      // each in a transaction of its own: a resend locks the invitation and its set
      const work = Effect.map(
        Effect.forEach(new Set(selected.map(({ submission }) => submission)), resendOne),
        resultOf,
      )
      const form = yield* performOnce(request, selection, "resent", null, (form) =>
        formSubmissions.run(member, form, kinds.resent, work),
      )
      return toResult(list, "resent", form)
    })

    const exportSelected = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const selection = yield* readSelection(request)
      const error = errorOf(selection)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const [set, ...others] = new Set(selection.submissions.map(({ interview_set }) => interview_set.id))
      const isOne = set !== undefined && others.length === 0
      const columns = csvColumns(isOne ? (yield* interviewSets.read(request.member, set)).set : undefined)
      const rows = selection.submissions.map((one) => csvLine(columns, links, one))
      const type = valueOf(selection.form, "type") === "xlsx" ? "xlsx" : "csv"
      return table(request, type, columns, Stream.fromIterable(rows))
    })

    const compare = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const selection = yield* readSelection(request)
      const { submissions } = selection
      const sets = new Set(submissions.map(({ interview_set }) => interview_set.id))
      if (submissions.length < 2 || submissions.length > comparisonLimits.candidates || sets.size > 1)
        return yield* refuse(
          request,
          selection,
          `To compare, select ${candidateRange} candidates of one interview set.`,
        )
      return seeOther(`${href}/compare?ids=${submissions.map(({ id }) => id).join(",")}`)
    })

    yield* router.add("GET", href, get(list))
    yield* router.add(
      "GET",
      `${href}.csv`,
      get((request) => exportAll(request, "csv")),
    )
    yield* router.add(
      "GET",
      `${href}.xlsx`,
      get((request) => exportAll(request, "xlsx")),
    )
    yield* router.add("POST", `${href}/compare`, post(compare))
    const forms = { decide, undo, resend, export: exportSelected }
    for (const [name, submit] of Object.entries(forms)) {
      yield* router.add("POST", `${href}/${name}`, post(submit))
      // the browser reloads the response to a form
      yield* router.add(
        "GET",
        `${href}/${name}`,
        get(() => Effect.succeed(seeOther(href))),
      )
    }
  }),
).pipe(Layer.provide(Ids.layer))
