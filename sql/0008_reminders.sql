-- One reminder for each invitation, before it expires. Whether it gets one is decided once, when its time has come:
-- null until then; 'queued' is a mail in email, 'skipped' none (there was no use in it). An extension opens 'skipped' anew.
alter table invitation add column reminder text check (reminder in ('queued', 'skipped'));
create index invitation_reminder on invitation (expires_at)
  where reminder is null and status in ('sent', 'delivered', 'opened', 'clicked');
