/** The search of submissions: each filter in each order, neighbours, words of answers, and the query string. */
import { randomBytes } from "node:crypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { inject } from "vitest"
import type { Member } from "../../src/accounts/members/Member.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { migrate } from "../../src/migrate.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { SubmissionRepository } from "../../src/submissions/SubmissionRepository.ts"
import {
  listHref,
  type OrderBy,
  orders,
  queryOf,
  queryText,
  ReachedMilestone,
  SubmissionOrder,
  type SubmissionSearch,
  SubmissionState,
  searchOf,
  searchOfList,
  usualOrder,
} from "../../src/submissions/SubmissionSearch.ts"
import { SearchWindows } from "../../src/submissions/SubmissionSearchSql.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import type { Position } from "../../src/values/Cursor.ts"
import { QuestionId, SubmissionId, TagId } from "../../src/values/Ids.ts"
import { atDatabase, execute } from "../support/databases.ts"
import { viewer } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { isThorough } from "../support/thorough.ts"
import * as Workspace from "../support/Workspace.ts"

const everything = searchOfList("")

interface Row {
  readonly n: number
  readonly status: string
  readonly declined: boolean
  readonly queued: boolean
  /** For the days of a notice. */
  readonly waits: boolean
  readonly submitted: number | null
  readonly score: number | null
  readonly hasWarnings: boolean
  readonly scoreStatus: "scored" | "cannot_evaluate" | "not_scored"
  readonly decision: "advance" | "hold" | "reject" | null
  readonly decided: number | null
  readonly reviewedBy: "me" | "other" | null
  readonly invitation: "delivered" | "failed" | "clicked" | "cancelled"
  readonly isOfOther: boolean
  readonly met: number | null
  readonly reviewed: number | null
  readonly hasKnockOut: boolean
  readonly name: string
}

const statuses = ["evaluated", "completed", "need_interview", "started", "withdrawn", "initiated", "expired"] as const

/** As they are sorted: without accents and case. */
const names = ["Ada", "ångström", "Émile", "Özil", "zoe", "李", " Nil"] as const

/** Facts whose periods have no common factor, so that every combination occurs; some values are equal. */
const rows = Array.from({ length: 160 }, (_, n): Row => {
  const status = statuses[n % 7] ?? "evaluated"
  const isSubmitted = status === "evaluated" || status === "completed"
  const isScored = status === "evaluated" && n % 3 > 0
  const decision = n % 5 === 0 ? (["advance", "hold", "reject"] as const)[n % 3] : undefined
  const hasResult = status === "evaluated" && n % 2 === 0
  return {
    n,
    status,
    declined: status === "withdrawn" && n % 2 === 0,
    queued: status === "completed" && n % 4 < 2,
    waits: status === "completed" && n % 4 === 1,
    submitted: isSubmitted ? (n * 37) % 101 : null,
    score: isScored ? (n * 13) % 11 : null,
    hasWarnings: n % 5 < 2,
    scoreStatus: isScored ? "scored" : hasResult ? "cannot_evaluate" : "not_scored",
    decision: decision ?? null,
    decided: decision === undefined ? null : (n * 17) % 29,
    reviewedBy: n % 8 === 0 ? "me" : n % 8 === 3 ? "other" : null,
    invitation:
      status === "need_interview" && n % 2 === 0
        ? "failed"
        : ((["delivered", "clicked", "cancelled"] as const)[n % 3] ?? "clicked"),
    isOfOther: n % 11 === 0,
    met: isScored || hasResult ? n % 4 : null,
    reviewed: n % 8 === 0 || n % 8 === 3 ? (n * 11) % 17 : null,
    hasKnockOut: n % 9 === 2,
    name: `${names[n % names.length]} ${n % 12}`,
  }
})

