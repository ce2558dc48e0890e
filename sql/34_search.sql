-- The search ignores case and accents in every locale of the database, and finds external ids, values of metadata and names
-- of answers' files.

-- In lower case, without accents. Under the locale C, lower() knows ASCII only, so letters are decomposed first; `translate`
-- has those that have no decomposition, and the capitals of other alphabets. ASCII, of which most long answers consist, needs
-- none of it: as many bytes as characters.
create function folded(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = char_length(text) then lower(text collate "C") else
    replace(replace(replace(replace(translate(lower(regexp_replace(normalize(text, nfkd), U&'[\0300-\036f]', '', 'g')),
    'ØøŁłĐđÐðıĦħẞÆŒÞАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
    'oollddddihhßæœþабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґαβγδεζηθικλμνξοπρστυφχψωσ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end
$$;

-- `return` binds the functions that are called: a restore and a Citus worker have another search_path.
create or replace function person_words(organization integer, name text, firstname text, lastname text, email text,
  cv_email text)
returns tsvector language sql immutable parallel safe
return array_to_tsvector(array_remove(array_remove(string_to_array(replace(translate(folded(
    ' ' || left(coalesce(name, ''), 400) || ' ' || left(coalesce(firstname, ''), 400) || ' '
      || left(coalesce(lastname, ''), 400) || ' ' || left(coalesce(email, ''), 400) || ' ' || left(coalesce(cv_email, ''), 400)),
    E'./_-@:,;()\'"\\\t\n\r\u00a0', repeat(' ', 17)),
    ' ', ' ' || organization::text || ':'), ' '), organization::text || ':'), ''));

-- The same column again: Postgres computes it for the stored rows.
alter table candidate drop column words;
alter table candidate add column words tsvector not null
  generated always as (person_words(organization_id, name, firstname, lastname, email, cv_email)) stored;
create index candidate_words on candidate using gin (words);

create index interview_set_folded on interview_set
  using gin (to_tsvector('simple', folded(translate(title || ' ' || coalesce(position, ''), './_-@:', '      '))));

-- Also what the hiring system stores with the submission; answers only once they are submitted.
create or replace function answer_words(of_submission uuid, of_attempt integer, organization integer) returns tsvector
language sql stable parallel safe set search_path from current as $$
  select array_to_tsvector(coalesce((
    select array_agg(distinct organization::text || ':' || left(word, 200))
    from submission s, unnest(regexp_split_to_array(folded(
      coalesce(s.external_id, '') || ' ' || coalesce((select string_agg(value, ' ') from jsonb_each_text(s.metadata)), '')
        || ' ' || left(case when s.status in ('completed', 'evaluated') then coalesce((
      select string_agg(coalesce(left(a.content, 20000), '') || ' ' || coalesce(a.file_name, ''), ' ' order by a.question_id)
      from answer a where a.submission_id = of_submission and a.attempt = of_attempt), '') else '' end, 100000)),
      -- spaces and punctuation; [:alnum:] would depend on the database's locale
      U&'[\0001-/:-@\005b-`{-\00bf\2000-\206f\3000-\303f]+')) word
    where s.id = of_submission and s.organization_id = organization and word <> ''), '{}'))
$$;

create trigger submission_referenced after insert on submission for each row
  when (new.external_id is not null or new.metadata <> '{}')
  execute function store_submission_words();
create trigger submission_reference_changed after update of external_id, metadata on submission for each row
  when (old.external_id is distinct from new.external_id or old.metadata is distinct from new.metadata)
  execute function store_submission_words();
