/** The list of submissions, at /submissions and /submissions.csv. */

import { Effect, Stream } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { hiringSystemFields } from "../candidates/Candidate.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { isByKeywords } from "../evaluations/Evaluation.ts"
import { download } from "../files/Download.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { wordIn } from "../platform/http/PageParts.ts"
import { type pages, seeOther } from "../platform/http/Pages.ts"
import { methods } from "../platform/UseCases.ts"
import { scoreNames, statusName } from "../submissions/pages/SubmissionLabels.ts"
import { searchOf } from "../submissions/SubmissionSearch.ts"
import { type NamedSubmission, Submissions, searchPosition } from "../submissions/Submissions.ts"
import { byteOrderMark, formatCsv } from "../values/Csv.ts"
import { pageLimit } from "../values/Page.ts"
import { submissionListPage } from "./pages/SubmissionListPage.ts"

type RenderPage = ReturnType<typeof pages>

const columns = [
  "Candidate",
  "E-mail",
  ...hiringSystemFields.map(({ label }) => label),
  "Interview set",
  "State",
  "Score",
  "Own score",
  "Score state",
  "Invited (UTC)",
  "Started (UTC)",
  "Submitted (UTC)",
  "Address",
  "Score type",
]

const momentOf = (at: string | null): string | null => (at === null ? null : at.slice(0, 19).replace("T", " "))

const lineOf = (links: EmailLinks["Service"], one: NamedSubmission): ReadonlyArray<string | number | null> => [
  one.candidate.name,
  one.candidate.email,
  ...hiringSystemFields.map(({ of }) => of(one.candidate)),
  one.interview_set.title,
  statusName(one.status_text, one.declined_at, one.invitation?.status ?? null),
  one.score,
  one.override_score,
  wordIn(scoreNames, one.score_status),
  momentOf(one.created_at),
  momentOf(one.started_at),
  momentOf(one.completed_at),
  links.submission(one.id),
  one.score === null ? null : one.evaluators.some(isByKeywords) ? "keyword match" : "score",
]

const list = Effect.fnUntraced(function* (page: RenderPage, request: WorkspaceRequest) {
  const { member, query } = request
  const sets = yield* InterviewSets
  const search = searchOf(request.query)
  const cursor = query("cursor")
  const after = cursor === undefined ? undefined : searchPosition(search.order, cursor)
  if (cursor !== undefined && after === undefined) return seeOther("/submissions")
  const choices = (yield* sets.choices(member)).map(({ id, title }) => [id, title] as const)
  const { set } = search
  const chosen =
    set === undefined || choices.some(([id]) => id === set)
      ? []
      : [[set, (yield* sets.read(member, set)).set.title.slice(0, 100)] as const]
  const found = yield* (yield* Submissions).search(member, search, { limit: pageLimit.default, after })
  const view = { text: search.text, search, sets: [...chosen, ...choices], isFirst: after === undefined }
  return page(submissionListPage(member, view, found))
})

const exportCsv = Effect.fnUntraced(function* (request: WorkspaceRequest) {
  const links = yield* EmailLinks
  const sets = yield* InterviewSets
  const submissions = yield* Submissions
  const search = searchOf(request.query)
  if (search.set !== undefined) yield* sets.read(request.member, search.set)
  const lines = Stream.map(submissions.searchAll(request.member, search), (one) => formatCsv([lineOf(links, one)]))
  const content = Stream.concat(Stream.make(byteOrderMark + formatCsv([columns])), lines)
  return download({ name: "submissions.csv", type: "text/csv; charset=utf-8", content: Stream.encodeText(content) })
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, page } = yield* makeWorkspace
    const pages = yield* methods([EmailLinks, InterviewSets, Submissions], { list, exportCsv })
    yield* router.add(
      "GET",
      "/submissions",
      get((request) => pages.list(page, request)),
    )
    yield* router.add("GET", "/submissions.csv", get(pages.exportCsv))
  }),
)
