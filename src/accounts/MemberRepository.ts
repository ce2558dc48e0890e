/** Stores members and their identities at OpenID Connect providers. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../platform/database/Database.ts"
import type { MemberId, OrganizationId } from "../values/Ids.ts"
import type { Role } from "./Member.ts"

/** A member as the list shows them; never one who was removed. */
export interface MemberEntry {
  readonly id: MemberId
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /** Whether they have set a password, or signed in at a provider; else they were invited and did not come yet. */
  readonly joined: boolean
  readonly has_password: boolean
  /** When they first signed in at the provider; null: they did not. */
  readonly linked_at: Date | null
  readonly created_at: Date
  /** When one of their living sessions was last used. */
  readonly seen_at: Date | null
  /** Until when the newest link works that was mailed to them; null: none does. */
  readonly link_until: Date | null
}

export interface NewMember {
  readonly id: MemberId
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /** null: they set one by a link, or sign in at a provider. */
  readonly password_hash: string | null
}

/** By what members can sign in: passwords that they have set, and who they are at an issuer. */
export interface Means {
  readonly passwords: boolean
  /** null: there is no provider. */
  readonly issuer: string | null
}

/** Who changes whom. */
export interface Act {
  readonly organization: OrganizationId
  readonly by: MemberId
  readonly id: MemberId
  readonly means: Means
}

/** What became of a change: done with the role before, or why it was not. */
export interface Verdict {
  readonly verdict: "done" | "not_allowed" | "last_owner"
  readonly email: string
  readonly before: Role
}

interface Key {
  readonly issuer: string
  readonly subject: string
}

/** A member who was found by who they are at a provider. */
export interface Known {
  readonly member_id: MemberId
  readonly organization_id: OrganizationId
  readonly email: string
}

export class MemberRepository extends Context.Service<
  MemberRepository,
  {
    /** Whether there is an organization. */
    readonly hasOrganization: Effect.Effect<boolean>
    /**
     * The first organization with its owner; undefined: there is one already. Part of a transaction: of two at once, one
     * waits for the other and finds that it is late.
     */
    readonly found: (name: string, owner: NewMember) => Effect.Effect<OrganizationId | undefined>
    /** False: a member, of whatever organization, has the address. */
    readonly insert: (organization: OrganizationId, member: NewMember) => Effect.Effect<boolean>
    /** Owners first, then by address; at most 1,000. */
    readonly list: (organization: OrganizationId) => Effect.Effect<ReadonlyArray<MemberEntry>>
    readonly find: (organization: OrganizationId, id: MemberId) => Effect.Effect<MemberEntry | undefined>
    /**
     * Gives a member another role. Owners alone make, change and remove owners, admins do so with everybody else; an
     * organization keeps an owner who can sign in by these means. Part of a transaction, which locks every owner's row before
     * it looks who can: of two that would leave none, the second is refused. Undefined: there is no such member.
     */
    readonly setRole: (act: Act, role: Role) => Effect.Effect<Verdict | undefined>
    /**
     * Ends it, under the same rules; a member may also go by themselves. Their sessions, links and identities end with it.
     */
    readonly remove: (act: Act) => Effect.Effect<Verdict | undefined>
    /** Forgets who they are at every provider, and ends their sessions, under the same rules. */
    readonly unlink: (act: Act) => Effect.Effect<Verdict | undefined>
    readonly rename: (organization: OrganizationId, id: MemberId, name: string | null) => Effect.Effect<void>
    /** Undefined: it is nobody's, or that of a member who was removed. */
    readonly findIdentity: (key: Key) => Effect.Effect<Known | undefined>
    /**
     * Binds it to the member with the address and ends the links that were mailed to them. Undefined: no member has the
     * address, the member is somebody else at this issuer already, or the identity is another member's. Part of a
     * transaction.
     */
    readonly linkIdentity: (key: Key, email: string) => Effect.Effect<Known | undefined>
  }
