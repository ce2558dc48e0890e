/** Finds records of an organization's other mode: of its test space, or of the organization that a test space belongs to. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../../platform/database/Database.ts"
import type { OrganizationId } from "../../values/Ids.ts"

/** Of the records that paths of the API name. */
const tables = [
  "submission",
  "invitation",
  "interview_set",
  "candidate",
  "project",
  "job_post",
  "webhook_endpoint",
  "suppression",
  "member",
] as const

interface OtherMode {
  /** The organization is a test space, so the other mode is live mode. */
  readonly isTest: boolean
  /** It has a record with one of the ids. */
  readonly isFound: boolean
}

export class OtherModeRepository extends Context.Service<OtherModeRepository>()(
  "interview-invitations/accounts/api-keys/OtherModeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Undefined: the organization has no other mode. `ids`: UUIDs. */
        find: Effect.fnUntraced(function* (organization: OrganizationId, ids: ReadonlyArray<string>) {
          const found = tables.map(
            (table) =>
              sql`exists (select from ${sql(table)} where id = any(${ids}::uuid[]) and organization_id = other.id)`,
          )
          return first(
            yield* sql<OtherMode>`
              select own.test_of is not null as "isTest", true = any(array[${sql.csv(found)}, exists (
                select from api_request where request_id = any(${ids}::text[]) and organization_id = other.id)]) as "isFound"
              from organization own join organization other on other.id = own.test_of or other.test_of = own.id
              where own.id = ${organization}::int`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
