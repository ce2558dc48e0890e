/** Who members are at a provider (OpenID Connect Core 1.0, 2: `iss` and `sub`). */
import { Context, Effect, Layer } from "effect"
import type { MemberId, OrganizationId } from "../domain/Ids.ts"
import { Database, first } from "./Database.ts"

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

export class MemberIdentityRepository extends Context.Service<
  MemberIdentityRepository,
  {
    /** Undefined: it is nobody's, or that of a member who was removed. */
    readonly find: (key: Key) => Effect.Effect<Known | undefined>
    /**
     * Binds it to the member with the address and ends the links that were mailed to them. Undefined: no member has the
     * address, the member is somebody else at this issuer already, or the identity is another member's. Part of a
     * transaction.
     */
    readonly link: (key: Key, email: string) => Effect.Effect<Known | undefined>
  }
>()("interview-invitations/repository/MemberIdentityRepository") {
  static readonly layer = Layer.effect(
    MemberIdentityRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return MemberIdentityRepository.of({
        find: Effect.fnUntraced(function* ({ issuer, subject }) {
          return first(
            yield* sql<Known>`
              select m.id as member_id, m.organization_id, m.email
              from member_identity i join member m on m.id = i.member_id
              where i.issuer = ${issuer} and i.subject = ${subject} and m.deactivated_at is null`,
          )
        }, Effect.orDie),
        link: Effect.fnUntraced(function* ({ issuer, subject }, email) {
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
