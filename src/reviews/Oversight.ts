/** Whether members decide or follow the score: a report for owners and admins, by interview set and never by member. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { oversight } from "./OversightLimits.ts"
import { OversightRepository } from "./OversightRepository.ts"

export class Oversight extends Context.Service<Oversight>()("interview-invitations/reviews/Oversight", {
  make: Effect.gen(function* () {
    const repository = yield* OversightRepository

    const read = Effect.fn("Oversight.read")(function* ({ organizationId }: Member) {
      return yield* repository.sets(organizationId, oversight.days, oversight.sets)
    }, mayReadReplica)

    return { read }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
