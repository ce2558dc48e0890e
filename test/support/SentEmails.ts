/** Invited candidates whose email was sent, and what providers' reports on it change. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { EmailEventProcessor } from "../../src/emails/EmailEventProcessor.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as Scenario from "./Scenario.ts"

export const start = Date.UTC(2026, 0, 1)

/** An invited candidate whose email was sent. */
export const sent = Effect.fnUntraced(function* (email = "ada@example.com") {
  yield* TestClock.setTime(start)
  const { id, set } = yield* Scenario.organization()
  const candidate = yield* Scenario.invited({ id, set }, email)
  yield* runOnce((yield* EmailQueue).queue)
  const { sql } = yield* Database
  const [mail] = yield* sql<{ id: string }>`
    select id from email where invitation_id = ${candidate.subject.invitation_id}::uuid and state = 'sent'`
  return { ...candidate, emailId: mail?.id ?? assert.fail("no email was sent") }
})

export const apply = Effect.flatMap(EmailEventProcessor, ({ apply }) => apply)

/** The bodies of a candidate's events, in order. */
export const eventsOf = Effect.fnUntraced(function* ({ subject }: Scenario.Invited) {
  const { sql } = yield* Database
  const rows = yield* sql<{ body: string }>`
    select body from webhook_event where submission_id = ${subject.submission_id}::uuid order by seq`
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown> & { data: Record<string, unknown> })
})

export const statusesOf = (candidate: Scenario.Invited) =>
  Effect.map(eventsOf(candidate), (events) => events.map(({ data }) => `${data["status"]} ${data["reason"]}`))

export const standing = Effect.fnUntraced(function* ({ organization, subject }: Scenario.Invited) {
  const { sql } = yield* Database
  const [row] = yield* sql<{
    status: string
    failure_reason: string | null
    suppression: string | null
    waiting: number
  }>`
    select i.status, i.failure_reason, (select reason from suppression x
        where x.organization_id = ${organization}::int and x.email = lower(i.email)) as suppression,
      (select count(*)::int from email_event where applied_at is null) as waiting
    from invitation i where i.id = ${subject.invitation_id}::uuid`
  return row
})

/** Reports that are stored. */
export const storedReports = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<{ provider: string; provider_event_id: string; kind: string; body: string }>`
    select provider, provider_event_id, kind, body from email_event order by id`
})
