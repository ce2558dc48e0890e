-- The words of stored submissions, in a transaction of their own: it blocks neither reads nor other rows.

insert into submission_words (submission_id, organization_id, words)
select id, organization_id, answer_words(id, attempt, organization_id) from submission
where (flow = 'interview' and status in ('completed', 'evaluated')) or external_id is not null or metadata <> '{}'
on conflict (submission_id) do update set words = excluded.words;
