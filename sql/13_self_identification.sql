-- Voluntary self-identification of candidates, and the counts of which impact ratios are computed (docs/candidates.md#voluntary-questions).

-- What an organization asks; no row: nothing.
create table self_identification_form (
  organization_id integer primary key references organization,
  asks            text[] not null default '{}' check (asks <@ array['sex', 'ethnicity', 'own']),
  text            text not null default '', -- the organization's words above the questions
  own_question    text not null default '',
  own_categories  text[] not null default '{}', -- at most 20 (impact/SelfIdentification.ts)
  version         integer not null default 1, -- counts the changes, so that none overwrites another unseen
  check (not 'own' = any(asks) or cardinality(own_categories) >= 2)
);

-- What a candidate answered. No list, export, event or search reads it: only the candidate's page, impact_counts, and the
-- person's export and erasure. The month instead of the moment, so that no log's times lead to a row.
create table self_identification (
  submission_id   uuid primary key references submission on delete cascade,
  organization_id integer not null references organization,
  sex             text, -- null: not said, as below
  ethnicity       text,
  own             text,
  answered_month  date not null check (extract(day from answered_month) = 1),
  check (num_nonnulls(sex, ethnicity, own) > 0) -- an answer that is withdrawn is deleted
);
create index self_identification_organization on self_identification (organization_id);

-- People by what they said, in interviews that were submitted from `first` until before `next`; the only join of the two
-- tables. Groups, which may be small: impact/ImpactRatios.ts hides small numbers. Answers count from the month after they were
-- given, so that two reports of one month differ by withdrawn answers and erased persons only.
--   of_stage 'scored': people with a score; selected: it is above the median of all of them. The software's score, not a member's.
--   'advanced': selected by the decision. 'stage': moved to the hiring stage `stage`, or to a later one that is not a rejection.
create function impact_counts(organization integer, of_set uuid, first timestamptz, next timestamptz, moment timestamptz,
  of_stage text, stage uuid) returns table (sex text, ethnicity text, own text, applicants integer, selected integer)
language sql stable set search_path from current as $$
  with people as materialized (
    select b.id, k.score, case of_stage when 'advanced' then b.decision = 'advance' when 'stage' then exists (
        select from hiring_stage h, hiring_stage least where h.id = b.stage_id and least.id = stage
          and h.organization_id = organization and least.organization_id = organization
          and h.position >= least.position and h.decision is distinct from 'reject') end as is_selected
    from submission b left join submission_score k on k.submission_id = b.id and k.score_status = 'scored'
    where b.organization_id = organization and b.completed_at >= first and b.completed_at < next
      and (of_set is null or b.interview_set_id = of_set) and (of_stage <> 'scored' or k.score is not null)
  ), median as (
    select percentile_cont(0.5) within group (order by p.score) as score from people p where of_stage = 'scored'
  )
  select i.sex, i.ethnicity, i.own, count(*)::integer,
    (count(*) filter (where case of_stage when 'scored' then p.score > m.score else p.is_selected end))::integer
  from people p cross join median m left join self_identification i on i.submission_id = p.id
    and i.organization_id = organization and i.answered_month < date_trunc('month', moment at time zone 'UTC')::date
  group by 1, 2, 3
$$;
