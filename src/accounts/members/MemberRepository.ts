/** Stores members and their identities at OpenID Connect providers. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as AdvisoryLocks from "../../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../../platform/database/Database.ts"
import { type Positioned, paging } from "../../platform/database/Paging.ts"
import type { PageRequest } from "../../values/Cursor.ts"
import type { MemberId, OrganizationId } from "../../values/Ids.ts"
import type { Role } from "./Member.ts"
import type { NotificationChoices } from "./Notification.ts"

export interface MemberEntry extends NotificationChoices {
  readonly id: MemberId
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /** Has a password or an identity. */
  readonly joined: boolean
  readonly has_password: boolean
  readonly linked_at: Date | null
  readonly has_second_factor: boolean
  readonly created_at: Date
  readonly seen_at: Date | null
  /** Null: no link works. */
  readonly link_until: Date | null
}

export interface NewMember {
  readonly id: MemberId
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly password_hash: string | null
}

interface MemberChange {
  readonly organization: OrganizationId
  readonly by: MemberId
  readonly id: MemberId
  readonly methods: { readonly passwords: boolean; readonly issuer: string | null }
}

export interface Verdict {
  readonly verdict: "done" | "not_allowed" | "last_owner"
  readonly email: string
  readonly before: Role
}

interface IdentityKey {
  readonly issuer: string
  readonly subject: string
}

export interface IdentifiedMember {
  readonly member_id: MemberId
  readonly organization_id: OrganizationId
  readonly email: string
}

