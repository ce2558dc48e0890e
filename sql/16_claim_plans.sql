-- Statistics of the queue are usually collected while it is empty. The planner then expects one row for any condition, all
-- indexes cost the same, and a claim may read a backlog through the wrong index. `attempts >= 0` is always true, but only
-- statements that contain it can use this index. Claims for all endpoints contain it; claims for one endpoint do not.
drop index webhook_delivery_lane;
create index webhook_delivery_lane on webhook_delivery (least(attempts, 1), due_at)
  where due_at is not null and attempts >= 0;
