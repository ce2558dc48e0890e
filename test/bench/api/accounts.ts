/** Fills a database with organizations, each with an API key, an interview set and evaluated interviews. */
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as App from "../../../src/App.ts"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Config } from "../../../src/config/Config.ts"
import { EvaluationQueue } from "../../../src/evaluations/EvaluationQueue.ts"
import { InterviewSets } from "../../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Invite } from "../../../src/invitations/Invite.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import { QuestionId } from "../../../src/values/Ids.ts"
import { interviewSet } from "./bodies.ts"
import { settings } from "./settings.ts"

/** An organization with an unrestricted API key. */
export interface Account {
  readonly key: string
  readonly interviewSetId: string
  /** Evaluated submissions. */
  readonly submissionIds: ReadonlyArray<string>
}

const interviewed = ["ada@example.com", "grace@example.com", "edsger@example.com"]

const answer =
  "I ran a billing system on PostgreSQL for four years: a team of three, two million invoices a month. I found slow " +
  "queries with pg_stat_statements, added a partial index, and p99 fell from 900 ms to 40 ms. I wrote the tests first."

const account = Effect.fnUntraced(function* (name: string) {
  const interviews = yield* Interviews
  const organization = yield* (yield* Organizations).create(name)
  const { value } = yield* (yield* ApiKeys).create(operator(organization), {})
  const set = yield* (yield* InterviewSets).create(operator(organization), interviewSet)
  const { results } = yield* (yield* Invite).invite(
    operator(organization),
    InviteRequest.make({ com_interview_set_id: set.id, candidates: interviewed.map((email) => ({ email })) }),
  )
  const answers = set.iai_questions.map(({ id }) => ({
    question_id: QuestionId.make(id),
    content: answer,
    option_ids: [],
  }))
  const submissionIds = yield* Effect.forEach(results, ({ submission }) =>
    Effect.gen(function* () {
      const { id, interview_url } = yield* Effect.fromNullishOr(submission)
      const token = (yield* Effect.fromNullishOr(interview_url)).replace(/^.*\//, "")
      yield* interviews.start(token)
      yield* interviews.finish(token, answers)
      return id
    }),
  )
  return { key: Redacted.value(value), interviewSetId: set.id, submissionIds } satisfies Account
})

/** Creates `count` accounts in a migrated database. */
export const seed = (url: string, count: number) =>
  Effect.gen(function* () {
    const accounts = yield* Effect.forEach(Array.from({ length: count }), (_, i) => account(`Hiring system ${i + 1}`))
    const { queue } = yield* EvaluationQueue
    yield* Effect.repeat(runOnce(queue), { while: (evaluated) => evaluated > 0 })
    return accounts
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
