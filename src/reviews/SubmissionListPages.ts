/** The list of submissions, at /submissions, /submissions.csv and /submissions.xlsx. */
import { Effect, Layer, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { cut } from "../accounts/pages/WorkspacePage.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { type TableType, tableDownload } from "../files/TableDownload.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { letterDecisions } from "../invitations/FollowUp.ts"
import { shortHashOf } from "../platform/crypto/ShortHash.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { FormIdempotency } from "../platform/http/FormIdempotency.ts"
import type { Html } from "../platform/http/Html.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { listHref, queryText, searchOf, visibleSearch } from "../submissions/SubmissionSearch.ts"
import { Submissions, searchPosition } from "../submissions/Submissions.ts"
import { pageLimit } from "../values/Cursor.ts"
import { FormId, parseId, TagId } from "../values/Ids.ts"
import { maxSelected } from "./Decisions.ts"
import { HiringStages } from "./HiringStages.ts"
import { type TypedView, viewNotice } from "./pages/SavedViewParts.ts"
import { errorNotice, outcomeNotice, progressNotice } from "./pages/SelectionPage.ts"
import { pageQuery, submissionListPage, viewsOf } from "./pages/SubmissionListPage.ts"
import { SavedViews } from "./SavedViews.ts"
import { doneText, isKind, kinds } from "./SelectionOutcome.ts"
import { csvColumns, csvHeader, csvLine } from "./SubmissionCsv.ts"
import { Tags } from "./Tags.ts"

export const href = "/submissions"

/** Maximum number of sets in the filter, less one for each stage there; for other sets, the set's page links to its submissions. */
const maxSets = 20

/** Characters of a name that no tag has. */
const maxTagShown = 60

interface Shown {
  readonly selected?: ReadonlyArray<string>
  readonly reason?: string
  readonly errors?: FieldErrors
  readonly error?: string
  /** The form of a view that was refused. */
  readonly view?: TypedView
  /** The name in the filter that no tag has. */
  readonly tag?: string
}

/** Reads a form's `list`, the query string of the list. */
export const queryOfList = (list: string): WorkspaceRequest["query"] => {
  const parameters = new URLSearchParams(list)
  return (name) => parameters.get(name) ?? undefined
}

/** `rows`: below the header. */
export const table = <E>(
  { http }: WorkspaceRequest,
  type: TableType,
  columns: ReturnType<typeof csvColumns>,
  rows: Stream.Stream<ReturnType<typeof csvLine>, E>,
) =>
  tableDownload({
    name: "submissions",
    type,
    languages: http.headers["accept-language"],
    header: csvHeader(columns),
    rows,
  })

export const makeShowList = Effect.gen(function* () {
  const assets = yield* Assets
  const formIdempotency = yield* FormIdempotency
  const hiringStages = yield* HiringStages
  const ids = yield* Ids
  const interviewSets = yield* InterviewSets
  const savedViews = yield* SavedViews
  const submissions = yield* Submissions
  const tags = yield* Tags
  const page = pages(assets.href)

  /** The notice that a redirect's `done` and `form` name; null after an hour. */
  const noticeOf = Effect.fnUntraced(function* (
    { member, query }: WorkspaceRequest,
    list: string,
  ): Effect.fn.Return<Html | null> {
    const kind = query("done")
    if (!isKind(kind)) return null
    const form = query("form") ?? ""
    const sent = yield* formIdempotency.find(member, form, kinds[kind])
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
      undo:
        (kind === "decided" || kind === "written") && done.length > 0
          ? { id: yield* ids.make(FormId), list, of: form }
          : null,
      offersLetter:
        kind === "decided" &&
        letterDecisions.some((one) => one === sent.answer.decision) &&
        sent.answer.letters === undefined &&
        done.length <= maxSelected,
    })
  })

  /** `query`: of the address, or of the form's `list`. */
  return Effect.fnUntraced(function* (
    request: WorkspaceRequest,
    query: WorkspaceRequest["query"],
    { error, errors = {}, reason = "", selected = [], tag: typedTag, view: typedView }: Shown = {},
  ) {
    const { member } = request
    const search = visibleSearch(member, searchOf(query))
    const cursor = query("cursor")
    const after = cursor === undefined ? undefined : searchPosition(search.order, cursor)
    if (cursor !== undefined && after === undefined) return seeOther(href)
    const found = yield* submissions.searchPage(member, search, { limit: pageLimit.default, after })
    const tag = `"${shortHashOf(found)}"`
    // table.js polls whether rows have changed
    if (request.http.headers["if-none-match"] === tag) return HttpServerResponse.empty({ status: 304 })
    const stages = yield* hiringStages.list(member)
    const all = yield* interviewSets.choices(member)
    const choices = all.slice(0, Math.max(0, maxSets - stages.length)).map(({ id, title }) => [id, title] as const)
    const set =
      search.set === undefined
        ? undefined
        : (all.find(({ id }) => id === search.set) ?? (yield* interviewSets.read(member, search.set)).set)
    const allTags = yield* tags.list(member)
    const tagName = typedTag ?? allTags.find(({ id }) => id === search.tag)?.name ?? ""
    const chosen =
      set === undefined || choices.some(([id]) => id === set.id) ? [] : [[set.id, set.title.slice(0, 100)] as const]
    const counted = viewsOf(search).map(([, one]) => one)
    const counts = yield* submissions.counts(member, search.text === "" ? [...counted, search] : counted)
    const list = queryText(pageQuery({ cursor, search }))
    const saved = yield* savedViews.list(member)
    const notice =
      error === undefined
        ? ((yield* noticeOf(request, list)) ?? viewNotice(request.query("view"), search, saved))
        : errorNotice(error)
    const view = {
      search,
      tag,
      cursor,
      set,
      sets: [...chosen, ...choices],
      stages,
      tags: allTags,
      tagName,
      counts,
      saved,
      columns: yield* savedViews.columns(member),
      typedView,
      total: counts[counted.length],
      formId: yield* ids.make(FormId),
      selected: new Set(selected.map((one) => one.split(":")[0] ?? "")),
      reason,
      errors,
      notice,
    }
    const response = page(submissionListPage(member, view, found), error === undefined ? {} : { status: 422 })
    return error === undefined ? HttpServerResponse.setHeader(response, "etag", tag) : response
  })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get } = yield* makeWorkspace
    const emailLinks = yield* EmailLinks
    const interviewSets = yield* InterviewSets
    const show = yield* makeShowList
    const submissions = yield* Submissions
    const tags = yield* Tags

    /** The filter sends the name of a tag; the address has its id. */
    const list = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, query } = request
      const name = (query("tag") ?? "").trim().toWellFormed()
      if (name === "" || parseId(TagId, name) !== undefined) return yield* show(request, query)
      const tag = yield* tags.named(member, name)
      return tag === undefined
        ? yield* show(request, query, { tag: name, error: `There is no tag “${cut(name, maxTagShown)}”.` })
        : seeOther(listHref({ ...searchOf(query), tag: tag.id }))
    })

    const exportAll = Effect.fnUntraced(function* (request: WorkspaceRequest, type: TableType) {
      const { member, query } = request
      const search = searchOf(query)
      const columns = csvColumns(
        search.set === undefined ? undefined : (yield* interviewSets.read(member, search.set)).set,
      )
      const rows = Stream.map(submissions.searchAll(member, search), (one) => csvLine(columns, emailLinks, one))
      return table(request, type, columns, rows)
    })

    yield* get(href, list)
    yield* get(`${href}.csv`, (request) => exportAll(request, "csv"))
    yield* get(`${href}.xlsx`, (request) => exportAll(request, "xlsx"))
  }),
)
