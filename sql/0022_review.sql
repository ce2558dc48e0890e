-- The scores that people gave before 0017_workspace_mends.sql; apart from it, for that one locks the table. One that was
-- given since then is there already.
update submission_score k set own = l.own
from leading_score l
where l.submission_id in (select e.submission_id from evaluation e where e.override is not null)
  and l.submission_id = k.submission_id and l.own is not null and k.own is null;
