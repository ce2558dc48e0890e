-- Notices to candidates before they are evaluated (docs/candidate-notices.md).

-- When evaluations of the submission may run at the earliest; null: at once. The only place that decides it.
create function evaluable_at(of_submission uuid) returns timestamptz
  language sql stable parallel safe set search_path from current as $$
  select s.notice_until from submission s where s.id = of_submission
$$;

-- Also for retries, and for evaluations that waited for recordings. Jobs that a move of the organization holds keep that.
create function delay_evaluation() returns trigger language plpgsql set search_path from current as $$
begin
  new.due_at = greatest(new.due_at, evaluable_at(new.submission_id));
  return new;
end
$$;
create trigger evaluation_delayed before insert or update of due_at on evaluation for each row
  when (new.due_at < job_held_until()) execute function delay_evaluation();
