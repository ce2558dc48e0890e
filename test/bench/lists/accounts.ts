/** Creates two organizations, each with an owner, a recruiter with access to few sets, a reviewer, and an API key. */

import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as App from "../../../src/App.ts"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import type { Role } from "../../../src/accounts/members/Member.ts"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Config } from "../../../src/config/Config.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { settings } from "../api/settings.ts"

export const password = Redacted.make("a long password, with spaces")

export interface Account {
  readonly id: number
  readonly key: string
  readonly owner: string
  readonly reader: string
  readonly reviewer: string
}

const account = Effect.fnUntraced(function* (n: number) {
  const organizations = yield* Organizations
  const id = yield* organizations.create(`Organization ${n}`)
  const add = (email: string, role: Role) => Effect.as(organizations.addMember(id, { email, password, role }), email)
  const owner = yield* add(`owner.${n}@example.com`, "owner")
  const reader = yield* add(`recruiter.${n}@example.com`, "recruiter")
  const reviewer = yield* add(`reviewer.${n}@example.com`, "reviewer")
  const { value } = yield* (yield* ApiKeys).create(operator(id), {})
  return { id, key: Redacted.value(value), owner, reader, reviewer } satisfies Account
})

/** Fills a migrated database. The bench sends its requests with the first account. */
export const seed = (url: string) =>
  Effect.all([account(1), account(2)]).pipe(
    Effect.provide(
      App.foundation.pipe(
        Layer.provideMerge(Database.layer({ url: Redacted.make(url), maxConnections: 5 })),
        Layer.provideMerge(Config.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))),
      ),
      { local: true },
    ),
  )
