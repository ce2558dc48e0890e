/** Stores organizations, and the passwords of members. */
import { Context, Effect, Layer, Schema } from "effect"
import { Database, first, recordset } from "../platform/database/Database.ts"
import type { Language } from "../texts/Texts.ts"
import type { HiringStageId, MemberId, OrganizationId } from "../values/Ids.ts"
import type { Role } from "./members/Member.ts"
import type { Reasons } from "./Reasons.ts"

export class MemberExists extends Schema.TaggedError<MemberExists>()("MemberExists", { email: Schema.String }) {}

export interface MemberRow {
  readonly id: MemberId
  readonly organization_id: OrganizationId
  readonly email: string
  readonly role: Role
  readonly password_hash: string | null
}

export interface Contacts {
  readonly contact: string | null
  readonly privacy_contact: string | null
}

export interface OrganizationRow extends Contacts {
  readonly id: OrganizationId
  readonly name: string
  /** Other members' reviews are hidden from a member until the member has sent one. */
  readonly hides_reviews: boolean
  /** Of members who sign in with a password. */
  readonly requires_second_factor: boolean
  /** Scores are hidden from a member until the member has sent a review (accounts/members/Member.ts `seesScores`). */
  readonly hides_scores: boolean
  /** An IANA name (values/TimeZone.ts). */
  readonly time_zone: string
  /** Candidates get an email when their answers have arrived. */
  readonly confirms_receipt: boolean
  /** Of new sets, and of candidates' pages and emails of sets without languages. */
  readonly language: Language
  /** Counts the changes. */
  readonly version: number
}

export interface FirstStage {
  readonly id: HiringStageId
  readonly name: string
}

/** `seen`: the version that the member saw; undefined: any. */
export interface OrganizationUpdate extends Partial<Omit<OrganizationRow, "id" | "version">> {
  readonly seen?: number | undefined
}

