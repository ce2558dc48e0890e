/** Stores the record: entries, chains and keys (sql/12_record.sql). */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { memberName } from "../accounts/members/MemberSql.ts"
import { version } from "../config/Version.ts"
import { Database, first, recordset, unlessEmpty } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { EvaluationId, OrganizationId, RecordKeyId, SubmissionId } from "../values/Ids.ts"
import type { EntryKind, InputText, NoticeText } from "./RecordEntry.ts"

type JsonObject = { readonly [key: string]: unknown }

export interface NewFact {
  readonly submission: SubmissionId
  readonly kind: Exclude<EntryKind, "evaluation">
  readonly evaluation?: EvaluationId | undefined
  readonly facts: JsonObject
  readonly content: JsonObject
}

export interface UnsealedEntry {
  readonly id: string
  readonly submission_id: SubmissionId
  readonly kind: EntryKind
  readonly at: Date
  readonly facts: JsonObject
  readonly content: JsonObject | null
  readonly salt: Uint8Array | null
}

export interface Seal {
  readonly id: string
  readonly number: number
  readonly body: string
  /** Hexadecimal. */
  readonly hash: string
  /** Hexadecimal. */
  readonly signature: string
}

export interface Chain {
  readonly entries: number
  readonly hash: Uint8Array | null
  readonly sealed_at: Date | null
}

export interface RecordKey {
  readonly id: RecordKeyId
  readonly position: number
  readonly public_key: Uint8Array
  readonly private_key: Uint8Array | null
  readonly signature: Uint8Array | null
  readonly created_at: Date
  readonly retired_at: Date | null
}

export interface RecordSubject {
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly email: string | null
  readonly interview: string
  readonly waiting: number
}

export interface StoredEntry {
  readonly number: number
  readonly body: string
  readonly hash: Uint8Array
  readonly signature: Uint8Array
  readonly content: JsonObject | null
  readonly salt: Uint8Array | null
}

/** Entries that are read or sealed at once. */
export const batch = 500

/** The chain keeps the hashes of erased contents, which nothing can be compared with once the salts are gone. */
export const personalEntries: PersonalTable = {
  table: "record_entry",
  kept: ["kind", "facts", "body", "hash", "signature"],
  rows: "t.submission_id = any(p.submissions) and t.content is not null",
  cleared: ["content", "salt"],
  exported: {
    name: "record",
    of: "submission",
    row: "jsonb_build_object('number', n.number, 'kind', n.kind, 'at', n.at, 'content', n.content)",
    from: "record_entry n where n.submission_id = b.id",
    order: "n.id",
  },
}

/** A notice that a candidate got (docs/candidate-notices.md). */
export interface RecordedNotice extends NoticeText {
  readonly given_at: Date
  readonly over_at: Date | null
}

