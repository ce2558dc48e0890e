/** Fills a database with organizations that each have one endpoint at the receiver. */

import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as App from "../../../src/App.ts"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Config } from "../../../src/config/Config.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../../src/values/Ids.ts"
import { Endpoints } from "../../../src/webhooks/endpoints/Endpoints.ts"
import { settings } from "./settings.ts"

export interface Account {
  readonly organization: OrganizationId
  /** The endpoint's signing secret as the API returns it. */
  readonly secret: string
}

/** Creates `count` accounts in a migrated database. The endpoint of account `i`, from 0, has the path `/i`. */
export const seed = (url: string, receiver: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), (_, i) =>
    Effect.gen(function* () {
      const organization = yield* (yield* Organizations).create(`Hiring system ${i}`)
      const endpoint = { name: "Events", url: `${receiver}/${i}` }
      const { secret } = yield* (yield* Endpoints).create(operator(organization), endpoint)
      return { organization, secret: Redacted.value(secret) } satisfies Account
    }),
  ).pipe(
    Effect.provide(
      App.foundation.pipe(
        Layer.provideMerge(Database.layer({ url: Redacted.make(url), maxConnections: 2 })),
        Layer.provideMerge(Config.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))),
      ),
      { local: true },
    ),
  )
