-- Types of files that candidates may upload as an answer (files/UploadedFile.ts); null: all of them.
alter table question add column allowed_file_types text[];

-- Search by words of the organization's questions and requirements, for copies into another set. The functions are those of
-- the search for people (07_submissions.sql).
create index question_words on question using gin (person_words(organization_id, title, content, null, null, null));
create index requirement_words on requirement using gin (person_words(organization_id, title, content, null, null, null));
