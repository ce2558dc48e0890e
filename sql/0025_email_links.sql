-- Stored mails hold no links: slots stand in their place (src/service/emails/LinkSlots.ts).

-- From here on token_hash is the SHA-256 of the id of the mail that brings the link. Links of mails that wait are kept and
-- get a new address when the mail is sent; links that were sent before do not work any more.
update member_link l set token_hash = sha256(convert_to(m.id::text, 'UTF8'))
from email m
where m.kind in ('member_invitation', 'password_reset') and m.state = 'queued'
  and l.token_hash = sha256(decode(translate(substring(m.text from '/password/([A-Za-z0-9_-]{43})\M'), '-_', '+/') || '=', 'base64'));

delete from member_link l
where not exists (
  select from email m where m.organization_id = l.organization_id and m.kind in ('member_invitation', 'password_reset')
    and l.token_hash = sha256(convert_to(m.id::text, 'UTF8')));

update email m set (html, text) = (
  select max(s.filled) filter (where s.part = 'html'), max(s.filled) filter (where s.part = 'text')
  from (values ('html', m.html), ('text', m.text)) p (part, content)
  cross join lateral (
    select p.part, replace(replace(
      regexp_replace(p.content, 'https?://[^[:space:]"<>]*/(i|o|unsubscribe|password)/[A-Za-z0-9_-]{43,44}', slot.url || '\1', 'g'),
      slot.url || 'i', slot.url || 'interview'), slot.url || 'o', slot.url || 'opened') as filled
    from (select 'https://link.invalid/' || m.id || '/' as url) slot
  ) s)
where m.text ~ '/(i|password)/[A-Za-z0-9_-]{43}';

-- What mail servers and providers said of mails may quote a link.
update email set error = regexp_replace(error, '(/(?:i|o|c|unsubscribe|password)/)[A-Za-z0-9_-]{20,}', '\1…', 'g')
where error ~ '/(i|o|c|unsubscribe|password)/';
update mail_report set body = regexp_replace(body, '(/(?:i|o|c|unsubscribe|password)/)[A-Za-z0-9_-]{20,}', '\1…', 'g')
where body ~ '/(i|o|c|unsubscribe|password)/';
