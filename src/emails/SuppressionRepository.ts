/** Addresses that an organization must not write to. */
import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { Database, first, recordset } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { OrganizationId } from "../values/Ids.ts"
import type { SuppressionReason } from "./EmailEvent.ts"

export interface Suppression {
  /** The folded address; its hash when the person was erased. */
  readonly email: string
  readonly reason: SuppressionReason
  readonly created_at: Date
}

export const suppressedHash = (organization: OrganizationId, address: string): string =>
  `sha256:${createHash("sha256").update(`${organization} ${address}`).digest("hex")}`

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
      return {
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
            yield* sql<Suppression>`
              delete from suppression
              where organization_id = ${organization}::int and email = any(${[...suppressedAs(organization, email)]}::text[])
              returning email, reason, created_at`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
