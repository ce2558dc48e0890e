/** Stores the stages of an organization's hiring. */
import { Context, Effect, Layer } from "effect"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { HiringStageId, OrganizationId } from "../values/Ids.ts"
import type { HiringStage } from "./HiringStage.ts"

export interface CountedStage extends HiringStage {
  /** Candidates in the stage. */
  readonly candidates: number
}

export class HiringStageRepository extends Context.Service<HiringStageRepository>()(
  "interview-invitations/submissions/HiringStageRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      const ofOrganization = (organization: OrganizationId) =>
        sql`h.organization_id = ${organization}::int and h.archived_at is null`
      return {
        /** Without archived ones, in their order. */
        list: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<HiringStage>`
            select h.id, h.name, h.decision from hiring_stage h where ${ofOrganization(organization)} order by h.position, h.id`
        }),
        listCounted: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<CountedStage>`
            select h.id, h.name, h.decision,
              (select count(*)::int from submission b where b.stage_id = h.id) as candidates
            from hiring_stage h where ${ofOrganization(organization)} order by h.position, h.id`
        }),
        /** Not archived. `hold`: until the transaction ends, no other one archives it. */
        find: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: HiringStageId,
          { hold = false }: { readonly hold?: boolean } = {},
        ) {
          return first(
            yield* sql<HiringStage>`
              select h.id, h.name, h.decision from hiring_stage h
              where h.id = ${id}::uuid and ${ofOrganization(organization)} ${hold ? sql`for share` : sql``}`,
          )
        }),
        /** Blocks other changes of the organization's stages until the transaction ends. */
        lock: (organization: OrganizationId) =>
          sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "hiring_stage", organization)}`,
        exists: Effect.fnUntraced(function* (organization: OrganizationId, id: HiringStageId) {
          const rows = yield* sql`
            select from hiring_stage where id = ${id}::uuid and organization_id = ${organization}::int`
          return rows.length > 0
        }),
        /** Behind the others. */
        insert: Effect.fnUntraced(function* (organization: OrganizationId, { decision, id, name }: HiringStage) {
          yield* sql`
            with last as materialized (
              select coalesce(max(h.position), 0) as position from hiring_stage h where ${ofOrganization(organization)}
            )
            insert into hiring_stage (id, organization_id, name, position, decision, created_at)
            select ${id}::uuid, ${organization}::int, ${name}, last.position + 1, ${decision}, ${yield* now} from last`
        }),
        update: Effect.fnUntraced(function* (organization: OrganizationId, { decision, id, name }: HiringStage) {
          yield* sql`
            update hiring_stage set name = ${name}, decision = ${decision}
            where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
        swap: Effect.fnUntraced(function* (organization: OrganizationId, one: HiringStageId, other: HiringStageId) {
          yield* sql`
            update hiring_stage h set position = o.position from hiring_stage o
            where h.organization_id = ${organization}::int and o.organization_id = ${organization}::int
              and ((h.id = ${one}::uuid and o.id = ${other}::uuid) or (h.id = ${other}::uuid and o.id = ${one}::uuid))`
        }),
        /** Waits for transactions that hold it. False: it was archived before. */
        archive: Effect.fnUntraced(function* (organization: OrganizationId, id: HiringStageId) {
          const rows = yield* sql`
            update hiring_stage h set archived_at = ${yield* now} where h.id = ${id}::uuid and ${ofOrganization(organization)}
            returning h.id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
