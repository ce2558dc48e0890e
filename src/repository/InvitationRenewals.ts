/** Gives invitations another chance: one that failed is sent again, one that nobody has started gets more time. */
import { Context, Effect, Layer } from "effect"
import type { InvitationId, OrganizationId } from "../domain/Ids.ts"
import { Database, first } from "./Database.ts"

export interface ExtendedInvitation {
  readonly email: string
  /** A mail of it waits that is written later, and so tells the new deadline. */
  readonly mail_tells: boolean
}

export class InvitationRenewals extends Context.Service<
  InvitationRenewals,
  {
    /**
     * Of an invitation that has failed, keeps every invite of the organization out until the transaction around it ends:
     * nobody makes another in its place meanwhile. To be asked before the invitation is held: invites do the same in
     * this order. True when it did so.
     */
    readonly keepPlace: (organization: OrganizationId, id: InvitationId) => Effect.Effect<boolean>
    /** failed → pending, as if no mail had left; to be done in its place. What is reported from now on makes events again. */
    readonly reopen: (organization: OrganizationId, id: InvitationId) => Effect.Effect<void>
    /**
     * Moves the deadline of an invitation that lives and that nobody has started, and of its submission, on to `until`;
     * undefined when it is not one of those, or expires no earlier. A reminder that was skipped may come then.
     */
    readonly extend: (
      organization: OrganizationId,
      id: InvitationId,
      until: Date,
    ) => Effect.Effect<ExtendedInvitation | undefined>
    /**
     * Gives who has not started more time to answer: `factor` is of the interview's duration. Undefined as above, when it
     * is no more, and when the interview has no duration.
     */
    readonly slow: (
      organization: OrganizationId,
      id: InvitationId,
      factor: number,
    ) => Effect.Effect<ExtendedInvitation | undefined>
  }
>()("interview-invitations/repository/InvitationRenewals") {
  static readonly layer = Layer.effect(
    InvitationRenewals,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      /** Whether a mail tells what was changed just now. */
      const told = Effect.fnUntraced(function* (id: InvitationId, { email }: { readonly email: string }) {
        // a mail that nobody holds is written after this, since it is held here until then; of any other the text may
        // stand already
        const waiting = yield* sql`
          select id from email where invitation_id = ${id}::uuid and state = 'queued' and claim_id is null
            and subject is null for update skip locked`
        return { email, mail_tells: waiting.length > 0 }
      })
      return InvitationRenewals.of({
        keepPlace: Effect.fnUntraced(function* (organization, id) {
          const kept = yield* sql`
            select pg_advisory_xact_lock(hashtext('candidate'), ${organization}::int) from invitation
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'failed'`
          return kept.length > 0
        }, Effect.orDie),
        reopen: Effect.fnUntraced(function* (organization, id) {
          yield* sql`
            update invitation set status = 'pending', failure_reason = null, failed_at = null, delivered_at = null
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'failed'`
        }, Effect.orDie),
        extend: Effect.fnUntraced(function* (organization, id, until) {
          const at = yield* now
          // submission before invitation, as whoever changes both takes them
          const extended = first(
            yield* sql<{ email: string }>`
              with held as (
                update submission b set expires_at = greatest(b.expires_at, ${until}::timestamptz)
                from invitation i
                where i.id = ${id}::uuid and i.organization_id = ${organization}::int
                  and i.status not in ('failed', 'cancelled', 'expired')
                  and i.expires_at > ${at} and i.expires_at < ${until}::timestamptz
                  and b.id = i.submission_id and b.status in ('need_interview', 'initiated')
                returning b.id
              )
              update invitation i set expires_at = ${until}::timestamptz,
                reminder = case when i.reminder = 'queued' then i.reminder end
              from held
              where i.submission_id = held.id and i.id = ${id}::uuid
                and i.status not in ('failed', 'cancelled', 'expired') and i.expires_at < ${until}::timestamptz
              returning i.email`,
          )
          return extended === undefined ? undefined : yield* told(id, extended)
        }, Effect.orDie),
        slow: Effect.fnUntraced(function* (organization, id, factor) {
          const slowed = first(
            yield* sql<{ email: string }>`
              update submission b set time_factor = ${factor}::float8::numeric(4, 2)
              from invitation i join interview_set s on s.id = i.interview_set_id and s.interview_duration is not null
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int
                and i.status not in ('failed', 'cancelled', 'expired') and i.expires_at > ${yield* now}
                and b.id = i.submission_id and b.status in ('need_interview', 'initiated')
                and b.time_factor < ${factor}::float8::numeric(4, 2)
              returning i.email`,
          )
          return slowed === undefined ? undefined : yield* told(id, slowed)
        }, Effect.orDie),
      })
    }),
  )
}
