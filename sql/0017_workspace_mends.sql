-- Forms of the workspace that were sent: what a form does it does once for each id that its page was given, and an answer
-- that no record holds is kept for a while, so that whoever sends the form twice, or loads the answer again, sees it.
create table form_answer (
  member_id       uuid not null references member on delete cascade,
  form_id         uuid not null, -- made with the page that holds the form
  organization_id integer not null references organization,
  kind            text not null, -- whose answer it is
  answer          bytea, -- sealed; null while it is being made
  created_at      timestamptz not null,
  until           timestamptz not null, -- then nobody is shown it any more
  primary key (member_id, form_id)
);
create index form_answer_until on form_answer (until);
create index form_answer_organization on form_answer (organization_id);
