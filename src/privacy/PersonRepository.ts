/** All data about one person: search, export and erase. */

import { Context, Effect, Layer, type Schema } from "effect"
import type { Statement } from "effect/sql"
import { erasedKeyPrefix, retention as keyRetention } from "../accounts/IdempotencyKeyRepository.ts"
import { memberName } from "../accounts/MemberSql.ts"
import { erasedPrefix } from "../ats/Order.ts"
import { erase, erasedBody, withId } from "../candidates/CandidateSql.ts"
import { suppressedHash } from "../emails/SuppressionRepository.ts"
import { clock, Database, first, later, recordset } from "../platform/database/Database.ts"
import { isNamed } from "../platform/database/WordSearch.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { BlobId, CandidateId, OrganizationId } from "../values/Ids.ts"

export interface PersonEntry {
  readonly id: CandidateId
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly email: string | null
  readonly ats_candidate_id: string | null
  readonly created_at: Date
  readonly erased_at: Date | null
  readonly submissions: number
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
}

const searchWindow = 500

export class PersonRepository extends Context.Service<PersonRepository>()(
  "interview-invitations/privacy/PersonRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const entry =
        sql.literal(`c.id, c.name, c.firstname, c.lastname, c.email, c.ats_candidate_id, c.created_at, c.erased_at,
        (select count(*)::int from submission b where b.candidate_id = c.id) as submissions`)
      const list = (from: string) => sql.literal(`coalesce((select jsonb_agg(${from}), '[]')`)
      return {
        /** By whole address or id; when none matches, by prefixes of words in name and addresses. */
        search: Effect.fnUntraced(function* (organization: OrganizationId, text: string, limit: number) {
          const own = sql`c.organization_id = ${organization}::int`
          const newest = (limit: number) => sql`order by c.created_at desc, c.id desc limit ${limit}::int`
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
              union all select c.id from candidate c
                where ${text.includes("@")}::bool and ${own} and ${named} and lower(c.cv_email) = lower(${text}))`)
          if (exact.length > 0) return exact
          // the newest first: for a frequent word, the planner would read all candidates
          const recent = yield* people(sql`
            select c.id, c.created_at from (select * from candidate c where ${own} ${newest(searchWindow)}) c where ${named}`)
          if (recent.length === limit) return recent
          return yield* people(sql`select c.id, c.created_at from candidate c where ${own} and ${named}`)
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          return first(
            yield* sql<PersonEntry>`
              select ${entry} from candidate c where c.id = ${id}::uuid and c.organization_id = ${organization}::int`,
          )
        }),
        counts: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          const [counts] = yield* sql<PersonCounts>`
            with b as (
              select id from submission where candidate_id = ${id}::uuid and organization_id = ${organization}::int
            ), i as (
              select id from invitation where candidate_id = ${id}::uuid and organization_id = ${organization}::int
            )
            select (select count(*)::int from b) as submissions, (select count(*)::int from i) as invitations,
              (select count(*)::int from email m join i on i.id = m.invitation_id where m.recipient <> '') as mails,
              (select count(*)::int from answer a join b on b.id = a.submission_id) as answers,
              (select count(*)::int from (
                select a.blob_id from answer a join b on b.id = a.submission_id where a.blob_id is not null
                union select v.blob_id from cv v join b on b.id = v.submission_id where v.blob_id is not null) f) as files,
              (select count(*)::int from cv v join b on b.id = v.submission_id) as cvs,
              (select count(*)::int from evaluation e join b on b.id = e.submission_id) as evaluations,
              (select count(*)::int from webhook_event w join b on b.id = w.submission_id) as events`
          return yield* Effect.fromNullishOr(counts)
        }, Effect.orDie),
        /** Texts by which stored forms name the person: ids, addresses, links, and names in both orders. */
        identifiers: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          const rows = yield* sql<{ text: string; isName: boolean }>`
            with c as (select * from candidate where id = ${id}::uuid and organization_id = ${organization}::int),
              b as (select b.* from submission b join c on c.id = b.candidate_id),
              i as (select i.* from invitation i join c on c.id = i.candidate_id)
            select text, false as "isName" from (
              select unnest(array[c.id::text, c.ats_candidate_id::text, c.email, c.email_key, c.cv_email]) as text from c
              union select id::text from b union select unnest(array[id::text, email]) from i
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
          const found = yield* sql<{ person: Schema.Json }>`
            select jsonb_build_object(
              'candidate', to_jsonb(c) - 'organization_id' - 'email_key',
              'suppressed', exists (select from suppression x
                where x.organization_id = c.organization_id and x.email = c.email_key),
              'applications', ${list(`jsonb_build_object('id', a.id, 'job_post', p.title, 'created_at', a.created_at)
                  order by a.created_at) from application a join job_post p on p.id = a.job_post_id where a.candidate_id = c.id`)},
              'submissions', ${list(`to_jsonb(b) - 'organization_id' - 'candidate_id' || jsonb_build_object(
                  'interview', s.title,
                  'attempts', coalesce((select jsonb_agg(to_jsonb(t) - 'organization_id' - 'submission_id' order by t.attempt)
                    from interview_attempt t where t.submission_id = b.id), '[]'),
                  'answers', coalesce((select jsonb_agg(jsonb_build_object('attempt', a.attempt, 'question', q.title,
                      'question_text', q.content, 'text', a.content, 'updated_at', a.updated_at,
                      'options', (select coalesce(jsonb_agg(coalesce(o ->> 'title', o ->> 'content')), '[]')
                        from jsonb_array_elements(q.options) o where o ->> 'id' = any(a.option_ids)),
                      'file', case when a.blob_id is not null then jsonb_build_object('blob_id', a.blob_id, 'name', a.file_name,
                        'type', a.file_type, 'size', f.size, 'sha256', encode(f.sha256, 'hex'),
                        'path', concat('/submissions/', b.id, '/files/', a.attempt, '/', a.question_id)) end
                    ) order by a.attempt, q.ordinal)
                    from answer a join question q on q.id = a.question_id left join blob f on f.id = a.blob_id
                    where a.submission_id = b.id), '[]'),
                  'cvs', coalesce((select jsonb_agg(to_jsonb(v) - 'organization_id' - 'submission_id' - 'claim_id' - 'claimed_by' - 'leased_until' - 'blob_id'
                      - 'due_at' - 'attempts' || jsonb_build_object('file', case when v.blob_id is not null then
                        jsonb_build_object('blob_id', v.blob_id, 'type', v.file_type, 'size', f.size,
                        'sha256', encode(f.sha256, 'hex'), 'path', concat('/submissions/', b.id, '/cv')) end) order by v.created_at)
                    from cv v left join blob f on f.id = v.blob_id where v.submission_id = b.id), '[]'),
                  'evaluations', coalesce((select jsonb_agg(jsonb_build_object('type', e.evaluation_type, 'attempt', e.attempt,
                      'evaluator', e.evaluator, 'model', e.model, 'evaluated_at', e.evaluated_at, 'result', e.result,
                      'input', e.input, 'raw', e.raw, 'override', e.override) order by e.created_at)
                    from evaluation e where e.submission_id = b.id), '[]'),
                  'reviews', coalesce((select jsonb_agg(jsonb_build_object('member', ${memberName}, 'ratings', (
                      select coalesce(jsonb_agg(jsonb_build_object('requirement', coalesce(r.title, r.content),
                        'rating', v.ratings -> r.id::text) order by r.ordinal), '[]')
                      from requirement r where r.interview_set_id = s.id and v.ratings ? r.id::text),
                      'note', v.note, 'sent_at', v.sent_at) order by v.created_at)
                    from review v join member m on m.id = v.member_id where v.submission_id = b.id), '[]'),
                  'orders', coalesce((select jsonb_agg(jsonb_build_object('hiring_system', t.system, 'connection', t.name,
                      'external_id', o.external_id, 'profile_url', o.profile_url, 'callback_url', o.callback_url,
                      'ordered_by', o.ordered_by, 'job', o.job, 'created_at', o.created_at) order by o.created_at)
                    from ats_order o join ats_connection t on t.id = o.connection_id where o.submission_id = b.id), '[]'),
                  'events', coalesce((select jsonb_agg(w.body::jsonb order by w.xid, w.seq)
                    from webhook_event w where w.submission_id = b.id), '[]')
                ) order by b.created_at) from submission b join interview_set s on s.id = b.interview_set_id
                where b.candidate_id = c.id`)},
              'invitations', ${list(`to_jsonb(i) - 'organization_id' - 'candidate_id' || jsonb_build_object(
                  'mails', coalesce((select jsonb_agg(jsonb_build_object('kind', m.kind, 'recipient', m.recipient,
                      'subject', m.subject, 'text', m.text, 'state', m.state, 'error', m.error, 'sent_at', m.sent_at,
                      'reports', coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'at', r.created_at,
                        'body', r.body) order by r.id) from email_event r where r.email_id = m.id), '[]')) order by m.created_at)
                    from email m where m.invitation_id = i.id), '[]')
                ) order by i.created_at) from invitation i where i.candidate_id = c.id`)}
            ) as person
            from candidate c where c.id = ${id}::uuid and c.organization_id = ${organization}::int`
          return first(found)?.person
        }),
        /** Needs a transaction. Returns the blobs to remove; undefined: no such candidate. */
        erase: eraseStatements(database),
        /** Call after the transaction of `erase`. */
        dropLateAnswers: dropLateAnswers(database),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}

