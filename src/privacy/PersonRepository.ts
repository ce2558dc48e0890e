/** All data about one person: search, export and erase. */
import { Context, Effect, Layer, type Schema } from "effect"
import type { Statement } from "effect/sql"
import { auditLogTable } from "../accounts/AuditLogRepository.ts"
import { personalNotices } from "../accounts/members/NotificationRepository.ts"
import { personalExchanges } from "../ats/ConnectionRepository.ts"
import { personalOrders } from "../ats/OrderRepository.ts"
import { personalReports } from "../ats/ReportRepository.ts"
import {
  type CandidateFilter,
  exportedCandidate,
  isIdentified,
  personalApplications,
  personalCandidates,
  withId,
} from "../candidates/CandidateSql.ts"
import { personalCounterfactuals } from "../counterfactual/CounterfactualAuditRepository.ts"
import { personalCvs } from "../cv/CvRepository.ts"
import { personalEmailEvents } from "../emails/EmailEventRepository.ts"
import { exportedFollowUps, personalEmails } from "../emails/EmailRepository.ts"
import { personalSuppressions } from "../emails/SuppressionRepository.ts"
import { personalEvaluations } from "../evaluations/EvaluationRepository.ts"
import { personalChunks } from "../files/BlobChunkRepository.ts"
import { personalFiles } from "../files/BlobRepository.ts"
import { personalIdentifications } from "../impact/SelfIdentificationRepository.ts"
import { personalAccommodations } from "../interviews/AccommodationRepository.ts"
import { personalAnswers, personalAttempts } from "../interviews/AnswerRepository.ts"
import { personalInvitations } from "../invitations/InvitationRepository.ts"
import { personalSubmissionNotices } from "../notices/NoticeRepository.ts"
import { personalPersonReviews } from "../person-reviews/PersonReviewRepository.ts"
import { personalRemarks } from "../person-reviews/ResultRepository.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso, type Positioned, paging, when } from "../platform/database/Paging.ts"
import { type ErasedPerson, eraseRows, type PersonalTable } from "../platform/database/PersonalData.ts"
import { isNamed } from "../platform/database/WordSearch.ts"
import { personalForms } from "../platform/http/FormIdempotencyRepository.ts"
import { personalKeys } from "../platform/http/IdempotencyKeyRepository.ts"
import { personalEntries } from "../record/RecordRepository.ts"
import { personalRecordings } from "../recordings/RecordingRepository.ts"
import { personalAssignments } from "../reviews/AssignmentRepository.ts"
import { personalComments } from "../reviews/CommentRepository.ts"
import { personalGuestLinks } from "../reviews/GuestLinkRepository.ts"
import { personalReviews } from "../reviews/ReviewRepository.ts"
import { personalViews } from "../reviews/SavedViewRepository.ts"
import { personalSubmissions, personalWords } from "../submissions/SubmissionRepository.ts"
import { personalTags } from "../submissions/TagRepository.ts"
import { personalTrials } from "../trial-evaluations/TrialRepository.ts"
import type { PageRequest } from "../values/Cursor.ts"
import { cleanAddress, foldAddress } from "../values/EmailAddress.ts"
import type { AtsCandidateId, BlobId, CandidateId, OrganizationId } from "../values/Ids.ts"
import { dropAnswers, personalDeliveries } from "../webhooks/deliveries/DeliverySettlementRepository.ts"
import { personalEvents } from "../webhooks/events/EventRepository.ts"
import { personalRehearsals } from "../webhooks/rehearsals/RehearsalRepository.ts"
import { personalHolds } from "./LegalHoldRepository.ts"

export interface PersonEntry {
  readonly id: CandidateId
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly email: string | null
  readonly ats_candidate_id: AtsCandidateId | null
  readonly created_at: Date
  readonly erased_at: Date | null
  readonly submissions: number
}

/** As the API lists it. */
export interface PersonRow
  extends Pick<PersonEntry, "id" | "ats_candidate_id" | "name" | "firstname" | "lastname" | "email" | "submissions"> {
  readonly created_at: string
  readonly erased_at: string | null
}

export interface PersonCounts {
  readonly submissions: number
  readonly invitations: number
  readonly mails: number
  readonly answers: number
  readonly files: number
  readonly cvs: number
  readonly evaluations: number
  readonly events: number
  /** The newest submissions, newest first. */
  readonly newest: ReadonlyArray<{ readonly id: string; readonly title: string; readonly created_at: string }>
}

const searchWindow = 500

/** Submissions that the page of a person leads to. */
const maxNewest = 10

