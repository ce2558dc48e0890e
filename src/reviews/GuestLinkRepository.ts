/** Stores links for people without an account, and who opened them. */
import { Context, Effect, Layer } from "effect"
import { memberName } from "../accounts/members/MemberSql.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { GuestId, GuestLinkId, MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import { type GuestIdentity, guestLimits, type LinkDays, visitHours } from "./GuestLink.ts"

/** A link as its page needs it. */
export interface GuestLink {
  readonly id: GuestLinkId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly time_zone: string
  readonly submission_id: SubmissionId
  readonly may_review: boolean
  readonly shows_scores: boolean
  /** For which it was made. */
  readonly days: number
  readonly expires_at: Date
  readonly is_open: boolean
}

/** A link on the page of the submission. */
export interface GuestLinkEntry {
  readonly id: GuestLinkId
  readonly may_review: boolean
  readonly shows_scores: boolean
  /** Null: the member was removed with all data. */
  readonly created_by: string | null
  /** ISO 8601, UTC; as the other moments. */
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
  readonly readers: ReadonlyArray<GuestIdentity & { readonly last_read_at: string; readonly reads: number }>
}

export interface Guest extends GuestIdentity {
  readonly id: GuestId
  /** The last visit was more than `visitHours` ago. */
  readonly is_new_visit: boolean
}

export const personalGuestLinks: ReadonlyArray<PersonalTable> = [
  {
    table: "guest",
    kept: ["session_hash", "heard_at"],
    rows: "t.guest_link_id in (select l.id from guest_link l where l.submission_id = any(p.submissions))",
    set: { name: "''", email: "''" },
    exported: {
      name: "shared_with",
      of: "submission",
      row: `jsonb_build_object('name', g.name, 'email', g.email, 'first_read_at', g.first_read_at,
        'last_read_at', g.last_read_at, 'reads', g.reads)`,
      from: "guest_link l join guest g on g.guest_link_id = l.id where l.submission_id = b.id",
      order: "g.first_read_at, g.id",
    },
  },
  {
    table: "guest_link",
    rows: "t.submission_id = any(p.submissions)",
    compute: { revoked_at: "coalesce(t.revoked_at, p.at)" },
  },
  // entries of earlier versions have names of files and of guests
  {
    table: "audit_log",
    rows: `t.record_type = 'submission' and t.record_id = any(p.submissions::text[]) and t.action in (
        'submission.read_shared', 'submission.read_shared_file', 'submission.review', 'submission.change_review')`,
    set: { detail: "t.detail - 'file' - 'reader'" },
  },
]