export class RecordRepository extends Context.Service<RecordRepository>()(
  "interview-invitations/record/RecordRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const columns = sql.literal("n.number::int as number, n.body, n.hash, n.signature, n.content, n.salt")
      // two random UUIDs have 244 random bits
      const salt = sql.literal("uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())")
      const page = (organization: OrganizationId, after: number, until: number) => sql<StoredEntry>`
        select ${columns} from record_entry n
        where n.organization_id = ${organization}::int and n.number > ${after}::bigint and n.number <= ${until}::bigint
        order by n.number limit ${batch}::int`
      return {
        /** Of evaluations that are done and have no entry yet. Needs the transaction that settled them. */
        addEvaluations: Effect.fnUntraced(function* (evaluations: ReadonlyArray<EvaluationId>) {
          const at = yield* now
          yield* unlessEmpty(
            evaluations,
            sql`
              insert into record_entry (organization_id, submission_id, kind, evaluation_id, at, facts, content, salt)
              select e.organization_id, e.submission_id, 'evaluation', e.id, date_trunc('milliseconds', ${at}),
                jsonb_build_object('evaluation', e.id, 'type', e.evaluation_type, 'attempt', e.attempt,
                  'evaluator', e.evaluator, 'model', e.model, 'service', ${version}::text,
                  'cv_evaluation', e.cv_evaluation_id, 'interview_evaluation', e.interview_evaluation_id),
                jsonb_build_object('requirements', coalesce(e.input -> 'requirements', '[]'),
                  'input_hash', encode(e.input_hash, 'hex'), 'result', e.result, 'error', e.error, 'override', e.override),
                ${salt}
              from evaluation e where e.id = any(${[...evaluations]}::uuid[]) and e.state = 'done'
              order by e.created_at, e.id
              on conflict (evaluation_id) where kind = 'evaluation' do nothing
              returning id`,
          )
        }),
        /** Needs the transaction of the facts. */
        add: Effect.fnUntraced(function* (organization: OrganizationId, facts: ReadonlyArray<NewFact>) {
          const at = yield* now
          yield* unlessEmpty(
            facts,
            sql`
              insert into record_entry (organization_id, submission_id, kind, evaluation_id, at, facts, content, salt)
              select ${organization}::int, r.submission, r.kind, r.evaluation, date_trunc('milliseconds', ${at}), r.facts,
                r.content, ${salt}
              from ${recordset(sql, facts, "submission uuid, kind text, evaluation uuid, facts jsonb, content jsonb")}
              returning id`,
          )
        }),
        /** Organizations with entries to seal, without those that are being moved. Reads one index entry for each. */
        unsealed: Effect.map(
          sql<{ id: OrganizationId }>`
            with recursive found (id) as (
              select min(organization_id) from record_entry where number is null
              union all
              select (select min(e.organization_id) from record_entry e where e.number is null and e.organization_id > f.id)
              from found f where f.id is not null
            )
            select id from found where id is not null and id <> all(array(select id from suspended_organization))`,
          (rows) => rows.map(({ id }) => id),
        ),
        /** Locks the chain until the end of the transaction; undefined while another process has locked it. */
        lockChain: Effect.fnUntraced(function* (organization: OrganizationId) {
          yield* sql`
            insert into record_chain (organization_id) values (${organization}::int) on conflict do nothing`
          return first(
            yield* sql<Chain>`
              select entries::int as entries, hash, sealed_at from record_chain
              where organization_id = ${organization}::int for update skip locked`,
          )
        }),
        /** The same, and waits for another process. */
        waitForChain: Effect.fnUntraced(function* (organization: OrganizationId) {
          yield* sql`
            insert into record_chain (organization_id) values (${organization}::int) on conflict do nothing`
          yield* sql`select from record_chain where organization_id = ${organization}::int for update`
        }),
        chain: Effect.fnUntraced(function* (organization: OrganizationId) {
          return first(
            yield* sql<Chain & { readonly waiting: number }>`
              select coalesce(c.entries, 0)::int as entries, c.hash, c.sealed_at, (
                select count(*)::int from record_entry e where e.organization_id = o.id and e.number is null) as waiting
              from organization o left join record_chain c on c.organization_id = o.id where o.id = ${organization}::int`,
          )
        }),
        /** Locks the entries, the oldest first as erasures do; an erasure may have emptied them. */
        lockUnsealed: (organization: OrganizationId) => sql<UnsealedEntry>`
          select n.id::text as id, n.submission_id, n.kind, n.at, n.facts, n.content, n.salt from record_entry n
          where n.organization_id = ${organization}::int and n.number is null order by n.id limit ${batch}::int for update`,
        seal: Effect.fnUntraced(function* (
          organization: OrganizationId,
          seals: ReadonlyArray<Seal>,
          last: { readonly number: number; readonly hash: string; readonly at: Date },
        ) {
          yield* sql`
            update record_entry n set number = r.number, body = r.body, hash = decode(r.hash, 'hex'),
              signature = decode(r.signature, 'hex'), facts = null
            from ${recordset(sql, seals, "id bigint, number bigint, body text, hash text, signature text")}
            where n.id = r.id and n.organization_id = ${organization}::int`
          yield* sql`
            update record_chain set entries = ${last.number}::bigint, hash = decode(${last.hash}, 'hex'),
              sealed_at = ${last.at}::timestamptz
            where organization_id = ${organization}::int`
        }),
        /** Oldest first. */
        keys: (organization: OrganizationId) => sql<RecordKey>`
          select id, position, public_key, private_key, signature, created_at, retired_at from record_key
          where organization_id = ${organization}::int order by position`,
        /** Retires the active key and deletes its private part. */
        addKey: Effect.fnUntraced(function* (
          organization: OrganizationId,
          key: Omit<RecordKey, "retired_at" | "private_key"> & { readonly private_key: Uint8Array },
        ) {
          yield* sql`
            update record_key set private_key = null, retired_at = ${key.created_at}::timestamptz
            where organization_id = ${organization}::int and retired_at is null`
          yield* sql`
            insert into record_key (id, organization_id, position, public_key, private_key, signature, created_at)
            values (${key.id}::uuid, ${organization}::int, ${key.position}::int, ${key.public_key}, ${key.private_key},
              ${key.signature}::bytea, ${key.created_at}::timestamptz)`
        }),
        /** Organizations that have a key. */
        organizationsWithKey: Effect.map(
          sql<{ id: OrganizationId }>`
            select organization_id as id from record_key
            where retired_at is null and organization_id <> all(array(select id from suspended_organization))
            order by organization_id`,
          (rows) => rows.map(({ id }) => id),
        ),
        /** The first `until` entries in order, read in pages. */
        entries: (organization: OrganizationId, until: number) =>
          Stream.paginate(0, (after: number) =>
            Effect.map(page(organization, after, until), (rows) => [
              rows,
              rows.length < batch ? Option.none() : Option.fromNullishOr(rows.at(-1)?.number),
            ]),
          ),
        entriesOf: (organization: OrganizationId, submission: SubmissionId) => sql<StoredEntry>`
          select ${columns} from record_entry n
          where n.organization_id = ${organization}::int and n.submission_id = ${submission}::uuid and n.number is not null
          order by n.number`,
        /** Members of the organization, also removed ones, by their names. */
        membersNamed: Effect.fnUntraced(function* (organization: OrganizationId, members: ReadonlyArray<string>) {
          return yield* unlessEmpty(
            members,
            sql<{ readonly id: string; readonly name: string }>`
              select m.id, ${sql.literal(memberName)} as name from member m
              where m.organization_id = ${organization}::int and m.id = any(${[...members]}::uuid[])`,
          )
        }),
        /** The submission with the number of its facts that wait to be sealed. */
        subject: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return first(
            yield* sql<RecordSubject>`
              select c.name, c.firstname, c.lastname, c.email, s.title as interview,
                (select count(*)::int from record_entry e where e.submission_id = b.id and e.number is null) as waiting
              from submission b join candidate c on c.id = b.candidate_id join interview_set s on s.id = b.interview_set_id
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
        /** The evaluated texts, exactly as they were hashed. */
        /** That the candidate got, in the order of giving. */
        noticesOf: (organization: OrganizationId, submission: SubmissionId) => sql<RecordedNotice>`
          select encode(v.content_hash, 'hex') as hash, v.content, g.given_at, g.over_at
          from submission_notice g join notice_version v on v.id = g.notice_version_id
          where g.submission_id = ${submission}::uuid and g.organization_id = ${organization}::int
          order by g.given_at, g.notice_id`,
        inputsOf: (organization: OrganizationId, submission: SubmissionId) => sql<InputText>`
          select e.id as evaluation, e.input::text as text from evaluation e
          where e.organization_id = ${organization}::int and e.submission_id = ${submission}::uuid and e.state = 'done'
            and e.input is not null
            and exists (select from record_entry n where n.evaluation_id = e.id and n.kind = 'evaluation'
              and n.number is not null and n.content is not null)
          order by e.created_at, e.id`,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