const withoutTarget = (error: string) => `regexp_replace(${error}, ', a redirect to .*', ', a redirect')`

/** Removes what receivers answered to deliveries of these events. */
const dropAnswers = Effect.fnUntraced(function* (
  { sql }: Pick<Database["Service"], "sql">,
  organization: OrganizationId,
  events: ReadonlyArray<string>,
) {
  const withoutAnswers = sql.literal(`attempt_log = (
      select coalesce(jsonb_agg(t.attempt || jsonb_build_object('answer', null,
        'error', ${withoutTarget("t.attempt ->> 'error'")}) order by t.place), '[]')
      from jsonb_array_elements(attempt_log) with ordinality as t (attempt, place))`)
  // responses and redirects may repeat the data; deliveries have an index of retries, but none by event
  yield* sql`
      update webhook_delivery set ${withoutAnswers}
      where ((least(attempts, 1) = 1 and due_at is not null and attempts >= 0) or state = 'parked')
        and event_id = any(${events}::uuid[]) and organization_id = ${organization}::int and attempt_log <> '[]'`
  // one look-up for each event: the history's index of events cannot search a list; a day, because clocks of servers differ
  yield* sql`
      update webhook_delivery_history h set ${withoutAnswers}
      from webhook_event v
      where v.id = any(${events}::uuid[]) and h.event_id = v.id and h.finished_at >= ${later(sql, sql`v.created_at`, sql`interval '-24 hours'`)}
        and h.organization_id = ${organization}::int and attempt_log <> '[]'`
})

