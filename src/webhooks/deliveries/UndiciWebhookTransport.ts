/** WebhookTransport over undici (OutboundClient). */
import { Effect, Layer } from "effect"
import { type OutboundOptions, outboundClient } from "../../platform/outbound/OutboundClient.ts"
import type { Resolve } from "../../platform/outbound/OutboundNames.ts"
import { WebhookTransport } from "./WebhookTransport.ts"

/** Shown to the endpoint's developers. */
const maxKept = 4 * 1024

export const layer = (options: Omit<OutboundOptions, "maxKept">, resolve?: Resolve): Layer.Layer<WebhookTransport> =>
  Layer.effect(
    WebhookTransport,
    Effect.map(outboundClient({ ...options, maxKept }, resolve), (send) =>
      WebhookTransport.of({ post: ({ body, headers, url }) => send({ method: "POST", url, headers, body }) }),
    ),
  )
