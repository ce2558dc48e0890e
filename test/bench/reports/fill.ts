/** Adds what the reports of a year read to the organization that `lists/fill.ts` has filled. */
import { Effect } from "effect"
import { execute } from "../../support/databases.ts"

/** Numbers of rows. */
export const size = { openRequests: 5_000, answeredRequests: 10_000, remarks: 5_000, holds: 100, notices: 3 } as const

const own = (organization: number) => `where b.organization_id = ${organization}`

const statements = (organization: number): ReadonlyArray<string> => [
  // one entry of each submission, an evaluation or a decision, with the content of an evaluation
  `insert into record_entry (organization_id, submission_id, kind, evaluation_id, at, facts, content, salt)
   select ${organization}, b.id, case when e.id is null then 'decision' else 'evaluation' end, e.id,
     date_trunc('milliseconds', b.created_at), '{"type": "interview", "attempt": 1, "evaluator": "keyword"}',
     jsonb_build_object('requirements', '[]'::jsonb, 'result', coalesce(e.result, t.result)), sha256(b.id::text::bytea)
   from submission b left join evaluation e on e.submission_id = b.id,
     (select result from evaluation where organization_id = ${organization} limit 1) t
   ${own(organization)} order by b.created_at, b.id`,
  `insert into self_identification_form (organization_id, asks) values (${organization}, '{sex,ethnicity}')`,
  `insert into self_identification (submission_id, organization_id, sex, ethnicity, answered_month)
   select b.id, ${organization}, (array['female', 'male', null])[1 + n % 3],
     (array['hispanic', 'white', 'black', 'asian', 'two_or_more'])[1 + n % 5], date_trunc('month', b.completed_at - interval '1 month')::date
   from (select *, row_number() over (order by id) as n from submission where organization_id = ${organization}) b
   where b.completed_at is not null and n % 10 < 6`,
  `insert into notice (id, organization_id, contact, days, meanwhile, words)
   select gen_random_uuid(), ${organization}, 'people@example.com', 10, 'warn', 'Notice ' || n from generate_series(1, ${size.notices}) n`,
  // two versions for each set: before a change, and since
  `insert into notice_version (id, organization_id, notice_id, interview_set_id, content, content_hash, created_at)
   select gen_random_uuid(), ${organization}, n.id, s.id, jsonb_build_object('interview', s.title, 'is_cv_only', false, 'is_spoken', false,
       'requirements', '[]'::jsonb, 'kept', '{"cvs": null, "answers": null, "recordings": 90, "candidates": null, "from": "end"}'::jsonb,
       'place', null, 'words', 'Words ' || v, 'contact', n.contact, 'alternative', '', 'days', 10, 'meanwhile', 'warn',
       'posted_on', null, 'evaluator', null), sha256((n.id::text || s.id || v)::bytea), now() - v * interval '180 days'
   from notice n, interview_set s, generate_series(0, 1) v where n.organization_id = ${organization} and s.organization_id = ${organization}`,
  `insert into submission_notice (submission_id, notice_id, organization_id, notice_version_id, given_at, over_at)
   select b.id, v.notice_id, ${organization}, v.id, b.created_at, b.created_at + interval '14 days'
   from submission b join notice_version v on v.interview_set_id = b.interview_set_id
     and (v.created_at < now() - interval '100 days') = (b.created_at < now() - interval '180 days')
   ${own(organization)}`,
  `insert into person_review (id, organization_id, submission_id, kind, requested_at, due_at, answered_at, outcome)
   select gen_random_uuid(), ${organization}, b.id, 'again', b.completed_at, b.completed_at + interval '30 days',
     case when n > ${size.openRequests} then b.completed_at + interval '5 days' end, case when n > ${size.openRequests} then 'confirmed' end
   from (select *, row_number() over (order by hashtext(id::text)) as n from submission
     where organization_id = ${organization} and status = 'evaluated') b
   where n <= ${size.openRequests + size.answeredRequests}`,
  `insert into candidate_remark (id, organization_id, submission_id, kind, text, sent_at)
   select gen_random_uuid(), ${organization}, b.id, 'remark', repeat('It was five years. ', 20), b.completed_at
   from submission b ${own(organization)} and b.status = 'evaluated' limit ${size.remarks}`,
  `insert into legal_hold (id, organization_id, candidate_id, reason, placed_at)
   select gen_random_uuid(), ${organization}, id, 'A complaint', now() from candidate
   where organization_id = ${organization} order by id limit ${size.holds}`,
  `update organization set result_page = 'decision', result_page_since = now() - interval '1 year' where id = ${organization}`,
  // the newest twentieth waits for the days of a notice
  `update submission b set notice_until = now() + interval '5 days', updated_at = b.updated_at
   ${own(organization)} and b.status = 'completed' and b.created_at > now() - interval '60 days'`,
  `insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, state, due_at)
   select gen_random_uuid(), ${organization}, b.id, 'interview', 1, 'queued', b.notice_until
   from submission b ${own(organization)} and b.notice_until is not null`,
  "vacuum analyze",
]

export const fillReports = (url: string, organization: number) =>
  Effect.forEach(statements(organization), (statement) => execute(url, statement), { discard: true })
