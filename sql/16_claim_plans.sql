-- A queue is empty most of the time, and then its statistics say so: the planner expects one row of any condition, all
-- indexes cost the same, and it may read a backlog by another index. Only statements that name `attempts >= 0`, which is
-- always true, can use this one: claims of all endpoints do, claims of one endpoint do not.
drop index webhook_delivery_lane;
create index webhook_delivery_lane on webhook_delivery (least(attempts, 1), due_at)
  where due_at is not null and attempts >= 0;
