/** Stores how candidates see an organization. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../platform/database/Database.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"
import type { Appearance } from "./Appearance.ts"
import { appearanceOf } from "./AppearanceSql.ts"

export interface NewLogo {
  readonly id: BlobId
  readonly mediaType: string
  readonly width: number
  readonly height: number
}

/** `logo` undefined: the stored one stays; null: it is removed. */
export interface AppearanceChange extends Omit<Appearance, "logo"> {
  readonly logo: NewLogo | null | undefined
}

export interface LogoRow {
  readonly organization: OrganizationId
  readonly mediaType: string
}

export class AppearanceRepository extends Context.Service<AppearanceRepository>()(
  "interview-invitations/accounts/AppearanceRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** `version` 0: never set. */
        find: Effect.fnUntraced(function* (organization: OrganizationId) {
          return first(
            yield* sql<{ readonly appearance: Appearance | null; readonly version: number }>`
              select ${appearanceOf(sql)}, coalesce((
                select version from organization_appearance where organization_id = o.id), 0) as version
              from organization o where o.id = ${organization}::int`,
          )
        }),
        /** False: the stored version is not `version`. */
        save: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { colour, logo, reply_to, sender_name, welcome }: AppearanceChange,
          version: number,
        ) {
          const { height = null, id = null, mediaType: type = null, width = null } = logo ?? {}
          const rows =
            version === 0
              ? yield* sql`
                  insert into organization_appearance (organization_id, colour, welcome, sender_name, reply_to, logo_id,
                    logo_type, logo_width, logo_height)
                  values (${organization}::int, ${colour}, ${welcome}, ${sender_name}, ${reply_to}, ${id}::uuid, ${type},
                    ${width}::int, ${height}::int)
                  on conflict (organization_id) do nothing returning version`
              : yield* sql`
                  update organization_appearance p set colour = ${colour}, welcome = ${welcome}, sender_name = ${sender_name},
                    reply_to = ${reply_to}, version = p.version + 1,
                    ${
                      logo === undefined
                        ? sql`logo_id = p.logo_id`
                        : sql`logo_id = ${id}::uuid, logo_type = ${type}, logo_width = ${width}::int, logo_height = ${height}::int`
                    }
                  where p.organization_id = ${organization}::int and p.version = ${version}::int returning p.version`
          return rows.length > 0
        }),
        /** Of any organization: logos are public, and their ids random. */
        findLogo: Effect.fnUntraced(function* (id: BlobId) {
          return first(
            yield* sql<LogoRow>`
              select organization_id as organization, logo_type as "mediaType" from organization_appearance
              where logo_id = ${id}::uuid`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
