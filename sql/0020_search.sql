-- Finding people, and finding what was sent of one of them. The indexes are made beside those who write
-- (repository/LargeIndexes.ts): none of them can be made in a transaction without holding everybody up.

-- The words by which a candidate is found: of the names and the addresses, in lower case. Each carries the organization,
-- so that a search reads nobody else's. What follows the first 400 characters of a field does not count: an index takes
-- no more.
create function person_words(organization integer, name text, firstname text, lastname text, email text, cv_email text)
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(array_remove(string_to_array(replace(translate(lower(
    ' ' || left(coalesce(name, ''), 400) || ' ' || left(coalesce(firstname, ''), 400) || ' '
      || left(coalesce(lastname, ''), 400) || ' ' || left(coalesce(email, ''), 400) || ' ' || left(coalesce(cv_email, ''), 400)),
    E'./_-@:,;()\'"\\\t\n\r\u00a0', repeat(' ', 17)),
    ' ', ' ' || organization::text || ':'), ' '), organization::text || ':'), ''))
$$;

-- What finds the words of a text, each as the beginning of one; null: the text has none.
create function person_query(organization integer, text text) returns tsquery
language sql immutable parallel safe as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery
  from unnest(tsvector_to_array(person_words(organization, text, null, null, null, null))) word
$$;

-- The finished deliveries of an event. Ids of events grow with time, as the history does: an entry goes to the end of its
-- day's index. Days that are yet to come get it with their partition, whichever pod makes it.
create index webhook_delivery_history_event on only webhook_delivery_history (event_id);
