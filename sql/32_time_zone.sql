-- The time zone of the times that an organization's emails and pages show: an IANA name, checked by the service.

alter table organization add column time_zone text not null default 'UTC';
