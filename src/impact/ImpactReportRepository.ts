/** Counts self-identifications by outcome, and stores reports of impact ratios. */
import { Context, Effect, Layer } from "effect"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { ImpactReportId, InterviewSetId, OrganizationId } from "../values/Ids.ts"
import type { EarlierReport } from "./EarlierReports.ts"
import {
  type ImpactGroup,
  type ImpactSelection,
  maxListed,
  type ReportContent,
  type ReportNames,
} from "./ImpactReport.ts"

export interface ImpactReport extends ImpactSelection {
  readonly id: ImpactReportId
  readonly names: ReportNames
  readonly content: ReportContent
  readonly made_at: Date
}

export type ListedReport = Omit<ImpactReport, "content">

export interface ReportedSet {
  readonly id: InterviewSetId
  readonly title: string
}

/** Sets that can be chosen, newest first. */
const maxSets = 500

/** Earlier reports that a new one is compared with, newest first. */
const maxCompared = 2_000

const monthOf = (column: string): string => `to_char(${column}, 'YYYY-MM')`

const selected = `id, interview_set_id as set, ${monthOf("first_month")} as "from", ${monthOf("last_month")} as "to",
  stage as outcome, stage_id as stage`

const firstDay = (month: string): string => `${month}-01`

export class ImpactReportRepository extends Context.Service<ImpactReportRepository>()(
  "interview-invitations/impact/ImpactReportRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      return {
        /** Undefined `first`: no interview was submitted. */
        months: Effect.fnUntraced(function* (organization: OrganizationId) {
          const rows = yield* sql<{ first: string | null; present: string }>`
            select ${sql.literal(monthOf("min(b.completed_at) at time zone 'UTC'"))} as first,
              to_char(${yield* now} at time zone 'UTC', 'YYYY-MM') as present
            from submission b where b.organization_id = ${organization}::int and b.completed_at is not null`
          return yield* Effect.fromNullishOr(first(rows))
        }, Effect.orDie),
        /** With an interview, archived ones too. */
        sets: (organization: OrganizationId) => sql<ReportedSet>`
          select s.id, left(s.title, 100) as title from interview_set s
          where s.organization_id = ${organization}::int and s.deleted_at is null and s.set_type = 1
          order by s.created_at desc, s.id desc limit ${maxSets}::int`,
        /** Until the transaction ends, no other report of the organization is made. */
        lock: (organization: OrganizationId) =>
          sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "impact_report", organization)}`,
        /**
         * People by what they said; the only statement that joins answers with interviews. Small numbers too: only for
         * impact/ImpactReport.ts `reportOf`. Answers count from the month after they were given, so that two reports of one
         * month differ by withdrawn answers and erased persons only. `scored`: the software's score, not a member's.
         */
        groups: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { from, outcome, set, stage, to }: ImpactSelection,
        ) {
          const isScored = outcome === "scored"
          const isSelected = {
            scored: sql`false`,
            advanced: sql`coalesce(b.decision = 'advance', false)`,
            stage: sql`exists (
              select from hiring_stage h, hiring_stage least where h.id = b.stage_id and least.id = ${stage}::uuid
                and h.organization_id = ${organization}::int and least.organization_id = ${organization}::int
                and h.position >= least.position and h.decision is distinct from 'reject')`,
          }[outcome]
          // unprepared: a generic plan expects one interview in the months, and joins the scores one by one
          return yield* sql<ImpactGroup>`
            with people as materialized (
              select b.id, k.score, ${isSelected} as is_selected
              from submission b left join submission_score k on k.submission_id = b.id and k.score_status = 'scored'
                and k.organization_id = ${organization}::int
              where b.organization_id = ${organization}::int
                and b.completed_at >= ${firstDay(from)}::timestamp at time zone 'UTC'
                and b.completed_at < (${firstDay(to)}::timestamp + interval '1 month') at time zone 'UTC'
                and (${set}::uuid is null or b.interview_set_id = ${set}::uuid)
                and (not ${isScored}::bool or k.score is not null)
            ), median as (
              select percentile_cont(0.5) within group (order by p.score) as score from people p
            )
            select i.sex, i.ethnicity, i.own, count(*)::int as applicants,
              (count(*) filter (where case when ${isScored}::bool then p.score > m.score else p.is_selected end))::int as selected
            from people p cross join median m left join self_identification i on i.submission_id = p.id
              and i.organization_id = ${organization}::int
              and i.answered_month < date_trunc('month', ${yield* now} at time zone 'UTC')::date
            group by 1, 2, 3`.unprepared
        }),
        /** With months in common, and sets too, newest first. */
        earlier: Effect.fnUntraced(function* (organization: OrganizationId, { from, set, to }: ImpactSelection) {
          return yield* sql<EarlierReport>`
            select ${sql.literal(selected)}, content - 'question' as content
            from impact_report
            where organization_id = ${organization}::int and first_month <= ${firstDay(to)}::date
              and last_month >= ${firstDay(from)}::date
              and (${set}::uuid is null or interview_set_id is null or interview_set_id = ${set}::uuid)
            order by made_at desc, id desc limit ${maxCompared}::int`
        }),
        /** Of the last 24 hours. */
        countRecent: Effect.fnUntraced(function* (organization: OrganizationId) {
          const rows = yield* sql<{ count: number }>`
            select count(*)::int as count from impact_report
            where organization_id = ${organization}::int and made_at > ${yield* now}::timestamptz - interval '24 hours'`
          return first(rows)?.count ?? 0
        }),
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { content, from, id, names, outcome, set, stage, to }: Omit<ImpactReport, "made_at">,
        ) {
          yield* sql`
            insert into impact_report (id, organization_id, interview_set_id, first_month, last_month, stage, stage_id, names,
              content, made_at)
            values (${id}::uuid, ${organization}::int, ${set}::uuid, ${firstDay(from)}::date, ${firstDay(to)}::date,
              ${outcome}, ${stage}::uuid, ${JSON.stringify(names)}::jsonb, ${JSON.stringify(content)}::jsonb, ${yield* now})`
        }),
        list: (organization: OrganizationId) => sql<ListedReport>`
          select ${sql.literal(selected)}, names, made_at from impact_report
          where organization_id = ${organization}::int order by made_at desc, id desc limit ${maxListed}::int`,
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: ImpactReportId) {
          return first(
            yield* sql<ImpactReport>`
              select ${sql.literal(selected)}, names, content, made_at from impact_report
              where id = ${id}::uuid and organization_id = ${organization}::int`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