const begin = Effect.gen(function* () {
  const { id, set } = yield* Scenario.organization()
  const other = yield* (yield* InterviewSets).create(operator(id), { title: "Other" })
  const me = yield* Workspace.member(id, `me.${id}@example.com`, "owner")
  const colleague = yield* Workspace.member(id, `other.${id}@example.com`, "owner")
  const { sql } = yield* Database
  const at = (seconds: string) =>
    sql.literal(`('2026-01-01T00:00:00Z'::timestamptz + ${seconds} * interval '1 second')`)
  const uuid = (kind: number) =>
    sql.literal(`('00000000-0000-4000-80${kind}0-' || lpad(to_hex(${id} * 1000 + n), 12, '0'))::uuid`)
  const facts = sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(n int, status text, declined bool, queued bool, waits bool,
    submitted int, score numeric, "hasWarnings" bool, "scoreStatus" text, decision text, decided int, "reviewedBy" text, invitation text, "isOfOther" bool, met int, reviewed int, "hasKnockOut" bool, name text)`
  yield* sql`insert into candidate (id, organization_id, email, email_key, name)
    select ${uuid(1)}, ${id}::int, 'c' || n || '@example.com', 'c' || n || '@example.com', name || ' Candidate' from ${facts}`
  yield* sql`
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at, started_at,
      completed_at, declined_at)
    select ${uuid(2)}, ${id}::int, case when "isOfOther" then ${other.id}::uuid else ${set.id}::uuid end, ${uuid(1)}, 'interview',
      'need_interview', now(), ${at("n / 2")}, ${at("(submitted - 10)")}, ${at("submitted")},
      case when declined then ${at("(n + 20)")} end from ${facts}`
  yield* sql`
    update submission b set status = r.status, decision = r.decision, decided_at = ${at("r.decided")},
      reviewed_at = ${at("r.reviewed")}, notice_until = case when r.waits then now() + interval '1 day' end
    from ${facts} where b.id = ${uuid(2)}`
  // after a trigger at the end of the interview has computed it from the answers
  yield* sql`update submission b set has_knock_out = r."hasKnockOut" from ${facts} where b.id = ${uuid(2)}`
  yield* sql`
    insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, status, expires_at)
    select ${uuid(3)}, ${id}::int, case when "isOfOther" then ${other.id}::uuid else ${set.id}::uuid end, ${uuid(1)}, ${uuid(2)},
      'c' || n || '@example.com', invitation, now() from ${facts}`
  yield* sql`
    insert into review (id, organization_id, submission_id, member_id, sent_at)
    select ${uuid(4)}, ${id}::int, ${uuid(2)}, case "reviewedBy" when 'me' then ${me.id}::uuid else ${colleague.id}::uuid end, now()
    from ${facts} where "reviewedBy" is not null`
  // a draft is no review
  yield* sql`
    insert into review (id, organization_id, submission_id, member_id)
    select gen_random_uuid(), ${id}::int, ${uuid(2)}, ${me.id}::uuid from ${facts} where n % 8 = 5`
  yield* sql`
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluated_at, state, due_at)
    select gen_random_uuid(), ${id}::int, ${uuid(2)}, 'interview', 1,
      case when not queued then jsonb_build_object('score', score, 'score_status', "scoreStatus", 'criteria',
        jsonb_build_array(jsonb_build_object('score', null)) || case when met = 0 then '[]' else (select jsonb_agg(jsonb_build_object('score', 6 + 0.25 * i)) from generate_series(0, met) i) end)
        || case when "hasWarnings" then '{"warnings": [{"code": "short_answer", "message": ""}]}' else '{}' end::jsonb end,
      case when not queued then now() end, case when queued then 'queued' else 'done' end, case when queued then now() end
    from ${facts} where queued or "scoreStatus" <> 'not_scored'`
  const stored = yield* sql<{ n: number; id: SubmissionId }>`select n, ${uuid(2)} as id from ${facts}`
  const idOf = new Map(stored.map((row) => [row.n, row.id]))
  const numberOf = new Map(stored.map((row) => [row.id, row.n]))
  const member = viewer(id, { id: me.id, email: `me.${id}@example.com` })
  const submissions = yield* Submissions
  const find = (search: SubmissionSearch) =>
    Effect.map(submissions.searchPage(member, search, { limit: 200, after: undefined }), ({ results }) =>
      results.map((row) => numberOf.get(row.id) ?? -1),
    )
  return { id, set, other, member, submissions, find, idOf, numberOf }
})

const isInState: Readonly<Record<SubmissionState, (row: Row) => boolean>> = {
  need_interview: ({ invitation, status }) => status === "need_interview" && invitation !== "failed",
  invitation_failed: ({ invitation, status }) => status === "need_interview" && invitation === "failed",
  cv_processing: () => false,
  cv_unreadable: () => false,
  initiated: ({ status }) => status === "initiated",
  started: ({ status }) => status === "started",
  completed: ({ queued, status }) => status === "completed" && !queued,
  being_evaluated: ({ queued, waits }) => queued && !waits,
  evaluation_waits: ({ waits }) => waits,
  evaluated: ({ status }) => status === "evaluated",
  waiting: ({ decision, reviewedBy, submitted }) => submitted !== null && decision === null && reviewedBy === null,
  withdrawn: ({ declined, status }) => status === "withdrawn" && !declined,
  declined: ({ declined }) => declined,
  expired: ({ status }) => status === "expired",
}

const hasReached: Readonly<Record<ReachedMilestone, (row: Row) => boolean>> = {
  opened: ({ submitted }) => submitted !== null,
  started: ({ submitted }) => submitted !== null,
  submitted: ({ submitted }) => submitted !== null,
  reviewed: ({ reviewed }) => reviewed !== null,
  decided: ({ decision }) => decision !== null,
}

const matches =
  (search: SubmissionSearch, other: string) =>
  (row: Row): boolean =>
    (search.set === undefined || (search.set === other) === row.isOfOther) &&
    (search.state === undefined || isInState[search.state](row)) &&
    (search.reached === undefined || hasReached[search.reached](row)) &&
    (search.score === undefined || row.scoreStatus === search.score) &&
    (search.decision === undefined || (row.decision ?? "undecided") === search.decision) &&
    (search.reviewed === undefined || (row.reviewedBy === "me") === (search.reviewed === "by_me")) &&
    (search.invitation === undefined || row.invitation === search.invitation) &&
    (search.knockOut === undefined || (search.knockOut === "yes") === row.hasKnockOut)

const sortedName = ({ name }: Row) =>
  `${name} Candidate`.trim().normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

const sortedNames = [...new Set(rows.map(sortedName))].toSorted((one, two) =>
  Buffer.compare(Buffer.from(one), Buffer.from(two)),
)

const sortedStatuses = ["need_interview", "initiated", "started", "completed", "evaluated", "withdrawn", "expired"]

const keys: Readonly<Record<OrderBy, (row: Row) => number | null>> = {
  active: ({ declined, n, submitted }) => Math.max(Math.floor(n / 2), submitted ?? 0, declined ? n + 20 : 0),
  created: ({ n }) => Math.floor(n / 2),
  submitted: ({ submitted }) => submitted,
  best: ({ hasWarnings, score }) => (score === null ? null : score + (hasWarnings ? 0 : 100)),
  weakest: ({ hasWarnings, score }) => (score === null ? null : score - (hasWarnings ? 0 : 100)),
  decided: ({ decided }) => decided,
  candidate: (row) => sortedNames.indexOf(sortedName(row)),
  status: ({ status }) => sortedStatuses.indexOf(status),
  met: ({ met }) => met,
  reviewed: ({ reviewed }) => reviewed,
}

/** What the search must find: by the order's column, then by id. */
const expected = (search: SubmissionSearch, other: string): ReadonlyArray<number> => {
  const order = orders[search.order]
  const key = keys[order.by]
  const sign = order.isDescending ? -1 : 1
  return rows
    .filter((row) => key(row) !== null && matches(search, other)(row))
    .toSorted((one, two) => sign * ((key(one) ?? 0) - (key(two) ?? 0) || one.n - two.n))
    .map(({ n }) => n)
}

layer(Pod.layer())("the search of submissions", (it) => {
  it.effect("finds and counts submissions by each filter and pair of filters in each order", () =>
    Effect.gen(function* () {
      const { find, id, member, other, set, submissions } = yield* begin
      const single: ReadonlyArray<Partial<SubmissionSearch>> = [
        {},
        ...SubmissionState.literals.map((state) => ({ state })),
        ...(["scored", "cannot_evaluate", "not_scored"] as const).map((score) => ({ score })),
        ...(["advance", "hold", "reject", "undecided"] as const).map((decision) => ({ decision })),
        ...ReachedMilestone.literals.map((reached) => ({ reached })),
        { reached: "submitted", decision: "undecided" },
        { reviewed: "by_me" },
        { reviewed: "not_by_me" },
        ...(["failed", "delivered", "expired"] as const).map((invitation) => ({ invitation })),
        { state: "waiting", reviewed: "not_by_me" },
        { state: "evaluated", decision: "undecided", score: "scored" },
        { state: "expired", decision: "hold", invitation: "delivered" },
        { knockOut: "yes" },
        { knockOut: "no" },
      ]
      const searches = single.flatMap((filter) =>
        [{}, { set: other.id }].map((place) => ({ ...everything, ...filter, ...place })),
      )
      const matching = searches.map((search) => rows.filter(matches(search, other.id)).length)
      assert.deepStrictEqual(yield* submissions.counts(member, searches), matching)
      const few = yield* (yield* SubmissionRepository).counts(id, searches, { limit: undefined, member: member.id }, 3)
      assert.deepStrictEqual(
        few,
        matching.map((count) => Math.min(count, 3)),
      )
      for (const order of SubmissionOrder.literals) {
        for (const filter of single) {
          for (const place of order === usualOrder ? [{}, { set: other.id }, { set: set.id }] : [{ set: set.id }]) {
            const search = { ...everything, ...filter, ...place, order }
            assert.deepStrictEqual(yield* find(search), expected(search, other.id), queryText(queryOf(search)))
          }
        }
      }
    }),
  )

  it.effect("finds submissions by every plan, page by page, also for recruiters of one and of two sets", () =>
    Effect.gen(function* () {
      const { id, member, numberOf, other, set, submissions } = yield* begin
      const { sql } = yield* Database
      const recruiter = Effect.fnUntraced(function* (name: string, sets: ReadonlyArray<string>) {
        for (const [at, of] of sets.entries())
          yield* sql`
            insert into set_access (id, organization_id, interview_set_id, ordinal, email)
            values (gen_random_uuid(), ${id}::int, ${of}::uuid, ${at + 1}::int, ${`${name}.${id}@Example.com`})`
        return viewer(id, { id: member.id, email: `${name}.${id}@EXAMPLE.com` }, "recruiter")
      })
      const isOfSet = (n: number) => rows[n]?.isOfOther === false
      const readers: ReadonlyArray<readonly [Member, (n: number) => boolean]> = [
        [member, () => true],
        [yield* recruiter("one", [set.id]), isOfSet],
        [yield* recruiter("two", [other.id, set.id]), () => true],
      ]
      const pages = Effect.fnUntraced(function* (member: Member, search: SubmissionSearch) {
        const found: Array<number> = []
        let after: Position | undefined
        const limit = search.text === "" ? 17 : 6
        do {
          const { next_cursor, results } = yield* submissions.searchPage(member, search, { limit, after })
          found.push(...results.map((row) => numberOf.get(row.id) ?? -1))
          after = next_cursor === null ? undefined : results.at(-1)?.position
        } while (after !== undefined)
        return found
      })
      const filters: ReadonlyArray<Partial<SubmissionSearch>> = [
        {},
        { set: other.id },
        { state: "invitation_failed" },
        { state: "evaluated", decision: "undecided" },
        { reviewed: "not_by_me" },
      ]
      const windows: ReadonlyArray<typeof SearchWindows.Service> = [
        { searched: 2, rows: 9, candidates: 7, wider: 2, filtered: 9, names: 8, exported: 500 },
        { searched: 2, rows: 5, candidates: 7, wider: 3, filtered: 1000, names: 1000, exported: 500 },
        { searched: 2, rows: 1000, candidates: 7, wider: 2, filtered: 9, names: 8, exported: 500 },
      ]
      let turn = 0
      for (const order of SubmissionOrder.literals) {
        for (const filter of filters) {
          for (const word of ["", "ada", "zo"]) {
            const search = { ...everything, ...filter, order, text: word && `${word} cand` }
            const all = expected(search, other.id).filter((n) => rows[n]?.name.toLowerCase().startsWith(word))
            for (const chosen of isThorough ? windows : [windows[turn++ % windows.length]]) {
              // the two recruiters in turn
              for (const [reader, isReadable] of isThorough
                ? readers
                : readers.filter((_, i) => i !== 1 + (turn % 2))) {
                const which = `${reader.role} ${queryText(queryOf(search))} ${JSON.stringify(chosen)}`
                const found = yield* Effect.provideService(pages(reader, search), SearchWindows, chosen)
                assert.deepStrictEqual(found, all.filter(isReadable), which)
              }
            }
          }
        }
      }
    }),
  )

  it.effect.each(["last_active", "first_active"] as const)(
    "exports each once by %s, also one whose candidate acts meanwhile",
    (order) =>
      Effect.gen(function* () {
        const { find, idOf, member, numberOf, submissions } = yield* begin
        const { sql } = yield* Database
        const search = { ...everything, order }
        const before = yield* find(search)
        // by an act, the last becomes the first or the first becomes the last
        const acts = idOf.get(before.at(order === "last_active" ? -1 : 0) ?? -1) ?? assert.fail()
        const act = sql`update submission set initiated_at = '2026-06-01' where id = ${acts}::uuid`
        const exported = submissions
          .searchAll(member, search)
          .pipe(Stream.mapEffect(({ id }, at) => Effect.as(at === 10 ? act : Effect.void, numberOf.get(id))))
        const windows = { ...(yield* SearchWindows), exported: 50 }
        assert.deepStrictEqual(
          [...(yield* Effect.provideService(Stream.runCollect(exported), SearchWindows, windows))],
          before,
        )
      }),
  )

  it.effect("finds the previous and the next submission in each order", () =>
    Effect.gen(function* () {
      const { find, idOf, member, numberOf, submissions } = yield* begin
      for (const order of SubmissionOrder.literals) {
        for (const filter of [{}, { state: "evaluated" as const }, { text: "candidate" }]) {
          const search = { ...everything, ...filter, order }
          const all = yield* find(search)
          for (const [index, n] of all.entries()) {
            if (index > 2 && index < all.length - 2 && index % 9 > 0) continue
            const { next, previous } = yield* submissions.neighbours(member, search, idOf.get(n) ?? assert.fail())
            const found = [previous, next].map((id) => (id === undefined ? undefined : numberOf.get(id)))
            assert.deepStrictEqual(found, [all[index - 1], all[index + 1]], `${order} ${index}`)
          }
        }
      }
      // no longer in the list: its place is kept
      const undecided = { ...everything, decision: "undecided", order: "newest" } as const
      const decided = rows.find(({ decision, n }) => decision !== null && n > 10)?.n ?? assert.fail()
      const ids = expected(undecided, "")
      const around = yield* submissions.neighbours(member, undecided, idOf.get(decided) ?? assert.fail())
      assert.deepStrictEqual(
        [around.previous, around.next].map((id) => numberOf.get(id ?? SubmissionId.make(""))),
        [ids.findLast((n) => n > decided), ids.find((n) => n < decided)],
      )
      // the order does not list it
      const unscored = idOf.get(rows.find(({ score }) => score === null)?.n ?? -1) ?? assert.fail()
      const best = { ...everything, order: "best" } as const
      assert.deepStrictEqual(yield* submissions.neighbours(member, best, unscored), {
        previous: undefined,
        next: undefined,
      })
      const foreign = yield* begin
      assert.deepStrictEqual(yield* submissions.neighbours(foreign.member, everything, unscored), {
        previous: undefined,
        next: undefined,
      })
    }),
  )

  it.effect(
    "finds words of answers, external ids and metadata in any case and without accents, only in the own organization",
    () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization()
        const foreign = yield* Scenario.organization()
        for (const { id, set } of [one, foreign]) {
          yield* Scenario.completed(yield* Scenario.invited({ id, set }), "I operate Kubernetes-clusters in Zürich.")
        }
        const submissions = yield* Submissions
        const count = (text: string, of = one.id) =>
          Effect.map(
            submissions.searchPage(operator(of), { ...everything, text }, { limit: 10, after: undefined }),
            ({ results }) => results.length,
          )
        for (const text of ["kubernetes", "KUBER clus", "zürich operate", "clusters"])
          assert.strictEqual(yield* count(text), 1, text)
        for (const text of ["kubernetes ada", "nobody", "ubernetes"]) assert.strictEqual(yield* count(text), 0, text)
        const { sql } = yield* Database
        const [answered] = yield* sql<{ id: string }>`select id from submission where organization_id = ${one.id}::int`
        const id = answered?.id ?? ""
        yield* sql`update submission set external_id = 'APP-2031/17', metadata = '{"office": "Łódź"}' where id = ${id}::uuid`
        for (const text of ["zurich", "ZÜRICH", "app-2031/17", "2031", "lodz"])
          assert.strictEqual(yield* count(text), 1, text)
        yield* sql`update submission set metadata = '{"office": "Kraków"}' where id = ${id}::uuid`
        for (const [text, found] of [
          ["lodz", 0],
          ["krakow 2031", 1],
        ] as const)
          assert.strictEqual(yield* count(text), found, text)
        yield* sql`update submission set external_id = null, metadata = '{}' where id = ${id}::uuid`
        for (const text of ["2031", "lodz"]) assert.strictEqual(yield* count(text), 0, text)
        assert.strictEqual(yield* count("kubernetes"), 1)
        // accents without a letter are no word
        assert.strictEqual(yield* count("\u0301"), 0)
        yield* sql`delete from submission_words where organization_id = ${one.id}::int`
        assert.strictEqual(yield* count("kubernetes"), 0)
        assert.strictEqual(yield* count("kubernetes", foreign.id), 1)
      }),
  )

  it.effect(
    "finds words of answers and their files' names once they are submitted, those of the reference before",
    () =>
      Effect.gen(function* () {
        const invited = yield* Scenario.invited(yield* Scenario.organization())
        const { set, subject, token } = invited
        const interviews = yield* Interviews
        const submissions = yield* Submissions
        const { sql } = yield* Database
        const count = (text: string) =>
          Effect.map(
            submissions.searchPage(
              operator(invited.organization),
              { ...everything, text },
              { limit: 10, after: undefined },
            ),
            ({ results }) => results.length,
          )
        yield* interviews.start(token)
        const answer = { question_id: QuestionId.make(set.iai_questions[0]?.id ?? ""), content: "lighthouses" }
        yield* Scenario.save(interviews, token, [{ ...answer, option_ids: [] }])
        yield* sql`update submission set external_id = 'APP-2032' where id = ${subject.submission_id}::uuid`
        assert.deepStrictEqual([yield* count("2032"), yield* count("lighthouses")], [1, 0])
        yield* sql`update answer set file_name = 'Plan_Łódź.pdf' where submission_id = ${subject.submission_id}::uuid`
        assert.strictEqual(yield* count("lodz pdf"), 0)
        yield* interviews.finish(token, [])
        assert.deepStrictEqual([yield* count("2032"), yield* count("lighthouses"), yield* count("lodz pdf")], [1, 1, 1])
      }),
  )
})

describe("the search in a database with the locale C", () => {
  it.live("folds case and accents", () =>
    Effect.gen(function* () {
      const { url } = inject("postgres")
      const name = `interview_c_${randomBytes(6).toString("hex")}`
      yield* Effect.acquireRelease(
        execute(url, `create database ${name} template template0 encoding 'UTF8' locale_provider libc locale 'C'`),
        () => Effect.ignore(execute(url, `drop database if exists ${name} with (force)`)),
      )
      const database = Redacted.make(atDatabase(url, name))
      yield* migrate({ url: database })
      yield* Effect.gen(function* () {
        const { sql } = yield* Database
        const people = [
          ["Jürgen Müller", "MULLER"],
          ["ÖZTÜRK", "öztürk ozturk"],
          ["Nguyễn Thị Hoa", "thi HOA nguyen"],
          ["Đặng Văn Đức", "dang duc"],
          ["Schäfer", "schafer"],
          ["Łukasz Strauß", "lukasz strauss"],
          ["ИВАН Ёлкин", "иван елкин"],
          ["ΓΙΩΡΓΟΣ", "γιωργος"],
          ["Søren Ærø", "soren aero"],
        ] as const
        for (const [name, text] of people) {
          const [row] = yield* sql<{ found: boolean }>`
            select person_words(1, ${name}, null, null, null, null) @@ person_query(1, ${text}) as found`
          assert.isTrue(row?.found, `${text} finds ${name}`)
        }
        const other = yield* sql<{ found: boolean }>`
          select person_words(1, 'Müller', null, null, null, null) @@ person_query(2, 'muller') as found`
        assert.isFalse(other[0]?.found)
        const [folded] =
          yield* sql`select folded('ADA (I) \u0130') as mixed, folded('ADA (I)') as ascii, folded(null) as absent`
        assert.deepStrictEqual(folded, { mixed: "ada (i) i", ascii: "ada (i)", absent: null })
      }).pipe(Effect.provide(Database.layer({ url: database, maxConnections: 1 }), { local: true }))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})

describe("the query string of a search", () => {
  it("is read as it is written", () => {
    const search: SubmissionSearch = {
      text: "a & b=c",
      set: SubmissionId.make("0190b5a2-7c1e-4def-8abc-0123456789ab") as never,
      state: "waiting",
      stage: "to_review",
      tag: TagId.make("0190b5a2-7c1e-4def-8abc-0123456789ac"),
      knockOut: "yes",
      reached: "reviewed",
      score: "not_scored",
      decision: "undecided",
      reviewed: "not_by_me",
      invitation: "failed",
      order: "first_submitted",
    }
    assert.deepStrictEqual(searchOfList(queryText(queryOf(search))), search)
    assert.strictEqual(queryText(queryOf(everything)), "")
    assert.strictEqual(listHref(everything), "/submissions")
  })

  it("ignores unknown values and cuts the text", () => {
    const unknown = searchOf((name) => (name === "q" ? `${"x".repeat(300)}\ud800` : "constructor"))
    assert.deepStrictEqual(unknown, { ...everything, text: "x".repeat(200) })
    assert.deepStrictEqual(searchOfList("status=%&set=1&q=%ff"), { ...everything, text: "\ufffd" })
  })
})
