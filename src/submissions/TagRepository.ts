/** Stores the tags of an organization, and of its submissions. */
import { Context, Effect, Layer } from "effect"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { OrganizationId, SubmissionId, TagId } from "../values/Ids.ts"
import { type TagRef, tagKey } from "./Tag.ts"

export interface CountedTag extends TagRef {
  /** Candidates with the tag, up to the given number. */
  readonly candidates: number
}

/** Of a submission with at least one tag. */
export interface HeldTags {
  readonly submission_id: SubmissionId
  readonly count: number
  /** The tag in question is one of them. */
  readonly is_held: boolean
}

/** The names of tags in the audit log go with those of the submission; the organization keeps its list. */
export const personalTags: ReadonlyArray<PersonalTable> = [
  {
    table: "submission_tag",
    key: ["submission_id", "tag_id"],
    rows: "t.submission_id = any(p.submissions)",
    exported: {
      name: "tags",
      of: "submission",
      row: "to_jsonb(g.name)",
      from: "submission_tag x join tag g on g.id = x.tag_id where x.submission_id = b.id",
      order: "g.key",
    },
  },
  {
    table: "audit_log",
    rows: `t.record_type = 'submission' and t.record_id = any(p.submissions::text[])
      and t.action in ('submission.tag', 'submission.untag')`,
    set: { detail: "t.detail - 'tag'" },
  },
]

export class TagRepository extends Context.Service<TagRepository>()("interview-invitations/submissions/TagRepository", {
  make: Effect.gen(function* () {
    const { nameInSchema, now, sql } = yield* Database
    return {
      /** By name. */
      list: Effect.fnUntraced(function* (organization: OrganizationId) {
        return yield* sql<TagRef>`
          select t.id, t.name from tag t where t.organization_id = ${organization}::int order by t.key`
      }),
      /** By name. `most`: to which each is counted. */
      listCounted: Effect.fnUntraced(function* (organization: OrganizationId, most: number) {
        return yield* sql<CountedTag>`
          select t.id, t.name, (select count(*)::int from (
            select from submission_tag x where x.tag_id = t.id limit ${most}::int) n) as candidates
          from tag t where t.organization_id = ${organization}::int order by t.key`
      }),
      /** By any spelling. `hold`: until the transaction ends, it is not removed. */
      findNamed: Effect.fnUntraced(function* (
        organization: OrganizationId,
        name: string,
        { hold = false }: { readonly hold?: boolean } = {},
      ) {
        return first(
          yield* sql<TagRef>`
            select t.id, t.name from tag t where t.organization_id = ${organization}::int and t.key = ${tagKey(name)}
            ${hold ? sql`for key share` : sql``}`,
        )
      }),
      find: Effect.fnUntraced(function* (organization: OrganizationId, id: TagId) {
        return first(
          yield* sql<TagRef>`
            select t.id, t.name from tag t where t.id = ${id}::uuid and t.organization_id = ${organization}::int`,
        )
      }),
      /** Blocks other changes of the organization's tags until the transaction ends. */
      lock: (organization: OrganizationId) =>
        sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "tag", organization)}`,
      insert: Effect.fnUntraced(function* (organization: OrganizationId, { id, name }: TagRef) {
        yield* sql`
          insert into tag (id, organization_id, name, key, created_at)
          values (${id}::uuid, ${organization}::int, ${name}, ${tagKey(name)}, ${yield* now})`
      }),
      rename: Effect.fnUntraced(function* (organization: OrganizationId, { id, name }: TagRef) {
        yield* sql`
          update tag set name = ${name}, key = ${tagKey(name)}
          where id = ${id}::uuid and organization_id = ${organization}::int`
      }),
      /** Also from the submissions. */
      remove: Effect.fnUntraced(function* (organization: OrganizationId, id: TagId) {
        yield* sql`delete from tag where id = ${id}::uuid and organization_id = ${organization}::int`
      }),
      /** Of the submissions that have tags. `tag` undefined: a new one. */
      held: Effect.fnUntraced(function* (
        organization: OrganizationId,
        submissions: ReadonlyArray<SubmissionId>,
        tag: TagId | undefined,
      ) {
        return yield* sql<HeldTags>`
          select x.submission_id, count(*)::int as count, coalesce(bool_or(x.tag_id = ${tag ?? null}::uuid), false) as is_held
          from submission_tag x
          where x.submission_id = any(${[...submissions]}::uuid[]) and x.organization_id = ${organization}::int
          group by x.submission_id`
      }),
      addTo: Effect.fnUntraced(function* (
        organization: OrganizationId,
        tag: TagId,
        submissions: ReadonlyArray<SubmissionId>,
      ) {
        yield* sql`
          insert into submission_tag (submission_id, tag_id, organization_id)
          select id, ${tag}::uuid, ${organization}::int from unnest(${[...submissions]}::uuid[]) as r(id)`
      }),
      removeFrom: Effect.fnUntraced(function* (
        organization: OrganizationId,
        tag: TagId,
        submissions: ReadonlyArray<SubmissionId>,
      ) {
        yield* sql`
          delete from submission_tag x where x.tag_id = ${tag}::uuid and x.organization_id = ${organization}::int
            and x.submission_id = any(${[...submissions]}::uuid[])`
      }),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