export class GuestLinkRepository extends Context.Service<GuestLinkRepository>()(
  "interview-invitations/reviews/GuestLinkRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** False: the submission has `guestLimits.links` that work, or the candidate was erased. Needs a transaction. */
        create: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          by: MemberId,
          link: {
            readonly id: GuestLinkId
            readonly days: LinkDays
            readonly may_review: boolean
            readonly shows_scores: boolean
          },
        ) {
          const at = yield* now
          yield* sql`
            select from submission b where b.id = ${submission}::uuid and b.organization_id = ${organization}::int
            for no key update`
          const made = yield* sql`
            with own as materialized (
              select b.id from submission b join candidate c on c.id = b.candidate_id
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int and c.erased_at is null and (
                select count(*) from guest_link l
                where l.submission_id = b.id and l.revoked_at is null and l.expires_at > ${at}
              ) < ${guestLimits.links}::int
            )
            insert into guest_link (id, organization_id, submission_id, may_review, shows_scores, created_by, created_at, expires_at)
            select ${link.id}::uuid, ${organization}::int, id, ${link.may_review}::bool, ${link.shows_scores}::bool,
              ${by}::uuid, ${at}, ${at} + ${link.days}::int * interval '1 day' from own
            on conflict do nothing returning 1`
          return made.length > 0
        }),
        /** False: it was revoked before, or there is no such link. */
        revoke: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId, id: GuestLinkId) {
          const gone = yield* sql`
            update guest_link set revoked_at = ${yield* now}
            where id = ${id}::uuid and submission_id = ${submission}::uuid and organization_id = ${organization}::int
              and revoked_at is null returning 1`
          return gone.length > 0
        }),
        /** Newest first, those that no longer work last; at most 50. */
        ofSubmission: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          const at = yield* now
          return yield* sql<GuestLinkEntry & { readonly is_open: boolean }>`
            select l.id, l.may_review, l.shows_scores, ${iso(sql, "l.created_at")} as created_at,
              (select ${sql.literal(memberName)} from member m where m.id = l.created_by) as created_by,
              ${iso(sql, "l.expires_at")} as expires_at, ${iso(sql, "l.revoked_at")} as revoked_at,
              l.revoked_at is null and l.expires_at > ${at} as is_open,
              coalesce((select jsonb_agg(jsonb_build_object('name', g.name, 'email', g.email,
                  'last_read_at', ${iso(sql, "g.last_read_at")}, 'reads', g.reads) order by g.last_read_at desc, g.id)
                from (select * from guest g where g.guest_link_id = l.id
                  order by g.last_read_at desc, g.id limit ${guestLimits.readers}::int) g), '[]') as readers
            from guest_link l
            where l.submission_id = ${submission}::uuid and l.organization_id = ${organization}::int
            order by l.revoked_at is null and l.expires_at > ${at} desc, l.created_at desc, l.id limit 50`
        }),
        find: Effect.fnUntraced(function* (id: GuestLinkId) {
          return first(
            yield* sql<GuestLink>`
              select l.id, l.organization_id, o.name as organization_name, o.time_zone, l.submission_id, l.may_review,
                l.shows_scores, round(extract(epoch from l.expires_at - l.created_at) / 86400)::int as days, l.expires_at, l.revoked_at is null and l.expires_at > ${yield* now} as is_open,
                (select refusal from absent_organization a where a.id = l.organization_id)
              from guest_link l join organization o on o.id = l.organization_id
              where l.id = ${id}::uuid`,
          )
        }),
        open: Effect.fnUntraced(function* (
          organization: OrganizationId,
          link: GuestLinkId,
          guest: GuestIdentity & { readonly id: GuestId; readonly session: Uint8Array },
        ) {
          const at = yield* now
          yield* sql`
            insert into guest (id, organization_id, guest_link_id, session_hash, name, email, first_read_at, last_read_at)
            values (${guest.id}::uuid, ${organization}::int, ${link}::uuid, ${guest.session}::bytea, ${guest.name}, ${guest.email}, ${at}, ${at})`
        }),
        /** Counts a visit. Undefined: the session has not opened this link. */
        visit: Effect.fnUntraced(function* (organization: OrganizationId, link: GuestLinkId, session: Uint8Array) {
          const at = yield* now
          return first(
            yield* sql<Guest>`
              with before as materialized (
                select id, last_read_at <= ${at} - ${visitHours}::int * interval '1 hour' as is_new_visit from guest
                where session_hash = ${session}::bytea and guest_link_id = ${link}::uuid
                  and organization_id = ${organization}::int for no key update
              )
              update guest g set reads = g.reads + 1, last_read_at = greatest(g.last_read_at, ${at}) from before b
              where g.id = b.id and g.organization_id = ${organization}::int
              returning g.id, g.name, g.email, b.is_new_visit`,
          )
        }),
        /** A request for a recording or its transcript, which are read in parts. Undefined: the session has not opened this link. */
        hear: Effect.fnUntraced(function* (
          organization: OrganizationId,
          link: GuestLinkId,
          session: Uint8Array,
          heard: string,
        ) {
          const at = yield* now
          return first(
            yield* sql<Guest>`
              with own as materialized (
                select id, name, email, coalesce(
                  (heard_at ->> ${heard}::text)::timestamptz <= ${at} - ${visitHours}::int * interval '1 hour', true) as is_new_visit
                from guest
                where session_hash = ${session}::bytea and guest_link_id = ${link}::uuid
                  and organization_id = ${organization}::int for no key update
              ), noted as (
                update guest g set heard_at = g.heard_at || jsonb_build_object(${heard}::text, ${at}) from own
                where g.id = own.id and g.organization_id = ${organization}::int and own.is_new_visit
              )
              select id, name, email, is_new_visit from own`,
          )
        }),
        /** Undefined: the session has not opened this link. */
        findGuest: Effect.fnUntraced(function* (organization: OrganizationId, link: GuestLinkId, session: Uint8Array) {
          return first(
            yield* sql<GuestIdentity & { readonly id: GuestId }>`
              select id, name, email from guest
              where session_hash = ${session}::bytea and guest_link_id = ${link}::uuid
                and organization_id = ${organization}::int`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
