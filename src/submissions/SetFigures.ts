/** Figures of interview sets: how many candidates each has, and how far they have come. Ignores access lists. */
import { Context, Effect, Layer } from "effect"
import type { Viewer } from "../accounts/Viewer.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import type { InterviewSetId } from "../values/Ids.ts"
import { funnelOf, mostFunnelled } from "./Funnel.ts"
import { SetFigureRepository } from "./SetFigureRepository.ts"
import { mostCounted } from "./SubmissionSearch.ts"

export class SetFigures extends Context.Service<SetFigures>()("interview-invitations/submissions/SetFigures", {
  make: Effect.gen(function* () {
    const repository = yield* SetFigureRepository

    const read = Effect.fnUntraced(function* ({ organizationId }: Viewer, sets: ReadonlyArray<InterviewSetId>) {
      const rows = sets.length === 0 ? [] : yield* repository.figures(organizationId, sets, mostCounted)
      return new Map(rows.map((row) => [row.set, row]))
    })

    /** Counts up to `mostCounted`, by the set's id. */
    const figures = Effect.fn("SetFigures.figures")(read, mayReadReplica)

    /** How many submissions the set has, up to `mostCounted`. */
    const count = Effect.fn("SetFigures.count")(function* (viewer: Viewer, set: InterviewSetId) {
      return (yield* read(viewer, [set])).get(set)?.submissions ?? 0
    })

    /** The funnel of each set's newest `mostFunnelled` interviews, by its id. */
    const funnels = Effect.fn("SetFigures.funnels")(function* (
      { organizationId }: Viewer,
      sets: ReadonlyArray<InterviewSetId>,
    ) {
      const rows = sets.length === 0 ? [] : yield* repository.funnels(organizationId, sets, mostFunnelled)
      return new Map(sets.map((set) => [set, funnelOf(rows.filter((row) => row.set === set))]))
    })

    return { count, figures, funnels }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
