/** Reads the workspace's home: what needs attention, and the figures of each interview set. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { OrganizationRepository } from "../accounts/OrganizationRepository.ts"
import { may } from "../accounts/Permissions.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import type { CandidateNames } from "../candidates/CandidateSql.ts"
import { Accommodations } from "../interviews/Accommodations.ts"
import { PersonReviews } from "../person-reviews/PersonReviews.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { SetFigures } from "../submissions/SetFigures.ts"
import { Assignments } from "./Assignments.ts"
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

export class WorkspaceHome extends Context.Service<WorkspaceHome>()("interview-invitations/reviews/WorkspaceHome", {
  make: Effect.gen(function* () {
    const accommodations = yield* Accommodations
    const assignments = yield* Assignments
    const database = yield* Database
    const organizationRepository = yield* OrganizationRepository
    const personReviews = yield* PersonReviews
    const repository = yield* WorkspaceHomeRepository
    const setFigures = yield* SetFigures

    const read = Effect.fn("WorkspaceHome.read")(function* (member: Member) {
      const now = yield* database.time
      const organization = member.organizationId
      const reader = readerOf(member)
      const progress = yield* repository.progress(organization, reader)
      const found = yield* repository.sets(organization, reader)
      const shown = found.slice(0, homeLimits.sets)
      const ids = shown.map(({ id }) => id)
      const funnels = yield* setFigures.funnels(member, ids)
      const reviewer = member.seesScores ? undefined : member.id
      const scores = ids.length === 0 ? [] : yield* repository.scores(organization, ids, reviewer)
      const lately = new Date(now.getTime() - homeLimits.failedMailDays * dayMs)
      return {
        now,
        isSample: yield* organizationRepository.isSample(organization),
        progress,
        sets: shown.map((set) => ({
          ...set,
          funnel: funnels.get(set.id) ?? [],
          bins: binsOf(scores.filter((one) => one.set === set.id)),
        })),
        hasMoreSets: found.length > homeLimits.sets,
        assigned: yield* assignments.mine(member, 1, homeLimits.assigned),
        /** Requests of candidates without an answer. */
        accommodations: yield* accommodations.count(member),
        /** Open requests for a person. */
        personReviews: yield* personReviews.count(member),
        toReview: named(yield* repository.pending(organization, reader, "review")),
        toDecide: named(yield* repository.pending(organization, reader, "decision")),
        failedMails: named(yield* repository.failedMails(organization, reader, lately)),
        /** Undefined: the member may not see webhooks. */
        failingEndpoints: may(member, "readWebhooks") ? yield* repository.failingEndpoints(organization) : undefined,
        /** Undefined: the member may not see hiring systems. */
        failingConnections: may(member, "manageHiringSystems")
          ? yield* repository.failingConnections(organization)
          : undefined,
      }
    }, mayReadReplica)

    return { read }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(SetFigures.layer))
}

export type HomeView = Effect.Success<ReturnType<WorkspaceHome["Service"]["read"]>>