export class OrganizationRepository extends Context.Service<OrganizationRepository>()(
  "interview-invitations/accounts/OrganizationRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const columns = sql.literal(
        `id, name, contact, privacy_contact, hides_reviews, hides_scores, requires_second_factor, time_zone, language, confirms_receipt, version`,
      )
      const insertStages = Effect.fnUntraced(function* (id: OrganizationId, stages: ReadonlyArray<FirstStage>) {
        yield* sql`
          insert into hiring_stage (id, organization_id, name, position, created_at)
          select r.id, ${id}::int, r.name, r.position, ${yield* now}
          from ${recordset(
            sql,
            stages.map((stage, index) => ({ ...stage, position: index + 1 })),
            "id uuid, name text, position int",
          )}`
      })
      return {
        /** `stages`: of its hiring, in their order. Needs a transaction. */
        create: Effect.fnUntraced(function* (name: string, stages: ReadonlyArray<FirstStage>) {
          const rows = yield* sql<{ id: OrganizationId }>`
            insert into organization (name, created_at) values (${name}, ${yield* now}) returning id`
          const id = yield* Effect.fromNullishOr(first(rows)?.id)
          yield* insertStages(id, stages)
          return id
        }, Effect.orDie),
        /**
         * Makes the test space of an organization, with its name, contacts, language and time zone. Needs a transaction. Its lock of the
         * organization waits for members that are being added, whose trigger makes no copy, and later ones wait for it. Undefined:
         * there is one already, there is no such organization, or it is a test space itself.
         */
        createTestSpace: Effect.fnUntraced(function* (live: OrganizationId, stages: ReadonlyArray<FirstStage>) {
          const rows = yield* sql<{ id: OrganizationId }>`
            with live as materialized (
              select id, name || ' (test)' as name, contact, privacy_contact, time_zone, language from organization
              where id = ${live}::int and test_of is null
                and not exists (select from organization space where space.test_of = ${live}::int)
              for no key update
            )
            insert into organization (name, contact, privacy_contact, time_zone, language, test_of, created_at)
            select name, contact, privacy_contact, time_zone, language, id, ${yield* now} from live
            on conflict (test_of) do nothing returning id`
          const id = first(rows)?.id
          if (id !== undefined) yield* insertStages(id, stages)
          return id
        }),
        /** Of an organization; undefined: it has none. */
        testSpace: Effect.fnUntraced(function* (live: OrganizationId) {
          return first(yield* sql<{ id: OrganizationId }>`select id from organization where test_of = ${live}::int`)?.id
        }),
        /** The organization that the test space belongs to. Undefined: it is not a test space. */
        liveOf: Effect.fnUntraced(function* (id: OrganizationId) {
          const rows = yield* sql<{ test_of: OrganizationId | null }>`
            select test_of from organization where id = ${id}::int`
          return first(rows)?.test_of ?? undefined
        }),
        /**
         * Copies the members who have no copy in the test space yet; a trigger keeps the copies equal. `for share` waits for a change of
         * a member that began before the test space was there, whose trigger makes no copy.
         */
        copyMembers: Effect.fnUntraced(function* (live: OrganizationId, space: OrganizationId) {
          yield* sql`
            with lacking as materialized (
              select m.id, m.email, m.name, m.role, m.created_at from member m
              where m.organization_id = ${live}::int and m.deactivated_at is null
                and not exists (select from member c where c.live_member_id = m.id)
              for share of m
            )
            insert into member (id, organization_id, live_member_id, email, name, role, created_at)
            select gen_random_uuid(), ${space}::int, id, email, name, role, created_at from lacking
            on conflict (live_member_id) where live_member_id is not null do nothing`
        }),
        find: Effect.fnUntraced(function* (id: OrganizationId) {
          return first(
            yield* sql<OrganizationRow>`
              select ${columns} from organization where id = ${id}::int`,
          )
        }),
        /** The sample organization (sample/Samples.ts). */
        isSample: Effect.fnUntraced(function* (id: OrganizationId) {
          const rows = yield* sql`select from organization where id = ${id}::int and sample is not null`
          return rows.length > 0
        }),
        reasons: Effect.fnUntraced(function* (id: OrganizationId) {
          const rows = yield* sql<Reasons>`
            select reject_reasons, decline_reasons from organization where id = ${id}::int`
          return first(rows) ?? { reject_reasons: [], decline_reasons: [] }
        }),
        /** Waits for other changes. False: the lists are no longer those that were `seen`. */
        setReasons: Effect.fnUntraced(function* (id: OrganizationId, seen: Reasons, next: Reasons) {
          const rows = yield* sql`
            update organization set reject_reasons = ${[...next.reject_reasons]}::text[],
              decline_reasons = ${[...next.decline_reasons]}::text[]
            where id = ${id}::int and reject_reasons = ${[...seen.reject_reasons]}::text[]
              and decline_reasons = ${[...seen.decline_reasons]}::text[]
            returning id`
          return rows.length > 0
        }),
        findByName: Effect.fnUntraced(function* (name: string) {
          return first(
            yield* sql<{ id: OrganizationId }>`select id from organization
            where name = ${name} and test_of is null order by id limit 1`,
          )?.id
        }),
        /** Undefined: another version than `seen` is stored. */
        update: Effect.fnUntraced(function* (
          id: OrganizationId,
          {
            confirms_receipt,
            contact,
            hides_reviews,
            hides_scores,
            language,
            name,
            privacy_contact,
            requires_second_factor,
            seen,
            time_zone,
          }: OrganizationUpdate,
        ) {
          const updated = yield* sql<OrganizationRow>`
            update organization set name = coalesce(${name ?? null}::text, name),
              contact = case when ${contact !== undefined}::bool then ${contact ?? null}::text else contact end,
              privacy_contact = case when ${privacy_contact !== undefined}::bool then ${privacy_contact ?? null}::text
                else privacy_contact end,
              hides_reviews = coalesce(${hides_reviews ?? null}::bool, hides_reviews),
              hides_scores = coalesce(${hides_scores ?? null}::bool, hides_scores),
              requires_second_factor = coalesce(${requires_second_factor ?? null}::bool, requires_second_factor),
              time_zone = coalesce(${time_zone ?? null}::text, time_zone),
              language = coalesce(${language ?? null}::text, language),
              confirms_receipt = coalesce(${confirms_receipt ?? null}::bool, confirms_receipt),
              version = version + 1
            where id = ${id}::int and version = coalesce(${seen ?? null}::int, version) returning ${columns}`
          return first(updated)
        }),
        addMember: Effect.fnUntraced(function* (member: MemberRow) {
          const added = yield* sql`
            insert into member (id, organization_id, email, role, password_hash, created_at)
            values (${member.id}::uuid, ${member.organization_id}::int, ${member.email}, ${member.role},
                    ${member.password_hash}, ${yield* now})
            on conflict (lower(email)) where deactivated_at is null and live_member_id is null do nothing returning id`
          if (added.length === 0) return yield* new MemberExists({ email: member.email })
        }),
        /** Ends the member's sessions and password links. False: no such member. */
        setPassword: Effect.fnUntraced(function* (organization: OrganizationId, email: string, password_hash: string) {
          const rows = yield* sql`
            with changed as (
              update member set password_hash = ${password_hash}
              where organization_id = ${organization}::int and lower(email) = lower(${email}) and deactivated_at is null and live_member_id is null
              returning id
            ), ended as (delete from session where member_id in (select id from changed)),
            links as (delete from password_link where member_id in (select id from changed))
            select id from changed`
          return rows.length > 0
        }),
        findMember: Effect.fnUntraced(function* (email: string) {
          return first(
            yield* sql<MemberRow>`
              select id, organization_id, email, role, password_hash from member
              where lower(email) = lower(${email}) and deactivated_at is null and live_member_id is null`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
