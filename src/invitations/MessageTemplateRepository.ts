/** Stores the templates of messages. */
import { Context, Effect, Layer } from "effect"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { MemberId, MessageTemplateId, OrganizationId } from "../values/Ids.ts"
import type { MessageTemplate, TemplateText } from "./MessageTemplate.ts"

type NewTemplate = TemplateText & { readonly id: MessageTemplateId; readonly created_by: MemberId }

export class MessageTemplateRepository extends Context.Service<MessageTemplateRepository>()(
  "interview-invitations/invitations/MessageTemplateRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      const columns = sql.literal(
        "t.id, t.kind, t.name, t.subject, t.text, t.version, t.created_by, coalesce(m.name, m.email) as author, t.updated_at",
      )
      const hasName = (organization: OrganizationId, name: string, except: MessageTemplateId | null) => sql`
        select from message_template
        where organization_id = ${organization}::int and lower(name) = lower(${name}) and id is distinct from ${except}::uuid`
      return {
        /** All of an organization, by name. */
        list: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<MessageTemplate>`
            select ${columns} from message_template t join member m on m.id = t.created_by
            where t.organization_id = ${organization}::int order by lower(t.name)`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: MessageTemplateId) {
          return first(
            yield* sql<MessageTemplate>`
              select ${columns} from message_template t join member m on m.id = t.created_by
              where t.organization_id = ${organization}::int and t.id = ${id}::uuid`,
          )
        }),
        /** Blocks creation of other templates of the organization until the transaction ends; returns their number. */
        lock: Effect.fnUntraced(function* (organization: OrganizationId) {
          yield* sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "message_template", organization)}`
          const row = first(
            yield* sql<{ readonly count: number }>`
              select count(*)::int as count from message_template where organization_id = ${organization}::int`,
          )
          return row?.count ?? 0
        }),
        exists: Effect.fnUntraced(function* (id: MessageTemplateId) {
          return (yield* sql`select from message_template where id = ${id}::uuid`).length > 0
        }),
        /** False: another template has the name. */
        create: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { created_by, id, kind, name, subject, text }: NewTemplate,
        ) {
          if ((yield* hasName(organization, name, null)).length > 0) return false
          const at = yield* now
          yield* sql`
            insert into message_template (id, organization_id, kind, name, subject, text, created_by, created_at, updated_at)
            values (${id}::uuid, ${organization}::int, ${kind}, ${name}, ${subject}, ${text}, ${created_by}::uuid, ${at}, ${at})`
          return true
        }),
        /** `stale`: another version is stored, or none. */
        update: Effect.fnUntraced(function* (
          organization: OrganizationId,
          {
            id,
            kind,
            name,
            subject,
            text,
            version,
          }: TemplateText & { readonly id: MessageTemplateId; readonly version: number },
        ) {
          if ((yield* hasName(organization, name, id)).length > 0) return "taken"
          const rows = yield* sql`
            update message_template set kind = ${kind}, name = ${name}, subject = ${subject}, text = ${text}, version = version + 1, updated_at = ${yield* now}
            where organization_id = ${organization}::int and id = ${id}::uuid and version = ${version}::int returning id`
          return rows.length > 0 ? "saved" : "stale"
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, id: MessageTemplateId) {
          const rows = yield* sql`
            delete from message_template where organization_id = ${organization}::int and id = ${id}::uuid returning id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
