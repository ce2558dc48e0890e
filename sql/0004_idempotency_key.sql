-- An answer is stored whole, in the transaction of what it reports: there is no row for a request that still runs.
alter table idempotency_key alter column status set not null, alter column body set not null;
