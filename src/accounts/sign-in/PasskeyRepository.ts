/** Stores members' passkeys. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../../platform/database/Database.ts"
import type { MemberId, OrganizationId } from "../../values/Ids.ts"

export interface NewPasskey {
  readonly credential_id: Uint8Array
  readonly name: string
  readonly public_key: Uint8Array
  readonly counter: number
  readonly transports: ReadonlyArray<string>
}

export interface PasskeyRow extends NewPasskey {
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** A passkey with its member, who signs in with it. */
export interface OwnedPasskey extends PasskeyRow {
  readonly organization_id: OrganizationId
  readonly member_id: MemberId
  readonly email: string
}

export class PasskeyRepository extends Context.Service<PasskeyRepository>()(
  "interview-invitations/accounts/sign-in/PasskeyRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const columns = sql.literal(
        "p.credential_id, p.name, p.public_key, p.counter::float8 as counter, p.transports, p.created_at, p.last_used_at",
      )
      return {
        /** Oldest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId) {
          return yield* sql<PasskeyRow>`
            select ${columns} from passkey p
            where p.member_id = ${member}::uuid and p.organization_id = ${organization}::int
            order by p.created_at, p.credential_id`
        }),
        /** False: another passkey has the id, or the member has `most` already. Of concurrent calls, the locks let one pass. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          { counter, credential_id, name, public_key, transports }: NewPasskey,
          most: number,
        ) {
          yield* sql`select from member where id = ${member}::uuid and organization_id = ${organization}::int for no key update`
          const added = yield* sql`
            with earlier as materialized (
              select count(*) from passkey p
              where p.member_id = ${member}::uuid and p.organization_id = ${organization}::int
            )
            insert into passkey (credential_id, organization_id, member_id, name, public_key, counter, transports, created_at)
            select ${credential_id}::bytea, ${organization}::int, ${member}::uuid, ${name}, ${public_key}::bytea,
              ${counter}::bigint, ${[...transports]}::text[], ${yield* now}
            from earlier where earlier.count < ${most}::int
            on conflict do nothing returning 1`
          return added.length > 0
        }),
        /** Of an active member. The member is unknown before the sign-in, and so is the organization. */
        findOwned: Effect.fnUntraced(function* (id: Uint8Array) {
          return first(
            yield* sql<OwnedPasskey>`
              select ${columns}, p.organization_id, p.member_id, m.email
              from passkey p join member m on m.id = p.member_id and m.organization_id = p.organization_id
              where p.credential_id = ${id}::bytea and m.deactivated_at is null`,
          )
        }),
        /** False: the passkey was removed, or another sign-in has stored this count or a later one. */
        use: Effect.fnUntraced(function* (organization: OrganizationId, id: Uint8Array, counter: number) {
          const used = yield* sql`
            update passkey set counter = ${counter}::bigint, last_used_at = ${yield* now}
            where credential_id = ${id}::bytea and organization_id = ${organization}::int
              and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
            returning 1`
          return used.length > 0
        }),
        /** Returns its name; undefined: the member has no such passkey. */
        remove: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId, id: Uint8Array) {
          const row = first(
            yield* sql<{ readonly name: string }>`
              delete from passkey where credential_id = ${id}::bytea and member_id = ${member}::uuid
                and organization_id = ${organization}::int returning name`,
          )
          return row?.name
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
