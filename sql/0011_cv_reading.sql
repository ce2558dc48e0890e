-- What was read from a CV beside its text: what to know of the reading, for people (a JSON array of sentences), and of which
-- type the original is, whose content the blob store keeps.
alter table cv
  add column notes jsonb not null default '[]',
  add column file_type text;

-- The address that stands in a candidate's CV. Apart from `email`, by which a person is known and written to: nobody is
-- known by, or invited at, what was found in a file. Answers and events show it where there is no other.
alter table candidate add column cv_email text;
