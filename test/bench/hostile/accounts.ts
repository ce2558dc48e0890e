/** Fills a database for hostile requests: an organization with a key, a member, a set and a running interview. */
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as App from "../../../src/App.ts"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Config } from "../../../src/config/Config.ts"
import { InterviewSets } from "../../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Invite } from "../../../src/invitations/Invite.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import type { InterviewSetId } from "../../../src/values/Ids.ts"
import { interviewSet } from "../api/bodies.ts"
import { seed as settings } from "./settings.ts"

export const member = { email: "owner@example.com", password: "a long password, with spaces" }

export interface Account {
  readonly key: string
  readonly set: InterviewSetId
  /** The token in the link of a running interview. */
  readonly token: string
}

/** Fills a migrated database. */
export const seed = (url: string) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const organization = yield* organizations.create("Attacked")
    const password = Redacted.make(member.password)
    yield* organizations.addMember(organization, { email: member.email, password, role: "owner" })
    const { value } = yield* (yield* ApiKeys).create(operator(organization), {})
    const { id } = yield* (yield* InterviewSets).create(operator(organization), interviewSet)
    const candidates = Array.from({ length: 200 }, (_, i) => ({ email: `candidate.${i}@example.com` }))
    const { results } = yield* (yield* Invite).invite(
      operator(organization),
      InviteRequest.make({ com_interview_set_id: id, candidates }),
    )
    const link = yield* Effect.fromNullishOr(results[0]?.submission?.interview_url)
    const token = link.slice(link.lastIndexOf("/") + 1)
    yield* (yield* Interviews).start(token)
    return { key: Redacted.value(value), set: id, token } satisfies Account
  }).pipe(
    Effect.provide(
      App.foundation.pipe(
        Layer.provideMerge(Database.layer({ url: Redacted.make(url), maxConnections: 5 })),
        Layer.provideMerge(Config.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))),
      ),
      { local: true },
    ),
  )
