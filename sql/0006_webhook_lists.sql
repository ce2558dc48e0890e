-- An endpoint's deliveries as people list them, newest first: all that wait, and the failed ones among the finished.
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id);
create index webhook_delivery_history_failures on webhook_delivery_history (endpoint_id, id) where state = 'failed';
-- Whether an old event is still awaited; what is queued has no index by event, which each claim would have to write.
create index webhook_delivery_parked_event on webhook_delivery (event_id) where state = 'parked';
-- Each delivery that was queued looked its endpoint up and locked it for this: an event to ten endpoints takes a fifth
-- less without. An endpoint goes when it has no deliveries and was deleted an hour ago: no statement that saw it alive
-- runs that long.
alter table webhook_delivery drop constraint webhook_delivery_endpoint_id_fkey;
