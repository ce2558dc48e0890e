/** What members read of an invitation beyond its detail: whether they may, and the mails that were sent. */
import { Context, Effect, Layer } from "effect"
import type { InvitationId, OrganizationId } from "../domain/Ids.ts"
import { Database, first } from "./Database.ts"
import { iso } from "./Paging.ts"

/** A mail of the invitation, without its text. */
export interface InvitationMailLine {
  readonly kind: string
  readonly state: "queued" | "sent" | "failed" | "cancelled"
  readonly recipient: string
  readonly error: string | null
  readonly created_at: string
  readonly sent_at: string | null
}

export interface InvitationFile {
  /** Whether the reader is on the access list of its set; true when no reader was named. */
  readonly readable: boolean
  readonly message: string | null
  /** Minutes that the interview gives everybody; null: no limit. */
  readonly minutes: number | null
  readonly initiated_at: string | null
  readonly started_at: string | null
  readonly completed_at: string | null
  /** The newest ones, oldest first. */
  readonly mails: ReadonlyArray<InvitationMailLine>
}

/** Of more mails the older ones are left out. */
const mostMails = 50

export class InvitationRecords extends Context.Service<
  InvitationRecords,
  {
    readonly find: (
      organization: OrganizationId,
      id: InvitationId,
      reader: string | undefined,
    ) => Effect.Effect<InvitationFile | undefined>
  }
>()("interview-invitations/repository/InvitationRecords") {
  static readonly layer = Layer.effect(
    InvitationRecords,
    Effect.gen(function* () {
      const { sql } = yield* Database
      return InvitationRecords.of({
        find: Effect.fnUntraced(function* (organization, id, reader) {
          return first(
            yield* sql<InvitationFile>`
              select i.message, s.interview_duration as minutes, ${iso(sql, "b.initiated_at")} as initiated_at,
                ${iso(sql, "b.started_at")} as started_at, ${iso(sql, "b.completed_at")} as completed_at,
                ${reader === undefined} or exists (select from set_access a
                  where a.interview_set_id = i.interview_set_id and lower(a.email) = lower(${reader ?? ""})) as readable,
                coalesce((select jsonb_agg(to_jsonb(m) - 'id' order by m.created_at, m.id) from (
                  select e.id, e.kind, e.state, e.recipient, e.error, ${iso(sql, "e.created_at")} as created_at,
                    ${iso(sql, "e.sent_at")} as sent_at
                  from email e where e.invitation_id = i.id order by e.created_at desc, e.id desc limit ${mostMails}::int) m), '[]') as mails
              from invitation i join interview_set s on s.id = i.interview_set_id join submission b on b.id = i.submission_id
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
      })
    }),
  )
}
