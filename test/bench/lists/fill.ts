/** Fills a database with a year's data of two organizations; the second has a tenth. */
import { Effect } from "effect"
import { execute } from "../../support/databases.ts"
import { size } from "./settings.ts"

/** SQL that cycles `n` through 1 to `count`. */
const cycled = (n: string, count: number) => `1 + (${n}) % ${count}`

/** SQL for a version 7 UUID of a time, as the service generates, so that rows have a realistic order in indexes. */
const idAt = (at: string) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8'
    || substr(md5(random()::text), 1, 15))::uuid`

/** SQL for `count` times spread over the last year, ascending by `n`. */
const inYear = (n: string, count: number) => `now() - interval '365 days' * (1 - ${n}::float8 / ${count})`

const oneOf = (n: string, texts: ReadonlyArray<string>) =>
  `(array[${texts.map((text) => `'${text}'`).join(", ")}])[${cycled(n, texts.length)}]`

const firstNames =
  "Ada Grace Edsger Alan Barbara Donald Frances Niklaus Radia Ken Shafi Leslie Adele Tony Margaret".split(" ")
const beginnings = "Hof Berg Stein Wald Bach Feld Lind Sommer Winter Alt Neu Gross Klein Schwarz Weiss Rot Grün".split(
  " ",
)
const endings = "mann er berg feld hauser bauer müller meier stein thal brecht wein horn kamp rath".split(" ")

const { busySets, comments, deliveries, endpoints, jobPosts, keys, members, projects, sets } = size

/** Without statistics of a new organization, Postgres expects few rows and chooses slow nested loops. */
const analyze = "analyze candidate, interview_set, submission, invitation, webhook_event"

const statements = (organization: number, reader: string, submissions: number): ReadonlyArray<string> => [
  `insert into project (id, organization_id, name, created_at)
   select ${idAt("at")}, ${organization}, 'Project ' || n, at
   from generate_series(1, ${projects}) n, lateral (select ${inYear("n", projects)} as at) t`,
  `insert into job_post (id, organization_id, project_id, title, created_at)
   select ${idAt("at")}, ${organization}, p.id, 'Engineer ' || n, at
   from generate_series(1, ${jobPosts}) n
   join (select id, row_number() over (order by id) as number from project where organization_id = ${organization}) p
     on p.number = ${cycled("n", projects)}, lateral (select ${inYear("n", jobPosts)} as at) t`,
  `insert into interview_set (id, organization_id, project_id, external_id, title, position, created_at, updated_at, archived_at)
   select ${idAt("at")}, ${organization}, p.id, 'job-' || n, 'Interview ' || n, ${oneOf("n", ["Backend engineer", "Nurse", "Accountant", "Sales"])},
     at, at, case when n % 10 = 0 then now() end
   from generate_series(1, ${sets}) n
   join (select id, row_number() over (order by id) as number from project where organization_id = ${organization}) p
     on p.number = ${cycled("n", projects)}, lateral (select ${inYear("n", sets)} as at) t`,
  `insert into question (id, organization_id, interview_set_id, ordinal, title, cfg_question_mode_id, cfg_question_type_id)
   select gen_random_uuid(), organization_id, id, n, 'Question ' || n, 248, 250
   from interview_set, generate_series(1, 4) n where organization_id = ${organization}`,
  `insert into requirement (id, organization_id, interview_set_id, ordinal, title)
   select gen_random_uuid(), organization_id, id, n, 'Requirement ' || n
   from interview_set, generate_series(1, 4) n where organization_id = ${organization}`,
  `insert into set_access (id, organization_id, interview_set_id, ordinal, email)
   select gen_random_uuid(), organization_id, id, 1, 'somebody.' || row_number() over (order by id) % 50 || '@example.com'
   from interview_set where organization_id = ${organization}`,
  // one set with many submissions and four with few
  `insert into set_access (id, organization_id, interview_set_id, ordinal, email)
   select gen_random_uuid(), organization_id, id, 2, '${reader}' from (
     select *, row_number() over (order by id) as number from interview_set where organization_id = ${organization}) s
   where number in (${busySets}, 500, 900, 1300, 1700)`,
  `insert into member (id, organization_id, email, name, role, password_hash, created_at)
   select ${idAt("at")}, ${organization}, 'member.' || n || '@organization-${organization}.example', 'Member ' || n,
     'recruiter', 'none', at
   from generate_series(1, ${members}) n, lateral (select ${inYear("n", members)} as at) t`,
  `insert into api_key (id, organization_id, prefix, secret_hash, name, created_at)
   select ${idAt("at")}, ${organization}, 'iv_live_' || ${organization} || 'x' || n, sha256(n::text::bytea), 'Key ' || n, at
   from generate_series(1, ${keys}) n, lateral (select ${inYear("n", keys)} as at) t`,
  `insert into webhook_endpoint (id, organization_id, name, url, events, secret, created_at)
   select ${idAt("at")}, ${organization}, 'Endpoint ' || n, 'https://hooks.example/' || n, '{interview.status.update}',
     '\\x00', at
   from generate_series(1, ${endpoints}) n, lateral (select ${inYear("n", endpoints)} as at) t`,
  `insert into candidate (id, organization_id, ats_candidate_id, email, email_key, name, created_at)
   select ${idAt("at")}, ${organization}, case when n % 2 = 0 then gen_random_uuid() end, address, address,
     ${oneOf("hashint8(n * 3) & 65535", firstNames)} || ' ' || last || ' ' || n, at
   from generate_series(1, ${submissions}) n, lateral (select ${inYear("n", submissions)} as at,
     ${oneOf("n * 7 / 11", beginnings)} || ${oneOf("n * 5 / 13", endings)} as last) t,
     lateral (select lower(last) || '.' || n || '@example.org' as address) a`,
  analyze,
  `insert into submission (id, organization_id, interview_set_id, candidate_id, external_id, flow, status, expires_at, initiated_at,
     started_at, completed_at, created_at, updated_at, candidate_milestone, milestone)
   select ${idAt("c.created_at")}, ${organization}, s.id, c.id, 'application-' || n, 'interview', status, c.created_at + interval '30 days',
     c.created_at + interval '1 day', case when status in ('started', 'completed', 'evaluated') then c.created_at + interval '1 day' end,
     case when status in ('completed', 'evaluated') then c.created_at + interval '1 day' end, c.created_at, c.created_at,
     progress, progress
   from (select *, row_number() over (order by id) as n from candidate where organization_id = ${organization}) c
   join (select id, row_number() over (order by id) as number from interview_set where organization_id = ${organization}) s
     on s.number = case when n % 5 = 0 then ${cycled("n / 5", sets)} else ${cycled("n", busySets)} end,
   lateral (select ${oneOf("hashint8(n) & 65535", [
     "evaluated",
     "need_interview",
     "evaluated",
     "expired",
     "evaluated",
     "completed",
     "initiated",
     "evaluated",
     "withdrawn",
     "started",
   ])} as status) t,
   lateral (select candidate_milestone(status, c.created_at,
     case when status in ('started', 'completed', 'evaluated') then c.created_at end) as progress) p`,
  analyze,
  `insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, status, expires_at,
     sent_at, created_at, updated_at)
   select ${idAt("b.created_at")}, ${organization}, interview_set_id, c.id, b.id, c.email,
     case b.status when 'need_interview' then ${oneOf("hashtext(b.id::text) & 65535", ["sent", "delivered", "opened", "failed"])}
       when 'expired' then 'expired' when 'withdrawn' then 'cancelled' else 'clicked' end,
     b.expires_at, b.created_at, b.created_at, b.created_at
   from submission b join candidate c on c.id = b.candidate_id where b.organization_id = ${organization}`,
  analyze,
  `insert into email (id, organization_id, invitation_id, kind, recipient, subject, text, state, due_at, sent_at, created_at)
   select ${idAt("created_at")}, ${organization}, id, 'invitation', email, 'Interview', repeat('Please answer. ', 40), 'sent',
     null, created_at, created_at
   from invitation where organization_id = ${organization}`,
  `insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluator, evaluated_at,
     created_at, state, due_at)
   select ${idAt("created_at")}, ${organization}, id, 'interview', 1, jsonb_build_object('score', case when n % 9 > 0 then n % 101 / 10.0 end,
     'score_status', case n % 9 when 0 then 'cannot_evaluate' else 'scored' end, 'summary', repeat('Fits. ', 50), 'strengths',
     '[]'::jsonb, 'gaps', '[]'::jsonb, 'recommendations', '[]'::jsonb, 'criteria', (select jsonb_agg(jsonb_build_object('title', 'Requirement ' || c, 'score', (n + c) % 5 * 2.5,
     'evidence', jsonb_build_array(jsonb_build_object('quote', repeat('I ran it for years. ', 5))))) from generate_series(1, 6) c)),
     'keyword', now(), created_at,
     'done', null
   from (select *, row_number() over (order by id) as n from submission where organization_id = ${organization}) b
   where status = 'evaluated'`,
  `insert into answer (organization_id, submission_id, attempt, question_id, content)
   select ${organization}, b.id, 1, q.id, repeat('I ran it for years with a team of five. ', 10)
   from submission b join question q on q.interview_set_id = b.interview_set_id
   where b.organization_id = ${organization} and b.status in ('completed', 'evaluated')`,
  `insert into submission_words (submission_id, organization_id, words)
   select id, organization_id, array_to_tsvector(array(select distinct organization_id || ':' || word from (
       select unnest(array['the', 'and', 'team', 'with', 'for', 'years', 'worked', 'project', 'customers', 'because'])
       union all select 'word' || (hashtext(id::text || g) & 65535) % 4000 from generate_series(1, 80) g
       union all select 'kubernetes' where (hashtext(id::text) & 65535) % 25 = 0
       union all select 'rare' || (hashtext(id::text) & 65535) % 2000) w (word)))
   from submission where organization_id = ${organization} and status in ('completed', 'evaluated')
   -- a trigger stored the words of external_id
   on conflict (submission_id) do update set words = submission_words.words || excluded.words`,
  // decisions about most of the older submissions: the best and the weakest
  `update submission b set decision = case when k.score >= 7 then 'advance' when k.score < 4 then 'reject' else 'hold' end,
     decided_at = b.created_at + interval '5 days', decided_by = jsonb_build_object('id', gen_random_uuid(), 'name', 'Member 7'),
     decision_changes = 1, updated_at = b.updated_at
   from submission_score k where k.submission_id = b.id and b.organization_id = ${organization}
     and b.created_at < now() - interval '30 days' and (k.score >= 7 or k.score < 4 or hashtext(b.id::text) % 3 = 0)`,
  `update submission b set stage_id = h.id, stage_changes = 1, stage_moved_at = b.created_at + interval '4 days',
     updated_at = b.updated_at
   from (select id, row_number() over (order by position) as number from hiring_stage where organization_id = ${organization}) h
   where b.organization_id = ${organization} and b.status = 'evaluated' and h.number = (hashtext(b.id::text) & 65535) % 12`,
  `insert into review (id, organization_id, submission_id, member_id, sent_at)
   select gen_random_uuid(), ${organization}, b.id, m.id, b.created_at + interval '2 days'
   from submission b join member m on m.organization_id = ${organization} and m.email = case (hashtext(b.id::text) & 65535) % 20
     when 0 then 'owner.${organization}@example.com' when 1 then '${reader}'
     when 2 then 'member.3@organization-${organization}.example' end
   where b.organization_id = ${organization} and b.status = 'evaluated' and b.created_at < now() - interval '3 days'`,
  `update submission b set reviewed_at = b.created_at + interval '2 days', updated_at = b.updated_at
   from review v where v.submission_id = b.id and b.organization_id = ${organization}`,
  `insert into review_assignment (submission_id, member_id, organization_id, assigned_at, reviewed_at)
   select b.id, m.id, ${organization}, b.created_at + interval '2 days',
     (select v.sent_at from review v where v.submission_id = b.id and v.member_id = m.id)
   from submission b, member m where b.organization_id = ${organization} and b.status = 'evaluated'
     and m.organization_id = ${organization} and m.email = 'reviewer.${organization}@example.com'`,
  `insert into submission_comment (id, organization_id, submission_id, member_id, text, created_at)
   select gen_random_uuid(), ${organization}, b.id, m.id, 'I agree with the others. ' || n, b.created_at + n * interval '1 minute'
   from (select * from submission where organization_id = ${organization} and status = 'evaluated' order by id desc limit 1) b,
     member m, generate_series(1, ${comments}) n
   where m.organization_id = ${organization} and m.email = 'owner.${organization}@example.com'`,
  `update submission_score k set updated_at = b.created_at from submission b
   where b.id = k.submission_id and k.organization_id = ${organization}`,
  // the last 29 days: within the default WEBHOOK_RETENTION
  `insert into webhook_event (id, organization_id, event_type, status, body, submission_id, created_at, xid)
   select id, ${organization}, case n % 3 when 0 then 'interview.evaluation.update' else 'interview.status.update' end,
     case n % 3 when 0 then 'scored' else 'completed' end, jsonb_build_object('schema_version', '1.0.0', 'event_type',
     case n % 3 when 0 then 'interview.evaluation.update' else 'interview.status.update' end, 'event_id', id,
     'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'organization_id', ${organization},
     'data', jsonb_build_object('candidate_email', '', 'submission_id', submission_id, 'text', repeat('a', 500)))::text,
     submission_id, at, pg_current_xact_id()
   from (select b.id as submission_id, n, at, ${idAt("at")} as id
     from (select id, row_number() over (order by id) as n from submission where organization_id = ${organization}) b,
       lateral (select now() - interval '29 days' * (1 - n::float8 / ${submissions}) as at) t) e`,
  analyze,
  `insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at, finished_at,
     state, attempts)
   select nextval(pg_get_serial_sequence('webhook_delivery', 'id')), ${organization}, p.id, v.id,
     jsonb_build_array(jsonb_build_object('at', v.created_at, 'status', case n % 50 when 0 then 500 else 200 end,
       'duration_ms', 12, 'error', null, 'answer', 'thank you')), v.created_at, v.created_at,
     case n % 50 when 0 then 'failed' else 'delivered' end, 1
   from (select *, row_number() over (order by id) as n from webhook_event where organization_id = ${organization}) v
   cross join generate_series(1, ${deliveries}) d
   join (select id, row_number() over (order by id) as number from webhook_endpoint where organization_id = ${organization}) p
     on p.number = case d when 1 then 1 else ${cycled(`n * ${deliveries} + d`, endpoints)} end`,
  `insert into audit_log (organization_id, member_id, action, record_type, record_id, detail, created_at)
   select ${organization}, m.id, kind || '.change', kind, gen_random_uuid(), '{"before": {"name": "a"}, "after": {"name": "b"}}', at
   from generate_series(1, ${submissions}) n
   left join (select id, row_number() over (order by id) as number from member where organization_id = ${organization}) m
     on m.number = nullif(${cycled("n", members)}, 7),
   lateral (select ${inYear("n", submissions)} as at, ${oneOf("n", ["invitation", "evaluation", "webhook_endpoint", "member", "api_key"])} as kind) t`,
]

const createPartitions = `do $$ declare day date; begin
  for i in 1..30 loop
    day := (now() at time zone 'UTC')::date - i;
    execute format('create table if not exists webhook_delivery_history_%s partition of webhook_delivery_history for values from (%L) to (%L)',
      to_char(day, 'YYYYMMDD'), day || ' 00:00+00', (day + 1) || ' 00:00+00');
  end loop;
end $$`

/** `reader` is the address of the recruiter with access to few sets. */
export const fill = (url: string, organizations: ReadonlyArray<{ readonly id: number; readonly reader: string }>) =>
  Effect.forEach(
    [
      createPartitions,
      ...organizations.flatMap(({ id, reader }, at) =>
        statements(id, reader, at === 0 ? size.submissions : size.submissions / 10),
      ),
      "vacuum analyze",
    ],
    (statement) => execute(url, statement),
    { discard: true },
  )
