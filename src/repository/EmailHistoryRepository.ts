/** Mails as an operator looks at them: what waits, what was sent, and what failed and why. */
import { Context, Effect, Layer } from "effect"
import type { EmailId, InvitationId, OrganizationId } from "../domain/Ids.ts"
import { Database, first } from "./Database.ts"
import type { EmailKind, EmailState } from "./EmailRepository.ts"
import { when } from "./Paging.ts"

/** A mail without its text. */
export interface EmailEntry {
  readonly id: EmailId
  readonly state: EmailState
  readonly kind: EmailKind
  readonly recipient: string
  readonly invitation_id: InvitationId | null
  /** Attempts that have ended. */
  readonly attempts: number
  /** What the provider said at the last attempt, or why none was made; null: nothing is wrong. */
  readonly error: string | null
  readonly created_at: Date
  /** The next attempt; null when there is none. */
  readonly due_at: Date | null
  /** When it was last handed to the provider. */
  readonly handed_at: Date | null
  readonly sent_at: Date | null
}

/** One mail, with what was reported of it since. */
export interface EmailFile extends EmailEntry {
  readonly subject: string | null
  readonly provider: string | null
  readonly provider_message_id: string | null
  readonly message_id: string | null
  /** Oldest first; `kind` as domain/MailReport.ts calls it. */
  readonly reports: ReadonlyArray<{ readonly kind: string; readonly at: string }>
}

/** Which mails of an organization; what is left out does not matter. */
export interface EmailFilter {
  readonly state?: EmailState | undefined
  /** Made at or after. */
  readonly since?: Date | undefined
  /** Older than this one. */
  readonly before?: EmailId | undefined
}

export class EmailHistoryRepository extends Context.Service<
  EmailHistoryRepository,
  {
    /** An organization's mails, newest first. */
    readonly list: (
      organization: OrganizationId,
      filter: EmailFilter,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<EmailEntry>>
    /** Of whatever organization: for commands, which name a mail and nothing else. */
    readonly find: (id: EmailId) => Effect.Effect<EmailFile | undefined>
    /**
     * The invitations of which a mail has failed since then and none was sent or queued after it, in the order in which
     * their mails were made.
     */
    readonly failedInvitations: (
      organization: OrganizationId,
      since: Date,
    ) => Effect.Effect<ReadonlyArray<InvitationId>>
    /** Whether this is one of them by now. */
    readonly isFailed: (organization: OrganizationId, since: Date, id: InvitationId) => Effect.Effect<boolean>
  }
>()("interview-invitations/repository/EmailHistoryRepository") {
  static readonly layer = Layer.effect(
    EmailHistoryRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const shown = sql.literal(
        "m.id, m.state, m.kind, m.recipient, m.invitation_id, m.attempts, m.error, m.created_at, m.due_at, m.handed_at, m.sent_at",
      )
      const failed = (organization: OrganizationId, since: Date) => sql`
        from email m
        where m.organization_id = ${organization}::int and m.state = 'failed' and m.invitation_id is not null
          and coalesce(m.handed_at, m.created_at) >= ${since}
          and not exists (select from email n where n.invitation_id = m.invitation_id
            and (n.created_at, n.id) > (m.created_at, m.id) and n.state in ('queued', 'sent'))`
      return EmailHistoryRepository.of({
        list: Effect.fnUntraced(function* (organization, { before, since, state }, limit) {
          return yield* sql<EmailEntry>`
            select ${shown} from email m
            where m.organization_id = ${organization}::int and ${when(sql, state, (state) => sql`m.state = ${state}`)}
              and ${when(sql, since, (since) => sql`m.created_at >= ${since}`)}
              and ${when(
                sql,
                before,
                (before) => sql`(m.created_at, m.id) < (select created_at, id from email
                  where id = ${before}::uuid and organization_id = ${organization}::int)`,
              )}
            order by m.created_at desc, m.id desc limit ${limit}::int`
        }, Effect.orDie),
        find: Effect.fnUntraced(function* (id) {
          return first(
            yield* sql<EmailFile>`
              select ${shown}, m.subject, m.provider, m.provider_message_id, m.message_id,
                coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'at', r.created_at) order by r.id)
                  from email_event r where r.email_id = m.id), '[]') as reports
              from email m where m.id = ${id}::uuid`,
          )
        }, Effect.orDie),
        failedInvitations: Effect.fnUntraced(function* (organization, since) {
          const rows = yield* sql<{ invitation_id: InvitationId }>`
            select m.invitation_id ${failed(organization, since)}
            group by m.invitation_id order by min(m.created_at), m.invitation_id`
          return rows.map(({ invitation_id }) => invitation_id)
        }, Effect.orDie),
        isFailed: Effect.fnUntraced(function* (organization, since, id) {
          const rows = yield* sql`
            select m.id ${failed(organization, since)} and m.invitation_id = ${id}::uuid limit 1`
          return rows.length > 0
        }, Effect.orDie),
      })
    }),
  )
}
