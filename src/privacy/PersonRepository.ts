/** Everything that is kept of one person: found, counted, told, and taken out. */
import { Context, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Database, first } from "../platform/database/Database.ts"
import { isNamed } from "../platform/database/WordSearch.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import { uuid } from "../values/Fields.ts"
import type { BlobId, CandidateId, OrganizationId } from "../values/Ids.ts"
import { ErasureRepository } from "./ErasureRepository.ts"

/** A person in a list. */
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

/** What is kept, in numbers. */
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

/** So many of the newest are looked at before the index of words is asked. */
const window = 500

const isUuid = Schema.is(uuid)

export class PersonRepository extends Context.Service<
  PersonRepository,
  {
    /**
     * Whose address, or id here or in the hiring system, is the text, and who was invited at this address, newest first.
     * When nobody is found so: who has all words of the text among those of name and addresses, each as the beginning of
     * one, in any order.
     */
    readonly search: (
      organization: OrganizationId,
      text: string,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<PersonEntry>>
    readonly find: (organization: OrganizationId, id: CandidateId) => Effect.Effect<PersonEntry | undefined>
    readonly counts: (organization: OrganizationId, id: CandidateId) => Effect.Effect<PersonCounts>
    /** All of it, as one JSON value; undefined: there is no such candidate. Files are named by their `blob_id`. */
    readonly everything: (organization: OrganizationId, id: CandidateId) => Effect.Effect<Schema.Json | undefined>
    /**
     * Takes out all that tells who it was; the rows that are counted stay. Part of a transaction. Returns the files that
     * nothing refers to any more; undefined: there is no such candidate.
     */
    readonly erase: (organization: OrganizationId, id: CandidateId) => Effect.Effect<ReadonlyArray<BlobId> | undefined>
  }
>()("interview-invitations/privacy/PersonRepository") {
  static readonly layer = Layer.effect(
    PersonRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { erase } = yield* ErasureRepository
      const entry =
        sql.literal(`c.id, c.name, c.firstname, c.lastname, c.email, c.ats_candidate_id, c.created_at, c.erased_at,
        (select count(*)::int from submission b where b.candidate_id = c.id) as submissions`)
      const list = (from: string) => sql.literal(`coalesce((select jsonb_agg(${from}), '[]')`)
      return PersonRepository.of({
        search: Effect.fnUntraced(function* (organization, text, limit) {
          const own = sql`c.organization_id = ${organization}::int`
          const newest = (most: number) => sql`order by c.created_at desc, c.id desc limit ${most}::int`
          const people = (found: Statement.Fragment) => sql<PersonEntry>`
            with found as materialized (${found}), page as (select * from found c ${newest(limit)})
            select ${entry} from page join candidate c on c.id = page.id ${newest(limit)}`
          const named = isNamed(sql, organization, [text])
          const id = isUuid(text) ? text : null
          const exact = yield* people(sql`
            select c.id, c.created_at from candidate c where ${own} and c.id in (
              select id from candidate where organization_id = ${organization}::int and email_key = ${foldAddress(text)}
              union all select ${id}::uuid
              union all select id from candidate where organization_id = ${organization}::int and ats_candidate_id = ${id}::uuid
              union all select candidate_id from invitation
                where organization_id = ${organization}::int and lower(email) = lower(${text})
              union all select c.id from candidate c
                where ${text.includes("@")}::bool and ${own} and ${named} and lower(c.cv_email) = lower(${text}))`)
          if (exact.length > 0) return exact
          // What is found often is found among the newest, what is not by the index of words: the planner can not tell
          // which it is, and would read everybody for a word that everybody has.
          const recent = yield* people(sql`
            select c.id, c.created_at from (select * from candidate c where ${own} ${newest(window)}) c where ${named}`)
          if (recent.length === limit) return recent
          return yield* people(sql`select c.id, c.created_at from candidate c where ${own} and ${named}`)
        }, Effect.orDie),
        find: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<PersonEntry>`
              select ${entry} from candidate c where c.id = ${id}::uuid and c.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        counts: Effect.fnUntraced(function* (organization, id) {
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
        everything: Effect.fnUntraced(function* (organization, id) {
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
                  'cvs', coalesce((select jsonb_agg(to_jsonb(v) - 'organization_id' - 'submission_id' - 'claim_id' - 'blob_id'
                      - 'due_at' - 'attempts' || jsonb_build_object('file', case when v.blob_id is not null then
                        jsonb_build_object('blob_id', v.blob_id, 'type', v.file_type, 'size', f.size,
                        'sha256', encode(f.sha256, 'hex'), 'path', concat('/submissions/', b.id, '/cv')) end) order by v.created_at)
                    from cv v left join blob f on f.id = v.blob_id where v.submission_id = b.id), '[]'),
                  'evaluations', coalesce((select jsonb_agg(jsonb_build_object('type', e.evaluation_type, 'attempt', e.attempt,
                      'evaluator', e.evaluator, 'model', e.model, 'evaluated_at', e.evaluated_at, 'result', e.result,
                      'input', e.input, 'raw', e.raw, 'own_score', e.override) order by e.created_at)
                    from evaluation e where e.submission_id = b.id), '[]'),
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
        }, Effect.orDie),
        erase,
      })
    }),
  )
}
