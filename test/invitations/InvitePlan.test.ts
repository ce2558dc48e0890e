/** What the form says about an invite is what the invite then does, for any stored history. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { operator, type Viewer } from "../../src/accounts/Viewer.ts"
import { Invite } from "../../src/invitations/Invite.ts"
import { type CheckedEntry, type EntryPlan, InviteCheck, isTaken } from "../../src/invitations/InviteCheck.ts"
import { CheckedInvite, InviteRequest } from "../../src/invitations/InviteRequest.ts"
import type { InviteResult } from "../../src/invitations/InviteResult.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { amount } from "../support/thorough.ts"

const id = (number: number) => `0190b5a2-7c1e-7def-8abc-00000000000${number}`
const link = (name: string) => `https://files.example.com/${name}.pdf`

const Entry = Schema.Union([
  Schema.Struct({
    email: Schema.Literals(["ada@example.com", "ADA@example.com", "bo@example.com"]),
    ats_candidate_id: Schema.NullOr(Schema.Literals([id(1), id(2)])),
    cv_link: Schema.NullOr(Schema.Literal(link("a"))),
  }),
  Schema.Struct({
    email: Schema.Literals(["ada@example.com", "bo@example.com"]),
    ats_candidate_id: Schema.Literals([id(1), id(2)]),
  }),
  Schema.Struct({ email: Schema.Literals(["gone@example.com", "invalid@"]), cv_link: Schema.Literal(link("a")) }),
  Schema.Struct({ cv_link: Schema.Literals([link("a"), link("b"), "http://10.0.0.1/cv.pdf"]) }),
  Schema.Struct({ ats_candidate_id: Schema.Literals([id(1), id(2)]), cv_link: Schema.Literal(link("a")) }),
])

const Entries = Schema.Array(Entry).check(Schema.isMinLength(3), Schema.isMaxLength(5))

/** A request with two entries of one id is refused. */
const withoutRefused = (entries: typeof Entries.Type, setType: number) =>
  entries.filter((entry, i) => {
    const idOf = (one: typeof Entry.Type) => ("ats_candidate_id" in one ? one.ats_candidate_id : null)
    const isRepeated = entries.slice(0, i).some((one) => idOf(one) !== null && idOf(one) === idOf(entry))
    return !isRepeated && (setType === 1 || ("cv_link" in entry && entry.cv_link !== null))
  })

const changes = {
  nothing: "select",
  completed: "update submission set status = 'completed' where flow = 'interview'",
  evaluated: "update submission set status = 'evaluated'",
  overdue: "update submission set expires_at = '1970-01-01' where flow = 'interview'",
  withdrawn: `with ended as (update submission set status = 'withdrawn' where status in ('need_interview', 'initiated') returning id)
    update invitation set status = 'cancelled' where submission_id in (select id from ended)`,
  clicked: "update invitation set status = 'clicked' where status = 'pending'",
  bounced: "update invitation set status = 'failed', failure_reason = 'bounce' where status = 'pending'",
}

/** What happened before: two invites, and changes of all submissions. */
const Invited = Schema.Struct({ entries: Entries, send: Schema.Boolean })
const Change = Schema.Literals(["nothing", "completed", "evaluated", "overdue", "withdrawn", "clicked", "bounced"])
const Before = Schema.Tuple([Invited, Change, Invited, Change])

const saidOf = (plan: EntryPlan): string => {
  switch (plan._tag) {
    case "Invited":
      return "new invitation"
    case "InvitedBefore":
      return `invitation ${plan.invitation.id} ${plan.invitation.status}${plan.other === undefined ? "" : " elsewhere"}`
    case "Finished":
      return `no invitation, ${plan.status} already`
    default:
      return "no invitation"
  }
}

const doneOf = ({
  invitation,
  invitation_error_message: elsewhere,
  submission,
  submission_error_message: why,
}: InviteResult) => {
  if (invitation?.is_new && invitation.email_status === "queued") return "new invitation"
  if (invitation !== null) {
    return `invitation ${invitation.id} ${invitation.status_text}${elsewhere === undefined ? "" : " elsewhere"}`
  }
  return why === undefined ? "no invitation" : `no invitation, ${submission?.status_text} already`
}

const count = (checked: ReadonlyArray<CheckedEntry>, ...tags: ReadonlyArray<EntryPlan["_tag"]>) =>
  checked.filter(({ plan }) => tags.includes(plan._tag)).length

/** Ids are numbered in the order in which they appear. */
const comparable = (value: unknown): string => {
  const numbers = new Map<string, number>()
  const numbered = (text: string) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size)
    return String(numbers.get(text))
  }
  return JSON.stringify(value, null, 1)
    .replaceAll(/\/i\/[\w-]{44}/g, "link")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered)
}

