/** Reads the workspace's home: what needs attention, and the figures of each interview set. */
import { Context, Effect, Layer } from "effect"
import { type Member, maySetUp } from "../accounts/Member.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import type { CandidateNames } from "../candidates/CandidateSql.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { funnelOf } from "./Funnel.ts"
import { homeLimits } from "./HomeLimits.ts"
import { type Counted, WorkspaceHomeRepository } from "./WorkspaceHomeRepository.ts"

const dayMs = 86_400_000

const named = <Row extends { readonly candidate: CandidateNames }>({ count, rows }: Counted<Row>) => ({
  count,
  rows: rows.map((row) => ({ ...row, candidate: candidateRef(row.candidate) })),
})

/** Scores of a set by bin, 0 for bins without any. */
const binsOf = (counts: ReadonlyArray<{ readonly bin: number; readonly count: number }>): ReadonlyArray<number> =>
  Array.from({ length: 10 }, (_, bin) => counts.find((one) => one.bin === bin)?.count ?? 0)

const read = Effect.fn("WorkspaceHome.read")(function* (member: Member) {
  const home = yield* WorkspaceHomeRepository
  const now = yield* (yield* Database).time
  const organization = member.organizationId
  const reader = readerOf(member)
  const progress = yield* home.progress(organization, reader)
  const found = yield* home.sets(organization, reader)
  const shown = found.slice(0, homeLimits.sets)
  const ids = shown.map(({ id }) => id)
  const funnels = ids.length === 0 ? [] : yield* home.funnels(organization, ids)
  const scores = ids.length === 0 ? [] : yield* home.scores(organization, ids)
  const lately = new Date(now.getTime() - homeLimits.failedMailDays * dayMs)
  return {
    now,
    progress,
    sets: shown.map((set) => ({
      ...set,
      funnel: funnelOf(funnels.filter((one) => one.set === set.id)),
      bins: binsOf(scores.filter((one) => one.set === set.id)),
    })),
    hasMoreSets: found.length > homeLimits.sets,
    toReview: named(yield* home.pending(organization, reader, "review")),
    toDecide: named(yield* home.pending(organization, reader, "decision")),
    failedMails: named(yield* home.failedMails(organization, reader, lately)),
    /** Undefined: the member may not see webhooks. */
    failingEndpoints: maySetUp(member) ? yield* home.failingEndpoints(organization) : undefined,
    /** Undefined: the member may not see hiring systems. */
    failingConnections: maySetUp(member) ? yield* home.failingConnections(organization) : undefined,
  }
}, mayReadReplica)

export type HomeView = Effect.Success<ReturnType<typeof read>>

const useCases = { read }

export class WorkspaceHome extends Context.Service<WorkspaceHome, Methods<typeof useCases>>()(
  "interview-invitations/reviews/WorkspaceHome",
) {
  static readonly layer = Layer.effect(WorkspaceHome, methods([Database, WorkspaceHomeRepository], useCases))
}
