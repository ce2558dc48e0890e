/** What the webhook commands share: the services they need, and how an endpoint is named. */
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Argument } from "effect/cli"
import * as App from "../App.ts"
import { Config } from "../config/Config.ts"
import { EndpointId, type OrganizationId } from "../values/Ids.ts"
import { EndpointRepository } from "../webhooks/EndpointRepository.ts"
import { known } from "./CommandKit.ts"
import { local } from "./Environment.ts"

/** Webhook endpoints, whose secrets are sealed. */
export const webhooks = Layer.merge(App.administration, App.webhooks).pipe(
  Layer.provideMerge(App.secretServices),
  Layer.provideMerge(App.webhookTransport),
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ trial: false })),
)

export const endpointId = Argument.String("id").pipe(Argument.withSchema(EndpointId))

/** Commands name an endpoint and nothing else. */
export const ofEndpoint = <A, E, R>(id: EndpointId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* known("webhook endpoint", yield* (yield* EndpointRepository).organizationOf(id))
    return yield* step(organization)
  })
