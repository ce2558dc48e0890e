import type { Sql } from "../platform/database/Sql.ts"

/** The column `appearance` (Appearance.ts) of organization `o`; null: never set. */
export const appearanceOf = (sql: Sql) =>
  sql.literal(
    `(select jsonb_build_object('colour', p.colour, 'welcome', p.welcome, 'sender_name', p.sender_name,
        'reply_to', p.reply_to, 'logo', case when p.logo_id is not null then
          jsonb_build_object('id', p.logo_id, 'width', p.logo_width, 'height', p.logo_height) end)
      from organization_appearance p where p.organization_id = o.id) as appearance`,
  )