export class MemberRepository extends Context.Service<MemberRepository>()(
  "interview-invitations/accounts/members/MemberRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      let hasOrganization = false

      /** False when a member of any organization has the address. */
      const insert = Effect.fnUntraced(function* (organization: OrganizationId, member: NewMember) {
        const rows = yield* sql`
          insert into member (id, organization_id, email, name, role, password_hash, created_at)
          values (${member.id}::uuid, ${organization}::int, ${member.email}, ${member.name}, ${member.role},
                  ${member.password_hash}, ${yield* now})
          on conflict do nothing returning id`
        return rows.length > 0
      })

      const entry = (at: Statement.Fragment) => sql`
        m.id, m.email, m.name, m.role, m.created_at, m.mails_mentions, m.mails_comments, m.mails_assignments,
        m.mails_submitted, m.mails_accommodations, m.mails_person_reviews, m.mails_remarks, m.mails_webhooks, m.password_hash is not null as has_password, i.linked_at,
        exists (
          select from second_factor f where f.member_id = m.id and f.organization_id = m.organization_id
        ) as has_second_factor,
        m.password_hash is not null or i.linked_at is not null as joined,
        greatest(m.last_seen_at, (select max(s.last_seen_at) from session s where s.member_id = m.id)) as seen_at,
        (select max(l.expires_at) from password_link l where l.member_id = m.id and l.expires_at > ${at}) as link_until`
      const identified = sql`member m left join lateral (
        select min(i.linked_at) as linked_at from member_identity i where i.member_id = m.id
      ) i on true`

      const page = Effect.fnUntraced(function* (organization: OrganizationId, request: PageRequest) {
        const { behind, newestFirst, position } = paging(sql, "m", request)
        return yield* sql<Positioned<MemberEntry>>`
          select ${entry(yield* now)}, ${position} from ${identified}
          where m.organization_id = ${organization}::int and m.deactivated_at is null and ${behind} ${newestFirst}`
      })

      const entries = Effect.fnUntraced(function* (organization: OrganizationId, id: MemberId | null) {
        const at = yield* now
        return yield* sql<MemberEntry>`
          select ${entry(at)} from ${identified}
          where m.organization_id = ${organization}::int and m.deactivated_at is null
            and (${id}::uuid is null or m.id = ${id}::uuid)
          order by array_position(array['owner', 'admin', 'recruiter', 'reviewer'], m.role), lower(m.email) limit 1000`
      })

      // a separate statement: the next one sees the changes that this one waited for
      const lock = ({ by, id, organization }: MemberChange) => sql`
        select from member
        where organization_id = ${organization}::int and deactivated_at is null
          and (role = 'owner' or id in (${id}::uuid, ${by}::uuid))
        order by id for update`

      /** `role` null: removal, or with `isUnlinked` unlinking. */
      const judged = ({ by, id, methods, organization }: MemberChange, role: Role | null, isUnlinked = false) => sql`
        known as materialized (
          select id, email, role, ${methods.passwords}::bool and password_hash is not null as by_password,
            exists (
              select from member_identity i where i.member_id = member.id and i.issuer = ${methods.issuer}::text
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
      return {
        hasOrganization: Effect.gen(function* () {
          // only the sample organization is ever deleted
          hasOrganization ||= (yield* sql`select from organization where sample is null limit 1`).length > 0
          return hasOrganization
        }),
        /** Needs a transaction. Undefined when an organization exists. */
        found: Effect.fnUntraced(function* (
          { name, time_zone }: { readonly name: string; readonly time_zone: string },
          owner: NewMember,
        ) {
          yield* sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "the first organization")}`
          if ((yield* sql`select from organization where sample is null limit 1`).length > 0) return undefined
          const rows = yield* sql<{ id: OrganizationId }>`
            insert into organization (name, time_zone, created_at) values (${name}, ${time_zone}, ${yield* now}) returning id`
          const id = first(rows)?.id
          if (id !== undefined) yield* insert(id, owner)
          return id
        }),
        insert,
        list: (organization: OrganizationId) => entries(organization, null),
        page,
        find: (organization: OrganizationId, id: MemberId) => Effect.map(entries(organization, id), first),
        /**
         * Only owners may change owners; admins may change other members. One owner who can sign in remains: all owners are
         * locked until the transaction ends, so concurrent changes cannot remove the last two.
         */
        setRole: Effect.fnUntraced(function* (change: MemberChange, role: Role) {
          yield* lock(change)
          return first(
            yield* sql<Verdict>`
              with ${judged(change, role)}, changed as (
                update member m set role = ${role} from judged j
                where m.id = j.id and m.organization_id = ${change.organization}::int and j.verdict = 'done'
              )
              select verdict, email, before from judged`,
          )
        }),
        /** As `setRole`; members may also remove themselves. */
        remove: Effect.fnUntraced(function* (change: MemberChange) {
          yield* lock(change)
          return first(
            yield* sql<Verdict>`
              with ${judged(change, null)}, gone as (
                update member m set deactivated_at = ${yield* now}, password_hash = null from judged j
                where m.id = j.id and m.organization_id = ${change.organization}::int and j.verdict = 'done' returning m.id
              ), sessions as (
                delete from session s using gone g where s.member_id = g.id
              ), links as (
                delete from password_link l using gone g where l.member_id = g.id
              ), identities as (
                delete from member_identity i using gone g where i.member_id = g.id
              ), factors as (
                delete from second_factor f using gone g where f.member_id = g.id
              ), codes as (
                delete from recovery_code c using gone g where c.member_id = g.id
              ), assignments as (
                delete from review_assignment a using gone g where a.member_id = g.id
              ), notices as (
                delete from member_notice n using gone g where n.member_id = g.id
              ), drafts as (
                delete from set_draft d using gone g where d.member_id = g.id
              ), passkeys as (
                delete from passkey p using gone g where p.member_id = g.id
              )
              select verdict, email, before from judged`,
          )
        }),
        unlink: Effect.fnUntraced(function* (change: MemberChange) {
          yield* lock(change)
          return first(
            yield* sql<Verdict>`
              with ${judged(change, null, true)}, sessions as (
                delete from session s using judged j where s.member_id = j.id and j.verdict = 'done'
              ), identities as (
                delete from member_identity i using judged j where i.member_id = j.id and j.verdict = 'done'
              )
              select verdict, email, before from judged`,
          )
        }),
        rename: Effect.fnUntraced(function* (organization: OrganizationId, id: MemberId, name: string | null) {
          yield* sql`
            update member set name = ${name} where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
        setNotifications: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: MemberId,
          choices: NotificationChoices,
        ) {
          yield* sql`
            update member set mails_mentions = ${choices.mails_mentions}, mails_comments = ${choices.mails_comments},
              mails_assignments = ${choices.mails_assignments}, mails_submitted = ${choices.mails_submitted},
              mails_accommodations = ${choices.mails_accommodations}, mails_person_reviews = ${choices.mails_person_reviews},
              mails_remarks = ${choices.mails_remarks},
              mails_webhooks = ${choices.mails_webhooks}
            where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
        findIdentity: Effect.fnUntraced(function* ({ issuer, subject }: IdentityKey) {
          return first(
            yield* sql<IdentifiedMember>`
              select m.id as member_id, m.organization_id, m.email
              from member_identity i join member m on m.id = i.member_id
              where i.issuer = ${issuer} and i.subject = ${subject} and m.deactivated_at is null`,
          )
        }),
        /**
         * Ends the member's password links. Undefined: no member has the address, the member has another identity at this
         * issuer, or another member has this one.
         */
        linkIdentity: Effect.fnUntraced(function* ({ issuer, subject }: IdentityKey, email: string) {
          return first(
            yield* sql<IdentifiedMember>`
              with m as (
                select id, organization_id, email from member
                where lower(email) = lower(${email}) and deactivated_at is null and live_member_id is null for share
              ), linked as (
                insert into member_identity (issuer, subject, organization_id, member_id, linked_at)
                select ${issuer}, ${subject}, organization_id, id, ${yield* now} from m
                on conflict do nothing returning member_id
              ), links as (
                delete from password_link l using linked k where l.member_id = k.member_id
              )
              select m.id as member_id, m.organization_id, m.email from m join linked k on k.member_id = m.id`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
