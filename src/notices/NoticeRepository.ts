/** Stores notices to candidates, their versions, and who got which (sql/14_notices.sql). */
import { Context, Effect, Layer } from "effect"
import { spokenKindsOf } from "../interview-sets/InterviewSetSql.ts"
import type { Place } from "../interview-sets/JobLocation.ts"
import { Database, first, recordset, unlessEmpty } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { InterviewSetId, NoticeId, NoticeVersionId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { NoticeTerms } from "./Notice.ts"
import type { KeptDays, NoticeContent } from "./NoticeContent.ts"

export interface Notice extends NoticeTerms {
  readonly id: NoticeId
  /** Of the set; null: all sets. */
  readonly set_title: string | null
  readonly version: number
  readonly created_at: Date
}

/** Of a set and its organization, from which the facts of a notice are made. */
export interface NoticeSubject {
  readonly id: InterviewSetId
  readonly title: string
  readonly set_type: number
  readonly job_locations: ReadonlyArray<Place>
  readonly spoken_kinds: ReadonlyArray<string>
  readonly requirements: ReadonlyArray<{
    readonly title: string | null
    readonly content: string | null
    readonly cfg_importance_id: number
  }>
  readonly kept: KeptDays
  /** The date in the organization's time zone. */
  readonly today: string
}

/** Who publishes a notice. */
export interface NoticeIssuer {
  readonly organization_id: OrganizationId
  readonly name: string
  readonly time_zone: string
  readonly language: string
}

export interface GivenVersion {
  readonly notice_id: NoticeId
  readonly notice_version_id: NoticeVersionId
  /** The first date of use, YYYY-MM-DD; null: no days of notice. */
  readonly over_on: string | null
  /** Evaluations wait until then. */
  readonly waits: boolean
}

/** A version that a candidate got. */
export interface CandidateNotice {
  readonly notice_id: NoticeId
  readonly version_id: NoticeVersionId
  readonly content: NoticeContent
  /** Hexadecimal. */
  readonly content_hash: string
  readonly version_at: Date
  readonly given_at: Date
  readonly over_at: Date | null
}

/** A version that is stored since it was first sent, on the public page. */
export interface SentVersion {
  /** Hexadecimal. */
  readonly hash: string
  readonly interview_set_id: InterviewSetId
  readonly content: NoticeContent
  readonly made_at: Date
  /** When it was sent with invitations. */
  readonly first_at: Date
  readonly last_at: Date
}

/** Versions of a notice and a set on the public page. */
const maxSent = 100

/** The text is the organization's. Proof that the candidate got it stays after an erasure, without the person. */
export const personalSubmissionNotices: PersonalTable = {
  table: "submission_notice",
  exported: {
    name: "notices",
    of: "submission",
    row: `jsonb_build_object('given_at', n.given_at, 'over_at', n.over_at, 'content', v.content)`,
    from: "submission_notice n join notice_version v on v.id = n.notice_version_id where n.submission_id = b.id",
    order: "n.given_at, n.notice_id",
  },
}

const columns = `n.id, n.interview_set_id, case when n.country is not null
    then jsonb_build_object('country', n.country, 'region', n.region, 'city', n.city) end as place,
  n.words, n.contact, n.alternative, n.days::int as days, n.meanwhile, to_char(n.posted_on, 'YYYY-MM-DD') as posted_on, n.version,
  n.created_at, (select s.title from interview_set s where s.id = n.interview_set_id) as set_title`

export class NoticeRepository extends Context.Service<NoticeRepository>()(
  "interview-invitations/notices/NoticeRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const notices = sql`select ${sql.literal(columns)} from notice n where n.withdrawn_at is null`
      const rowOf = (organization: OrganizationId, { place, ...terms }: NoticeTerms) => ({
        ...terms,
        organization_id: organization,
        country: place?.country ?? null,
        region: place?.region ?? null,
        city: place?.city ?? null,
      })
      const rowColumns = `organization_id int, interview_set_id uuid, country text, region text, city text, words text,
        contact text, alternative text, days smallint, meanwhile text, posted_on date`
      return {
        /** Those that candidates get, oldest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<Notice>`
            ${notices} and n.organization_id = ${organization}::int order by n.created_at, n.id`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: NoticeId) {
          return first(
            yield* sql<Notice>`${notices} and n.organization_id = ${organization}::int and n.id = ${id}::uuid`,
          )
        }),
        /** Of a public page, in any organization. */
        issuer: Effect.fnUntraced(function* (id: NoticeId) {
          return first(
            yield* sql<NoticeIssuer>`
              select o.id as organization_id, o.name, o.time_zone, o.language
              from notice n join organization o on o.id = n.organization_id
              where n.id = ${id}::uuid and n.withdrawn_at is null
                and o.id <> all(array(select a.id from absent_organization a))`,
          )
        }),
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          added: ReadonlyArray<{ readonly id: NoticeId; readonly terms: NoticeTerms }>,
        ) {
          const rows = added.map(({ id, terms }) => ({ ...rowOf(organization, terms), id }))
          yield* sql`
            insert into notice (id, organization_id, interview_set_id, country, region, city, words, contact, alternative, days,
              meanwhile, posted_on, created_at)
            select r.*, ${yield* now} from ${recordset(sql, rows, `id uuid, ${rowColumns}`)}`
        }),
        /** False: another version than `seen` is stored, or it was withdrawn. */
        update: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: NoticeId,
          terms: NoticeTerms,
          seen: number,
        ) {
          const rows = yield* sql`
            update notice n set interview_set_id = r.interview_set_id, country = r.country, region = r.region, city = r.city,
              words = r.words, contact = r.contact, alternative = r.alternative, days = r.days, meanwhile = r.meanwhile,
              posted_on = r.posted_on, version = n.version + 1
            from ${recordset(sql, [rowOf(organization, terms)], rowColumns)}
            where n.id = ${id}::uuid and n.organization_id = ${organization}::int and n.version = ${seen}::int
              and n.withdrawn_at is null
            returning n.id`
          return rows.length > 0
        }),
        withdraw: Effect.fnUntraced(function* (organization: OrganizationId, id: NoticeId) {
          const rows = yield* sql`
            update notice set withdrawn_at = ${yield* now}
            where id = ${id}::uuid and organization_id = ${organization}::int and withdrawn_at is null returning id`
          return rows.length > 0
        }),
        kept: Effect.fnUntraced(function* (organization: OrganizationId) {
          return first(
            yield* sql<KeptDays>`
              select cvs_kept_days as cvs, answers_kept_days as answers, recordings_kept_days as recordings,
                candidates_kept_days as candidates, kept_from as "from"
              from organization where id = ${organization}::int`,
          )
        }),
        subject: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId) {
          return first(
            yield* sql<NoticeSubject>`
              select s.id, s.title, s.set_type, s.job_locations, ${spokenKindsOf(sql)},
                coalesce((select jsonb_agg(jsonb_build_object('title', r.title, 'content', r.content,
                    'cfg_importance_id', r.cfg_importance_id) order by r.ordinal)
                  from requirement r where r.interview_set_id = s.id), '[]') as requirements,
                jsonb_build_object('cvs', o.cvs_kept_days, 'answers', o.answers_kept_days, 'recordings', o.recordings_kept_days,
                  'candidates', o.candidates_kept_days, 'from', o.kept_from) as kept,
                to_char(${yield* now} at time zone o.time_zone, 'YYYY-MM-DD') as today
              from interview_set s join organization o on o.id = s.organization_id
              where s.id = ${set}::uuid and s.organization_id = ${organization}::int and s.deleted_at is null`,
          )
        }),
        /** Returns the stored version with this content, which it stores if there is none. */
        versionOf: Effect.fnUntraced(function* (
          organization: OrganizationId,
          version: {
            readonly id: NoticeVersionId
            readonly notice: NoticeId
            readonly set: InterviewSetId
            readonly content: NoticeContent
            readonly hash: Uint8Array
          },
        ) {
          const { content, hash, id, notice, set } = version
          const find = sql<{ readonly id: NoticeVersionId }>`
            select id from notice_version where notice_id = ${notice}::uuid and interview_set_id = ${set}::uuid
              and organization_id = ${organization}::int and content_hash = ${hash}::bytea`
          const [known] = yield* find
          if (known !== undefined) return known.id
          yield* sql`
            insert into notice_version (id, organization_id, notice_id, interview_set_id, content, content_hash, created_at)
            values (${id}::uuid, ${organization}::int, ${notice}::uuid, ${set}::uuid, ${JSON.stringify(content)}::text::jsonb,
              ${hash}::bytea, ${yield* now})
            on conflict (notice_id, interview_set_id, content_hash) do nothing`
          return (yield* find)[0]?.id ?? id
        }),
        /** A submission keeps the version that its candidate got first. */
        give: Effect.fnUntraced(function* (
          organization: OrganizationId,
          versions: ReadonlyArray<GivenVersion>,
          submissions: ReadonlyArray<SubmissionId>,
        ) {
          const at = yield* now
          yield* unlessEmpty(
            submissions,
            sql`
            with read as materialized (
              select b.id, r.notice_id, r.notice_version_id, r.over_on::timestamp at time zone o.time_zone as over_at
              from unnest(${[...submissions]}::uuid[]) as b(id) cross join ${recordset(
                sql,
                versions,
                "notice_id uuid, notice_version_id uuid, over_on date, waits boolean",
              )} join organization o on o.id = ${organization}::int
            ), given as (
              insert into submission_notice (submission_id, notice_id, organization_id, notice_version_id, given_at, over_at)
              select id, notice_id, ${organization}::int, notice_version_id, ${at}, over_at from read
              on conflict (submission_id, notice_id) do nothing
              returning submission_id, notice_id, over_at
            ), held as (
              select g.submission_id, max(g.over_at) as until from given g
              where g.notice_id = any(${versions.flatMap(({ notice_id, waits }) => (waits ? [notice_id] : []))}::uuid[])
              group by g.submission_id
            )
            update submission b set notice_until = greatest(b.notice_until, h.until)
            from held h where b.id = h.submission_id and b.organization_id = ${organization}::int and h.until is not null`,
          )
        }),
        /** The version with the hash, then those that submissions of the set keep, newest first, up to `maxSent`. */
        sent: (
          organization: OrganizationId,
          notice: NoticeId,
          set: InterviewSetId | undefined,
          hash: string | undefined,
        ) => sql<SentVersion>`
          select encode(v.content_hash, 'hex') as hash, v.interview_set_id, v.content, v.created_at as made_at, f.given_at as first_at,
            l.given_at as last_at
          from notice_version v
            cross join lateral (select g.given_at from submission_notice g where g.notice_version_id = v.id
              order by g.given_at limit 1) f
            cross join lateral (select g.given_at from submission_notice g where g.notice_version_id = v.id
              order by g.given_at desc limit 1) l
          where v.notice_id = ${notice}::uuid and v.organization_id = ${organization}::int
            and (v.interview_set_id = ${set ?? null}::uuid or encode(v.content_hash, 'hex') = ${hash ?? null})
          order by encode(v.content_hash, 'hex') = ${hash ?? null} desc nulls last, l.given_at desc, v.id desc
          limit ${maxSent}::int`,
        /** What the candidate got, in the order of giving. */
        given: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return yield* sql<CandidateNotice>`
            select g.notice_id, v.id as version_id, v.content, encode(v.content_hash, 'hex') as content_hash,
              v.created_at as version_at, g.given_at, g.over_at
            from submission_notice g join notice_version v on v.id = g.notice_version_id
            where g.submission_id = ${submission}::uuid and g.organization_id = ${organization}::int
            order by g.given_at, g.notice_id`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
