/** Stores the keys of authenticator apps and the hashes of recovery codes. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../../platform/database/Database.ts"
import type { MemberId, OrganizationId } from "../../values/Ids.ts"

export interface SecondFactorRow {
  /** Encrypted. */
  readonly secret: Uint8Array
  readonly created_at: Date
  /** Recovery codes that were not used. */
  readonly codes_left: number
}

export class SecondFactorRepository extends Context.Service<SecondFactorRepository>()(
  "interview-invitations/accounts/sign-in/SecondFactorRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const addCodes = (organization: OrganizationId, member: MemberId, hashes: ReadonlyArray<Uint8Array>) => sql`
        insert into recovery_code (member_id, organization_id, code_hash)
        select ${member}::uuid, ${organization}::int, unnest(${[...hashes]}::bytea[])`
      return {
        find: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId) {
          return first(
            yield* sql<SecondFactorRow>`
              select f.secret, f.created_at, (
                select count(*)::int from recovery_code c
                where c.member_id = f.member_id and c.organization_id = f.organization_id) as codes_left
              from second_factor f where f.member_id = ${member}::uuid and f.organization_id = ${organization}::int`,
          )
        }),
        /** Needs a transaction. False: the member has one already. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          {
            hashes,
            secret,
            step,
          }: { readonly secret: Uint8Array; readonly step: number; readonly hashes: ReadonlyArray<Uint8Array> },
        ) {
          const added = yield* sql`
            insert into second_factor (member_id, organization_id, secret, last_step, created_at)
            values (${member}::uuid, ${organization}::int, ${secret}::bytea, ${step}::bigint, ${yield* now})
            on conflict do nothing returning 1`
          if (added.length === 0) return false
          yield* addCodes(organization, member, hashes)
          return true
        }),
        /** False: a code of this time step or a later one was accepted before. Of concurrent uses, one succeeds. */
        useStep: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId, step: number) {
          const used = yield* sql`
            update second_factor set last_step = ${step}::bigint
            where member_id = ${member}::uuid and organization_id = ${organization}::int and last_step < ${step}::bigint
            returning 1`
          return used.length > 0
        }),
        /** False: no such code. Of concurrent uses, one succeeds. */
        useCode: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId, hash: Uint8Array) {
          const used = yield* sql`
            delete from recovery_code
            where member_id = ${member}::uuid and organization_id = ${organization}::int and code_hash = ${hash}::bytea
            returning 1`
          return used.length > 0
        }),
        /** Needs a transaction. */
        replaceCodes: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          hashes: ReadonlyArray<Uint8Array>,
        ) {
          yield* sql`
            delete from recovery_code where member_id = ${member}::uuid and organization_id = ${organization}::int`
          yield* addCodes(organization, member, hashes)
        }),
        /** Ends the member's sessions. False: the member has no second factor. */
        remove: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId) {
          const gone = yield* sql`
            with gone as (
              delete from second_factor where member_id = ${member}::uuid and organization_id = ${organization}::int
              returning member_id
            ), codes as (
              delete from recovery_code where organization_id = ${organization}::int
                and member_id in (select member_id from gone)
            ), ended as (
              delete from session where organization_id = ${organization}::int
                and member_id in (select member_id from gone)
            )
            select 1 from gone`
          return gone.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