/**
 * Repeats `dropAnswers` after the erasure: an attempt that was settled while the erasure ran had not seen it. Later
 * settlements drop the answers themselves (webhooks/DeliverySettlementsSql.ts).
 */
const dropLateAnswers = (database: Database["Service"]) =>
  Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
    const { sql } = database
    const events = yield* sql<{ id: string }>`
      select v.id from webhook_event v join submission b on b.id = v.submission_id and b.organization_id = v.organization_id
      where b.candidate_id = ${id}::uuid and b.organization_id = ${organization}::int`
    yield* dropAnswers(
      database,
      organization,
      events.map((event) => event.id),
    )
  })

/** Rows that statistics count remain, without personal data. */
const eraseStatements = ({ now, sql }: Database["Service"]) =>
  Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
    const at = yield* now
    // a candidate may have thousands of deliveries, in an organization with millions
    yield* sql`set local statement_timeout = '10min'`.unprepared
    // lock order of workers that settle CVs and emails
    yield* sql`
      select v.id from cv v join submission b on b.id = v.submission_id
      where b.candidate_id = ${id}::uuid and b.organization_id = ${organization}::int order by v.id for update of v`
    yield* sql`
      select m.id from email m join invitation i on i.id = m.invitation_id
      where i.candidate_id = ${id}::uuid and i.organization_id = ${organization}::int order by m.id for update of m`
    const person = first(
      yield* sql<{ email: string | null; email_key: string | null }>`
        select email, email_key from candidate
        where id = ${id}::uuid and organization_id = ${organization}::int for update`,
    )
    if (person === undefined) return undefined
    // evaluations and answers wait for these locks
    const submissions = (yield* sql<{ id: string }>`
      select id from submission where candidate_id = ${id}::uuid and organization_id = ${organization}::int
      order by id for update`).map((row) => row.id)
    const invitations = yield* sql<{ id: string; email: string }>`
      select id, email from invitation where candidate_id = ${id}::uuid and organization_id = ${organization}::int
      order by id for update`
    const of = sql`any(${submissions}::uuid[])`
    const ofInvitation = sql`any(${invitations.map((row) => row.id)}::uuid[])`
    const addresses = [...new Set([person.email, person.email_key, ...invitations.map(({ email }) => email)])].filter(
      (address): address is string => address !== null && address !== "",
    )

    const files = yield* sql<{ id: BlobId }>`
      select distinct f.id from (
        select blob_id as id from answer where submission_id = ${of}
        union all select blob_id from cv where submission_id = ${of}) f
      where f.id is not null`
    yield* sql`delete from answer where submission_id = ${of} and organization_id = ${organization}::int`
    yield* sql`delete from cv where submission_id = ${of} and organization_id = ${organization}::int`
    // the store may fail to remove them now (BlobRepository.erased)
    yield* sql`
      update blob set erased = true
      where id = any(${files.map((file) => file.id)}::uuid[]) and organization_id = ${organization}::int`

    yield* sql`
      delete from evaluation
      where submission_id = ${of} and organization_id = ${organization}::int and state = 'queued'`
    yield* sql`
      update evaluation e set input = null, input_hash = null, raw = null, error = null, result = n.result,
        override = override || '{"reason": ""}'
      from (
        select id, jsonb_build_object('score', result -> 'score', 'score_status', result -> 'score_status', 'summary', '',
          'strengths', '[]'::jsonb, 'gaps', '[]'::jsonb, 'recommendations', '[]'::jsonb, 'criteria', coalesce((
            select jsonb_agg(c.criterion || '{"rationale": "", "evidence": []}' order by c.place)
            from jsonb_array_elements(result -> 'criteria') with ordinality as c (criterion, place)), '[]')) as result
        from evaluation where submission_id = ${of} and organization_id = ${organization}::int offset 0 -- for Citus
      ) n where e.id = n.id`
    yield* sql`
      update audit_log a set detail = detail #- '{before,reason}' #- '{after,reason}'
      where a.organization_id = ${organization}::int and a.record_type = 'evaluation'
        and a.record_id in (select e.id::text from evaluation e where e.submission_id = ${of})`

    yield* sql`
      update audit_log set detail = detail #- '{before,reason}' #- '{after,reason}'
      where organization_id = ${organization}::int and record_type = 'submission' and record_id = any(${submissions}::text[])
        and action = 'submission.decide'`
    yield* sql`update review set note = '' where submission_id = ${of} and organization_id = ${organization}::int`
    // a hash, so that a repeated order is recognized later and sends no invitation
    yield* sql`
      update ats_order o set external_id = n.external_id, callback_url = null, profile_url = null, ordered_by = null, job = null
      from (
        select id, case when starts_with(external_id, ${erasedPrefix}) then external_id
          else ${erasedPrefix} || encode(sha256(convert_to(external_id, 'UTF8')), 'hex') end as external_id
        from ats_order where submission_id = ${of} and organization_id = ${organization}::int offset 0 -- for Citus
      ) n where o.id = n.id`
    // hiring systems' own words about an order
    const orders = sql`(select id from ats_order where submission_id = ${of} and organization_id = ${organization}::int)`
    yield* sql`update ats_report set last_error = null where order_id in ${orders}`
    yield* sql`update ats_exchange set error = null where error is not null and order_id in ${orders}`
    yield* sql`delete from submission_words where submission_id = ${of} and organization_id = ${organization}::int`

    yield* sql`
      update audit_log set detail = detail - 'email'
      where organization_id = ${organization}::int and record_type = 'invitation'
        and record_id = any(${invitations.map((row) => row.id)}::text[])`

    yield* sql`
      update email_event r set body = '{}', error = null, applied_at = coalesce(r.applied_at, clock.now)
      from email m, ${clock(sql, at)} where m.id = r.email_id and m.invitation_id = ${ofInvitation}
        and r.organization_id = ${organization}::int`
    yield* sql`
      update email set recipient = '', subject = '', html = '', text = '', error = null, provider_message_id = null,
        message_id = null, claim_id = null, due_at = null,
        state = case when state = 'queued' then 'cancelled' else state end
      where invitation_id = ${ofInvitation} and organization_id = ${organization}::int`

    const events = (yield* sql<{ id: string }>`
      update webhook_event set body = ${erasedBody(sql)}
      where submission_id = ${of} and organization_id = ${organization}::int returning id`).map((row) => row.id)
    // lock order of settlements: endpoints by id, then deliveries
    const errors = sql`organization_id = ${organization}::int and last_error like '%, a redirect to %'`
    yield* sql`
      update webhook_endpoint set last_error = ${sql.literal(withoutTarget("last_error"))}
      where id = any(array(select id from webhook_endpoint where ${errors} order by id for no key update))`
    yield* dropAnswers({ sql }, organization, events)
    const identifiers = [id, ...submissions, ...invitations.map((row) => row.id), ...addresses]
    yield* sql`
      delete from idempotency_key
      where organization_id = ${organization}::int and created_at <= ${at} - ${sql.literal(keyRetention)}`
    // a hash, so that a repeated request is recognized and invites nobody
    yield* sql`
      update idempotency_key k set key = n.erased, body = ''
      from (
        select api_key_id, key, ${erasedKeyPrefix} || encode(sha256(convert_to(key, 'UTF8')), 'hex') as erased
        from idempotency_key
        where organization_id = ${organization}::int and not starts_with(key, ${erasedKeyPrefix})
          and exists (select from unnest(${identifiers}::text[]) n where position(lower(n) in lower(key || ' ' || body)) > 0)
        offset 0 -- for Citus
      ) n
      where k.api_key_id = n.api_key_id and k.key = n.key and k.organization_id = ${organization}::int`

    // the address stays suppressed by its hash
    const keys = [...new Set(addresses.map(foldAddress))]
    const hashed = keys.map((key) => ({ key, hash: suppressedHash(organization, key) }))
    yield* sql`
      update suppression x set email = r.hash from ${recordset(sql, hashed, "key text, hash text")}
      where x.organization_id = ${organization}::int and x.email = r.key
        and not exists (select from candidate c where c.organization_id = ${organization}::int
          and c.email_key = r.key and c.id <> ${id}::uuid)
        and not exists (select from suppression h where h.organization_id = ${organization}::int and h.email = r.hash)`
    // after the slow statements, so that lists show these changes soon after their updated_at (docs/api.md)
    yield* sql`
      update invitation set email = '', message = null,
        status = case when status in ('failed', 'cancelled', 'expired') then status else 'cancelled' end,
        cancelled_at = case when status in ('failed', 'cancelled', 'expired') then cancelled_at else clock.now end
      from ${clock(sql, at)} where id = ${ofInvitation} and organization_id = ${organization}::int`
    yield* sql`
      update submission set answer_until = null, improvement_until = null, decision_reason = null, decision_before = null,
        status = case when status in ('need_interview', 'cv_processing', 'initiated', 'started') then 'withdrawn'
          else status end
      where id = ${of} and organization_id = ${organization}::int`
    yield* erase(sql, organization, id, at)
    return files.map((file) => file.id)
  })
