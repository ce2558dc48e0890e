/** What is asked about endpoints beside their rows. */
import { Context, Effect, Layer } from "effect"
import type { EndpointId, OrganizationId } from "../domain/Ids.ts"
import { Database, first } from "./Database.ts"

export class EndpointFacts extends Context.Service<
  EndpointFacts,
  {
    /** How many deliveries are parked for an endpoint. */
    readonly parked: (organization: OrganizationId, id: EndpointId) => Effect.Effect<number>
    /** The youngest endpoint of all organizations with its secret, encrypted: by it a wrong SECRET_KEY shows. */
    readonly sealedSecret: Effect.Effect<{ readonly id: EndpointId; readonly secret: Uint8Array } | undefined>
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
        sealedSecret: Effect.gen(function* () {
          return first(
            yield* sql<{ id: EndpointId; secret: Uint8Array }>`
              select id, secret from webhook_endpoint where deleted_at is null order by created_at desc, id desc limit 1`,
          )
        }).pipe(Effect.orDie),
      })
    }),
  )
}
