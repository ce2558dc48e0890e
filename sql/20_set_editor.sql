-- Types of files that candidates may upload as an answer (files/UploadedFile.ts); null: all of them.
alter table question add column allowed_file_types text[];

-- Search by words of the organization's questions and requirements, for copies into another set. The organization is one of
-- the words, so that the index does not return items of others.
create index question_words on question using gin (to_tsvector('simple', 'organization' || organization_id::text || ' '
  || translate(coalesce(title, '') || ' ' || coalesce(content, ''), './_-@:', '      ')));
create index requirement_words on requirement using gin (to_tsvector('simple', 'organization' || organization_id::text || ' '
  || translate(coalesce(title, '') || ' ' || coalesce(content, ''), './_-@:', '      ')));
