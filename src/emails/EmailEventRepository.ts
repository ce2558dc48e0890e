/** Stores providers' reports on emails, each once, until they are applied. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { clock, Database, recordset } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { EmailId, InvitationId, OrganizationId } from "../values/Ids.ts"

/** Has `email_id` or `provider_message_id`. */
export interface MailReport {
  /** Deduplicates reports. */
  readonly provider_event_id: string
  readonly kind: string
  readonly email_id: EmailId | null
  readonly provider_message_id: string | null
  /** JSON, without the tokens of links. */
  readonly body: string
}

export interface WaitingReport {
  /** A bigint as text. */
  readonly id: string
  readonly kind: string
  readonly body: string
  readonly provider: string
  readonly organization_id: OrganizationId
  readonly email_id: EmailId
  readonly invitation_id: InvitationId | null
  readonly recipient: string
}

export interface SettledEmail {
  readonly id: EmailId
  readonly organization_id: OrganizationId
  readonly invitation_id: InvitationId | null
}

export const personalEmailEvents: PersonalTable = {
  table: "email_event",
  kept: ["kind", "provider", "provider_event_id"],
  rows: "t.email_id in (select id from email where invitation_id = any(p.invitations))",
  cleared: ["error"],
  set: {
    body: "'{}'",
  },
  compute: { applied_at: "coalesce(t.applied_at, p.at)" },
  exported: {
    name: "reports",
    of: "email",
    row: "jsonb_build_object('kind', r.kind, 'at', r.created_at, 'body', r.body)",
    from: "email_event r where r.email_id = m.id",
    order: "r.id",
  },
}

export class EmailEventRepository extends Context.Service<EmailEventRepository>()(
  "interview-invitations/emails/EmailEventRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /**
         * Skips reports on unknown emails and reports that are stored already; stores the others. Dies (HTTP answers 503) if the
         * database refuses the reports of an organization, so that the provider sends them again.
         */
        insert: Effect.fnUntraced(function* (provider: string, reports: ReadonlyArray<MailReport>) {
          if (reports.length === 0) return 0
          const known = sql`
            select e.organization_id, e.id, r.provider_event_id, r.kind, r.body, r.ordinal
            from ${recordset(
              sql,
              reports.map((report, ordinal) => ({ ...report, ordinal })),
              "ordinal int, provider_event_id text, kind text, body text, email_id uuid, provider_message_id text",
            )}
            cross join lateral (
              select id, organization_id from email where id = r.email_id
              union all
              -- a provider may give an id twice; the report is about the newer mail
              (select id, organization_id from email
               where provider = ${provider} and provider_message_id = r.provider_message_id
               order by created_at desc, id desc limit 1)
              limit 1
            ) e`
          const stored = Effect.fnUntraced(function* (condition: Statement.Fragment) {
            const rows = yield* sql`
              with known as materialized (${known})
              insert into email_event (organization_id, email_id, provider, provider_event_id, kind, body, created_at)
              select organization_id, id, ${provider}, provider_event_id, kind, body, ${yield* now} from known
              where ${condition} order by ordinal
              on conflict (provider, provider_event_id) do nothing returning id`
            return rows.length
          })
          const isSuspended = sql`organization_id = any(array(select id from suspended_organization))`
          const count = yield* stored(sql`not ${isSuspended}`)
          // apart, because these may be refused
          return count === reports.length ? count : count + (yield* stored(isSuspended))
        }),
        isKnown: Effect.fnUntraced(function* (email: EmailId) {
          return (yield* sql`select from email where id = ${email}::uuid`).length > 0
        }),
        /** Locks the rows until the transaction ends; skips locked ones. */
        take: Effect.fnUntraced(function* (limit: number) {
          return yield* sql<WaitingReport>`
            select r.id::text, r.kind, r.body, r.provider, r.organization_id, r.email_id, e.invitation_id, e.recipient
            from email_event r join email e on e.id = r.email_id
            where r.applied_at is null and r.organization_id <> all(array(select id from suspended_organization))
            order by r.id limit ${limit}::int for update of r skip locked`
        }),
        markApplied: Effect.fnUntraced(function* (ids: ReadonlyArray<string>, error: string | null) {
          yield* sql`
            update email_event set applied_at = ${yield* now}, error = ${error}
            where id = any(${[...ids]}::text[]::bigint[])`
        }),
        /**
         * Settles queued emails as sent that a provider has: their worker crashed after handing them over, or the database was
         * restored to an earlier moment. `provider`: null when it is not known.
         */
        settleHandedOver: Effect.fnUntraced(function* (provider: string | null, emails: ReadonlyArray<EmailId>) {
          return yield* sql<SettledEmail>`
            update email set state = 'sent', due_at = null, claim_id = null, attempts = attempts + 1, error = null,
              handed_at = coalesce(handed_at, clock.now), sent_at = coalesce(sent_at, clock.now),
              provider = coalesce(${provider}, provider)
            from ${clock(sql, yield* now)}
            where id = any(${[...emails]}::uuid[]) and state = 'queued'
            returning id, organization_id, invitation_id`
        }),
        /** Deletes applied reports only. */
        deleteBefore: Effect.fnUntraced(function* (before: Date, limit: number) {
          const rows = yield* sql`
            delete from email_event where id = any(array(
              select id from email_event where created_at < ${before} and applied_at is not null
                and organization_id <> all(array(select id from suspended_organization))
              order by created_at limit ${limit}::int for update skip locked))
            returning id`
          return rows.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