>()("interview-invitations/accounts/MemberRepository") {
  static readonly layer = Layer.effect(
    MemberRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database

      const insert = Effect.fnUntraced(function* (organization: OrganizationId, member: NewMember) {
        const rows = yield* sql`
          insert into member (id, organization_id, email, name, role, password_hash, created_at)
          values (${member.id}::uuid, ${organization}::int, ${member.email}, ${member.name}, ${member.role},
                  ${member.password_hash}, ${yield* now})
          on conflict do nothing returning id`
        return rows.length > 0
      }, Effect.orDie)

      const entries = Effect.fnUntraced(function* (organization: OrganizationId, id: MemberId | null) {
        const at = yield* now
        return yield* sql<MemberEntry>`
          select m.id, m.email, m.name, m.role, m.created_at, m.password_hash is not null as has_password, i.linked_at,
            m.password_hash is not null or i.linked_at is not null as joined,
            (select max(s.last_seen_at) from session s where s.member_id = m.id) as seen_at,
            (select max(l.expires_at) from password_link l where l.member_id = m.id and l.expires_at > ${at}) as link_until
          from member m left join lateral (
            select min(i.linked_at) as linked_at from member_identity i where i.member_id = m.id
          ) i on true
          where m.organization_id = ${organization}::int and m.deactivated_at is null
            and (${id}::uuid is null or m.id = ${id}::uuid)
          order by array_position(array['owner', 'admin', 'recruiter'], m.role), lower(m.email) limit 1000`
      }, Effect.orDie)

      /** Two that could leave no owner wait for each other here; a statement that begins after it sees what the first did. */
      const lock = ({ by, id, organization }: Act) => sql`
        select from member
        where organization_id = ${organization}::int and deactivated_at is null
          and (role = 'owner' or id in (${id}::uuid, ${by}::uuid))
        order by id for update`

      /** `role` null: no role any more; `isUnlinked`: no identity any more. */
      const judged = ({ by, id, means, organization }: Act, role: Role | null, isUnlinked = false) => sql`
        known as materialized (
          select id, email, role, ${means.passwords}::bool and password_hash is not null as by_password,
            exists (
              select from member_identity i where i.member_id = member.id and i.issuer = ${means.issuer}::text
            ) as by_identity
          from member
          where organization_id = ${organization}::int and deactivated_at is null
            and (role = 'owner' or id in (${id}::uuid, ${by}::uuid))
        ), judged as materialized (
          select t.id, t.email, t.role as before, case
            when not exists (select from known a where a.id = ${by}::uuid and (a.role = 'owner'
              or (a.role = 'admin' and t.role <> 'owner' and ${role}::text is distinct from 'owner')
              or (${role}::text is null and a.id = t.id))) then 'not_allowed'
            when t.role = 'owner' and ${role}::text is distinct from 'owner' and not (${isUnlinked}::bool and t.by_password)
              and not exists (
                select from known o where o.id <> t.id and o.role = 'owner' and (o.by_password or o.by_identity)
              ) then 'last_owner'
            else 'done' end as verdict
          from known t where t.id = ${id}::uuid
        )`
      return MemberRepository.of({
        hasOrganization: sql`select from organization limit 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie,
        ),
        found: Effect.fnUntraced(function* (name, owner) {
          yield* sql`select pg_advisory_xact_lock(hashtext('the first organization'))`
          const rows = yield* sql<{ id: OrganizationId }>`
            insert into organization (name, created_at)
            select ${name}, ${yield* now} where not exists (select from organization) returning id`
          const id = first(rows)?.id
          if (id !== undefined) yield* insert(id, owner)
          return id
        }, Effect.orDie),
        insert,
        list: (organization) => entries(organization, null),
        find: (organization, id) => Effect.map(entries(organization, id), first),
        setRole: Effect.fnUntraced(function* (act, role) {
          yield* lock(act)
          return first(
            yield* sql<Verdict>`
              with ${judged(act, role)}, changed as (
                update member m set role = ${role} from judged j
                where m.id = j.id and m.organization_id = ${act.organization}::int and j.verdict = 'done'
              )
              select verdict, email, before from judged`,
          )
        }, Effect.orDie),
        remove: Effect.fnUntraced(function* (act) {
          yield* lock(act)
          return first(
            yield* sql<Verdict>`
              with ${judged(act, null)}, gone as (
                update member m set deactivated_at = ${yield* now}, password_hash = null from judged j
                where m.id = j.id and m.organization_id = ${act.organization}::int and j.verdict = 'done' returning m.id
              ), sessions as (
                delete from session s using gone g where s.member_id = g.id
              ), links as (
                delete from password_link l using gone g where l.member_id = g.id
              ), identities as (
                delete from member_identity i using gone g where i.member_id = g.id
              )
              select verdict, email, before from judged`,
          )
        }, Effect.orDie),
        unlink: Effect.fnUntraced(function* (act) {
          yield* lock(act)
          return first(
            yield* sql<Verdict>`
              with ${judged(act, null, true)}, sessions as (
                delete from session s using judged j where s.member_id = j.id and j.verdict = 'done'
              ), identities as (
                delete from member_identity i using judged j where i.member_id = j.id and j.verdict = 'done'
              )
              select verdict, email, before from judged`,
          )
        }, Effect.orDie),
        rename: Effect.fnUntraced(function* (organization, id, name) {
          yield* sql`
            update member set name = ${name} where id = ${id}::uuid and organization_id = ${organization}::int`
        }, Effect.orDie),
        findIdentity: Effect.fnUntraced(function* ({ issuer, subject }) {
          return first(
            yield* sql<Known>`
              select m.id as member_id, m.organization_id, m.email
              from member_identity i join member m on m.id = i.member_id
              where i.issuer = ${issuer} and i.subject = ${subject} and m.deactivated_at is null`,
          )
        }, Effect.orDie),
        linkIdentity: Effect.fnUntraced(function* ({ issuer, subject }, email) {
          return first(
            yield* sql<Known>`
              with m as (
                select id, organization_id, email from member
                where lower(email) = lower(${email}) and deactivated_at is null for share
              ), linked as (
                insert into member_identity (issuer, subject, organization_id, member_id, linked_at)
                select ${issuer}, ${subject}, organization_id, id, ${yield* now} from m
                on conflict do nothing returning member_id
              ), links as (
                delete from password_link l using linked k where l.member_id = k.member_id
              )
              select m.id as member_id, m.organization_id, m.email from m join linked k on k.member_id = m.id`,
          )
        }, Effect.orDie),
      })
    }),
  )
}
