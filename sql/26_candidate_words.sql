-- The words of a candidate's names and addresses, for the search. Stored, because splitting a name takes 16 µs, and a search
-- for a common name compares thousands of candidates.
alter table candidate add column words tsvector not null
  generated always as (person_words(organization_id, name, firstname, lastname, email, cv_email)) stored;
drop index candidate_words;
create index candidate_words on candidate using gin (words);

-- The newest invitation of a submission and its status: an index-only scan.
drop index invitation_submission;
create index invitation_submission on invitation (submission_id, created_at, id) include (status);