layer(Pod.services().pipe(Layer.provideMerge(TestDatabase.layer)))("Invite.plan", (it) => {
  it.effect.prop(
    "says what the invite then does",
    { before: Before, entries: Entries, send: Schema.Boolean, setType: Schema.Literals([1, 2]) },
    ({ before, entries, send, setType }) =>
      Effect.gen(function* () {
        const { id: organization, set } = yield* Scenario.organization({ set_type: setType })
        const { sql } = yield* Database
        yield* sql`insert into suppression (organization_id, email, reason)
          values (${organization}::int, 'gone@example.com', 'unsubscribed')`
        const inviteAll = (send: boolean, candidates: InviteRequest["candidates"]) =>
          Scenario.invite(
            operator(organization),
            InviteRequest.make({ com_interview_set_id: set.id, candidates, send_invite: send }),
          )
        for (const step of before) {
          if (typeof step === "string") yield* sql`${sql.literal(changes[step])}`
          else yield* Effect.ignore(inviteAll(step.send, withoutRefused(step.entries, setType)))
        }
        const stored = sql<{ submissions: number; mails: number }>`
          select (select count(*)::int from submission where organization_id = ${organization}::int) as submissions,
            (select count(*)::int from email where organization_id = ${organization}::int) as mails`
        const [earlier] = yield* stored
        const drafts = withoutRefused(entries, setType).map((entry, row) => ({ origin: { row }, entry }))
        const checked = yield* (yield* InviteCheck).check(operator(organization), set.id, drafts, send)
        const taken = checked.filter(isTaken)
        if (taken.length === 0) return
        const results = yield* inviteAll(
          send,
          taken.map(({ entry }) => entry),
        )
        assert.deepStrictEqual(
          results.map(doneOf),
          taken.map(({ plan }) => saidOf(plan)),
        )
        const [later] = yield* stored
        assert.strictEqual((later?.mails ?? 0) - (earlier?.mails ?? 0), count(taken, "Invited"))
        const added = (later?.submissions ?? 0) - (earlier?.submissions ?? 0)
        const least = count(taken, "Linked", "CvEvaluated")
        assert.isTrue(added >= least && added <= least + count(taken, "Invited"), `${added} new submissions`)
      }),
    { arbitrary: { runs: amount(25, 400) } },
  )

  it.effect.prop(
    "does the same in one statement for new candidates as in the steps for all",
    { requests: Schema.Array(Invited).check(Schema.isMinLength(2), Schema.isMaxLength(3)) },
    ({ requests }) =>
      Effect.gen(function* () {
        const invite = yield* Invite
        const { sql, transaction } = yield* Database
        const ways = {
          atOnce: (viewer: Viewer, request: InviteRequest) => invite.invite(viewer, request),
          inSteps: (viewer: Viewer, request: InviteRequest) =>
            transaction(
              Effect.flatMap(invite.begin(viewer, request), (target) =>
                invite.complete(viewer, target, CheckedInvite(request)),
              ),
            ),
        }
        const outcomes = yield* Effect.forEach(Object.values(ways), (way) =>
          Effect.gen(function* () {
            const { id: organization, set } = yield* Scenario.organization()
            yield* sql`insert into suppression (organization_id, email, reason)
              values (${organization}::int, 'gone@example.com', 'unsubscribed')`
            const results = yield* Effect.forEach(requests, ({ entries, send }) => {
              const candidates = withoutRefused(entries, 1)
              const request = InviteRequest.make({ com_interview_set_id: set.id, candidates, send_invite: send })
              return Effect.result(way(operator(organization), request))
            })
            const rows = yield* Effect.forEach(
              ["candidate", "submission", "invitation", "email", "cv"],
              (table) =>
                sql`select (to_jsonb(t) - array['organization_id', 'created_at', 'updated_at', 'due_at', 'expires_at',
                'failed_at', 'words', 'traceparent']) as row
                from ${sql(table)} t where organization_id = ${organization}::int order by id`,
            )
            return comparable([results, rows])
          }),
        )
        assert.strictEqual(outcomes[0], outcomes[1])
      }),
    { arbitrary: { runs: amount(25, 400) } },
  )

  it.effect("sends the entry with an id in the hiring system where several are one person", () =>
    Effect.gen(function* () {
      const { id: organization, set } = yield* Scenario.organization()
      const email = "ada@example.com"
      const entries = [{ email }, { email, ats_candidate_id: id(1) }, { email, ats_candidate_id: id(2) }]
      const drafts = entries.map((entry, row) => ({ origin: { row }, entry }))
      const checked = yield* (yield* InviteCheck).check(operator(organization), set.id, drafts, true)
      assert.deepStrictEqual(
        checked.map(({ plan }) => plan),
        [{ _tag: "Repeated", first: { row: 1 } }, { _tag: "Invited" }, { _tag: "Invited" }],
      )
    }),
  )

  it.effect("finds by its address no candidate that another entry names", () =>
    Effect.gen(function* () {
      const { id: organization, set } = yield* Scenario.organization()
      const inviteAll = (...candidates: InviteRequest["candidates"]) =>
        Scenario.invite(operator(organization), InviteRequest.make({ com_interview_set_id: set.id, candidates }))
      const email = "ada@example.com"
      const [named] = yield* inviteAll({ email: "bo@example.com", ats_candidate_id: id(1) })
      yield* TestClock.adjust("1 minute")
      const [other] = yield* inviteAll({ email })
      yield* inviteAll({ email, ats_candidate_id: id(1) })
      const results = yield* inviteAll({ email }, { ats_candidate_id: id(1), cv_link: link("a") })
      assert.deepStrictEqual(
        results.map(({ candidate }) => candidate?.id),
        [other?.candidate?.id, named?.candidate?.id],
      )
    }),
  )
})
