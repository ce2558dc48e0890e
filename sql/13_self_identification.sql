-- Voluntary self-identification of candidates, and reports of impact ratios (docs/impact-ratios.md).

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

-- What a candidate answered. No list, event or search reads it: only the candidate's page, the counts of a report
-- (impact/ImpactReportRepository.ts), and the person's export and erasure. The month instead of the moment, so that no log's times
-- lead to a row.
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

-- A report of impact ratios, as it was made: only numbers that it shows. Later reports are compared with it, so that the difference
-- of two reveals no small number (impact/EarlierReports.ts). Therefore it is never deleted.
create table impact_report (
  id               uuid primary key,
  organization_id  integer not null references organization,
  interview_set_id uuid references interview_set, -- null: all sets
  first_month      date not null check (extract(day from first_month) = 1),
  last_month       date not null check (extract(day from last_month) = 1 and last_month >= first_month),
  stage            text not null check (stage in ('scored', 'advanced', 'stage')),
  stage_id         uuid references hiring_stage,
  names            jsonb not null, -- of the set, the stage and the member, when the report was made
  content          jsonb not null, -- shown numbers only (impact/ImpactReport.ts)
  made_at          timestamptz not null,
  check ((stage = 'stage') = (stage_id is not null))
);
create index impact_report_newest on impact_report (organization_id, made_at, id);
