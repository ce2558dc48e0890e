/** Stores sessions by the SHA-256 of their tokens. */
import { Context, Duration, Effect, Layer } from "effect"
import { Database, first } from "../../platform/database/Database.ts"
import type { MemberId, OrganizationId } from "../../values/Ids.ts"
import type { Member } from "../members/Member.ts"

export interface Lifetime {
  readonly idle: Duration.Duration
  readonly max: Duration.Duration
}

/** A passkey, and a sign-in at a provider, need no second factor here. */
export type SignInMethod = "password" | "provider" | "passkey"

export interface SessionRow extends Member {
  readonly method: SignInMethod
  /** The session is in test mode (docs/test-mode.md). */
  readonly isTest: boolean
  /** The organization requires a second factor, which the member does not have yet. */
  readonly lacksSecondFactor: boolean
  /** `last_seen_at` is older than a minute. */
  readonly needs_touch: boolean
  /** The member's is older than a quarter of an hour. */
  readonly needs_seen: boolean
}

export interface SessionEntry {
  readonly token_hash: Uint8Array
  readonly user_agent: string | null
  readonly created_at: Date
  readonly last_seen_at: Date
}

export class SessionRepository extends Context.Service<SessionRepository>()(
  "interview-invitations/accounts/sign-in/SessionRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const member = Effect.map(
        now,
        (at) => sql`'Member' as "_tag", m.id, m.organization_id as "organizationId", o.name as "organizationName",
          o.time_zone as "timeZone", m.email, m.name, m.role,
          m.role <> 'reviewer' and (not o.hides_scores or coalesce(m.scores_shown_until > ${at}, false)) as "seesScores"`,
      )
      const seconds = (duration: Duration.Duration) =>
        sql`${Duration.toSeconds(duration)}::float8 * interval '1 second'`
      const minuteAgo = Effect.map(now, (at) => sql`${at} - interval '1 minute'`)
      const isSeenBefore = Effect.map(
        now,
        (at) => sql`(m.last_seen_at is null or m.last_seen_at <= ${at} - interval '15 minutes')`,
      )
      return {
        start: Effect.fnUntraced(function* (
          {
            email,
            method,
            token,
            userAgent,
          }: {
            readonly token: Uint8Array
            readonly email: string
            readonly method: SignInMethod
            readonly userAgent: string | null
          },
          { max }: Lifetime,
        ) {
          const at = yield* now
          return first(
            yield* sql<Member>`
              with found as materialized (
                select organization_id, id from member where lower(email) = lower(${email}) and deactivated_at is null and live_member_id is null
              ), seen as (
                update member m set last_seen_at = ${at} from found f
                where m.id = f.id and m.organization_id = f.organization_id
              ), started as (
                insert into session (token_hash, organization_id, member_id, user_agent, method, created_at, last_seen_at, expires_at)
                select ${token}::bytea, organization_id, id, ${userAgent}::text, ${method}, ${at}, ${at}, ${at} + ${seconds(max)} from found
                returning member_id
              )
              select ${yield* member} from started
              join member m on m.id = started.member_id join organization o on o.id = m.organization_id`,
          )
        }),
        /**
         * In test mode, the member's copy in the test space; with `asLive`, the member. A copy counts only while it is the copy of the
         * session's member.
         */
        find: Effect.fnUntraced(function* (token: Uint8Array, { idle }: Lifetime, asLive: boolean) {
          const at = yield* now
          return first(
            yield* sql<SessionRow>`
              select ${yield* member}, s.last_seen_at <= ${yield* minuteAgo} as needs_touch, ${yield* isSeenBefore} as needs_seen, s.method,
                s.test_member_id is not null as "isTest",
                l.requires_second_factor and s.method = 'password' and not exists (
                  select from second_factor f where f.member_id = s.member_id and f.organization_id = s.organization_id
                ) as "lacksSecondFactor",
                (select refusal from absent_organization a where a.id = s.organization_id)
              from session s join organization l on l.id = s.organization_id
                join member m on m.id = case when ${asLive}::bool then s.member_id else coalesce(s.test_member_id, s.member_id) end
                  and (m.live_member_id = s.member_id or m.id = s.member_id and m.organization_id = s.organization_id)
                join organization o on o.id = m.organization_id
              where s.token_hash = ${token}::bytea and s.expires_at > ${at} and s.last_seen_at > ${at} - ${seconds(idle)}
                and m.deactivated_at is null`,
          )
        }),
        /** In the other mode: the member's copy in the test space, or of a copy the member. Undefined: there is none. */
        inOtherMode: Effect.fnUntraced(function* (organization: OrganizationId, id: MemberId) {
          return first(
            yield* sql<Member>`
              select ${yield* member}, m.live_member_id is not null as "isTest"
              from member s join organization so on so.id = s.organization_id
                join organization o on o.id = coalesce(so.test_of, (select t.id from organization t where t.test_of = so.id))
                join member m on m.organization_id = o.id and m.deactivated_at is null
                  and (m.live_member_id = s.id or m.id = s.live_member_id)
              where s.id = ${id}::uuid and s.organization_id = ${organization}::int`,
          )
        }),
        /** Into test mode, or with `space` undefined out of it. False: the session has ended, or the member has no copy there. */
        setTestSpace: Effect.fnUntraced(function* (token: Uint8Array, space: OrganizationId | undefined) {
          const rows = yield* sql`
            update session s set test_member_id = (
              select c.id from member c where c.live_member_id = s.member_id and c.organization_id = ${space ?? null}::int)
            where s.token_hash = ${token}::bytea returning s.test_member_id is null = ${space === undefined}::bool as is_set`
          return rows.some(({ is_set }) => is_set === true)
        }),
        touch: Effect.fnUntraced(function* (token: Uint8Array) {
          yield* sql`
            update session set last_seen_at = ${yield* now}
            where token_hash = ${token}::bytea and last_seen_at <= ${yield* minuteAgo}`
        }),
        /** A statement of its own: member rows are locked before sessions elsewhere. */
        noteSeen: Effect.fnUntraced(function* (organization: OrganizationId, id: MemberId) {
          yield* sql`
            update member m set last_seen_at = ${yield* now}
            where m.id = ${id}::uuid and m.organization_id = ${organization}::int and ${yield* isSeenBefore}`
        }),
        end: Effect.fnUntraced(function* (token: Uint8Array) {
          yield* sql`delete from session where token_hash = ${token}::bytea`
        }),
        /** Last used first, at most 100. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, id: MemberId, { idle }: Lifetime) {
          const at = yield* now
          return yield* sql<SessionEntry>`
            select token_hash, user_agent, created_at, last_seen_at from session
            where member_id = ${id}::uuid and organization_id = ${organization}::int
              and expires_at > ${at} and last_seen_at > ${at} - ${seconds(idle)}
            order by last_seen_at desc, created_at desc limit 100`
        }),
        endOf: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: MemberId,
          which: { readonly only: Uint8Array } | { readonly allBut: Uint8Array },
        ) {
          const isMeant =
            "only" in which ? sql`token_hash = ${which.only}::bytea` : sql`token_hash <> ${which.allBut}::bytea`
          const gone = yield* sql`
            delete from session where member_id = ${id}::uuid and organization_id = ${organization}::int and ${isMeant}
            returning 1`
          return gone.length
        }),
        forget: Effect.fnUntraced(function* ({ idle }: Lifetime) {
          const at = yield* now
          const gone = yield* sql`
            delete from session where token_hash = any(array(
              select token_hash from session
              where (expires_at <= ${at} or last_seen_at <= ${at} - ${seconds(idle)})
                and organization_id <> all(array(select id from suspended_organization))
              limit 1000 for update skip locked))
            returning 1`
          return gone.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
