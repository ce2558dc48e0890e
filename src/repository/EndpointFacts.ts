/** What is asked about endpoints beside their rows. */
import { Context, Effect, Layer } from "effect"
import type { EndpointId, OrganizationId } from "../domain/Ids.ts"
import { Database, first } from "./Database.ts"

export class EndpointFacts extends Context.Service<
  EndpointFacts,
  {
    /** How many deliveries are parked for an endpoint. */
    readonly parked: (organization: OrganizationId, id: EndpointId) => Effect.Effect<number>
  }
>()("interview-invitations/repository/EndpointFacts") {
  static readonly layer = Layer.effect(
    EndpointFacts,
    Effect.gen(function* () {
      const { sql } = yield* Database
      return EndpointFacts.of({
        parked: Effect.fnUntraced(function* (organization, id) {
          const rows = yield* sql<{ parked: number }>`
            select count(*)::int as parked from webhook_delivery
            where endpoint_id = ${id}::uuid and state = 'parked' and organization_id = ${organization}::int`
          return first(rows)?.parked ?? 0
        }, Effect.orDie),
      })
    }),
  )
}
