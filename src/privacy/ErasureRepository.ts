/**
 * What is taken out of the database when a person is erased. Rows that are counted stay (candidate, submission, invitation,
 * mail, evaluation, event) without anything that tells who it was; answers, CVs and files go.
 */
import { Context, Effect, Layer } from "effect"
import { suppressedHash } from "../emails/SuppressionRepository.ts"
import { Database, first, recordset } from "../platform/database/Database.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { BlobId, CandidateId, OrganizationId } from "../values/Ids.ts"

export class ErasureRepository extends Context.Service<
  ErasureRepository,
  {
    readonly erase: (organization: OrganizationId, id: CandidateId) => Effect.Effect<ReadonlyArray<BlobId> | undefined>
  }
>()("interview-invitations/privacy/ErasureRepository") {
  static readonly layer = Layer.effect(
    ErasureRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return ErasureRepository.of({
        erase: Effect.fnUntraced(function* (organization, id) {
          const at = yield* now
          // where indexes are still being made (LargeIndexes.ts), years of deliveries are read once
          yield* sql`set local statement_timeout = '10min'`.unprepared
          // in the order of those who settle a CV or a mail, who take its row first: neither waits for the other in a ring
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
          // workers settle evaluations, and candidates answer, behind these locks: what they find afterwards is empty
          const submissions = (yield* sql<{ id: string }>`
            select id from submission where candidate_id = ${id}::uuid and organization_id = ${organization}::int
            order by id for update`).map((row) => row.id)
          const invitations = yield* sql<{ id: string; email: string }>`
            select id, email from invitation where candidate_id = ${id}::uuid and organization_id = ${organization}::int
            order by id for update`
          const of = sql`any(${submissions}::uuid[])`
          const ofInvitation = sql`any(${invitations.map((row) => row.id)}::uuid[])`
          const addresses = [
            ...new Set([person.email, person.email_key, ...invitations.map(({ email }) => email)]),
          ].filter((address): address is string => address !== null && address !== "")

          const files = yield* sql<{ id: BlobId }>`
            select distinct f.id from (
              select blob_id as id from answer where submission_id = ${of}
              union all select blob_id from cv where submission_id = ${of}) f
            where f.id is not null`
          yield* sql`delete from answer where submission_id = ${of} and organization_id = ${organization}::int`
          yield* sql`delete from cv where submission_id = ${of} and organization_id = ${organization}::int`
          // a store that is away takes nothing now: what is marked is tried until it is gone
          yield* sql`
            update blob set erased = true
            where id = any(${files.map((file) => file.id)}::uuid[]) and organization_id = ${organization}::int`

          yield* sql`
            delete from evaluation
            where submission_id = ${of} and organization_id = ${organization}::int and state = 'queued'`
          yield* sql`
            update evaluation e set input = null, input_hash = null, raw = null, error = null, result = jsonb_build_object(
                'score', result -> 'score', 'score_status', result -> 'score_status', 'summary', '', 'strengths', '[]'::jsonb,
                'gaps', '[]'::jsonb, 'recommendations', '[]'::jsonb, 'criteria', coalesce((
                  select jsonb_agg(c.criterion || '{"rationale": "", "evidence": []}' order by c.place)
                  from jsonb_array_elements(result -> 'criteria') with ordinality as c (criterion, place)), '[]')),
              override = override || '{"reason": ""}'
            where submission_id = ${of} and organization_id = ${organization}::int`
          yield* sql`
            update audit_log a set detail = detail #- '{before,reason}' #- '{after,reason}'
            where a.organization_id = ${organization}::int and a.record_type = 'evaluation'
              and a.record_id in (select e.id::text from evaluation e where e.submission_id = ${of})`

          yield* sql`
            update audit_log set detail = detail - 'email'
            where organization_id = ${organization}::int and record_type = 'invitation'
              and record_id = any(${invitations.map((row) => row.id)}::text[])`

          yield* sql`
            update email_event r set body = '{}', error = null, applied_at = coalesce(r.applied_at, ${at})
            from email m where m.id = r.email_id and m.invitation_id = ${ofInvitation}
              and r.organization_id = ${organization}::int`
          yield* sql`
            update email set recipient = '', subject = '', html = '', text = '', error = null, provider_message_id = null,
              message_id = null, claim_id = null, due_at = null,
              state = case when state = 'queued' then 'cancelled' else state end
            where invitation_id = ${ofInvitation} and organization_id = ${organization}::int`
          yield* sql`
            update invitation set email = '', message = null,
              status = case when status in ('failed', 'cancelled', 'expired') then status else 'cancelled' end,
              cancelled_at = case when status in ('failed', 'cancelled', 'expired') then cancelled_at else ${at} end
            where id = ${ofInvitation} and organization_id = ${organization}::int`
          yield* sql`
            update submission set answer_until = null, improvement_until = null,
              status = case when status in ('need_interview', 'cv_processing', 'initiated', 'started') then 'withdrawn'
                else status end
            where id = ${of} and organization_id = ${organization}::int`

          // the bodies are compact JSON: a quoted name can not stand inside of another text
          const events = (yield* sql<{ id: string }>`
            update webhook_event set body = regexp_replace(regexp_replace(body,
              '"candidate_email":"(\\\\.|[^"\\\\])*"', '"candidate_email":""'),
              '"ats_candidate_id":"[^"\\\\]*"', '"ats_candidate_id":null')
            where submission_id = ${of} and organization_id = ${organization}::int returning id`).map((row) => row.id)
          const unled = (error: string) => `regexp_replace(${error}, ', a redirect to .*', ', a redirect')`
          // endpoints before deliveries and in this order, as those who settle deliveries lock them
          const errors = sql`organization_id = ${organization}::int and last_error like '%, a redirect to %'`
          yield* sql`
            update webhook_endpoint set last_error = ${sql.literal(unled("last_error"))}
            where id = any(array(select id from webhook_endpoint where ${errors} order by id for no key update))`
          const unanswered = sql.literal(`attempt_log = (
            select coalesce(jsonb_agg(t.attempt || jsonb_build_object('answer', null,
              'error', ${unled("t.attempt ->> 'error'")}) order by t.place), '[]')
            from jsonb_array_elements(attempt_log) with ordinality as t (attempt, place))`)
          // Receivers may answer with what they were sent, or lead to where it is named. Queued
          // deliveries have no index by event: those that were tried before are read by the index of retries.
          const sent = sql`event_id = any(${events}::uuid[]) and organization_id = ${organization}::int and attempt_log <> '[]'`
          yield* sql`
            update webhook_delivery set ${unanswered}
            where ((least(attempts, 1) = 1 and due_at is not null) or state = 'parked')
              and ${sent}`
          yield* sql`update webhook_delivery_history set ${unanswered} where ${sent}`
          const named = [id, ...submissions, ...invitations.map((row) => row.id), ...addresses]
          yield* sql`
            delete from idempotency_key
            where api_key_id in (select id from api_key where organization_id = ${organization}::int)
              and organization_id = ${organization}::int
              and exists (select from unnest(${named}::text[]) n where position(lower(n) in lower(body)) > 0)`

          // they are sealed: nobody can say which of them name the candidate, and none is kept for longer than an hour
          yield* sql`delete from form_submission where organization_id = ${organization}::int`

          // who wants no mail must not get one for having been forgotten
          const keys = [...new Set(addresses.map(foldAddress))]
          const hashed = keys.map((key) => ({ key, hash: suppressedHash(organization, key) }))
          yield* sql`
            update suppression x set email = r.hash from ${recordset(sql, hashed, "key text, hash text")}
            where x.organization_id = ${organization}::int and x.email = r.key
              and not exists (select from candidate c where c.organization_id = ${organization}::int
                and c.email_key = r.key and c.id <> ${id}::uuid)
              and not exists (select from suppression h where h.organization_id = ${organization}::int and h.email = r.hash)`
          yield* sql`
            update candidate set email = null, email_key = null, name = null, firstname = null, lastname = null, phone = null, cv_email = null,
              ats_candidate_id = null, erased_at = ${at}
            where id = ${id}::uuid and organization_id = ${organization}::int`
          return files.map((file) => file.id)
        }, Effect.orDie),
      })
    }),
  )
}
