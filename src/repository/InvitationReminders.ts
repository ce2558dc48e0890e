/** Decides, once for each invitation, whether a reminder is sent before it expires. */
import { Context, Duration, Effect, Layer } from "effect"
import { Database, first } from "./Database.ts"
import { Wakeups } from "./Wakeups.ts"

export class InvitationReminders extends Context.Service<
  InvitationReminders,
  {
    /**
     * Of the invitations that expire within `ahead`, those that nothing was decided about yet: who has not started gets a
     * mail, unless another about the same invitation waits, or left less than `ahead` before the reminder was due. Returns
     * how many were decided. Of pods that do this at once, each takes other rows.
     */
    readonly decide: (ahead: Duration.Duration, limit: number) => Effect.Effect<number>
  }
>()("interview-invitations/repository/InvitationReminders") {
  static readonly layer = Layer.effect(
    InvitationReminders,
    Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      const { wake } = yield* Wakeups
      return InvitationReminders.of({
        decide: Effect.fnUntraced(
          function* (ahead, limit) {
            const at = yield* now
            const lead = sql`${Duration.toMillis(ahead)}::float8 * interval '1 millisecond'`
            // the statuses as the index names them; the row is locked while it is decided, and looked at anew once it is
            const counts = first(
              yield* sql<{ decided: number; queued: number }>`
                with decided as (
                  update invitation i set reminder = case
                    when i.expires_at > ${at} and i.spam_at is null and b.status in ('need_interview', 'initiated')
                      and not exists (select from email m where m.invitation_id = i.id
                        and (m.state = 'queued' or m.sent_at > i.expires_at - 2 * ${lead}))
                    then 'queued' else 'skipped' end
                  from submission b
                  where b.id = i.submission_id and i.reminder is null and i.id = any(array(
                    select id from invitation
                    where reminder is null and status in ('sent', 'delivered', 'opened', 'clicked')
                      and expires_at <= ${at} + ${lead}
                    order by expires_at limit ${limit}::int for no key update skip locked))
                  returning i.id, i.organization_id, i.email, i.reminder
                ), queued as (
                  insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at)
                  select gen_random_uuid(), organization_id, id, 'invitation_reminder', email, ${at}, ${at}
                  from decided where reminder = 'queued'
                  returning id
                )
                select (select count(*)::int from decided) as decided, (select count(*)::int from queued) as queued`,
            )
            if ((counts?.queued ?? 0) > 0) yield* wake("email")
            return counts?.decided ?? 0
          },
          transaction,
          Effect.orDie,
        ),
      })
    }),
  )
}
