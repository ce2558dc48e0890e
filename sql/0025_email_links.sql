-- Replaces the links in stored mails by slots (src/service/emails/LinkSlots.ts).

-- token_hash is now the SHA-256 of the id of the mail that contains the link. Links of queued mails are kept and get a new
-- address when the mail is sent. Links sent before this migration stop working.
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

-- Replies of mail servers and reports of providers may quote a link.
update email set error = regexp_replace(error, '(/(?:i|o|c|unsubscribe|password)/)[A-Za-z0-9_-]{20,}', '\1…', 'g')
where error ~ '/(i|o|c|unsubscribe|password)/';
update mail_report set body = regexp_replace(body, '(/(?:i|o|c|unsubscribe|password)/)[A-Za-z0-9_-]{20,}', '\1…', 'g')
where body ~ '/(i|o|c|unsubscribe|password)/';
