/** The workspace's list of submissions. GET /submissions, /submissions.csv */
import { Effect, Option, Schema, Stream } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { ScoreStatus } from "../evaluations/Score.ts"
import { download } from "../files/Download.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { wordsOf } from "../platform/database/WordSearch.ts"
import { wordIn } from "../platform/http/PageParts.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { scoreNames, statusName } from "../submissions/pages/SubmissionLabels.ts"
import { SubmissionStatus } from "../submissions/Submission.ts"
import type { SubmissionSearch } from "../submissions/SubmissionRepository.ts"
import { type NamedSubmission, Submissions, searchPosition } from "../submissions/Submissions.ts"
import { byteOrderMark, formatCsv } from "../values/Csv.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { pageLimit } from "../values/Page.ts"
import { submissionListPage } from "./pages/SubmissionListPage.ts"

const readSet = Schema.decodeUnknownOption(InterviewSetId)
const isStatus = Schema.is(SubmissionStatus)
const isScore = Schema.is(ScoreStatus)

/** The words of a search, as they were typed. */
const textOf = ({ query }: WorkspaceRequest): string => (query("q") ?? "").slice(0, 200).trim().toWellFormed()

/** What a query asks for; what is none of it does not matter. */
const searchOf = (visit: WorkspaceRequest): SubmissionSearch => {
  const { query } = visit
  const status = query("status")
  const score = query("score")
  const order = query("order")
  return {
    words: wordsOf(textOf(visit)),
    set: Option.getOrUndefined(readSet(query("set"))),
    status: isStatus(status) ? status : undefined,
    score: isScore(score) ? score : undefined,
    order: order === "best" || order === "weakest" ? order : "newest",
  }
}

const columns = [
  "Candidate",
  "E-mail",
  "Id in the hiring system",
  "Interview set",
  "State",
  "Score",
  "Own score",
  "Score state",
  "Invited (UTC)",
  "Started (UTC)",
  "Submitted (UTC)",
  "Address",
]

/** A moment as spreadsheets read it. */
const momentOf = (at: string | null): string | null => (at === null ? null : at.slice(0, 19).replace("T", " "))

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const links = yield* EmailLinks
    const submissions = yield* Submissions
    const sets = yield* InterviewSets
    const { get, page } = yield* makeWorkspace

    const lineOf = (one: NamedSubmission): ReadonlyArray<string | number | null> => [
      one.candidate.name,
      one.candidate.email,
      one.candidate.ats_candidate_id,
      one.interview_set.title,
      statusName(one.status_text, one.declined_at, one.invitation_status),
      one.score,
      one.override_score,
      wordIn(scoreNames, one.score_status),
      momentOf(one.created_at),
      momentOf(one.started_at),
      momentOf(one.completed_at),
      links.submission(one.id),
    ]

    yield* router.add(
      "GET",
      "/submissions",
      get((visit) =>
        Effect.gen(function* () {
          const { member, query } = visit
          const search = searchOf(visit)
          const cursor = query("cursor")
          const after = cursor === undefined ? undefined : searchPosition(search.order, cursor)
          if (cursor !== undefined && after === undefined) return seeOther("/submissions")
          const choices = (yield* sets.choices(member)).map(({ id, title }) => [id, title] as const)
          const { set } = search
          const chosen =
            set === undefined || choices.some(([id]) => id === set)
              ? []
              : [[set, (yield* sets.read(member, set)).set.title.slice(0, 100)] as const]
          const found = yield* submissions.search(member, search, { limit: pageLimit.default, after })
          const view = { text: textOf(visit), search, sets: [...chosen, ...choices], isFirst: after === undefined }
          return page(submissionListPage(member, view, found))
        }),
      ),
    )

    yield* router.add(
      "GET",
      "/submissions.csv",
      get((visit) =>
        Effect.gen(function* () {
          const search = searchOf(visit)
          if (search.set !== undefined) yield* sets.read(visit.member, search.set)
          const lines = Stream.map(submissions.searchAll(visit.member, search), (one) => formatCsv([lineOf(one)]))
          const content = Stream.concat(Stream.make(byteOrderMark + formatCsv([columns])), lines)
          return download({
            name: "submissions.csv",
            type: "text/csv; charset=utf-8",
            content: Stream.encodeText(content),
          })
        }),
      ),
    )
  }),
)
