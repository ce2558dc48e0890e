/** Submitted forms and their encrypted results. */
import { Context, Duration, Effect, Layer } from "effect"
import type { FormId, MemberId, OrganizationId } from "../../values/Ids.ts"
import { Database, first } from "../database/Database.ts"
import type { PersonalTable } from "../database/PersonalData.ts"

const noId = "00000000-0000-0000-0000-000000000000"

export interface Submitter {
  readonly id: MemberId
  readonly organizationId: OrganizationId
}

export interface SentForm {
  readonly member: Submitter
  readonly id: FormId
  readonly kind: string
}

export interface FormAnswerRow {
  /** Encrypted; null while the work runs. */
  readonly answer: Uint8Array | null
  readonly created_at: Date
  /** True a minute after the start; work without a result is then lost. */
  readonly stale: boolean
}

/** FormIdempotency decrypts the forms, and deletes those that name the person. */
export const personalForms: PersonalTable = {
  table: "form_idempotency",
  kept: ["kind"],
  personal: ["response"],
}

export class FormIdempotencyRepository extends Context.Service<FormIdempotencyRepository>()(
  "interview-invitations/platform/http/FormIdempotencyRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const that = ({ id, kind, member }: SentForm) =>
        sql`member_id = ${member.id}::uuid and form_id = ${id}::uuid and organization_id = ${member.organizationId}::int
          and kind = ${kind}`
      return {
        /** False when the form was submitted before. Waits for transactions that claim the same form. */
        claim: Effect.fnUntraced(function* ({ id, kind, member }: SentForm, kept: Duration.Duration) {
          const at = yield* now
          const rows = yield* sql`
            insert into form_idempotency (member_id, form_id, organization_id, kind, created_at, expires_at)
            values (${member.id}::uuid, ${id}::uuid, ${member.organizationId}::int, ${kind}, ${at},
                    ${at} + ${Duration.toSeconds(kept)}::float8 * interval '1 second')
            on conflict (member_id, form_id) do nothing returning 1`
          return rows.length > 0
        }),
        keep: (form: SentForm, answer: Uint8Array) =>
          sql`update form_idempotency set response = ${answer}::bytea where ${that(form)}`,
        /** Allows the form to be sent again. */
        release: (form: SentForm) => sql`delete from form_idempotency where ${that(form)}`,
        find: Effect.fnUntraced(function* (form: SentForm) {
          const at = yield* now
          return first(
            yield* sql<FormAnswerRow>`
              select response as answer, created_at, created_at < ${at} - interval '1 minute' as stale from form_idempotency
              where ${that(form)} and expires_at > ${at}`,
          )
        }),
        /** Forms with results, in order; `after` the last one of the page before. */
        held: Effect.fnUntraced(function* (organization: OrganizationId, after: SentForm | undefined, limit: number) {
          const rows = yield* sql<{ member_id: MemberId; form_id: FormId; kind: string; answer: Uint8Array }>`
            select member_id, form_id, kind, response as answer from form_idempotency
            where organization_id = ${organization}::int and response is not null
              and (member_id, form_id) > (${after?.member.id ?? noId}::uuid, ${after?.id ?? noId}::uuid)
            order by member_id, form_id limit ${limit}::int`
          return rows.map(({ answer, form_id, kind, member_id }) => ({
            member: { id: member_id, organizationId: organization },
            id: form_id,
            kind,
            answer,
          }))
        }),
        forget: Effect.fnUntraced(function* (limit: number) {
          const gone = yield* sql`
            delete from form_idempotency where ctid = any(array(
              select ctid from form_idempotency where expires_at <= ${yield* now}
                and organization_id <> all(array(select id from suspended_organization))
              order by expires_at limit ${limit}::int
              for update skip locked))
            returning 1`
          return gone.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
