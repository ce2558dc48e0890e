/** Addresses that an organization must not write to. */
import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { Database, first, recordset } from "../platform/database/Database.ts"
import { iso, type Positioned, paging, when } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { PageRequest } from "../values/Cursor.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { OrganizationId, SuppressionId } from "../values/Ids.ts"
import type { SuppressionReason } from "./EmailEvent.ts"

export interface Suppression {
  /** The folded address; its hash when the person was erased. */
  readonly email: string
  readonly reason: SuppressionReason
  readonly created_at: Date
}

/** As the API returns it. */
export interface SuppressedAddress {
  readonly id: SuppressionId
  /** Null: the person was erased, and only the address's hash is stored. */
  readonly email: string | null
  readonly reason: string
  readonly created_at: string
}

export interface SuppressionFilter {
  readonly email?: string | undefined
  readonly reason?: SuppressionReason | undefined
}

const hashMark = "sha256:"

export const suppressedHash = (organization: OrganizationId, address: string): string =>
  `${hashMark}${createHash("sha256").update(`${organization} ${address}`).digest("hex")}`

export const suppressedAs = (organization: OrganizationId, address: string): readonly [string, string] => {
  const folded = foldAddress(address)
  return [folded, suppressedHash(organization, folded)]
}

export interface NewSuppression {
  readonly organization_id: OrganizationId
  readonly email: string
  readonly reason: SuppressionReason
}

/** The address stays suppressed by its hash, unless another candidate has it. */
export const personalSuppressions: PersonalTable = {
  table: "suppression",
  kept: ["reason"],
  personal: ["email"],
  run: ({ sql }, { addresses, candidate, organization }) => {
    const keys = [...new Set(addresses.map(foldAddress))]
    const hashes = keys.map((key) => ({ key, hash: suppressedHash(organization, key) }))
    return sql`
        update suppression x set email = r.hash from ${recordset(sql, hashes, "key text, hash text")}
        where x.organization_id = ${organization}::int and x.email = r.key
          and not exists (select from candidate c where c.organization_id = ${organization}::int
            and c.email_key = r.key and c.id <> ${candidate}::uuid)
          and not exists (select from suppression h where h.organization_id = ${organization}::int and h.email = r.hash)`
  },
}

export class SuppressionRepository extends Context.Service<SuppressionRepository>()(
  "interview-invitations/emails/SuppressionRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const entry = sql`x.id, case when not starts_with(x.email, ${hashMark}) then x.email end as email, x.reason,
        ${iso(sql, "x.created_at")} as created_at`
      const isAddress = (organization: OrganizationId, email: string) =>
        sql`x.email = any(${[...suppressedAs(organization, email)]}::text[])`
      return {
        /** Returns it also when it is listed already. */
        suppress: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: SuppressionId,
          email: string,
          reason: SuppressionReason,
        ) {
          const stored = sql<SuppressedAddress>`
            select ${entry} from suppression x
            where x.organization_id = ${organization}::int and ${isAddress(organization, email)}`
          const listed = first(yield* stored)
          if (listed !== undefined) return { ...listed, isNew: false }
          const rows = yield* sql`
            insert into suppression (id, organization_id, email, reason, created_at)
            values (${id}::uuid, ${organization}::int, ${foldAddress(email)}, ${reason}, ${yield* now})
            on conflict do nothing returning id`
          const found = yield* Effect.fromNullishOr(first(yield* stored))
          return { ...found, isNew: rows.length > 0 }
        }, Effect.orDie),
        page: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { email, reason }: SuppressionFilter,
          page: PageRequest,
        ) {
          const { behind, newestFirst, position } = paging(sql, "x", page)
          return yield* sql<Positioned<SuppressedAddress>>`
            select ${entry}, ${position} from suppression x
            where x.organization_id = ${organization}::int and ${behind}
              and ${when(sql, email, (address) => isAddress(organization, address))}
              and ${when(sql, reason, (value) => sql`x.reason = ${value}`)}
            ${newestFirst}`
        }),
        release: Effect.fnUntraced(function* (organization: OrganizationId, id: SuppressionId) {
          return first(
            yield* sql<{ id: SuppressionId; reason: string }>`
              delete from suppression x where x.id = ${id}::uuid and x.organization_id = ${organization}::int
              returning x.id, x.reason`,
          )
        }),
        /** Returns the listed ones, as given. */
        among: Effect.fnUntraced(function* (organization: OrganizationId, emails: ReadonlyArray<string>) {
          if (emails.length === 0) return new Set<string>()
          const rows = yield* sql<{ email: string }>`
            select email from suppression
            where organization_id = ${organization}::int and email = any(${emails.flatMap((email) => suppressedAs(organization, email))}::text[])`
          const listed = new Set(rows.map(({ email }) => email))
          return new Set(emails.filter((email) => suppressedAs(organization, email).some((form) => listed.has(form))))
        }),
        /** A listed address keeps its reason. */
        add: Effect.fnUntraced(function* (suppressions: ReadonlyArray<NewSuppression>) {
          if (suppressions.length === 0) return
          const rows = suppressions.map(({ email, ...rest }) => ({ ...rest, email: foldAddress(email) }))
          yield* sql`
            insert into suppression (organization_id, email, reason, created_at)
            select r.organization_id, r.email, r.reason, ${yield* now}
            from ${recordset(sql, rows, "organization_id int, email text, reason text")}
            on conflict do nothing`
        }),
        list: Effect.fnUntraced(function* (organization: OrganizationId, after: string | undefined, limit: number) {
          return yield* sql<Suppression>`
            select email, reason, created_at from suppression
            where organization_id = ${organization}::int
              and ${when(sql, after, (value) => sql`email > ${foldAddress(value)}`)}
            order by email limit ${limit}::int`
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, email: string) {
          return first(
            yield* sql<Suppression & { id: SuppressionId }>`
              delete from suppression x where x.organization_id = ${organization}::int and ${isAddress(organization, email)}
              returning x.id, x.email, x.reason, x.created_at`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
