/** SQL of the list of submissions: filters, orders and words. Measured with `npm run bench lists`. */

import { Context, Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Reader } from "../accounts/Viewer.ts"
import { type CandidateNames, candidateOf } from "../candidates/CandidateSql.ts"
import type { ScoreStatus } from "../evaluations/Score.ts"
import { usedResult } from "../evaluations/UsedResultSql.ts"
import { isReadable, setOf, setsOfRecruiter } from "../interview-sets/InterviewSetSql.ts"
import { first } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { Sql } from "../platform/database/Sql.ts"
import { hasWords, isNamed, wordsOf } from "../platform/database/WordSearch.ts"
import type { Position } from "../values/Cursor.ts"
import type { InterviewSetId, InvitationId, MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { SubmissionDecision } from "./Decision.ts"
import { type HiringStageRef, isBoardColumn } from "./HiringStage.ts"
import type { InvitationStatus } from "./InvitationStatus.ts"
import { milestoneNumber, type SubmissionStatus } from "./Submission.ts"
import {
  type OrderBy,
  orders,
  type ReachedMilestone,
  type SubmissionOrder,
  type SubmissionSearch,
} from "./SubmissionSearch.ts"
import {
  decisionOf,
  isBeingEvaluated,
  isQueued,
  leadingFirst,
  newestInvitation,
  rejectingStages,
  reviewAuthor,
  stageOf,
  tagsOf,
  waitsForNotice,
  within,
} from "./SubmissionSql.ts"
import type { TagRef } from "./Tag.ts"

/** `position.at`: the value of the order's column. */
export interface SubmissionLine {
  readonly id: SubmissionId
  readonly status_text: SubmissionStatus
  readonly is_being_evaluated: boolean
  /** The evaluation waits for the days of the candidate's notice. */
  readonly waits_for_notice: boolean
  /** Only the CV is evaluated, and it could not be fetched or read. */
  readonly is_cv_unreadable: boolean
  readonly has_knock_out: boolean
  readonly interview_set: { readonly id: InterviewSetId; readonly title: string }
  readonly candidate: CandidateNames
  /** Its personal data. */
  readonly is_erased: boolean
  readonly score: number | null
  readonly override_score: number | null
  readonly score_status: ScoreStatus
  /** Codes of the warnings of the evaluation that gives the score. */
  readonly warnings: ReadonlyArray<string>
  /** Evaluators of the newest evaluation of each type. */
  readonly evaluators: ReadonlyArray<string>
  /** Score of each requirement in the evaluation that gives the score, in the order of the set; null: not rated. */
  readonly requirement_scores: ReadonlyArray<{ readonly score: number | null; readonly cfg_importance_id: number }>
  readonly created_at: string
  readonly started_at: string | null
  readonly completed_at: string | null
  readonly declined_at: string | null
  /** The candidate's last act, or the invitation. */
  readonly active_at: string
  /** The newest invitation; null: there is none. */
  readonly invitation: {
    readonly id: InvitationId
    readonly status: InvitationStatus
    readonly failure_reason: string | null
  } | null
  readonly decision: SubmissionDecision
  /** Decision forms send it back, which detects concurrent changes (Decisions.ts). */
  readonly decision_changes: number
  readonly stage: HiringStageRef | null
  /** Moves send it back (reviews/StageMoves.ts). */
  readonly stage_changes: number
  readonly tags: ReadonlyArray<TagRef>
  /** The member who searches has sent a review. */
  readonly is_reviewed_by_me: boolean
  /** Members who sent a review, in the order of sending. */
  readonly reviewers: ReadonlyArray<string>
  readonly position: Position
}

/** `limit`: only submissions of sets that it reads; none for a reviewer. `member`: the member that "by me" refers to. */
export interface SubmissionReader {
  readonly limit: Reader | undefined
  readonly member: MemberId | undefined
}

/** Numbers of rows by which the search chooses a plan; tests make them small. */
export const SearchWindows = Context.Reference("interview-invitations/submissions/SubmissionSearchSql/SearchWindows", {
  defaultValue: () => ({
    /** Rows tested for words before the indexes are used. */
    searched: 200,
    /** Rows that are tested one by one before another plan is chosen, and the number of matches that counts as many. */
    rows: 1000,
    /** Like `rows`, for candidates; larger, because few of them may have a submission that the reader may see. */
    candidates: 3000,
    /** How many times as many rows are tested where the first ones have some that match, but too few. */
    wider: 10,
    /** Like `rows`, for the rows of rare filters, whose words are tested one by one. */
    filtered: 3000,
    /** The number of candidates above which a name is common: submissions are then tested in their order. */
    names: 3000,
    /** Rows that an export reads at a time. */
    exported: 500,
  }),
})

/** The candidate's last act, or the invitation, as in the indexes. */
export const activeAt = (x: string): string =>
  `last_active(${x}.created_at, ${x}.initiated_at, ${x}.started_at, ${x}.completed_at, ${x}.declined_at)`

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

interface OrderSql {
  /** Its column: of submission `b`, candidate `c` or score `k`. */
  readonly key: string
  /** SQL that writes `key` as text without loss, for cursors. */
  readonly place: string
  /** SQL before and after a `place` that converts it back to the key. */
  readonly keyFrom: readonly [before: string, after: string]
  /** Condition of the rows that the order lists, as in its partial index. */
  readonly listed: string
}

const byTime = (key: string, listed = `${key} is not null`): OrderSql => ({
  key,
  place: utc(key),
  keyFrom: ["", "::timestamptz"],
  listed,
})

const byNumber = (key: string, type: "int" | "numeric", listed = `${key} is not null`): OrderSql => ({
  key,
  place: `${key}::text`,
  keyFrom: ["", `::${type}`],
  listed,
})

/** By a function of the scores and their warnings, as in the indexes. */
const byScore = (rank: "best_rank" | "weakest_rank"): OrderSql =>
  byNumber(
    `${rank}(k.override_score, k.score, k.has_warnings)`,
    "numeric",
    "coalesce(k.override_score, k.score) is not null",
  )

const ordersSql: Readonly<Record<OrderBy, OrderSql>> = {
  active: byTime(activeAt("b"), "true"),
  created: byTime("b.created_at", "true"),
  submitted: byTime("b.completed_at"),
  best: byScore("best_rank"),
  weakest: byScore("weakest_rank"),
  decided: byTime("b.decided_at", "b.decision is not null"),
  candidate: {
    key: "c.ordered_as",
    place: "convert_to(c.ordered_as, 'UTF8')::text",
    keyFrom: ["convert_from(", "::bytea, 'UTF8')"],
    listed: "true",
  },
  status: byNumber("status_order(b.status)", "int"),
  met: byNumber("k.met", "int"),
  reviewed: byTime("b.reviewed_at"),
}

/** SQL for whether a submission has reached the milestone, as the funnel counts it (Funnel.ts). */
const hasReached: Readonly<Record<ReachedMilestone, (submission: string) => string>> = {
  opened: (x) => `${x}.candidate_milestone >= ${milestoneNumber("opened")}`,
  started: (x) => `${x}.candidate_milestone >= ${milestoneNumber("started")}`,
  submitted: (x) => `${x}.candidate_milestone >= ${milestoneNumber("submitted")}`,
  reviewed: (x) => `${x}.reviewed_at is not null`,
  decided: (x) => `${x}.decision is not null`,
}

/** The tables that are read in an order, by the alias of the table that has its index. */
const tables = {
  b: "submission b",
  c: "candidate c join submission b on b.candidate_id = c.id",
  k: "submission_score k join submission b on b.id = k.submission_id",
} as const

/** A condition on a submission. */
interface Filter {
  /** True or false for one row. */
  readonly test: (submission: string) => Statement.Fragment
  /** Selects the ids that match, with an index; undefined: few rows fail the test. */
  readonly ids?: Statement.Fragment
  /** The order of the index of `ids`; without it the planner may count them in the table. */
  readonly idsInOrder?: Statement.Fragment
  /** Whether `ids` reads another table than submission. */
  readonly isOtherTable?: boolean
}

export interface SearchPage {
  readonly limit: number
  readonly after: Position | undefined
  /** From the last to the first. */
  readonly isBackward?: boolean
}

export const submissionSearch = (sql: Sql) => {
  const raw = sql.literal
  const isReviewedBy = (submission: string, member: MemberId | undefined) =>
    sql`(select count(*) > 0 from review v where v.submission_id = ${raw(submission)}.id
      and v.member_id = ${member ?? null}::uuid and v.sent_at is not null)`

  /** Columns of SubmissionLine; `b` is the submission, `k` its score. */
  const rowColumnsOf = (reader: SubmissionReader) => sql`
    b.id, b.status as status_text, ${raw(isBeingEvaluated("b"))} as is_being_evaluated,
    ${raw(waitsForNotice("b"))} as waits_for_notice, b.is_cv_unreadable, b.has_knock_out, ${setOf(sql)}, ${candidateOf(sql)},
    c.erased_at is not null as is_erased, k.score::float8 as score, k.override_score::float8 as override_score,
    coalesce(k.score_status, 'not_scored') as score_status,
    case when k.has_warnings then (
      select jsonb_path_query_array(e.result, '$.warnings[*].code') from evaluation e
      where e.submission_id = b.id and e.state = 'done'
      order by ${leadingFirst(sql)} limit 1
    ) else '[]' end as warnings,
    array(select n.evaluator from (
      select distinct on (e.evaluation_type) e.evaluator from evaluation e
      where e.submission_id = b.id and e.state = 'done'
      order by e.evaluation_type, e.created_at desc, e.id desc
    ) n where n.evaluator is not null) as evaluators,
    coalesce((
      select (
        select jsonb_agg(jsonb_build_object('score', c.one -> 'score', 'cfg_importance_id', c.one -> 'cfg_importance_id') order by c.number)
        from jsonb_array_elements(${usedResult(sql)} -> 'criteria') with ordinality c(one, number)
      ) from evaluation e
      where e.submission_id = b.id and e.state = 'done'
      order by ${leadingFirst(sql)} limit 1
    ), '[]') as requirement_scores,
    ${iso(sql, "b.created_at")} as created_at, ${iso(sql, "b.started_at")} as started_at,
    ${iso(sql, "b.completed_at")} as completed_at, ${iso(sql, "b.declined_at")} as declined_at, ${iso(sql, activeAt("b"))} as active_at,
    ${decisionOf(sql)} as decision, b.decision_changes, ${stageOf(sql)}, b.stage_changes, ${tagsOf(sql)},
    ${isReviewedBy("b", reader.member)} as is_reviewed_by_me,
    array(select ${raw(reviewAuthor)} from review v
      where v.submission_id = b.id and v.sent_at is not null order by v.sent_at) as reviewers,
    ${raw(newestInvitation("b", "jsonb_build_object('id', i.id, 'status', i.status, 'failure_reason', i.failure_reason)"))} as invitation`
  const joined = raw(`join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
    left join submission_score k on k.submission_id = b.id`)

  const filtersOf = (
    organization: OrganizationId,
    {
      decision,
      invitation,
      knockOut,
      reached,
      reviewed,
      score,
      set,
      stage,
      state,
      tag,
    }: Omit<SubmissionSearch, "order" | "text">,
    reader: SubmissionReader,
  ): ReadonlyArray<Filter> => {
    const stored = (condition: Statement.Fragment) =>
      sql`select x.id from submission x where ${within(sql, "x", organization, set)} and ${condition}`
    const onSubmission = (condition: (submission: string) => string): Filter => ({
      test: (submission) => raw(condition(submission)),
      ids: stored(raw(condition("x"))),
      idsInOrder: raw(`order by ${activeAt("x")} desc`),
    })
    /** With the reader's sets, or else a recruiter's search reads all failed invitations of the organization. */
    const invited = (status: InvitationStatus) => sql`select i.submission_id from invitation i
      where ${within(sql, "i", organization, set)} and i.status = ${raw(`'${status}'`)}
        and ${isReadable(sql, organization, reader.limit, "i.interview_set_id")}`
    const queued = sql`select e.submission_id from evaluation e
      where e.organization_id = ${organization}::int and e.state = 'queued'`
    const stateFilters = (): ReadonlyArray<Filter> => {
      switch (state) {
        case undefined:
          return []
        case "waiting":
          return [onSubmission((x) => `${x}.milestone = ${milestoneNumber("submitted")}`)]
        case "being_evaluated":
          return [
            {
              test: (x) => raw(`${isBeingEvaluated(x)} and not ${waitsForNotice(x)}`),
              ids: queued,
              isOtherTable: true,
            },
          ]
        case "evaluation_waits":
          return [{ test: (x) => raw(waitsForNotice(x)), ids: queued, isOtherTable: true }]
        case "invitation_failed":
          return [
            {
              test: (x) => raw(`${x}.status = 'need_interview' and ${newestInvitation(x, "i.status")} = 'failed'`),
              ids: invited("failed"),
              isOtherTable: true,
            },
          ]
        case "declined":
          return [onSubmission((x) => `${x}.status = 'withdrawn' and ${x}.declined_at is not null`)]
        case "withdrawn":
          return [onSubmission((x) => `${x}.status = 'withdrawn' and ${x}.declined_at is null`)]
        case "completed":
          return [onSubmission((x) => `${x}.status = 'completed'`), { test: (x) => raw(`not ${isQueued(x)}`) }]
        case "cv_unreadable":
          return [onSubmission((x) => `${x}.is_cv_unreadable`)]
        case "evaluated":
          return [onSubmission((x) => `${x}.status = 'evaluated'`), { test: (x) => raw(`not ${x}.is_cv_unreadable`) }]
        case "need_interview":
          return [
            onSubmission((x) => `${x}.status = 'need_interview'`),
            { test: (x) => raw(`${newestInvitation(x, "i.status")} is distinct from 'failed'`) },
          ]
        default:
          return [onSubmission((x) => `${x}.status = '${state}'`)]
      }
    }
    const stageFilter = (): ReadonlyArray<Filter> => {
      if (stage === undefined) return []
      const isIn = (x: string) => {
        const isRejecting = sql`${raw(x)}.stage_id = any(array(${rejectingStages(sql, organization)}))`
        if (!isBoardColumn(stage))
          return sql`(${raw(x)}.stage_id = ${stage}::uuid
            and (${raw(x)}.decision is distinct from 'reject' or ${isRejecting}))`
        const isWithout = sql`(${raw(x)}.stage_id is null and board_column(${raw(x)}.status, ${raw(x)}.decision) = ${raw(`'${stage}'`)})`
        return stage === "ended"
          ? sql`(${isWithout} or (${raw(x)}.stage_id is not null and ${raw(x)}.decision = 'reject' and not ${isRejecting}))`
          : isWithout
      }
      return [{ test: isIn, ids: stored(isIn("x")), idsInOrder: raw(`order by ${activeAt("x")} desc`) }]
    }
    return [
      ...stateFilters(),
      ...stageFilter(),
      ...(tag === undefined
        ? []
        : [
            {
              // with `exists` the planner may read all rows of the tag
              test: (x: string) =>
                sql`(select count(*) > 0 from submission_tag t where t.submission_id = ${raw(x)}.id and t.tag_id = ${tag}::uuid)`,
              ids: sql`select t.submission_id from submission_tag t
                where t.organization_id = ${organization}::int and t.tag_id = ${tag}::uuid`,
            },
          ]),
      ...(knockOut === "yes" ? [onSubmission((x) => `${x}.has_knock_out`)] : []),
      ...(knockOut === "no" ? [{ test: (x: string) => raw(`not ${x}.has_knock_out`) }] : []),
      ...(decision === undefined
        ? []
        : [
            onSubmission((x) => (decision === "undecided" ? `${x}.decision is null` : `${x}.decision = '${decision}'`)),
          ]),
      ...(reached === undefined ? [] : [onSubmission((x) => `${x}.flow = 'interview' and ${hasReached[reached](x)}`)]),
      ...(reviewed === "by_me"
        ? [
            {
              test: (x: string) => isReviewedBy(x, reader.member),
              ids: sql`select v.submission_id from review v
                where v.member_id = ${reader.member ?? null}::uuid and v.sent_at is not null`,
              isOtherTable: true,
            },
          ]
        : []),
      ...(reviewed === "not_by_me" ? [{ test: (x: string) => sql`not ${isReviewedBy(x, reader.member)}` }] : []),
      ...(invitation === undefined
        ? []
        : [
            {
              test: (x: string) => raw(`${newestInvitation(x, "i.status")} = '${invitation}'`),
              ids: invited(invitation),
              isOtherTable: true,
            },
          ]),
      ...(score === undefined
        ? []
        : [
            {
              // with `not exists` the planner reads all scores
              test: (x: string) =>
                sql`coalesce((select k.score_status from submission_score k where k.submission_id = ${raw(x)}.id), 'not_scored')
                  = ${score}`,
              ...(score === "not_scored"
                ? {}
                : {
                    ids: sql`select k.submission_id from submission_score k
                      where k.organization_id = ${organization}::int and k.score_status = ${score}`,
                    isOtherTable: true,
                  }),
            },
          ]),
    ]
  }

  /** `columns` of submission `b`, its set `s`, candidate `c` and score `k`. Returns `limit` + 1 rows when there are more. */
  const searchFor = Effect.fnUntraced(function* <Row extends object>(
    columns: Statement.Fragment,
    organization: OrganizationId,
    wanted: SubmissionSearch,
    reader: SubmissionReader,
    { after, isBackward = false, limit }: SearchPage,
  ) {
    const windows = yield* SearchWindows
    const { invitation, order, reached, reviewed, score, set, state, text } = wanted
    const words = wordsOf(text)
    if (words === undefined) return []
    const { by } = orders[order]
    const isDescending = orders[order].isDescending !== isBackward
    const isByScore = by === "best" || by === "weakest"
    if (isByScore && score !== undefined && score !== "scored") return []
    const isOfScores = isByScore || by === "met"
    const ordered = isOfScores ? "k" : by === "candidate" ? "c" : "b"
    // the table with the columns of the organization and the set
    const alias = isOfScores ? "k" : "b"
    const id = isOfScores ? "k.submission_id" : "b.id"
    const { key, keyFrom, listed, place } = ordersSql[by]
    const direction = isDescending ? "desc" : "asc"
    const inOrder = raw(`order by ${key} ${direction}, ${id} ${direction}`)

    const filters = filtersOf(organization, isOfScores ? { ...wanted, score: undefined } : wanted, reader)
    const sign = raw(isDescending ? "<" : ">")
    const lastKey = after && sql`${raw(keyFrom[0])}${after.at}${raw(keyFrom[1])}`
    const behind = lastKey ? sql`(${raw(`${key}, ${id}`)}) ${sign} (${lastKey}, ${after.id}::uuid)` : sql`true`
    // without the row comparison, because its columns are in two tables
    const amongCandidates = sql`c.organization_id = ${organization}::int
      and ${lastKey ? sql`${raw(key)} ${sign}= ${lastKey}` : sql`true`}`
    const among = sql`${within(sql, alias, organization, set)} and ${raw(listed)} and ${behind}
      and ${ordered === "c" ? amongCandidates : sql`true`}
      and ${isReadable(sql, organization, reader.limit, `${alias}.interview_set_id`)}
      and ${isOfScores && score !== undefined ? sql`k.score_status = ${score}` : sql`true`}`
    const conditions = (conditionList: ReadonlyArray<Statement.Fragment>) => sql.and([sql`true`, ...conditionList])
    // with a join the planner reads all submissions that match
    const tested = conditions(
      filters.map(({ test }) =>
        isOfScores ? sql`(select ${test("x")} from submission x where x.id = k.submission_id)` : test("b"),
      ),
    )
    const selected = conditions([
      tested,
      ...filters.flatMap(({ ids }) => (ids === undefined ? [] : [sql`${raw(id)} = any(array(${ids}))`])),
    ])
    const all = raw(tables[ordered])
    const recruiter =
      reader.limit?._tag === "Recruiter" && set === undefined && ordered !== "c" ? reader.limit : undefined
    /** The first rows of each set of a recruiter, or else the planner may sort all rows of these sets. */
    const firstOfSets = ({ email }: { readonly email: string }, condition: Statement.Fragment, most: number) => sql`(
      select ${raw(alias)}.* from (${setsOfRecruiter(sql, organization, email)}) r cross join lateral (
        select * from ${raw(isOfScores ? "submission_score k" : "submission b")}
        where ${raw(alias)}.interview_set_id = r.interview_set_id and ${raw(listed)} and ${behind} and ${condition}
        ${inOrder} limit ${most}::int) ${raw(alias)}) ${raw(alias)}`
    const withSubmission = (rows: Statement.Fragment) =>
      isOfScores ? sql`${rows} join submission b on b.id = k.submission_id` : rows
    const lines = (from: Statement.Fragment, condition: Statement.Fragment) => sql<Row>`
      select ${columns}, jsonb_build_object('at', ${raw(place)}, 'id', b.id) as position
      from (
        select b.* from ${from} where ${among} and ${condition} ${inOrder} limit ${limit + 1}::int
      ) b ${joined}
      where b.organization_id = ${organization}::int
      order by ${raw(`${key} ${direction}, b.id ${direction}`)}`
    /** The first rows of the order. */
    const beginning = (most: number) => {
      switch (ordered) {
        case "b":
        case "k": {
          const from =
            recruiter === undefined
              ? raw(isOfScores ? "submission_score k" : tables.b)
              : firstOfSets(recruiter, sql`true`, most)
          return withSubmission(
            sql`(select * from ${from} where ${among} ${inOrder} limit ${most}::int) ${raw(ordered)}`,
          )
        }
        case "c":
          // with ties: candidates with one name are ordered by their submissions. Lateral, or else the planner would read all
          // submissions of the set.
          return sql`(select * from candidate c where ${amongCandidates}
              order by ${raw(`${key} ${direction}`)} fetch first (${most}::int) rows with ties) c
            cross join lateral (
              select * from submission b where b.candidate_id = c.id and ${within(sql, "b", organization, set)} offset 0) b`
      }
    }

    if (words.length === 0) {
      // The indexes of statuses and decisions have the usual order. In other orders the planner cannot tell a common
      // value, which is among the first rows, from a rare one, which its own index finds.
      const isIndexed =
        !isOfScores &&
        by === "active" &&
        filters.length <= 2 &&
        (reached === undefined || reached === "reviewed" || reached === "decided") &&
        invitation === undefined &&
        wanted.stage === undefined &&
        wanted.tag === undefined &&
        reviewed !== "by_me" &&
        state !== "being_evaluated" &&
        state !== "evaluation_waits" &&
        state !== "invitation_failed" &&
        (score === undefined || score === "not_scored")
      const isPlain = filters.length === 0 && (ordered !== "c" || (set === undefined && reader.limit === undefined))
      if (isPlain || isIndexed) {
        const from = recruiter === undefined ? all : withSubmission(firstOfSets(recruiter, tested, limit + 1))
        return yield* lines(from, tested)
      }
      const window = ordered === "c" ? windows.candidates : windows.rows
      const found = yield* lines(beginning(window), tested)
      if (found.length > limit) return found
      // a value of one row in a hundred is found among ten times as many rows; the ids of a rarer one are few
      if (found.length * windows.wider > limit) {
        const more = yield* lines(beginning(window * windows.wider), tested)
        if (more.length > limit) return more
      }
      return yield* lines(all, selected)
    }
    // The planner cannot estimate matches of words. Words in nearly all rows are found among the first rows; words in many
    // rows by testing rows in order; words in few by the indexes.
    const names = isNamed(sql, organization, words)
    const query = sql`person_query(${organization}::int, ${words.join(" ")})`
    const isTitled = sql`${raw(alias)}.interview_set_id = any(array(select s.id from interview_set s
      where s.organization_id = ${organization}::int and ${hasWords(sql, words)}))`
    const named = sql`select c.id from candidate c where ${names}`
    const answered = sql`select w.submission_id from submission_words w where w.words @@ ${query}`
    // with a join the planner reads all submissions that match
    const candidate = isOfScores
      ? sql`(select x.candidate_id from submission x where x.id = k.submission_id)`
      : sql`b.candidate_id`
    const isFound = (isNamedSo: Statement.Fragment, isAnsweredSo: Statement.Fragment) =>
      sql`(${isTitled} or ${isNamedSo} or ${isAnsweredSo})`
    const ownName = ordered === "c" ? names : sql`(select ${names} from candidate c where c.id = ${candidate})`
    const ownAnswers = sql`(select w.words @@ ${query} from submission_words w where w.submission_id = ${raw(id)})`
    const isMany = (rows: Statement.Fragment, most = windows.rows) =>
      sql`(select count(*) from (${rows} limit ${most}::int) n) = ${most}::int`
    const titled = sql`select from submission ${raw(alias)} where ${isTitled}`
    const counts = sql<{ many: boolean; many_answers: boolean; common_name: boolean }>`
      select n.count >= ${windows.rows}::int or a.many or ${isMany(titled)} as many, a.many as many_answers,
        n.count = ${windows.names}::int as common_name
      from (select count(*) from (${named} limit ${windows.names}::int) n) n, (select ${isMany(answered)} as many) a`
    // a recruiter's rows are far apart: the first ones are read once only
    const counted = reader.limit === undefined ? [] : yield* counts
    if (counted[0]?.common_name !== true || ordered === "c") {
      const recent = yield* lines(beginning(windows.searched), sql`${tested} and ${isFound(ownName, ownAnswers)}`)
      if (recent.length > limit) return recent
    }
    const [known] = counted.length > 0 ? counted : yield* counts
    const answersMatch = known?.many_answers === true ? ownAnswers : sql`${raw(id)} in (${answered})`
    if (known?.many === true) {
      const rare = filters.flatMap(({ ids, idsInOrder = sql`` }) =>
        ids === undefined ? [] : [sql`${ids} ${idsInOrder}`],
      )
      if (rare.length > 0) {
        // counted together only when there are several: that takes longer
        const areMany = [
          ...rare.map((rows) => isMany(rows, windows.filtered)),
          ...(rare.length > 1
            ? [isMany(sql`select from ${all} where ${among} and ${selected}`, windows.filtered)]
            : []),
        ]
        const [filtered] = yield* sql<{ many: boolean }>`select ${sql.and(areMany)} as many`
        if (filtered?.many !== true) {
          return yield* lines(all, sql`${selected} and ${isFound(sql`${candidate} in (${named})`, answersMatch)}`)
        }
      }
    }
    if (known?.common_name === true && reader.limit !== undefined && ordered !== "c") {
      const near = yield* lines(beginning(windows.rows), sql`${tested} and ${isFound(ownName, answersMatch)}`)
      if (near.length > limit) return near
      const [rest] = yield* sql<{ exists: boolean }>`
        select (select count(*) from ${beginning(windows.rows)}) >= ${windows.rows}::int as exists`
      if (rest?.exists !== true) return near
    }
    // most rows tested in order would belong to sets that the recruiter may not read, or to other names
    if (known?.many === true && reader.limit === undefined && ordered !== "c") {
      const isNamedSo = known.common_name ? ownName : sql`${candidate} in (${named})`
      return yield* lines(all, sql`${tested} and ${isFound(isNamedSo, sql`${raw(id)} in (${answered})`)}`)
    }
    const found = (condition: Statement.Fragment, from = all) => sql`
      select ${raw(`${id} as id, ${key} as key`)} from ${from} where ${among} and ${tested} and ${condition}`
    const others = sql`
      union ${found(sql`${raw(id)} = any(array(${answered}))`)}
      union ${found(isTitled)}`
    const foundFirst = raw(`order by f.key ${direction}, f.id ${direction} limit ${limit + 1}`)
    if (known?.common_name === true && ordered === "c") {
      // Without `offset 0`, the planner reads candidates in order, up to all of them when the name is last. If the window has
      // too few submissions, some that are found by answers may come after candidates beyond it.
      const near = yield* lines(
        all,
        sql`b.id = any(array(
          with near as materialized (${found(
            sql`true`,
            sql`
            (select * from (select * from candidate c where ${amongCandidates} and ${names} offset 0) c
              order by ${raw(`${key} ${direction}`)} fetch first ${raw(String(windows.rows))} rows with ties) c
            join submission b on b.candidate_id = c.id`,
          )} ${inOrder} limit ${limit + 1}::int)
          select f.id from (select * from near ${others}) f
          where (select count(*) from near) > ${limit}::int ${foundFirst}))`,
      )
      if (near.length > 0) return near
    }
    const foundIds = sql`
      select f.id from (
        ${found(sql`b.candidate_id = any(array(${named}))`)} ${others}
      ) f ${foundFirst}`
    return yield* lines(all, sql`${raw(id)} = any(array(${foundIds}))`)
  })

  return {
    /** Returns `limit` + 1 rows when there are more. */
    search: (organization: OrganizationId, wanted: SubmissionSearch, reader: SubmissionReader, page: SearchPage) =>
      searchFor<SubmissionLine>(rowColumnsOf(reader), organization, wanted, reader, page),
    /**
     * The ids of the first `most` that match, in their order. In one snapshot: an order by what candidates and members do changes
     * between two pages.
     */
    searchIds: Effect.fnUntraced(function* (
      organization: OrganizationId,
      wanted: SubmissionSearch,
      reader: SubmissionReader,
      most: number,
    ) {
      const page = { after: undefined, limit: most }
      const found = yield* searchFor<{ id: SubmissionId }>(sql`b.id`, organization, wanted, reader, page)
      return found.slice(0, most).map(({ id }) => id)
    }),
    /** How many submissions match each search, at most `most`; words of a search are ignored. One statement. */
    counts: Effect.fnUntraced(function* (
      organization: OrganizationId,
      searches: ReadonlyArray<SubmissionSearch>,
      reader: SubmissionReader,
      most: number,
    ) {
      const counted = searches.map((one) => {
        const filters = filtersOf(organization, one, reader)
        const among = sql`${within(sql, "b", organization, one.set)}
          and ${isReadable(sql, organization, reader.limit, "b.interview_set_id")}`
        const count = (from: Statement.Fragment, conditions: ReadonlyArray<Statement.Fragment>) => sql`(
          select count(*)::int from (select from ${from} where ${sql.and(conditions)} limit ${most}::int) n)`
        const tested = filters.map(({ test }) => test("b"))
        const all = (conditions: ReadonlyArray<Statement.Fragment>) =>
          count(sql`submission b`, [among, ...tested, ...conditions])
        const elsewhere = filters.flatMap(({ ids, isOtherTable }) =>
          ids === undefined || isOtherTable !== true ? [] : [ids],
        )
        if (elsewhere.length === 0) return all([])
        const isAmong = (ids: Statement.Fragment) => sql`b.id = any(array(${ids}))`
        const firstIds = elsewhere.map((ids) => sql`select * from (${ids}) i limit ${3 * most}::int`)
        const areAll = sql.and(firstIds.map((ids) => sql`(select count(*) from (${ids}) i) < ${3 * most}::int`))
        // an organization may have many thousands of failed invitations: the first ones are counted before all are read
        // A common value, which any rows of a set have, is among the first rows; the ids of a rare one are few.
        const some = count(sql`(select * from submission b where ${among} limit ${10 * most}::int) b`, [
          sql`true`,
          ...tested,
        ])
        return sql`(select case when n.count = ${most}::int or ${areAll} then n.count else (
            select case when s.count = ${most}::int then s.count else ${all(elsewhere.map(isAmong))} end
            from (select ${some} as count) s) end
          from (select ${all(firstIds.map(isAmong))} as count) n)`
      })
      const row = first(yield* sql<{ counts: ReadonlyArray<number> }>`select array[${sql.csv(counted)}] as counts`)
      return row?.counts ?? []
    }),
    /** The value of the order's column; null or undefined: the order does not list the submission. */
    placeOf: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId, order: SubmissionOrder) {
      const { listed, place } = ordersSql[orders[order].by]
      const row = first(
        yield* sql<{ at: string | null }>`
          select case when ${raw(listed)} then ${raw(place)} end as at
          from submission b join candidate c on c.id = b.candidate_id left join submission_score k on k.submission_id = b.id
          where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
      )
      return row?.at
    }),
    /** Returns the given submissions that exist and that the reader may see, newest first. */
    linesOf: Effect.fnUntraced(function* (
      organization: OrganizationId,
      ids: ReadonlyArray<SubmissionId>,
      reader: SubmissionReader,
    ) {
      return yield* sql<SubmissionLine>`
        select ${rowColumnsOf(reader)}, jsonb_build_object('at', ${raw(utc("b.created_at"))}, 'id', b.id) as position
        from submission b ${joined}
        where b.id = any(${[...ids]}::uuid[]) and b.organization_id = ${organization}::int
          and ${isReadable(sql, organization, reader.limit, "b.interview_set_id")}
        order by b.created_at desc, b.id desc`
    }),
  }
}
