/** Stores password links by the SHA-256 of their email's id. */
import { Context, Duration, Effect, Layer } from "effect"
import type { RenderedEmail } from "../../emails/EmailRepository.ts"
import { Database, first } from "../../platform/database/Database.ts"
import { QueueNotifier } from "../../platform/queue/QueueNotifier.ts"
import type { EmailId, MemberId, OrganizationId } from "../../values/Ids.ts"

export interface NewLink {
  readonly hash: Uint8Array
  readonly lifetime: Duration.Duration
  readonly mail: { readonly id: EmailId; readonly kind: "member_invitation" | "password_reset" } & RenderedEmail
}

export interface LinkOwner {
  readonly member_id: MemberId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly email: string
  readonly name: string | null
  readonly joined: boolean
}

export class PasswordLinkRepository extends Context.Service<PasswordLinkRepository>()(
  "interview-invitations/accounts/sign-in/PasswordLinkRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      return {
        /** False, after the same time: no member has the address. */
        send: Effect.fnUntraced(function* (email: string, { hash, lifetime, mail }: NewLink) {
          const at = yield* now
          const rows = yield* sql`
            with m as (
              select id, organization_id, email from member where lower(email) = lower(${email}) and deactivated_at is null and live_member_id is null
            ), link as (
              insert into password_link (token_hash, organization_id, member_id, created_at, expires_at)
              select ${hash}::bytea, organization_id, id, ${at},
                ${at} + ${Duration.toSeconds(lifetime)}::float8 * interval '1 second'
              from m
            )
            insert into email (id, organization_id, kind, recipient, subject, html, text, created_at, due_at)
            select ${mail.id}::uuid, organization_id, ${mail.kind}, email, ${mail.subject}, ${mail.html}, ${mail.text},
              ${at}, ${at}
            from m returning id`
          yield* wake("email")
          return rows.length > 0
        }),
        find: Effect.fnUntraced(function* (hash: Uint8Array) {
          return first(
            yield* sql<LinkOwner>`
              select m.id as member_id, m.organization_id, o.name as organization_name, m.email, m.name,
                m.password_hash is not null or exists (
                  select from member_identity i where i.member_id = m.id
                ) as joined, (select refusal from absent_organization a where a.id = m.organization_id)
              from password_link l join member m on m.id = l.member_id join organization o on o.id = m.organization_id
              where l.token_hash = ${hash}::bytea and l.expires_at > ${yield* now} and m.deactivated_at is null`,
          )
        }),
        /** Ends the member's sessions and links, and removes the passkeys, which may be another person's. Undefined: the link has ended; of concurrent uses, one succeeds. */
        use: Effect.fnUntraced(function* (
          hash: Uint8Array,
          { name, password_hash }: { readonly password_hash: string; readonly name: string | null },
        ) {
          return first(
            yield* sql<Pick<LinkOwner, "member_id" | "organization_id" | "email"> & { readonly passkeys: number }>`
              with used as (
                delete from password_link where token_hash = ${hash}::bytea and expires_at > ${yield* now}
                returning member_id
              ), changed as (
                update member m set password_hash = ${password_hash}, name = coalesce(${name}::text, m.name)
                from used u where m.id = u.member_id and m.deactivated_at is null
                returning m.id as member_id, m.organization_id, m.email
              ), others as (
                delete from password_link l using changed c
                where l.member_id = c.member_id and l.token_hash <> ${hash}::bytea
              ), ended as (
                delete from session s using changed c where s.member_id = c.member_id
              ), removed as (
                delete from passkey p using changed c
                where p.member_id = c.member_id and p.organization_id = c.organization_id returning 1
              )
              select member_id, organization_id, email, (select count(*)::int from removed) as passkeys from changed`,
          )
        }),
        forget: Effect.gen(function* () {
          const gone = yield* sql`
            delete from password_link where token_hash = any(array(
              select token_hash from password_link where expires_at <= ${yield* now}
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