export class PersonRepository extends Context.Service<PersonRepository>()(
  "interview-invitations/privacy/PersonRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const entry =
        sql.literal(`c.id, c.name, c.firstname, c.lastname, coalesce(c.email, c.cv_email) as email, c.ats_candidate_id, c.created_at, c.erased_at,
        (select count(*)::int from submission b where b.candidate_id = c.id) as submissions`)
      /** With `sinceErasure`, without what an earlier erasure has left for statistics. */
      const countsOf = Effect.fnUntraced(function* (
        organization: OrganizationId,
        id: CandidateId,
        sinceErasure = false,
      ) {
        const [counts] = yield* sql<PersonCounts>`
            with e as (
              select erased_at from candidate
              where id = ${id}::uuid and organization_id = ${organization}::int and ${sinceErasure}::bool
            ), b as (
              select id from submission where candidate_id = ${id}::uuid and organization_id = ${organization}::int
                and created_at > coalesce((select erased_at from e), '-infinity')
            ), i as (
              select id from invitation where candidate_id = ${id}::uuid and organization_id = ${organization}::int
                and created_at > coalesce((select erased_at from e), '-infinity')
            )
            select (select count(*)::int from b) as submissions, (select count(*)::int from i) as invitations,
              (select count(*)::int from email m where m.recipient <> '' and (m.invitation_id = any(array(select id from i))
                or m.submission_id = any(array(select id from b)))) as mails,
              (select count(*)::int from answer a join b on b.id = a.submission_id) as answers,
              (select count(*)::int from (
                select a.blob_id from answer a join b on b.id = a.submission_id where a.blob_id is not null
                union select r.blob_id from recording r join b on b.id = r.submission_id where r.blob_id is not null
                union select v.blob_id from cv v join b on b.id = v.submission_id where v.blob_id is not null) f) as files,
              (select count(*)::int from cv v join b on b.id = v.submission_id) as cvs,
              (select count(*)::int from evaluation e join b on b.id = e.submission_id) as evaluations,
              (select count(*)::int from webhook_event w join b on b.id = w.submission_id) as events,
              coalesce((select jsonb_agg(jsonb_build_object('id', n.id, 'title', n.title, 'created_at', ${iso(sql, "n.created_at")}) order by n.created_at desc, n.id desc)
                from (select s.id, s.created_at, t.title from submission s join interview_set t on t.id = s.interview_set_id
                  where s.candidate_id = ${id}::uuid and s.organization_id = ${organization}::int
                  order by s.created_at desc, s.id desc limit ${maxNewest}::int) n), '[]') as newest`
        return yield* Effect.fromNullishOr(counts)
      }, Effect.orDie)
      return {
        /** By whole address or id; when none matches, by prefixes of words in name and addresses. */
        search: Effect.fnUntraced(function* (organization: OrganizationId, text: string, limit: number) {
          const own = sql`c.organization_id = ${organization}::int`
          const newest = (count: number) => sql`order by c.created_at desc, c.id desc limit ${count}::int`
          const people = (found: Statement.Fragment) => sql<PersonEntry>`
            with found as materialized (${found}), page as (select * from found c ${newest(limit)})
            select ${entry} from page join candidate c on c.id = page.id ${newest(limit)}`
          const named = isNamed(sql, organization, [text])
          const exact = yield* people(sql`
            select c.id, c.created_at from candidate c where ${own} and c.id in (
              select id from candidate where organization_id = ${organization}::int and email_key = ${foldAddress(text)}
              union all ${withId(sql, organization, text)}
              union all select candidate_id from invitation
                where organization_id = ${organization}::int and lower(email) = lower(${text})
              union all select id from candidate
                where organization_id = ${organization}::int and lower(cv_email) = lower(${text}))`)
          if (exact.length > 0) return exact
          // the newest first: for a frequent word, the planner would read all candidates
          const recent = yield* people(sql`
            select c.id, c.created_at from (select * from candidate c where ${own} ${newest(searchWindow)}) c where ${named}`)
          if (recent.length === limit) return recent
          return yield* people(sql`select c.id, c.created_at from candidate c where ${own} and ${named}`)
        }),
        /** An address finds its candidate also by former invitations and by a CV. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, filter: CandidateFilter, page: PageRequest) {
          const { ats_candidate_id, candidate_id, email, external_id } = filter
          const { behind, newestFirst, position } = paging(sql, "c", page)
          return yield* sql<Positioned<PersonRow>>`
            select c.id, c.ats_candidate_id, c.name, c.firstname, c.lastname, coalesce(c.email, c.cv_email) as email,
              ${iso(sql, "c.created_at")} as created_at, ${iso(sql, "c.erased_at")} as erased_at,
              (select count(*)::int from submission b where b.candidate_id = c.id) as submissions, ${position}
            from candidate c
            where c.organization_id = ${organization}::int and ${behind}
              and ${when(sql, candidate_id, (id) => sql`c.id = ${id}::uuid`)}
              and ${when(sql, ats_candidate_id, (id) => sql`c.ats_candidate_id = ${id}::uuid`)}
              and ${when(
                sql,
                email,
                // arrays: the planner could read all candidates in the order of the list
                (address) => sql`c.id = any(array(
                  select id from candidate where organization_id = ${organization}::int
                    and email_key in (${foldAddress(address)}, ${foldAddress(cleanAddress(address))})
                  union all select id from candidate
                    where organization_id = ${organization}::int and lower(cv_email) = lower(${cleanAddress(address)})
                  union all select candidate_id from invitation
                    where organization_id = ${organization}::int and lower(email) = lower(${cleanAddress(address)})))`,
              )}
              and ${when(
                sql,
                external_id,
                (id) => sql`c.id = any(array(
                  select candidate_id from submission where organization_id = ${organization}::int and external_id = ${id}))`,
              )}
            ${newestFirst}`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          return first(
            yield* sql<PersonEntry>`
              select ${entry} from candidate c where c.id = ${id}::uuid and c.organization_id = ${organization}::int`,
          )
        }),
        counts: countsOf,
        /** Texts by which stored forms name the person: ids, addresses, links, and names in both orders. */
        identifiers: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          const rows = yield* sql<{ text: string; isName: boolean }>`
            with c as (select * from candidate where id = ${id}::uuid and organization_id = ${organization}::int),
              b as (select b.* from submission b join c on c.id = b.candidate_id),
              i as (select i.* from invitation i join c on c.id = i.candidate_id)
            select text, false as "isName" from (
              select unnest(array[c.id::text, c.ats_candidate_id::text, c.email, c.email_key, c.cv_email]) as text from c
              union select id::text from b union select unnest(array[id::text, email]) from i
              union select m.recipient from email m join i on i.id = m.invitation_id
              union select v.link from cv v join b on b.id = v.submission_id
            ) t where text <> ''
            union all select text, true from (
              select unnest(array[c.name, concat_ws(' ', c.firstname, c.lastname), concat_ws(' ', c.lastname, c.firstname)]) as text from c
            ) t where text <> ''`
          const of = (isName: boolean) => rows.filter((row) => row.isName === isName).map(({ text }) => text)
          return { exact: of(false), names: of(true) }
        }),
        /** Files are given by `blob_id`. */
        everything: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          const found = yield* sql<{ person: { readonly [part: string]: Schema.Json } }>`
            select jsonb_build_object('candidate', ${sql.literal(exportedCandidate)},
              'suppressed', exists (select from suppression x
                where x.organization_id = c.organization_id and x.email = c.email_key)
            ) ${sql.literal(listsOf("candidate"))} as person
            from candidate c where c.id = ${id}::uuid and c.organization_id = ${organization}::int`
          return first(found)?.person
        }),
        /**
         * Needs a transaction. Returns the blobs to remove, what was stored since an earlier erasure, the time of that one, and
         * `erasedAt`: that is also the time of the earlier one, if nothing was stored since. undefined: no such candidate, or
         * `isStill` is false once the candidate is locked against new submissions.
         */
        erase: eraseStatements(database, countsOf),
        /**
         * Call after the transaction of `erase`: an attempt that was settled while the erasure ran had not seen it. Later
         * settlements drop the answers themselves (webhooks/deliveries/DeliverySettlementRepository.ts).
         */
        dropLateAnswers: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          const submissions = yield* sql<{ id: string }>`
            select id from submission where candidate_id = ${id}::uuid and organization_id = ${organization}::int`
          yield* dropAnswers(
            database,
            organization,
            submissions.map((row) => row.id),
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** In the order of erasing. Lists show changes of invitations and submissions soon after their updated_at, so these are last. */
export const personalTables: ReadonlyArray<PersonalTable> = [
  personalAnswers,
  ...personalRecordings,
  personalAttempts,
  personalAccommodations,
  personalPersonReviews,
  personalRemarks,
  personalIdentifications,
  personalSubmissionNotices,
  personalHolds,
  personalCvs,
  personalFiles,
  personalChunks,
  personalForms,
  ...personalEvaluations,
  personalCounterfactuals,
  personalEntries,
  ...personalReviews,
  personalAssignments,
  personalNotices,
  ...personalGuestLinks,
  personalComments,
  ...personalTags,
  ...personalTrials,
  ...personalRehearsals,
  ...personalViews,
  auditLogTable,
  personalOrders,
  personalReports,
  personalExchanges,
  personalWords,
  personalEmailEvents,
  personalEmails,
  exportedFollowUps,
  personalEvents,
  ...personalDeliveries,
  ...personalKeys,
  personalSuppressions,
  ...personalInvitations,
  personalSubmissions,
  personalCandidates,
  personalApplications,
]

/** SQL that adds the lists of a table's object to it. */
const listsOf = (table: string): string =>
  personalTables
    .flatMap(({ exported, table: name }) => (exported?.of === table ? [{ ...exported, lists: listsOf(name) }] : []))
    .map(
      ({ from, lists, name, order, row }) => `|| jsonb_build_object('${name}', coalesce((
        select jsonb_agg(${row} ${lists} order by ${order}) from ${from}), '[]'))`,
    )
    .join(" ")

/** Rows that statistics count remain, without personal data. */
const eraseStatements = (
  database: Database["Service"],
  counts: (organization: OrganizationId, id: CandidateId, sinceErasure: boolean) => Effect.Effect<PersonCounts>,
) =>
  Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId, isStill: Effect.Effect<boolean>) {
    const { now, sql } = database
    // a candidate may have thousands of deliveries, in an organization with millions
    yield* sql`set local statement_timeout = '10min'`.unprepared
    yield* AdvisoryLocks.shareAll(database, "legal_hold", [organization])
    // lock order of workers that settle CVs and emails
    yield* sql`
      select v.id from cv v join submission b on b.id = v.submission_id
      where b.candidate_id = ${id}::uuid and b.organization_id = ${organization}::int order by v.id for update of v`
    yield* sql`
      select m.id from email m where m.organization_id = ${organization}::int and (
        m.invitation_id = any(array(select i.id from invitation i
          where i.candidate_id = ${id}::uuid and i.organization_id = ${organization}::int))
        or m.submission_id = any(array(select b.id from submission b
          where b.candidate_id = ${id}::uuid and b.organization_id = ${organization}::int)))
      order by m.id for update of m`
    const person = first(
      yield* sql<{
        email: string | null
        email_key: string | null
        erased_at: Date | null
        exactly: string | null
        is_identified: boolean
      }>`
        select email, email_key, erased_at, erased_at::text as exactly, ${sql.literal(isIdentified)} as is_identified from candidate
        where id = ${id}::uuid and organization_id = ${organization}::int for update`,
    )
    if (person === undefined || !(yield* isStill)) return undefined
    // evaluations and answers wait for these locks
    const submissions = (yield* sql<{ id: string }>`
      select id from submission where candidate_id = ${id}::uuid and organization_id = ${organization}::int
      order by id for update`).map((row) => row.id)
    // lock order of the step that seals the record
    yield* sql`
      select n.id from record_entry n
      where n.submission_id = any(${submissions}::uuid[]) and n.organization_id = ${organization}::int and n.number is null
      order by n.id for update`
    const invitations = yield* sql<{ id: string; email: string }>`
      select id, email from invitation where candidate_id = ${id}::uuid and organization_id = ${organization}::int
      order by id for update`
    // after the locks: of erasures at the same time, the first counts what was stored
    const removed = yield* counts(organization, id, true)
    const { newest: _, ...counted } = removed
    const isUnchanged = !person.is_identified && Object.values(counted).every((count) => count === 0)
    const at = yield* now
    const files = yield* sql<{ id: BlobId }>`
      select distinct f.id from (
        select blob_id as id from answer where submission_id = any(${submissions}::uuid[])
        union all select blob_id from recording where submission_id = any(${submissions}::uuid[])
        union all select blob_id from cv where submission_id = any(${submissions}::uuid[])) f
      where f.id is not null`
    // also of addresses that were corrected
    const recipients = yield* sql<{ recipient: string }>`
      select distinct recipient from email
      where invitation_id = any(${invitations.map((row) => row.id)}::uuid[]) and organization_id = ${organization}::int`
    const addresses = [
      person.email,
      person.email_key,
      ...invitations.map(({ email }) => email),
      ...recipients.map(({ recipient }) => recipient),
    ]
    const erased: ErasedPerson = {
      organization,
      candidate: id,
      submissions,
      invitations: invitations.map((row) => row.id),
      files: files.map((row) => row.id),
      addresses: addresses.filter((address): address is string => address !== null && address !== ""),
      at,
      erasedAt: person.exactly !== null && isUnchanged ? sql`${person.exactly}::timestamptz` : at,
    }
    for (const { rows, ...table } of personalTables) {
      if (rows !== undefined) yield* eraseRows(sql, erased, { ...table, rows })
      if (table.run !== undefined) yield* table.run(database, erased)
    }
    const done = first(
      yield* sql<{ erased_at: Date }>`
        select erased_at from candidate where id = ${id}::uuid and organization_id = ${organization}::int`,
    )
    const { erased_at: erasedAt } = yield* Effect.orDie(Effect.fromNullishOr(done))
    return { erasedAt, erasedBefore: person.erased_at, files: files.map((file) => file.id), removed }
  })
